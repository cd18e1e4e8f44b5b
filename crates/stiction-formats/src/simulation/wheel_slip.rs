//! Wheels whose slip goes with their speed (`WheelSlipPlugin`).

use stiction::world::{GeomId, JointId};

use super::Simulation;
use crate::description::WorldDescription;

/// A wheel with slip.
#[derive(Clone, Copy, Debug)]
pub struct WheelSlip {
    /// Index of its link.
    pub link: usize,
    /// Its shape.
    pub geom: GeomId,
    /// The joint that it turns about, and the axis of it.
    pub axis: (JointId, usize),
    /// Slip ratio by friction ratio along the first and the second friction direction.
    pub compliance: [f64; 2],
    /// About the steady normal force \[N\].
    pub normal_force: f64,
    /// Radius \[m\].
    pub radius: f64,
}

/// Finds bodies, shapes and joints of wheels with slip.
pub(super) fn add(simulation: &mut Simulation, description: &WorldDescription) {
    for wheel in &description.wheel_slips {
        let (link, joint) = (&description.links[wheel.link], &simulation.joints[wheel.joint]);
        let axis = joint.id.zip(joint.axes.first().copied());
        let geom = link.collisions.first().and_then(|collision| simulation.geom(&collision.name));
        let (Some(axis), Some(geom)) = (axis, geom) else {
            let what = format!("slip of the wheel `{}`: it has no shape or does not turn", link.name);
            simulation.leave_out(&link.location, what);
            continue;
        };
        simulation.wheel_slips.push(WheelSlip {
            link: wheel.link,
            geom,
            axis,
            compliance: [wheel.lateral.value, wheel.longitudinal.value],
            normal_force: wheel.normal_force.value,
            radius: wheel.radius.value,
        });
    }
}

impl Simulation {
    /// Sets the slips of wheels for the next step by their speeds now. ODE's slips are speeds by force \[m/s/N\]; the ratio of
    /// slip to the speed of the rim is then `compliance F_friction / F` (GC `plugins/WheelSlipPlugin.cc`).
    pub fn slip_wheels(&mut self) {
        for index in 0..self.wheel_slips.len() {
            let wheel = self.wheel_slips[index];
            let (id, axis) = wheel.axis;
            let Some(joint) = self.world.joint(id) else { continue };
            let rate = self.link_velocity(&self.links[wheel.link]).1.dot(joint.axis(usize::from(axis == 1), axis));
            let slip = wheel.compliance.map(|c| c * (wheel.radius * rate).abs() / wheel.normal_force);
            // Only a change wakes what touches the wheel.
            let is_new = self.world.geom(wheel.geom).is_some_and(|geom| geom.surface().slip != slip);
            if let Some(surface) = self.world.geom_surface_mut(wheel.geom).filter(|_| is_new) {
                surface.slip = slip;
            }
        }
    }

    /// A step \[s\] with all that the plugins and devices of the files do around it. Returns what happened, in words.
    pub fn step(&mut self, step: f64) -> Vec<String> {
        self.slip_wheels();
        let (mut plugins, mut sensors) = (std::mem::take(&mut self.plugins), std::mem::take(&mut self.sensors));
        plugins.before(self, step);
        sensors.before(self);
        super::plugins::step(self, &plugins, step);
        let mut events = self.act(step);
        sensors.after(self, step);
        plugins.after(self, step, &mut events);
        (self.plugins, self.sensors) = (plugins, sensors);
        events
    }
}
