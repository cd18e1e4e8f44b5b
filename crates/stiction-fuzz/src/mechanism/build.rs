//! The mechanism of a seed: a tree of bodies, loops, gears, wheels, followers.

use stiction::joints::{AxisParameters, JointDefinition, JointKind, Wheels};
use stiction::math::{DMat3, DVec3, Pose};
use stiction::shape::MassProperties;
use stiction::world::{BodyDefinition, BodyId, JointId, Mimic, World};

use super::Mechanism;
use super::joints::{beside, driven, kind, law};
use crate::random::Draw;
use crate::setting::Setting;

/// A mechanism in the making.
struct Builder<'a> {
    draw: &'a mut Draw,
    world: World,
    /// Bodies, and where each was made.
    bodies: Vec<(BodyId, DVec3)>,
    joints: Vec<JointId>,
    /// Kinds of joints in words; `!` follows one that was refused.
    words: Vec<String>,
    /// Ratio of masses of two bodies, at most, is the square of this.
    spread: f64,
    /// Ratio by which inertia is smaller than that of a rod of the body's length, at most.
    slender: f64,
    /// Something acts between a body and the world.
    is_held: bool,
    /// Motors work.
    is_driven: bool,
    /// Axes have laws.
    has_laws: bool,
    is_planar: bool,
}

