//! `dWorldQuickStep` in exact mode: ODE's order of rows, its shuffles before sweeps 8, 16, 24 …, and its random stream.

use std::ops::Range;

use stiction::solvers::ordered::MOST_COUPLED;

use super::islands::Islands;
use super::prepare::StepBody;
use super::rows::Assembly;
use super::sweeps::{BATCH, Sweeps};
use crate::objects::world::World;
use crate::random::Draw;

/// Sweeps between two shuffles.
const SHUFFLE_EVERY: u32 = 8;

/// Sweeps from which on the orders of all stretches would take much memory.
const MANY: u32 = 1000;
/// Bodies of an island from which on neighbours in a shuffled order seldom share one.
const LARGE: usize = 64;

/// Islands of one body that are solved one after the other; more are solved side by side.
const FEW: usize = 4;

/// An island of few rows, which is solved by itself; not one of many of one body.
pub(super) fn is_small(
    island: usize,
    islands: &Islands,
    bodies: &[StepBody],
    assembly: &Assembly,
    few_lone: bool,
) -> bool {
    assembly.islands[island].len() <= MOST_COUPLED && (few_lone || !islands.has_one_body(island, bodies))
}

/// There are few islands of one body.
pub(super) fn has_few_lone(islands: &Islands, bodies: &[StepBody]) -> bool {
    let lone = (0..islands.islands.len()).filter(|&island| islands.has_one_body(island, bodies));
    lone.take(FEW + 1).count() <= FEW
}

/// What the exact stepper keeps.
#[derive(Default)]
pub(super) struct Quick {
    sweeps: Sweeps,
    /// Every island of the batch has one body that moves.
    is_lone: bool,
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
        self.sweeps.take(world, islands, bodies, assembly, h);
        let mut draw = world.stream.draw();
        let mut first = 0;
        if sweeps > MANY {
            self.orders.resize_with(self.orders.len().max(1), Vec::new);
            for island in 0..assembly.islands.len() {
                self.sweep_one(assembly.islands[island].clone(), sweeps, &mut draw);
            }
            first = assembly.islands.len();
        }
        let few_lone = has_few_lone(islands, bodies);
        while first < assembly.islands.len() {
            let is_small = |island: usize| is_small(island, islands, bodies, assembly, few_lone);
            if is_small(first) {
                self.sweep_small(assembly.islands[first].clone(), sweeps, &mut draw);
                first += 1;
                continue;
            }
            let mut end = first + 1;
            let mut rows = assembly.islands[first].len();
            self.is_lone = islands.has_one_body(first, bodies);
            while end < assembly.islands.len()
                && rows + assembly.islands[end].len() <= BATCH
                && islands.has_one_body(end, bodies) == self.is_lone
                && !is_small(end)
            {
                rows += assembly.islands[end].len();
                end += 1;
            }
            self.sweep(assembly, first..end, sweeps, islands, &mut draw);
            first = end;
        }
        for (row, force) in assembly.forces.iter_mut().enumerate() {
            *force = self.sweeps.ordered.lambda(row) / h;
        }
        self.sweeps.move_bodies(bodies);
    }

    /// The order of an island's first stretch: rows that follow no normal come first.
    fn first_order(follows: &[bool], rows: Range<usize>, order: &mut Vec<u32>) {
        order.extend(rows.clone().filter(|&row| !follows[row]).map(|row| row as u32));
        order.extend(rows.filter(|&row| follows[row]).map(|row| row as u32));
    }

    /// Solves one island of few rows.
    fn sweep_small(&mut self, rows: Range<usize>, sweeps: u32, draw: &mut Draw) {
        let stretches = sweeps.div_ceil(SHUFFLE_EVERY) as usize;
        if self.orders.len() < stretches {
            self.orders.resize_with(stretches, Vec::new);
        }
        let orders = &mut self.orders[..stretches];
        for stretch in 0..stretches {
            let (before, rest) = orders.split_at_mut(stretch);
            let order = &mut rest[0];
            order.clear();
            match before.last() {
                None => Self::first_order(&self.sweeps.follows, rows.clone(), order),
                Some(last) => {
                    order.extend_from_slice(last);
                    draw.shuffle(order);
                }
            }
        }
        let count = |stretch: usize| SHUFFLE_EVERY.min(sweeps - stretch as u32 * SHUFFLE_EVERY);
        let stretches = orders.iter().enumerate().map(|(stretch, order)| (order.as_slice(), count(stretch)));
        self.sweeps.ordered.sweep_coupled(rows.start, rows.len(), stretches);
    }

    /// Solves one island with so many sweeps that their orders are not all kept.
    fn sweep_one(&mut self, rows: Range<usize>, sweeps: u32, draw: &mut Draw) {
        let Some(order) = self.orders.first_mut().filter(|_| !rows.is_empty()) else { return };
        order.clear();
        Self::first_order(&self.sweeps.follows, rows, order);
        let mut done = 0;
        while done < sweeps {
            let count = SHUFFLE_EVERY.min(sweeps - done);
            if done > 0 {
                draw.shuffle(order);
            }
            self.sweeps.ordered.sweep(order, count, false);
            done += count;
        }
    }

    /// Solves some islands side by side. The random stream is read island by island, as if they were solved one after the
    /// other.
    fn sweep(&mut self, assembly: &Assembly, batch: Range<usize>, sweeps: u32, islands: &Islands, draw: &mut Draw) {
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
                        Self::first_order(&self.sweeps.follows, rows.clone(), order);
                    }
                    Some(last) => {
                        order.extend_from_slice(&last[start..]);
                        draw.shuffle(&mut order[start..]);
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
                self.sweeps.ordered.sweep_lone(&islands, count);
                continue;
            }
            self.sweeps.ordered.sweep(&self.orders[stretch], count, is_large && stretch > 0);
        }
    }
}
