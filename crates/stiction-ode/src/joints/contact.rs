//! Contact: a normal row, friction along two tangents, rolling and spinning friction.

use glam::DVec3;
use stiction::joints::parts::{between, spin};

use super::{Joint, Rows, Sides};
use crate::objects::row::Setting;
use crate::rotation::across;
use crate::types::{dContact, vector};

/// Bits of `dSurfaceParameters.mode`.
pub(crate) mod mode {
    pub(crate) const AXIS_DEPENDENT: i32 = 1;
    pub(crate) const FDIR1: i32 = 2;
    pub(crate) const BOUNCE: i32 = 4;
    pub(crate) const SOFT_ERP: i32 = 8;
    pub(crate) const SOFT_CFM: i32 = 16;
    pub(crate) const MOTION1: i32 = 32;
    pub(crate) const MOTION2: i32 = 64;
    pub(crate) const MOTION_N: i32 = 128;
    pub(crate) const SLIP1: i32 = 256;
    pub(crate) const SLIP2: i32 = 512;
    pub(crate) const ROLLING: i32 = 1024;
    pub(crate) const APPROX1_1: i32 = 4096;
    pub(crate) const APPROX1_2: i32 = 8192;
    pub(crate) const APPROX1_N: i32 = 16384;
}

/// The contact that a contact joint was made with.
#[derive(Clone, Copy)]
pub(crate) struct Contact<'a>(&'a dContact);

impl<'a> Contact<'a> {
    /// The contact of a joint, if it is one.
    #[inline(always)]
    pub(crate) fn of(joint: &'a Joint) -> Option<Self> {
        joint.contact().map(Self)
    }
}

impl std::ops::Deref for Contact<'_> {
    type Target = dContact;

    #[inline(always)]
    fn deref(&self) -> &dContact {
        self.0
    }
}

/// Position and velocities of a body; all zero for the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    pub position: DVec3,
    pub linear: DVec3,
    pub angular: DVec3,
}

/// A row of a contact: along an axis at the point of contact, or about it.
#[derive(Clone, Copy)]
pub(crate) struct ContactRow {
    pub axis: DVec3,
    pub is_rotation: bool,
    pub target: f64,
    pub cfm: f64,
    pub low: f64,
    pub high: f64,
    /// The bounds are coefficients of the normal force.
    pub follows: bool,
}

impl ContactRow {
    const EMPTY: Self = Self {
        axis: DVec3::ZERO,
        is_rotation: true,
        target: 0.0,
        cfm: 0.0,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        follows: false,
    };

    /// Bounds of the impulse, or the coefficients.
    #[inline(always)]
    pub(crate) fn bounds(&self, step: f64) -> [f64; 2] {
        let scale = if self.follows { 1.0 } else { step };
        [self.low * scale, self.high * scale]
    }
}

/// Rows of a contact: the normal first.
pub(crate) struct ContactRows {
    list: [ContactRow; 6],
    count: usize,
    /// From the centre of each body to the point of contact.
    pub arms: [DVec3; 2],
}

impl ContactRows {
    pub(crate) fn rows(&self) -> &[ContactRow] {
        &self.list[..self.count]
    }

    #[inline(always)]
    fn push(&mut self, row: ContactRow) {
        self.list[self.count] = row;
        self.count += 1;
    }
}

