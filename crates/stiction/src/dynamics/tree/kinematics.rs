//! Poses, twists, motion subspaces and inertias of the links.

use glam::{DMat3, DQuat, DVec3};

use super::factor::ArticulatedInertia;
use super::spatial::{MotionVector, SpatialInertia};
use super::structure::{Joint, Link, Tree, pure};
use crate::math::Pose;

/// What the links do: memory of the caller, filled by [`Tree::positions`] (or [`Tree::positions_from_poses`]) and then
/// [`Tree::velocities`]. Everything spatial is in world axes at [`Self::origin`].
#[derive(Clone, Debug, Default)]
pub struct Kinematics {
    pub(super) origin: DVec3,
    /// Entry 0 of the arrays per link is the base.
    pub(super) poses: Vec<Pose>,
    pub(super) rotations: Vec<DMat3>,
    pub(super) inertias: Vec<SpatialInertia>,
    pub(super) twists: Vec<MotionVector>,
    pub(super) bias_accelerations: Vec<MotionVector>,
    pub(super) subspace: Vec<MotionVector>,
    pub(super) subspace_rates: Vec<MotionVector>,
    /// Added inertia of each link; empty where no link has any.
    pub(super) added: Vec<Option<ArticulatedInertia>>,
}

/// Prescribed motion of the base, at the origin of the [`Kinematics`]; at rest by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BaseMotion {
    /// Twist.
    pub twist: MotionVector,
    /// Rate of the twist at a fixed origin. For the acceleration `a` of the base's point at `r` that has the velocity
    /// `v`, it is `MotionVector::at(r, ω̇, a − ω × v)`.
    pub acceleration: MotionVector,
}

impl Kinematics {
    /// The point O of the world at which spatial vectors are taken \[m\].
    #[must_use]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// What a wrench about the centre of mass of a link would move of it alone, `|f|² / m + |τ|² / I` with its mean moment of
    /// inertia I: the inverse mass of a row without the joints of the tree.
    #[must_use]
    pub fn free_inverse_mass(&self, link: usize, force: DVec3, torque: DVec3) -> f64 {
        let inertia = &links(&self.inertias)[link];
        let [xx, _, _, yy, _, zz] = inertia.rotational;
        let mean = (xx + yy + zz - 2.0 * inertia.first_moment.length_squared() / inertia.mass) / 3.0;
        let share = |square: f64, inertia: f64| if inertia > 0.0 { square / inertia } else { 0.0 };
        share(force.length_squared(), inertia.mass) + share(torque.length_squared(), mean)
    }

    /// Pose of each link frame in the world.
    #[must_use]
    pub fn poses(&self) -> &[Pose] {
        links(&self.poses)
    }

    /// Twist of each link.
    #[must_use]
    pub fn twists(&self) -> &[MotionVector] {
        links(&self.twists)
    }

    /// Acceleration that each link would have at `v̇ = 0`: that of the base and `Σ Ṡ_k v_k` along the path.
    #[must_use]
    pub fn bias_accelerations(&self) -> &[MotionVector] {
        links(&self.bias_accelerations)
    }

    /// Inertia of each link by itself.
    #[must_use]
    pub fn inertias(&self) -> &[SpatialInertia] {
        links(&self.inertias)
    }

    /// The column S_k of each dof: motion of its link at unit velocity.
    #[must_use]
    pub fn subspace(&self) -> &[MotionVector] {
        &self.subspace
    }

    /// Ṡ_k of each dof at a fixed origin.
    #[must_use]
    pub fn subspace_rates(&self) -> &[MotionVector] {
        &self.subspace_rates
    }

    /// A point of the world as an offset from the origin of the spatial vectors.
    #[must_use]
    pub fn offset(&self, point: DVec3) -> DVec3 {
        point - self.origin
    }

