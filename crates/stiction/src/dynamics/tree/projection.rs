//! Positions and velocities of the joints read from poses and twists of the links.
//!
//! Each joint is read by itself: where the joint holds, exactly (to rounding); where the poses do not quite meet it, the
//! coordinate that the free motion of the joint shows.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use super::coordinates::{read, write};
use super::kinematics::Kinematics;
use super::spatial::MotionVector;
use super::structure::{Joint, Link, Tree};
use crate::math::Pose;

impl Tree {
    /// Positions `q` of given poses of the links in the world. Angles are taken to the turn, and quaternions to the
    /// sign, nearest to what `q` holds before.
    pub fn read_positions(&self, poses: &[Pose], base: &Pose, q: &mut [f64]) {
        assert!(poses.len() == self.links.len() && q.len() == self.position_count);
        for (index, link) in self.links.iter().enumerate() {
            let parent = if link.parent == 0 { base } else { &poses[link.parent as usize - 1] };
            link.read_position(parent, &poses[index], &mut q[link.position_range()]);
        }
    }

    /// Velocities `v` of given twists of the links and the base (at the origin of `kin`), at the positions of `kin`.
    pub fn read_velocities(&self, twists: &[MotionVector], base: &MotionVector, kin: &Kinematics, v: &mut [f64]) {
        assert!(twists.len() == self.links.len() && v.len() == self.dof_count());
        for (index, link) in self.links.iter().enumerate() {
            let span = link.dof_range();
            let parent = if link.parent == 0 { base } else { &twists[link.parent as usize - 1] };
            let columns = &kin.subspace[span.clone()];
            let anchor = kin.poses[index + 1].point(link.child_anchor) - kin.origin;
            match link.joint {
                Joint::Free => {
                    let (twist, offset) = (&twists[index], kin.poses[index + 1].position - kin.origin);
                    let v = &mut v[span];
                    v[..3].copy_from_slice(&twist.point(offset).to_array());
                    v[3..].copy_from_slice(&twist.angular().to_array());
                }
                _ => read_velocity(&link.joint, columns, &(twists[index] - *parent), anchor, &mut v[span]),
            }
        }
    }
}

/// Projects the relative twist of a joint on its columns; `anchor` is M's origin as an offset from O.
fn read_velocity(joint: &Joint, columns: &[MotionVector], relative: &MotionVector, anchor: DVec3, v: &mut [f64]) {
    let omega = relative.angular();
    match (joint, columns, v) {
        (Joint::Revolute { .. } | Joint::Screw { .. }, [s], [v]) => *v = s.angular().dot(omega),
        (Joint::Prismatic { .. }, [s], [v]) => *v = s.linear().dot(relative.point(anchor)),
        (Joint::Universal { .. }, [s, t], [v, w]) => [*v, *w] = rates_about([s, t], omega),
        (Joint::PrismaticRevolute { .. }, [s, t], [v, w]) => {
            *v = s.linear().dot(relative.point(anchor));
            *w = t.angular().dot(omega);
        }
        (Joint::RevolutePrismatic { .. }, [s, t], [v, w]) => {
            // F's origin is on the line of the slide through M's, so that both have the same velocity along it.
            *v = s.angular().dot(omega);
            *w = t.linear().dot(relative.point(anchor));
        }
        (Joint::PrismaticUniversal { .. }, [s, t, u], [v, w, rate]) => {
            *v = s.linear().dot(relative.point(anchor));
            [*w, *rate] = rates_about([t, u], omega);
        }
        (Joint::UniversalPrismatic { .. }, [s, t, u], [v, w, rate]) => {
            [*v, *w] = rates_about([s, t], omega);
            *rate = u.linear().dot(relative.point(anchor));
        }
        (Joint::Planar { .. }, [s, t, u], [v, w, rate]) => {
            let velocity = relative.point(anchor);
            *v = s.linear().dot(velocity);
            *w = t.linear().dot(velocity);
            *rate = u.angular().dot(omega);
        }
        (Joint::Ball { .. }, columns, v) => {
            for (v, s) in v.iter_mut().zip(columns) {
                *v = s.angular().dot(omega);
            }
        }
        _ => {}
    }
}

