//! What does not change of a tree from step to step.

use glam::{DQuat, DVec3};

use super::super::context::Model;
use super::super::forest::Articulation;
use super::super::islands::NONE;
use super::feedback;
use crate::dynamics::rotation::FiniteRotation;
use crate::joints::{Joint, JointKind};
use crate::model::{Body, BodyKind};
use crate::solvers::soft::Mobilizer;

/// A tree.
#[derive(Clone, Debug)]
pub(in super::super) struct Template {
    /// After those of its bodies, the second halves of bodies that loops are cut at.
    pub(in super::super) links: Vec<LinkTemplate>,
    /// Links that are halves of one body.
    pub(in super::super) cuts: Vec<[u32; 2]>,
    /// Number of its joints.
    pub(super) joints: usize,
    /// The first tree whose links are held alike.
    pub(in super::super) shape: u32,
    /// Nothing damps or bounds the velocities of its bodies, and some of them move.
    pub(super) is_plain: bool,
}

/// A link, parents before their children.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct LinkTemplate {
    pub(in super::super) slot: u32,
    /// Slot of the joint that carries it, or `NONE`, and its end there.
    pub(in super::super) joint: u32,
    pub(in super::super) end: usize,
    pub(in super::super) mobilizer: Mobilizer,
    /// The link that carries it, `NONE` for none; the same where that moves; the first of those that move as one with it.
    pub(in super::super) carrier: u32,
    pub(in super::super) parent: u32,
    pub(in super::super) welded_to: u32,
    /// Of its body, 1 where that is not cut; mass and moments are its own.
    pub(in super::super) share: f64,
    pub(in super::super) mass: f64,
    pub(in super::super) moments: DVec3,
    pub(super) principal: DQuat,
    pub(super) has_gravity: bool,
    pub(super) anchors: [DVec3; 2],
    pub(super) axes: [DVec3; 2],
    pub(super) slide: DVec3,
    pub(super) lead: f64,
    pub(super) relative: DQuat,
    pub(super) cosine: f64,
    pub(super) pulls: [f64; 2],
    /// Rate of each axis by a unit impulse along it, of bodies that nothing else holds \[1/kg or 1/(kg m²)\]; whether none in the tree answers more.
    pub(super) responses: [f64; 3],
    pub(super) is_response_bound: bool,
}

impl LinkTemplate {
    /// What holds it, and where in its tree.
    fn shape(&self) -> (Mobilizer, u32, u32, u32) {
        (self.mobilizer, self.carrier, self.parent, self.welded_to)
    }
}

/// Numbers the trees by the first one that each is alike.
pub(super) fn number_shapes(templates: &mut [Option<Template>]) {
    let mut firsts: Vec<u32> = Vec::new();
    for number in 0..templates.len() {
        let Some(own) = &templates[number] else { continue };
        let is_alike = |first: &&u32| templates[**first as usize].as_ref().is_some_and(|other| own.is_alike(other));
        let shape = firsts.iter().find(is_alike).copied().unwrap_or(number as u32);
        if shape == number as u32 {
            firsts.push(shape);
        }
        if let Some(own) = &mut templates[number] {
            own.shape = shape;
        }
    }
}

impl Template {
    /// The links of another are held alike.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        self.cuts == other.cuts
            && self.links.iter().map(LinkTemplate::shape).eq(other.links.iter().map(LinkTemplate::shape))
    }

    /// Links of its bodies, without second halves.
    pub(super) fn bodies(&self) -> &[LinkTemplate] {
        &self.links[..self.links.len() - self.cuts.len()]
    }

    /// Some joints of it close loops.
    pub(in super::super) fn has_loops(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// A tree that hangs from the world or from nothing, of the joints that the kernels know, with those that close loops in it; none where rows have to
    /// move it.
    pub(super) fn from_tree(model: &Model, source: &Articulation, closing: impl Iterator<Item = u32>) -> Option<Self> {
        if source.base.is_some() {
            return None;
        }
        let mut links: Vec<LinkTemplate> = Vec::with_capacity(source.bodies.len());
        let mut is_plain_tree = true;
        for (number, slot) in source.bodies.iter().enumerate() {
            let body = model.bodies.at(*slot as usize)?;
            is_plain_tree &= is_plain(body);
            let carrier = source.tree.parent(number).map_or(NONE, |carrier| carrier as u32);
            let joint = match source.joints[number] {
                NONE => None,
                joint => Some((joint, model.joints.at(joint as usize).filter(|own| is_known(model, joint, own))?)),
            };
            let carried = links.get(carrier as usize).copied();
            let mut own = LinkTemplate {
                slot: *slot,
                joint: NONE,
                end: 0,
                mobilizer: Mobilizer::Free,
                carrier,
                parent: if carried.is_some_and(|carrier| carrier.mobilizer == Mobilizer::Welded) {
                    NONE
                } else {
                    carrier
                },
                welded_to: number as u32,
                share: 1.0,
                mass: body.mass.mass,
                moments: body.mass.moments,
                principal: body.mass.axes,
                has_gravity: body.gravity,
                anchors: [DVec3::ZERO; 2],
                axes: [DVec3::X; 2],
                slide: DVec3::X,
                lead: 0.0,
                relative: DQuat::IDENTITY,
                cosine: 0.0,
                pulls: [0.0; 2],
                responses: [0.0; 3],
                is_response_bound: false,
            };
            if let Some((slot, joint)) = joint {
                own.joint = slot;
                own.hang(joint, carried.as_ref());
            }
            links.push(own);
        }
        for (link, is_above, by_force) in source.parts.pulls() {
            links[link].pulls[usize::from(!is_above)] += by_force;
        }
        let is_plain = is_plain_tree && links.iter().any(|link| link.mobilizer != Mobilizer::Welded);
        let mut own = Self { links, cuts: Vec::new(), joints: 0, shape: 0, is_plain };
        for slot in closing {
            own.cut_at(slot, model.joints.at(slot as usize).filter(|joint| is_known(model, slot, joint))?)?;
        }
        // What joints of a loop transmit does not follow from the momenta of links alone.
        if own.has_loops() && own.links.iter().any(|link| feedback::wants(model, link)) {
            return None;
        }
        own.share_out();
        own.joints = own.links.iter().filter(|link| link.joint != NONE).count();
        Some(own)
    }
}

