//! Flat faces touch in their corners: towers sink in by their weight alone, and boxes at one place come apart.

use stiction::math::{DQuat, DVec3, Pose};
use stiction::shape::Shape;
use stiction::world::{BodyId, Preset, World};
use stiction_testing::cases;

use crate::compliant::support::{PLANTS, add, ground, run, surface, world};
use crate::support::Sequence;

const GRAVITY: f64 = 9.81;

fn cuboid(world: &mut World, sides: DVec3, mass: f64, pose: Pose, law: Option<[f64; 2]>) -> BodyId {
    let shape = Shape::cuboid(sides).unwrap();
    let inertia = shape.mass_properties(1.0).unwrap().with_mass(mass).inertia;
    add(world, shape, mass, inertia, pose, &surface(0.8, 0.8, law))
}

/// Boxes about one vertical line, turned about it: n points of equal stiffness k carry the weight W above them with the depth
/// `W / (n k)`, since the shared face is symmetric about the line.
#[test]
fn random_towers_sink_by_their_weight_and_stand() {
    let mut s = Sequence(31);
    for case in 0..cases(3, 40) {
        let count = 3 + case % 8;
        let boxes: Vec<_> = (0..count)
            .map(|_| {
                let mut within = |low: f64, high: f64| low + 0.5 * (high - low) * (1.0 + s.next());
                (DVec3::new(within(0.2, 0.4), within(0.2, 0.4), within(0.05, 0.3)), within(0.2, 4.0), within(0.0, 3.0))
            })
            .collect();
        for preset in PLANTS {
            let mut world = world(preset, GRAVITY, |p| p.integrator.accuracy = 1e-4);
            // Two equal surfaces in series.
            let stiffness = 5e4;
            let law = Some([2.0 * stiffness, 10.0]);
            ground(&mut world, 0.0, &surface(0.8, 0.8, law));
            let mut top = 0.0;
            let mut bodies = Vec::new();
            for (sides, mass, turn) in &boxes {
                let pose = Pose::new(DVec3::Z * (top + 0.5 * sides.z), DQuat::from_rotation_z(*turn));
                bodies.push(cuboid(&mut world, *sides, *mass, pose, law));
                top += sides.z;
            }
            run(&mut world, 1e-3, 2.0);
            let label = format!("{case} {preset:?}, {count} boxes");
            let mut height = 0.0;
            for (i, (body, (sides, ..))) in bodies.iter().zip(&boxes).enumerate() {
                let weight: f64 = GRAVITY * boxes[i..].iter().map(|(_, mass, _)| mass).sum::<f64>();
                // Contacts between this box and what is below, by their height.
                let points = world.contact_reports().iter().filter(|c| (c.position.z - height).abs() < 0.02).count();
                assert!(points >= 4, "{label}: {points} points under box {i}");
                height += sides.z - weight / (points as f64 * stiffness);
                let body = world.body(*body).unwrap();
                let expected = DVec3::Z * (height - 0.5 * sides.z);
                let off = (body.pose().position - expected).length();
                assert!(off < 2e-5 + 0.02 * (top - height), "{label}: box {i} is off by {off} m");
                let up = body.pose().rotation * DVec3::Z;
                assert!(up.cross(DVec3::Z).length() < 1e-4, "{label}: box {i} leans, {up}");
                assert!(body.velocity().length() < 1e-3 && body.omega().length() < 1e-3, "{label}: box {i} moves");
            }
        }
    }
}

/// Every pair overlaps, up to 190 of them with up to eight points each: the solver comes to an end in a few rounds, and the boxes
/// come apart and lie on the ground or on each other.
#[test]
fn boxes_at_one_place_come_apart() {
    let mut s = Sequence(7);
    for case in 0..cases(2, 20) {
        let count = if case == 0 { 20 } else { 4 + case % 12 };
        let mut world = world(Preset::DrakeDiscrete, GRAVITY, |_| {});
        ground(&mut world, 0.0, &surface(0.8, 0.8, None));
        let spread = if case == 0 { 0.0 } else { 0.02 };
        let side = 0.5;
        let bodies: Vec<_> = (0..count)
            .map(|_| {
                let turn = DQuat::from_rotation_z(spread * s.next());
                let position = (spread * s.vector()).with_z(0.5 * side);
                cuboid(&mut world, DVec3::splat(side), 1.0, Pose::new(position, turn), None)
            })
            .collect();
        let (mut rounds, steps) = (0, 8000);
        for _ in 0..steps {
            let report = world.step(1e-3);
            assert!(report.gave_up == 0 && report.quarantined.is_empty(), "{case}: {report:?}");
            rounds += report.sweeps;
        }
        assert!(rounds < 10 * steps, "{case}: {rounds} rounds in {steps} steps");
        let deepest = world.contact_reports().iter().fold(0.0f64, |deepest, c| deepest.max(c.depth));
        assert!(deepest < 5e-3, "{case}: {deepest} m deep");
        for body in bodies {
            let body = world.body(body).unwrap();
            // One that has ridden up lies or leans on others.
            let (height, speed) = (body.pose().position.z, body.velocity().length());
            assert!(height > 0.5 * side - 5e-3 && speed < 0.05, "{case}: {height} m, {speed} m/s");
        }
    }
}
