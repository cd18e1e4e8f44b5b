//! A row as a joint gives it, in ODE's units: `J v⁺ = c − cfm λ` with forces λ.

use glam::DVec3;

use super::sides::Sides;

/// One constraint row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Linear part of each body.
    pub linear: [DVec3; 2],
    /// Angular part of each body.
    pub angular: [DVec3; 2],
    /// Right side c.
    pub target: f64,
    pub cfm: f64,
    /// Bounds of the force; for a row that follows a normal, of the coefficient.
    pub low: f64,
    pub high: f64,
    /// Number of the normal row, in the joint, whose force the bounds follow.
    pub normal: Option<u32>,
}

/// What a joint is asked with, and where its rows go.
pub(crate) struct Rows<'a> {
    pub out: &'a mut Vec<Row>,
    /// Steps a second.
    pub rate: f64,
    pub erp: f64,
    pub cfm: f64,
    /// `dWorldSetContactSurfaceLayer`.
    pub surface_layer: f64,
    /// `dWorldSetContactMaxCorrectingVel`.
    pub max_correcting_velocity: f64,
}

impl Rows<'_> {
    /// A bilateral row with the world's CFM.
    pub(crate) fn push(&mut self, linear: [DVec3; 2], angular: [DVec3; 2], target: f64) -> &mut Row {
        self.out.push(Row {
            linear,
            angular,
            target,
            cfm: self.cfm,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            normal: None,
        });
        let last = self.out.len() - 1;
        &mut self.out[last]
    }

    /// A row along a direction that acts on each body at an arm from its centre.
    pub(crate) fn along(&mut self, direction: DVec3, arms: [DVec3; 2], target: f64) -> &mut Row {
        self.push([direction, -direction], [arms[0].cross(direction), direction.cross(arms[1])], target)
    }

    /// A row of relative rotation about an axis.
    pub(crate) fn about(&mut self, axis: DVec3, target: f64) -> &mut Row {
        self.push([DVec3::ZERO; 2], [axis, -axis], target)
    }

    /// Three rows along the axes of the world that hold two points together.
    pub(crate) fn point(&mut self, sides: &Sides, anchors: [DVec3; 2], erp: f64, cfm: f64) {
        let arms = [sides.world_vector(0, anchors[0]), sides.world_vector(1, anchors[1])];
        let error = (arms[1] + sides.position(1)) - (arms[0] + sides.position(0));
        let k = self.rate * erp;
        for axis in 0..3 {
            self.along(DVec3::AXES[axis], arms, k * error[axis]).cfm = cfm;
        }
    }

    /// Three rows about the axes of the world that keep `conj(q₁) q₂` at its initial value.
    pub(crate) fn orientation(&mut self, sides: &Sides, initial: glam::DQuat) {
        let error = sides.relative() * initial.conjugate();
        let sign = if error.w < 0.0 { -1.0 } else { 1.0 };
        let turn = sides.world_vector(0, sign * DVec3::new(error.x, error.y, error.z));
        let k = 2.0 * self.rate * self.erp;
        for axis in 0..3 {
            self.about(DVec3::AXES[axis], k * turn[axis]);
        }
    }
}
