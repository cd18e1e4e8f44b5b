//! Trees that nothing touches under sub-steps: energy, momentum, joints that stay together, order of the step, and lanes.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, JointId, Preset, World};

const KINDS: [JointKind; 5] =
    [JointKind::Hinge, JointKind::Slider, JointKind::Ball, JointKind::Universal, JointKind::Fixed];

pub fn world() -> World {
    let mut parameters = parameters();
    Preset::Stiction.apply(&mut parameters);
    parameters.gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    parameters.sleeping = false;
    World::new(parameters)
}

/// A tree of links of random masses and inertias, at a place of the world.
pub struct RandomTree {
    pub links: usize,
    /// Largest ratio of two masses.
    pub ratio: f64,
    pub is_hung: bool,
    pub has_sliders: bool,
    pub has_rotors: bool,
    pub seed: u64,
}

impl RandomTree {
    pub fn add(&self, world: &mut World, place: DVec3) -> (Vec<BodyId>, Vec<JointId>) {
        let mut numbers = Sequence(self.seed);
        let mut vector = || DVec3::new(numbers.next(), numbers.next(), numbers.next());
        let (mut bodies, mut joints): (Vec<(BodyId, DVec3)>, Vec<JointId>) = (Vec::new(), Vec::new());
        for number in 0..self.links {
            let choice = vector();
            // Mostly chains, with branches.
            let back = if choice.x > 0.4 { 1 + ((choice.x - 0.4) / 0.6 * 4.0) as usize } else { 1 };
            let parent = number.checked_sub(back.min(number.max(1)));
            let from = parent.map_or(place, |parent| bodies[parent].1);
            let at = from + 0.4 * vector().normalize();
            let sides = DVec3::splat(0.05) + 0.15 * vector().abs();
            let mass = self.ratio.powf(0.5 * vector().x);
            let moments = mass / 12.0 * (DVec3::splat(sides.length_squared()) - sides * sides);
            let mass = MassProperties { mass, center_of_mass: 0.05 * vector(), inertia: DMat3::from_diagonal(moments) };
            let pose = Pose::new(at, DQuat::from_scaled_axis(2.0 * vector()));
            let id = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
            let kind = KINDS[((0.5 + 0.5 * vector().y) * 5.0).min(4.0) as usize];
            let kind = if kind == JointKind::Slider && !self.has_sliders { JointKind::Hinge } else { kind };
            if number > 0 || self.is_hung {
                let bodies = parent.map(|parent| bodies[parent].0);
                let ends = if vector().z > 0.0 { [Some(id), bodies] } else { [bodies, Some(id)] };
                let mut joint = JointDefinition::new(kind, ends[0], ends[1]).at(0.5 * (from + at));
                for axis in 0..3 {
                    joint = joint.with_axis(axis, vector().normalize());
                    if self.has_rotors && kind != JointKind::Ball && kind != JointKind::Fixed {
                        joint.parameters[axis].armature = 0.01;
                    }
                }
                joints.push(world.add_joint(joint).unwrap());
            }
            bodies.push((id, at));
        }
        (bodies.into_iter().map(|(id, _)| id).collect(), joints)
    }
}

/// Both worlds have the same bits after each step.
pub fn go_on_alike(own: &mut World, other: &mut World, step: f64, steps: usize) {
    for _ in 0..steps {
        own.step(step);
        other.step(step);
        assert_eq!(own.state_hash(), other.state_hash());
    }
}

pub fn widest_gap(world: &World, joints: &[JointId]) -> f64 {
    joints.iter().map(|id| world.joint(*id).unwrap().gap()).fold(0.0, f64::max)
}

