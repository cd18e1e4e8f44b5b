//! Restitution before the sub-steps, from the velocities before the step.
//!
//! The manifold that approaches fastest and touches within the step is solved whole, with impulses of least norm, again until
//! nothing approaches: each such impact makes no energy, and a row of touching balls passes a blow on to its last one. The passes
//! take the rest inelastically. Manifolds that approach at the same speed and share bodies, and those of the same two bodies, are
//! solved together, in rounds: normals first, since with friction from the start their order would decide which points slide.
//!
//! An impact happens when its gap has closed: the impulse acts at the start of the step, and the displacement that it would cause
//! before the impact is subtracted. Friction acts in the impact, within what its normals allow
//! ([`impact_friction`](super::impact_friction)): passes find nothing that presses any more.

use glam::DVec3;

use super::bodies::SubstepBodies;
use super::impact_friction::{IMPACT_ROWS, ImpactFriction};
use super::manifolds::{Manifolds, Patch};
use super::trees::SubstepTrees;
use super::{Frame, three};
use crate::solvers::soft::{BODY_RECORDS, Bundle, Record, SPECIAL_RECORDS, Skin};

/// Compliance of an impact by its largest diagonal: four corners of a face have more rows than motions.
const SLIGHT: f64 = 1e-9;
/// Relative difference of speeds up to which impacts are as fast as each other.
const TIE: f64 = 1e-9;
/// Largest numbers of rounds over simultaneous impacts, of normals alone and with friction, and the change relative to the largest impulse at which
/// they end. Where several points can share friction in many ways, further rounds would only shift it between them.
const ROUNDS: usize = 200;
const ROUNDS_OF_FRICTION: usize = 10;
const STILL: f64 = 1e-10;

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
    blow: Blow,
}

/// What an impact gives when it is hit.
#[derive(Clone, Copy, Debug)]
struct Blow {
    /// Time of the first touch in the step \[s\].
    time: f64,
    /// Velocities after it of the points that touch.
    targets: [Option<f64>; 4],
    /// Impulses of all rows.
    impulses: [f64; IMPACT_ROWS],
}

/// Memory of the impacts.
#[derive(Clone, Debug, Default)]
pub(super) struct Restitutions {
    impacts: Vec<Impact>,
    /// Speeds at which they close.
    approaches: Vec<f64>,
    /// Numbers of those that are solved together, and the bodies or trees of the fastest of them; none is what does not move.
    together: Vec<usize>,
    pairs: Vec<[Option<u32>; 2]>,
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

    /// What an impact is to give: see [`Blow`].
    fn aim(&mut self, bodies: &SubstepBodies, trees: &mut SubstepTrees, frame: &Frame) {
        if !self.is_coupled {
            (self.couplings, self.is_coupled) = (trees.couple(self.bodies, &self.rows), true);
        }
        let touches: [_; 4] = std::array::from_fn(|k| self.touch(k, bodies, frame.horizon()));
        let time = touches.iter().flatten().map(|(_, time)| *time).fold(frame.horizon(), f64::min);
        self.blow = Blow { time, targets: [None; 4], impulses: [0.0; IMPACT_ROWS] };
        self.blow.targets = std::array::from_fn(|k| {
            let (u, _) = touches[k]?;
            let share = if -u > self.threshold { self.coefficient } else { 0.0 };
            Some(-share * self.velocity_then(k, bodies, frame))
        });
    }

    /// Velocity of a row at the time of the impact, with what forces give until then.
    fn velocity_then(&self, k: usize, bodies: &SubstepBodies, frame: &Frame) -> f64 {
        self.velocity(k, &bodies.z) + self.blow.time / frame.part * self.row(k, &bodies.pulls)
    }

