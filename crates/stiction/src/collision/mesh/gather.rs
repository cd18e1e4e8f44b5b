//! The points of all triangles of a pair, without doubles and without those that carry nothing.

use glam::DVec3;

use super::facet::Facet;
use super::outline::drop_inner_points;
use crate::collision::{ContactQuery, ManifoldPoint, NO_TRIANGLE, ROUNDING, manifold::WITNESS, reduction};
use crate::math::Pose;

/// More points than this are thinned out on the way.
const MANY: usize = 64;
/// The same where inner points stay.
const MANY_WITH_INNER: usize = 4096;
/// Normals of one direction (cosine).
const SAME: f64 = 1.0 - 1e-12;
/// Normals of one side of a body (cosine, 8 degrees): each side keeps a point.
pub(super) const SIDE: f64 = 0.99;
/// Normals of one flat contact (cosine, 0.6 degrees).
const ALIGNED: f64 = 1.0 - 5e-5;
/// Share of the widest gap within which points are near.
const NEAR: f64 = 0.1;
/// Sides distinguished.
const SIDES: usize = 8;

/// Collects in the mesh's axes; sure points first, guesses behind them.
pub(super) struct Gather<'a> {
    out: &'a mut Vec<ManifoldPoint>,
    sure: usize,
    size: f64,
    /// Inner points stay.
    inner: bool,
    /// See [`ContactQuery::near_first`] and [`ContactQuery::whole_faces`].
    near_first: bool,
    whole_faces: bool,
}

impl<'a> Gather<'a> {
    /// `size` is the scale of tolerances \[m\].
    pub fn new(out: &'a mut Vec<ManifoldPoint>, size: f64) -> Self {
        out.clear();
        Self { out, sure: 0, size, inner: false, near_first: false, whole_faces: false }
    }

    /// With the points inside the outline of others, and those that are near first, where that is asked for.
    pub fn asked(self, query: &ContactQuery) -> Self {
        Self { inner: query.inner, near_first: query.near_first, whole_faces: query.whole_faces, ..self }
    }

    pub fn wants_whole_faces(&self) -> bool {
        self.whole_faces
    }

    /// Something sure has a normal.
    pub fn has_normal(&self, normal: DVec3) -> bool {
        self.out[..self.sure].iter().any(|point| point.normal.dot(normal) > SAME)
    }

    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Takes the points that `find` appends for triangles of the first and second shape, and whose direction the
    /// surface has.
    pub fn take(&mut self, triangles: [u32; 2], find: impl FnOnce(&mut Vec<ManifoldPoint>)) {
        let start = self.out.len();
        find(self.out);
        let end = self.settle(start, triangles, |_| true);
        for i in start..end {
            self.out.swap(self.sure, i);
            self.sure += 1;
        }
        if self.sure > if self.inner { MANY_WITH_INNER } else { MANY } {
            self.thin();
        }
    }

    /// Takes the points of a face that the triangle alone would not show: they count on the triangle only, and only if
    /// nothing surer is less deep.
    pub fn guess(
        &mut self,
        triangles: [u32; 2],
        facet: &Facet,
        origin: DVec3,
        find: impl FnOnce(&mut Vec<ManifoldPoint>),
    ) {
        let start = self.out.len();
        if start - self.sure > MANY {
            return;
        }
        find(self.out);
        let slack = 1e-6 * self.size;
        self.settle(start, triangles, |p| p.feature != WITNESS && facet.covers(p.position - origin, slack));
    }

    /// Takes one point of a guess.
    pub fn guess_point(&mut self, triangles: [u32; 2], point: ManifoldPoint) {
        let start = self.out.len();
        if start - self.sure <= MANY {
            self.out.push(point);
            self.settle(start, triangles, |_| true);
        }
    }

    /// Guesses that show lines where surfaces cross, beside all that is sure, are sure too: of those of one line the least deep.
    pub fn take_guesses_at(&mut self, lines: &[[DVec3; 2]]) {
        let Self { ref mut out, ref mut sure, size, .. } = *self;
        for line in lines {
            if out[..*sure].iter().any(|point| overlaps_at(point, line, size)) {
                continue;
            }
            let shows = (*sure..out.len()).filter(|k| overlaps_at(&out[*k], line, size));
            if let Some(least) = shows.min_by(|k, l| out[*k].depth.total_cmp(&out[*l].depth)) {
                out.swap(*sure, least);
                *sure += 1;
            }
        }
    }

    /// Guesses across a gap are sure, as nothing but the two edges is between them; so are those that go on where something sure touches,
    /// on a face with a normal of the same side and a depth that a slope of the two faces allows.
    pub fn take_flat_guesses(&mut self, slope: f64) {
        let Self { ref mut out, ref mut sure, size, .. } = *self;
        let mut next = *sure;
        while next < out.len() {
            let guess = out[next];
            let goes_on = |point: &ManifoldPoint| {
                point.normal.dot(guess.normal) > SIDE
                    && (guess.depth - point.depth).abs() <= slope * point.position.distance(guess.position)
            };
            if guess.depth <= 1e-9 * size || out[..*sure].iter().any(goes_on) {
                out.swap(*sure, next);
                *sure += 1;
            }
            next += 1;
        }
    }

