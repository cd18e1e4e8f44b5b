//! Worlds that several figures share.

use std::error::Error;

use stiction::material::{PointContact, Surface};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, Preset, World, WorldParameters};
use stiction_run::Setup;

/// What goes wrong.
pub type Failure = Box<dyn Error>;

/// An empty world of a preset, with gravity down.
pub fn world(preset: Preset, gravity: f64, change: impl FnOnce(&mut WorldParameters)) -> World {
    let mut parameters = WorldParameters { gravity: DVec3::new(0.0, 0.0, -gravity), ..WorldParameters::default() };
    preset.apply(&mut parameters);
    change(&mut parameters);
    World::new(parameters)
}

/// A surface with coefficients, and stiffness and dissipation of its own.
pub fn surface(static_friction: f64, dynamic_friction: f64, [stiffness, dissipation]: [f64; 2]) -> Surface {
    Surface {
        point_contact: PointContact {
            relaxation_time: None,
            stiffness: Some(stiffness),
            dissipation: Some(dissipation),
            static_friction: Some(static_friction),
            dynamic_friction: Some(dynamic_friction),
        },
        ..Surface::default()
    }
}

/// A half-space through the origin, turned about y.
pub fn ground(world: &mut World, slope: f64, surface: &Surface) -> Result<(), Failure> {
    let pose = Pose::from_rotation(DQuat::from_rotation_y(slope));
    let shape = Shape::plane(DVec3::Z, 0.0)?;
    world.add_geom(&GeomDefinition { pose, surface: *surface, ..GeomDefinition::new(shape, None) })?;
    Ok(())
}

/// A body of one shape.
pub fn add(
    world: &mut World,
    shape: Shape,
    mass: f64,
    moments: DVec3,
    pose: Pose,
    surface: &Surface,
) -> Result<BodyId, Failure> {
    let mass = MassProperties { mass, center_of_mass: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) };
    let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
    world.add_geom(&GeomDefinition { surface: *surface, ..GeomDefinition::new(shape, Some(body)) })?;
    Ok(body)
}

/// A bundled world under a preset, and its first body that moves.
pub fn bundled(
    name: &str,
    preset: Preset,
    change: impl FnOnce(&mut WorldParameters),
) -> Result<(World, BodyId), Failure> {
    let simulation = Setup::new(name).engine(preset.name()).load()?.start_with(change)?.into_simulation();
    let body = simulation.links.iter().find_map(|l| l.body).ok_or("nothing moves")?;
    Ok((simulation.world, body))
}
