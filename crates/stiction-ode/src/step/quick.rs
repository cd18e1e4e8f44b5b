//! `dWorldQuickStep` in exact mode: ODE's order of rows, its shuffles before sweeps 8, 16, 24 …, and its random stream.

use stiction::solvers::ordered::{NO_BODY, Ordered, OrderedRow};

use super::islands::Islands;
use super::prepare::{self, StepBody};
use super::rows::{Assembly, Whitened, whiten};
use crate::joints::contact::{Contact, Motion, Setting};
use crate::joints::{Kind, Row, Sides};
use crate::objects::world::World;
use crate::random;

/// Sweeps between two shuffles.
const SHUFFLE_EVERY: u32 = 8;
/// Islands are swept together until they have so many rows: enough that the processor always finds a row that does not wait
/// for another, and few enough to stay in its cache.
const BATCH: usize = 2000;

/// What the exact stepper keeps.
#[derive(Default)]
pub(super) struct Quick {
    ordered: Ordered,
    /// Which rows follow a normal.
    follows: Vec<bool>,
    /// Orders of the batch, one for each stretch between shuffles.
    orders: Vec<Vec<u32>>,
}

impl Quick {
    pub(super) unsafe fn run(
        &mut self,
        world: &World,
        islands: &Islands,
        bodies: &mut [StepBody],
        assembly: &mut Assembly,
        h: f64,
        sweeps: u32,
    ) {
        assembly.collect(world, islands, h, true);
        prepare::velocities(islands, bodies, h);
        self.ordered.clear(bodies.len());
        self.follows.clear();
        let setting = Setting {
            rate: 1.0 / h,
            erp: world.erp.into(),
            cfm: world.cfm.into(),
            surface_layer: world.surface_layer.into(),
            max_correcting_velocity: world.max_correcting_velocity.into(),
        };
        let mut push = Push {
            ordered: &mut self.ordered,
            follows: &mut self.follows,
            relaxation: world.relaxation.into(),
            h,
            first: 0,
        };
        for joint in &assembly.joints {
            push.first = joint.rows.start as u32;
            match (&joint.kept, &(*joint.joint).kind) {
                (Some(kept), _) => {
                    for row in &assembly.rows[kept.clone()] {
                        push.row(row, whiten(row, &joint.sides, bodies));
                    }
                }
                (None, Kind::Contact(contact)) => push.contact(contact, &joint.sides, bodies, &setting),
                (None, _) => {}
            }
        }
        let mut first = 0;
        while first < assembly.islands.len() {
            let mut end = first + 1;
            let mut rows = assembly.islands[first].len();
            while end < assembly.islands.len() && rows + assembly.islands[end].len() <= BATCH {
                rows += assembly.islands[end].len();
                end += 1;
            }
            self.sweep(assembly, first..end, sweeps);
            first = end;
        }
        for (row, force) in assembly.forces.iter_mut().enumerate() {
            *force = self.ordered.lambda(row) / h;
        }
        for (body, z) in bodies.iter_mut().zip(&self.ordered.z) {
            let (linear, angular) = body.change(&z.0);
            body.linear += linear;
            body.angular += angular;
        }
    }

    /// Solves some islands side by side. The random stream is read island by island, as if they were solved one after the
    /// other.
    fn sweep(&mut self, assembly: &Assembly, islands: std::ops::Range<usize>, sweeps: u32) {
        let stretches = sweeps.div_ceil(SHUFFLE_EVERY) as usize;
        if self.orders.len() < stretches {
            self.orders.resize_with(stretches, Vec::new);
        }
        self.orders.iter_mut().for_each(Vec::clear);
        for island in islands {
            let rows = assembly.islands[island].clone();
            if rows.is_empty() {
                continue;
            }
            for stretch in 0..stretches {
                let (before, rest) = self.orders.split_at_mut(stretch);
                let order = &mut rest[0];
                let start = order.len();
                match before.last() {
                    None => {
                        // Rows that follow no normal come first.
                        let follows = &self.follows;
                        order.extend(rows.clone().filter(|&row| !follows[row]).map(|row| row as u32));
                        order.extend(rows.clone().filter(|&row| follows[row]).map(|row| row as u32));
                    }
                    Some(last) => {
                        order.extend_from_slice(&last[start..]);
                        random::shuffle(&mut order[start..]);
                    }
                }
            }
        }
        for stretch in 0..stretches {
            let count = SHUFFLE_EVERY.min(sweeps - stretch as u32 * SHUFFLE_EVERY);
            self.ordered.sweep(&self.orders[stretch], count);
        }
    }
}

