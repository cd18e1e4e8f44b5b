//! A free link by itself, in closed form: about its centre of mass nothing is coupled, and no recursion is needed.
//!
//! Newton and Euler, with the inertia I in the axes of the link: `c̈ = f/m`, `ω̇ = R I⁻¹ (Rᵀτ − ω' × I ω')`, `ω' = Rᵀω`;
//! the origin of the link, from which the centre is at `r = R c`, has `p̈ = c̈ − ω̇ × r − ω × (ω × r)`.

use glam::{DMat3, DQuat, DVec3};

use super::coordinates::{read, write};
use super::definition::{LinkDefinition, Mobility};
use super::kinematics::Kinematics;
use super::spatial::{ForceVector, MotionVector};
use super::structure::Tree;
use crate::math::Pose;

/// What the closed form needs of a tree of one free link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoneLink {
    inverse_mass: f64,
    /// Centre of mass in the link.
    center: DVec3,
    /// About the centre, in the axes of the link.
    inertia: DMat3,
    inverse_inertia: DMat3,
}

impl LoneLink {
    /// Of the links of a tree; `None` for a tree of more, and for a link without mass or with an inertia that rounding
    /// can make singular, which the factor has to judge.
    pub(super) fn of(definitions: &[LinkDefinition]) -> Option<Self> {
        let [LinkDefinition { mobility: Mobility::Free, mass, .. }] = definitions else { return None };
        let (moments, _) = mass.principal();
        let is_regular = mass.mass > 0.0 && moments.min_element() > 1e-9 * moments.max_element();
        is_regular.then(|| Self {
            inverse_mass: 1.0 / mass.mass,
            center: mass.center_of_mass,
            inertia: mass.inertia,
            inverse_inertia: mass.inertia.inverse(),
        })
    }

    /// Positions and velocities of a pose of the link, and of the velocity of its centre and its angular velocity.
    pub(crate) fn read(&self, pose: &Pose, velocity: DVec3, omega: DVec3, q: &mut [f64], v: &mut [f64]) {
        let rotation = pose.rotation.normalize();
        q[..3].copy_from_slice(&pose.position.to_array());
        write(&mut q[3..], if rotation.w < 0.0 { -rotation } else { rotation });
        v[..3].copy_from_slice(&(velocity - omega.cross(rotation * self.center)).to_array());
        v[3..].copy_from_slice(&omega.to_array());
    }

    /// Pose and twist of the link, at the origin that `kin` has.
    #[inline]
    pub(crate) fn place(&self, q: &[f64], v: &[f64], kin: &mut Kinematics) {
        let position = DVec3::from_slice(q);
        let rotation: DQuat = read(&q[3..]).normalize();
        kin.poses[1] = Pose::new(position, rotation);
        kin.rotations[1] = DMat3::from_quat(rotation);
        kin.twists[1] = MotionVector::at(position - kin.origin, DVec3::from_slice(&v[3..]), DVec3::from_slice(v));
    }

    /// Accelerations under gravity and a wrench.
    #[inline]
    pub(crate) fn accelerations(&self, kin: &Kinematics, gravity: DVec3, wrench: &ForceVector, out: &mut [f64]) {
        let rotation = &kin.rotations[1];
        let r = *rotation * self.center;
        let moment = wrench.moment_about(kin.poses[1].position + r - kin.origin);
        let omega = kin.twists[1].angular();
        let back = rotation.transpose();
        let spin = back * omega;
        let turning = *rotation * (self.inverse_inertia * (back * moment - spin.cross(self.inertia * spin)));
        let of_center = gravity + wrench.linear() * self.inverse_mass;
        let of_origin = of_center - turning.cross(r) - omega.cross(omega.cross(r));
        out[..3].copy_from_slice(&of_origin.to_array());
        out[3..].copy_from_slice(&turning.to_array());
    }

    /// `n M⁻¹ n` of a unit force `n` at a point of the world.
    #[inline]
    pub(crate) fn inverse_mass_at(&self, kin: &Kinematics, point: DVec3, normal: DVec3) -> f64 {
        let rotation = &kin.rotations[1];
        let lever = point - kin.poses[1].position - *rotation * self.center;
        let turn = rotation.transpose() * lever.cross(normal);
        self.inverse_mass * normal.length_squared() + turn.dot(self.inverse_inertia * turn)
    }
}

