//! `dWorldQuickStep` in exact mode: ODE's order of rows, its shuffles before sweeps 8, 16, 24 …, and its random stream.

use std::ops::Range;

use super::islands::Islands;
use super::prepare::StepBody;
use super::rows::Assembly;
use super::sweeps::{Scene, Share, take};
use crate::objects::world::World;
use crate::random::Draw;

/// Sweeps between two shuffles.
const SHUFFLE_EVERY: u32 = 8;

/// Sweeps from which on the orders of all stretches would take much memory.
const MANY: u32 = 1000;

/// What the exact stepper keeps.
#[derive(Default)]
pub(super) struct Quick {
    shares: Vec<Share>,
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
        take(&mut self.shares, world, islands, bodies, assembly, h);
        let scene = Scene { islands, bodies, assembly };
        let has_few_lone = scene.has_few_lone();
        let mut draw = world.stream.draw();
        for share in &mut self.shares {
            share.part(&scene, has_few_lone, |_| false);
        }
        if sweeps > MANY {
            for share in &mut self.shares {
                share
                    .islands
                    .clone()
                    .for_each(|island| sweep_one(share, share.rows(&scene, island), sweeps, &mut draw));
            }
        } else if let [share] = &mut self.shares[..] {
            // One thread draws and sweeps by turns, so that orders stay in its cache.
            for batch in 0..share.batches.len() {
                draw_orders(share, &scene, batch, 0, sweeps, &mut draw);
                sweep_batch(share, &scene, batch, 0, sweeps);
            }
        } else {
            // The stream is read island by island, whichever thread sweeps them.
            for share in &mut self.shares {
                for batch in 0..share.batches.len() {
                    draw_orders(share, &scene, batch, batch, sweeps, &mut draw);
                }
            }
            let sweep = |share: &mut Share| {
                (0..share.batches.len()).for_each(|batch| sweep_batch(share, &scene, batch, batch, sweeps));
            };
            let succeeded = world.threads.each(&mut self.shares, &sweep);
            assert!(succeeded, "all islands are swept");
        }
        for share in &self.shares {
            for row in assembly.rows_of(&share.islands) {
                assembly.forces[row] = share.lambda(row) / h;
            }
            share.move_bodies(bodies);
        }
    }
}

/// The order of an island's first stretch: rows that follow no normal come first.
pub(super) fn first_order(follows: &[bool], rows: Range<usize>, order: &mut Vec<u32>) {
    order.extend(rows.clone().filter(|&row| !follows[row]).map(|row| row as u32));
    order.extend(rows.filter(|&row| follows[row]).map(|row| row as u32));
}

/// Draws the orders of a batch, kept in a place of the share. The random stream is read island by island, as if they were
/// solved one after the other.
fn draw_orders(share: &mut Share, scene: &Scene, batch: usize, place: usize, sweeps: u32, draw: &mut Draw) {
    let stretches = sweeps.div_ceil(SHUFFLE_EVERY) as usize;
    if share.orders.len() <= place {
        share.orders.resize_with(place + 1, Vec::new);
    }
    let mut orders = std::mem::take(&mut share.orders[place]);
    if orders.len() < stretches {
        orders.resize_with(stretches, Vec::new);
    }
    orders.iter_mut().for_each(Vec::clear);
    for island in share.batches[batch].islands.clone() {
        for stretch in 0..stretches {
            let (before, rest) = orders.split_at_mut(stretch);
            let order = &mut rest[0];
            let start = order.len();
            match before.last() {
                None => first_order(&share.follows, share.rows(scene, island), order),
                Some(last) => {
                    order.extend_from_slice(&last[start..]);
                    draw.shuffle(&mut order[start..]);
                }
            }
        }
    }
    share.orders[place] = orders;
}

/// Sweeps over a batch in the orders drawn for it.
fn sweep_batch(share: &mut Share, scene: &Scene, batch: usize, place: usize, sweeps: u32) {
    let orders = std::mem::take(&mut share.orders[place]);
    let count = |stretch: usize| SHUFFLE_EVERY.min(sweeps - stretch as u32 * SHUFFLE_EVERY);
    let stretches = 0..sweeps.div_ceil(SHUFFLE_EVERY) as usize;
    share.sweep(scene, batch, stretches.map(|stretch| (orders[stretch].as_slice(), count(stretch))));
    share.orders[place] = orders;
}

/// Solves one island with so many sweeps that their orders are not all kept.
fn sweep_one(share: &mut Share, rows: Range<usize>, sweeps: u32, draw: &mut Draw) {
    let mut order = Vec::with_capacity(rows.len());
    first_order(&share.follows, rows, &mut order);
    let mut done = 0;
    while done < sweeps && !order.is_empty() {
        let count = SHUFFLE_EVERY.min(sweeps - done);
        if done > 0 {
            draw.shuffle(&mut order);
        }
        share.ordered.sweep(&order, count, false);
        done += count;
    }
}
