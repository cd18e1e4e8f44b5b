//! Convex meshes as the hulls that they bound.

use crate::collision::{ContactQuery, ManifoldPoint, convex::convex};
use crate::math::Pose;
use crate::shape::{Shape, TriangleMesh};

/// A solid and a convex mesh: the contacts of the hull, each with the triangle that carries it.
pub(super) fn solid_hull(
    solid: &Shape,
    solid_pose: &Pose,
    hull: &Shape,
    mesh: &TriangleMesh,
    pose: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    convex(solid, solid_pose, hull, pose, query, out);
    name_triangles(out, 1, mesh, pose);
}

/// Names the triangle of the first or second shape that each point lies on: the nearest, of an edge the one that faces
/// most along the normal.
pub(super) fn name_triangles(out: &mut [ManifoldPoint], of: usize, mesh: &TriangleMesh, pose: &Pose) {
    for point in out {
        let outward = if of == 1 { point.normal } else { -point.normal };
        let place = pose.inverse_point(point.position + outward * (0.5 * point.depth));
        let direction = pose.inverse_direction(outward);
        let Some(nearest) = mesh.nearest(place, f64::INFINITY) else { continue };
        let facing = |t: u32| mesh.at(t).normal.dot(direction);
        let mut best = nearest.triangle;
        for next in mesh.neighbours(nearest.triangle).into_iter().flatten() {
            let touches = (mesh.at(next).nearest(place).point - nearest.point).length_squared();
            let slack = 1e-18 * mesh.bounds().size().length_squared();
            if touches <= slack && facing(next) > facing(best) + 1e-9 {
                best = next;
            }
        }
        point.triangles[of] = best;
    }
}

/// What the program said of the triangles of a small mesh: each is asked for once.
#[derive(Default)]
pub(super) struct Verdicts {
    asked: [u64; WORDS],
    refused: [u64; WORDS],
}

const WORDS: usize = 8;

impl Verdicts {
    /// Asks for the triangles whose planes a solid reaches; false if any is refused, or if there are too many to note.
    pub fn ask_all(
        &mut self,
        mesh: &TriangleMesh,
        solid: &Shape,
        relative: &Pose,
        margin: f64,
        accept: &mut dyn FnMut(u32) -> bool,
    ) -> bool {
        if mesh.triangles().len() > 64 * WORDS {
            return false;
        }
        let mut is_all = true;
        mesh.candidates(&solid.aabb(relative).expanded(margin), |index| {
            let triangle = mesh.at(index);
            let far = relative.point(solid.support(relative.inverse_direction(-triangle.normal)));
            if triangle.normal.dot(far - triangle.corners[0]) <= margin {
                is_all &= self.accepts(index, accept);
            }
        });
        is_all
    }

    /// The word on a triangle.
    pub fn accepts(&mut self, triangle: u32, accept: &mut dyn FnMut(u32) -> bool) -> bool {
        let (word, bit) = (triangle as usize / 64, 1u64 << (triangle % 64));
        if word >= WORDS {
            return accept(triangle);
        }
        if self.asked[word] & bit == 0 {
            self.asked[word] |= bit;
            if !accept(triangle) {
                self.refused[word] |= bit;
            }
        }
        self.refused[word] & bit == 0
    }
}
