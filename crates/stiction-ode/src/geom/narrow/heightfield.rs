//! Heightfields with solids, rays and meshes. The heights stay the program's and may change at any time, so the part under
//! the other geom is read each time.

use glam::DVec3;
use stiction::collision::{ContactQuery, ManifoldPoint, collide};
use stiction::math::Pose;
use stiction::shape::{Aabb, HeightfieldDefinition, Shape};

use super::super::bounds::bounds_at;
use super::super::heightfield::HeightfieldData;
use super::super::pose::Placed;
use super::super::{Geom, GeomId, GeomShape};
use super::{Contacts, engine, without_panic};

/// A piece of a field, and where its middle is in the field's frame.
struct Patch {
    shape: Shape,
    center: DVec3,
}

/// A geom over more samples than this is so large that it is taken as not touching.
const MOST_SAMPLES: usize = 1 << 22;

/// A ray is followed in pieces of at most so many cells.
const CELLS_OF_A_PIECE: f64 = 16.0;

pub(super) unsafe fn heightfield(field: GeomId, other: GeomId, contacts: &mut Contacts) {
    let GeomShape::Heightfield(data) = (*field).shape else { return };
    let Some(data) = data.as_ref().filter(|data| data.samples[0] > 1) else { return };
    let placed = Geom::placed(field);
    if let GeomShape::Ray { length } = (*other).shape {
        return ray(data, &placed, &Geom::placed(other), length, contacts);
    }
    let Some(shape) = engine::shape_of(other) else { return };
    let other_placed = Geom::placed(other);
    let Some(patch) = patch(data, bounds_in_field(&placed, bounds_at(other, &other_placed))) else { return };
    let (field_pose, other_pose) = (patch.pose(&placed), other_placed.pose());
    if !field_pose.is_finite() || !other_pose.is_finite() {
        return;
    }
    let query = ContactQuery { max_points: contacts.max(), ..ContactQuery::default() };
    let mut points: Vec<ManifoldPoint> = Vec::new();
    if without_panic(|| collide(&patch.shape, &field_pose, &shape, &other_pose, &query, &mut points)).is_none() {
        return;
    }
    for point in &points {
        // ODE has the point on the solid that is in the field.
        let depth = point.depth.max(0.0);
        contacts.push_unit(point.position + point.normal * (0.5 * depth), point.normal, depth, [-1; 2]);
    }
}

/// The first hit, piece by piece along the ray.
fn ray(data: &HeightfieldData, placed: &Placed, start: &Placed, length: f64, contacts: &mut Contacts) {
    let direction = start.rotation.z_axis;
    let spacing = data.spacing();
    let piece = CELLS_OF_A_PIECE * spacing[0].min(spacing[1]);
    // A long ray first goes where the field is.
    let Some((enter, leave)) = reach(data, placed, start, length) else { return };
    let pieces = ((leave - enter) / piece).ceil().clamp(1.0, 1e6);
    let step = (leave - enter) / pieces;
    for k in 0..pieces as usize {
        let from = start.position + direction * (enter + k as f64 * step);
        let to = from + direction * step;
        let (low, high) = (from.min(to), from.max(to));
        let bounds = [low.x, high.x, low.y, high.y, low.z, high.z];
        let Some(patch) = patch(data, bounds_in_field(placed, bounds)) else { continue };
        let past = enter + k as f64 * step;
        if let Some(hit) = patch.shape.ray_cast(&patch.pose(placed), from, direction, step) {
            contacts.push_unit(from + direction * hit.distance, -hit.normal, past + hit.distance, [-1; 2]);
            return;
        }
    }
}

/// The part of a field under a box of the world at two poses of the field, with its pose in the field's frame.
pub(super) fn under(data: &HeightfieldData, placed: [Placed; 2], bounds: &Aabb) -> Option<(Shape, Pose)> {
    let (low, high) = (bounds.min, bounds.max);
    let bounds = [low.x, high.x, low.y, high.y, low.z, high.z];
    let [a, b] = placed.map(|placed| bounds_in_field(&placed, bounds));
    let both = std::array::from_fn(|i| if i % 2 == 0 { a[i].min(b[i]) } else { a[i].max(b[i]) });
    let patch = patch(data, both)?;
    Some((patch.shape, Pose::from_position(patch.center)))
}