/// Energy stays, whatever the step, and joints do not come apart.
#[test]
fn random_trees_keep_their_energy() {
    for (step, bound, gap) in [(1.0 / 60.0, 5e-2, 2e-3), (1.0 / 240.0, 1e-3, 2e-3), (1e-3, 1e-4, 1e-3)] {
        let (mut worst, mut widest) = (0.0f64, 0.0f64);
        for case in 0..stiction_testing::cases(60, 4000) as u64 {
            let mut own = world();
            let tree = RandomTree {
                links: 3 + (7 * case % 38) as usize,
                ratio: [10.0, 100.0, 1000.0][(case % 3) as usize],
                is_hung: case % 2 == 0,
                has_sliders: false,
                has_rotors: false,
                seed: 1000 * case + 3,
            };
            let (_, joints) = tree.add(&mut own, DVec3::ZERO);
            let start = own.energy().total();
            let (mut in_play, mut off) = (0.0f64, 0.0f64);
            for _ in 0..(2.0 / step) as usize {
                own.step(step);
                let energy = own.energy();
                in_play = in_play.max(energy.kinetic);
                off = off.max((energy.total() - start).abs());
                widest = widest.max(widest_gap(&own, &joints));
            }
            worst = worst.max(off / in_play);
        }
        println!("{step:.5}: energy {worst:.1e}, gap {widest:.1e}");
        assert!(worst < bound && widest < gap, "{step}: {worst} {widest}");
    }
}

/// Free trees keep momentum and angular momentum.
#[test]
fn random_free_trees_keep_their_momentum() {
    let mut worst = [0.0f64; 2];
    for case in 0..stiction_testing::cases(40, 2000) as u64 {
        let mut own = world();
        own.parameters.gravity = DVec3::ZERO;
        let links = 2 + (5 * case % 19) as usize;
        let tree = RandomTree {
            links,
            ratio: 100.0,
            is_hung: false,
            has_sliders: true,
            has_rotors: false,
            seed: 77 * case + 9,
        };
        let (bodies, _) = tree.add(&mut own, DVec3::ZERO);
        let mut numbers = Sequence(case + 1);
        for id in &bodies {
            let mut vector = || DVec3::new(numbers.next(), numbers.next(), numbers.next());
            let mut body = own.body_mut(*id).unwrap();
            body.set_velocity(vector()).unwrap();
            body.set_omega(5.0 * vector()).unwrap();
        }
        let angular = |own: &World| {
            let bodies = own.body_ids().filter_map(|id| own.body(id));
            bodies.fold(DVec3::ZERO, |sum, b| {
                sum + b.center_of_mass().cross(b.mass() * b.velocity()) + b.world_inertia() * b.omega()
            })
        };
        own.step(1e-3);
        let (start, first, energy) = (own.momentum().0, angular(&own), own.energy().kinetic);
        let scale = (2.0 * energy * bodies.len() as f64).sqrt();
        for _ in 0..1000 {
            own.step(1e-3);
        }
        worst[0] = worst[0].max((own.momentum().0 - start).length() / scale);
        worst[1] = worst[1].max((angular(&own) - first).length() / scale);
    }
    println!("momentum {worst:?}");
    assert!(worst[0] < 1e-11 && worst[1] < 1e-6, "{worst:?}");
}

/// A double pendulum of two rods of 1 m and 1 kg, both released at an angle below the level.
fn double_pendulum(angle: f64) -> (World, [BodyId; 2]) {
    let mut own = world();
    let inertia = DMat3::from_diagonal(DVec3::new(1e-4, 1.0 / 12.0, 1.0 / 12.0));
    let mass = MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia };
    let mut last = None;
    let turn = DQuat::from_rotation_y(angle);
    let bodies = [0.5, 1.5].map(|x| {
        let pose = Pose::new(turn * (x * DVec3::X), turn);
        let id = own.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
        let at = turn * ((x - 0.5) * DVec3::X);
        own.add_joint(JointDefinition::new(JointKind::Hinge, Some(id), last).at(at).with_axis(0, DVec3::Y)).unwrap();
        last = Some(id);
        id
    });
    (own, bodies)
}

