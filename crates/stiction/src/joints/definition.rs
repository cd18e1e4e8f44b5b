//! Definition of a joint.

use glam::DVec3;
use thiserror::Error;

use super::angular_motor::{AngularMotorMode, AxisFrame};
use super::axis::AxisParameters;
use super::geometry::JointFrames;
use super::kind;
use super::spook::JointSpook;
use super::transmission::Wheels;
use crate::base::BodyId;
use crate::math::Decimal;

/// Kind of joint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum JointKind {
    /// Three angles; a point is held.
    Ball,
    /// One angle about axis 0 (SDFormat: revolute, continuous).
    Hinge,
    /// One displacement along axis 0 (SDFormat: prismatic).
    Slider,
    /// Two angles: about axis 0, carried by the first body, and axis 1, carried by the second; the axes keep their angle.
    Universal,
    /// A steered, suspended wheel: axis 0 (steering and suspension) in the first body, axis 1 (wheel) in the second.
    Hinge2,
    /// None.
    Fixed,
    /// Motors and stops about up to three axes, holding nothing.
    AngularMotor {
        /// Who supplies axes and angles.
        mode: AngularMotorMode,
    },
    /// An angle about axis 0 and a displacement along it that go together.
    Screw {
        /// Advance per turn \[m\], right-handed positive.
        pitch: f64,
    },
    /// `θ₁ ratio + θ₂ = 0`: angle of the second body about axis 0 times the ratio is minus the angle of the first about
    /// axis 1, both relative to the reference body (SDFormat's `θ_child = −gearbox_ratio θ_parent`).
    Gearbox {
        /// Gear ratio.
        ratio: f64,
    },
    /// Two displacements and an angle in a plane with the normal axis 0 (URDF: planar). Motions: along axis 1, along
    /// axis 2, about axis 0. Axis 1 is made perpendicular to axis 0 (any such direction if they are parallel), axis 2 is
    /// axis 0 × axis 1.
    Planar,
    /// Motors and stops along up to three axes, holding nothing: displacements of the first anchor from the second.
    LinearMotor {
        /// Number of axes, 0 to 3.
        count: usize,
        /// What each axis is fixed to.
        frames: [AxisFrame; 3],
    },
    /// Keeps the first body's centre of mass at its height z, and its tilt: a planar joint to the environment, with the
    /// world's axes. Motions: along x, along y, about z. Anchor and axes are set by the kind.
    Plane2D,
    /// A displacement along axis 0, carried by the second body, and an angle about it.
    Piston,
    /// A displacement along axis 0, carried by the first body, and an angle about axis 1.
    PrismaticRotoide,
    /// Two angles, about axis 0 of the first body and axis 1 of the second, and a displacement along axis 2, carried by
    /// the first.
    PrismaticUniversal,
    /// None: `anchor` and `second_anchor` stay at a distance.
    DoubleBall {
        /// The distance \[m\]; `None` is the present one.
        distance: Option<f64>,
    },
    /// None: as a double ball, and the bodies turn about axis 0 only, along which the anchors keep their heights.
    DoubleHinge {
        /// The distance \[m\]; `None` is the present one.
        distance: Option<f64>,
    },
    /// Two wheels, with their centres at `anchor` and `second_anchor`, that touch or that a chain connects. Motions: the
    /// phases of the first and second wheel, and how far their rims have rolled apart \[m\]; stops on the last are
    /// backlash.
    Transmission {
        /// How the wheels meet.
        wheels: Wheels,
    },
    /// No constraint; the two bodies are connected for islands and sleeping only.
    Null,
}

