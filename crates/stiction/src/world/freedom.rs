//! Degrees of freedom of a world: independent velocities that its joints leave.
//!
//! Joints that make trees give coordinates: the motions that are left between a body and its parent, six where it has none.
//! Every other joint, and every motion that follows another, asks `J q̇ = 0` of them, so that what is left is
//! `n − rank J`. Rows of a loop that repeat each other count once, as in a planar four-bar, where counting rows would find none left.

use std::collections::BTreeMap;

use glam::DVec3;

use super::{BodyKind, World};
use crate::joints::{Joint, JointContext, JointRow, MAX_ROWS};
use crate::model::joint_pose;

/// What is left of a row after the others below which it repeats them, of 1: files have poses of five or six digits.
const REPEATED: f64 = 3e-5;

/// A velocity and an angular velocity, or what acts on them; the angular part in units of the length of the mechanism.
type Twist = [f64; 6];

/// A row of `J`, by the bodies (slots) that it acts on.
type Row = Vec<(usize, DVec3, DVec3)>;

/// A body in a tree: its parent and the motions that are left between the two, at its centre.
struct Link {
    parent: Option<usize>,
    first: usize,
    motions: Vec<Twist>,
}

/// Bodies that joints connect, with the joints (slots).
#[derive(Default)]
struct Mechanism {
    bodies: Vec<usize>,
    joints: Vec<usize>,
    mimics: Vec<usize>,
    /// Largest distance from the first body's centre \[m\].
    length: f64,
}

