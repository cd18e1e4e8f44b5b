//! `dWorldQuickStep` in fast mode: rows contact by contact, from the impulses of the last step, so that half of the sweeps does
//! as much.

use stiction::solvers::ordered::Ordered;

use super::islands::Islands;
use super::memory::Memory;
use super::prepare::{self, StepBody};
use super::push::fill;
use super::quick::OrderedSink;
use super::rows::Assembly;
use crate::joints::contact::Setting;
use crate::objects::world::World;

/// One sweep for so many that the program asks for.
const SHARE: u32 = 2;
/// Share of the last step's impulses that a step starts from: what pushed bodies apart is not to push them again.
const KEPT: f64 = 0.9;
/// Islands are swept together until they have so many rows.
const BATCH: usize = 2000;

/// What the fast stepper keeps.
#[derive(Default)]
pub(super) struct FastStep {
    ordered: Ordered,
    follows: Vec<bool>,
    order: Vec<u32>,
    memory: Memory,
}

impl FastStep {
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
        let sink = OrderedSink {
            ordered: &mut self.ordered,
            follows: &mut self.follows,
            relaxation: world.relaxation.into(),
            h,
        };
        fill(sink, assembly, 0..assembly.joints.len(), bodies, &Setting::of(world, h));
        for joint in &assembly.joints {
            if let Some(impulses) = self.memory.take(joint) {
                for (row, impulse) in joint.rows.clone().zip(impulses) {
                    self.ordered.start(row, KEPT * impulse);
                }
            }
        }
        let sweeps = sweeps.div_ceil(SHARE);
        self.order.clear();
        self.order.extend(0..assembly.count as u32);
        let mut first = 0;
        while first < assembly.islands.len() {
            let is_lone = islands.has_one_body(first, bodies);
            let mut end = first + 1;
            while end < assembly.islands.len()
                && assembly.islands[end].end - assembly.islands[first].start <= BATCH
                && islands.has_one_body(end, bodies) == is_lone
            {
                end += 1;
            }
            let rows = assembly.islands[first].start..assembly.islands[end - 1].end;
            if is_lone {
                let orders: Vec<&[u32]> = (first..end).map(|i| &self.order[assembly.islands[i].clone()]).collect();
                self.ordered.sweep_lone(&orders, sweeps);
            } else {
                self.ordered.sweep(&self.order[rows], sweeps, false);
            }
            first = end;
        }
        self.memory.keep(assembly, |row| self.ordered.lambda(row));
        for (row, force) in assembly.forces.iter_mut().enumerate() {
            *force = self.ordered.lambda(row) / h;
        }
        for (body, z) in bodies.iter_mut().zip(&self.ordered.z) {
            let (linear, angular) = body.change(&z.0);
            body.linear += linear;
            body.angular += angular;
        }
    }
}