    /// Impulses with which it has the velocities that it is to give, where others have acted on its bodies since. Returns how far the impulses
    /// change, and the largest of them.
    fn hit(&mut self, (bodies, trees): (&mut SubstepBodies, &mut SubstepTrees), frame: &Frame, rubs: bool) -> [f64; 2] {
        let last = self.blow.impulses;
        let without = std::array::from_fn(|k| {
            let own: f64 = (0..IMPACT_ROWS).map(|j| self.couplings[k][j] * last[j]).sum();
            self.velocity_then(k, bodies, frame) - own
        });
        // The compliance acts on the change of the impulses: it leaves no error that the next round would take for an approach.
        let compliance = self.compliance();
        let want =
            std::array::from_fn(|k| self.blow.targets[k].map(|target| target - without[k] + compliance * last[k]));
        let lambda = self.solve(&want, &without, rubs);
        let mut change = [0.0; 12];
        let (mut farthest, mut largest) = (0.0, 0.0);
        for (k, row) in self.rows.iter().enumerate() {
            let more = lambda[k] - last[k];
            (farthest, largest) = (f64::max(farthest, more.abs()), f64::max(largest, lambda[k].abs()));
            (0..12).for_each(|e| change[e] += row[e] * more);
        }
        for k in 0..4 {
            let more = |row: usize| lambda[row] - last[row];
            self.lambda[k] += more(k);
            self.friction += more(4 + 2 * k) * self.directions[0] + more(5 + 2 * k) * self.directions[1];
        }
        self.blow.impulses = lambda;
        trees.hit(self.bodies, &change, self.blow.time, &mut bodies.z, &mut bodies.moved);
        [farthest, largest]
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

    fn compliance(&self) -> f64 {
        SLIGHT * (0..4).map(|k| self.couplings[k][k]).fold(0.0, f64::max)
    }

    /// Solves `(Yᵀ Y + ε) λ = want` of some rows by elimination.
    fn least(&self, is_on: &[bool; 4], want: &[f64; 4]) -> [f64; 4] {
        let product = |i: usize, j: usize| self.couplings[i][j];
        let compliance = self.compliance();
        let mut m = [[0.0; 5]; 4];
        for i in 0..4 {
            for j in 0..4 {
                m[i][j] = if is_on[i] && is_on[j] { product(i, j) } else { 0.0 };
            }
            m[i][i] = if is_on[i] { m[i][i] + compliance } else { 1.0 };
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
        for _ in 0..16 + 8 * self.impacts.len() {
            self.approaches.clear();
            self.approaches.extend(self.impacts.iter().map(|impact| impact.approach(bodies, frame.horizon())));
            if !self.gather(frame.slow, (bodies, trees)) {
                break;
            }
            self.together.iter().for_each(|number| self.impacts[*number].aim(bodies, trees, frame));
            if self.together.len() > 1 {
                self.rounds((bodies, trees), frame, false);
            }
            self.rounds((bodies, trees), frame, true);
        }
        bodies.hit();
    }

    /// Solves the simultaneous impacts one after the other, until their impulses converge.
    fn rounds(&mut self, (bodies, trees): (&mut SubstepBodies, &mut SubstepTrees), frame: &Frame, rubs: bool) {
        for _ in 0..if rubs { ROUNDS_OF_FRICTION } else { ROUNDS } {
            let (mut farthest, mut largest) = (0.0, 0.0);
            for number in &self.together {
                let [change, size] = self.impacts[*number].hit((bodies, trees), frame, rubs);
                (farthest, largest) = (f64::max(farthest, change), f64::max(largest, size));
            }
            if self.together.len() == 1 || farthest <= STILL * largest {
                return;
            }
        }
    }

    /// Lists the simultaneous impacts: the fastest one, those with the same speed that bodies or trees connect to it, and all between the same
    /// two as one of these. Whether there is one that is faster than `slow` \[m/s\].
    fn gather(&mut self, slow: f64, (bodies, trees): (&SubstepBodies, &SubstepTrees)) -> bool {
        let (mut fastest, mut which) = (slow, None);
        for (number, approach) in self.approaches.iter().enumerate() {
            if *approach > fastest {
                (fastest, which) = (*approach, Some(number));
            }
        }
        let Some(first) = which else { return false };
        let pair_of = |number: usize| {
            self.impacts[number].bodies.map(|place| bodies.moves(place).then(|| trees.first_place(place)))
        };
        self.pairs.clear();
        self.pairs.push(pair_of(first));
        let least = (1.0 - TIE) * fastest;
        let ties = || (0..self.impacts.len()).filter(|number| self.approaches[*number] >= least).map(pair_of);
        let are_connected =
            |a: &[Option<u32>; 2], b: &[Option<u32>; 2]| a.iter().flatten().any(|one| b.contains(&Some(*one)));
        let mut known = 0;
        while known < self.pairs.len() {
            known = self.pairs.len();
            for pair in ties() {
                if !self.pairs.contains(&pair) && self.pairs.iter().any(|other| are_connected(&pair, other)) {
                    self.pairs.push(pair);
                }
            }
        }
        let is_with = |number: &usize| {
            let [a, b] = pair_of(*number);
            self.pairs.contains(&[a, b]) || self.pairs.contains(&[b, a])
        };
        let approaching = (0..self.impacts.len()).filter(|number| self.approaches[*number] > 0.0);
        self.together.clear();
        self.together.extend(approaching.filter(is_with));
        true
    }

    /// Manifolds that have been hit start the step with an overlap, by the displacement that the impulse takes back: nothing pushes them apart.
    pub(super) fn hold_back<const W: usize>(&mut self, bundles: &mut [Bundle<W>]) {
        if self.impacts.iter().all(|impact| impact.lambda == [0.0; 4]) {
            return;
        }
        for bundle in bundles {
            for lane in 0..usize::from(bundle.count) {
                // Impacts are in the order of the patches.
                if self.impacts[bundle.manifolds[lane] as usize].lambda != [0.0; 4] {
                    bundle.bound_push(lane, 0.0);
                }
            }
        }
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
        blow: Blow { time: 0.0, targets: [None; 4], impulses: [0.0; IMPACT_ROWS] },
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