/// Description of a joint, in the world at the present poses of the bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDefinition {
    /// Kind.
    pub kind: JointKind,
    /// First and second body; `None` is the static environment.
    pub bodies: [Option<BodyId>; 2],
    /// Reference body of a gearbox; `None` is the static environment.
    pub reference: Option<BodyId>,
    /// Anchor in the world \[m\].
    pub anchor: DVec3,
    /// Anchor of the second body, if it is to be another than `anchor` \[m\].
    pub second_anchor: Option<DVec3>,
    /// Axes in the world; normalised on creation. How many are used depends on the kind.
    pub axes: [DVec3; 3],
    /// What drives, stops and springs each axis.
    pub parameters: [AxisParameters; 3],
    /// Error reduction of the holding rows; `None` is the world's.
    pub erp: Option<f64>,
    /// Constraint force mixing of the holding rows \[s/kg\]; `None` is the world's.
    pub cfm: Option<f64>,
    /// SPOOK's law of the holding rows, in place of `erp` and `cfm`; `None` is the world's.
    pub spook: Option<JointSpook>,
    /// Error reduction of a hinge-2's suspension; `None` is the world's.
    pub suspension_erp: Option<f64>,
    /// Constraint force mixing of a hinge-2's suspension \[s/kg\]; `None` is the world's.
    pub suspension_cfm: Option<f64>,
    /// Forces of the joint on its bodies are kept for the caller.
    pub feedback: bool,
    /// The two bodies may collide with each other.
    pub collide: bool,
    /// Positions of the motions where the joint is made \[m or rad\]; zero is where they count from.
    pub present_positions: [f64; 3],
}

/// Softness of a joint below which it is as good as rigid \[s/kg\]: at steps of 1 ms and an ERP of 0.2 it gives way by 5 nm
/// per newton.
pub const AS_GOOD_AS_RIGID: f64 = 1e-6;

impl Joint {
    /// Checks the joint at the poses where it is made.
    pub(crate) fn accepted(self) -> Result<Self, JointError> {
        (self.kind().accept)(&self)?;
        Ok(self)
    }

    /// It can carry a link of a tree; otherwise it stays rows there.
    pub(crate) fn can_carry_links(&self) -> bool {
        self.kind().mobility.is_some() && !self.definition.is_sprung()
    }
}

impl JointDefinition {
    /// A joint of a kind between two bodies, with its anchor at the origin and axes x, y, z.
    #[must_use]
    pub fn new(kind: JointKind, first: Option<BodyId>, second: Option<BodyId>) -> Self {
        Self {
            kind,
            bodies: [first, second],
            reference: None,
            anchor: DVec3::ZERO,
            second_anchor: None,
            axes: DVec3::AXES,
            parameters: [AxisParameters::default(); 3],
            erp: None,
            cfm: None,
            spook: None,
            suspension_erp: None,
            suspension_cfm: None,
            feedback: false,
            collide: false,
            present_positions: [0.0; 3],
        }
    }

    /// With its anchor at a point of the world \[m\].
    #[must_use]
    pub fn at(mut self, anchor: DVec3) -> Self {
        self.anchor = anchor;
        self
    }

    /// With an anchor of its own for the second body, at a point of the world \[m\].
    #[must_use]
    pub fn with_second_anchor(mut self, anchor: DVec3) -> Self {
        self.second_anchor = Some(anchor);
        self
    }

    /// As if the bodies stood at these positions of the motions \[m or rad\], so that zero lies elsewhere. Motions whose
    /// positions the user supplies, the Euler angles of an angular motor, and transmissions have no such offset; axes
    /// along which displacements are given must be perpendicular to each other.
    #[must_use]
    pub fn with_present_positions(mut self, positions: [f64; 3]) -> Self {
        self.present_positions = positions;
        self
    }

    /// With backlash of a transmission: the rims may roll apart so far, either way \[m\].
    #[must_use]
    pub fn with_backlash(mut self, backlash: f64) -> Self {
        self.parameters[2] = self.parameters[2].with_stops(-backlash, backlash);
        self
    }

    /// With an axis in the world.
    #[must_use]
    pub fn with_axis(mut self, index: usize, axis: DVec3) -> Self {
        self.axes[index] = axis;
        self
    }

    /// With parameters of an axis.
    #[must_use]
    pub fn with_parameters(mut self, index: usize, parameters: AxisParameters) -> Self {
        self.parameters[index] = parameters;
        self
    }

    /// With the given ERP and CFM for its holding rows.
    #[must_use]
    pub fn with_softness(mut self, erp: f64, cfm: f64) -> Self {
        self.erp = Some(erp);
        self.cfm = Some(cfm);
        self
    }

    /// With feedback.
    #[must_use]
    pub fn with_feedback(mut self) -> Self {
        self.feedback = true;
        self
    }

    /// Energy of its rotors at some rates \[J\].
    pub(crate) fn rotor_energy(&self, rates: [f64; 3]) -> f64 {
        self.parameters.iter().zip(rates).map(|(law, rate)| law.rotor_energy(rate)).sum()
    }

