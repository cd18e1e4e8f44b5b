//! Restitution before the sub-steps, from the velocities before the step.
//!
//! The manifold that approaches fastest and touches within the step is solved whole, with impulses of least norm, again until
//! nothing approaches: each such impact makes no energy, and a row of touching balls passes a blow on to its last one. The passes
//! take the rest inelastically. An impact happens when its gap has closed: the impulse acts at the start of the step, and the
//! displacement that it would cause before the impact is subtracted. Friction acts in the impact, within what its normals allow
//! ([`impact_friction`](super::impact_friction)): passes find nothing that presses any more.

use glam::DVec3;

use super::super::context::Model;
use super::bodies::SubstepBodies;
use super::impact_friction::{IMPACT_ROWS, ImpactFriction};
use super::manifolds::{Manifolds, Patch};
use super::trees::SubstepTrees;
use super::{Frame, three};
use crate::solvers::soft::{BODY_RECORDS, Record, SPECIAL_RECORDS, Skin};

/// Compliance of an impact by its largest diagonal: four corners of a face have more rows than motions.
const SLIGHT: f64 = 1e-9;

/// Rows of a manifold: four normals, and two directions of friction at each point.
#[derive(Clone, Debug)]
pub(super) struct Impact {
    patch: u32,
    bodies: [u32; 2],
    count: usize,
    /// Normal in the pose of the rows, and the directions of friction, the second by its coefficient over that of the first.
    normal: DVec3,
    directions: [DVec3; 2],
    pub(super) law: ImpactFriction,
    rows: [[f64; 12]; IMPACT_ROWS],
    /// Their products through all that joints connect, from the first impact on.
    pub(super) couplings: [[f64; IMPACT_ROWS]; IMPACT_ROWS],
    is_coupled: bool,
    /// Gaps in the pose of the rows.
    gaps: [f64; 4],
    /// Velocity by what rows do not move.
    prescribed: [f64; IMPACT_ROWS],
    /// Share of the approach that is given back, and approach from which on.
    coefficient: f64,
    threshold: f64,
    /// Impulses so far: normals, and the friction that the second body has of them.
    lambda: [f64; 4],
    friction: DVec3,
}

/// Memory of the impacts.
#[derive(Clone, Debug, Default)]
pub(super) struct Restitutions {
    impacts: Vec<Impact>,
}

impl Impact {
    fn row(&self, k: usize, z: &[Record]) -> f64 {
        let [a, b] = self.bodies.map(|place| &z[place as usize].0);
        let y = &self.rows[k];
        (0..6).map(|e| y[e] * a[e] + y[6 + e] * b[e]).sum()
    }

    fn velocity(&self, k: usize, z: &[Record]) -> f64 {
        self.row(k, z) + self.prescribed[k]
    }

    /// Velocity of a point that touches within the step, and the time at which it does.
    fn touch(&self, k: usize, bodies: &SubstepBodies, step: f64) -> Option<(f64, f64)> {
        let u = self.velocity(k, &bodies.z);
        let gap = self.gaps[k] + self.row(k, &bodies.moved);
        (k < self.count && u < 0.0 && gap + u * step < 0.0).then(|| (u, (gap / -u).max(0.0)))
    }

    /// Greatest speed at which a point closes that touches within the step.
    fn approach(&self, bodies: &SubstepBodies, step: f64) -> f64 {
        let points = (0..self.count).filter_map(|k| self.touch(k, bodies, step));
        points.fold(0.0, |most, (u, _)| f64::max(most, -u))
    }

