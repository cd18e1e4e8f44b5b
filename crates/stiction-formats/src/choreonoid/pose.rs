//! `translation` and `rotation` of links and of nodes.

use stiction::math::{DMat3, DQuat, DVec3, Pose};

use crate::sdf::report::Report;
use crate::yaml::Node;

use super::fields::Fields;

/// Radians per unit of angle.
#[derive(Clone, Copy, Debug)]
pub(super) struct AngleUnit(pub(super) f64);

impl AngleUnit {
    pub(super) const DEGREE: Self = Self(core::f64::consts::PI / 180.0);
    pub(super) const RADIAN: Self = Self(1.0);
}

/// Pose of a mapping in what holds it: `translation`, and `rotation` (axis and angle) or `rpy`. Lists of them are summed
/// and multiplied, the first on the left.
pub(super) fn read(fields: &Fields<'_>, unit: AngleUnit, report: &mut Report) -> Pose {
    let translation = translation(fields, report);
    let rotation = rotation(fields, unit, report).or_else(|| {
        let [roll, pitch, yaw] = fields.numbers::<3>("rpy", report)?.map(|angle| angle * unit.0);
        let about = DQuat::from_axis_angle;
        Some(about(DVec3::Z, yaw) * about(DVec3::Y, pitch) * about(DVec3::X, roll))
    });
    Pose { position: translation, rotation: rotation.unwrap_or(DQuat::IDENTITY) }
}

/// The node's items where it is a list of lists, else the node alone.
fn each(node: &Node) -> Vec<&Node> {
    match node.items() {
        Some(items) if items.first().is_some_and(|item| item.items().is_some()) => items.iter().map(|i| &**i).collect(),
        _ => vec![node],
    }
}

fn translation(fields: &Fields<'_>, report: &mut Report) -> DVec3 {
    let Some(node) = fields.get("translation") else { return DVec3::ZERO };
    let parts: Option<Vec<[f64; 3]>> = each(node).into_iter().map(|n| n.numbers()?.try_into().ok()).collect();
    match parts {
        Some(parts) => parts.into_iter().map(DVec3::from_array).sum(),
        None => {
            fields.refuse("translation", "a list of 3 finite numbers", report);
            DVec3::ZERO
        }
    }
}

fn rotation(fields: &Fields<'_>, unit: AngleUnit, report: &mut Report) -> Option<DQuat> {
    let parts: Option<Vec<DQuat>> = each(fields.get("rotation")?)
        .into_iter()
        .map(|node| {
            let [x, y, z, angle] = node.numbers()?.try_into().ok()?;
            let axis = DVec3::new(x, y, z).try_normalize().or((angle == 0.0).then_some(DVec3::Z))?;
            Some(DQuat::from_axis_angle(axis, angle * unit.0))
        })
        .collect();
    if parts.is_none() {
        fields.refuse("rotation", "an axis and an angle, [ x, y, z, angle ]", report);
    }
    Some(parts?.into_iter().fold(DQuat::IDENTITY, |whole, part| whole * part))
}

/// The rotation of a matrix given by rows; `None` if it is no rotation to 1e-4.
pub(super) fn of_rows(rows: [f64; 9]) -> Option<DQuat> {
    let matrix = DMat3::from_cols_array(&rows).transpose();
    let error = matrix * matrix.transpose() - DMat3::IDENTITY;
    let largest = error.to_cols_array().into_iter().fold(0.0_f64, |largest, e| largest.max(libm::fabs(e)));
    (largest <= 1e-4 && matrix.determinant() > 0.0).then(|| DQuat::from_mat3(&matrix).normalize())
}
