//! `<fluid_added_mass>`: inertia of the fluid around a link.

use stiction::math::{DMat3, DVec3};

use crate::description::InertialDescription;
use crate::diagnostic::Diagnostic;

use super::element::Element;
use super::read::Reader;
use super::report::Report;

const AXES: [&str; 6] = ["x", "y", "z", "p", "q", "r"];
/// Larger entries have no meaning, and overflow.
const LARGEST: f64 = 1e15;

type Matrix = [[f64; 6]; 6];

/// The symmetric matrix of an `<inertial>` by its 21 entries; `None` without the element, or where all are 0.
pub(super) fn read(inertial: &Element) -> Option<Box<Matrix>> {
    let element = inertial.child("fluid_added_mass")?;
    let r = Reader::new(Some(element), "inertial/fluid_added_mass");
    let mut matrix = [[0.0; 6]; 6];
    for (i, row) in AXES.iter().enumerate() {
        for (j, column) in AXES.iter().enumerate().skip(i) {
            let value = r.real(&format!("{row}{column}")).value;
            (matrix[i][j], matrix[j][i]) = (value, value);
        }
    }
    matrix.iter().flatten().any(|entry| *entry != 0.0).then(|| Box::new(matrix))
}

/// Link and fluid together must resist every acceleration.
pub(super) fn check(inertial: &mut InertialDescription, element: &Element, report: &mut Report) {
    let Some(added) = &inertial.fluid_added_mass else { return };
    let is_small = added.iter().flatten().all(|entry| entry.abs() <= LARGEST);
    if is_small && is_positive(&total(inertial, added)) {
        return;
    }
    let place = element.child("fluid_added_mass").unwrap_or(element);
    let (message, label) = if is_small {
        ("link and fluid together have no positive inertia: some acceleration needs no force", "not positive definite")
    } else {
        ("the added mass is too large to compute with", "expected at most 1e15")
    };
    let finding = Diagnostic::error("invalid-added-mass", message).at(&place.location).label(label);
    report.add(finding.element(place.path.as_str()));
    inertial.fluid_added_mass = None;
}

/// A link with the mass of fluid of a plugin, `F = −A u̇` by its matrix, resists every acceleration.
pub(super) fn resists(inertial: &InertialDescription, forces: &Matrix) -> bool {
    let added = std::array::from_fn(|i| std::array::from_fn(|j| -0.5 * (forces[i][j] + forces[j][i])));
    is_positive(&total(inertial, &added))
}

/// Spatial inertia of the link about its origin, with that of the fluid.
fn total(inertial: &InertialDescription, added: &Matrix) -> Matrix {
    let [xx, yy, zz, xy, xz, yz] = inertial.inertia.value;
    let local = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let axes = DMat3::from_quat(inertial.pose.rotation);
    let about_center = axes * local * axes.transpose();
    let (m, c) = (inertial.mass.value, inertial.pose.position);
    let cross = DMat3::from_cols(DVec3::new(0.0, c.z, -c.y), DVec3::new(-c.z, 0.0, c.x), DVec3::new(c.y, -c.x, 0.0));
    let about_origin = about_center - m * cross * cross;
    let mut total = *added;
    for i in 0..3 {
        total[i][i] += m;
        for j in 0..3 {
            total[3 + i][3 + j] += about_origin.col(j)[i];
            total[3 + i][j] += m * cross.col(j)[i];
            total[i][3 + j] -= m * cross.col(j)[i];
        }
    }
    total
}

/// Cholesky's factor exists.
fn is_positive(matrix: &Matrix) -> bool {
    let mut factor = [[0.0; 6]; 6];
    for i in 0..6 {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let rest = matrix[i][j] - known;
            if i != j {
                factor[i][j] = rest / factor[j][j];
            } else if rest > 1e-12 * matrix[i][i].abs() {
                factor[i][i] = rest.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}
