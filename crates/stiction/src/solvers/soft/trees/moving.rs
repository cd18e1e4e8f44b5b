//! Links of trees that nothing touches: where their joints sit in them, and how they move.

use super::link::Held;

/// How a joint holds a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mobilizer {
    /// No joint does.
    Free,
    /// Nothing moves it.
    Welded,
    Fixed,
    Hinge,
    Slider,
    Ball,
    /// The first axis is fixed in the parent, the second in the link.
    UniversalFromParent,
    /// The other way round.
    UniversalFromLink,
    /// Advances along its axis as it turns.
    Screw,
    /// Slides along two directions of the parent, and turns about their normal.
    Planar,
    /// Slides along an axis and turns about it.
    Piston,
    /// Slides in a direction and turns about an axis through the anchor that is led; the parent carries the direction.
    RotoideFromParent,
    /// The link carries it.
    RotoideFromLink,
    /// Slides in a direction, and turns about two axes through the anchor that is led; the parent carries the direction and the first axis.
    SlidingUniversalFromParent,
    /// The link carries them.
    SlidingUniversalFromLink,
}

impl Mobilizer {
    /// Degrees of freedom of a joint.
    pub(crate) const fn dofs(self) -> usize {
        match self {
            Self::Free | Self::Welded | Self::Fixed => 0,
            Self::Hinge | Self::Slider | Self::Screw => 1,
            Self::UniversalFromParent | Self::UniversalFromLink | Self::Piston => 2,
            Self::RotoideFromParent | Self::RotoideFromLink => 2,
            Self::Ball | Self::Planar | Self::SlidingUniversalFromParent | Self::SlidingUniversalFromLink => 3,
        }
    }

    /// Its motions are along axes of the joint, which may have laws and rotors.
    pub(crate) const fn has_axes(self) -> bool {
        self.dofs() > 0 && !matches!(self, Self::Ball)
    }

    /// The motion is along a direction; the others turn.
    pub(crate) const fn is_slide(self, motion: usize) -> bool {
        match self {
            Self::Slider => true,
            Self::Planar => motion < 2,
            Self::Piston | Self::RotoideFromParent | Self::RotoideFromLink => motion == 0,
            Self::SlidingUniversalFromParent | Self::SlidingUniversalFromLink => motion == 2,
            _ => false,
        }
    }

    /// The anchors of its two bodies are at one place.
    pub(super) const fn holds_anchors(self) -> bool {
        !matches!(self, Self::Screw) && !self.is_slide(0) && !self.is_slide(2)
    }

    /// The link carries the direction in which it slides: what leads it, and about what it turns, is the anchor of the parent.
    pub(crate) const fn slides_with_link(self) -> bool {
        matches!(self, Self::RotoideFromLink | Self::SlidingUniversalFromLink)
    }

    /// It turns about one axis that both bodies carry.
    pub(super) const fn turns_about_one(self) -> bool {
        let is_simple = matches!(self, Self::Hinge | Self::Screw | Self::Planar | Self::Piston);
        is_simple || matches!(self, Self::RotoideFromParent | Self::RotoideFromLink)
    }

    /// It turns about an axis of the parent and one of the link.
    pub(crate) const fn turns_about_two(self) -> bool {
        let is_simple = matches!(self, Self::UniversalFromParent | Self::UniversalFromLink);
        is_simple || matches!(self, Self::SlidingUniversalFromParent | Self::SlidingUniversalFromLink)
    }

    /// The first of its axes is that of the link.
    pub(crate) const fn begins_with_link(self) -> bool {
        matches!(self, Self::UniversalFromLink | Self::SlidingUniversalFromLink)
    }

    /// What projections see of it.
    pub(crate) const fn held(self) -> Held {
        match self {
            Self::Free => Held::Free,
            Self::Welded => Held::Welded,
            _ => Held::Joint(self.dofs() as u8),
        }
    }
}

