//! Inertia against which the spring of an axis works.

use glam::{DMat3, DVec3};

use super::context::Model;
use crate::joints::{AxisMotion, Joint, JointContext, JointPose, JointRow, SpringRule};
use crate::model::{BodyKind, BodyState, WorldParameters};

/// Rows of a joint next to each other: twelve numbers, of its two bodies.
type Row = [f64; 12];
/// Rows at most that hold the bodies of a joint together.
const MOST: usize = 6;
/// What is left of a row after the others, relative to it, below which it says nothing new.
const REDUNDANT: f64 = 1e-12;

/// How the spring along a motion of a joint is taken over a step; `rows` gets the rows that hold the bodies together.
pub(super) fn spring_rule(
    (model, bodies): (&Model, &[BodyState]),
    (joint, pose): (&Joint, &JointPose),
    (axis, motion): (usize, &AxisMotion),
    step: f64,
    rows: &mut Vec<JointRow>,
) -> SpringRule {
    if !model.parameters.springs_keep_energy() {
        return SpringRule::Implicit;
    }
    if joint.definition.parameters[axis].stiffness == 0.0 {
        return SpringRule::KeepsEnergy(f64::INFINITY);
    }
    SpringRule::KeepsEnergy(inertia_of((model, bodies), (joint, pose), motion, step, rows))
}

/// Inertia of the two bodies of a joint along a motion, held together by the joint alone \[kg or kg m²\]; `rows` gets the rows that hold them.
pub(super) fn inertia_of(
    (model, bodies): (&Model, &[BodyState]),
    (joint, pose): (&Joint, &JointPose),
    motion: &AxisMotion,
    step: f64,
    rows: &mut Vec<JointRow>,
) -> f64 {
    let start = rows.len();
    let WorldParameters { erp, cfm, .. } = *model.parameters;
    joint.holding_rows(pose, &JointContext { step, erp, cfm, spook: None, positions: [0.0; 3] }, rows);
    let scales = joint.definition.bodies.map(|id| {
        let body = id.and_then(|id| model.bodies.get(id)).filter(|body| body.kind == BodyKind::Dynamic);
        body.zip(id).map(|(body, id)| {
            let axes = DMat3::from_quat(bodies[id.slot()].motion.rotation * body.mass.axes);
            (body.mass.mass.sqrt().recip(), axes, body.mass.moments.map(|moment| moment.sqrt().recip()))
        })
    });
    let whiten = |linear: DVec3, angular: [DVec3; 2]| -> Row {
        let mut row = [0.0; 12];
        for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
            if let Some((root_mass, axes, root_moments)) = scales[k] {
                row[6 * k..6 * k + 3].copy_from_slice(&(sign * root_mass * linear).to_array());
                row[6 * k + 3..6 * k + 6].copy_from_slice(&(axes.transpose() * angular[k] * root_moments).to_array());
            }
        }
        row
    };
    let mut basis = [[0.0; 12]; MOST];
    let mut count = 0;
    let free_of = |mut row: Row, basis: &[Row]| -> Row {
        for own in basis {
            let share = dot(&row, own);
            row.iter_mut().zip(own).for_each(|(e, own)| *e -= share * own);
        }
        row
    };
    for row in rows[start..].iter().take(MOST) {
        let own = whiten(row.linear, [row.angular[0], row.angular[1]]);
        let left = free_of(own, &basis[..count]);
        let square = dot(&left, &left);
        if square > REDUNDANT * dot(&own, &own) {
            basis[count] = left.map(|e| e / square.sqrt());
            count += 1;
        }
    }
    rows.truncate(start);
    let part = &motion.part;
    let own = whiten(part.linear.into(), [part.angular_first.into(), part.angular_second.into()]);
    let left = free_of(own, &basis[..count]);
    dot(&left, &left).recip()
}

fn dot(a: &Row, b: &Row) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