    /// Makes room; keeps memory.
    pub(super) fn fit(&mut self, tree: &Tree) {
        let (links, dofs) = (tree.links.len() + 1, tree.dof_count());
        self.poses.resize(links, Pose::IDENTITY);
        self.rotations.resize(links, DMat3::IDENTITY);
        self.inertias.resize(links, SpatialInertia::default());
        self.twists.resize(links, MotionVector::ZERO);
        self.bias_accelerations.resize(links, MotionVector::ZERO);
        self.subspace.resize(dofs, MotionVector::ZERO);
        self.subspace_rates.resize(dofs, MotionVector::ZERO);
    }
}

/// Without the entry of the base.
fn links<T>(entries: &[T]) -> &[T] {
    entries.get(1..).unwrap_or(&[])
}

impl Tree {
    /// Poses, subspaces and inertias at the positions `q`. Spatial vectors are taken at `origin` \[m\]: best a point
    /// amid the tree, since a rotation about an axis at the distance d costs `log10(m d² / I)` digits.
    pub fn positions(&self, q: &[f64], base: &Pose, origin: DVec3, kin: &mut Kinematics) {
        assert_eq!(q.len(), self.position_count, "positions");
        kin.fit(self);
        kin.origin = origin;
        kin.poses[0] = *base;
        kin.rotations[0] = base.matrix();
        for (index, link) in self.links.iter().enumerate() {
            let parent =
                Placed { pose: kin.poses[link.parent as usize], rotation: kin.rotations[link.parent as usize] };
            let anchor = parent.pose.position + parent.rotation * link.parent_anchor;
            let placed = link.place(&q[link.position_range()], &parent, anchor);
            kin.poses[index + 1] = placed.pose;
            kin.rotations[index + 1] = placed.rotation;
            self.fill(index, &parent, anchor, &placed, kin);
        }
        self.place_added(kin);
    }

    /// Subspaces and inertias at given poses of the links in the world.
    pub fn positions_from_poses(&self, poses: &[Pose], base: &Pose, origin: DVec3, kin: &mut Kinematics) {
        assert_eq!(poses.len(), self.links.len(), "poses");
        kin.fit(self);
        kin.origin = origin;
        kin.poses[0] = *base;
        kin.poses[1..].copy_from_slice(poses);
        for (rotation, pose) in kin.rotations.iter_mut().zip(&kin.poses) {
            *rotation = pose.matrix();
        }
        for (index, link) in self.links.iter().enumerate() {
            let placed = |entry: usize| Placed { pose: kin.poses[entry], rotation: kin.rotations[entry] };
            let (parent, own) = (placed(link.parent as usize), placed(index + 1));
            let anchor = parent.pose.position + parent.rotation * link.parent_anchor;
            self.fill(index, &parent, anchor, &own, kin);
        }
        self.place_added(kin);
    }

    /// Twists and velocity products at the velocities `v`; after the positions.
    pub fn velocities(&self, v: &[f64], base: &BaseMotion, kin: &mut Kinematics) {
        assert_eq!(v.len(), self.dof_count(), "velocities");
        assert_eq!(kin.subspace.len(), v.len(), "positions come first");
        kin.twists[0] = base.twist;
        kin.bias_accelerations[0] = base.acceleration;
        for (index, link) in self.links.iter().enumerate() {
            let span = link.dof_range();
            let parent = link.parent as usize;
            let (mut twist, mut bias) = (kin.twists[parent], kin.bias_accelerations[parent]);
            let columns = kin.subspace[span.clone()].iter().zip(&mut kin.subspace_rates[span.clone()]).zip(&v[span]);
            match link.joint {
                Joint::Free => {
                    (twist, bias) = (MotionVector::ZERO, MotionVector::ZERO);
                    for (k, ((s, rate), &v_k)) in columns.enumerate() {
                        // (e, r × e) with e constant and ṙ = ṗ, the three velocities that came before.
                        let carrier =
                            MotionVector::new(DVec3::ZERO, if k < 3 { DVec3::ZERO } else { twist_of_origin(v, link) });
                        *rate = carrier.cross(s);
                        bias += *rate * v_k;
                        twist += *s * v_k;
                    }
                }
                Joint::Ball { .. } => {
                    let carrier = twist;
                    for ((s, rate), &v_k) in columns {
                        *rate = carrier.cross(s);
                        bias += *rate * v_k;
                        twist += *s * v_k;
                    }
                }
                _ => {
                    for ((s, rate), &v_k) in columns {
                        *rate = twist.cross(s);
                        bias += *rate * v_k;
                        twist += *s * v_k;
                    }
                }
            }
            kin.twists[index + 1] = twist;
            kin.bias_accelerations[index + 1] = bias;
        }
    }