/// A link of trees that lie side by side, by lane. The frame of a link has its origin in the centre of mass and the principal axes; that of the world,
/// where no link carries it, is the world's.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct MovingLink<const W: usize> {
    pub(crate) mobilizer: Mobilizer,
    /// Number of the link that carries it, moving or not, and of the first of the links that move as one with it; `u32::MAX` for none.
    pub(crate) carrier: u32,
    pub(crate) welded_to: u32,
    pub(crate) mass: [f64; W],
    pub(crate) moments: [[f64; W]; 3],
    /// `(I₂ − I₃)/I₁` and so on, by which free rotation changes the angular velocity.
    pub(crate) unequal: [[f64; W]; 3],
    /// Rotation from the principal axes to the body, a quaternion (x, y, z, w).
    pub(crate) principal: [[f64; W]; 4],
    /// Anchor in the frames of what carries it and of its own, and the axis that each of them carries.
    pub(crate) anchors: [[[f64; W]; 3]; 2],
    pub(crate) axes: [[[f64; W]; 3]; 2],
    /// Direction in which it slides, where that is not its axis: the first of a planar joint. In the frame of the link where that carries it, else of
    /// what carries the link.
    pub(crate) slide: [[f64; W]; 3],
    /// Advance of a screw \[m/rad\], and its angle of all turns.
    pub(crate) lead: [f64; W],
    pub(crate) angle: [f64; W],
    /// Rotation of the body against what carries it where the joint holds it, a quaternion; the cosine of the two axes of a universal joint.
    pub(crate) relative: [[f64; W]; 4],
    pub(crate) cosine: [f64; W],
    /// Arm of the joint over the moment of inertia, of what carries it and of its own \[1/(kg m)\].
    pub(crate) pulls: [[f64; W]; 2],
    /// Rates of rotors before the step.
    pub(crate) rates: [[f64; W]; 3],
    /// Force at the centre and torque, in the world.
    pub(crate) force: [[f64; W]; 3],
    pub(crate) torque: [[f64; W]; 3],
    /// Centre, rotation of the body, velocity, angular velocity.
    pub(crate) center: [[f64; W]; 3],
    pub(crate) rotation: [[f64; W]; 4],
    pub(crate) velocity: [[f64; W]; 3],
    pub(crate) omega: [[f64; W]; 3],
    /// By how much the last step has left the velocities apart from what the joint allows, squared.
    pub(crate) squared_velocity_error: [f64; W],
    /// Positive for motions that laws hold at `rates` at the end of a part, and the square of what laws give, as a velocity by a root of mass.
    pub(crate) held: [[f64; W]; 3],
    pub(crate) driven: [f64; W],
    /// In the middle of a part: centre, and angular velocity in principal axes that the start has brought there.
    pub(super) middle: [[f64; W]; 3],
    pub(super) spin: [[f64; W]; 3],
    /// Arm from the centre to the joint there: to the anchor about which the link turns.
    pub(super) arm: [[f64; W]; 3],
    /// Work space: a displacement of the link that closes its joint, or what its joint transmits and the sum of pulls.
    pub(crate) way: [[f64; W]; 6],
}

impl<const W: usize> MovingLink<W> {
    /// A lane without a tree moves as another one.
    pub(crate) fn repeat(&mut self, from: usize, to: usize) {
        let lists = [&mut self.force[..], &mut self.torque, &mut self.center, &mut self.rotation];
        for list in lists.into_iter().chain([&mut self.velocity[..], &mut self.omega, &mut self.rates]) {
            list.iter_mut().for_each(|numbers| numbers[to] = numbers[from]);
        }
        self.angle[to] = self.angle[from];
        self.squared_velocity_error[to] = self.squared_velocity_error[from];
    }

    pub(crate) const fn new(mobilizer: Mobilizer, carrier: u32, welded_to: u32) -> Self {
        let zero = [0.0; W];
        Self {
            mobilizer,
            carrier,
            welded_to,
            mass: zero,
            moments: [zero; 3],
            unequal: [zero; 3],
            principal: [zero; 4],
            anchors: [[zero; 3]; 2],
            axes: [[zero; 3]; 2],
            slide: [zero; 3],
            lead: zero,
            angle: zero,
            relative: [zero; 4],
            cosine: zero,
            pulls: [zero; 2],
            rates: [zero; 3],
            force: [zero; 3],
            torque: [zero; 3],
            center: [zero; 3],
            rotation: [zero; 4],
            velocity: [zero; 3],
            omega: [zero; 3],
            squared_velocity_error: zero,
            held: [zero; 3],
            driven: zero,
            middle: [zero; 3],
            spin: [zero; 3],
            arm: [zero; 3],
            way: [zero; 6],
        }
    }
}
