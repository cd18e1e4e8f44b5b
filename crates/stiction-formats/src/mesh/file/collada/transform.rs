//! Transforms of nodes: `<matrix>`, `<translate>`, `<rotate>`, `<scale>`, `<lookat>` and `<skew>`, in their order.

use roxmltree::Node;
use stiction::math::{DMat3, DQuat, DVec3};

use super::document::Document;
use crate::mesh::file::error::{Fault, MeshProblem};

/// `x ↦ linear x + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    pub(super) linear: DMat3,
    pub(super) offset: DVec3,
}

impl Affine {
    pub(super) const IDENTITY: Self = Self { linear: DMat3::IDENTITY, offset: DVec3::ZERO };

    pub(super) fn point(&self, p: DVec3) -> DVec3 {
        self.linear * p + self.offset
    }

    /// First `inner`, then this one.
    pub(super) fn compose(&self, inner: &Self) -> Self {
        Self { linear: self.linear * inner.linear, offset: self.point(inner.offset) }
    }

    fn linear(linear: DMat3) -> Self {
        Self { linear, offset: DVec3::ZERO }
    }

    /// The sixteen numbers of a matrix, row by row.
    fn of_rows(m: &[f64]) -> Self {
        let column = |i: usize| DVec3::new(m[i], m[4 + i], m[8 + i]);
        Self { linear: DMat3::from_cols(column(0), column(1), column(2)), offset: column(3) }
    }
}

/// The product of the transforms that a node has.
pub(super) fn of_node(document: &Document<'_, '_>, node: Node<'_, '_>) -> Result<Affine, Fault> {
    let mut whole = Affine::IDENTITY;
    for child in node.children().filter(Node::is_element) {
        let expected = match child.tag_name().name() {
            "matrix" => 16,
            "translate" | "scale" => 3,
            "rotate" => 4,
            "lookat" => 9,
            "skew" => 7,
            _ => continue,
        };
        whole = whole.compose(&of_numbers(document, child, expected)?);
    }
    Ok(whole)
}

/// One transform of so many numbers.
pub(super) fn of_numbers(document: &Document<'_, '_>, node: Node<'_, '_>, count: usize) -> Result<Affine, Fault> {
    let mut n = Vec::new();
    document.reals(node, &mut n)?;
    if n.len() != count {
        let found = format!("{}", n.len());
        return Err(document.fault(node, MeshProblem::unexpected("the numbers of a transform", &found)));
    }
    let vector = |i: usize| DVec3::new(n[i], n[i + 1], n[i + 2]);
    Ok(match node.tag_name().name() {
        "translate" => Affine { offset: vector(0), ..Affine::IDENTITY },
        "scale" => Affine::linear(DMat3::from_diagonal(vector(0))),
        "rotate" => {
            let axis = vector(0).try_normalize();
            let turn = axis.map_or(DQuat::IDENTITY, |axis| DQuat::from_axis_angle(axis, n[3].to_radians()));
            Affine::linear(DMat3::from_quat(turn))
        }
        "lookat" => look_at(vector(0), vector(3), vector(6)),
        "skew" => skew(n[0].to_radians(), vector(1), vector(4)),
        _ => Affine::of_rows(&n),
    })
}

/// The frame of an eye that looks along −z, y up.
fn look_at(eye: DVec3, target: DVec3, up: DVec3) -> Affine {
    let back = (eye - target).try_normalize().unwrap_or(DVec3::Z);
    let right = up.cross(back).try_normalize().unwrap_or(DVec3::X);
    Affine { linear: DMat3::from_cols(right, back.cross(right), back), offset: eye }
}

/// RenderMan's skew: turns the second axis towards the first by an angle, and shears what is between:
/// `x ↦ x + tan θ (n·x) a`, with `a` the unit vector along the first axis and `n` the unit part of the second one across it.
fn skew(angle: f64, along: DVec3, from: DVec3) -> Affine {
    let a = along.try_normalize().unwrap_or(DVec3::X);
    let Some(n) = (from - a * from.dot(a)).try_normalize() else { return Affine::IDENTITY };
    let slope = libm::tan(angle);
    Affine::linear(DMat3::from_cols(
        DVec3::X + a * (slope * n.x),
        DVec3::Y + a * (slope * n.y),
        DVec3::Z + a * (slope * n.z),
    ))
}
