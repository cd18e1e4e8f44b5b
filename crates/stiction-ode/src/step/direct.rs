//! `dWorldStep`: the engine's direct solver, with friction bounds taken once, from normals without friction, as ODE takes them.

use std::ops::Range;

use stiction::constraint::{Bound, Problem, RowKind, RowSource};
use stiction::solvers::ordered::NO_BODY;
use stiction::solvers::{Direct, Pass, Solver};

use super::islands::Islands;
use super::prepare::{self, StepBody};
use super::push::{Pushed, Sink, fill};
use super::rows::Assembly;
use crate::objects::row::{Row, Setting};
use crate::objects::world::World;

/// What the direct stepper keeps.
#[derive(Default)]
pub(super) struct DirectStep {
    shares: Vec<Share>,
    /// Bilateral rows without CFM, by pair of bodies.
    rigid: Vec<([usize; 2], usize)>,
    /// Redundant joints have been found, now or before.
    knows_of_redundance: bool,
    has_found_redundance: bool,
}

/// Islands that one call solves.
#[derive(Default)]
struct Share {
    islands: Range<usize>,
    problem: Problem,
    solver: Direct,
    z: Vec<f64>,
    lambda: Vec<f64>,
    /// Clique of each body of the islands, from `first_body` on; none for a body that impulses do not move.
    places: Vec<u32>,
    first_body: usize,
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
        assembly.collect(world, islands, h, true);
        prepare::velocities(islands, bodies, h);
        self.solve(world, islands, bodies, assembly, h, |_| true);
    }

    /// Solves the islands that are chosen, whose rows are collected: writes their forces and changes their bodies' velocities.
    pub(super) unsafe fn solve(
        &mut self,
        world: &World,
        islands: &Islands,
        bodies: &mut [StepBody],
        assembly: &mut Assembly,
        h: f64,
        is_chosen: impl Fn(usize) -> bool,
    ) {
        let setting = Setting::of(world, h);
        self.look_for_redundance(assembly);
        let count = world.threads.count(world.max_threads);
        self.shares.resize_with(count, Share::default);
        for (share, range) in self.shares.iter_mut().zip(assembly.shares(count)) {
            share.islands = range;
        }
        let (all, known): (&Assembly, &[StepBody]) = (assembly, bodies);
        let solve = |share: &mut Share| share.solve(islands, known, all, &setting, &is_chosen);
        let succeeded = world.threads.each(&mut self.shares, &solve);
        assert!(succeeded, "all islands are solved");
        for share in &self.shares {
            let rows =
                share.islands.clone().filter(|&island| is_chosen(island)).flat_map(|i| assembly.islands[i].clone());
            for (row, lambda) in rows.zip(&share.lambda) {
                assembly.forces[row] = lambda / h;
            }
            share.read_back(bodies);
        }
    }
}

impl Share {
    unsafe fn solve(
        &mut self,
        islands: &Islands,
        bodies: &[StepBody],
        assembly: &Assembly,
        setting: &Setting,
        is_chosen: &impl Fn(usize) -> bool,
    ) {
        let range = islands.bodies_of(&self.islands);
        self.problem.clear(setting.step);
        self.first_body = range.start;
        self.places.clear();
        self.places.resize(range.len(), u32::MAX);
        for island in self.islands.clone().filter(|&island| is_chosen(island)) {
            self.add_island(island, islands, bodies, assembly, setting);
        }
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
        for island in &self.problem.islands {
            if !island.rows.is_empty() {
                self.solver.solve(&self.problem, island, &pass, &mut self.z, &mut self.lambda);
            }
        }
    }

    /// Puts the bodies and rows of an island into the engine's form. Velocities after forces are in the targets already, so
    /// that the free velocities are zero.
    unsafe fn add_island(
        &mut self,
        island: usize,
        islands: &Islands,
        bodies: &[StepBody],
        assembly: &Assembly,
        setting: &Setting,
    ) {
        for body in islands.islands[island].bodies.clone() {
            if bodies[body].is_dynamic() {
                self.places[body - self.first_body] = self.problem.push_clique(&[0.0; 6]);
            }
        }
        // Rows in the problem follow those of the islands chosen before, rows in the step those of all.
        let first = [assembly.islands[island].start, self.problem.rows.len()].map(|row| row as u32);
        let sink = ProblemSink { problem: &mut self.problem, places: &self.places, first_body: self.first_body, first };
        fill(sink, assembly, assembly.island_joints[island].clone(), bodies, setting);
        self.problem.close_island();
    }

