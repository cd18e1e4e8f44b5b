//! Triangle callbacks of a contact: veto, candidates, rays.

use super::{
    hull::{Verdicts, solid_hull},
    solid::solid_source,
    source::source,
    sphere::sphere_source,
};
use crate::collision::{ContactQuery, ManifoldPoint, collide, reduction};
use crate::math::Pose;
use crate::shape::{Aabb, Shape};

/// Contact points as of [`collide`], without the triangles that `accept` refuses: it is asked for the number of each
/// that may touch. Against a plane, a ray or another mesh it is asked for the points found: of two meshes for the
/// triangles of the second.
///
/// Returns whether a solid may meet triangles from behind: if not, its centre is before all that it meets.
pub fn collide_accepted(
    a: &Shape,
    pose_a: &Pose,
    b: &Shape,
    pose_b: &Pose,
    query: &ContactQuery,
    accept: &mut dyn FnMut(u32) -> bool,
    out: &mut Vec<ManifoldPoint>,
) -> bool {
    let is_swapped = source(a).is_some() && source(b).is_none();
    let (solid, solid_pose, mesh, pose) = if is_swapped { (b, pose_b, a, pose_a) } else { (a, pose_a, b, pose_b) };
    out.clear();
    let meets_back = match (solid, source(solid), source(mesh)) {
        (Shape::Sphere(sphere), _, Some(triangles)) => {
            sphere_source(sphere, solid_pose, triangles, pose, query, accept, out)
        }
        (Shape::Plane(_) | Shape::Ray(_), _, _) | (_, Some(_), _) | (_, _, None) => {
            collide(a, pose_a, b, pose_b, query, out);
            let side = usize::from(!is_swapped);
            out.retain(|p| p.triangles[side] == crate::collision::NO_TRIANGLE || accept(p.triangles[side]));
            return false;
        }
        (_, None, Some(triangles)) => {
            let mut verdicts = Verdicts::default();
            let hull = match mesh {
                Shape::TriangleMesh(mesh) => mesh.hull().map(|hull| (hull, mesh)),
                _ => None,
            };
            if let Some((hull, mesh)) = hull
                && verdicts.ask_all(mesh, solid, &pose.inverse().compose(solid_pose), query.margin, accept)
            {
                solid_hull(solid, solid_pose, hull, mesh, pose, query, out);
                false
            } else {
                let mut accept = |triangle| verdicts.accepts(triangle, accept);
                solid_source(solid, solid_pose, triangles, pose, query, &mut accept, out)
            }
        }
    };
    if is_swapped {
        for point in out.iter_mut() {
            point.normal = -point.normal;
            point.triangles.swap(0, 1);
        }
    }
    reduction::reduce(out, query.max_points);
    meets_back
}

/// Calls `visit` with the number of every triangle of a mesh or heightfield whose box touches a box of the world
/// \[m\]; other shapes have none.
pub fn candidates(shape: &Shape, pose: &Pose, aabb: &Aabb, visit: &mut dyn FnMut(u32)) {
    if let Some(triangles) = source(shape) {
        triangles.visit(&aabb.turned(&pose.inverse()), &mut |triangle| visit(triangle.index));
    }
}

/// The first triangle that a ray meets, reported as of other shapes.
pub(in crate::collision) fn mesh_ray(
    mesh: &Shape,
    pose: &Pose,
    ray: &Shape,
    ray_pose: &Pose,
    _query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    let Shape::Ray(ray) = ray else { return };
    let direction = ray_pose.direction(glam::DVec3::Z);
    let (o, d) = (pose.inverse_point(ray_pose.position), pose.inverse_direction(direction));
    let hit = match mesh {
        Shape::TriangleMesh(mesh) => mesh.first_ray_hit(o, d, ray.length, false),
        Shape::Heightfield(field) => field.first_ray_hit(o, d, ray.length, false),
        _ => None,
    };
    if let Some(hit) = hit {
        let normal = -pose.direction(hit.turned(d).normal);
        let mut point = ManifoldPoint::new(ray_pose.position + direction * hit.distance, normal, hit.distance, 0);
        point.triangles[0] = hit.triangle;
        point.feature = hit.triangle;
        out.push(point);
    }
}
