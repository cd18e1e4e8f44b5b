//! A row as a joint gives it: Jacobian and softness are the engine's, right side, bounds and order ODE's.

use glam::DVec3;
use stiction::contact::compliance::erp_cfm;
use stiction::joints::parts::{PartRow, point};
use stiction::joints::{JointContext, JointRow, hold};

use super::sides::Sides;
use super::world::World;

/// One constraint row: `J v⁺ + Γ λ = b` with impulses λ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Linear part of each body.
    pub linear: [DVec3; 2],
    /// Angular part of each body.
    pub angular: [DVec3; 2],
    /// Right side b.
    pub target: f64,
    /// Γ.
    pub compliance: f64,
    /// Bounds of the impulse; for a row that follows a normal, of the coefficient.
    pub bounds: [f64; 2],
    /// Number of the normal row, in the joint, whose impulse the bounds follow.
    pub normal: Option<u32>,
}

/// What a joint asks of the world.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    /// Step \[s\].
    pub step: f64,
    /// Steps a second.
    pub rate: f64,
    pub erp: f64,
    pub cfm: f64,
    /// `dWorldSetContactSurfaceLayer`.
    pub surface_layer: f64,
    /// `dWorldSetContactMaxCorrectingVel`.
    pub max_correcting_velocity: f64,
}

impl Setting {
    /// Of a world's step.
    pub(crate) fn of(world: &World, h: f64) -> Self {
        Self {
            step: h,
            rate: 1.0 / h,
            erp: world.erp.into(),
            cfm: world.cfm.into(),
            surface_layer: world.surface_layer.into(),
            max_correcting_velocity: world.max_correcting_velocity.into(),
        }
    }
}

/// What a joint is asked with, and where its rows go.
pub(crate) struct Rows<'a> {
    pub out: &'a mut Vec<Row>,
    /// Rows on their way from the engine.
    pub scratch: &'a mut Vec<JointRow>,
    pub setting: Setting,
}

impl Rows<'_> {
    /// Adds a row as it is.
    pub(crate) fn push(&mut self, row: Row) -> &mut Row {
        self.out.push(row);
        let last = self.out.len() - 1;
        &mut self.out[last]
    }

    /// Adds a row of the engine.
    pub(crate) fn accept(&mut self, row: &JointRow) -> &mut Row {
        self.push(Row {
            linear: [row.linear, -row.linear],
            angular: [row.angular[0], row.angular[1]],
            target: row.target,
            compliance: row.compliance,
            bounds: row.bounds,
            normal: None,
        })
    }

    /// A row that holds a part's error at zero, with the world's softness.
    pub(crate) fn hold(&mut self, part: PartRow) -> &mut Row {
        self.hold_with(part, self.setting.erp, self.setting.cfm)
    }

    /// The same with a softness of its own.
    pub(crate) fn hold_with(&mut self, part: PartRow, erp: f64, cfm: f64) -> &mut Row {
        self.accept(&hold(part, erp_cfm(erp, cfm, self.setting.step), self.setting.step))
    }

    /// Three rows along the axes of the world that hold two points together.
    pub(crate) fn point(&mut self, sides: &Sides, anchors: [DVec3; 2], erp: f64, cfm: f64) {
        let arms = sides.arms(anchors);
        for part in point(arms[0].into(), arms[1].into(), sides.separation(arms).into()) {
            self.hold_with(part, erp, cfm);
        }
    }

    /// What the engine's axes are asked with.
    pub(crate) fn context(&self) -> JointContext {
        let Setting { step, erp, cfm, .. } = self.setting;
        JointContext { step, erp, cfm, spook: None, positions: [0.0; 3] }
    }
}