    /// Subspace and inertia of a link; `anchor` is the origin of F in the world.
    #[inline(always)]
    fn fill(&self, index: usize, parent: &Placed, anchor: DVec3, placed: &Placed, kin: &mut Kinematics) {
        let link = &self.links[index];
        let (rotation, base) = (&placed.rotation, &parent.rotation);
        let (offset, through) = (placed.pose.position - kin.origin, anchor - kin.origin);
        kin.inertias[index + 1] =
            SpatialInertia::new(link.mass, offset + *rotation * link.center, &link.inertia, rotation);

        let turn = |axis: DVec3, through: DVec3| MotionVector::new(axis, through.cross(axis));
        let slide = |axis: DVec3| MotionVector::new(DVec3::ZERO, axis);
        let columns = &mut kin.subspace[link.dof_range()];
        match (&link.joint, columns) {
            (Joint::Revolute { parent, .. }, [s]) => *s = turn(*base * *parent, through),
            (Joint::Prismatic { parent }, [s]) => *s = slide(*base * *parent),
            (Joint::Screw { parent, lead, .. }, [s]) => {
                let axis = *base * *parent;
                *s = turn(axis, through) + slide(axis * *lead);
            }
            (Joint::Universal { parent, child, .. }, [s, t]) => {
                *s = turn(*base * *parent, through);
                // The second axis is fixed in the body between and in the link.
                *t = turn(*rotation * child[1], through);
            }
            (Joint::Planar { parent, .. }, [s, t, u]) => {
                *s = slide(*base * parent[0]);
                *t = slide(*base * parent[1]);
                *u = turn(*base * parent[2], offset + *rotation * link.child_anchor);
            }
            (Joint::PrismaticRevolute { parent, .. }, [s, t]) => {
                *s = slide(*base * parent[0]);
                *t = turn(*base * parent[1], offset + *rotation * link.child_anchor);
            }
            (Joint::RevolutePrismatic { parent, child, .. }, [s, t]) => {
                *s = turn(*base * *parent, through);
                *t = slide(*rotation * child[1]);
            }
            (Joint::PrismaticUniversal { parent, child, .. }, [s, t, u]) => {
                let center = offset + *rotation * link.child_anchor;
                *s = slide(*base * parent[0]);
                *t = turn(*base * parent[1], center);
                *u = turn(*rotation * child[1], center);
            }
            (Joint::UniversalPrismatic { parent, child, .. }, [s, t, u]) => {
                *s = turn(*base * *parent, through);
                *t = turn(*rotation * child[1], through);
                *u = slide(*rotation * child[2]);
            }
            (Joint::Ball { parent }, columns) => {
                for (s, axis) in columns.iter_mut().zip(parent) {
                    *s = turn(*base * *axis, through);
                }
            }
            (Joint::Free, columns) => {
                let (linear, angular) = columns.split_at_mut(3);
                for ((s, t), axis) in linear.iter_mut().zip(angular).zip(DVec3::AXES) {
                    *s = slide(axis);
                    *t = turn(axis, offset);
                }
            }
            _ => {}
        }
    }
}

