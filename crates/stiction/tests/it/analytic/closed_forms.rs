//! Closed forms: what their tests share.

use serde_json::Value;
use stiction::material::{FrictionModel, Surface};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, SolverKind, World, WorldParameters};

pub const GRAVITY: f64 = 9.81;

/// Gravity down, the direct solver, hard constraints.
pub fn exact() -> WorldParameters {
    WorldParameters {
        gravity: DVec3::new(0.0, 0.0, -GRAVITY),
        solver: SolverKind::Direct,
        cfm: 0.0,
        ..WorldParameters::default()
    }
}

/// The same with the exact friction cone.
pub fn cone() -> WorldParameters {
    WorldParameters { friction_model: FrictionModel::Cone, ..exact() }
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

pub fn vector(value: &Value) -> DVec3 {
    DVec3::new(number(&value[0]), number(&value[1]), number(&value[2]))
}

/// Mass and a diagonal inertia about the centre.
pub fn mass(mass: f64, moments: DVec3) -> MassProperties {
    MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) }
}

pub fn ground(world: &mut World, surface: Surface) {
    let shape = Shape::plane(DVec3::Z, 0.0).unwrap();
    world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, None) }).unwrap();
}

pub fn body(world: &mut World, shape: Shape, mass: MassProperties, position: DVec3, surface: Surface) -> BodyId {
    let pose = Pose::from_position(position);
    let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) }).unwrap();
    body
}

pub fn solid(shape: &Shape, total: f64) -> MassProperties {
    shape.mass_properties(1.0).unwrap().with_mass(total)
}

/// Rows of a reference file, without its header.
pub fn table(path: &std::path::Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect()
}

/// Steps a world until a time, to the nearest step.
pub fn run_until(world: &mut World, time: f64, step: f64) {
    while world.time() < time - 0.5 * step {
        world.step(step);
    }
}
