//! Efforts that carry exactly what gravity pulls leave an arm where it is.

use stiction::joints::{JointDefinition, JointKind};
use stiction::math::{DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, JointId, Preset, World, WorldParameters};
use stiction_testing::cases;

use super::support::{FIXED_STEP_ENGINES, GRAVITY, Sequence};

struct Arm {
    world: World,
    links: Vec<BodyId>,
    /// Of each link: the link that it hangs on, its joint, the joint's anchor and axis in its own frame \[m\], hinge or slider.
    joints: Vec<(Option<usize>, JointId, DVec3, DVec3, bool)>,
}

/// A tree of up to eight links on hinges and sliders, in any pose, with masses over a factor of ten.
fn tree(s: &mut Sequence, engine: Preset) -> Arm {
    let mut parameters = WorldParameters { gravity: -GRAVITY * DVec3::Z, ..WorldParameters::default() };
    engine.apply(&mut parameters);
    parameters.sleeping = false;
    // ODE's default makes every joint a stiff spring, which sags.
    parameters.cfm = 0.0;
    let mut world = World::new(parameters);
    let (mut links, mut joints): (Vec<BodyId>, Vec<_>) = (Vec::new(), Vec::new());
    let count = 2 + (3.0 * (1.0 + s.next())) as usize;
    let mut ends: Vec<DVec3> = Vec::new();
    for k in 0..count {
        let parent = if k == 0 || s.next() < -0.9 { None } else { Some(((s.next().abs()) * k as f64) as usize) };
        let anchor = parent.map_or(DVec3::ZERO, |p: usize| ends[p]);
        let way = 0.3 * s.vector();
        let sides = DVec3::new(0.05, 0.1, 0.3) * (1.0 + 0.5 * s.next());
        let mass = MassProperties {
            center_of_mass: 0.05 * s.vector(),
            ..MassProperties::cuboid(1.0, sides).with_mass(10f64.powf(0.5 * s.next()))
        };
        let pose = Pose::new(anchor + 0.5 * way, s.rotation());
        let link = world.add_body(&BodyDefinition { pose, mass, ..BodyDefinition::default() }).unwrap();
        let (axis, is_hinge) = (s.vector().normalize(), s.next() > -0.6);
        let kind = if is_hinge { JointKind::Hinge } else { JointKind::Slider };
        let mut joint = JointDefinition::new(kind, Some(link), parent.map(|p| links[p])).with_axis(0, axis);
        joint.anchor = anchor;
        let joint = world.add_joint(joint).unwrap();
        links.push(link);
        joints.push((parent, joint, pose.inverse_point(anchor), pose.inverse_direction(axis), is_hinge));
        ends.push(anchor + way);
    }
    Arm { world, links, joints }
}

impl Arm {
    /// Anchor and axis of a joint in the world, as its link carries them.
    fn placed(&self, k: usize) -> (DVec3, DVec3) {
        let pose = self.world.body(self.links[k]).unwrap().pose();
        (pose.point(self.joints[k].2), pose.direction(self.joints[k].3))
    }
}

/// The force [N] or torque [N m] that holds each joint against gravity.
fn efforts(arm: &Arm) -> Vec<f64> {
    let hangs_on = |mut link: usize, of: usize| {
        while link != of {
            match arm.joints[link].0 {
                Some(parent) => link = parent,
                None => return false,
            }
        }
        true
    };
    let of = |k: usize| {
        let (anchor, axis) = arm.placed(k);
        let is_hinge = arm.joints[k].4;
        (0..arm.links.len())
            .filter(|link| hangs_on(*link, k))
            .map(|link| {
                let body = arm.world.body(arm.links[link]).unwrap();
                let weight = -GRAVITY * body.mass() * DVec3::Z;
                let lever = body.center_of_mass() - anchor;
                -if is_hinge { axis.dot(lever.cross(weight)) } else { axis.dot(weight) }
            })
            .sum()
    };
    (0..arm.links.len()).map(of).collect()
}

#[test]
fn a_balanced_arm_stays() {
    let duration = if cases(0, 1) == 1 { 20.0 } else { 2.0 };
    let mut faults = Vec::new();
    for case in 0..cases(80, 240) {
        let engine = FIXED_STEP_ENGINES[case % FIXED_STEP_ENGINES.len()];
        let mut s = Sequence(case as u64);
        let mut arm = tree(&mut s, engine);
        let step = 5e-4 * 8f64.powf(0.5 * (1.0 + s.next()));
        for _ in 0..(duration / step) as usize {
            for (k, effort) in efforts(&arm).iter().enumerate() {
                let (anchor, axis) = arm.placed(k);
                let (parent, .., is_hinge) = arm.joints[k];
                for (link, sign) in [(Some(k), 1.0), (parent, -1.0)] {
                    let Some(link) = link else { continue };
                    let mut body = arm.world.body_mut(arm.links[link]).unwrap();
                    if is_hinge {
                        body.add_torque(sign * *effort * axis);
                    } else {
                        body.add_force_at(sign * *effort * axis, anchor);
                    }
                }
            }
            arm.world.step(step);
        }
        let most = arm.joints.iter().map(|j| arm.world.joint(j.1).unwrap().position(0).abs()).fold(0.0, f64::max);
        let bound = match engine {
            // SPOOK's joints give way by their compliance.
            Preset::Agx => 1e-3,
            // Sweeps leave a residual.
            Preset::OdeQuick | Preset::Bullet => 1e-5,
            _ => 1e-9,
        };
        if most >= bound {
            faults.push(format!("{engine:?}, case {case}, {} links, step {step}: {most:e} off", arm.links.len()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