    /// Velocities from what the impulses do.
    fn read_back(&self, bodies: &mut [StepBody]) {
        for (body, &place) in bodies[self.first_body..].iter_mut().zip(&self.places) {
            if let Some(clique) = self.problem.cliques.get(place as usize) {
                let at = clique.start as usize;
                let (linear, angular) = body.change(&self.z[at..at + 6]);
                body.linear += linear;
                body.angular += angular;
            }
        }
    }

    /// Largest residual of a row, with the friction bounds that its own normals give \[m/s or rad/s\].
    fn residual(&self) -> f64 {
        let of = |(index, row): (usize, &stiction::constraint::Row)| {
            self.problem.residual(row, index, &self.lambda, &self.z, false, false)
        };
        self.problem.rows.iter().enumerate().map(of).fold(0.0, f64::max)
    }
}

impl DirectStep {
    /// Largest residual of a row of the last step, with the friction bounds that its own normals give [m/s or rad/s].
    pub(super) fn residual(&self) -> f64 {
        self.shares.iter().map(Share::residual).fold(0.0, f64::max)
    }

    /// The first redundant joints of the world were found since this was last asked.
    pub(super) fn has_found_redundance(&mut self) -> bool {
        std::mem::take(&mut self.has_found_redundance)
    }

    /// Joints that hold the same motion of a pair twice, without CFM, have no unique forces; ODE's factorization ends there. This
    /// one goes on with the least of them, and the program is told once in a world.
    fn look_for_redundance(&mut self, assembly: &Assembly) {
        if self.knows_of_redundance {
            return;
        }
        self.rigid.clear();
        for joint in &assembly.joints {
            let kept = joint.kept.clone().unwrap_or_default();
            let is_rigid = |row: &&Row| row.compliance == 0.0 && row.bounds == [f64::NEG_INFINITY, f64::INFINITY];
            let count = assembly.rows[kept].iter().filter(is_rigid).count();
            if count > 0 {
                self.rigid.push((joint.sides.bodies.map(|body| body as usize), count));
            }
        }
        self.rigid.sort_unstable();
        let held_twice = self.rigid.chunk_by(|a, b| a.0 == b.0).any(|pair| pair.iter().map(|p| p.1).sum::<usize>() > 6);
        self.knows_of_redundance = held_twice;
        self.has_found_redundance = held_twice;
    }
}

/// Rows of the direct stepper.
struct ProblemSink<'a> {
    problem: &'a mut Problem,
    places: &'a [u32],
    first_body: usize,
    /// First row of the island, in the step and in the problem.
    first: [u32; 2],
}

impl Sink for ProblemSink<'_> {
    #[inline(always)]
    fn accept(&mut self, row: &Pushed) {
        let blocks = (0..2).filter_map(|side| {
            let body = row.bodies[side];
            (body != NO_BODY).then(|| (self.places[body as usize - self.first_body], &row.y[side][..]))
        });
        let kind = match (row.normal, row.bounds) {
            (Some(_), _) => RowKind::Friction,
            (None, [0.0, f64::INFINITY]) => RowKind::Normal,
            (None, [f64::NEG_INFINITY, f64::INFINITY]) => RowKind::Joint,
            _ => RowKind::Motor,
        };
        let source = RowSource::Contact(self.problem.rows.len() as u32);
        let at = self.problem.push_blocks(blocks, row.target, row.compliance, kind, source) as usize;
        let new = &mut self.problem.rows[at];
        match row.normal {
            Some(normal) => {
                let normal = normal - self.first[0] + self.first[1];
                new.bound = Bound::Coefficient { normal, coefficient: row.bounds[1] };
            }
            None => [new.lower, new.upper] = row.bounds,
        }
    }
}