    /// Sure points whose normals are those of one flat contact have one of them: that of a face of the second shape, else of the first
    /// one, else of the first crossing. Otherwise points of two faces that tilt against each other are of several patches.
    pub fn align(&mut self) {
        let rank = |point: &ManifoldPoint| match point.triangles {
            [NO_TRIANGLE, _] => 0,
            [_, NO_TRIANGLE] => 1,
            _ => 2,
        };
        let sure = &mut self.out[..self.sure];
        // Leaders have their normals still when those that follow them are looked at.
        for own in [2, 1, 0] {
            for i in (0..sure.len()).rev() {
                if rank(&sure[i]) != own {
                    continue;
                }
                let leads = |j: &usize| sure[*j].normal.dot(sure[i].normal) > ALIGNED;
                let before = |j: &usize| (rank(&sure[*j]), *j) < (own, i);
                let leader = (0..sure.len()).filter(before).filter(leads).min_by_key(|j| (rank(&sure[*j]), *j));
                if let Some(normal) = leader.map(|j| sure[j].normal) {
                    sure[i].depth *= normal.dot(sure[i].normal);
                    sure[i].normal = normal;
                }
            }
        }
    }

    /// Names the new points from `start` on and drops doubles of points of the same kind; returns the new end.
    fn settle(&mut self, start: usize, triangles: [u32; 2], counts: impl Fn(&ManifoldPoint) -> bool) -> usize {
        let mut end = start;
        for i in start..self.out.len() {
            let mut point = self.out[i];
            if !counts(&point) {
                continue;
            }
            point.triangles = triangles;
            point.feature = key(triangles, point.feature);
            let apart = 1e-6 * self.size;
            match self.out[..end].iter_mut().find(|p| is_double(p, &point, apart)) {
                Some(known) => known.depth = known.depth.max(point.depth),
                None => {
                    self.out[end] = point;
                    end += 1;
                }
            }
        }
        self.out.truncate(end);
        end
    }

    /// Fewer sure points, at the cost of all guesses.
    fn thin(&mut self) {
        self.out.truncate(self.sure);
        drop_inner_points(self.out, self.size);
        reduction::reduce(self.out, MANY / 2);
        self.sure = self.out.len();
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.out.clear();
        self.sure = 0;
    }

    /// Drops what carries nothing, leaves at most `max_points`, and turns the rest into the world.
    pub fn finish(mut self, max_points: usize, pose: &Pose) {
        self.thin_out(max_points);
        to_world(self.out, pose);
    }

    /// Drops what carries nothing and leaves at most `max_points`.
    pub fn thin_out(&mut self, max_points: usize) {
        let Self { ref mut out, sure, size, inner, near_first, .. } = *self;
        let kept = drop_longer_ways(&mut out[..sure], 1e-6 * size);
        out.drain(kept..sure);
        let sure = kept;
        let deepest = out[..sure].iter().map(|p| p.depth).reduce(f64::max);
        // Guesses alone: the least of them, and what is not much deeper.
        let limit = deepest.or_else(|| out.iter().map(|p| p.depth).reduce(f64::min).map(|d| 2.0 * d.abs()));
        let limit = limit.unwrap_or(0.0) + 1e-9 * size;
        let mut end = sure;
        for i in sure..out.len() {
            let point = out[i];
            if point.depth <= limit && !out[..end].iter().any(|p| is_double(p, &point, 1e-6 * size)) {
                out[end] = point;
                end += 1;
            }
        }
        end = drop_longer_ways(&mut out[..end], 1e-6 * size);
        out.truncate(end);
        if !inner {
            drop_inner_points(out, size);
        }
        if near_first {
            keep_near(out, max_points);
        } else {
            keep_sides(out, max_points);
        }
        self.sure = out.len();
    }
}

/// Gives every point a key of its own, and turns all into the world.
pub(super) fn to_world(out: &mut [ManifoldPoint], pose: &Pose) {
    for i in 0..out.len() {
        while out[..i].iter().any(|p| p.feature == out[i].feature) {
            out[i].feature = out[i].feature.wrapping_add(1);
        }
    }
    for point in out {
        point.position = pose.point(point.position);
        point.normal = pose.direction(point.normal);
    }
}

