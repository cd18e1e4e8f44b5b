//! Screws, planar joints and joints that slide and turn in trees, under sub-steps: energy and momentum of trees that nothing touches, and falls onto a floor.

use super::flow::{go_on_alike, widest_gap, world};
use super::flow_laws::random_law;
use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, JointId, World};

pub const KINDS: [JointKind; 10] = [
    JointKind::Hinge,
    JointKind::Slider,
    JointKind::Ball,
    JointKind::Universal,
    JointKind::Fixed,
    JointKind::Screw { pitch: 0.3 },
    JointKind::Planar,
    JointKind::Piston,
    JointKind::PrismaticRotoide,
    JointKind::PrismaticUniversal,
];

/// Each of the kinds that slide and turn alone, and all kinds mixed.
pub fn mixtures() -> Vec<Vec<JointKind>> {
    KINDS[5..].iter().map(|kind| vec![*kind]).chain([KINDS.to_vec()]).collect()
}

fn name(kinds: &[JointKind]) -> String {
    if kinds.len() > 1 { "mixed".to_owned() } else { format!("{:?}", kinds[0]) }
}

/// A tree of links of random masses and inertias.
pub struct MixedTree<'a> {
    pub kinds: &'a [JointKind],
    pub links: usize,
    /// Largest ratio of two masses.
    pub ratio: f64,
    pub is_hung: bool,
    /// Velocities at the start.
    pub speed: f64,
    /// Links are boxes and balls that touch others.
    pub is_solid: bool,
    pub seed: u64,
}

impl MixedTree<'_> {
    pub fn add(&self, world: &mut World, place: DVec3) -> (Vec<BodyId>, Vec<JointId>) {
        let mut numbers = Sequence(self.seed);
        let (mut bodies, mut joints): (Vec<(BodyId, DVec3)>, Vec<JointId>) = (Vec::new(), Vec::new());
        for number in 0..self.links {
            let choice = numbers.vector();
            let back = if choice.x > 0.4 { 1 + ((choice.x - 0.4) / 0.6 * 4.0) as usize } else { 1 };
            let parent = number.checked_sub(back.min(number.max(1)));
            let from = parent.map_or(place, |parent| bodies[parent].1);
            let at = from + 0.4 * numbers.vector().normalize();
            let sides = DVec3::splat(0.05) + 0.15 * numbers.vector().abs();
            let mass = self.ratio.powf(0.5 * numbers.next());
            let moments = mass / 12.0 * (DVec3::splat(sides.length_squared()) - sides * sides);
            let own = MassProperties {
                mass,
                center_of_mass: if self.is_solid { DVec3::ZERO } else { 0.05 * numbers.vector() },
                inertia: DMat3::from_diagonal(moments),
            };
            let pose = Pose::new(at, DQuat::from_scaled_axis(2.0 * numbers.vector()));
            let id = world.add_body(&BodyDefinition { pose, mass: own, ..BodyDefinition::default() }).unwrap();
            if self.is_solid {
                let shape = Shape::cuboid(sides).unwrap();
                let shape = if numbers.next() > 0.0 { shape } else { Shape::sphere(0.5 * sides.x).unwrap() };
                // Links of one tree pass each other.
                let surface = Surface { friction: [0.5; 2], ..Surface::default() };
                let geom = GeomDefinition { group: 1, surface, ..GeomDefinition::new(shape, Some(id)) };
                world.add_geom(&geom).unwrap();
            }
            if number > 0 || self.is_hung {
                joints.push(self.join(
                    world,
                    [id, parent.map_or(id, |parent| bodies[parent].0)],
                    0.5 * (from + at),
                    &mut numbers,
                ));
            }
            let mut body = world.body_mut(id).unwrap();
            body.set_velocity(self.speed * numbers.vector()).unwrap();
            body.set_omega(3.0 * self.speed * numbers.vector()).unwrap();
            bodies.push((id, at));
        }
        (bodies.into_iter().map(|(id, _)| id).collect(), joints)
    }

    /// A joint between a link and what carries it, which is the world where that is the link itself.
    fn join(&self, world: &mut World, [id, parent]: [BodyId; 2], at: DVec3, numbers: &mut Sequence) -> JointId {
        let choice = 0.5 + 0.5 * numbers.next();
        let kind = self.kinds[((choice * self.kinds.len() as f64) as usize).min(self.kinds.len() - 1)];
        let kind = match kind {
            // Much finer ones come to thousands of radians a second as they fall.
            JointKind::Screw { .. } => {
                let pitch = numbers.next();
                JointKind::Screw { pitch: pitch.signum() * (0.1 + 0.4 * pitch.abs()) }
            }
            other => other,
        };
        let other = (parent != id).then_some(parent);
        // A planar joint carries its first body only.
        let is_turned = numbers.next() < 0.0 && kind != JointKind::Planar;
        let ends = if is_turned { [other, Some(id)] } else { [Some(id), other] };
        let mut joint = JointDefinition::new(kind, ends[0], ends[1]).at(at);
        for axis in 0..3 {
            joint = joint.with_axis(axis, numbers.vector().normalize());
        }
        // Axes of universal joints that are nearly parallel turn any number of times as fast as the bodies.
        while joint.axes[0].dot(joint.axes[1]).abs() > 0.9 {
            joint = joint.with_axis(1, numbers.vector().normalize());
        }
        world.add_joint(joint).unwrap()
    }
}