impl Builder<'_> {
    /// A body at a point, as large as the given distance.
    fn body(&mut self, at: DVec3, size: f64) -> Option<usize> {
        let draw = &mut *self.draw;
        let mass = draw.log(1.0 / self.spread, self.spread);
        let moment = mass * size * size / 12.0 / draw.log(1.0, self.slender);
        let thin = draw.uniform(0.01, 1.0);
        let inertia = DMat3::from_diagonal(DVec3::new(moment, moment, moment * thin));
        let definition = BodyDefinition {
            pose: Pose::new(at, draw.rotation()),
            mass: MassProperties { mass, center_of_mass: DVec3::ZERO, inertia },
            ..BodyDefinition::default()
        };
        let body = self.world.add_body(&definition).ok()?;
        self.bodies.push((body, at));
        Some(self.bodies.len() - 1)
    }

    fn axis(&mut self) -> AxisParameters {
        if self.is_driven && self.draw.chance(0.3) {
            driven(self.draw)
        } else if self.has_laws {
            law(self.draw)
        } else {
            AxisParameters::default()
        }
    }

    fn join(&mut self, joint: JointDefinition) -> Option<JointId> {
        let name = format!("{:?}", joint.kind);
        let is_held = joint.bodies.contains(&None)
            || matches!(joint.kind, JointKind::Gearbox { .. } if joint.reference.is_none());
        let made = self.world.add_joint(joint);
        self.words.push(if made.is_ok() { name } else { name + "!" });
        let id = made.ok()?;
        self.is_held |= is_held;
        self.joints.push(id);
        Some(id)
    }

    /// A tree of so many bodies.
    fn tree(&mut self, count: usize, is_held: bool) {
        for number in 0..count {
            let parent = match number {
                0 => None,
                _ if self.draw.chance(0.7) => Some(number - 1),
                _ => Some(self.draw.index(0, number)),
            };
            let from = parent.map_or(DVec3::ZERO, |p| self.bodies[p].1);
            let mut along = self.draw.direction() * self.draw.uniform(0.1, 1.0);
            if self.is_planar {
                along.y = 0.0;
            }
            let at = from + along;
            let Some(own) = self.body(at, along.length().max(0.1)) else { continue };
            if number == 0 && !is_held {
                continue;
            }
            let bodies = [Some(self.bodies[own].0), parent.map(|p| self.bodies[p].0)];
            let anchor = 0.5 * (from + at);
            let draw = &mut *self.draw;
            let mut joint = if self.is_planar {
                JointDefinition::new(JointKind::Hinge, bodies[0], bodies[1]).at(anchor).with_axis(0, DVec3::Y)
            } else {
                JointDefinition::new(kind(draw, parent.is_none()), bodies[0], bodies[1])
                    .at(anchor)
                    .with_axis(0, draw.direction())
                    .with_axis(1, draw.direction())
                    .with_axis(2, draw.direction())
            };
            if matches!(joint.kind, JointKind::DoubleBall { .. } | JointKind::DoubleHinge { .. }) {
                joint.second_anchor = Some(anchor + 0.3 * draw.direction());
            }
            if joint.kind == JointKind::Hinge2 && draw.chance(0.3) {
                (joint.suspension_erp, joint.suspension_cfm) =
                    (Some(draw.uniform(0.1, 0.9)), Some(draw.log(1e-6, 1e-2)));
            }
            joint.parameters = std::array::from_fn(|_| self.axis());
            self.join(joint);
        }
    }

    /// A joint between two bodies that the tree joins already, or to the world.
    fn close(&mut self) {
        let draw = &mut *self.draw;
        let a = draw.index(0, self.bodies.len());
        let b = if draw.chance(0.4) { None } else { Some(draw.index(0, self.bodies.len())) };
        let axis = if self.is_planar { DVec3::Y } else { draw.direction() };
        let closing = *draw.pick(&[JointKind::Hinge, JointKind::Ball, JointKind::Fixed, JointKind::Slider]);
        let closing = if self.is_planar { JointKind::Hinge } else { closing };
        let plane = if self.is_planar { DVec3::new(1.0, 0.0, 1.0) } else { DVec3::ONE };
        let at = self.bodies[a].1 + draw.vector(0.3) * plane;
        if b != Some(a) {
            let second = b.map(|b| self.bodies[b].0);
            self.join(JointDefinition::new(closing, Some(self.bodies[a].0), second).at(at).with_axis(0, axis));
        }
    }

    /// Two wheels on one carrier that a gearbox or a transmission connects.
    fn wheels(&mut self) {
        let carrier = self.draw.index(0, self.bodies.len());
        let (carrier, at) = self.bodies[carrier];
        let draw = &mut *self.draw;
        let first = draw.direction();
        let other = draw.direction();
        let across = first.cross(other).try_normalize().unwrap_or_else(|| first.any_orthonormal_vector());
        let middle = at + draw.vector(0.5);
        let (ratio, reach) = (draw.log(0.2, 5.0), draw.uniform(0.2, 1.0));
        let (kind, second, centers) = match draw.index(0, 4) {
            0 => {
                let ratio = if draw.chance(0.5) { ratio } else { -ratio };
                (JointKind::Gearbox { ratio }, other, [middle, middle + reach * across])
            }
            1 => {
                let wheels = Wheels::ParallelAxes { ratio };
                (JointKind::Transmission { wheels }, first, [middle, middle + reach * across])
            }
            2 => {
                let wheels = Wheels::Chain { radii: [0.2 * reach, 0.2 * reach * ratio] };
                (JointKind::Transmission { wheels }, first, [middle, middle + reach * across])
            }
            _ => {
                let wheels = Wheels::IntersectingAxes;
                (JointKind::Transmission { wheels }, other, [middle + reach * first, middle + ratio * reach * other])
            }
        };
        let axes = [first, second];
        let mut own = [None; 2];
        for k in 0..2 {
            let Some(index) = self.body(centers[k], 0.3 * reach) else { return };
            let wheel = self.bodies[index].0;
            own[k] = Some(wheel);
            let law = self.axis();
            let hinge = JointDefinition::new(JointKind::Hinge, own[k], Some(carrier)).at(centers[k]);
            self.join(hinge.with_axis(0, axes[k]).with_parameters(0, law));
        }
        let mut joint = JointDefinition::new(kind, own[0], own[1])
            .at(centers[0])
            .with_second_anchor(centers[1])
            .with_axis(0, first)
            .with_axis(1, second);
        if matches!(kind, JointKind::Gearbox { .. }) {
            joint.reference = Some(carrier);
        } else if self.draw.chance(0.2) {
            joint = joint.with_backlash(0.01 * reach);
        }
        self.join(joint);
    }

    /// A motor that holds nothing, beside what there is.
    fn motor(&mut self) {
        let draw = &mut *self.draw;
        let (a, b) = (draw.index(0, self.bodies.len()), draw.index(0, self.bodies.len()));
        let second = (a != b).then(|| self.bodies[b].0);
        let mut joint = JointDefinition::new(beside(draw), Some(self.bodies[a].0), second).at(self.bodies[a].1);
        // Displacements are given along axes that stand across each other.
        let turn = draw.rotation();
        joint.axes = [turn * DVec3::X, turn * DVec3::Y, turn * DVec3::Z];
        joint.parameters = std::array::from_fn(|_| self.axis());
        if let JointKind::AngularMotor { .. } = joint.kind {
            for law in &mut joint.parameters {
                // Angles that the user supplies, and does not, are none that a spring could store energy in.
                law.stiffness = 0.0;
            }
        }
        self.join(joint);
    }

    /// One motion follows another.
    fn follower(&mut self) {
        let Some((leader, follower)) = self.joints.len().checked_sub(2).map(|most| {
            let leader = self.draw.index(0, most + 1);
            (self.joints[leader], self.joints[leader + 1])
        }) else {
            return;
        };
        let is_single = |id| {
            let kind = self.world.joint(id).map(|j| j.definition().kind);
            matches!(kind, Some(JointKind::Hinge | JointKind::Slider | JointKind::Screw { .. }))
        };
        if is_single(leader) && is_single(follower) {
            let multiplier = self.draw.uniform(-3.0, 3.0);
            let mimic = Mimic { follower: (follower, 0), leader: (leader, 0), multiplier, offset: 0.0, reference: 0.0 };
            if self.world.add_mimic(mimic).is_ok() {
                self.words.push("mimic".to_owned());
            }
        }
    }

    /// Velocities of the first bodies, which joints need not allow.
    fn push(&mut self) {
        let draw = &mut *self.draw;
        let speed = draw.log(0.03, 30.0);
        let pushed = draw.index(1, self.bodies.len() + 1);
        for (id, _) in self.bodies.iter().take(pushed) {
            let (mut velocity, mut omega) = (draw.vector(speed), draw.vector(speed));
            if self.is_planar {
                velocity.y = 0.0;
                omega *= DVec3::Y;
            }
            if let Some(mut body) = self.world.body_mut(*id) {
                let set = body.set_velocity(velocity).and(body.set_omega(omega));
                debug_assert!(set.is_ok());
            }
        }
    }
}

