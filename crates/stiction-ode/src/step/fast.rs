//! `dWorldQuickStep` in fast mode: the engine's sweeps, a contact's rows together, several bodies side by side.

use stiction::constraint::Problem;
use stiction::solvers::{Pass, Pgs};

use super::direct::{fill, read_back};
use super::islands::Islands;
use super::prepare::{self, StepBody};
use super::rows::Assembly;
use crate::objects::world::World;

/// What the fast stepper keeps.
#[derive(Default)]
pub(super) struct FastStep {
    problem: Problem,
    solver: Pgs,
    z: Vec<f64>,
    lambda: Vec<f64>,
    places: Vec<u32>,
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
        assembly.collect(world, islands, h, false);
        prepare::velocities(islands, bodies, h);
        fill(&mut self.problem, &mut self.places, islands, bodies, assembly, h);
        self.z.clear();
        self.z.resize(self.problem.z_free.len(), 0.0);
        self.lambda.clear();
        self.lambda.resize(self.problem.rows.len(), 0.0);
        let pass = Pass {
            capped: false,
            iterations: sweeps,
            relaxation: world.relaxation.into(),
            accelerated: false,
            bounds_once: false,
            budget: 0,
            stiction_tolerance: 1e-4,
        };
        let Self { problem, solver, z, lambda, .. } = self;
        solver.solve_all(problem, &problem.islands, &pass, z, lambda);
        for (force, lambda) in assembly.forces.iter_mut().zip(&*lambda) {
            *force = lambda / h;
        }
        read_back(&self.places, &self.z, bodies);
    }
}
