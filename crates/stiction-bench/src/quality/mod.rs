//! One judge for every engine: penetration, joint gaps, drift and energy of recorded states, by distances of our own that no
//! engine shares.

pub mod distance;
mod states;
pub mod terrain;

use serde::Serialize;
use stiction::math::{DVec3, Pose};
use stiction_scenes::{BodyKind, Scene, SceneBody, SceneJoint};

use distance::Rounded;
pub use states::{BodyState, RECORDS, initial, read, write_record};
use terrain::Terrain;

/// Positions beyond this are those of a run that exploded \[m\].
const FARTHEST: f64 = 1e4;

/// What a run was worth, by its records.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// Deepest penetration of all records \[mm\].
    pub deepest: f64,
    /// Mean penetration of the pairs that overlap in the last record \[mm\].
    pub mean: f64,
    /// Largest distance of the two anchors of a joint in all records \[mm\].
    pub gap: f64,
    /// Largest displacement of a body in the second half of the run \[mm\].
    pub drift: f64,
    /// Largest increase of mechanical energy from one record to the next \[J\]; absent where motors act or the engine does not
    /// report velocities.
    pub gain: Option<f64>,
    /// Change of mechanical energy over the run \[J\].
    pub change: Option<f64>,
}

/// Judges the records of a run, in their order; `None` if it exploded or has no record.
#[must_use]
pub fn judge(scene: &Scene, records: &[Vec<BodyState>]) -> Option<Quality> {
    let is_sane = |s: &BodyState| s.pose.position.is_finite() && s.pose.position.length() < FARTHEST;
    let last = records.last()?;
    if records.iter().flatten().any(|s| !is_sane(s)) {
        return None;
    }
    let (mut deepest, mut mean, mut gap) = (0.0f64, 0.0, 0.0f64);
    for record in records {
        let depths = penetrations(scene, record);
        deepest = depths.iter().copied().fold(deepest, f64::max);
        mean = if depths.is_empty() { 0.0 } else { depths.iter().sum::<f64>() / depths.len() as f64 };
        gap = gap.max(largest_gap(scene, record));
    }
    let middle = &records[(records.len() / 2).saturating_sub(1)];
    let moved = middle.iter().zip(last).map(|(a, b)| (b.pose.position - a.pose.position).length());
    let balance = balance(scene, records);
    Some(Quality {
        deepest: 1e3 * deepest,
        mean: 1e3 * mean,
        gap: 1e3 * gap,
        drift: 1e3 * moved.fold(0.0, f64::max),
        gain: balance.map(|b| b[0]),
        change: balance.map(|b| b[1]),
    })
}

/// Depths of all pairs that overlap \[m\].
fn penetrations(scene: &Scene, record: &[BodyState]) -> Vec<f64> {
    let mut depths = Vec::new();
    let mut add = |distance: f64| {
        if distance < 0.0 {
            depths.push(-distance);
        }
    };
    let group = |i: usize| match scene.bodies[i].kind {
        BodyKind::Group(group) => Some(group),
        BodyKind::All | BodyKind::Nothing => None,
    };
    let solid = |(i, state): (usize, &BodyState)| {
        let body = &scene.bodies[i];
        let shape = Rounded::of_shape(&body.shape, &state.pose).filter(|_| body.kind != BodyKind::Nothing)?;
        Some((i, shape.bounds(), shape))
    };
    let mut shapes: Vec<_> = record.iter().enumerate().filter_map(solid).collect();
    shapes.sort_by(|a, b| a.1[0].x.total_cmp(&b.1[0].x));
    let walls = scene.static_boxes.iter().map(|(p, h)| Rounded::cuboid(&Pose::from_position(*p), *h));
    let terrain = scene.field.as_ref().map(Terrain::new);
    let walls: Vec<_> = walls.map(|wall| (wall.bounds(), wall)).collect();
    for (k, (i, bounds, shape)) in shapes.iter().enumerate() {
        if scene.has_ground {
            add(shape.height());
        }
        walls.iter().filter(|w| overlap(bounds, &w.0)).for_each(|w| add(shape.distance(&w.1)));
        if let Some(terrain) = &terrain {
            add(-terrain.depth(&scene.bodies[*i].shape, &record[*i].pose));
        }
        let near = shapes[k + 1..].iter().take_while(|other| other.1[0].x < bounds[1].x);
        for (j, _, second) in near.filter(|other| overlap(bounds, &other.1)) {
            if group(*i).is_none() || group(*i) != group(*j) {
                add(shape.distance(second));
            }
        }
    }
    depths
}

fn overlap(a: &[DVec3; 2], b: &[DVec3; 2]) -> bool {
    a[0].cmple(b[1]).all() && b[0].cmple(a[1]).all()
}

/// Largest distance of the two anchors of a joint \[m\].
fn largest_gap(scene: &Scene, record: &[BodyState]) -> f64 {
    let gap = |joint: &SceneJoint| {
        let now = |body: Option<usize>| match body {
            None => joint.anchor,
            Some(i) => record[i].pose.point(scene.bodies[i].pose.inverse_point(joint.anchor)),
        };
        (now(joint.bodies[0]) - now(joint.bodies[1])).length()
    };
    scene.joints.iter().map(gap).fold(0.0, f64::max)
}

/// Largest gain between records, and change over the run, of the mechanical energy \[J\].
fn balance(scene: &Scene, records: &[Vec<BodyState>]) -> Option<[f64; 2]> {
    if scene.joints.iter().any(|j| j.hinge.is_some_and(|h| h.gains[0] > 0.0)) {
        return None;
    }
    let energies: Vec<f64> =
        std::iter::once(&initial(scene)).chain(records).map(|record| energy(scene, record)).collect();
    let gain = energies.windows(2).map(|w| w[1] - w[0]).fold(0.0, f64::max);
    let change = energies.last()? - energies[0];
    change.is_finite().then_some([gain, change])
}

/// Kinetic and potential energy \[J\].
fn energy(scene: &Scene, record: &[BodyState]) -> f64 {
    let of_body = |(body, state): (&SceneBody, &BodyState)| {
        let omega = state.pose.inverse_direction(state.omega);
        let kinetic = 0.5 * (body.mass * state.velocity.length_squared() + omega.dot(body.moments * omega));
        kinetic - body.mass * scene.gravity.dot(state.pose.position)
    };
    scene.bodies.iter().zip(record).map(of_body).sum()
}