impl Tree {
    /// The closed form of a tree that is one free link.
    #[inline]
    pub(crate) fn lone(&self) -> Option<&LoneLink> {
        self.lone.as_ref()
    }

    /// Memory for the links, and the origin of their spatial vectors; nothing is placed.
    pub(crate) fn set_origin(&self, origin: DVec3, kin: &mut Kinematics) {
        kin.fit(self);
        kin.origin = origin;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::tree::{BaseMotion, Factor, Loads, Scratch};
    use crate::shape::MassProperties;

    #[test]
    fn the_closed_form_is_that_of_the_recursions() {
        let inertia =
            DMat3::from_cols(DVec3::new(0.4, 0.02, 0.01), DVec3::new(0.02, 0.5, -0.03), DVec3::new(0.01, -0.03, 0.3));
        let mass = MassProperties { mass: 2.5, center_of_mass: DVec3::new(0.1, -0.2, 0.3), inertia };
        let still = Pose::IDENTITY;
        let link =
            LinkDefinition { parent: None, mobility: Mobility::Free, parent_frame: still, child_frame: still, mass };
        let tree = Tree::new(&[link]).unwrap();
        let lone = tree.lone().unwrap();
        let pose = Pose::from_xyz_rpy(DVec3::new(1.0, -2.0, 0.5), DVec3::new(0.3, -0.7, 2.0));
        let (velocity, omega) = (DVec3::new(0.4, 0.1, -0.3), DVec3::new(1.0, -2.0, 0.7));
        let (mut q, mut v) = ([0.0; 7], [0.0; 6]);
        lone.read(&pose, velocity, omega, &mut q, &mut v);

        let origin = DVec3::new(0.9, -1.8, 0.4);
        let (mut kin, mut factor, mut scratch) = (Kinematics::default(), Factor::default(), Scratch::default());
        tree.positions(&q, &still, origin, &mut kin);
        tree.velocities(&v, &BaseMotion::default(), &mut kin);
        assert!((kin.twists()[0].point(pose.point(mass.center_of_mass) - origin) - velocity).length() < 1e-14);
        tree.factor(&kin, &[], &mut factor).unwrap();
        let wrench = ForceVector([0.5, -1.0, 2.0, 3.0, -4.0, 1.0]);
        let loads = Loads { wrenches: &[wrench], ..Loads::gravity(DVec3::new(0.0, 0.1, -9.81)) };
        let mut expected = [0.0; 6];
        tree.accelerations(&kin, &factor, &loads, &mut expected, &mut scratch);
        let (point, normal) = (DVec3::new(0.7, -1.5, 0.2), DVec3::new(0.6, 0.0, 0.8));
        let unit = ForceVector::at(point - origin, DVec3::ZERO, normal);
        let mut sum = 0.0;
        tree.whiten_wrench(&factor, 0, unit, |_, y| sum += y * y);

        let mut own = Kinematics::default();
        tree.set_origin(origin, &mut own);
        lone.place(&q, &v, &mut own);
        assert_eq!((own.poses(), own.twists()), (kin.poses(), kin.twists()));
        let mut found = [0.0; 6];
        lone.accelerations(&own, loads.gravity, &wrench, &mut found);
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{found:?} {expected:?}");
        }
        assert!((lone.inverse_mass_at(&own, point, normal) - sum).abs() < 1e-13);
    }

    #[test]
    fn links_without_an_inverse_inertia_are_left_to_the_factor() {
        let still = Pose::IDENTITY;
        let mass = MassProperties {
            mass: 1.0,
            center_of_mass: DVec3::ZERO,
            inertia: DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0)),
        };
        let (parent_frame, child_frame) = (still, still);
        let rod = LinkDefinition { parent: None, mobility: Mobility::Free, parent_frame, child_frame, mass };
        assert!(Tree::new(&[rod]).unwrap().lone().is_none());
    }
}