/// Puts rows into the solver.
struct Push<'a> {
    ordered: &'a mut Ordered,
    follows: &'a mut Vec<bool>,
    relaxation: f64,
    h: f64,
    /// First row of the joint.
    first: u32,
}

/// The world as a body.
const STILL: Motion = Motion { position: glam::DVec3::ZERO, linear: glam::DVec3::ZERO, angular: glam::DVec3::ZERO };

impl Push<'_> {
    fn row(&mut self, row: &Row, whitened: Whitened) {
        let [a, b] = whitened.bodies.map(|body| body.unwrap_or(NO_BODY));
        self.push([a, b], whitened.y, whitened.target, row.cfm, [row.low, row.high], row.normal);
    }

    #[inline(always)]
    fn push(
        &mut self,
        bodies: [u32; 2],
        y: [[f64; 6]; 2],
        target: f64,
        cfm: f64,
        bounds: [f64; 2],
        normal: Option<u32>,
    ) {
        self.follows.push(normal.is_some());
        // A coefficient without bound times an impulse of zero is no number in ODE, and bounds nothing.
        let normal = normal.filter(|_| bounds[1].is_finite()).map(|n| self.first + n);
        let scale = if normal.is_some() { 1.0 } else { self.h };
        // The only body that moves stands first.
        let (bodies, y) = if bodies[0] == NO_BODY { ([bodies[1], NO_BODY], [y[1], y[0]]) } else { (bodies, y) };
        self.ordered.push(
            &OrderedRow { bodies, y, target, compliance: cfm / self.h, bounds: bounds.map(|b| b * scale), normal },
            self.relaxation,
        );
    }

    /// The rows of a contact without the detour over a list.
    unsafe fn contact(&mut self, contact: &Contact, sides: &Sides, bodies: &[StepBody], setting: &Setting) {
        let of = |side: usize| sides.bodies[side].as_ref().map(|body| (body.index, &bodies[body.index as usize]));
        let steps = [of(0), of(1)];
        let motions = steps.map(|step| step.map_or(STILL, |(_, step)| step.start));
        let described = contact.describe(setting, &motions, sides.sign());
        let places = steps.map(|step| step.filter(|(_, step)| step.is_dynamic()).map_or(NO_BODY, |(index, _)| index));
        for row in described.rows() {
            let mut target = row.target;
            let mut y = [[0.0; 6]; 2];
            let mut is_finite = row.axis.is_finite() && target.is_finite();
            for side in 0..2 {
                let Some((_, step)) = steps[side] else { continue };
                let sign = if side == 0 { 1.0 } else { -1.0 };
                let (linear, angular) = if row.is_rotation {
                    (glam::DVec3::ZERO, row.axis * sign)
                } else {
                    (row.axis * sign, described.arms[side].cross(row.axis) * sign)
                };
                target -= linear.dot(step.linear) + angular.dot(step.angular);
                is_finite &= angular.is_finite();
                y[side] = step.whiten(linear, angular);
            }
            if is_finite {
                self.push(places, y, target, row.cfm, [row.low, row.high], row.follows.then_some(0));
            } else {
                self.push([NO_BODY; 2], [[0.0; 6]; 2], 0.0, row.cfm, [0.0; 2], row.follows.then_some(0));
            }
        }
    }
}
