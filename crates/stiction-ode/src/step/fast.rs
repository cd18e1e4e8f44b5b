//! `dWorldQuickStep` in fast mode: rows contact by contact, from the impulses of the last step, so that half of the sweeps does
//! as much. Islands that sweeps would not solve and the direct solver solves in no more time go to that one.

use super::direct::DirectStep;
use super::islands::Islands;
use super::memory::Memory;
use super::prepare::StepBody;
use super::quick::{has_few_lone, is_small};
use super::rows::Assembly;
use super::sweeps::{BATCH, Sweeps};
use crate::objects::world::World;

/// One sweep for so many that the program asks for.
const SHARE: u32 = 2;
/// Share of the last step's impulses that a step starts from: what pushed bodies apart is not to push them again.
const KEPT: f64 = 0.9;
/// Small islands with masses so far apart are not swept: sweeps carry a load up through light bodies in as many sweeps as the
/// ratio says.
const MASS_RATIO: f64 = 30.0;
/// Rows of a small island.
const SMALL: usize = 120;

/// What the fast stepper keeps.
#[derive(Default)]
pub(super) struct FastStep {
    sweeps: Sweeps,
    order: Vec<u32>,
    memory: Memory,
    /// Which islands the direct solver takes.
    is_direct: Vec<bool>,
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
        direct: &mut DirectStep,
    ) {
        self.sweeps.take(world, islands, bodies, assembly, h);
        self.is_direct.clear();
        self.is_direct
            .extend((0..islands.islands.len()).map(|island| is_for_direct(island, islands, bodies, assembly)));
        for island in (0..islands.islands.len()).filter(|&island| !self.is_direct[island]) {
            for joint in &assembly.joints[assembly.island_joints[island].clone()] {
                if let Some(impulses) = self.memory.take(joint) {
                    for (row, impulse) in joint.rows.clone().zip(impulses) {
                        self.sweeps.ordered.start(row, KEPT * impulse);
                    }
                }
            }
        }
        let sweeps = sweeps.div_ceil(SHARE);
        self.order.clear();
        self.order.extend(0..assembly.count as u32);
        let few_lone = has_few_lone(islands, bodies);
        let mut first = 0;
        while first < assembly.islands.len() {
            let is_small = |island: usize| is_small(island, islands, bodies, assembly, few_lone);
            if self.is_direct[first] || is_small(first) {
                if !self.is_direct[first] {
                    let rows = assembly.islands[first].clone();
                    let stretch = (&self.order[rows.clone()], sweeps);
                    self.sweeps.ordered.sweep_coupled(rows.start, rows.len(), std::iter::once(stretch));
                }
                first += 1;
                continue;
            }
            let is_lone = islands.has_one_body(first, bodies);
            let mut end = first + 1;
            while end < assembly.islands.len()
                && assembly.islands[end].end - assembly.islands[first].start <= BATCH
                && islands.has_one_body(end, bodies) == is_lone
                && !self.is_direct[end]
                && !is_small(end)
            {
                end += 1;
            }
            let rows = assembly.islands[first].start..assembly.islands[end - 1].end;
            if is_lone {
                let orders: Vec<&[u32]> = (first..end).map(|i| &self.order[assembly.islands[i].clone()]).collect();
                self.sweeps.ordered.sweep_lone(&orders, sweeps);
            } else {
                self.sweeps.ordered.sweep(&self.order[rows], sweeps, false);
            }
            first = end;
        }
        let is_direct = &self.is_direct;
        if is_direct.contains(&true) {
            direct.solve(world, islands, bodies, assembly, h, |island| is_direct[island]);
        }
        self.memory.keep(assembly, |row| self.sweeps.ordered.lambda(row));
        for island in (0..islands.islands.len()).filter(|&island| !self.is_direct[island]) {
            for row in assembly.islands[island].clone() {
                assembly.forces[row] = self.sweeps.ordered.lambda(row) / h;
            }
        }
        self.sweeps.move_bodies(bodies);
    }
}

/// Joints without contacts that are few or form a tree, which the direct solver takes in time linear in their number; and small
/// islands with contacts whose masses sweeps do not bring together.
unsafe fn is_for_direct(island: usize, islands: &Islands, bodies: &[StepBody], assembly: &Assembly) -> bool {
    let range = islands.islands[island].bodies.clone();
    let joints = &assembly.joints[assembly.island_joints[island].clone()];
    let rows = assembly.islands[island].len();
    if rows == 0 {
        return false;
    }
    let is_small = rows <= SMALL;
    let has_contacts = joints.iter().any(|joint| (*joint.joint).kind.is_contact());
    if !has_contacts {
        return is_small || joints.len() <= range.len();
    }
    if !is_small {
        return false;
    }
    let roots = bodies[range].iter().filter(|body| body.is_dynamic()).map(|body| body.root_inverse_mass);
    let (least, most) = roots.fold((f64::INFINITY, 0.0), |(least, most), m| (m.min(least), m.max(most)));
    most * most > MASS_RATIO * least * least
}