fn twist_of_origin(v: &[f64], link: &Link) -> DVec3 {
    DVec3::from_slice(&v[link.dof_range()])
}

/// Pose of a frame in the world, and its rotation as a matrix.
#[derive(Clone, Copy)]
struct Placed {
    pose: Pose,
    rotation: DMat3,
}

impl Link {
    /// Pose of the link in the world at its positions, `X_W,parent X_F joint(q) X_M⁻¹`; `anchor` is the origin of F in
    /// the world.
    #[inline(always)]
    fn place(&self, q: &[f64], parent: &Placed, anchor: DVec3) -> Placed {
        // Of the origin of M: in the parent, and along what turns with the link.
        let (mut shift, mut own_shift) = (DVec3::ZERO, DVec3::ZERO);
        let both = |turned: DQuat, axes: &[DVec3], angles: [f64; 2]| {
            about(self.rest, turned, angles[0]) * about(DQuat::IDENTITY, pure(axes[1]), angles[1])
        };
        let turn = match (&self.joint, q) {
            (Joint::Revolute { turned, .. }, [angle]) => about(self.rest, *turned, *angle),
            (Joint::Prismatic { parent }, [displacement]) => {
                shift = *parent * *displacement;
                self.rest
            }
            (Joint::Screw { parent, turned, lead, .. }, [angle]) => {
                shift = *parent * (*lead * *angle);
                about(self.rest, *turned, *angle)
            }
            (Joint::Universal { turned, child, .. }, [first, second]) => both(*turned, child, [*first, *second]),
            (Joint::PrismaticRevolute { parent, turned, .. }, [x, angle]) => {
                shift = parent[0] * *x;
                about(self.rest, *turned, *angle)
            }
            (Joint::RevolutePrismatic { child, turned, .. }, [angle, x]) => {
                own_shift = child[1] * *x;
                about(self.rest, *turned, *angle)
            }
            (Joint::PrismaticUniversal { parent, child, turned }, [x, first, second]) => {
                shift = parent[0] * *x;
                both(*turned, child, [*first, *second])
            }
            (Joint::UniversalPrismatic { child, turned, .. }, [first, second, x]) => {
                own_shift = child[2] * *x;
                both(*turned, child, [*first, *second])
            }
            (Joint::Planar { parent, turned, .. }, [x, y, angle]) => {
                shift = parent[0] * *x + parent[1] * *y;
                about(self.rest, *turned, *angle)
            }
            (Joint::Ball { .. }, [w, x, y, z]) => {
                let q = DQuat::from_xyzw(*x, *y, *z, *w).normalize();
                self.parent_rotation * q * self.child_rotation_inverse
            }
            (Joint::Free, [px, py, pz, w, x, y, z]) => {
                let pose = Pose::new(DVec3::new(*px, *py, *pz), DQuat::from_xyzw(*x, *y, *z, *w).normalize());
                return Placed { pose, rotation: pose.matrix() };
            }
            _ => self.rest,
        };
        let rotation = renormalized(parent.pose.rotation * turn);
        let matrix = DMat3::from_quat(rotation);
        let mut position = anchor;
        if shift != DVec3::ZERO {
            position += parent.rotation * shift;
        }
        let arm = self.child_anchor - own_shift;
        if arm != DVec3::ZERO {
            position -= matrix * arm;
        }
        Placed { pose: Pose { position, rotation }, rotation: matrix }
    }
}

/// `p Rot(a, θ) = cos(θ/2) p + sin(θ/2) p a`, with `turned` the product `p a`.
#[inline(always)]
fn about(p: DQuat, turned: DQuat, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    p * cosine + turned * sine
}

/// A product of unit quaternions misses the unit by rounding; one step of Newton's for `1/√n²` removes that without a
/// root or a quotient in the chain of links.
#[inline(always)]
fn renormalized(q: DQuat) -> DQuat {
    q * (1.5 - 0.5 * q.length_squared())
}
