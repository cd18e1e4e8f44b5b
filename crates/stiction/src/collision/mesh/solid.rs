//! Any convex solid against triangles.

use glam::DVec3;

use super::{
    back::with_side,
    direction::direction,
    facet::Facet,
    gather::{Gather, SIDE},
    hull::solid_hull,
    source::{SurfacePoint, TriangleSource, is_outward, is_outward_of_rim},
    touch::Probe,
    way_out::way_out,
};
use crate::collision::convex::{Couple, common_scale};
use crate::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE, TOUCH, manifold, placed::Placed};
use crate::math::Pose;
use crate::shape::{Shape, Triangle};

pub(in crate::collision) fn solid_mesh(
    solid: &Shape,
    solid_pose: &Pose,
    mesh: &Shape,
    pose: &Pose,
    query: &ContactQuery,
    out: &mut Vec<ManifoldPoint>,
) {
    if let Shape::TriangleMesh(convex) = mesh
        && let Some(hull) = convex.hull()
    {
        return solid_hull(solid, solid_pose, hull, convex, pose, query, out);
    }
    with_side(mesh, query.behind[1], |triangles| {
        solid_source(solid, solid_pose, triangles, pose, query, &mut |_| true, out);
    });
}

/// A direction this near to the triangle's normal is that (cosine).
const FACE: f64 = 1.0 - 1e-9;

/// A triangle whose least depth is along a direction beside its normal that the surface does not have there, as a neighbour lies farther
/// in: where that neighbour has this direction, as the corners of a face on a larger one do, the points are of the same contact.
#[derive(Clone, Copy)]
struct Leaning {
    triangle: Triangle,
    direction: DVec3,
    depth: f64,
    along: f64,
}

/// Such triangles of a pair that are looked at, of any number.
const LEANING: usize = 8;

/// Where the solid's centre has gone through a surface it counts as this far before it, in parts of the size.
const BEFORE: f64 = 1e-6;

/// A solid about triangles, in their axes.
pub(super) struct Meeting<'a> {
    pub solid: &'a Shape,
    pub triangles: &'a dyn TriangleSource,
    pub size: f64,
}

/// What a look at all triangles about a solid has shown beside the contacts.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    /// A triangle is met.
    pub touches: bool,
    /// A triangle is met whose back the solid's centre is on.
    pub meets_back: bool,
    /// The solid's centre has gone through the surface: its side there.
    pub behind: Option<SurfacePoint>,
    /// Of the triangles that are met but have no direction of least depth of their own, the deepest.
    pub missed: Option<Missed>,
}

/// A triangle that is met, with the least depth of the triangle alone and that along its normal \[m\].
#[derive(Clone, Copy)]
pub(super) struct Missed {
    pub depth: f64,
    pub along: f64,
    pub triangle: Triangle,
}

impl Seen {
    fn miss(&mut self, depth: f64, along: f64, triangle: &Triangle) {
        if self.missed.is_none_or(|m| depth > m.depth) {
            self.missed = Some(Missed { depth, along, triangle: *triangle });
        }
    }
}