    /// The joint's own softness lets it give way: under a force F by `cfm h F / erp`. Trees cannot, so that it stays rows in
    /// reduced coordinates.
    #[must_use]
    pub fn is_soft(&self) -> bool {
        let gives_way = match &self.spook {
            Some(law) => law.is_soft(),
            None => self.cfm.is_some_and(|cfm| cfm > AS_GOOD_AS_RIGID),
        };
        self.is_sprung() || gives_way
    }

    /// A Hinge-2 with a suspension that gives way; without one it is a universal joint.
    fn is_sprung(&self) -> bool {
        self.kind == JointKind::Hinge2 && self.suspension_cfm.is_some_and(|cfm| cfm > AS_GOOD_AS_RIGID)
    }

    /// Number of axes that the kind uses.
    #[must_use]
    pub fn axis_count(&self) -> usize {
        (kind::of(&self.kind).axes)(&self.kind)
    }

    /// Checks bodies, axes and numbers and completes them: unit axes, and what its kind sets itself. `center` is the centre
    /// of mass of the first body.
    pub(crate) fn complete(&mut self, center: DVec3) -> Result<(), JointError> {
        let kind = kind::of(&self.kind);
        (kind.prepare)(self, center)?;
        for index in 0..(kind.axes)(&self.kind) {
            let found = self.axes[index];
            self.axes[index] = found.try_normalize().ok_or(JointError::Axis { index, found })?;
        }
        (kind.check)(self)?;
        kind::finite("anchor", self.anchor.length())?;
        kind::finite("second anchor", self.second_anchor.map_or(0.0, DVec3::length))?;
        kind::finite("present position", self.present_positions.iter().map(|x| x.abs()).sum())?;
        for law in self.spook.iter().chain(self.parameters.iter().filter_map(|p| p.stop_spook.as_ref())) {
            law.check().map_err(|(what, found, expected)| JointError::Value { what, found, expected })?;
        }
        for p in &self.parameters {
            let checks = [
                ("friction", p.friction, p.friction >= 0.0),
                ("damping", p.damping, p.damping >= 0.0),
                ("stiffness", p.stiffness, p.stiffness >= 0.0),
                ("motor force", p.motor.max_force, p.motor.max_force >= 0.0),
                ("bounce", p.bounce, (0.0..=1.0).contains(&p.bounce)),
            ];
            for (what, found, holds) in checks {
                if !holds {
                    return Err(JointError::Value { what, found, expected: "zero or more (bounce: at most 1)" });
                }
            }
        }
        Ok(())
    }
}

/// Why a joint is refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum JointError {
    /// A body does not exist (any more).
    #[error("body {index} of the joint does not exist")]
    UnknownBody {
        /// 0: first, 1: second, 2: reference.
        index: usize,
    },
    /// Both ends are one body, or both the static environment.
    #[error("a joint needs two different bodies, or one body and the static environment")]
    SameBody,
    /// A hinge-2 and a transmission need two bodies.
    #[error("this kind of joint must connect two bodies")]
    NeedsTwoBodies,
    /// A plane-2D joint holds its first body against the static environment.
    #[error("a plane-2D joint needs a first body, and no second one")]
    NeedsEnvironment,
    /// Centres or axes of the wheels stand so that they cannot touch.
    #[error("the wheels of the transmission cannot touch: their centres coincide, or lie on the other's axis")]
    Wheels,
    /// An axis has no direction.
    #[error("axis {index} is {found}; it needs a direction")]
    Axis {
        /// Which axis.
        index: usize,
        /// What was found.
        found: DVec3,
    },
    /// The two axes are parallel, where the kind needs them apart.
    #[error("axes 0 and 1 are parallel; they need an angle between them")]
    ParallelAxes,
    /// A number is not finite or out of range.
    #[error("{what} is {}; expected {expected}", Decimal(*found))]
    Value {
        /// Which quantity.
        what: &'static str,
        /// What was found.
        found: f64,
        /// What is expected.
        expected: &'static str,
    },
}

/// A joint in a world.
#[derive(Clone, Debug)]
pub struct Joint {
    /// As it was defined; parameters may be changed between steps.
    pub definition: JointDefinition,
    /// Where it sits in its bodies.
    pub frames: JointFrames,
}