impl World {
    /// Independent velocities of all dynamic bodies that joints and followers leave at the present poses; stops, motors,
    /// contacts and wires take none.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        self.mechanisms().iter().map(|mechanism| self.freedom_of(mechanism)).sum()
    }

    /// The slot of a body that moves by forces.
    fn moving(&self, slot: usize) -> Option<usize> {
        self.bodies.at(slot).filter(|body| body.kind == BodyKind::Dynamic).map(|_| slot)
    }

    /// Moving bodies of a joint.
    fn ends(&self, joint: &Joint) -> [Option<usize>; 3] {
        let [first, second] = joint.definition.bodies;
        [first, second, joint.definition.reference].map(|body| self.moving(body?.slot()))
    }

    fn mechanisms(&self) -> Vec<Mechanism> {
        let mut of: Vec<usize> = (0..self.bodies.slots()).collect();
        let of_joint = |id: crate::model::JointId| self.joints.get(id).map(|joint| self.ends(joint));
        let of_mimic = |k: usize| {
            let m = &self.mimics[k];
            Some(of_joint(m.follower.0)?.into_iter().chain(of_joint(m.leader.0)?).flatten().collect::<Vec<_>>())
        };
        let of_joints =
            self.joints.iter().map(|(id, joint)| (id.slot(), self.ends(joint).into_iter().flatten().collect()));
        let of_joints: Vec<(usize, Vec<usize>)> = of_joints.collect();
        let of_mimics: Vec<(usize, Vec<usize>)> =
            (0..self.mimics.len()).filter_map(|k| Some((k, of_mimic(k)?))).collect();
        for (_, ends) in of_joints.iter().chain(&of_mimics) {
            for pair in ends.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|slot| root(&mut of, slot));
                of[a.max(b)] = a.min(b);
            }
        }
        let mut found: BTreeMap<usize, Mechanism> = BTreeMap::new();
        for slot in (0..self.bodies.slots()).filter_map(|slot| self.moving(slot)) {
            let own = found.entry(root(&mut of, slot)).or_default();
            own.bodies.push(slot);
            own.length = own.length.max((self.centre(slot) - self.centre(own.bodies[0])).length());
        }
        for (joint, ends) in of_joints.iter().filter(|(_, ends)| !ends.is_empty()) {
            let Some(own) = found.get_mut(&root(&mut of, ends[0])) else { continue };
            own.joints.push(*joint);
            let Some(definition) = self.joints.at(*joint) else { continue };
            let pose = joint_pose(definition, &self.state.bodies);
            for anchor in [pose.anchor(0), pose.anchor(1)] {
                own.length = own.length.max((anchor - self.centre(own.bodies[0])).length());
            }
        }
        for (mimic, ends) in of_mimics.iter().filter(|(_, ends)| !ends.is_empty()) {
            if let Some(own) = found.get_mut(&root(&mut of, ends[0])) {
                own.mimics.push(*mimic);
            }
        }
        found.into_values().collect()
    }

    fn centre(&self, slot: usize) -> DVec3 {
        self.state.bodies[slot].motion.position
    }

    /// `n − rank J` of a mechanism.
    fn freedom_of(&self, mechanism: &Mechanism) -> usize {
        let length = if mechanism.length > 0.0 { mechanism.length } else { 1.0 };
        let mut links: BTreeMap<usize, Link> = BTreeMap::new();
        let mut is_used = vec![false; mechanism.joints.len()];
        let mut count = 0;
        // What is jointed to the environment comes first, then each body that is not reached as a root of its own.
        for start in std::iter::once(None).chain(mechanism.bodies.iter().map(|slot| Some(*slot))) {
            let mut queue = vec![start];
            if let Some(slot) = start {
                if links.contains_key(&slot) {
                    continue;
                }
                let free = (0..6).map(|k| std::array::from_fn(|c| f64::from(u8::from(c == k)))).collect();
                links.insert(slot, Link { parent: None, first: count, motions: free });
                count += 6;
            }
            while let Some(at) = queue.pop() {
                for (k, slot) in mechanism.joints.iter().enumerate() {
                    let Some(joint) = self.joints.at(*slot).filter(|joint| joint.can_carry_links()) else {
                        continue;
                    };
                    let [first, second, _] = self.ends(joint);
                    let child = if first == at {
                        second
                    } else if second == at {
                        first
                    } else {
                        continue;
                    };
                    let Some(child) = child.filter(|child| !is_used[k] && !links.contains_key(child)) else { continue };
                    is_used[k] = true;
                    let rows = self.rows(*slot);
                    let held = rows.iter().filter_map(|row| {
                        row.iter().find(|part| part.0 == child).map(|part| twist(part.1, part.2 / length))
                    });
                    let motions = complement(held.collect());
                    let link = Link { parent: at, first: count, motions };
                    count += link.motions.len();
                    links.insert(child, link);
                    queue.push(Some(child));
                }
            }
        }
        let unused = mechanism.joints.iter().zip(&is_used).filter(|(_, is_used)| !**is_used);
        let closing = unused.flat_map(|(slot, _)| self.rows(*slot));
        let following = mechanism.mimics.iter().filter_map(|k| self.following(*k));
        let rows = closing.chain(following).map(|row| {
            let mut of_coordinates = vec![0.0; count];
            let mut norm = 0.0f64;
            for (slot, linear, angular) in row {
                norm = norm.max(linear.length_squared() + (angular / length).length_squared());
                let mut at = Some(slot);
                while let Some(link) = at.and_then(|at| links.get(&at)) {
                    // v = v_k + ω_k × r: the row moved to the centre of the link whose motions they are.
                    let arm = self.centre(slot) - self.centre(at.unwrap_or(slot));
                    let moved = twist(linear, (angular + arm.cross(linear)) / length);
                    for (k, motion) in link.motions.iter().enumerate() {
                        of_coordinates[link.first + k] += dot(&moved, motion);
                    }
                    at = link.parent;
                }
            }
            of_coordinates.iter_mut().for_each(|x| *x /= norm.sqrt().max(f64::MIN_POSITIVE));
            of_coordinates
        });
        count - rank(rows.collect())
    }

    /// The rows that hold a joint both ways.
    fn rows(&self, slot: usize) -> Vec<Row> {
        let Some(joint) = self.joints.at(slot) else { return Vec::new() };
        let positions = self.state.joints[slot].positions;
        let context = JointContext { step: 1e-3, erp: 0.0, cfm: 0.0, spook: None, positions };
        let mut rows: Vec<JointRow> = Vec::with_capacity(MAX_ROWS);
        joint.holding_rows(&joint_pose(joint, &self.state.bodies), &context, &mut rows);
        let ends = self.ends(joint);
        let both_ways = rows.iter().filter(|row| row.bounds == [f64::NEG_INFINITY, f64::INFINITY]);
        both_ways
            .map(|row| (0..3).filter_map(|k| Some((ends[k]?, row.linear_of(k), row.angular[k]))).collect())
            .collect()
    }

    /// `q̇_follower − multiplier q̇_leader`.
    fn following(&self, mimic: usize) -> Option<Row> {
        let mimic = &self.mimics[mimic];
        let mut row = Vec::new();
        for ((id, axis), factor) in [(mimic.follower, 1.0), (mimic.leader, -mimic.multiplier)] {
            let joint = self.joints.get(id)?;
            let ends = self.ends(joint);
            let positions = self.state.joints[id.slot()].positions;
            joint.visit_motions(&joint_pose(joint, &self.state.bodies), positions, |k, motion| {
                if k == axis {
                    let linear = factor * DVec3::from(motion.part.linear);
                    let angular =
                        [motion.part.angular_first, motion.part.angular_second].map(|a| factor * DVec3::from(a));
                    row.extend(ends[0].map(|slot| (slot, linear, angular[0])));
                    row.extend(ends[1].map(|slot| (slot, -linear, angular[1])));
                }
            });
        }
        Some(row)
    }
}