impl Meeting<'_> {
    /// Contacts at a pose in the triangles' axes; depths below `least` are left out.
    ///
    /// Triangles count that the solid's centre is in front of, or if it has gone through the surface, the place of the
    /// surface nearest to it: what lies behind that is the other side of the body.
    pub fn contacts(
        &self,
        relative: &Pose,
        least: f64,
        accept: &mut dyn FnMut(u32) -> bool,
        gather: &mut Gather,
    ) -> Seen {
        let origin = relative.position;
        let placed = Placed::new(self.solid, relative, origin);
        let center = placed.center();
        let mut seen = Seen::default();
        let is_all = self.look(relative, least, center, accept, gather, &mut seen);
        seen.meets_back = !is_all;
        let is_solid = self.triangles.is_solid();
        // Without a face behind it the centre is before them all, or so far inside that none is near.
        if is_all && !(is_solid && gather.is_empty() && self.triangles.bounds().holds(origin + center)) {
            return seen;
        }
        let Some(side) = self.triangles.side(origin + center).filter(|s| s.distance < 0.0) else {
            if self.triangles.has_rim() {
                self.look_behind(relative, least, accept, gather, &mut seen);
            }
            return seen;
        };
        gather.clear();
        (seen.missed, seen.touches) = (None, false);
        let reference = side.point - origin + side.normal * (BEFORE * self.size);
        self.look(relative, least, reference, accept, gather, &mut seen);
        if !is_solid && !seen.touches {
            self.look_behind(relative, least, accept, gather, &mut seen);
            gather.clear();
        }
        if is_solid || seen.touches {
            seen.behind = Some(side);
        }
        seen
    }

    /// Takes the contacts of the triangles that a point (about the solid's position) is in front of; true if that is
    /// all that the solid meets.
    fn look(
        &self,
        relative: &Pose,
        least: f64,
        reference: DVec3,
        accept: &mut dyn FnMut(u32) -> bool,
        gather: &mut Gather,
        seen: &mut Seen,
    ) -> bool {
        let origin = relative.position;
        let placed = Placed::new(self.solid, relative, origin);
        let probe = Probe::new(&placed, least);
        let (size, center) = (self.size, placed.center());
        let mut couple =
            Couple { a: placed, b: Facet { corners: [DVec3::ZERO; 3], normal: DVec3::ZERO }, origin, size };
        let mut is_all = true;
        let lasts = gather.wants_whole_faces();
        let (mut leaning, mut count) = ([None; LEANING], 0);
        probe.visit(self.triangles, origin, &mut |triangle| {
            let facet = Facet::new(triangle, origin);
            let Some((corners, along)) = probe.meets(&facet, least) else { return };
            if !accept(triangle.index) {
                return;
            }
            let normal = triangle.normal;
            let is_front = normal.dot(reference - facet.corners[0]) >= 0.0;
            if !is_front && !is_all {
                return;
            }
            let height = normal.dot(center - facet.corners[0]);
            couple.b = facet;
            couple.size = common_scale(size, facet.size());
            let (direction, depth) = direction(&couple, &probe, &corners, along, least, height >= 0.0);
            if depth < least {
                return;
            }
            if !is_front {
                is_all = false;
                return;
            }
            seen.touches = true;
            let is_face = direction.dot(normal) >= FACE;
            let index = [NO_TRIANGLE, triangle.index];
            if is_face {
                gather.take(index, |out| manifold::points(&couple, normal, along, (least, lasts), out));
            } else if is_outward(self.triangles, triangle, direction) {
                gather.take(index, |out| manifold::points(&couple, direction, depth, (least, lasts), out));
            } else if let Some(free) = leaning.get_mut(count)
                && lasts
                && direction.dot(normal) > SIDE
            {
                seen.miss(depth, along, triangle);
                *free = Some(Leaning { triangle: *triangle, direction, depth, along });
                count += 1;
            } else {
                seen.miss(depth, along, triangle);
                gather.guess(index, &couple.b, origin, |out| {
                    manifold::points(&couple, normal, along, (least, lasts), out);
                });
            }
        });
        for Leaning { triangle, direction, depth, along } in leaning.into_iter().flatten() {
            couple.b = Facet::new(&triangle, origin);
            couple.size = common_scale(size, couple.b.size());
            let index = [NO_TRIANGLE, triangle.index];
            if gather.has_normal(direction) {
                gather.take(index, |out| manifold::points(&couple, direction, depth, (least, lasts), out));
            } else {
                gather.guess(index, &couple.b, origin, |out| {
                    manifold::points(&couple, triangle.normal, along, (least, lasts), out);
                });
            }
        }
        is_all
    }

    /// A triangle that the centre is before is met by more than `slack` \[m\].
    pub fn is_met(&self, relative: &Pose, slack: f64, accept: &mut dyn FnMut(u32) -> bool) -> bool {
        let origin = relative.position;
        let placed = Placed::new(self.solid, relative, origin);
        let probe = Probe::new(&placed, 0.0);
        let (size, center) = (self.size, placed.center());
        let mut couple =
            Couple { a: placed, b: Facet { corners: [DVec3::ZERO; 3], normal: DVec3::ZERO }, origin, size };
        let mut is_met = false;
        probe.visit(self.triangles, origin, &mut |triangle| {
            if is_met || triangle.normal.dot(center - (triangle.corners[0] - origin)) < 0.0 {
                return;
            }
            couple.b = Facet::new(triangle, origin);
            let Some((corners, along)) = probe.meets(&couple.b, slack) else { return };
            couple.size = common_scale(size, couple.b.size());
            is_met = direction(&couple, &probe, &corners, along, slack, true).1 > slack && accept(triangle.index);
        });
        is_met
    }

    /// Triangles of an open surface that the centre is behind without having gone through it: past the rim, or of
    /// another sheet. At the rim they are met sideways.
    fn look_behind(
        &self,
        relative: &Pose,
        least: f64,
        accept: &mut dyn FnMut(u32) -> bool,
        gather: &mut Gather,
        seen: &mut Seen,
    ) {
        let origin = relative.position;
        let placed = Placed::new(self.solid, relative, origin);
        let probe = Probe::new(&placed, least);
        let (size, center) = (self.size, placed.center());
        let lasts = gather.wants_whole_faces();
        let mut couple =
            Couple { a: placed, b: Facet { corners: [DVec3::ZERO; 3], normal: DVec3::ZERO }, origin, size };
        probe.visit(self.triangles, origin, &mut |triangle| {
            couple.b = Facet::new(triangle, origin);
            let is_behind = triangle.normal.dot(center - couple.b.corners[0]) < 0.0;
            if !is_behind {
                return;
            }
            let Some((corners, along)) = probe.meets(&couple.b, least) else { return };
            if !accept(triangle.index) {
                return;
            }
            couple.size = common_scale(size, couple.b.size());
            let (direction, depth) = direction(&couple, &probe, &corners, along, least, false);
            if depth < least {
                return;
            }
            seen.touches = true;
            if is_outward_of_rim(self.triangles, triangle, direction) {
                gather.take([NO_TRIANGLE, triangle.index], |out| {
                    manifold::points(&couple, direction, depth, (least, lasts), out);
                });
            } else if depth >= 0.0 {
                seen.miss(depth, along, triangle);
            }
        });
    }
}

