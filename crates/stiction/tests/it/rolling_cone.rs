//! A cone on its side on a slope: it rolls to and fro about its apex as a pendulum does.

use stiction::material::Surface;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, GeomDefinition, World, WorldParameters};
use stiction_testing::cases;

use super::support::{FIXED_STEP_ENGINES, GRAVITY, Sequence};

/// The line of touch turns by φ about the normal. The axis is at the half angle a of the cone above the plane, and the spin is about
/// the line of touch, `ω = φ̇ cot a`: `½ I φ̇² cot² a − m g sin b · ¾ h cos a · cos φ` is constant, with the slope b, the height h and
/// the moment `I = I₃ cos² a + I₁ sin² a` of the apex. So its period is that of a pendulum of the same amplitude, and the amplitude stays.
#[test]
fn cones_roll_to_and_fro_for_ever() {
    let mut s = Sequence(3);
    for case in 0..cases(2, 20) {
        let mut within = |low: f64, high: f64| low + 0.5 * (high - low) * (1.0 + s.next());
        let (half, slope, start) = (within(0.25, 0.5), within(0.1, 0.3), within(0.2, 0.6));
        let (length, step) = (within(0.2, 0.5), within(5e-4, 2e-3));
        let radius = length * half.tan();
        for engine in FIXED_STEP_ENGINES {
            let mut parameters = WorldParameters { gravity: -GRAVITY * DVec3::Z, ..WorldParameters::default() };
            engine.apply(&mut parameters);
            let mut world = World::new(parameters);
            let surface = Surface { friction: [2.0; 2], ..Surface::default() };
            let tilt = DQuat::from_rotation_y(slope);
            let ground = GeomDefinition::new(Shape::plane(DVec3::Z, 0.0).unwrap(), None);
            world.add_geom(&GeomDefinition { pose: Pose::from_rotation(tilt), surface, ..ground }).unwrap();
            let mass = MassProperties::cone(1000.0, radius, length);
            // From the apex at the origin, the axis points down the slope, half above it, and then to the side.
            let axis = tilt * DQuat::from_rotation_z(start) * DVec3::new(half.cos(), 0.0, half.sin());
            let rotation = DQuat::from_rotation_arc(DVec3::NEG_Z, axis);
            let pose = Pose::new(0.5 * length * axis, rotation);
            let body = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            let shape = GeomDefinition::new(Shape::cone(radius, length).unwrap(), Some(body));
            world.add_geom(&GeomDefinition { surface, ..shape }).unwrap();

            let to_plane = tilt.conjugate();
            let angle = |world: &World| {
                let axis = to_plane * (world.body(body).unwrap().pose().rotation * DVec3::NEG_Z);
                axis.y.atan2(axis.x)
            };
            let center = 0.75 * length;
            let (across, along) = (mass.inertia.x_axis.x + mass.mass * center * center, mass.inertia.z_axis.z);
            let moment = (along * half.cos().powi(2) + across * half.sin().powi(2)) / half.tan().powi(2);
            let rate = (mass.mass * GRAVITY * slope.sin() * center * half.cos() / moment).sqrt();
            // The period of a pendulum by the arithmetic-geometric mean.
            let (mut a, mut g) = (1.0, (0.5 * start).cos());
            for _ in 0..8 {
                (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
            }
            let period = 2.0 * std::f64::consts::PI / (rate * a);
            let (mut most, mut zeros, mut before) = (0.0f64, Vec::new(), start);
            while world.time() < 6.2 * period {
                world.step(step);
                let now = angle(&world);
                if before > 0.0 && now <= 0.0 {
                    zeros.push(world.time() - step * now / (now - before));
                }
                most = most.max(now.abs());
                before = now;
            }
            let label = format!("{case} {engine:?}, half angle {half:.3}, slope {slope:.3}, step {step:.1e}");
            assert!(most < start + 2e-3, "{label}: {start} became {most}");
            let [first, .., last] = zeros[..] else { panic!("{label}: {zeros:?}") };
            let found = (last - first) / (zeros.len() - 1) as f64;
            assert!((found / period - 1.0).abs() < 0.01, "{label}: period {found} s, expected {period} s");
            let last_peak = (0..(period / step) as u64).fold(0.0f64, |most, _| {
                world.step(step);
                most.max(angle(&world).abs())
            });
            assert!(last_peak > 0.97 * start, "{label}: {start} has come down to {last_peak}");
        }
    }
}