/// The mechanism of a seed; the same bodies and joints under every setting.
pub(super) fn build(seed: u64, setting: &Setting) -> Mechanism {
    let draw = &mut Draw::new(seed);
    let gravity = if draw.chance(0.3) { DVec3::ZERO } else { DVec3::new(0.0, 0.0, -9.81) };
    let step = *draw.pick(&[1e-4, 1e-3, 1e-3, 1e-3, 2e-3, 4e-3, 5e-3, 1.0 / 60.0]);
    let count = if draw.chance(0.1) { draw.index(12, 40) } else { draw.index(2, 12) };
    let is_held = draw.chance(0.7);
    // Where there are ratios at all, they go up to 1e6 between two bodies.
    let spread = if draw.chance(0.4) { 1.0 } else { draw.log(1.0, 1e6).sqrt() };
    let slender = draw.log(1.0, 300.0);
    let has_laws = draw.chance(0.4);
    let is_planar = draw.chance(0.15);
    let is_driven = draw.chance(0.25);
    let (bodies, joints, words) = (Vec::new(), Vec::new(), Vec::new());
    let world = World::new(setting.parameters(gravity));
    let mut builder =
        Builder { draw, world, bodies, joints, words, spread, slender, is_held, is_driven, has_laws, is_planar };
    builder.tree(count, is_held);
    let loops = if builder.draw.chance(0.35) { builder.draw.index(1, 3) } else { 0 };
    for _ in 0..loops {
        builder.close();
    }
    if !is_planar {
        if builder.draw.chance(0.12) {
            builder.wheels();
        }
        if builder.draw.chance(0.12) {
            builder.motor();
        }
        if builder.draw.chance(0.08) {
            builder.follower();
        }
    }
    builder.push();
    let description = format!(
        "{} bodies, loops {loops}, held {}, driven {is_driven}, mass spread {spread:.0}, step {step:.1e}, gravity {:.0}, {}",
        builder.bodies.len(),
        builder.is_held,
        gravity.length(),
        builder.words.join(" ")
    );
    let is_free = !builder.is_held && gravity == DVec3::ZERO;
    Mechanism { world: builder.world, step, is_free, has_loops: loops > 0, description }
}
