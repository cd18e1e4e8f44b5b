//! `dWorldStep`: the engine's direct solver, with friction bounds taken once, from normals without friction, as ODE takes them.

use stiction::constraint::{Bound, Problem, RowKind, RowSource};
use stiction::solvers::{Direct, Pass, Solver};

use super::islands::Islands;
use super::prepare::{self, StepBody};
use super::rows::{Assembly, whiten};
use crate::objects::world::World;

/// What the direct stepper keeps.
#[derive(Default)]
pub(super) struct DirectStep {
    problem: Problem,
    solver: Direct,
    z: Vec<f64>,
    lambda: Vec<f64>,
    /// Place in z of each body of the step.
    places: Vec<u32>,
    /// Largest residual of a row of the last step [m/s or rad/s].
    pub residual: f64,
}

impl DirectStep {
    pub(super) unsafe fn run(
        &mut self,
        world: &World,
        islands: &Islands,
        bodies: &mut [StepBody],
        assembly: &mut Assembly,
        h: f64,
    ) {
        assembly.collect(world, islands, h, false);
        prepare::velocities(islands, bodies, h);
        fill(&mut self.problem, &mut self.places, islands, bodies, assembly, h);
        self.z.clear();
        self.z.resize(self.problem.z_free.len(), 0.0);
        self.lambda.clear();
        self.lambda.resize(self.problem.rows.len(), 0.0);
        let pass = Pass {
            capped: false,
            iterations: 0,
            relaxation: 1.0,
            accelerated: false,
            bounds_once: true,
            budget: Pass::FULL_BUDGET,
            stiction_tolerance: 1e-4,
        };
        self.residual = 0.0;
        for island in &self.problem.islands {
            if !island.rows.is_empty() {
                self.solver.solve(&self.problem, island, &pass, &mut self.z, &mut self.lambda);
            }
        }
        for (force, lambda) in assembly.forces.iter_mut().zip(&self.lambda) {
            *force = lambda / h;
        }
        read_back(&self.places, &self.z, bodies);
    }
}

/// Puts bodies and rows of all islands into the engine's form. Velocities after forces are in the targets already, so that the
/// free velocities are zero.
pub(super) unsafe fn fill(
    problem: &mut Problem,
    places: &mut Vec<u32>,
    islands: &Islands,
    bodies: &[StepBody],
    assembly: &Assembly,
    h: f64,
) {
    problem.clear(h);
    places.clear();
    places.resize(bodies.len(), u32::MAX);
    let mut cliques = vec![u32::MAX; bodies.len()];
    for (number, island) in islands.islands.iter().enumerate() {
        for body in island.bodies.clone() {
            if bodies[body].is_dynamic() {
                places[body] = problem.z_free.len() as u32;
                cliques[body] = problem.push_clique(&[0.0; 6]);
            }
        }
        for (slot, joint) in assembly.joints[assembly.island_joints[number].clone()].iter().enumerate() {
            let first = problem.rows.len() as u32;
            let kept = joint.kept.clone().unwrap_or_default();
            for (index, row) in assembly.rows[kept].iter().enumerate() {
                let whitened = whiten(row, &joint.sides, bodies);
                let blocks = (0..2).filter_map(|side| {
                    let body = whitened.bodies[side]?;
                    Some((cliques[body as usize], &whitened.y[side][..]))
                });
                let kind = match (row.normal, row.low, row.high) {
                    (Some(_), ..) => RowKind::Friction,
                    (None, 0.0, f64::INFINITY) => RowKind::Normal,
                    (None, f64::NEG_INFINITY, f64::INFINITY) => RowKind::Joint,
                    _ => RowKind::Motor,
                };
                let source = RowSource::Joint { slot: slot as u32, row: index as u32 };
                let at = problem.push_blocks(blocks, whitened.target, row.cfm / h, kind, source) as usize;
                match row.normal {
                    Some(normal) => {
                        problem.rows[at].bound = Bound::Coefficient { normal: first + normal, coefficient: row.high };
                    }
                    None => (problem.rows[at].lower, problem.rows[at].upper) = (row.low * h, row.high * h),
                }
            }
        }
        problem.close_island();
    }
}

/// Velocities from what the impulses do.
pub(super) fn read_back(places: &[u32], z: &[f64], bodies: &mut [StepBody]) {
    for (body, &place) in bodies.iter_mut().zip(places) {
        if place != u32::MAX {
            let (linear, angular) = body.change(&z[place as usize..place as usize + 6]);
            body.linear += linear;
            body.angular += angular;
        }
    }
}
