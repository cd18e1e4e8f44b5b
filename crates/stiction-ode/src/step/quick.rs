//! `dWorldQuickStep` in exact mode: ODE's order of rows, its shuffles before sweeps 8, 16, 24 …, and its random stream.

use std::ops::Range;

use stiction::solvers::ordered::{NO_BODY, Ordered, OrderedRow};

use super::islands::Islands;
use super::prepare::{self, StepBody};
use super::push::{Pushed, Sink, fill};
use super::rows::Assembly;
use crate::joints::contact::Setting;
use crate::objects::world::World;
use crate::random::Stream;

/// Sweeps between two shuffles.
const SHUFFLE_EVERY: u32 = 8;
/// Islands are swept together until they have so many rows: enough that the processor always finds a row that does not wait
/// for another, and few enough to stay in its cache.
const BATCH: usize = 2000;

/// Sweeps from which on the orders of all stretches would take much memory.
const MANY: u32 = 1000;
/// Bodies of an island from which on neighbours in a shuffled order seldom share one.
const LARGE: usize = 64;

/// What the exact stepper keeps.
#[derive(Default)]
pub(super) struct Quick {
    ordered: Ordered,
    /// Every island of the batch has one body that moves.
    is_lone: bool,
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
        stream: &mut Stream,
    ) {
        assembly.collect(world, islands, h, true);
        prepare::velocities(islands, bodies, h);
        self.ordered.clear(bodies.len());
        self.follows.clear();
        let sink = OrderedSink {
            ordered: &mut self.ordered,
            follows: &mut self.follows,
            relaxation: world.relaxation.into(),
            h,
        };
        fill(sink, assembly, 0..assembly.joints.len(), bodies, &Setting::of(world, h));
        let mut first = 0;
        if sweeps > MANY {
            self.orders.resize_with(self.orders.len().max(1), Vec::new);
            for island in 0..assembly.islands.len() {
                self.sweep_one(assembly.islands[island].clone(), sweeps, stream);
            }
            first = assembly.islands.len();
        }
        while first < assembly.islands.len() {
            let mut end = first + 1;
            let mut rows = assembly.islands[first].len();
            self.is_lone = islands.has_one_body(first, bodies);
            while end < assembly.islands.len()
                && rows + assembly.islands[end].len() <= BATCH
                && islands.has_one_body(end, bodies) == self.is_lone
            {
                rows += assembly.islands[end].len();
                end += 1;
            }
            self.sweep(assembly, first..end, sweeps, islands, stream);
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

    /// The order of an island's first stretch: rows that follow no normal come first.
    fn first_order(follows: &[bool], rows: Range<usize>, order: &mut Vec<u32>) {
        order.extend(rows.clone().filter(|&row| !follows[row]).map(|row| row as u32));
        order.extend(rows.filter(|&row| follows[row]).map(|row| row as u32));
    }

    /// Solves one island with so many sweeps that their orders are not all kept.
    fn sweep_one(&mut self, rows: Range<usize>, sweeps: u32, stream: &mut Stream) {
        let Some(order) = self.orders.first_mut().filter(|_| !rows.is_empty()) else { return };
        order.clear();
        Self::first_order(&self.follows, rows, order);
        let mut done = 0;
        while done < sweeps {
            let count = SHUFFLE_EVERY.min(sweeps - done);
            if done > 0 {
                stream.shuffle(order);
            }
            self.ordered.sweep(order, count, false);
            done += count;
        }
    }

    /// Solves some islands side by side. The random stream is read island by island, as if they were solved one after the
    /// other.
    fn sweep(&mut self, assembly: &Assembly, batch: Range<usize>, sweeps: u32, islands: &Islands, stream: &mut Stream) {
        let is_large = batch.len() == 1 && islands.islands[batch.start].bodies.len() >= LARGE;
        let stretches = sweeps.div_ceil(SHUFFLE_EVERY) as usize;
        if self.orders.len() < stretches {
            self.orders.resize_with(stretches, Vec::new);
        }
        self.orders.iter_mut().for_each(Vec::clear);
        for island in batch.clone() {
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
                        Self::first_order(&self.follows, rows.clone(), order);
                    }
                    Some(last) => {
                        order.extend_from_slice(&last[start..]);
                        stream.shuffle(&mut order[start..]);
                    }
                }
            }
        }
        for stretch in 0..stretches {
            let count = SHUFFLE_EVERY.min(sweeps - stretch as u32 * SHUFFLE_EVERY);
            if self.is_lone {
                let order = &self.orders[stretch];
                let mut islands = Vec::with_capacity(batch.len());
                let mut rest = order.as_slice();
                for island in batch.clone() {
                    let (own, others) = rest.split_at(assembly.islands[island].len());
                    islands.push(own);
                    rest = others;
                }
                self.ordered.sweep_lone(&islands, count);
                continue;
            }
            self.ordered.sweep(&self.orders[stretch], count, is_large && stretch > 0);
        }
    }
}

/// Rows of the exact and the fast stepper.
pub(super) struct OrderedSink<'a> {
    pub ordered: &'a mut Ordered,
    /// Which rows follow a normal.
    pub follows: &'a mut Vec<bool>,
    pub relaxation: f64,
    pub h: f64,
}

impl Sink for OrderedSink<'_> {
    #[inline(always)]
    fn accept(&mut self, row: &Pushed) {
        self.follows.push(row.normal.is_some());
        // A coefficient without bound times an impulse of zero is no number in ODE, and bounds nothing.
        let normal = row.normal.filter(|_| row.bounds[1].is_finite());
        let scale = if normal.is_some() { 1.0 } else { self.h };
        // The only body that moves stands first.
        let (bodies, y) = match row.bodies {
            [NO_BODY, b] => ([b, NO_BODY], [row.y[1], row.y[0]]),
            bodies => (bodies, row.y),
        };
        let bounds = row.bounds.map(|b| b * scale);
        let compliance = row.cfm / self.h;
        self.ordered.push(&OrderedRow { bodies, y, target: row.target, compliance, bounds, normal }, self.relaxation);
    }
}
