//! Which joints can be: bodies, axes and numbers of a definition, checked and normalised.

use glam::DVec3;

use super::World;
use crate::joints::{JointDefinition, JointError, JointKind, Wheels, plane_2d, transmission};
use crate::math::{V3, plane_space};

impl World {
    /// The definition with unit axes, and with what its kind sets itself.
    pub(super) fn checked(&self, mut definition: JointDefinition) -> Result<JointDefinition, JointError> {
        let ends = [definition.bodies[0], definition.bodies[1], definition.reference];
        for (index, body) in ends.iter().enumerate() {
            if body.is_some_and(|b| self.bodies.get(b).is_none()) {
                return Err(JointError::UnknownBody { index });
            }
        }
        if definition.bodies[0] == definition.bodies[1] {
            return Err(JointError::SameBody);
        }
        if matches!(definition.kind, JointKind::Hinge2 | JointKind::Transmission { .. })
            && definition.bodies.contains(&None)
        {
            return Err(JointError::NeedsTwoBodies);
        }
        if definition.kind == JointKind::Plane2D {
            let [Some(body), None] = definition.bodies else { return Err(JointError::NeedsEnvironment) };
            definition.anchor = self.state.bodies[body.slot()].motion.position;
            definition.second_anchor = None;
            definition.axes = plane_2d::AXES;
        }
        if let JointKind::LinearMotor { count, .. } = definition.kind
            && count > 3
        {
            let found = count as f64;
            return Err(JointError::Value { what: "number of axes", found, expected: "at most 3" });
        }
        for index in 0..definition.axis_count() {
            let found = definition.axes[index];
            definition.axes[index] = found.try_normalize().ok_or(JointError::Axis { index, found })?;
        }
        let [a, b, _] = definition.axes;
        if definition.kind == JointKind::Planar {
            let along = (b - a * a.dot(b)).try_normalize().unwrap_or_else(|| plane_space(V3::from(a)).0.into());
            definition.axes = [a, along, a.cross(along)];
        }
        let needs_angle = match definition.kind {
            JointKind::Universal | JointKind::Hinge2 | JointKind::PrismaticUniversal => true,
            JointKind::Transmission { wheels } => wheels == Wheels::IntersectingAxes,
            _ => false,
        };
        if needs_angle && a.cross(b).length() < 1e-9 {
            return Err(JointError::ParallelAxes);
        }
        if let JointKind::Transmission { wheels } = definition.kind {
            // A chain and rims that touch outside turn about one common axis.
            definition.axes[1] = if wheels == Wheels::IntersectingAxes { b } else { a };
            let between = definition.second_anchor.unwrap_or(definition.anchor) - definition.anchor;
            let axes = [a, definition.axes[1]];
            definition.axes[2] = transmission::shared_direction(wheels, axes, between).ok_or(JointError::Wheels)?;
        }
        let ratio = match definition.kind {
            JointKind::Screw { pitch } => pitch,
            JointKind::Gearbox { ratio } => ratio,
            JointKind::DoubleBall { distance } | JointKind::DoubleHinge { distance } => distance.unwrap_or(0.0),
            _ => 0.0,
        };
        let second = definition.second_anchor.map_or(0.0, DVec3::length);
        let present: f64 = definition.present_positions.iter().map(|x| x.abs()).sum();
        let numbers = [
            ("pitch, ratio or distance", ratio),
            ("anchor", definition.anchor.length()),
            ("second anchor", second),
            ("present position", present),
        ];
        let sizes = match definition.kind {
            JointKind::DoubleBall { distance } | JointKind::DoubleHinge { distance } => {
                distance.map_or([1.0; 2], |d| [d, 1.0])
            }
            JointKind::Transmission { wheels: Wheels::ParallelAxes { ratio } } => [ratio, 1.0],
            JointKind::Transmission { wheels: Wheels::Chain { radii } } => radii,
            _ => [1.0; 2],
        };
        if let Some(found) = sizes.into_iter().find(|x| !(*x > 0.0 && x.is_finite())) {
            return Err(JointError::Value { what: "ratio, radius or distance", found, expected: "more than 0" });
        }
        for (what, found) in numbers {
            if !found.is_finite() {
                return Err(JointError::Value { what, found, expected: "a finite number" });
            }
        }
        for p in &definition.parameters {
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
        Ok(definition)
    }
}
