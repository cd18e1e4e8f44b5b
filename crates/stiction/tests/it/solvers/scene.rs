//! Boxes, contacts and joints as rows, without any world: frozen geometry, whitened by hand.

use glam::DVec3;
use stiction::constraint::{Bound, Problem, RowKind, RowSource};
use stiction::solvers::{Direct, Pass, SolveStatistics, Solver};

pub const H: f64 = 0.01;
pub const G: f64 = 9.81;
/// No body: the world.
pub const WORLD: i32 = -1;

pub struct Body {
    /// Square root of the diagonal mass.
    pub root: [f64; 6],
    pub position: DVec3,
    pub velocity: [f64; 6],
}

pub struct Line {
    pub parts: Vec<(i32, [f64; 6])>,
    pub gap: f64,
    pub alpha: f64,
    pub motion: f64,
    pub compliance: f64,
    pub bounds: [f64; 2],
    /// Normal and coefficient.
    pub friction: Option<(usize, f64)>,
    pub ellipse: bool,
    pub cap: f64,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            gap: 0.0,
            alpha: 0.2,
            motion: 0.0,
            compliance: 0.0,
            bounds: [f64::NEG_INFINITY, f64::INFINITY],
            friction: None,
            ellipse: false,
            cap: f64::INFINITY,
        }
    }
}

#[derive(Default)]
pub struct Scene {
    pub bodies: Vec<Body>,
    pub lines: Vec<Line>,
    seed: u64,
}

fn tangents(n: DVec3) -> [DVec3; 2] {
    let p = if n.z.abs() > 0.5f64.sqrt() { DVec3::new(0.0, -n.z, n.y) } else { DVec3::new(-n.y, n.x, 0.0) }.normalize();
    [p, n.cross(p)]
}

impl Scene {
    pub fn body(&mut self, mass: f64, size: [f64; 3], position: [f64; 3]) -> i32 {
        let [a, b, c] = size;
        let i = [b * b + c * c, a * a + c * c, a * a + b * b].map(|x| mass / 12.0 * x);
        let root = [mass, mass, mass, i[0], i[1], i[2]].map(f64::sqrt);
        self.bodies.push(Body { root, position: position.into(), velocity: [0.0; 6] });
        self.bodies.len() as i32 - 1
    }

    pub fn point(&mut self, a: i32, b: i32, p: DVec3, n: DVec3, line: Line) -> usize {
        let mut parts = Vec::new();
        for (body, sign) in [(a, 1.0), (b, -1.0)] {
            if body >= 0 {
                let r = (p - self.bodies[body as usize].position).cross(n) * sign;
                let l = n * sign;
                parts.push((body, [l.x, l.y, l.z, r.x, r.y, r.z]));
            }
        }
        self.lines.push(Line { parts, ..line });
        self.lines.len() - 1
    }

    pub fn contact(&mut self, a: i32, b: i32, p: [f64; 3], n: [f64; 3], depth: f64, mu: f64) -> usize {
        let (p, n) = (DVec3::from(p), DVec3::from(n));
        let i = self.point(a, b, p, n, Line { gap: -depth, bounds: [0.0, f64::INFINITY], ..Line::default() });
        if mu > 0.0 {
            for t in tangents(n) {
                self.point(a, b, p, t, Line { alpha: 0.0, friction: Some((i, mu)), ..Line::default() });
            }
        }
        i
    }

    pub fn face(&mut self, a: i32, b: i32, z: f64, x: [f64; 2], y: [f64; 2], mu: f64) {
        for px in x {
            for py in y {
                self.contact(a, b, [px, py, z], [0.0, 0.0, 1.0], 1e-5, mu);
            }
        }
    }

    pub fn ball(&mut self, a: i32, b: i32, p: [f64; 3], gap: [f64; 3], compliance: f64) {
        for k in 0..3 {
            let line = Line { gap: gap[k], compliance, ..Line::default() };
            self.point(a, b, p.into(), DVec3::AXES[k], line);
        }
    }

    pub fn turn(&mut self, a: i32, b: i32, axis: DVec3, line: Line) -> usize {
        let mut parts = vec![(a, [0.0, 0.0, 0.0, axis.x, axis.y, axis.z])];
        if b >= 0 {
            parts.push((b, [0.0, 0.0, 0.0, -axis.x, -axis.y, -axis.z]));
        }
        self.lines.push(Line { parts, ..line });
        self.lines.len() - 1
    }

    pub fn hinge(&mut self, a: i32, b: i32, p: [f64; 3], axis: DVec3) {
        self.ball(a, b, p, [0.0; 3], 0.0);
        for t in tangents(axis) {
            self.turn(a, b, t, Line::default());
        }
    }

    pub fn fixed(&mut self, a: i32, b: i32, p: [f64; 3]) {
        self.ball(a, b, p, [0.0; 3], 0.0);
        for axis in DVec3::AXES {
            self.turn(a, b, axis, Line::default());
        }
    }

