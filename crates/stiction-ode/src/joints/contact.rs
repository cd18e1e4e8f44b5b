//! Contact: a normal row, friction along two tangents, rolling and spinning friction.

use glam::DVec3;

use super::row::across;
use super::{Rows, Sides};
use crate::types::{dContact, vector};

/// Bits of `dSurfaceParameters.mode`.
mod mode {
    pub(super) const AXIS_DEPENDENT: i32 = 1;
    pub(super) const FDIR1: i32 = 2;
    pub(super) const BOUNCE: i32 = 4;
    pub(super) const SOFT_ERP: i32 = 8;
    pub(super) const SOFT_CFM: i32 = 16;
    pub(super) const MOTION1: i32 = 32;
    pub(super) const MOTION2: i32 = 64;
    pub(super) const MOTION_N: i32 = 128;
    pub(super) const SLIP1: i32 = 256;
    pub(super) const SLIP2: i32 = 512;
    pub(super) const ROLLING: i32 = 1024;
    pub(super) const APPROX1_1: i32 = 4096;
    pub(super) const APPROX1_2: i32 = 8192;
    pub(super) const APPROX1_N: i32 = 16384;
}

/// A contact joint has the contact that it was made with.
pub(crate) struct Contact {
    pub contact: dContact,
}

impl Contact {
    pub(crate) fn rows(&mut self, sides: &Sides, rows: &mut Rows) {
        let surface = self.contact.surface;
        let geom = &self.contact.geom;
        let has = |bit: i32| surface.mode & bit != 0;
        let normal = vector(&geom.normal) * sides.sign();
        let position = vector(&geom.pos);
        let arms = [position - sides.position(0), position - sides.position(1)];
        let first = rows.out.len();

        let erp = if has(mode::SOFT_ERP) { f64::from(surface.soft_erp) } else { rows.erp };
        let depth = (f64::from(geom.depth) - rows.surface_layer).max(0.0);
        let motion = if has(mode::MOTION_N) { f64::from(surface.motionN) } else { 0.0 };
        let mut target = (rows.rate * erp * depth + motion).min(rows.max_correcting_velocity);
        let row = rows.along(normal, arms, 0.0);
        row.low = 0.0;
        if has(mode::SOFT_CFM) {
            row.cfm = surface.soft_cfm.into();
        }
        if has(mode::BOUNCE) && surface.bounce_vel >= 0.0 {
            let angular = row.angular;
            let outgoing = normal.dot(sides.linear_velocity(0) - sides.linear_velocity(1))
                + angular[0].dot(sides.angular_velocity(0))
                + if sides.has(1) { angular[1].dot(sides.angular_velocity(1)) } else { 0.0 };
            let incoming = motion - outgoing;
            // The rebound replaces the correction where it is larger; the cap on correction does not hold for it.
            if incoming > f64::from(surface.bounce_vel) {
                target = target.max(f64::from(surface.bounce) * incoming + motion);
            }
        }
        row.target = target;

        let tangents = if has(mode::FDIR1) {
            // As given: not brought to unit length, not made perpendicular.
            let first = vector(&self.contact.fdir1);
            [first, normal.cross(first)]
        } else {
            across(normal)
        };
        let mu = f64::from(surface.mu);
        let friction = [mu, if has(mode::AXIS_DEPENDENT) { f64::from(surface.mu2) } else { mu }];
        let approximation = [mode::APPROX1_1, mode::APPROX1_2, mode::APPROX1_N];
        let motions = [(mode::MOTION1, surface.motion1), (mode::MOTION2, surface.motion2)];
        let slips = [(mode::SLIP1, surface.slip1), (mode::SLIP2, surface.slip2)];
        for k in 0..2 {
            if friction[k] > 0.0 {
                let target = if has(motions[k].0) { f64::from(motions[k].1) } else { 0.0 };
                let row = rows.along(tangents[k], arms, target);
                if has(slips[k].0) {
                    row.cfm = slips[k].1.into();
                }
                (row.low, row.high) = (-friction[k], friction[k]);
                row.normal = has(approximation[k]).then_some(0);
            }
        }
        if has(mode::ROLLING) {
            let rho = f64::from(surface.rho);
            let coefficients =
                if has(mode::AXIS_DEPENDENT) { [rho, surface.rho2.into(), surface.rhoN.into()] } else { [rho; 3] };
            self.rolling(&coefficients, &[tangents[0], tangents[1], normal], &approximation, first, rows);
        }
    }

    fn rolling(&self, coefficients: &[f64; 3], axes: &[DVec3; 3], follows: &[i32; 3], first: usize, rows: &mut Rows) {
        let mut empty = 0;
        for k in 0..3 {
            if coefficients[k] > 0.0 {
                let row = rows.about(axes[k], 0.0);
                (row.low, row.high) = (-coefficients[k], coefficients[k]);
                row.normal = (self.contact.surface.mode & follows[k] != 0).then_some(0);
            } else if coefficients[k] == 0.0 {
                empty += 1;
            }
        }
        // A coefficient of exactly zero leaves a row in the system that touches nothing; it counts in the order of rows.
        for _ in 0..empty {
            rows.push([DVec3::ZERO; 2], [DVec3::ZERO; 2], 0.0);
        }
        debug_assert!(rows.out.len() - first <= 6);
    }
}