/// The first of what is joined with `at`.
fn root(of: &mut [usize], mut at: usize) -> usize {
    while of[at] != at {
        of[at] = of[of[at]];
        at = of[at];
    }
    at
}

fn twist(linear: DVec3, angular: DVec3) -> Twist {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// An orthonormal basis of what is across all rows.
fn complement(mut rows: Vec<Twist>) -> Vec<Twist> {
    for row in &mut rows {
        let norm = dot(row, row).sqrt().max(f64::MIN_POSITIVE);
        row.iter_mut().for_each(|x| *x /= norm);
    }
    let held = orthonormal(&mut rows, usize::MAX);
    // Of the six unit vectors those that are farthest from what is there are taken, one after the other.
    let mut unit: Vec<Twist> = (0..6).map(|k| std::array::from_fn(|c| f64::from(u8::from(c == k)))).collect();
    for base in &held {
        unit.iter_mut().for_each(|x| take_away(x, base));
    }
    orthonormal(&mut unit, 6 - held.len())
}

/// The rank of rows of length about one.
fn rank(mut rows: Vec<Vec<f64>>) -> usize {
    orthonormal(&mut rows, usize::MAX).len()
}

/// An orthonormal basis of the rows by Gram-Schmidt with pivoting: the row of which most is left comes next, until what is left repeats
/// the others. At most `most` of them.
fn orthonormal<R: AsMut<[f64]> + AsRef<[f64]> + Clone>(rows: &mut Vec<R>, most: usize) -> Vec<R> {
    let mut basis: Vec<R> = Vec::new();
    while basis.len() < most {
        let square = |row: &R| dot(row.as_ref(), row.as_ref());
        let largest = (0..rows.len()).max_by(|a, b| square(&rows[*a]).total_cmp(&square(&rows[*b])));
        let Some(next) = largest.filter(|k| square(&rows[*k]) > REPEATED * REPEATED) else { break };
        let mut own = rows.swap_remove(next);
        // Once more against those before: rounding of what was taken away is large where little is left.
        basis.iter().for_each(|base| take_away(own.as_mut(), base.as_ref()));
        let norm = square(&own).sqrt();
        own.as_mut().iter_mut().for_each(|x| *x /= norm);
        rows.iter_mut().for_each(|row| take_away(row.as_mut(), own.as_ref()));
        basis.push(own);
    }
    basis
}

/// The part along a unit vector taken away.
fn take_away(row: &mut [f64], unit: &[f64]) {
    let along = dot(row, unit);
    row.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * u);
}