    /// A random number in −1..1 (a fixed sequence).
    pub fn random(&mut self) -> f64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Random velocities up to this size.
    pub fn perturb(mut self, amount: f64) -> Self {
        for i in 0..self.bodies.len() {
            for k in 0..6 {
                self.bodies[i].velocity[k] += amount * self.random();
            }
        }
        self
    }

    /// Hard rows become springs of 1e8 N/m with a damping time of 4.5 steps.
    pub fn compliant(mut self) -> Self {
        let upsilon = 1.0 / 19.0;
        for line in self.lines.iter_mut().filter(|l| l.friction.is_none()) {
            line.compliance = 4.0 / 1e8 * upsilon / (H * H);
            line.alpha = 4.0 * upsilon;
        }
        self
    }

    /// The rows of one step under gravity, as one island.
    pub fn problem(&self) -> Problem {
        let mut problem = Problem::default();
        problem.clear(H);
        self.push(&mut problem);
        problem
    }

    /// Appends the scene as an island.
    pub fn push(&self, problem: &mut Problem) {
        let (first, first_row) = (problem.cliques.len() as u32, problem.rows.len() as u32);
        for body in &self.bodies {
            let mut v = body.velocity;
            v[2] -= G * H;
            problem.push_clique(&std::array::from_fn::<f64, 6, _>(|k| body.root[k] * v[k]));
        }
        for line in &self.lines {
            let whitened: Vec<(u32, [f64; 6])> = line
                .parts
                .iter()
                .map(|(b, j)| (first + *b as u32, std::array::from_fn(|k| j[k] / self.bodies[*b as usize].root[k])))
                .collect();
            let blocks: Vec<(u32, &[f64])> = whitened.iter().map(|(b, y)| (*b, y.as_slice())).collect();
            let is_normal = line.bounds[0] == 0.0;
            let alpha = if is_normal && line.gap > 0.0 { 1.0 } else { line.alpha };
            let kind = if is_normal { RowKind::Normal } else { RowKind::Joint };
            let target = line.motion - alpha * line.gap / H;
            let i = problem.push_row(&blocks, target, line.compliance, kind, RowSource::Contact(0));
            let row = &mut problem.rows[i as usize];
            [row.lower, row.upper] = line.bounds;
            row.ellipse = line.ellipse;
            row.cap = line.cap;
            if let Some((normal, coefficient)) = line.friction {
                row.kind = RowKind::Friction;
                row.bound = Bound::Coefficient { normal: first_row + normal as u32, coefficient };
            }
        }
        problem.close_island();
    }
}

pub const ONCE: Pass = Pass {
    capped: false,
    iterations: 20,
    relaxation: 1.0,
    accelerated: false,
    bounds_once: true,
    budget: Pass::FULL_BUDGET,
    stiction_tolerance: 1e-3,
};
pub const CONVERGED: Pass = Pass { bounds_once: false, ..ONCE };

/// Impulses and velocities of a solve.
pub struct Solved {
    pub z: Vec<f64>,
    pub lambda: Vec<f64>,
    pub statistics: SolveStatistics,
}

/// Solves all islands from these impulses.
pub fn solve_from(solver: &mut dyn Solver, problem: &Problem, pass: &Pass, start: &[f64]) -> Solved {
    let mut solved =
        Solved { z: problem.z_free.clone(), lambda: start.to_vec(), statistics: SolveStatistics::default() };
    for island in &problem.islands {
        let s = solver.solve(problem, island, pass, &mut solved.z, &mut solved.lambda);
        solved.statistics.factorizations += s.factorizations;
        solved.statistics.inconsistent_rows += s.inconsistent_rows;
        solved.statistics.sweeps += s.sweeps;
        solved.statistics.gave_up |= s.gave_up;
    }
    solved
}

pub fn solve(problem: &Problem, pass: &Pass) -> Solved {
    solve_from(&mut Direct::default(), problem, pass, &vec![0.0; problem.rows.len()])
}

/// Largest residual with bounds of the present normals, and largest difference between `z` and `z_free + Y λ`.
pub fn residual(problem: &Problem, solved: &Solved, capped: bool) -> f64 {
    let mut z = problem.z_free.clone();
    for (row, lambda) in problem.rows.iter().zip(&solved.lambda) {
        problem.apply(row, *lambda, &mut z);
    }
    let drift = z.iter().zip(&solved.z).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(drift < 1e-9, "velocities do not follow from impulses: {drift}");
    (0..problem.rows.len())
        .map(|i| problem.residual(&problem.rows[i], i, &solved.lambda, &z, capped, false))
        .fold(0.0, f64::max)
}

/// The problem with the friction bounds of a solution without friction: what 'once' solves.
pub fn with_bounds_once(problem: &Problem) -> Problem {
    let mut none = problem.clone();
    for row in &mut none.rows {
        if matches!(row.bound, Bound::Coefficient { .. }) {
            row.bound = Bound::Fixed;
            (row.lower, row.upper) = (0.0, 0.0);
        }
    }
    let normals = solve(&none, &ONCE).lambda;
    let mut fixed = problem.clone();
    for row in &mut fixed.rows {
        (row.lower, row.upper) = row.bounds(&normals);
        row.bound = Bound::Fixed;
    }
    fixed
}
