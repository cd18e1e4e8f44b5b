//! `dWorldQuickStep` in fast mode: normals before friction, from the impulses of the last step, so that half of the sweeps does
//! as much. A contact that parts starts from none: sweeps that stop early would leave some of its push, and piles would rock
//! until they fall. Islands that sweeps would not solve and the direct solver solves in no more time go to that one.

use super::direct::DirectStep;
use super::islands::Islands;
use super::memory::Memory;
use super::prepare::StepBody;
use super::quick::first_order;
use super::rows::Assembly;
use super::sweeps::{Scene, Share, take};
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
    shares: Vec<Share>,
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
        (h, sweeps): (f64, u32),
        direct: &mut DirectStep,
    ) {
        let sweeps = sweeps.div_ceil(SHARE);
        take(&mut self.shares, world, islands, bodies, assembly, h);
        let scene = Scene { islands, bodies, assembly };
        self.is_direct.clear();
        self.is_direct.extend((0..islands.islands.len()).map(|island| is_for_direct(island, &scene)));
        let (is_direct, has_few_lone) = (&self.is_direct, scene.has_few_lone());
        for share in &mut self.shares {
            for island in share.islands.clone().filter(|&island| !is_direct[island]) {
                for joint in &assembly.joints[assembly.island_joints[island].clone()] {
                    if let Some(impulses) = self.memory.take(joint) {
                        if (*joint.joint).kind.is_contact() && share.asked(joint.rows.start) < 0.0 {
                            continue;
                        }
                        for (row, impulse) in joint.rows.clone().zip(impulses) {
                            share.start(row, KEPT * impulse);
                        }
                    }
                }
            }
            share.part(&scene, has_few_lone, |island| is_direct[island]);
        }
        let sweep = |share: &mut Share| {
            let mut order = std::mem::take(&mut share.order);
            for batch in 0..share.batches.len() {
                order.clear();
                for island in share.batches[batch].islands.clone() {
                    first_order(&share.follows, share.rows(&scene, island), &mut order);
                }
                share.sweep(&scene, batch, std::iter::once((order.as_slice(), sweeps)));
            }
            share.order = order;
        };
        let succeeded = world.threads.each(&mut self.shares, &sweep);
        assert!(succeeded, "all islands are swept");
        for share in &self.shares {
            for row in assembly.rows_of(&share.islands) {
                assembly.forces[row] = share.lambda(row);
            }
            share.move_bodies(bodies);
        }
        self.memory.keep(assembly, |row| assembly.forces[row]);
        assembly.forces.iter_mut().for_each(|impulse| *impulse /= h);
        if is_direct.contains(&true) {
            direct.solve(world, islands, bodies, assembly, h, |island| is_direct[island]);
        }
    }
}

/// Joints without contacts that are few or form a tree, which the direct solver takes in time linear in their number; and small
/// islands with contacts whose masses sweeps do not bring together.
unsafe fn is_for_direct(island: usize, scene: &Scene) -> bool {
    let Scene { islands, bodies, assembly } = *scene;
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
