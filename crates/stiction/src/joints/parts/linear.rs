//! Rows of points: `p₁ − p₂` along given directions.

use super::PartRow;
use crate::math::V3;

/// The anchors coincide: `g = p₁ − p₂` along the world's axes.
///
/// `ġ = v₁ + ω₁ × r₁ − v₂ − ω₂ × r₂`, with the arms r from the centres of mass to each body's own anchor.
#[inline(always)]
pub fn point(arm_first: V3, arm_second: V3, separation: V3) -> [PartRow; 3] {
    let axes = [V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0)];
    axes.map(|axis| PartRow {
        linear: axis,
        angular_first: arm_first.cross(axis),
        angular_second: axis.cross(arm_second),
        error: axis.dot(separation),
    })
}

/// Displacement of the first body's anchor along a direction `d` that turns with the second body: `g = d · (p₁ − p₂)`.
///
/// The second body's arm reaches to the first body's anchor, since d turns with it:
/// `ġ = d·(v₁ + ω₁ × r₁ − v₂ − ω₂ × (r₂ + p₁ − p₂))`.
#[inline(always)]
pub fn along(direction: V3, arm_first: V3, arm_second: V3, separation: V3) -> PartRow {
    PartRow {
        linear: direction,
        angular_first: arm_first.cross(direction),
        angular_second: direction.cross(arm_second + separation),
        error: direction.dot(separation),
    }
}

/// Displacement of the first body's anchor along a direction `d` that turns with the first body: `g = d · (p₁ − p₂)`.
///
/// The first body's arm reaches to the second body's anchor, since d turns with it:
/// `ġ = d·(v₁ + ω₁ × (r₁ − p₁ + p₂) − v₂ − ω₂ × r₂)`.
#[inline(always)]
pub fn along_first(direction: V3, arm_first: V3, arm_second: V3, separation: V3) -> PartRow {
    PartRow {
        linear: direction,
        angular_first: (arm_first - separation).cross(direction),
        angular_second: direction.cross(arm_second),
        error: direction.dot(separation),
    }
}

/// Displacement of the first body's anchor along a direction `d`, of which the turning does not count:
/// `ġ = d·(v₁ + ω₁ × r₁ − v₂ − ω₂ × r₂)`. Exact for directions of the world, and for d along `p₁ − p₂`, whose length it
/// then is, since its own turning is across it.
#[inline(always)]
pub fn between(direction: V3, arm_first: V3, arm_second: V3, separation: V3) -> PartRow {
    PartRow {
        linear: direction,
        angular_first: arm_first.cross(direction),
        angular_second: direction.cross(arm_second),
        error: direction.dot(separation),
    }
}