/// Largest angular speed of a body.
fn fastest(world: &World) -> f64 {
    world.body_ids().map(|id| world.body(id).unwrap().omega().length()).fold(0.0, f64::max)
}

/// Momentum, and angular momentum about the origin.
fn momentum(world: &World) -> [DVec3; 2] {
    let bodies = world.body_ids().filter_map(|id| world.body(id));
    bodies.fold([DVec3::ZERO; 2], |[linear, angular], b| {
        let p = b.mass() * b.velocity();
        [linear + p, angular + b.center_of_mass().cross(p) + b.world_inertia() * b.omega()]
    })
}

/// Trees that move freely, hung and floating, keep their energy, and floating ones their momentum.
#[test]
fn trees_of_all_kinds_keep_energy_and_momentum() {
    let mut failures = Vec::new();
    for kinds in mixtures() {
        for (step, bound) in [(1.0 / 60.0, 2e-2), (1.0 / 240.0, 1e-6), (1e-3, 1e-8)] {
            let (mut worst, mut widest, mut off) = ((0.0f64, 0), 0.0f64, [0.0f64; 2]);
            let (mut gained, mut beyond, cases) = (0.0f64, 0, stiction_testing::cases(20, 400) as u64);
            for case in 0..cases {
                let is_hung = case % 2 == 0;
                let tree = MixedTree {
                    kinds: &kinds,
                    links: 2 + (7 * case % 19) as usize,
                    ratio: [10.0, 100.0, 1000.0][(case % 3) as usize],
                    is_hung,
                    speed: 1.0,
                    is_solid: false,
                    seed: 1000 * case + 3,
                };
                let mut own = world();
                own.parameters.gravity = DVec3::ZERO;
                let (_, joints) = tree.add(&mut own, DVec3::ZERO);
                // What joints do not allow goes in the first step.
                own.step(step);
                let (start, [p, l]) = (own.energy().total(), momentum(&own));
                let mut gone = 0.0f64;
                for _ in 0..(1.5 / step) as usize {
                    own.step(step);
                    let made = own.energy().total() / start - 1.0;
                    (gone, gained) = (gone.max(made.abs()), gained.max(made));
                    widest = widest.max(widest_gap(&own, &joints));
                }
                beyond += u64::from(gone > bound);
                if gone > worst.0 {
                    worst = (gone, case);
                }
                if !is_hung {
                    let [q, m] = momentum(&own);
                    let mass: f64 = own.body_ids().map(|id| own.body(id).unwrap().mass()).sum();
                    let scale = (2.0 * start * mass).sqrt();
                    off = [off[0].max((q - p).length() / scale), off[1].max((m - l).length() / scale)];
                }
            }
            let [p, l] = off;
            println!(
                "{} {step:.5}: energy {:.1e} ({}), {beyond} of {cases} beyond, gained {gained:.1e}, gap {widest:.1e}, momentum {p:.1e} {l:.1e}",
                name(&kinds),
                worst.0,
                worst.1
            );
            // One of a hundred may be off by more, and lose that, where axes turn by radians in a step.
            if gained > bound.max(1e-6) || beyond > cases / 100 || off[0] > 1e-12 || off[1] > 1e-10 {
                failures.push(format!("{} {step:.5}: {worst:?} {off:?}", name(&kinds)));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Trees that hang and fall under gravity keep their energy.
#[test]
fn hanging_trees_of_all_kinds_keep_their_energy() {
    let mut failures = Vec::new();
    for kinds in mixtures() {
        for (step, bound) in [(1.0 / 60.0, 2e-2), (1.0 / 240.0, 1e-5), (1e-3, 1e-5)] {
            let (mut worst, mut widest, mut gained, mut beyond) = ((0.0f64, 0), 0.0f64, 0.0f64, 0);
            let cases = stiction_testing::cases(20, 400) as u64;
            for case in 0..cases {
                let tree = MixedTree {
                    kinds: &kinds,
                    links: 2 + (7 * case % 19) as usize,
                    ratio: [10.0, 100.0, 1000.0][(case % 3) as usize],
                    is_hung: true,
                    speed: 0.0,
                    is_solid: false,
                    seed: 1000 * case + 3,
                };
                let mut own = world();
                let (_, joints) = tree.add(&mut own, DVec3::ZERO);
                let start = own.energy().total();
                let (mut in_play, mut gone, mut made) = (0.0f64, 0.0f64, 0.0f64);
                for _ in 0..(2.0 / step) as usize {
                    // A light nut under a heavy tree comes to more than parts of a step resolve.
                    if fastest(&own) * step > 8.0 {
                        break;
                    }
                    own.step(step);
                    let energy = own.energy();
                    in_play = in_play.max(energy.kinetic);
                    gone = gone.max((energy.total() - start).abs());
                    made = made.max(energy.total() - start);
                    widest = widest.max(widest_gap(&own, &joints));
                }
                gained = gained.max(made / in_play);
                beyond += u64::from(gone / in_play > bound);
                if gone / in_play > worst.0 {
                    worst = (gone / in_play, case);
                }
            }
            println!(
                "{} {step:.5}: energy {:.1e} ({}), {beyond} of {cases} beyond, gained {gained:.1e}, gap {widest:.1e}",
                name(&kinds),
                worst.0,
                worst.1
            );
            // At 1/60 s one of a hundred may lose more, where axes turn by radians in a step; none gains it.
            if gained > bound || beyond > if step > 0.01 { cases / 100 } else { 0 } {
                failures.push(format!("{} {step:.5}: {worst:?}", name(&kinds)));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// What falls on a floor have made of the energy of their fall, and by how much it has risen above its least: largest share and case; cases beyond a bound; the
/// widest gap \[m\].
pub struct Falls {
    pub made: (f64, u64),
    pub rises: (f64, u64),
    pub beyond: usize,
    pub gap: f64,
}

/// Trees of some kinds of joints that fall on a floor for two seconds.
pub fn falls(make: impl Fn() -> World, kinds: &[JointKind], step: f64, bound: f64) -> Falls {
    let mut falls = Falls { made: (0.0, 0), rises: (0.0, 0), beyond: 0, gap: 0.0 };
    for case in 0..stiction_testing::cases(20, 400) as u64 {
        let tree = MixedTree {
            kinds,
            links: 2 + (case % 4) as usize,
            ratio: [3.0, 10.0, 30.0][(case % 3) as usize],
            is_hung: false,
            speed: 0.0,
            is_solid: true,
            seed: 500 * case + 7,
        };
        let mut own = make();
        add_ground(&mut own, Surface { friction: [0.5; 2], ..Surface::default() });
        let (_, joints) = tree.add(&mut own, DVec3::new(0.0, 0.0, 1.5));
        let start = own.energy().total();
        let (mut most, mut least, mut rise) = (0.0f64, start, 0.0f64);
        for _ in 0..(2.0 / step) as usize {
            own.step(step);
            let now = own.energy().total();
            most = most.max(now - start);
            least = least.min(now);
            rise = rise.max(now - least);
            falls.gap = falls.gap.max(widest_gap(&own, &joints));
        }
        let [made, rise] = [most, rise].map(|energy| energy / (start - least));
        falls.beyond += usize::from(made > bound);
        for (worst, own) in [(&mut falls.made, made), (&mut falls.rises, rise)] {
            if own > worst.0 {
                *worst = (own, case);
            }
        }
    }
    falls
}

/// Mechanisms that fall on a floor have no more energy than at the start.
#[test]
fn falls_of_all_kinds_make_no_energy() {
    let mut failures = Vec::new();
    for kinds in mixtures() {
        for (step, bound) in [(1.0 / 60.0, 1e-2), (1.0 / 240.0, 1e-3), (1e-3, 1e-3)] {
            let Falls { made, rises, beyond, gap } = falls(world, &kinds, step, bound);
            let at = format!("{} {step:.5}", name(&kinds));
            println!(
                "{at}: made {:.1e} ({}), {beyond} beyond, rises {:.1e} ({}), gap {gap:.1e}",
                made.0, made.1, rises.0, rises.1
            );
            if beyond > 0 {
                failures.push(format!("{at}: {made:?}, {beyond}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A mixed tree with laws on all motions.
pub fn tree_with_laws(own: &mut World, case: u64, is_passive: bool) -> Vec<JointId> {
    let tree = MixedTree {
        kinds: &KINDS,
        links: 2 + (7 * case % 18) as usize,
        ratio: [10.0, 100.0, 1000.0][(case % 3) as usize],
        is_hung: !case.is_multiple_of(4),
        speed: 0.0,
        is_solid: false,
        seed: 1000 * case + 11,
    };
    let (_, joints) = tree.add(own, DVec3::ZERO);
    let mut numbers = Sequence(case + 5);
    for id in &joints {
        let joint = own.joint(*id).unwrap();
        let motions = if joint.definition().kind == JointKind::Ball { 0 } else { joint.motion_count() };
        for axis in 0..motions {
            let mut law = random_law(&mut numbers, is_passive);
            // The energy of rotors is in no balance.
            law.armature = if is_passive { 0.0 } else { 0.01 };
            *own.joint_parameters_mut(*id, axis).unwrap() = law;
        }
    }
    joints
}

/// Laws of all motions settle together, and what has no motor makes no energy.
#[test]
fn random_laws_of_all_motions_settle_and_make_no_energy() {
    let mut failures = Vec::new();
    for is_passive in [true, false] {
        for step in [1.0 / 240.0, 1e-3] {
            let cases = stiction_testing::cases(60, 10_000) as u64;
            let (mut worst, mut beyond, mut unsettled, mut many) = ((0.0f64, 0), 0.0f64, 0, 0);
            for case in 0..cases {
                let mut own = world();
                let joints = tree_with_laws(&mut own, case, is_passive);
                own.parameters.audit = true;
                let start = own.energy().total();
                let (mut in_play, mut most, mut made) = (1e-9f64, 0.0f64, 0.0f64);
                for _ in 0..(1.0 / step) as usize {
                    own.step(step);
                    unsettled += own.report().unsettled_laws;
                    assert!(own.report().quarantined.is_empty(), "{case}");
                    let energy = own.energy();
                    in_play = in_play.max(energy.kinetic);
                    made += own.report().energy.made();
                    most = most.max(energy.total() - start).max(made);
                    for id in &joints {
                        let joint = own.joint(*id).unwrap();
                        for (k, law) in joint.definition().parameters.iter().enumerate() {
                            beyond = beyond.max((joint.position(k) - law.upper).max(law.lower - joint.position(k)));
                        }
                    }
                }
                many += usize::from(most / in_play > 1e-3);
                if most / in_play > worst.0 {
                    worst = (most / in_play, case);
                }
            }
            println!(
                "passive {is_passive} {step:.5}: gained {worst:?}, {many} of {cases} more than 1e-3, beyond {beyond:.1e}, unsettled {unsettled}"
            );
            // One of a hundred trees may have a step whose laws do not settle.
            let is_kept = !is_passive || worst.0 < 4e-2 && many <= 1 + cases as usize / 100;
            if !is_kept || u64::from(unsettled) > cases / 100 {
                failures.push(format!("{is_passive} {step}: {worst:?} {many} {unsettled}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Trees with laws and rotors side by side move as each of them alone, and a snapshot goes on with the same bits.
#[test]
fn trees_of_all_kinds_move_as_alone_and_a_snapshot_goes_on() {
    for case in 0..stiction_testing::cases(10, 300) as u64 {
        let build = |count: usize| {
            let mut own = world();
            for _ in 0..count {
                tree_with_laws(&mut own, case, false);
            }
            own
        };
        let (mut alone, mut many) = (build(1), build(11));
        for _ in 0..150 {
            alone.step(3e-3);
            many.step(3e-3);
        }
        let of = |own: &World| {
            let motion = |id| {
                let body = own.body(id).unwrap();
                (body.pose(), body.velocity(), body.omega())
            };
            own.body_ids().map(motion).collect::<Vec<_>>()
        };
        let (one, all) = (of(&alone), of(&many));
        for (number, motion) in all.iter().enumerate() {
            assert_eq!(*motion, one[number % one.len()], "{case}: body {number}");
        }
        let positions = |own: &World, id: JointId| [0, 1, 2].map(|k| own.joint(id).unwrap().position(k));
        let joints: Vec<JointId> = alone.joint_ids().collect();
        for (number, id) in many.joint_ids().enumerate() {
            assert_eq!(
                positions(&many, id),
                positions(&alone, joints[number % joints.len()]),
                "{case}: joint {number}"
            );
        }
        let snapshot = many.snapshot();
        let mut other = build(11);
        other.restore(&snapshot);
        go_on_alike(&mut many, &mut other, 3e-3, 50);
    }
}

/// Joints are closed to a micrometre where a mechanism comes to rest.
#[test]
fn joints_are_closed_at_rest() {
    for kinds in mixtures() {
        for case in 0..stiction_testing::cases(10, 500) as u64 {
            let tree = MixedTree {
                kinds: &kinds,
                links: 4 + (case % 9) as usize,
                ratio: 30.0,
                is_hung: true,
                speed: 0.0,
                is_solid: false,
                seed: 300 * case + 1,
            };
            let mut own = world();
            let (_, joints) = tree.add(&mut own, DVec3::ZERO);
            for id in &joints {
                for axis in 0..own.joint(*id).unwrap().motion_count().min(3) {
                    let law = own.joint_parameters_mut(*id, axis).unwrap();
                    (law.stiffness, law.damping) = (3e3, 3e2);
                }
            }
            for _ in 0..1200 {
                own.step(1.0 / 240.0);
            }
            // Those that have ball joints swing on.
            let gap = widest_gap(&own, &joints);
            assert!(gap < 1e-6 || fastest(&own) > 0.1, "{} {case}: {gap:e}", name(&kinds));
        }
    }
}
