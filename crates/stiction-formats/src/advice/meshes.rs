//! Meshes that bound no solid, and grounds that face down.

use std::sync::Arc;

use stiction::math::DVec3;

use crate::description::{CollisionDescription, GeometryDescription, LinkDescription, WorldDescription};
use crate::diagnostic::{Diagnostic, Location};
use crate::mesh::MeshDescription;

use super::{figure, moves, warning};

/// Thickness that counts as none, in parts of the size.
const FLAT: f64 = 1e-9;

/// Advice on the meshes of all collisions.
pub(super) fn meshes(world: &WorldDescription, found: &mut Vec<Diagnostic>) {
    for (index, link) in world.links.iter().enumerate() {
        for collision in &link.collisions {
            let GeometryDescription::Mesh(mesh) = &collision.geometry else { continue };
            if mesh.triangles.is_empty() || mesh.is_closed() {
                continue;
            }
            if moves(world, index) {
                open_solid(collision, mesh, found);
            } else {
                faces_down(world, link, collision, mesh, found);
            }
        }
    }
}

fn place(collision: &CollisionDescription) -> Option<Location> {
    Some(collision.location.clone())
}

/// Cross product of two sides: the normal, as long as twice the area.
fn area(mesh: &MeshDescription, triangle: &[u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|v| mesh.vertices[v as usize]);
    (b - a).cross(c - a)
}

/// A body whose shape has no inside.
fn open_solid(collision: &CollisionDescription, mesh: &Arc<MeshDescription>, found: &mut Vec<Diagnostic>) {
    let name = &collision.name;
    let first = mesh.vertices[mesh.triangles[0][0] as usize];
    let size = mesh.vertices.iter().map(|p| (*p - first).length()).fold(0.0, f64::max);
    let normal = mesh.triangles.iter().map(|t| area(mesh, t)).max_by(|a, b| a.length().total_cmp(&b.length()));
    let normal = normal.unwrap_or(DVec3::ZERO).normalize_or_zero();
    let thickness = mesh.vertices.iter().map(|p| libm::fabs((*p - first).dot(normal))).fold(0.0, f64::max);
    if thickness <= FLAT * size {
        let message = format!(
            "the mesh of `{name}` is flat: all its vertices are in one plane, and the body that it moves with has no thickness"
        );
        let finding = warning("flat-mesh", message, place(collision));
        found.push(finding.help("a closed mesh, or a <box> as thick as the sheet"));
        return;
    }
    let triangles = mesh.triangles.len();
    let rim = mesh.open_edges();
    let message = format!(
        "the mesh of `{name}`, which moves, is open: {rim} edges of its {triangles} triangles have no triangle on their other side, and it collides as a thin sheet"
    );
    let finding = warning("open-mesh", message, place(collision));
    found.push(
        finding.help(
            "close it, where every edge joins two triangles, or use its hull: <mesh optimization=\"convex_hull\">",
        ),
    );
}

/// An open ground most of whose area faces down, with a body over it.
fn faces_down(
    world: &WorldDescription,
    link: &LinkDescription,
    collision: &CollisionDescription,
    mesh: &MeshDescription,
    found: &mut Vec<Diagnostic>,
) {
    let Some(up) = (-world.gravity.value).try_normalize() else { return };
    let pose = link.pose.compose(&collision.pose);
    let own_up = pose.inverse_direction(up);
    let mut areas = [0.0, 0.0];
    for triangle in &mesh.triangles {
        let across = area(mesh, triangle).dot(own_up);
        areas[usize::from(across < 0.0)] += 0.5 * libm::fabs(across);
    }
    let [above, below] = areas;
    if below <= above {
        return;
    }
    let across = own_up.any_orthonormal_pair();
    let spans = [own_up, across.0, across.1].map(|axis| {
        let along = mesh.vertices.iter().map(|p| p.dot(axis));
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    });
    let over = world.links.iter().enumerate().filter(|(index, _)| moves(world, *index)).find(|(_, body)| {
        let at = pose.inverse_point(body.pose.position);
        let within = |axis: DVec3, (low, high): (f64, f64)| (low..=high).contains(&at.dot(axis));
        at.dot(own_up) >= spans[0].0 && within(across.0, spans[1]) && within(across.1, spans[2])
    });
    let Some((_, body)) = over else { return };
    let message = format!(
        "the faces of the open mesh `{}` point down, {} of {} m² seen from above, and `{}` is over it",
        collision.name,
        figure(below),
        figure(above + below),
        body.name
    );
    let finding = warning("ground-faces-down", message, place(collision));
    found.push(finding.help(
        "counter-clockwise corners seen from above: turn the normals in the exporter; bodies stay on the side that they come from",
    ));
}
