//! Impulses of the last step, by pair of geoms and place, for a start from them.

use glam::DVec3;

use super::rows::{Assembly, JointRows};
use crate::types::vector;

/// Who a list of points belongs to: two geoms, or two bodies where the program's contacts name no geoms, or a joint.
type Key = [usize; 2];

/// Points of one pair.
#[derive(Clone, Copy, Debug)]
struct Pair {
    key: Key,
    first: u32,
    count: u32,
}

/// A point and its impulses along the normal and the tangents; a joint's are rows 0 to 2 and 3 to 5.
#[derive(Clone, Copy, Debug)]
struct Point {
    position: DVec3,
    impulses: [f64; 6],
    /// Taken by a point of the present step: two must not start from one impulse.
    is_taken: bool,
}

/// Points of one step.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// Open addressing; `u32::MAX` is empty. Looked up only, so that addresses in memory change no result.
    table: Vec<u32>,
    pairs: Vec<Pair>,
    points: Vec<Point>,
}

/// Points farther apart than this are not the same [m].
const NEAR: f64 = 0.02;

unsafe fn key_of(joint: &JointRows) -> Key {
    match (*joint.joint).contact() {
        Some(contact) if !contact.geom.g1.is_null() || !contact.geom.g2.is_null() => {
            [contact.geom.g1 as usize, contact.geom.g2 as usize]
        }
        Some(_) => joint.sides.bodies.map(|body| body as usize),
        None => [joint.joint as usize, usize::MAX],
    }
}

unsafe fn position_of(joint: &JointRows) -> DVec3 {
    (*joint.joint).contact().map_or(DVec3::ZERO, |contact| vector(&contact.geom.pos))
}

fn hash(key: Key) -> usize {
    let mixed = (key[0] as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key[1] as u64 >> 4);
    (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize
}

impl Memory {
    /// Keeps the impulses of all rows.
    pub(super) unsafe fn keep(&mut self, assembly: &Assembly, impulse: impl Fn(usize) -> f64) {
        self.pairs.clear();
        self.points.clear();
        for joint in &assembly.joints {
            let key = key_of(joint);
            if self.pairs.last().is_none_or(|pair| pair.key != key) {
                self.pairs.push(Pair { key, first: self.points.len() as u32, count: 0 });
            }
            if let Some(pair) = self.pairs.last_mut() {
                pair.count += 1;
            }
            let mut impulses = [0.0; 6];
            for (to, row) in impulses.iter_mut().zip(joint.rows.clone()) {
                *to = impulse(row);
            }
            self.points.push(Point { position: position_of(joint), impulses, is_taken: false });
        }
        let size = (2 * self.pairs.len()).next_power_of_two().max(16);
        self.table.clear();
        self.table.resize(size, u32::MAX);
        for (number, pair) in self.pairs.iter().enumerate() {
            let mut at = hash(pair.key) & (size - 1);
            while self.table[at] != u32::MAX {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = number as u32;
        }
    }

    /// Takes the impulses that a joint's rows had in the step before.
    pub(super) unsafe fn take(&mut self, joint: &JointRows) -> Option<[f64; 6]> {
        let key = key_of(joint);
        let position = position_of(joint);
        let mask = self.table.len().checked_sub(1)?;
        let mut best = (NEAR * NEAR, None);
        let mut at = hash(key) & mask;
        while self.table[at] != u32::MAX {
            let pair = &self.pairs[self.table[at] as usize];
            if pair.key == key {
                for i in pair.first as usize..(pair.first + pair.count) as usize {
                    let point = &self.points[i];
                    let distance = (point.position - position).length_squared();
                    if distance < best.0 && !point.is_taken {
                        best = (distance, Some(i));
                    }
                }
            }
            at = (at + 1) & mask;
        }
        let point = &mut self.points[best.1?];
        point.is_taken = true;
        Some(point.impulses)
    }
}
