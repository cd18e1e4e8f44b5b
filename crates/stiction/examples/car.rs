//! A car in a bend. Its wheels turn fast: they have finite rotation about their axles, set anew each step. Sideways they
//! slip in proportion to force and speed, as tyres do: `cargo run -p stiction --example car`.

use std::error::Error;

use stiction::dynamics::rotation::FiniteRotation;
use stiction::joints::{AxisParameters, JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyDefinition, GeomDefinition, World, WorldParameters};

/// The path of the chassis: x and y \[m\]. `slip` is sideways, \[1/N\] of the wheel's speed.
pub fn drive(slip: f64) -> Result<Vec<(f64, f64)>, Box<dyn Error>> {
    let mut world = World::new(WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() });
    world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, 0.0)?, None))?;
    let body = |world: &mut World, shape: Shape, mass: f64, pose: Pose| {
        let mass = shape.mass_properties(1.0).ok_or("no volume")?.with_mass(mass);
        let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() })?;
        // Axis z of a cylinder is the axle: the first friction direction, which slips.
        let surface = Surface { direction: Some(DVec3::Z), friction: [2.0; 2], ..Surface::default() };
        let geom = world.add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape, Some(body)) })?;
        Ok::<_, Box<dyn Error>>((body, geom))
    };
    let at = Pose::from_position(DVec3::Z * 0.5);
    let (chassis, _) = body(&mut world, Shape::cuboid(DVec3::new(2.0, 0.8, 0.2))?, 100.0, at)?;
    let mut wheels = Vec::new();
    for (x, y) in [(0.8, 0.6), (0.8, -0.6), (-0.8, 0.6), (-0.8, -0.6)] {
        let axle = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
        let center = DVec3::new(x, y, 0.3);
        let (wheel, geom) = body(&mut world, Shape::cylinder(0.3, 0.15)?, 5.0, Pose::new(center, axle))?;
        let joint = JointDefinition::new(JointKind::Hinge2, Some(chassis), Some(wheel)).at(center);
        // Axis 0 steers, with stops that leave no play; axis 1 is the axle. Both count the chassis against the wheel.
        let angle = if x > 0.0 { -0.12 } else { 0.0 };
        let steering = AxisParameters { stop_erp: Some(0.5), ..AxisParameters::default().with_stops(angle, angle) };
        let drive = AxisParameters::default().with_motor(-40.0, if x < 0.0 { 60.0 } else { 0.0 });
        let joint = joint.with_axis(0, DVec3::Z).with_axis(1, DVec3::Y).with_parameters(0, steering);
        world.add_joint(joint.with_parameters(1, drive))?;
        wheels.push((wheel, geom));
    }
    let mut path = Vec::new();
    for _ in 0..4000 {
        for (wheel, geom) in &wheels {
            let mut wheel = world.body_mut(*wheel).ok_or("no wheel")?;
            let axle = wheel.as_ref().vector_to_world(DVec3::Z);
            wheel.set_finite_rotation(FiniteRotation::Axis(axle))?;
            let rolling = 0.3 * wheel.as_ref().omega().dot(axle).abs();
            world.geom_surface_mut(*geom).ok_or("no wheel")?.slip = [slip * rolling, 0.0];
        }
        world.step(2e-3);
        let place = world.body(chassis).ok_or("no car")?.pose().position;
        path.push((place.x, place.y));
    }
    Ok(path)
}

fn main() -> Result<(), Box<dyn Error>> {
    for slip in [0.0, 1e-4, 4e-4] {
        println!("slip {slip}: the car is at {:?} m", drive(slip)?.last().copied().unwrap_or_default());
    }
    Ok(())
}

#[test]
fn slip_widens_the_bend() -> Result<(), Box<dyn Error>> {
    let reach = |slip: f64| -> Result<f64, Box<dyn Error>> { Ok(drive(slip)?.iter().fold(0.0, |m, (_, y)| y.max(m))) };
    let (none, some) = (reach(0.0)?, reach(2e-4)?);
    assert!(none > 20.0 && some > 1.05 * none, "{none} {some}");
    Ok(())
}