/// Triangles that are met deeper than all contacts, by this part of the size, are searched for too.
const UNSURE: f64 = 1e-6;

/// Overlaps above this part of the inner radius are searched for the least way out.
const DEEP: f64 = 0.4;

/// The contacts in the world. Returns whether a triangle is met whose back the solid's centre is on.
pub(super) fn solid_source(
    solid: &Shape,
    solid_pose: &Pose,
    triangles: &dyn TriangleSource,
    pose: &Pose,
    query: &ContactQuery,
    accept: &mut dyn FnMut(u32) -> bool,
    out: &mut Vec<ManifoldPoint>,
) -> bool {
    let relative = pose.inverse().compose(solid_pose);
    let placed = Placed::new(solid, &relative, relative.position);
    let size = placed.size();
    let least = -query.margin - TOUCH * size;
    let meeting = Meeting { solid, triangles, size };
    let mut gather = Gather::new(out, size).asked(query);
    let seen = meeting.contacts(&relative, least, accept, &mut gather);
    gather.thin_out(query.max_points);
    let deepest = out.iter().fold(0.0f64, |most, p| most.max(p.depth));
    let is_missed = seen.missed.is_some_and(|m| m.depth > deepest + UNSURE * (deepest + size));
    if is_missed || seen.behind.is_some() || deepest > DEEP * placed.inner_radius() {
        way_out(&meeting, &relative, least, &seen, accept, out, query.max_points);
    }
    super::gather::to_world(out, pose);
    seen.meets_back
}
