//! What only watches: losses of energy, contacts that last.

use stiction::world::GeomId;

use super::super::Simulation;
use super::axis::Part;
use super::{Acts, Visit, visit_flag};
use crate::plugins::{MonitorDescription, TouchDescription};

/// Kinetic energy of a link.
#[derive(Clone)]
pub(super) struct Monitor {
    name: String,
    part: Option<Part>,
    threshold: f64,
    last: f64,
}

impl Monitor {
    pub(super) fn new(simulation: &Simulation, monitor: &MonitorDescription) -> Self {
        let mut own = Self {
            name: simulation.links[monitor.link].name.clone(),
            part: Part::new(simulation, monitor.link),
            threshold: monitor.threshold,
            last: 0.0,
        };
        own.last = own.energy(simulation);
        own
    }

    fn energy(&self, simulation: &Simulation) -> f64 {
        let body = self.part.and_then(|part| simulation.world.body(part.body));
        body.map_or(0.0, |b| 0.5 * (b.mass() * b.velocity().length_squared() + b.omega().dot(b.angular_momentum())))
    }
}

impl Acts for Monitor {
    fn after(&mut self, simulation: &mut Simulation, _step: f64, events: &mut Vec<String>) {
        let now = self.energy(simulation);
        let lost = self.last - now;
        self.last = now;
        if lost > self.threshold {
            events.push(format!("`{}` lost {lost:.6} J of kinetic energy in a step", self.name));
        }
    }

    fn visit(&mut self, visit: Visit) {
        visit(&mut self.last);
    }
}

/// Contacts of a model with targets for a time; it tells them once.
#[derive(Clone)]
pub(super) struct Touch {
    model: String,
    own: Vec<GeomId>,
    targets: Vec<GeomId>,
    time: f64,
    lasted: f64,
    is_done: bool,
}

impl Touch {
    pub(super) fn new(simulation: &Simulation, model: &str, touch: &TouchDescription) -> Self {
        let geoms = |names: &[String]| names.iter().filter_map(|name| simulation.geom(name)).collect();
        Self {
            model: model.to_owned(),
            own: geoms(&touch.own),
            targets: geoms(&touch.targets),
            time: touch.time,
            lasted: -1.0,
            is_done: false,
        }
    }
}

impl Acts for Touch {
    fn after(&mut self, simulation: &mut Simulation, step: f64, events: &mut Vec<String>) {
        if self.is_done || self.own.is_empty() {
            return;
        }
        let touches = simulation.world.contact_reports().iter().filter_map(|contact| contact.geoms).any(|[a, b]| {
            let is_pair = |a: GeomId, b: GeomId| self.own.contains(&a) && self.targets.contains(&b);
            is_pair(a, b) || is_pair(b, a)
        });
        self.lasted = match (touches, self.lasted < 0.0) {
            (false, _) => -1.0,
            (true, true) => 0.0,
            (true, false) => self.lasted + step,
        };
        // A time of many steps is met to rounding.
        if self.lasted >= self.time - 0.5 * step && touches {
            self.is_done = true;
            events.push(format!("`{}` touched its target for {} s", self.model, self.time));
        }
    }

    fn visit(&mut self, visit: Visit) {
        visit(&mut self.lasted);
        visit_flag(&mut self.is_done, visit);
    }
}
