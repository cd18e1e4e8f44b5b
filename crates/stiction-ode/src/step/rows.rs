//! Rows of the joints of all islands, in ODE's order.

use std::ops::Range;

use glam::DVec3;
use stiction::joints::JointRow;

use super::islands::Islands;
use super::prepare::StepBody;
use crate::joints::{self, contact::Contact};
use crate::objects::joint::JointId;
use crate::objects::row::{Row, Rows, Setting};
use crate::objects::sides::Sides;
use crate::objects::world::World;
use crate::types::{dJointFeedback, put};

/// Rows of one joint.
#[derive(Clone, Debug)]
pub(super) struct JointRows {
    pub joint: JointId,
    pub sides: Sides,
    /// Numbers of the rows in the step.
    pub rows: Range<usize>,
    /// The rows in [`Assembly::rows`]; `None` for a contact whose rows are made where they are needed.
    pub kept: Option<Range<usize>>,
}

/// All rows of a step.
#[derive(Default)]
pub(super) struct Assembly {
    pub rows: Vec<Row>,
    scratch: Vec<JointRow>,
    /// Number of rows, kept or not.
    pub count: usize,
    pub joints: Vec<JointRows>,
    /// Rows of each island.
    pub islands: Vec<Range<usize>>,
    /// Joints of each island.
    pub island_joints: Vec<Range<usize>>,
    /// Forces of the rows, once solved.
    pub forces: Vec<f64>,
}

impl Assembly {
    /// Asks every joint for its rows. Motors at stops put their forces on the bodies here. Rows of contacts that no feedback is
    /// asked of can be left out, to be made later.
    pub(super) unsafe fn collect(&mut self, world: &World, islands: &Islands, h: f64, leaves_contacts: bool) {
        self.rows.clear();
        self.count = 0;
        self.joints.clear();
        self.islands.clear();
        self.island_joints.clear();
        let setting = Setting::of(world, h);
        for island in &islands.islands {
            let (first, first_joint) = (self.count, self.joints.len());
            for &joint in &islands.joints[island.joints.clone()] {
                let sides = (*joint).sides();
                let number = self.count;
                if let Some(contact) = Contact::of(&*joint)
                    && leaves_contacts
                    && (*joint).feedback.is_null()
                {
                    self.count += contact.row_count();
                    self.joints.push(JointRows { joint, sides, rows: number..self.count, kept: None });
                    continue;
                }
                let start = self.rows.len();
                let mut rows = Rows { out: &mut self.rows, scratch: &mut self.scratch, setting };
                joints::rows(&mut *joint, &sides, &mut rows);
                if self.rows.len() > start {
                    self.count += self.rows.len() - start;
                    let kept = Some(start..self.rows.len());
                    self.joints.push(JointRows { joint, sides, rows: number..self.count, kept });
                }
            }
            self.islands.push(first..self.count);
            self.island_joints.push(first_joint..self.joints.len());
        }
        for row in &mut self.rows {
            mend(row);
        }
        self.forces.clear();
        self.forces.resize(self.count, 0.0);
    }

    /// Parts the islands into so many stretches with about the same number of rows.
    pub(super) fn shares(&self, count: usize) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        (1..=count).map(move |share| {
            let most = self.count * share / count;
            let end = self.islands.partition_point(|island| share == count || island.start < most).max(start);
            std::mem::replace(&mut start, end)..end
        })
    }

    /// Joints of a stretch of islands.
    pub(super) fn joints_of(&self, islands: &Range<usize>) -> Range<usize> {
        hull(&self.island_joints[islands.clone()])
    }

    /// Rows of a stretch of islands.
    pub(super) fn rows_of(&self, islands: &Range<usize>) -> Range<usize> {
        hull(&self.islands[islands.clone()])
    }

    /// Forces and torques of the rows on the bodies of joints that are asked for them.
    pub(super) unsafe fn write_feedback(&self) {
        for joint in &self.joints {
            let Some(feedback) = (*joint.joint).feedback.as_mut() else { continue };
            let mut sums = [[DVec3::ZERO; 2]; 2];
            let Some(kept) = joint.kept.clone() else { continue };
            for (row, force) in self.rows[kept].iter().zip(&self.forces[joint.rows.clone()]) {
                for side in 0..2 {
                    sums[side][0] += row.linear[side] * *force;
                    sums[side][1] += row.angular[side] * *force;
                }
            }
            put_feedback(feedback, sums, joint.sides.has(1));
        }
    }
}

/// Writes force and torque on each body of a joint; those of a second body that is the world stay what they were.
pub(super) fn put_feedback(feedback: &mut dJointFeedback, sides: [[DVec3; 2]; 2], has_second: bool) {
    let [[f1, t1], [f2, t2]] = sides.map(|side| side.map(put));
    *feedback = if has_second { dJointFeedback { f1, t1, f2, t2 } } else { dJointFeedback { f1, t1, ..*feedback } };
}

/// What neighbouring ranges cover.
fn hull(ranges: &[Range<usize>]) -> Range<usize> {
    ranges.first().map_or(0, |first| first.start)..ranges.last().map_or(0, |last| last.end)
}

/// A row with a number that is none, of a body that has one, asks for nothing.
fn mend(row: &mut Row) {
    let vectors = row.linear.iter().chain(&row.angular).all(|v| v.is_finite());
    let is_bounded = row.bounds.iter().all(|bound| !bound.is_nan());
    if !(vectors && row.target.is_finite() && row.compliance.is_finite() && is_bounded) {
        row.linear = [DVec3::ZERO; 2];
        row.angular = [DVec3::ZERO; 2];
        row.target = 0.0;
        row.compliance = 0.0;
    }
}

/// A row over the bodies that impulses move: their places in the step, and Y. What the velocities after forces, and bodies
/// that impulses do not move, do already is taken off the target.
pub(super) struct Whitened {
    pub bodies: [Option<u32>; 2],
    pub y: [[f64; 6]; 2],
    pub target: f64,
}

/// Whitens a row.
#[inline(always)]
pub(super) unsafe fn whiten(row: &Row, sides: &Sides, bodies: &[StepBody]) -> Whitened {
    let mut out = Whitened { bodies: [None; 2], y: [[0.0; 6]; 2], target: row.target };
    for side in 0..2 {
        let Some(body) = sides.bodies[side].as_ref() else { continue };
        let step = &bodies[body.index as usize];
        out.target -= row.linear[side].dot(step.linear) + row.angular[side].dot(step.angular);
        if step.is_dynamic() {
            out.bodies[side] = Some(body.index);
            out.y[side] = step.whiten(row.linear[side], row.angular[side]);
        }
    }
    out
}