/// Stretch of a ray, by distance from its start, inside the field's bounds.
fn reach(data: &HeightfieldData, placed: &Placed, start: &Placed, length: f64) -> Option<(f64, f64)> {
    let origin = placed.inverse_point(start.position);
    let direction = placed.rotation.transpose() * start.rotation.z_axis;
    let bounds = data.bounds(None);
    let (mut enter, mut leave) = (0.0f64, length);
    for axis in 0..3 {
        let (low, high) = (bounds[2 * axis] - origin[axis], bounds[2 * axis + 1] - origin[axis]);
        if direction[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
        } else {
            let (s, t) = (low / direction[axis], high / direction[axis]);
            enter = enter.max(s.min(t));
            leave = leave.min(s.max(t));
        }
    }
    (enter <= leave).then_some((enter, leave))
}

/// World bounds as seen from the field.
fn bounds_in_field(placed: &Placed, bounds: [f64; 6]) -> [f64; 6] {
    let middle = DVec3::new(bounds[0] + bounds[1], bounds[2] + bounds[3], bounds[4] + bounds[5]) * 0.5;
    let half = DVec3::new(bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4]) * 0.5;
    let turn = placed.rotation.transpose();
    let reach = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
    let center = placed.inverse_point(middle);
    let (low, high) = (center - reach, center + reach);
    [low.x, high.x, low.y, high.y, low.z, high.z]
}

impl Patch {
    fn pose(&self, field: &Placed) -> Pose {
        let pose = field.pose();
        Pose::new(pose.point(self.center), pose.rotation)
    }
}

/// The cells under bounds in the field's frame and one around them, so that their borders are seen as inner edges.
fn patch(data: &HeightfieldData, bounds: [f64; 6]) -> Option<Patch> {
    let spacing = data.spacing();
    let mut first = [0i64; 2];
    let mut count = [0usize; 2];
    for axis in 0..2 {
        let to_cells = |x: f64| (x + 0.5 * data.size[axis]) / spacing[axis];
        let (low, high) = (to_cells(bounds[4 * axis]), to_cells(bounds[4 * axis + 1]));
        let cells = data.samples[axis] as i64 - 1;
        // Not over the field, or too large to be read.
        let apart = !data.wrap && (low > cells as f64 || high < 0.0);
        if apart || !(high - low).is_finite() || low.abs() > 1e15 || high - low > 1e7 {
            return None;
        }
        let (mut from, mut to) = (low.floor() as i64 - 1, high.floor() as i64 + 2);
        if !data.wrap {
            (from, to) = (from.clamp(0, cells - 1), to.clamp(1, cells));
        }
        first[axis] = from;
        count[axis] = (to - from + 1) as usize;
    }
    if count[0] * count[1] > MOST_SAMPLES {
        return None;
    }
    let heights: Vec<f64> = (0..count[1] as i64)
        .flat_map(|j| (0..count[0] as i64).map(move |i| (i, j)))
        .map(|(i, j)| data.height(first[0] + i, first[1] + j))
        .collect();
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    // The ground ends at one level under all of the field.
    let bottom = if data.height_bounds[0].is_finite() { data.height_bounds[0] } else { lowest - data.thickness };
    let extent = |axis: usize| (count[axis] - 1) as f64 * spacing[axis];
    let shape = Shape::heightfield(&HeightfieldDefinition {
        heights: &heights,
        columns: count[0],
        rows: count[1],
        width: extent(0),
        depth: extent(1),
        scale: 1.0,
        offset: 0.0,
        thickness: (lowest - bottom).max(0.0),
        wraps: false,
    });
    let middle = |axis: usize| -0.5 * data.size[axis] + first[axis] as f64 * spacing[axis] + 0.5 * extent(axis);
    Some(Patch { shape: shape.ok()?, center: DVec3::new(middle(0), 0.0, middle(1)) })
}
