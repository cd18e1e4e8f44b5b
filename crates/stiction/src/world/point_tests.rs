//! Contacts swept by points against the same contacts as rows.

use glam::{DQuat, DVec3};

use super::{BodyDefinition, GeomDefinition, Preset, World, WorldParameters};
use crate::material::{FrictionModel, Surface};
use crate::math::Pose;
use crate::model::{HybridRule, SolverKind};
use crate::shape::Shape;

/// A step [s].
const STEP: f64 = 1.0 / 240.0;

/// Velocities after a step of boxes and balls that lie askew on each other, some with slip, all on a belt, and places by the step; `bound`
/// is that on the velocity that correction leaves.
fn velocities(
    (preset, friction, bound): (Preset, FrictionModel, f64),
    solver: SolverKind,
) -> Result<Vec<[DVec3; 3]>, Box<dyn std::error::Error>> {
    let gravity = DVec3::new(0.3, 0.2, -9.81);
    let mut parameters = WorldParameters { gravity, ..WorldParameters::default() };
    preset.apply(&mut parameters);
    (parameters.solver, parameters.hybrid) = (solver, HybridRule::Off);
    (parameters.friction_model, parameters.iterations, parameters.sor) = (friction, 20_000, 1.0);
    // With a softness there is one solution; rows at the bound have none, and give way as they share a load.
    (parameters.contact_max_correcting_velocity, parameters.cfm) =
        (bound, if bound == f64::INFINITY { 1e-4 } else { 0.0 });
    parameters.split_impulse_depth = if bound == f64::INFINITY { bound } else { 1e-4 };
    let mut world = World::new(parameters);
    // Rows at the bound are rigid: how they share a load, and with it their friction, is open.
    let friction = if bound == f64::INFINITY { [0.4, 0.3] } else { [0.0; 2] };
    let belt = Surface { belt: Some(DVec3::Y * 0.3), friction, ..Surface::default() };
    world.add_geom(&GeomDefinition { surface: belt, ..GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None) })?;
    let mut bodies = Vec::new();
    for k in 0..12_u32 {
        let (column, level) = (f64::from(k % 4), f64::from(k / 4));
        let is_box = k < 8;
        let shape = if is_box { Shape::cuboid(DVec3::new(0.5, 0.4, 0.3)) } else { Shape::sphere(0.15) }?;
        let position = DVec3::new(0.6 * column + 0.02 * level, 0.03 * level, 0.1495 + 0.299 * level);
        let pose = Pose { position, rotation: DQuat::from_rotation_z(0.1 * column + 0.2 * level) };
        let mass = shape.mass_properties(500.0 * (1.0 + level)).ok_or("a solid")?;
        let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
        let slip = if k % 3 == 0 { [0.001, 0.002] } else { [0.0; 2] };
        let surface = Surface { friction, slip, ..Surface::default() };
        world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) })?;
        bodies.push(body);
    }
    world.step(STEP);
    assert!(world.report().contacts > 30, "{} contacts", world.report().contacts);
    let of = |body| world.body(body).map(|body| [body.velocity(), body.omega(), body.center_of_mass() / STEP]);
    Ok(bodies.into_iter().filter_map(of).collect())
}

#[test]
fn sweeps_by_points_come_to_the_solution_of_the_rows() -> Result<(), Box<dyn std::error::Error>> {
    let cases = [
        (Preset::OdeQuick, FrictionModel::Pyramid, f64::INFINITY),
        (Preset::OdeQuick, FrictionModel::Pyramid, 0.02),
        (Preset::OdeQuick, FrictionModel::Box, f64::INFINITY),
        (Preset::Bullet, FrictionModel::Pyramid, f64::INFINITY),
        (Preset::Bullet, FrictionModel::Pyramid, 0.02),
    ];
    for case in cases {
        let points = velocities(case, SolverKind::Iterative)?;
        let rows = velocities(case, SolverKind::Direct)?;
        assert_eq!(points.len(), 12);
        for (number, (own, other)) in points.iter().zip(&rows).enumerate() {
            let off = own.iter().zip(other).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            assert!(off < 1e-6, "{case:?} body {number}: {own:?} {other:?}");
        }
    }
    Ok(())
}