/// Angles below the level and rates of both rods, by the equations of motion in the angles (Runge-Kutta of fourth order).
fn reference(time: f64, angle: f64) -> [f64; 2] {
    let rates = |[a, b, va, vb]: [f64; 4]| {
        // Lagrange's equations of two rods of unit mass and length: ends of the first and the middle of the second move.
        let (c, s) = ((a - b).cos(), (a - b).sin());
        let (m11, m12, m22) = (4.0 / 3.0, 0.5 * c, 1.0 / 3.0);
        let f1 = -0.5 * s * vb * vb + 1.5 * GRAVITY * a.cos();
        let f2 = 0.5 * s * va * va + 0.5 * GRAVITY * b.cos();
        let determinant = m11 * m22 - m12 * m12;
        [va, vb, (m22 * f1 - m12 * f2) / determinant, (m11 * f2 - m12 * f1) / determinant]
    };
    let h = 1e-5;
    let mut y = [angle, angle, 0.0, 0.0];
    let along = |y: [f64; 4], k: [f64; 4], h: f64| -> [f64; 4] { std::array::from_fn(|i| y[i] + h * k[i]) };
    for _ in 0..(time / h).round() as usize {
        let k1 = rates(y);
        let k2 = rates(along(y, k1, 0.5 * h));
        let k3 = rates(along(y, k2, 0.5 * h));
        let k4 = rates(along(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    [y[0], y[1]]
}

/// Angle of a rod below the level, of any number of turns nearest to another.
fn angle(world: &World, id: BodyId, near: f64) -> f64 {
    let along = world.body(id).unwrap().pose().rotation * DVec3::X;
    let found = (-along.z).atan2(along.x);
    found + std::f64::consts::TAU * ((near - found) / std::f64::consts::TAU).round()
}

/// A double pendulum follows the exact solution, with an error that falls with the square of the step.
#[test]
fn a_double_pendulum_follows_the_exact_solution_to_second_order() {
    // A motion that is chaotic, and one that is not.
    for (start, time) in [(0.0, 2.0), (1.0, 5.0)] {
        let exact = reference(time, start);
        let errors = [4e-3, 2e-3, 1e-3, 5e-4].map(|step: f64| {
            let (mut own, bodies) = double_pendulum(start);
            for _ in 0..(time / step).round() as usize {
                own.step(step);
            }
            let off = |k: usize| (angle(&own, bodies[k], exact[k]) - exact[k]).abs();
            off(0).max(off(1))
        });
        println!("from {start}: errors {errors:?}");
        assert!(errors[2] < 1e-4, "{errors:?}");
        for pair in errors.windows(2) {
            assert!((pair[0] / pair[1]).log2() > 1.8, "{errors:?}");
        }
    }
}

/// What a tree does depends on no other one, and on no lane.
#[test]
fn trees_side_by_side_move_as_alone() {
    let trees = |seeds: &[u64]| {
        let mut own = world();
        let bodies: Vec<Vec<BodyId>> = seeds
            .iter()
            .map(|seed| {
                let tree = RandomTree {
                    links: 9,
                    ratio: 30.0,
                    is_hung: *seed % 2 == 0,
                    has_sliders: true,
                    has_rotors: true,
                    seed: *seed,
                };
                tree.add(&mut own, 10.0 * (*seed as f64) * DVec3::X).0
            })
            .collect();
        for _ in 0..300 {
            own.step(4e-3);
        }
        let motion = |id: &BodyId| {
            let body = own.body(*id).unwrap();
            (body.pose(), body.velocity(), body.omega())
        };
        bodies.iter().map(|ids| ids.iter().map(motion).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    // Eleven of one kind, two of another, and one of its own.
    let seeds = [2, 2, 4, 2, 2, 2, 4, 2, 2, 7, 2, 2, 2, 2];
    let together = trees(&seeds);
    for (seed, tree) in seeds.iter().zip(&together) {
        let alone = &trees(&[*seed])[0];
        assert!(tree == alone, "{seed}");
    }
}

/// Rotors take part: the energy of bodies and rotors stays.
#[test]
fn trees_with_rotors_keep_their_energy() {
    let mut worst = 0.0f64;
    for case in 0..stiction_testing::cases(20, 1000) as u64 {
        let mut own = world();
        let links = 2 + (5 * case % 13) as usize;
        let tree =
            RandomTree { links, ratio: 10.0, is_hung: true, has_sliders: true, has_rotors: true, seed: 31 * case + 5 };
        let (_, joints) = tree.add(&mut own, DVec3::ZERO);
        let rotors = |own: &World| -> f64 {
            let of_joint = |id: &JointId| {
                let joint = own.joint(*id).unwrap();
                let laws = joint.definition().parameters;
                (0..3).map(|k| 0.5 * laws[k].armature * joint.rate(k).powi(2)).sum::<f64>()
            };
            joints.iter().map(of_joint).sum()
        };
        let (start, mut in_play, mut off) = (own.energy().total(), 0.0f64, 0.0f64);
        for _ in 0..1000 {
            own.step(1e-3);
            let energy = own.energy();
            in_play = in_play.max(energy.kinetic);
            off = off.max((energy.total() + rotors(&own) - start).abs());
        }
        // All of its joints may be fixed.
        if in_play > 0.0 {
            worst = worst.max(off / in_play);
        }
    }
    assert!(worst < 1e-4, "{worst}");
}

/// What the hinge of a pendulum transmits is its weight and what keeps it on its circle.
#[test]
fn a_pendulum_pulls_on_its_hinge() {
    let mut own = world();
    let inertia = DMat3::from_diagonal(DVec3::new(0.02, 0.02, 0.001));
    let mass = MassProperties { mass: 2.0, center_of_mass: DVec3::ZERO, inertia };
    let start = 1.0f64;
    let turn = DQuat::from_rotation_y(-start);
    let pose = Pose::new(turn * DVec3::new(0.0, 0.0, -0.5), turn);
    let id = own.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
    let mut joint = JointDefinition::new(JointKind::Hinge, Some(id), None).at(DVec3::ZERO).with_axis(0, DVec3::Y);
    joint.feedback = true;
    let joint = own.add_joint(joint).unwrap();
    let (mut worst, about) = (0.0f64, 0.02 + 2.0 * 0.25);
    for _ in 0..1500 {
        own.step(1e-3);
        let transmitted = own.joint(joint).unwrap().feedback().forces[0];
        let body = own.body(id).unwrap();
        let (arm, omega) = (body.pose().position, body.omega());
        // m (α × r + ω × (ω × r)) − m g, with α by the weight; forces of a step are those of its middle.
        let at_end = |arm: DVec3, omega: DVec3| {
            let alpha = arm.cross(2.0 * DVec3::new(0.0, 0.0, -GRAVITY)) / about;
            2.0 * (alpha.cross(arm) + omega.cross(omega.cross(arm)) + DVec3::new(0.0, 0.0, GRAVITY))
        };
        worst = worst.max((transmitted - at_end(arm, omega)).length());
    }
    println!("force off by {worst:.1e} N");
    assert!(worst < 0.15, "{worst}");
}

/// A snapshot in the middle of a fall goes on with the same bits.
#[test]
fn a_snapshot_goes_on_with_the_same_bits() {
    let mut own = world();
    let tree = RandomTree { links: 12, ratio: 300.0, is_hung: true, has_sliders: true, has_rotors: true, seed: 12 };
    tree.add(&mut own, DVec3::ZERO);
    for _ in 0..200 {
        own.step(4e-3);
    }
    let snapshot = own.snapshot();
    let mut other = world();
    tree.add(&mut other, DVec3::ZERO);
    other.restore(&snapshot);
    go_on_alike(&mut own, &mut other, 4e-3, 200);
}

/// Once a motor is switched off its tree moves as one without a motor, whether the run was saved in between or not.
#[test]
fn a_motor_switched_off_leaves_nothing_behind() {
    let (mut own, bodies) = double_pendulum(0.3);
    let joint = own.joint_ids().next().unwrap();
    let torque = |world: &mut World, most: f64| {
        world.joint_parameters_mut(joint, 0).unwrap().motor.max_force = most;
    };
    torque(&mut own, 5.0);
    for _ in 0..50 {
        own.step(2e-3);
    }
    torque(&mut own, 0.0);
    for _ in 0..50 {
        own.step(2e-3);
    }
    let snapshot = own.snapshot();
    let (mut other, _) = double_pendulum(0.3);
    other.restore(&snapshot);
    go_on_alike(&mut own, &mut other, 2e-3, 200);
    assert!(own.body(bodies[0]).unwrap().omega().length() > 0.1, "it swings");
}
