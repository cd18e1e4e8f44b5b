//! The same bits for every number of threads, in steps that are shared between all of them.

use glam::{DQuat, DVec3};

use super::lane_tests::mixed_shape;
use super::{BodyDefinition, GeomDefinition, Preset, World, WorldParameters};
use crate::base::{ALWAYS, BodyId};
use crate::contact::restitution::Restitution;
use crate::joints::{JointDefinition, JointKind};
use crate::material::Surface;
use crate::math::Pose;
use crate::model::BodyKind;
use crate::shape::Shape;
use crate::solvers::soft::MOST_LANES;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn add(world: &mut World, shape: Shape, density: f64, pose: Pose, surface: Surface) -> Result<BodyId> {
    let mass = shape.mass_properties(density).ok_or("a solid")?;
    let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
    world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) })?;
    Ok(body)
}

/// A pile, boxes that lie apart, chains on the floor, and a link that is fixed to the world under a body that is prescribed.
fn scene(threads: u32) -> Result<World> {
    let gravity = DVec3::new(0.0, 0.0, -9.81);
    let mut parameters = WorldParameters { gravity, ..WorldParameters::default() };
    Preset::Stiction.apply(&mut parameters);
    parameters.threads = threads;
    let mut world = World::new(parameters);
    world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None))?;
    for k in 0..200_u32 {
        let shape = mixed_shape(k)?;
        let angle = f64::from(k);
        let position = DVec3::new(1.5 * angle.sin(), 1.5 * angle.cos(), 0.3 + 0.02 * angle);
        let bounce = (k % 3 == 0).then_some(Restitution { coefficient: 0.4, threshold: 0.1 });
        let surface = Surface { bounce, ..Surface::default() };
        add(&mut world, shape, 100.0, Pose { position, rotation: DQuat::from_rotation_x(angle) }, surface)?;
    }
    for k in 0..300_u32 {
        let place = DVec3::new(4.0 + f64::from(k % 20), f64::from(k / 20), 0.249);
        let turn = DQuat::from_rotation_z(f64::from(k));
        add(
            &mut world,
            Shape::cuboid(DVec3::splat(0.5))?,
            100.0,
            Pose { position: place, rotation: turn },
            Surface::default(),
        )?;
    }
    for row in 0..8_u32 {
        let mut last = None;
        for k in 0..6_u32 {
            let place = DVec3::new(-4.0 - 0.4 * f64::from(k), f64::from(row), 0.2);
            let pose = Pose { position: place, rotation: DQuat::IDENTITY };
            let link = add(&mut world, Shape::sphere(0.18)?, 100.0, pose, Surface::default())?;
            if let Some(last) = last {
                let kind = JointKind::Ball;
                let anchor = place + DVec3::X * 0.2;
                world.add_joint(JointDefinition { anchor, ..JointDefinition::new(kind, Some(last), Some(link)) })?;
            }
            last = Some(link);
        }
    }
    let pose = |z| Pose { position: DVec3::new(-4.0, -4.0, z), rotation: DQuat::IDENTITY };
    let welded = add(&mut world, Shape::cuboid(DVec3::ONE)?, 100.0, pose(0.5), Surface::default())?;
    world.add_joint(JointDefinition::new(JointKind::Fixed, Some(welded), None))?;
    let kind = BodyKind::Kinematic;
    let press = world.add_body(&BodyDefinition { pose: pose(1.45), kind, ..BodyDefinition::default() })?;
    world.add_geom(&GeomDefinition::new(Shape::cuboid(DVec3::ONE)?, Some(press)))?;
    Ok(world)
}

fn hashes(threads: u32, lanes: u32) -> Result<Vec<u64>> {
    MOST_LANES.set(lanes);
    ALWAYS.set(true);
    let mut world = scene(threads)?;
    let hashes = (0..150).map(|_| {
        world.step(1.0 / 240.0);
        world.state_hash()
    });
    Ok(hashes.collect())
}

#[test]
fn any_number_of_threads_gives_the_same_bits() -> Result<()> {
    let one = hashes(1, u32::MAX)?;
    for (threads, lanes) in [(2, u32::MAX), (3, u32::MAX), (8, u32::MAX), (2, 4), (3, 1)] {
        assert!(hashes(threads, lanes)? == one, "{threads} threads, {lanes} lanes");
    }
    Ok(())
}
