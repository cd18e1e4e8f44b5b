//! Slip: the tangential relative speed of two surfaces at their contact points.

use std::collections::BTreeSet;

use stiction::math::DVec3;
use stiction::world::{BodyId, ContactReport, GeomId};
use stiction_formats::simulation::Simulation;

/// One side of a contact: the links of a name. Links that fixed joints merge into one body count as one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    bodies: BTreeSet<BodyId>,
    geoms: BTreeSet<GeomId>,
}

impl Side {
    /// The links of the given indices.
    pub(super) fn of_links(simulation: &Simulation, links: impl Iterator<Item = usize>) -> Self {
        let mut side = Self::default();
        for link in links.map(|index| &simulation.links[index]) {
            side.bodies.extend(link.body);
            let is_own = |name: &str| name.rsplit_once("::").is_some_and(|(owner, _)| owner == link.name);
            let own = simulation.collisions.iter().filter(|(_, name)| is_own(name)).map(|(geom, _)| *geom);
            side.geoms.extend(own);
        }
        let of_body = |geom: &&GeomId| {
            let body = simulation.world.geom(**geom).and_then(|geom| geom.body());
            body.is_some_and(|body| side.bodies.contains(&body))
        };
        let merged: Vec<GeomId> = simulation.collisions.keys().filter(of_body).copied().collect();
        side.geoms.extend(merged);
        side
    }

    /// It has a shape that can touch something.
    pub(super) fn has_shapes(&self) -> bool {
        !self.geoms.is_empty()
    }

    fn has(&self, contact: &ContactReport, end: usize) -> bool {
        let has_geom = contact.geoms.is_some_and(|geoms| self.geoms.contains(&geoms[end]));
        has_geom || contact.bodies[end].is_some_and(|body| self.bodies.contains(&body))
    }
}

/// Contacts between two sides; `None` is anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touching {
    pub(super) sides: [Option<Side>; 2],
}

impl Touching {
    fn has(&self, contact: &ContactReport) -> bool {
        let is_at = |side: &Option<Side>, end: usize| side.as_ref().is_none_or(|side| side.has(contact, end));
        let [a, b] = &self.sides;
        (is_at(a, 0) && is_at(b, 1)) || (is_at(a, 1) && is_at(b, 0))
    }
}

/// The largest slip of all contact points \[m/s\]; 0 without contact.
pub(super) fn largest_slip(simulation: &Simulation, touching: &Touching) -> f64 {
    let reports = simulation.world.contact_reports().iter();
    let touches = |contact: &&ContactReport| {
        contact.acts && (contact.depth >= 0.0 || contact.force != DVec3::ZERO) && touching.has(contact)
    };
    reports.filter(touches).map(|contact| slip_at(simulation, contact)).fold(0.0, f64::max)
}

/// Speed of the two surfaces against each other in the contact plane \[m/s\]. Running belts count with their speed.
fn slip_at(simulation: &Simulation, contact: &ContactReport) -> f64 {
    let velocity = |end: usize| {
        let body = contact.bodies[end].and_then(|body| simulation.world.body(body));
        let of_body = body.map_or(DVec3::ZERO, |body| body.velocity_at(contact.position));
        let geom = contact.geoms.map(|geoms| geoms[end]);
        let belt = geom.and_then(|geom| {
            let axis = simulation.world.geom(geom)?.surface().belt?;
            Some(simulation.world.geom_pose(geom)?.direction(axis))
        });
        let outward = if end == 0 { -contact.normal } else { contact.normal };
        of_body + belt.map_or(DVec3::ZERO, |axis| axis.cross(outward))
    };
    (velocity(0) - velocity(1)).reject_from_normalized(contact.normal).length()
}
