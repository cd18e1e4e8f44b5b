//! Draws of joints, and of what drives, stops and springs them.

use stiction::joints::{AngularMotorMode, AxisFrame, AxisParameters, JointKind};

use crate::random::Draw;

/// Kinds that join a body to any other, or to the world.
pub(super) fn kind(draw: &mut Draw, is_first: bool) -> JointKind {
    match draw.index(0, 22) {
        0..=6 => JointKind::Hinge,
        7..=9 => JointKind::Ball,
        10 | 11 => JointKind::Universal,
        12 => JointKind::Slider,
        13 => JointKind::Fixed,
        14 => JointKind::Screw { pitch: draw.uniform(0.01, 0.5) },
        15 => JointKind::Planar,
        16 => JointKind::Piston,
        17 => JointKind::PrismaticRotoide,
        18 => JointKind::PrismaticUniversal,
        19 if is_first => JointKind::Plane2D,
        19 | 20 if !is_first => JointKind::Hinge2,
        _ if draw.chance(0.5) => JointKind::DoubleBall { distance: None },
        _ => JointKind::DoubleHinge { distance: None },
    }
}

/// Motors that hold nothing, along or about axes that the world or a body carries.
pub(super) fn beside(draw: &mut Draw) -> JointKind {
    let frames = std::array::from_fn(|_| *draw.pick(&[AxisFrame::World, AxisFrame::First, AxisFrame::Second]));
    let count = draw.index(1, 4);
    match draw.index(0, 3) {
        0 => JointKind::LinearMotor { count, frames },
        1 => JointKind::AngularMotor { mode: AngularMotorMode::User { count, frames, angles: [0.0; 3] } },
        _ => JointKind::AngularMotor { mode: AngularMotorMode::Euler },
    }
}

/// Springs, dampers, stops and dry friction of one axis.
pub(super) fn law(draw: &mut Draw) -> AxisParameters {
    let mut law = AxisParameters::default();
    match draw.index(0, 12) {
        0 => {
            law.stiffness = draw.log(0.1, 1e4);
            law.spring_reference = draw.uniform(-0.5, 0.5);
            law.damping = if draw.chance(0.3) { draw.log(1e-3, 10.0) } else { 0.0 };
        }
        1 => law.damping = draw.log(1e-3, 10.0),
        2 => law = law.with_stops(draw.uniform(-1.0, 0.0), draw.uniform(0.0, 1.0)),
        3 => law.friction = draw.log(1e-3, 10.0),
        4 => {
            law = law.with_stops(draw.uniform(-0.5, 0.0), draw.uniform(0.0, 0.5));
            law.bounce = draw.uniform(0.0, 1.0);
        }
        _ => {}
    }
    law
}

/// A law with a velocity motor of bounded force.
pub(super) fn driven(draw: &mut Draw) -> AxisParameters {
    let (speed, force) = (draw.uniform(-1.0, 1.0) * draw.log(0.1, 10.0), draw.log(1e-2, 100.0));
    let mut law = if draw.chance(0.5) { law(draw) } else { AxisParameters::default() }.with_motor(speed, force);
    if draw.chance(0.2) {
        law.motor.fudge_factor = draw.uniform(0.0, 1.0);
    }
    law
}