/// Rates v and w about unit axes a and b, of `ω = a v + b w`.
fn rates_about([s, t]: [&MotionVector; 2], omega: DVec3) -> [f64; 2] {
    let (a, b) = (s.angular(), t.angular());
    let (c, x, y) = (a.dot(b), a.dot(omega), b.dot(omega));
    let determinant = a.cross(b).length_squared();
    [(x - c * y) / determinant, (y - c * x) / determinant]
}

impl Link {
    fn read_position(&self, parent: &Pose, pose: &Pose, q: &mut [f64]) {
        // The link in its parent, turned back by what it is turned at zero; axes in the link.
        let relative = parent.rotation.conjugate() * pose.rotation;
        let turned = || self.rest.conjugate() * relative;
        let shift = || parent.inverse_point(pose.point(self.child_anchor)) - self.parent_anchor;
        // The same as the link sees it.
        let own_shift = || self.child_anchor - pose.inverse_point(parent.point(self.parent_anchor));
        // R = Rot(a, θ₁) Rot(b, θ₂): R b = Rot(a, θ₁) b, and a = Rot(b, θ₂) Rᵀ a.
        let both = |a: DVec3, b: DVec3, last: [f64; 2]| {
            let r = turned();
            let angles = [angle_between(b, r * b, a), angle_between(r.conjugate() * a, a, b)];
            [nearest(angles[0], last[0]), nearest(angles[1], last[1])]
        };
        match (&self.joint, q) {
            (Joint::Revolute { child, .. }, [angle]) => {
                *angle = nearest(angle_about(turned(), *child), *angle);
            }
            (Joint::Screw { parent, child, lead, .. }, [angle]) => {
                // The advance tells how many turns it has made; without any it slides along nothing.
                let advanced = parent.dot(shift()) / lead;
                *angle = nearest(angle_about(turned(), *child), if advanced.is_finite() { advanced } else { *angle });
            }
            (Joint::Prismatic { parent }, [displacement]) => *displacement = parent.dot(shift()),
            (Joint::Universal { child: [a, b], .. }, [first, second]) => {
                [*first, *second] = both(*a, *b, [*first, *second]);
            }
            (Joint::PrismaticRevolute { parent, child, .. }, [x, angle]) => {
                *x = parent[0].dot(shift());
                *angle = nearest(angle_about(turned(), *child), *angle);
            }
            (Joint::RevolutePrismatic { child: [a, d], .. }, [angle, x]) => {
                *angle = nearest(angle_about(turned(), *a), *angle);
                *x = d.dot(own_shift());
            }
            (Joint::PrismaticUniversal { parent, child: [a, b], .. }, [x, first, second]) => {
                *x = parent[0].dot(shift());
                [*first, *second] = both(*a, *b, [*first, *second]);
            }
            (Joint::UniversalPrismatic { child: [a, b, d], .. }, [first, second, x]) => {
                [*first, *second] = both(*a, *b, [*first, *second]);
                *x = d.dot(own_shift());
            }
            (Joint::Planar { parent, child, .. }, [x, y, angle]) => {
                let shift = shift();
                *x = parent[0].dot(shift);
                *y = parent[1].dot(shift);
                *angle = nearest(angle_about(turned(), *child), *angle);
            }
            (Joint::Ball { .. }, q) => {
                let m_in_f = self.parent_rotation.conjugate() * relative * self.child_rotation_inverse.conjugate();
                write_nearest(q, m_in_f);
            }
            (Joint::Free, [x, y, z, quaternion @ ..]) => {
                [*x, *y, *z] = pose.position.to_array();
                write_nearest(quaternion, pose.rotation);
            }
            _ => {}
        }
    }
}

/// The angle of the part of a rotation that is about a unit axis.
fn angle_about(rotation: DQuat, axis: DVec3) -> f64 {
    2.0 * libm::atan2(rotation.xyz().dot(axis), rotation.w)
}

/// The angle about `axis` that takes the direction of `from`, seen along the axis, to that of `to`.
fn angle_between(from: DVec3, to: DVec3, axis: DVec3) -> f64 {
    libm::atan2(axis.dot(from.cross(to)), from.dot(to) - axis.dot(from) * axis.dot(to))
}

/// The angle that is whole turns away and nearest to `previous`.
fn nearest(angle: f64, previous: f64) -> f64 {
    angle + TAU * ((previous - angle) / TAU).round()
}

fn write_nearest(q: &mut [f64], rotation: DQuat) {
    let unit = rotation.normalize();
    write(q, if read(q).dot(unit) < 0.0 { -unit } else { unit });
}
