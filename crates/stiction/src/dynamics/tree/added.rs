//! Inertia that moves with a link and is no mass of it: of the fluid around it (Lamb, *Hydrodynamics*, 1932, §124).
//!
//! With its matrix A (symmetric, from twists to momenta) the link needs the wrench `A a + v ×* A v` more for the acceleration a at
//! the twist v. Gravity does not act on it, and it is no part of sums over masses.

use glam::{DMat3, DVec3};

use super::factor::ArticulatedInertia;
use super::kinematics::Kinematics;
use super::spatial::{ForceVector, MotionVector};
use super::structure::Tree;

/// Added inertia of a link about a point of it, in its axes: `f = M v + C ω`, `n = Cᵀ v + I ω`.
#[derive(Clone, Copy, Debug)]
pub(super) struct AddedInertia {
    link: usize,
    point: DVec3,
    mass: DMat3,
    coupling: DMat3,
    inertia: DMat3,
}

impl AddedInertia {
    /// In the world at the origin of the spatial vectors.
    fn placed(&self, kin: &Kinematics) -> ArticulatedInertia {
        let rotation = kin.rotations[self.link + 1];
        let back = rotation.transpose();
        let [m, c, i] = [self.mass, self.coupling, self.inertia].map(|block| rotation * block * back);
        let r = kin.poses[self.link + 1].position + rotation * self.point - kin.origin;
        let cross =
            DMat3::from_cols(DVec3::new(0.0, r.z, -r.y), DVec3::new(-r.z, 0.0, r.x), DVec3::new(r.y, -r.x, 0.0));
        let about = c - m * cross;
        ArticulatedInertia::new(i + cross * about - c.transpose() * cross, about.transpose(), m)
    }
}

impl Tree {
    /// Adds an inertia to a link, about a point of it and in its axes: a symmetric matrix from the velocity of the point and the
    /// angular velocity to momenta, linear parts first.
    pub(crate) fn add_inertia(&mut self, link: usize, point: DVec3, matrix: &[[f64; 6]; 6]) {
        let block = |rows: usize, columns: usize| {
            let column = |j: usize| DVec3::from_array(std::array::from_fn(|i| matrix[rows + i][columns + j]));
            DMat3::from_cols(column(0), column(1), column(2))
        };
        self.added.push(AddedInertia { link, point, mass: block(0, 0), coupling: block(0, 3), inertia: block(3, 3) });
        // The closed form of a lone link knows its own mass only.
        self.lone = None;
    }

    /// Has links with added inertia.
    pub(crate) fn has_added_inertia(&self) -> bool {
        !self.added.is_empty()
    }

    /// Added inertias at the present poses; `kin` keeps them by link.
    pub(super) fn place_added(&self, kin: &mut Kinematics) {
        kin.added.clear();
        if self.added.is_empty() {
            return;
        }
        kin.added.resize(self.links.len(), None);
        for added in &self.added {
            kin.added[added.link] = Some(added.placed(kin));
        }
    }
}

impl Kinematics {
    /// The wrench that the added inertia of a link needs for an acceleration.
    pub(super) fn added_need(&self, link: usize, acceleration: &MotionVector) -> ForceVector {
        let Some(Some(added)) = self.added.get(link) else { return ForceVector::ZERO };
        let twist = &self.twists[link + 1];
        ForceVector(added.apply(&acceleration.0)) + twist.cross_force(&ForceVector(added.apply(&twist.0)))
    }

    /// Kinetic energy of what moves with the links and is no mass of them \[J\].
    pub(crate) fn added_energy(&self) -> f64 {
        let links = self.added.iter().zip(self.twists.iter().skip(1));
        links.filter_map(|(added, twist)| Some(0.5 * twist.dot(&ForceVector(added.as_ref()?.apply(&twist.0))))).sum()
    }
}