impl Template {
    /// Cuts a body of a joint that closes a loop: its second half hangs on that joint, on the other body. None where rows have to hold the joint.
    fn cut_at(&mut self, slot: u32, joint: &Joint) -> Option<()> {
        if joint.definition.is_soft() || !joint.can_carry_links() {
            return None;
        }
        let ends = joint.definition.bodies.map(|body| body.map(|body| body.slot() as u32));
        let link_of = |slot: u32| self.bodies().iter().position(|link| link.slot == slot);
        let (of_child, carrier) = [0, 1].into_iter().find_map(|end| {
            let child = ends[end].filter(|_| end == 0 || !joint.kind().is_one_way)?;
            let child = link_of(child).filter(|link| self.links[*link].mobilizer != Mobilizer::Welded)?;
            let carrier = match ends[1 - end] {
                Some(carrier) => link_of(carrier)? as u32,
                None => NONE,
            };
            Some((child, carrier))
        })?;
        let carried = self.links.get(carrier as usize).copied();
        let is_still = carried.is_none_or(|carrier| carrier.mobilizer == Mobilizer::Welded);
        let number = self.links.len() as u32;
        let mut own = LinkTemplate {
            joint: slot,
            carrier,
            parent: if is_still { NONE } else { carrier },
            welded_to: number,
            pulls: [0.0; 2],
            is_response_bound: false,
            ..self.links[of_child]
        };
        own.hang(joint, carried.as_ref());
        if own.mobilizer == Mobilizer::Welded || is_still && self.links[0].mobilizer == Mobilizer::Free {
            return None;
        }
        self.cuts.push([of_child as u32, number]);
        self.links.push(own);
        Some(())
    }

    /// Halves of a body have equal shares of it.
    fn share_out(&mut self) {
        for first in 0..self.bodies().len() {
            let halves = self.cuts.iter().filter(|cut| cut[0] == first as u32).count();
            let share = 1.0 / (halves + 1) as f64;
            let slot = self.links[first].slot;
            for link in self.links.iter_mut().filter(|link| link.slot == slot) {
                link.share = share;
                link.mass *= share;
                link.moments *= share;
            }
        }
    }
}

/// It turns by the default rule, and nothing damps or bounds its velocities.
fn is_plain(body: &Body) -> bool {
    body.kind == BodyKind::Dynamic
        && body.finite_rotation == FiniteRotation::Off
        && body.max_angular_speed == f64::INFINITY
        && body.damping.linear == 0.0
        && body.damping.angular == 0.0
}

/// A rigid joint of a known kind, which no other follows.
fn is_known(model: &Model, slot: u32, joint: &Joint) -> bool {
    let is_known = matches!(
        joint.definition.kind,
        JointKind::Hinge
            | JointKind::Slider
            | JointKind::Ball
            | JointKind::Fixed
            | JointKind::Universal
            | JointKind::Hinge2
            | JointKind::Screw { .. }
            | JointKind::Planar
            | JointKind::Plane2D
            | JointKind::Piston
            | JointKind::PrismaticRotoide
            | JointKind::PrismaticUniversal
    );
    let follows = |m: &crate::model::Mimic| m.follower.0.slot() == slot as usize || m.leader.0.slot() == slot as usize;
    is_known && joint.definition.spook.is_none() && !model.mimics.iter().any(follows)
}

