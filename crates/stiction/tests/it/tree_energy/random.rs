//! Random trees of all joints at random rates and steps: energy and momentum, from the bodies alone.
//! `CASES=20000 cargo test --release --test it tree_energy::random` runs more of them.

use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{SolverKind, WorldParameters};

use super::scenes::{Scene, reduced};

/// Vigna's splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (0.5 * f64::EPSILON)
    }

    fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    fn rotation(&mut self) -> DQuat {
        let q = DQuat::from_xyzw(self.signed(), self.signed(), self.signed(), self.signed() + 1e-3);
        q.normalize()
    }
}

/// What rows and laws a tree has beside its joints.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Extra {
    None,
    /// Springs, dampers and rotors.
    Laws,
    /// Motors that hold some joints, motors of bounded force, dry friction, stops.
    Rows,
}

const KINDS: [JointKind; 10] = [
    JointKind::Hinge,
    JointKind::Slider,
    JointKind::Ball,
    JointKind::Universal,
    JointKind::Screw { pitch: 0.3 },
    JointKind::Fixed,
    JointKind::Planar,
    JointKind::Piston,
    JointKind::PrismaticRotoide,
    JointKind::PrismaticUniversal,
];

/// Masses over six decades, inertias that a body of the size of its lever has, rates up to hundreds of rad/s.
fn tree(random: &mut Random, parameters: WorldParameters, is_fixed: bool, extra: Extra) -> Scene {
    let mut scene = Scene::new(parameters);
    let count = 1 + random.below(12) + usize::from(!is_fixed);
    let rate = 10f64.powf(-1.0 + 3.5 * random.unit());
    for i in 0..count {
        let mass = 10f64.powf(6.0 * random.unit() - 3.0);
        let size = 0.05 + 0.2 * random.unit();
        let moments = DVec3::new(0.5 + 0.4 * random.unit(), 0.5 + 0.4 * random.unit(), 0.5 + 0.4 * random.unit());
        let axes = DMat3::from_quat(random.rotation());
        let inertia = axes * DMat3::from_diagonal(mass * size * size * moments) * axes.transpose();
        let mass = MassProperties { mass, center_of_mass: 0.1 * random.vector(), inertia };
        let body = scene.body(mass, Pose::new(0.5 * random.vector(), random.rotation()));
        let omega = rate * random.vector();
        scene.world.body_mut(body).unwrap().set_omega(omega).unwrap();
        if i == 0 && !is_fixed {
            continue;
        }
        let parent = i.checked_sub(1).map(|_| scene.bodies[random.below(i)]);
        let kind = KINDS[random.below(10)];
        let axis = random.vector().normalize();
        let mut definition = JointDefinition::new(kind, Some(body), parent)
            .at(0.5 * random.vector())
            .with_axis(0, axis)
            .with_axis(1, axis.any_orthonormal_vector());
        let choice = random.below(5);
        for (number, law) in definition.parameters.iter_mut().enumerate() {
            match extra {
                Extra::Laws => {
                    law.stiffness = 100.0 * random.unit();
                    law.damping = random.unit();
                    law.armature = 0.1 * random.unit();
                }
                Extra::Rows => match choice {
                    0 => law.motor.max_force = f64::INFINITY,
                    1 => law.motor.max_force = random.unit(),
                    2 => law.friction = random.unit(),
                    3 => (law.lower, law.upper) = (-0.2, 0.3),
                    _ => {}
                },
                Extra::None if number == 0 && choice == 0 => law.armature = 0.1 * random.unit(),
                Extra::None => {}
            }
        }
        let armatures = definition.parameters.map(|law| law.armature);
        let id = scene.joint(definition);
        let motions = scene.world.joint(id).unwrap().motion_count();
        scene.rotors.extend((0..motions).map(|axis| (id, axis, armatures[axis])));
    }
    scene
}

fn cases() -> u64 {
    std::env::var("CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(300)
}

#[test]
fn without_forces_energy_and_momentum_stay() {
    let mut random = Random(7);
    let mut worst = [0.0f64; 3];
    for case in 0..cases() {
        let is_fixed = case % 2 == 0;
        let step = 10f64.powf(-4.0 + 2.22 * random.unit());
        let parameters = WorldParameters { gravity: DVec3::ZERO, ..reduced() };
        let mut scene = tree(&mut random, parameters, is_fixed, Extra::None);
        scene.world.step(step);
        let start = scene.sums();
        for _ in 0..100 {
            scene.world.step(step);
            assert!(scene.world.report().quarantined.is_empty(), "case {case}");
            let now = scene.sums();
            let gain = now.kinetic / start.kinetic - 1.0;
            worst[0] = worst[0].max(gain);
            assert!(start.kinetic == 0.0 || gain < 1e-5, "case {case}, {step:e}: {gain:e}");
            // Rotors carry no momentum in the model: a tree with them has none to keep.
            // Nor has one whose steps even sixteen parts do not resolve: then energy goes first.
            if scene.world.report().tree_parts >= 16 {
                break;
            }
            if !is_fixed && scene.rotors.iter().all(|(_, _, inertia)| *inertia == 0.0) {
                let scale = (2.0 * start.kinetic * scene.mass()).sqrt();
                let linear = (now.linear - start.linear).length() / scale;
                let angular = (now.angular - start.angular).length() / scale;
                worst[1] = worst[1].max(linear);
                worst[2] = worst[2].max(angular);
                assert!(linear < 1e-7 && angular < 1e-6, "case {case}, {step:e}: {linear:e} {angular:e}");
            }
        }
    }
    println!(
        "largest gain {:.1e}, change of momentum {:.1e}, of angular momentum {:.1e}",
        worst[0], worst[1], worst[2]
    );
}

#[test]
fn rows_and_laws_take_energy_and_give_none() {
    for extra in [Extra::Rows, Extra::Laws] {
        let mut random = Random(11);
        let mut worst = 0.0f64;
        for case in 0..cases() {
            let step = 10f64.powf(-4.0 + 2.22 * random.unit());
            let solver = [SolverKind::Direct, SolverKind::Iterative][case as usize % 2];
            let parameters = WorldParameters { gravity: DVec3::ZERO, solver, ..reduced() };
            let mut scene = tree(&mut random, parameters, case % 2 == 0, extra);
            scene.world.step(step);
            // What springs took in the first step comes back.
            let start = scene.sums().kinetic + scene.world.energy().springs + 1e-3;
            let mut last = start;
            for number in 0..100 {
                scene.world.step(step);
                assert!(scene.world.report().quarantined.is_empty(), "{extra:?} case {case}");
                // Whole turns are followed by the nearest angle: of an axis that makes half of one in a step the spring is any.
                let rate = |(id, axis, _): &(_, usize, f64)| scene.world.joint(*id).unwrap().rate(*axis).abs();
                if extra == Extra::Laws && scene.rotors.iter().map(rate).fold(0.0, f64::max) * step > 2.0 {
                    break;
                }
                let now = scene.sums().kinetic;
                worst = worst.max(now / start - 1.0);
                // Springs give back what they took; stops push out of what a step has gone in.
                assert!(
                    now < 1.001 * start,
                    "{extra:?} case {case} step {number} of {step:e}: {now:e} {last:e} {start:e}"
                );
                last = now;
            }
        }
        println!("{extra:?}: largest gain {worst:.1e}");
    }
}
