//! Points of links: Jacobian, velocity, acceleration.

use glam::DVec3;

use super::kinematics::Kinematics;
use super::structure::Tree;
use super::whitening::Scratch;

impl Kinematics {
    /// Velocity of a link's material point at a place in the world, and angular velocity \[m/s, rad/s\].
    #[must_use]
    pub fn point_velocity(&self, link: usize, point: DVec3) -> (DVec3, DVec3) {
        let twist = &self.twists[link + 1];
        (twist.point(self.offset(point)), twist.angular())
    }
}

impl Tree {
    /// Jacobian of a link's material point at a place in the world: 6 rows of nv entries, velocity of the point
    /// (x, y, z), then angular velocity, world axes.
    pub fn jacobian(&self, kin: &Kinematics, link: usize, point: DVec3, jacobian: &mut [f64]) {
        let dofs = self.dof_count();
        assert_eq!(jacobian.len(), 6 * dofs, "Jacobian");
        jacobian.fill(0.0);
        let offset = kin.offset(point);
        for k in self.path(link) {
            let s = &kin.subspace[k];
            let column = s.point(offset).to_array().into_iter().chain(s.angular().to_array());
            for (row, entry) in column.enumerate() {
                jacobian[row * dofs + k] = entry;
            }
        }
    }

    /// Acceleration of a link's material point at a place in the world, and angular acceleration \[m/s², rad/s²\], at
    /// the accelerations `v̇`. The ordinary acceleration: gravity is not subtracted.
    pub fn point_acceleration(
        &self,
        kin: &Kinematics,
        link: usize,
        point: DVec3,
        accelerations: &[f64],
        scratch: &mut Scratch,
    ) -> (DVec3, DVec3) {
        scratch.fit(self);
        self.outward(kin, accelerations, &mut scratch.motions);
        let (twist, acceleration) = (&kin.twists[link + 1], &scratch.motions[link + 1]);
        let offset = kin.offset(point);
        // d/dt of v_O + ω × r at fixed O, with ṙ the velocity of the point.
        let linear = acceleration.point(offset) + twist.angular().cross(twist.point(offset));
        (linear, acceleration.angular())
    }
}
