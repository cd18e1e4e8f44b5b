//! Recorded states as text: `RECORD BODY px py pz qw qx qy qz vx vy vz wx wy wz`, a line a body, bodies in the scene's order.

use std::fmt::Write;

use stiction::math::{DQuat, DVec3, Pose};
use stiction_scenes::Scene;

/// Records of a run, equally spaced, the last at its end.
pub const RECORDS: usize = 4;

/// A body at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Centre of mass, and principal axes.
    pub pose: Pose,
    /// Velocity of the centre of mass \[m/s\]; NaN if the engine does not report it.
    pub velocity: DVec3,
    /// Angular velocity \[rad/s\], world axes.
    pub omega: DVec3,
}

/// The states that a scene starts from.
#[must_use]
pub fn initial(scene: &Scene) -> Vec<BodyState> {
    let state = |b: &stiction_scenes::SceneBody| BodyState { pose: b.pose, velocity: b.velocity, omega: b.omega };
    scene.bodies.iter().map(state).collect()
}

/// Appends a record.
pub fn write_record(number: usize, states: impl Iterator<Item = BodyState>, out: &mut String) {
    for (body, state) in states.enumerate() {
        let (p, q, v, w) = (state.pose.position, state.pose.rotation, state.velocity, state.omega);
        let numbers = [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
        // Writing to a string cannot fail.
        let _ = write!(out, "{number} {body}");
        for x in numbers {
            let _ = write!(out, " {x:?}");
        }
        out.push('\n');
    }
}

/// Reads the complete records of a number of bodies, in their order.
///
/// # Errors
/// The line that is malformed.
pub fn read(text: &str, bodies: usize) -> Result<Vec<Vec<BodyState>>, String> {
    let mut records: Vec<(usize, Vec<BodyState>)> = Vec::new();
    for line in text.lines() {
        let malformed = || format!("malformed state: {line}");
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Vec<f64> = words.iter().map(|w| w.parse()).collect::<Result<_, _>>().map_err(|_| malformed())?;
        let [record, body, x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz] = numbers[..] else {
            return Err(malformed());
        };
        if records.last().is_none_or(|(number, _)| *number as f64 != record) {
            records.push((record as usize, Vec::new()));
        }
        let states = &mut records.last_mut().ok_or_else(malformed)?.1;
        if states.len() as f64 != body {
            return Err(malformed());
        }
        let rotation = DQuat::from_xyzw(qx, qy, qz, qw).normalize();
        let pose = Pose::new(DVec3::new(x, y, z), rotation);
        states.push(BodyState { pose, velocity: DVec3::new(vx, vy, vz), omega: DVec3::new(wx, wy, wz) });
    }
    Ok(records.into_iter().map(|(_, states)| states).filter(|states| states.len() == bodies).collect())
}
