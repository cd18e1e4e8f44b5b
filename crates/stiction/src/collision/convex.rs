//! Any two convex shapes by their support functions.
//!
//! With `h_S(d)` the support height of S, the overlap along n is `depth(n) = h_B(n) + h_A(-n)`, and the contact
//! normal is the unit n of least depth: of shapes apart it points along their distance, of overlapping ones
//! along the least translation that separates them.

use glam::DVec3;

use super::{ContactQuery, ManifoldPoint, TOUCH, epa, feature::Feature, gjk, manifold, placed::Placed};
use crate::{math::Pose, shape::Shape};

/// A convex set as the kernels see it, in axes and about an origin that both sets of a couple share.
///
/// Rounded sets are a core (point, segment) and a radius around it; GJK and EPA see the core only.
pub(super) trait Convex {
    /// Farthest point of the whole set.
    fn support(&self, direction: DVec3) -> DVec3;
    /// Farthest point of the core.
    fn core_support(&self, direction: DVec3) -> DVec3;
    /// Radius around the core \[m\].
    fn radius(&self) -> f64;
    /// A point well inside.
    fn center(&self) -> DVec3;
    /// The vertex, edge or face met by a plane that comes along `direction` from outside.
    fn feature(&self, direction: DVec3) -> Feature<'_>;
    /// What touches when no face does: the edge or point exactly farthest along `direction`; a capsule's line is that
    /// however it is tilted.
    fn ridge(&self, direction: DVec3) -> Feature<'_>;
}

/// Two convex sets about a common origin.
pub(super) struct Couple<A, B> {
    pub a: A,
    pub b: B,
    pub origin: DVec3,
    /// The scale of tolerances: the smaller shape's, since contact is no larger, but above the larger one's
    /// rounding \[m\].
    pub size: f64,
}

/// The scale of tolerances of two shapes of these sizes \[m\]: see [`Couple::size`].
pub(super) fn common_scale(a: f64, b: f64) -> f64 {
    a.min(b).max(1e-4 * a.max(b))
}

impl<'a> Couple<Placed<'a>, Placed<'a>> {
    pub fn new(a: &'a Shape, pose_a: &Pose, b: &'a Shape, pose_b: &Pose) -> Self {
        let origin = pose_a.position;
        let (a, b) = (Placed::new(a, pose_a, origin), Placed::new(b, pose_b, origin));
        let size = common_scale(a.size(), b.size());
        Self { a, b, origin, size }
    }
}

impl<A: Convex, B: Convex> Couple<A, B> {
    /// Overlap along a unit direction.
    pub fn depth(&self, n: DVec3) -> f64 {
        (self.b.support(n) - self.a.support(-n)).dot(n)
    }

    /// Least depth that is still reported.
    pub fn least(&self, query: &ContactQuery) -> f64 {
        -query.margin - TOUCH * self.size
    }
}

/// Unit directions worth a try before the search, with the least depth among them.
pub(super) struct Axes {
    pub normal: DVec3,
    pub depth: f64,
    /// Rounding below which a later axis is no better.
    slack: f64,
}

impl Axes {
    pub fn new<A, B>(couple: &Couple<A, B>) -> Self {
        Self { normal: DVec3::X, depth: f64::INFINITY, slack: 1e-9 * couple.size }
    }

    /// Tries both signs of a direction of any length; directions near zero are skipped.
    pub fn try_both(&mut self, couple: &Couple<impl Convex, impl Convex>, direction: DVec3) {
        if direction.length_squared() > 1e-12 {
            let n = direction.normalize();
            self.try_one(couple, n);
            self.try_one(couple, -n);
        }
    }

    pub fn try_one(&mut self, couple: &Couple<impl Convex, impl Convex>, n: DVec3) {
        let depth = couple.depth(n);
        if depth < self.depth - self.slack {
            (self.normal, self.depth) = (n, depth);
        }
    }
}

pub(super) fn convex(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let couple = Couple::new(a, pose_a, b, pose_b);
    let mut axes = Axes::new(&couple);
    axes.try_both(&couple, couple.a.center() - couple.b.center());
    if let (Shape::Box(_), Shape::Capsule(_)) = (a, b) {
        let segment = couple.b.rotation.z_axis;
        for k in 0..3 {
            let edge = couple.a.rotation.col(k);
            axes.try_both(&couple, edge);
            axes.try_both(&couple, edge.cross(segment));
        }
    }
    meet(&couple, axes, query, out);
}

/// Finds the normal from the axes tried so far, and then the points.
pub(super) fn meet(
    couple: &Couple<impl Convex, impl Convex>,
    axes: Axes,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let least = couple.least(query);
    if axes.depth < least {
        return;
    }
    let (normal, depth) = least_depth(couple, axes, least, 0.0);
    let lasts = query.whole_faces;
    if depth >= least && !(lasts && manifold::faces(couple, (normal, depth), least, out)) {
        manifold::points(couple, normal, depth, (least, lasts), out);
    }
}

/// The unit direction of least depth, and that depth \[m\]; below `least` any that separates. Depths above a hundredth of
/// the size may be wrong by the part `rough` of them.
pub(super) fn least_depth(
    couple: &Couple<impl Convex, impl Convex>,
    axes: Axes,
    least: f64,
    rough: f64,
) -> (DVec3, f64) {
    let (a, b) = (&couple.a, &couple.b);
    let core = |d: DVec3| b.core_support(d) - a.core_support(-d);
    let radius = a.radius() + b.radius();
    let mut best = (axes.normal, axes.depth);
    let mut consider = |n: DVec3| {
        let depth = couple.depth(n);
        if depth < best.1 - 1e-9 * couple.size {
            best = (n, depth);
        }
    };
    // Below a millionth of the size the difference of the nearest points has too few digits for a direction.
    match gjk::nearest(&core, b.center() - a.center(), 1e-6 * couple.size, (radius - least).max(0.0)) {
        Some((v, side)) => {
            let n = -v.normalize();
            let height = core(n).dot(n);
            if height + radius < least {
                return (n, height + radius);
            }
            // -h(n) <= distance <= |v|: where the bounds still differ, the set is curved and the simplex has
            // shrunk to rounding.
            let ridge = side.normalize_or(n.any_orthonormal_vector());
            let exact = height + v.length() <= 1e-10 * couple.size;
            consider(if exact { n } else { epa::descend(&core, (n, height), ridge).0 });
        }
        None => {
            let seed = (axes.normal, axes.depth - radius);
            let small = 0.01 * couple.size - radius;
            let tolerance = |height: f64| 1e-9 * couple.size + rough * (height - small).max(0.0);
            let (n, _) = epa::least_height(&core, seed, tolerance);
            consider(n);
        }
    }
    // A face that is as good as the direction found gives the exact normal and a whole manifold. As good to
    // rounding: past the face's border by s the depth still falls by s² only, but that of the clipped points by s.
    let found = best.0;
    let slack = 1e-11 * couple.size;
    for face in [a.feature(-found).normal().map(|m| -m), b.feature(found).normal()].into_iter().flatten() {
        let depth = couple.depth(face);
        if face.dot(found) > 0.999 && depth <= best.1 + slack {
            return (face, depth);
        }
    }
    best
}