impl Contact<'_> {
    fn has(&self, bit: i32) -> bool {
        self.surface.mode & bit != 0
    }

    /// Coefficients of friction along the two tangents.
    fn friction(&self) -> [f64; 2] {
        let surface = &self.surface;
        [surface.mu.into(), if self.has(mode::AXIS_DEPENDENT) { surface.mu2.into() } else { surface.mu.into() }]
    }

    /// Coefficients of rolling friction about the two tangents and of spinning about the normal.
    fn rolling(&self) -> [f64; 3] {
        let surface = &self.surface;
        if !self.has(mode::ROLLING) {
            [-1.0; 3]
        } else if self.has(mode::AXIS_DEPENDENT) {
            [surface.rho.into(), surface.rho2.into(), surface.rhoN.into()]
        } else {
            [surface.rho.into(); 3]
        }
    }

    /// Number of rows: a rolling coefficient of zero has one, a coefficient of friction of zero has none.
    pub(crate) fn row_count(&self) -> usize {
        let friction = self.friction().iter().filter(|&&mu| mu > 0.0).count();
        1 + friction + self.rolling().iter().filter(|&&rho| rho >= 0.0).count()
    }

    /// The rows between two bodies, of which the second may be the world. `sign` is −1 where the program named the world
    /// first.
    #[inline(always)]
    pub(crate) fn describe(&self, setting: &Setting, motions: &[Motion; 2], sign: f64) -> ContactRows {
        let surface = &self.surface;
        let geom = &self.geom;
        let normal = vector(&geom.normal) * sign;
        let position = vector(&geom.pos);
        let arms = [position - motions[0].position, position - motions[1].position];
        let mut out = ContactRows { list: [ContactRow::EMPTY; 6], count: 0, arms };
        let along = ContactRow { is_rotation: false, cfm: setting.cfm, ..ContactRow::EMPTY };

        let erp = if self.has(mode::SOFT_ERP) { f64::from(surface.soft_erp) } else { setting.erp };
        let depth = (f64::from(geom.depth) - setting.surface_layer).max(0.0);
        let motion = if self.has(mode::MOTION_N) { f64::from(surface.motionN) } else { 0.0 };
        let mut target = (setting.rate * erp * depth + motion).min(setting.max_correcting_velocity);
        if self.has(mode::BOUNCE) && surface.bounce_vel >= 0.0 {
            let speed = |side: usize| normal.dot(motions[side].linear + motions[side].angular.cross(arms[side]));
            let incoming = motion - (speed(0) - speed(1));
            // The rebound replaces the correction where it is larger; the cap on correction does not hold for it.
            if incoming > f64::from(surface.bounce_vel) {
                target = target.max(f64::from(surface.bounce) * incoming + motion);
            }
        }
        let cfm = if self.has(mode::SOFT_CFM) { surface.soft_cfm.into() } else { setting.cfm };
        out.push(ContactRow { axis: normal, target, cfm, low: 0.0, ..along });

        let tangents = if self.has(mode::FDIR1) {
            // As given: not brought to unit length, not made perpendicular.
            let first = vector(&self.fdir1);
            [first, normal.cross(first)]
        } else {
            across(normal)
        };
        let follows = [mode::APPROX1_1, mode::APPROX1_2, mode::APPROX1_N].map(|bit| self.has(bit));
        let motions = [(mode::MOTION1, surface.motion1), (mode::MOTION2, surface.motion2)];
        let slips = [(mode::SLIP1, surface.slip1), (mode::SLIP2, surface.slip2)];
        let friction = self.friction();
        for k in 0..2 {
            if friction[k] > 0.0 {
                let target = if self.has(motions[k].0) { motions[k].1.into() } else { 0.0 };
                let cfm = if self.has(slips[k].0) { slips[k].1.into() } else { setting.cfm };
                let (low, high) = (-friction[k], friction[k]);
                out.push(ContactRow { axis: tangents[k], target, cfm, low, high, follows: follows[k], ..along });
            }
        }
        if self.has(mode::ROLLING) {
            let coefficients = self.rolling();
            let axes = [tangents[0], tangents[1], normal];
            let about = ContactRow { cfm: setting.cfm, ..ContactRow::EMPTY };
            for k in 0..3 {
                if coefficients[k] > 0.0 {
                    let (low, high) = (-coefficients[k], coefficients[k]);
                    out.push(ContactRow { axis: axes[k], low, high, follows: follows[k], ..about });
                }
            }
            // A coefficient of exactly zero leaves a row in the system that touches nothing; it counts in the order of rows.
            for _ in coefficients.iter().filter(|&&rho| rho == 0.0) {
                out.push(about);
            }
        }
        out
    }

    pub(crate) fn rows(&self, sides: &Sides, rows: &mut Rows) {
        let motions = [0, 1].map(|side| Motion {
            position: sides.position(side),
            linear: sides.linear_velocity(side),
            angular: sides.angular_velocity(side),
        });
        let step = rows.setting.step;
        let described = self.describe(&rows.setting, &motions, sides.sign());
        for contact in described.rows() {
            let axis = contact.axis;
            let mut part = spin(axis.into(), 0.0);
            if !contact.is_rotation {
                let [first, second] = described.arms;
                part = between(axis.into(), first.into(), second.into(), DVec3::ZERO.into());
            }
            let row = rows.hold_with(part, 0.0, contact.cfm);
            row.target = contact.target;
            row.bounds = contact.bounds(step);
            row.normal = contact.follows.then_some(0);
        }
    }
}
