//! `dWorldQuickStep` in exact mode: ODE's order of rows, its shuffles before sweeps 8, 16, 24 …, and its random stream.

use stiction::solvers::ordered::{NO_BODY, Ordered, OrderedRow};

use super::islands::Islands;
use super::prepare::{self, StepBody};
use super::rows::{Assembly, whiten};
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
        assembly.collect(world, islands, h);
        prepare::velocities(islands, bodies, h);
        self.ordered.clear(bodies.len());
        let relaxation = f64::from(world.relaxation);
        for joint in &assembly.joints {
            let first = joint.rows.start as u32;
            for row in &assembly.rows[joint.rows.clone()] {
                let whitened = whiten(row, &joint.sides, bodies);
                let [a, b] = whitened.bodies.map(|body| body.unwrap_or(NO_BODY));
                // The only body that moves stands first.
                let (places, y) = match (a, b) {
                    (NO_BODY, b) => ([b, NO_BODY], [whitened.y[1], whitened.y[0]]),
                    pair => (pair.into(), whitened.y),
                };
                // A coefficient without bound times an impulse of zero is no number in ODE, and bounds nothing.
                let normal = row.normal.filter(|_| row.high.is_finite()).map(|n| first + n);
                let scale = if normal.is_some() { 1.0 } else { h };
                self.ordered.push(
                    &OrderedRow {
                        bodies: places,
                        y,
                        target: whitened.target,
                        compliance: row.cfm / h,
                        bounds: [row.low * scale, row.high * scale],
                        normal,
                    },
                    relaxation,
                );
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
                        let follows = |row: &usize| assembly.rows[*row].normal.is_some();
                        order.extend(rows.clone().filter(|row| !follows(row)).map(|row| row as u32));
                        order.extend(rows.clone().filter(follows).map(|row| row as u32));
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