/// How a joint of a known kind holds a link that is its first or second body (end 0 or 1), on one that moves or on none.
fn mobilizer(kind: JointKind, end: usize, is_carried: bool) -> Mobilizer {
    match (kind, end) {
        (JointKind::Hinge, _) => Mobilizer::Hinge,
        (JointKind::Slider, _) => Mobilizer::Slider,
        (JointKind::Ball, _) => Mobilizer::Ball,
        // Only a Hinge-2 without a suspension, which is a universal joint, is a joint of a tree.
        (JointKind::Universal | JointKind::Hinge2, 0) => Mobilizer::UniversalFromLink,
        (JointKind::Universal | JointKind::Hinge2, _) => Mobilizer::UniversalFromParent,
        (JointKind::Screw { .. }, _) => Mobilizer::Screw,
        (JointKind::Planar | JointKind::Plane2D, _) => Mobilizer::Planar,
        (JointKind::Piston, _) => Mobilizer::Piston,
        (JointKind::PrismaticRotoide, 0) => Mobilizer::RotoideFromLink,
        (JointKind::PrismaticRotoide, _) => Mobilizer::RotoideFromParent,
        (JointKind::PrismaticUniversal, 0) => Mobilizer::SlidingUniversalFromLink,
        (JointKind::PrismaticUniversal, _) => Mobilizer::SlidingUniversalFromParent,
        _ if is_carried => Mobilizer::Fixed,
        _ => Mobilizer::Welded,
    }
}

impl LinkTemplate {
    /// Hangs a link on its joint.
    fn hang(&mut self, joint: &Joint, carrier: Option<&Self>) {
        let frames = &joint.frames;
        let ends = joint.definition.bodies.map(|id| id.map(|id| id.slot() as u32));
        let end = usize::from(ends[0] != Some(self.slot));
        let sign = if end == 0 { 1.0 } else { -1.0 };
        self.end = end;
        let is_carried = carrier.is_some_and(|carrier| carrier.mobilizer != Mobilizer::Welded);
        self.mobilizer = mobilizer(joint.definition.kind, end, is_carried);
        if self.mobilizer == Mobilizer::Fixed {
            self.welded_to = carrier.map_or(self.welded_to, |carrier| carrier.welded_to);
        }
        // A universal joint has its first axis in the first body, the second in the second. A joint that slides and turns, and has both axes apart, turns
        // about its second one.
        let axis = |body: usize| {
            let number = match joint.definition.kind {
                _ if self.mobilizer.turns_about_two() => body,
                JointKind::PrismaticRotoide => 1,
                _ => 0,
            };
            sign * frames.axes[body][number]
        };
        let to_principal = [carrier.map_or(DQuat::IDENTITY, |own| own.principal), self.principal].map(DQuat::conjugate);
        let bodies = [1 - end, end];
        for side in 0..2 {
            self.anchors[side] = to_principal[side] * frames.anchors[bodies[side]];
            self.axes[side] = to_principal[side] * axis(bodies[side]);
        }
        if let JointKind::Screw { pitch } = joint.definition.kind {
            self.lead = pitch / std::f64::consts::TAU;
        }
        // A planar joint slides along the second axis of its second body, and what is across that and the normal; the others that have a direction of
        // their own have it in the first body.
        let side = usize::from(self.mobilizer.slides_with_link());
        let number = match joint.definition.kind {
            JointKind::Planar | JointKind::Plane2D => 1,
            JointKind::PrismaticUniversal => 2,
            _ => 0,
        };
        self.slide = to_principal[side] * (sign * frames.axes[bodies[side]][number]);
        self.relative = if end == 0 { frames.relative } else { frames.relative.conjugate() };
        self.cosine = frames.axes[0][0].dot(frames.relative.conjugate() * frames.axes[1][1]);
        self.respond(carrier);
    }

    /// How its axes answer to impulses.
    fn respond(&mut self, carrier: Option<&Self>) {
        let carrier = carrier.filter(|carrier| carrier.mobilizer != Mobilizer::Welded);
        let own = |axis: DVec3| axis.dot(axis / self.moments);
        let other = |axis: DVec3| carrier.map_or(0.0, |carrier| axis.dot(axis / carrier.moments));
        let [of_carrier, of_own] = self.axes;
        let slides = self.mass.recip() + carrier.map_or(0.0, |carrier| carrier.mass.recip());
        let turns = own(of_own) + other(of_carrier);
        for (motion, response) in self.responses.iter_mut().enumerate() {
            *response = if self.mobilizer.is_slide(motion) { slides } else { turns };
        }
        // What slides between two bodies, or turns too, turns them with it, and a universal joint turns about both of its axes.
        self.is_response_bound = match self.mobilizer {
            Mobilizer::Hinge | Mobilizer::Screw => true,
            Mobilizer::Slider => carrier.is_none(),
            _ => false,
        };
    }
}
