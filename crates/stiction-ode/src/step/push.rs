//! Rows on their way to a solver: whitened, those of contacts without a detour over a list.

use std::ops::Range;

use glam::DVec3;
use stiction::solvers::ordered::NO_BODY;

use super::prepare::StepBody;
use super::rows::{Assembly, whiten};
use crate::joints::contact::{Contact, Motion};
use crate::objects::row::Setting;
use crate::objects::sides::Sides;

/// A row over the bodies that impulses move.
pub(super) struct Pushed {
    /// Places of the bodies in the step, or [`NO_BODY`].
    pub bodies: [u32; 2],
    pub y: [[f64; 6]; 2],
    /// What the velocities after forces do is taken off.
    pub target: f64,
    /// Γ.
    pub compliance: f64,
    /// Of the impulse; of a row that follows a normal, coefficients.
    pub bounds: [f64; 2],
    /// Row of the normal.
    pub normal: Option<u32>,
}

/// Where rows go.
pub(super) trait Sink {
    fn accept(&mut self, row: &Pushed);
}

/// Puts the rows of some joints into a solver, with the widest registers there are.
pub(super) unsafe fn fill<S: Sink>(
    sink: S,
    assembly: &Assembly,
    joints: Range<usize>,
    bodies: &[StepBody],
    setting: &Setting,
) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        unsafe fn fill_avx2<S: Sink>(
            sink: S,
            assembly: &Assembly,
            joints: Range<usize>,
            bodies: &[StepBody],
            setting: &Setting,
        ) {
            push(sink, assembly, joints, bodies, setting);
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            return fill_avx2(sink, assembly, joints, bodies, setting);
        }
    }
    push(sink, assembly, joints, bodies, setting);
}

#[inline(always)]
unsafe fn push<S: Sink>(
    mut sink: S,
    assembly: &Assembly,
    joints: Range<usize>,
    bodies: &[StepBody],
    setting: &Setting,
) {
    for joint in &assembly.joints[joints] {
        let first = joint.rows.start as u32;
        match (&joint.kept, Contact::of(&*joint.joint)) {
            (Some(kept), _) => {
                for row in &assembly.rows[kept.clone()] {
                    let whitened = whiten(row, &joint.sides, bodies);
                    sink.accept(&Pushed {
                        bodies: whitened.bodies.map(|body| body.unwrap_or(NO_BODY)),
                        y: whitened.y,
                        target: whitened.target,
                        compliance: row.compliance,
                        bounds: row.bounds,
                        normal: row.normal.map(|normal| first + normal),
                    });
                }
            }
            (None, Some(contact)) => {
                push_contact(&mut sink, &contact, first, &joint.sides, bodies, setting);
            }
            (None, None) => {}
        }
    }
}

/// The world as a body.
const STILL: Motion = Motion { position: DVec3::ZERO, linear: DVec3::ZERO, angular: DVec3::ZERO };

#[inline(always)]
unsafe fn push_contact<S: Sink>(
    sink: &mut S,
    contact: &Contact,
    first: u32,
    sides: &Sides,
    bodies: &[StepBody],
    setting: &Setting,
) {
    let of = |side: usize| sides.bodies[side].as_ref().map(|body| (body.index, &bodies[body.index as usize]));
    let steps = [of(0), of(1)];
    let motions = steps.map(|step| step.map_or(STILL, |(_, step)| step.start));
    let described = contact.describe(setting, &motions, sides.sign());
    let places = steps.map(|step| step.filter(|(_, step)| step.is_dynamic()).map_or(NO_BODY, |(index, _)| index));
    for row in described.rows() {
        let mut target = row.target;
        let mut y = [[0.0; 6]; 2];
        let mut is_finite = row.axis.is_finite() && target.is_finite();
        for side in 0..2 {
            let Some((_, step)) = steps[side] else { continue };
            let sign = if side == 0 { 1.0 } else { -1.0 };
            let (linear, angular) = if row.is_rotation {
                (DVec3::ZERO, row.axis * sign)
            } else {
                (row.axis * sign, described.arms[side].cross(row.axis) * sign)
            };
            target -= linear.dot(step.linear) + angular.dot(step.angular);
            is_finite &= angular.is_finite();
            y[side] = step.whiten(linear, angular);
        }
        let (compliance, normal) = (row.cfm / setting.step, row.follows.then_some(first));
        // A contact with a number that is none, of a body that has one, asks for nothing.
        sink.accept(&if is_finite {
            Pushed { bodies: places, y, target, compliance, bounds: row.bounds(setting.step), normal }
        } else {
            Pushed { bodies: [NO_BODY; 2], y: [[0.0; 6]; 2], target: 0.0, compliance, bounds: [0.0; 2], normal }
        });
    }
}
