//! Archimedes' force (`Buoyancy`).

use stiction::math::{DVec3, Pose};

use super::super::Simulation;
use super::axis::Part;
use super::immersed::Solid;
use super::{Acts, Around};
use crate::description::WorldDescription;
use crate::plugins::{BuoyancyDescription, FluidLayer};

/// A link with its volumes.
#[derive(Clone)]
struct Floating {
    part: Part,
    /// Volume and its centre in the link, where one density is all around.
    whole: (f64, DVec3),
    /// Shapes with their poses in the link, where densities change with height.
    solids: Vec<(Pose, Solid)>,
}

/// Fluid around bodies.
#[derive(Clone)]
pub(super) struct Buoyancy {
    links: Vec<Floating>,
    density: f64,
    layers: Vec<FluidLayer>,
}

impl Buoyancy {
    pub(super) fn new(simulation: &Simulation, description: &WorldDescription, buoyancy: &BuoyancyDescription) -> Self {
        let mut links = Vec::new();
        for index in &buoyancy.links {
            let Some(part) = Part::new(simulation, *index) else { continue };
            let given = buoyancy.volumes.iter().find(|v| v.link == *index);
            let mut solids = Vec::new();
            let in_link = part.pose(simulation).inverse();
            for geom in description.links[*index].collisions.iter().flat_map(|c| simulation.geoms(&c.name)) {
                let solid = simulation.world.geom(geom).and_then(|geom| Solid::new(geom.shape()));
                let pose = simulation.world.geom_pose(geom).unwrap_or(Pose::IDENTITY);
                solids.extend(solid.map(|solid| (in_link.compose(&pose), solid)));
            }
            let mut whole = (0.0, DVec3::ZERO);
            for (pose, solid) in &solids {
                let (volume, center) = solid.total();
                whole = (whole.0 + volume, whole.1 + volume * pose.point(center));
            }
            whole.1 = if whole.0 > 0.0 { whole.1 / whole.0 } else { DVec3::ZERO };
            if let Some(given) = given {
                whole = (given.volume, given.center);
            }
            if whole.0 > 0.0 {
                links.push(Floating { part, whole, solids });
            }
        }
        Self { links, density: buoyancy.density, layers: buoyancy.layers.clone() }
    }
}

impl Acts for Buoyancy {
    fn has_field(&self) -> bool {
        true
    }

    fn field(&self, around: &mut Around) {
        let gravity = around.gravity();
        for link in &self.links {
            let pose = around.pose(link.part);
            if self.layers.is_empty() {
                let (volume, center) = link.whole;
                around.push(link.part, -self.density * volume * gravity, DVec3::ZERO, pose.point(center));
                continue;
            }
            for (in_link, solid) in &link.solids {
                let at = pose.compose(in_link);
                let (all, center) = solid.below(&at, f64::INFINITY);
                // Mass of the fluid in its place, with its first moment: layer by layer from below.
                let (mut below, mut density) = ((0.0, DVec3::ZERO), self.density);
                let (mut mass, mut moment) = (0.0, DVec3::ZERO);
                let mut add = |volume: f64, first: DVec3, density: f64| {
                    mass += density * volume;
                    moment += density * first;
                };
                for layer in &self.layers {
                    let (volume, center) = solid.below(&at, layer.above);
                    let first = volume * center;
                    add(volume - below.0, first - below.1, density);
                    (below, density) = ((volume, first), layer.density);
                }
                add(all - below.0, all * center - below.1, density);
                if mass > 0.0 {
                    around.push(link.part, -mass * gravity, DVec3::ZERO, moment / mass);
                }
            }
        }
    }
}
