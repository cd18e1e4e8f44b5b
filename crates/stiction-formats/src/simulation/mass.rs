//! Masses that change while the world runs: fuel that burns, loads that are taken up.

use stiction::shape::MassProperties;

use super::{Simulation, SimulationError};
use crate::bodies;
use crate::description::WorldDescription;

/// Masses of the links.
pub(super) struct Masses {
    /// As the file has them, in the frames of their bodies.
    given: Vec<MassProperties>,
    /// As they are now \[kg\].
    now: Vec<f64>,
    /// The link that carries the body of each.
    carriers: Vec<usize>,
}

impl Masses {
    pub(super) fn new(description: &WorldDescription) -> Self {
        let given = bodies::parts(description);
        let now = given.iter().map(|part| part.mass).collect();
        let carriers = (0..given.len()).map(|link| bodies::carrier(description, link)).collect();
        Self { given, now, carriers }
    }

    /// A body of its parts as they are now.
    fn whole(&self, top: usize) -> MassProperties {
        let part = |link: usize| {
            let (given, now) = (&self.given[link], self.now[link]);
            // Links without mass have no ratio by which to change.
            if given.mass == now { *given } else { given.with_mass(now) }
        };
        bodies::whole(&self.carriers, part, top)
    }
}

impl Simulation {
    /// Mass of a link, given by its index \[kg\]; `None` for one without mass in its file, or of the static environment.
    #[must_use]
    pub fn link_mass(&self, link: usize) -> Option<f64> {
        let is_body = self.links.get(link).is_some_and(|l| l.body.is_some());
        self.masses.now.get(link).copied().filter(|mass| is_body && *mass > 0.0)
    }

    /// Links whose masses are not those of the file, by index, with their masses \[kg\].
    pub fn changed_masses(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let pairs = self.masses.now.iter().zip(&self.masses.given).enumerate();
        pairs.filter(|(_, (now, given))| **now != given.mass).map(|(link, (now, _))| (link, *now))
    }

    /// Changes the mass of a link \[kg\]. Its centre of mass stays in its place, its inertia goes with its mass, and what
    /// comes or goes has the velocity of the link: the velocity stays.
    ///
    /// # Errors
    /// A link without mass of its own, and masses that are not positive and finite.
    pub fn set_link_mass(&mut self, link: usize, mass: f64) -> Result<(), SimulationError> {
        let Some(now) = self.link_mass(link) else {
            let name = self.links.get(link).map_or("", |l| l.name.as_str());
            return Err(SimulationError::new(name, "the link has no mass that could change"));
        };
        if !(mass.is_finite() && mass > 0.0) {
            let reason = format!("its mass is {mass} kg, expected more than 0");
            return Err(SimulationError::new(&self.links[link].name, reason));
        }
        if mass == now {
            return Ok(());
        }
        self.masses.now[link] = mass;
        let whole = self.masses.whole(self.masses.carriers[link]);
        let before = self.world.energy();
        if let Some(mut body) = self.links[link].body.and_then(|body| self.world.body_mut(body)) {
            body.set_mass(&whole).map_err(|error| SimulationError::new(&self.links[link].name, error))?;
        }
        let after = self.world.energy();
        self.plugin_work += after.kinetic + after.gravitational - before.kinetic - before.gravitational;
        Ok(())
    }
}
