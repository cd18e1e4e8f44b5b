//! Numbers, among them such that no world has.

use stiction::joints::{AngularMotorMode, AxisFrame, AxisParameters, JointKind, Wheels};
use stiction::math::{DMat3, DQuat, DVec3, Pose};
use stiction::shape::MassProperties;

use crate::random::Draw;

/// What is given where a number is asked for.
const HOSTILE: [f64; 14] = [
    0.0,
    -0.0,
    -1.0,
    1e-320,
    1e-30,
    1e-15,
    1e8,
    1e15,
    1e150,
    1e300,
    -1e300,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// Draws of numbers; one in twenty of a hostile source is no sane one.
pub(super) struct Numbers {
    pub(super) draw: Draw,
    pub(super) is_hostile: bool,
}

impl Numbers {
    pub(super) fn number(&mut self, low: f64, high: f64) -> f64 {
        if self.is_hostile && self.draw.chance(0.05) { *self.draw.pick(&HOSTILE) } else { self.draw.uniform(low, high) }
    }

    pub(super) fn size(&mut self, low: f64, high: f64) -> f64 {
        if self.is_hostile && self.draw.chance(0.05) { *self.draw.pick(&HOSTILE) } else { self.draw.log(low, high) }
    }

    pub(super) fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.number(-size, size), self.number(-size, size), self.number(-size, size))
    }

    pub(super) fn rotation(&mut self) -> DQuat {
        if self.is_hostile && self.draw.chance(0.03) {
            let x = *self.draw.pick(&HOSTILE);
            return DQuat::from_xyzw(x, 0.0, *self.draw.pick(&HOSTILE), 0.0);
        }
        self.draw.rotation()
    }

    pub(super) fn pose(&mut self) -> Pose {
        Pose::new(self.vector(3.0), self.rotation())
    }

    pub(super) fn mass(&mut self) -> MassProperties {
        let mass = self.size(0.01, 100.0);
        let side = self.draw.log(0.05, 1.0);
        let moment = mass * side * side / 6.0;
        let inertia =
            DMat3::from_diagonal(DVec3::new(moment, self.number(0.8, 1.2) * moment, self.number(0.5, 1.0) * moment));
        let center_of_mass = if self.draw.chance(0.3) { self.vector(0.1) } else { DVec3::ZERO };
        MassProperties { mass, center_of_mass, inertia }
    }

    pub(super) fn law(&mut self) -> AxisParameters {
        let mut law = AxisParameters::default();
        match self.draw.index(0, 8) {
            0 => (law.stiffness, law.spring_reference) = (self.size(0.1, 1e4), self.number(-0.5, 0.5)),
            1 => law.damping = self.size(1e-3, 10.0),
            2 => (law.lower, law.upper) = (self.number(-1.0, 0.0), self.number(0.0, 1.0)),
            3 => law.friction = self.size(1e-3, 10.0),
            4 => (law.motor.velocity, law.motor.max_force) = (self.number(-3.0, 3.0), self.size(0.01, 100.0)),
            5 => {
                (law.lower, law.upper) = (self.number(-0.2, 0.1), self.number(-0.1, 0.2));
                law.bounce = self.number(0.0, 1.0);
                (law.stop_erp, law.stop_cfm) = (Some(self.number(0.0, 1.0)), Some(self.size(1e-10, 1e-3)));
            }
            6 if self.is_hostile => {
                law.armature = self.size(1e-3, 1.0);
                (law.effort_limit, law.velocity_limit) = (self.number(0.0, 10.0), self.number(0.0, 10.0));
            }
            _ => {}
        }
        law
    }

    pub(super) fn kind(&mut self) -> JointKind {
        let frames = std::array::from_fn(|_| *self.draw.pick(&[AxisFrame::World, AxisFrame::First, AxisFrame::Second]));
        match self.draw.index(0, 24) {
            0..=4 => JointKind::Hinge,
            5 | 6 => JointKind::Ball,
            7 => JointKind::Slider,
            8 => JointKind::Universal,
            9 => JointKind::Hinge2,
            10 => JointKind::Fixed,
            11 => JointKind::AngularMotor { mode: AngularMotorMode::Euler },
            12 => {
                let angles = std::array::from_fn(|_| self.number(-1.0, 1.0));
                JointKind::AngularMotor {
                    mode: AngularMotorMode::User { count: self.draw.index(0, 4), frames, angles },
                }
            }
            13 => JointKind::Screw { pitch: self.number(-0.5, 0.5) },
            // Its axes are those of hinges, which a program of arbitrary joints need not have.
            14 if self.is_hostile => JointKind::Gearbox { ratio: self.number(-3.0, 3.0) },
            15 => JointKind::Planar,
            16 => JointKind::LinearMotor { count: self.draw.index(0, 5), frames },
            17 => JointKind::Plane2D,
            18 => JointKind::Piston,
            19 => JointKind::PrismaticRotoide,
            20 => JointKind::PrismaticUniversal,
            21 => JointKind::DoubleBall { distance: self.draw.chance(0.5).then(|| self.size(0.1, 2.0)) },
            22 => JointKind::DoubleHinge { distance: self.draw.chance(0.5).then(|| self.size(0.1, 2.0)) },
            _ => {
                let wheels = match self.draw.index(0, 3) {
                    0 => Wheels::ParallelAxes { ratio: self.size(0.2, 5.0) },
                    1 => Wheels::IntersectingAxes,
                    _ => Wheels::Chain { radii: [self.size(0.1, 1.0), self.size(0.1, 1.0)] },
                };
                JointKind::Transmission { wheels }
            }
        }
    }
}
