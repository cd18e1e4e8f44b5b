//! Robots without motors that fall on the ground: trees of many links, some nearly without mass, with stops near by. Their
//! energy never rises, since nothing is elastic; what a start beyond the stops puts in is taken off.

use super::support::*;
use stiction::joints::{JointDefinition, JointKind};
use stiction::material::Surface;
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, BodyId, GeomDefinition, Preset, World, WorldParameters};
use stiction_testing::cases;

/// Share of the energy in play that may come back in a run.
const RISE: f64 = 0.05;
/// The same for the mean of all robots.
const MEAN_RISE: f64 = 0.01;

/// How a robot is made hard.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// Its links touch each other.
    touches_itself: bool,
    /// Its joints start beyond their stops.
    is_beyond_stops: bool,
}

fn world(engine: Preset) -> World {
    let mut parameters = WorldParameters { iterations: 50, cfm: 0.0, sleeping: false, ..parameters() };
    engine.apply(&mut parameters);
    let mut world = World::new(parameters);
    add_ground(&mut world, surface());
    world
}

fn surface() -> Surface {
    Surface { max_correcting_velocity: Some(0.01), ..Surface::default() }
}

/// A link as robots' files have them: the inertia is not that of the shape, and crosses of joints weigh a gram.
fn add_link(world: &mut World, s: &mut Sequence, group: u32, pose: Pose, sides: DVec3, mass: f64) -> BodyId {
    let is_cross = s.next() > 0.6;
    let (mass, sides) = if is_cross { (1e-3, DVec3::splat(0.01)) } else { (mass, sides) };
    let mut own = MassProperties { center_of_mass: 0.1 * sides * s.vector(), ..box_mass(sides, mass) };
    own.inertia *= 10f64.powf(0.3 * s.next());
    let link = world.add_body(&BodyDefinition { pose, mass: own, ..BodyDefinition::default() }).unwrap();
    if !is_cross {
        let shape = if s.next() > 0.0 { Shape::cuboid(sides).unwrap() } else { Shape::sphere(0.5 * sides.x).unwrap() };
        world
            .add_geom(&GeomDefinition { surface: surface(), group, ..GeomDefinition::new(shape, Some(link)) })
            .unwrap();
    }
    link
}

/// A trunk of 5 to 20 kg with four limbs of four to eight links, each lighter than the one before.
fn add_robot(world: &mut World, s: &mut Sequence, kind: Kind) {
    let group = if kind.touches_itself { 0 } else { 1 };
    let turn = s.rotation();
    let middle = DVec3::new(0.0, 0.0, 0.9 + 0.2 * s.next());
    let mass = 10f64.powf(1.0 + 0.3 * s.next());
    let sides = DVec3::new(0.2, 0.3, 0.5);
    let place = |position: DVec3| Pose::new(middle + turn * position, turn);
    let trunk = add_link(world, s, group, place(DVec3::ZERO), sides, mass);
    for limb in 0..4 {
        let side = if limb % 2 == 0 { 0.12 } else { -0.12 };
        let top = DVec3::new(0.0, side, if limb < 2 { -0.25 } else { 0.25 });
        let way = DVec3::new(0.3 * s.next(), side.signum() * if limb < 2 { 0.1 } else { 1.0 }, -1.0).normalize();
        let (mut parent, mut anchor, mut mass) = (trunk, top, 0.2 * mass);
        for _ in 0..6 + (2.0 * s.next()) as usize {
            let length = 0.1 + 0.04 * s.next();
            let pose = place(anchor + 0.5 * length * way);
            let link = add_link(world, s, group, pose, DVec3::new(0.05, 0.05, length), mass);
            let axis = turn * [DVec3::X, DVec3::Y, DVec3::Z][(1.5 + 1.49 * s.next()) as usize];
            let mut joint = JointDefinition::new(JointKind::Hinge, Some(link), Some(parent)).with_axis(0, axis);
            joint.anchor = place(anchor).position;
            joint.parameters[0].lower = -0.6 - 0.55 * s.next();
            joint.parameters[0].upper = 0.6 + 0.55 * s.next();
            if kind.is_beyond_stops && s.next() > 0.5 {
                joint.present_positions[0] = joint.parameters[0].upper + 0.1;
            }
            world.add_joint(joint).unwrap();
            (parent, anchor, mass) = (link, anchor + length * way, 0.6 * mass);
        }
    }
}

/// Kinetic and potential energy of all bodies \[J\].
fn energy(world: &World) -> f64 {
    let of = |id: BodyId| {
        let body = world.body(id).unwrap();
        let (v, omega, turn) = (body.velocity(), body.omega(), DMat3::from_quat(body.pose().rotation));
        let inertia = turn * body.mass_properties().inertia * turn.transpose();
        0.5 * (body.mass() * v.length_squared() + omega.dot(inertia * omega))
            + body.mass() * GRAVITY * body.center_of_mass().z
    };
    world.body_ids().map(of).sum()
}

/// The largest rise of the energy above the least so far, over the energy in play: what was lost at most.
fn rise(mut world: World) -> f64 {
    let start = energy(&world);
    let (mut least, mut placed, mut largest) = (start, 0.0, 0.0f64);
    for _ in 0..1000 {
        placed += world.step(1e-3).energy.placed;
        let now = energy(&world) - placed;
        assert!(now.is_finite());
        least = least.min(now);
        largest = largest.max(now - least);
    }
    largest / (start - least)
}

#[test]
fn robots_that_fall_make_no_energy() {
    let mut faults = Vec::new();
    for engine in [Preset::Ode, Preset::OdeQuick, Preset::OdeWorld, Preset::Bullet] {
        let mut sum = 0.0;
        let count = cases(4, 100);
        for number in 0..count {
            let kind = Kind { touches_itself: number % 2 == 1, is_beyond_stops: number % 4 > 1 };
            let mut s = Sequence(0x5eed + number as u64);
            let mut world = world(engine);
            add_robot(&mut world, &mut s, kind);
            let rise = rise(world);
            sum += rise;
            if rise.is_nan() || rise > RISE {
                faults.push(format!("{engine:?}, robot {number}, {kind:?}: {rise:.4}"));
            }
        }
        let mean = sum / count as f64;
        if mean.is_nan() || mean > MEAN_RISE {
            faults.push(format!("{engine:?}: {mean:.4} on average"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