/// A point of the body that is behind two faces of a ridge, or of a thin wall, leaves by the nearer one. The points that
/// stay come to the front; returns how many.
fn drop_longer_ways(points: &mut [ManifoldPoint], apart: f64) -> usize {
    let on_body = |p: &ManifoldPoint| p.position - p.normal * (0.5 * p.depth);
    let is_longer = |p: &ManifoldPoint, q: &ManifoldPoint| {
        q.depth > 0.0
            && q.depth < p.depth
            && q.normal.dot(p.normal) < 1.0 - 1e-9
            && (on_body(p) - on_body(q)).length_squared() < apart * apart
    };
    let mut end = points.len();
    let mut i = 0;
    while i < end {
        if points[..end].iter().any(|q| is_longer(&points[i], q)) {
            points[i..end].rotate_left(1);
            end -= 1;
        } else {
            i += 1;
        }
    }
    end
}

/// What lies outside the overlap of a contact by this part of the size is not in it.
const ASIDE: f64 = 1e-4;

/// A line where surfaces cross lies in the overlap of a contact, which is a slab as thick as that is deep.
pub(super) fn overlaps_at(point: &ManifoldPoint, line: &[DVec3; 2], size: f64) -> bool {
    let slack = ASIDE * size;
    let reach = 0.5 * point.depth.max(0.0) + slack;
    point.depth >= -slack && line.iter().all(|p| point.normal.dot(*p - point.position).abs() <= reach)
}

fn is_double(a: &ManifoldPoint, b: &ManifoldPoint, apart: f64) -> bool {
    (a.position - b.position).length_squared() < apart * apart && a.normal.dot(b.normal) > SAME - 1e-9
}

/// The number of the triangles above, the feature on them in the last byte; a vertex by itself is its own.
fn key(triangles: [u32; 2], feature: u32) -> u32 {
    if triangles == [NO_TRIANGLE; 2] {
        return feature;
    }
    let [a, b] = triangles.map(|t| if t == NO_TRIANGLE { 0 } else { t + 1 });
    let local = feature ^ feature >> 8 ^ feature >> 15 ^ feature >> 23;
    (b ^ a.wrapping_mul(0x0001_0dcd)) << 8 | (local & 0xff)
}

/// Leaves at most `max_points` by their sides: see [`keep_some`].
pub(super) fn keep_sides(out: &mut Vec<ManifoldPoint>, max_points: usize) {
    let kept = keep_some(out, max_points);
    out.truncate(kept);
}

/// Leaves at most `max_points`. What is near goes before what is across a much wider gap; else they go by their sides.
fn keep_near(out: &mut Vec<ManifoldPoint>, max_points: usize) {
    if out.len() <= max_points {
        return;
    }
    let farthest = out.iter().fold(0.0, |most, point| f64::max(most, -point.depth));
    let limit = -ROUNDING.max(NEAR * farthest);
    let mut near = 0;
    for i in 0..out.len() {
        if out[i].depth >= limit {
            out.swap(near, i);
            near += 1;
        }
    }
    // All of what is near, if there is room.
    let sure = if near < max_points { near } else { 0 };
    if near > max_points {
        out.truncate(near);
    }
    let kept = sure + keep_some(&mut out[sure..], max_points - sure);
    out.truncate(kept);
}

/// Where the normals show several sides, as in a corner, every side keeps its deepest point, and the side of most points
/// what room is left. The kept points come to the front; returns how many.
fn keep_some(out: &mut [ManifoldPoint], max_points: usize) -> usize {
    if out.len() <= max_points {
        return out.len();
    }
    let mut leaders = [DVec3::ZERO; SIDES];
    let mut counts = [0usize; SIDES];
    let mut sides = 0;
    let side_of = |leaders: &[DVec3], normal: DVec3| leaders.iter().position(|l| l.dot(normal) > SIDE);
    for point in out.iter() {
        match side_of(&leaders[..sides], point.normal) {
            Some(side) => counts[side] += 1,
            None if sides < SIDES => {
                (leaders[sides], counts[sides]) = (point.normal, 1);
                sides += 1;
            }
            None => {}
        }
    }
    if sides < 2 || sides > max_points {
        return reduction::reduce_list(out, max_points);
    }
    let main = (0..sides).fold(0, |best, side| if counts[side] > counts[best] { side } else { best });
    let share = |side: usize| counts[side].min((max_points / 4).max(1));
    let others: usize = (0..sides).filter(|&side| side != main).map(share).sum();
    let main_share = max_points.saturating_sub(others).max(1);
    // Side by side to the front, each reduced on its own.
    let (mut done, mut len) = (0, out.len());
    for side in 0..sides {
        let mut end = done;
        for i in done..len {
            if side_of(&leaders[..sides], out[i].normal) == Some(side) {
                out.swap(end, i);
                end += 1;
            }
        }
        let most = if side == main { main_share } else { share(side) };
        let kept = reduction::reduce_part(&mut out[done..end], most);
        out[done + kept..len].rotate_left(end - done - kept);
        len -= end - done - kept;
        done += kept;
    }
    done.min(max_points)
}