    /// Reverses what touches in the step, at the time of the first touch.
    fn hit(&mut self, bodies: &mut SubstepBodies, trees: &mut SubstepTrees, frame: &Frame) {
        if !self.is_coupled {
            (self.couplings, self.is_coupled) = (trees.couple(self.bodies, &self.rows), true);
        }
        let touches: [_; 4] = std::array::from_fn(|k| self.touch(k, bodies, frame.horizon()));
        let time = touches.iter().flatten().map(|(_, time)| *time).fold(frame.horizon(), f64::min);
        // With what forces have given until then.
        let now = |k: usize| self.velocity(k, &bodies.z) + time / frame.part * self.row(k, &bodies.pulls);
        let want = std::array::from_fn(|k| {
            let (u, _) = touches[k]?;
            let share = if -u > self.threshold { self.coefficient } else { 0.0 };
            Some(-(1.0 + share) * now(k))
        });
        let lambda = self.solve(&want, &std::array::from_fn(now));
        let mut change = [0.0; 12];
        for (row, impulse) in self.rows.iter().zip(&lambda) {
            (0..12).for_each(|e| change[e] += row[e] * impulse);
        }
        for k in 0..4 {
            self.lambda[k] += lambda[k];
            self.friction += lambda[4 + 2 * k] * self.directions[0] + lambda[5 + 2 * k] * self.directions[1];
        }
        trees.hit(self.bodies, &change, time, &mut bodies.z, &mut bodies.moved);
    }

    /// Least impulses that change the velocities of normals by what is wanted, and none is negative.
    pub(super) fn press(&self, wanted: &[Option<f64>; 4]) -> [f64; 4] {
        let mut is_on = wanted.map(|want| want.is_some());
        let want = wanted.map(|want| want.unwrap_or(0.0));
        let mut lambda = [0.0; 4];
        for _ in 0..4 {
            lambda = self.least(&is_on, &want);
            let negative = (0..4).filter(|k| is_on[*k] && lambda[*k] < 0.0);
            let Some(worst) = negative.min_by(|a, b| lambda[*a].total_cmp(&lambda[*b])) else { break };
            is_on[worst] = false;
            lambda[worst] = 0.0;
        }
        std::array::from_fn(|k| if is_on[k] { lambda[k].max(0.0) } else { 0.0 })
    }

    /// Solves `(Yᵀ Y + ε) λ = want` of some rows by elimination.
    fn least(&self, is_on: &[bool; 4], want: &[f64; 4]) -> [f64; 4] {
        let product = |i: usize, j: usize| self.couplings[i][j];
        let largest = (0..4).map(|k| product(k, k)).fold(0.0, f64::max);
        let mut m = [[0.0; 5]; 4];
        for i in 0..4 {
            for j in 0..4 {
                m[i][j] = if is_on[i] && is_on[j] { product(i, j) } else { 0.0 };
            }
            m[i][i] = if is_on[i] { m[i][i] + SLIGHT * largest } else { 1.0 };
            m[i][4] = if is_on[i] { want[i] } else { 0.0 };
        }
        for i in 0..4 {
            for j in i + 1..4 {
                let factor = m[j][i] / m[i][i];
                for k in i..5 {
                    m[j][k] -= factor * m[i][k];
                }
            }
        }
        let mut lambda = [0.0; 4];
        for i in (0..4).rev() {
            let known: f64 = (i + 1..4).map(|k| m[i][k] * lambda[k]).sum();
            lambda[i] = (m[i][4] - known) / m[i][i];
        }
        lambda
    }
}

impl Restitutions {
    /// Bounces of all manifolds, where one of them bounces.
    pub(super) fn rebound(
        &mut self,
        model: &Model,
        frame: &Frame,
        manifolds: &Manifolds,
        bodies: &mut SubstepBodies,
        trees: &mut SubstepTrees,
    ) {
        self.impacts.clear();
        if !manifolds.patches.iter().any(|patch| patch.bounce.is_some()) {
            return;
        }
        for (number, patch) in manifolds.patches.iter().enumerate() {
            self.impacts.push(impact_of(number as u32, patch, manifolds, frame, bodies));
        }
        // What rests approaches by what gravity gives in a step.
        let slow = 2.0 * model.parameters.gravity.length() * frame.step + 1e-4;
        for _ in 0..16 + 8 * self.impacts.len() {
            let (mut fastest, mut which) = (slow, None);
            for (number, impact) in self.impacts.iter().enumerate() {
                let approach = impact.approach(bodies, frame.horizon());
                if approach > fastest {
                    (fastest, which) = (approach, Some(number));
                }
            }
            let Some(impact) = which.map(|number| &mut self.impacts[number]) else { break };
            impact.hit(bodies, trees, frame);
        }
        bodies.hit();
    }

