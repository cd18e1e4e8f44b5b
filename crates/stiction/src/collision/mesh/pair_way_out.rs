//! The shortest way out of each other for two meshes that are deep in each other, or cross without a vertex or ridge
//! that shows a direction.

use glam::DVec3;

use super::crossing::crossing;
use super::gather::keep_sides;
use super::pair::{PairSide, contacts};
use super::search::{FREE, Look, Movable, Search, planes_of, shows};
use super::source::SurfacePoint;
use crate::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE};
use crate::math::Pose;

/// Points of one look.
const POINTS: usize = 24;
/// Vertices that are looked at for the deepest.
const VERTICES: usize = 64;

/// Longest way out of a crossing, in sizes of the smaller mesh, which are half its diameter.
const WIDTHS: f64 = 2.0;

/// Two meshes, the first of which moves.
struct Deep<'a> {
    first: &'a PairSide<'a>,
    second: &'a PairSide<'a>,
    size: f64,
    whole_faces: bool,
}

impl Deep<'_> {
    fn moved(&self, way: DVec3) -> PairSide<'_> {
        let pose = self.first.pose;
        PairSide { pose: Pose::new(pose.position + way, pose.rotation), ..*self.first }
    }
}

impl Movable for Deep<'_> {
    fn look(&mut self, way: DVec3, least: f64, out: &mut Vec<ManifoldPoint>) -> Look {
        let query = ContactQuery { max_points: POINTS, whole_faces: self.whole_faces, ..ContactQuery::default() };
        contacts(&self.moved(way), self.second, self.size, least, &query, out);
        Look::default()
    }

    fn overlap(&mut self, way: DVec3) -> Option<(DVec3, f64)> {
        let moved = self.moved(way);
        if let Some(found) = crossing(&moved, self.second) {
            return Some((found.direction, found.depth));
        }
        let way = inside(&moved, self.second).or_else(|| inside(self.second, &moved).map(|way| -way))?;
        let length = way.length();
        (length > 0.0).then(|| (way / length, length))
    }

    fn size(&self) -> f64 {
        self.size
    }
}

/// The way along the nearest surface out of a solid, if the body lies wholly inside; nothing of it crosses.
fn inside(body: &PairSide, solid: &PairSide) -> Option<DVec3> {
    if !solid.triangles.is_solid() {
        return None;
    }
    let to_solid = solid.pose.inverse().compose(&body.pose);
    let vertex = to_solid.point(body.triangles.support(DVec3::X));
    let side = solid.triangles.side(vertex).filter(|s| s.distance < 0.0)?;
    Some(solid.pose.direction(side.normal * depth_behind(body, &to_solid, &side)))
}

/// How far a body reaches behind the surface at a place.
fn depth_behind(body: &PairSide, to_surface: &Pose, side: &SurfacePoint) -> f64 {
    let down = to_surface.inverse_direction(-side.normal);
    let lowest = to_surface.point(body.triangles.support(down));
    side.normal.dot(side.point - lowest)
}

/// The way of the vertex of a body that lies deepest behind a surface.
fn deepest_vertex(body: &PairSide, surface: &PairSide, size: f64) -> Option<DVec3> {
    let to_surface = surface.pose.inverse().compose(&body.pose);
    let region = surface.bounds.turned(&to_surface.inverse());
    let mut best: Option<DVec3> = None;
    let mut count = 0;
    body.triangles.visit_vertices(&region, &mut |_, p| {
        count += 1;
        if count > VERTICES {
            return;
        }
        let Some(side) = surface.triangles.side(to_surface.point(p)) else { return };
        let is_deepest = -side.distance > best.map_or(0.0, DVec3::length);
        // Far behind an open sheet is not in it.
        if is_deepest && (surface.triangles.is_solid() || -side.distance < size) {
            best = Some(surface.pose.direction(side.normal) * -side.distance);
        }
    });
    best
}

/// Replaces the contacts by those of the least way that frees the first mesh; without any way they stay, and if there are
/// none, one where the surfaces cross is made.
pub(super) fn pair_way_out(
    first: &PairSide,
    second: &PairSide,
    size: f64,
    least: f64,
    out: &mut Vec<ManifoldPoint>,
    query: &ContactQuery,
) {
    let &ContactQuery { max_points, whole_faces, .. } = query;
    let mut body = Deep { first, second, size, whole_faces };
    let crossed = crossing(first, second);
    let contained = if crossed.is_none() { body.overlap(DVec3::ZERO).map(|(n, d)| n * d) } else { None };
    if crossed.is_none() && contained.is_none() {
        return;
    }
    let starts = [
        planes_of(out, DVec3::ZERO).and_then(|planes| planes.least(FREE * size)),
        crossed.map(|c| c.direction * c.depth),
        contained,
        deepest_vertex(first, second, size),
        deepest_vertex(second, first, size).map(|way| -way),
    ];
    let mut search = Search::new();
    for start in starts.into_iter().flatten() {
        search.follow(&mut body, start, out);
    }
    // What crosses a surface is clear of it within its own width: a longer way leads out of a wall through all that the
    // wall encloses.
    if crossed.is_some() && search.best.is_some_and(|way| way.length() > WIDTHS * size) {
        search.best = None;
    }
    let best = search.best;
    search.finish(&mut body, least, out);
    keep_sides(out, max_points);
    if out.is_empty() || best.is_some_and(|way| !shows(out, way)) {
        let shown = out.first().map(|p| (p.position, p.triangles));
        let between = (first.pose.point(first.bounds.center()), [NO_TRIANGLE; 2]);
        let (point, triangles) = crossed.map(|c| (c.point, c.triangles)).or(shown).unwrap_or(between);
        let direction = crossed.map_or(DVec3::Z, |c| c.direction);
        let way = best.or(contained).unwrap_or(crossed.map_or(DVec3::ZERO, |c| c.direction * c.depth));
        let depth = if crossed.is_some() { way.length().min(WIDTHS * size) } else { way.length() };
        let mut made = ManifoldPoint::new(point, way.normalize_or(direction), depth, 0);
        made.triangles = triangles;
        out.truncate(max_points.saturating_sub(1));
        out.push(made);
    }
}