    /// Impulses of the impacts: number of the patch, normal, impulse of each point, and friction.
    pub(super) fn impulses(&self) -> impl Iterator<Item = (u32, DVec3, &[f64; 4], DVec3)> {
        let given = self.impacts.iter().filter(|impact| impact.lambda != [0.0; 4]);
        given.map(|impact| (impact.patch, impact.normal, &impact.lambda, impact.friction))
    }
}

fn impact_of(number: u32, patch: &Patch, manifolds: &Manifolds, frame: &Frame, bodies: &SubstepBodies) -> Impact {
    let records = manifolds.records_of(patch);
    let [a, b] = patch.bodies.map(|place| place as usize);
    let place = |of: usize| {
        let [x, y, z, m, i, j, k, _] = bodies.records[BODY_RECORDS * of].0;
        (DVec3::new(x, y, z), bodies.middle(of).axes, m, DVec3::new(i, j, k))
    };
    let ((xa, ra, ma, ia), (xb, rb, mb, ib)) = (place(a), place(b));
    let vector = |r: &[f64]| DVec3::new(r[0], r[1], r[2]);
    let n = ra * vector(&records[0].0);
    let skin = Skin::read(records).radius;
    let mut impact = Impact {
        patch: number,
        bodies: patch.bodies,
        count: patch.count as usize,
        normal: n,
        directions: [DVec3::ZERO; 2],
        law: ImpactFriction::default(),
        rows: [[0.0; 12]; IMPACT_ROWS],
        couplings: [[0.0; IMPACT_ROWS]; IMPACT_ROWS],
        is_coupled: false,
        gaps: [0.0; 4],
        prescribed: [0.0; IMPACT_ROWS],
        coefficient: patch.bounce.map_or(0.0, |bounce| bounce.coefficient),
        threshold: patch.bounce.map_or(0.0, |bounce| bounce.threshold),
        lambda: [0.0; 4],
        friction: DVec3::ZERO,
    };
    let special = SPECIAL_RECORDS * patch.special as usize;
    let belt = vector(&manifolds.special[special + 1].0);
    (impact.law, impact.directions) = ImpactFriction::read(n, &records[0], &manifolds.special[special..]);
    for k in 0..impact.count {
        let record = &records[1 + k].0;
        let (pa, pb) = (xa + ra * vector(&record[..3]), xb + rb * vector(&record[3..6]) - skin * n);
        let p = if skin > 0.0 { pb - 0.5 * (pb - pa).dot(n) * n } else { 0.5 * (pa + pb) };
        let row = |d: DVec3| {
            let ya = ra.transpose() * (p - xa).cross(d) * ia;
            let yb = rb.transpose() * (p - xb).cross(d) * ib;
            let ([l0, l1, l2], [a0, a1, a2]) = (three(-ma * d), three(-ya));
            let ([m0, m1, m2], [b0, b1, b2]) = (three(mb * d), three(yb));
            [l0, l1, l2, a0, a1, a2, m0, m1, m2, b0, b1, b2]
        };
        let driven = |of: usize, x: DVec3, m: f64| {
            let lead = &bodies.leads[of].0;
            let moves = vector(&lead[..3]) + vector(&lead[3..6]).cross(p - x);
            if m > 0.0 { DVec3::ZERO } else { moves / (0.5 * frame.step) }
        };
        let prescribed = driven(b, xb, mb) - driven(a, xa, ma);
        (impact.rows[k], impact.prescribed[k]) = (row(n), n.dot(prescribed));
        if impact.law.rubs() {
            for (axis, d) in impact.directions.into_iter().enumerate() {
                impact.rows[4 + 2 * k + axis] = row(d);
                impact.prescribed[4 + 2 * k + axis] = d.dot(prescribed + belt);
            }
        }
        // With the displacements those of the start of the step.
        impact.gaps[k] = (pb - pa).dot(n) - frame.center * impact.prescribed[k];
    }
    impact
}
