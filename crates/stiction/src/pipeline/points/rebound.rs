//! Restitution of several contacts at once makes no energy, as [`super::super::rebound`] has it for rows: the sweeps of islands in which
//! it does are made once more without restitution, and the answer is the point between the two solutions that makes none.

use glam::DVec3;

use super::super::rebound::largest_share;
use super::batch::PointBatch;
use super::fill::PointRecords;
use super::solver::{JointRows, PointSolver, Rule};
use crate::solvers::points::{BODY_RECORDS, GROUP_RECORDS, POINT_RECORDS};
use crate::solvers::soft::Record;

/// Velocities and impulses of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    z: Vec<Record>,
    impulses: Vec<Record>,
    moments: Vec<Record>,
    /// Of the rows of joints.
    lambda: Vec<f64>,
}

/// The same to read.
#[derive(Clone, Copy)]
struct Solution<'a> {
    z: &'a [Record],
    impulses: &'a [Record],
    moments: &'a [Record],
}

impl Kept {
    /// Keeps those of a batch.
    fn keep(&mut self, z: &[Record], batch: &PointBatch) {
        for (own, of) in [(&mut self.z, z), (&mut self.impulses, &batch.impulses), (&mut self.moments, &batch.moments)]
        {
            own.clear();
            own.extend_from_slice(of);
        }
    }

    fn read(&self) -> Solution<'_> {
        Solution { z: &self.z, impulses: &self.impulses, moments: &self.moments }
    }
}

/// Impulse on the first body of a contact, and the moment of its rows about axes.
#[derive(Clone, Copy, Default)]
struct Push {
    normal: f64,
    friction: DVec3,
    moment: DVec3,
}

impl Solution<'_> {
    /// Linear and angular velocity of a contact's first body against its second one.
    fn velocity(&self, records: &PointRecords, places: [u32; 2], position: DVec3) -> [DVec3; 2] {
        let [a, b] = places.map(|place| {
            let at = BODY_RECORDS * place as usize;
            let [x, y, z, inverse_root_mass, a, b, c, d] = records.bodies[at].0;
            let [e, f, g, h, i, ..] = records.bodies[at + 1].0;
            let [vx, vy, vz, wx, wy, wz, ..] = self.z[place as usize].0;
            let spin = DVec3::new(wx, wy, wz);
            let columns = [DVec3::new(a, b, c), DVec3::new(d, e, f), DVec3::new(g, h, i)];
            let omega = DVec3::from(columns.map(|column| column.dot(spin)));
            let arm = position - DVec3::new(x, y, z);
            [DVec3::new(vx, vy, vz) * inverse_root_mass + omega.cross(arm), omega]
        });
        [a[0] - b[0], a[1] - b[1]]
    }

    /// Friction of what rows do not move is left out.
    fn push(&self, point: usize, is_driven: bool) -> Push {
        let [normal, _, _, x, y, z, ..] = self.impulses[point].0;
        if is_driven {
            return Push { normal, ..Push::default() };
        }
        let moment = self.moments.get(point).map_or(DVec3::ZERO, |m| DVec3::new(m.0[3], m.0[4], m.0[5]));
        Push { normal, friction: DVec3::new(x, y, z), moment }
    }
}

impl PointRecords {
    /// `W = a + b s + c s²` of the contacts of each island between two solutions, `from` and `to`.
    fn works(&self, [from, to]: [Solution; 2], sums: &mut [[f64; 3]]) {
        let free = Solution { z: &self.z_free, ..from };
        for (group, head) in self.groups.iter().zip(self.heads.chunks_exact(GROUP_RECORDS)) {
            let [nx, ny, nz, ..] = head[0].0;
            let n = DVec3::new(nx, ny, nz);
            let sum = &mut sums[group.island as usize];
            for point in group.places_of_points() {
                let [x, y, z, ..] = self.points[POINT_RECORDS * point].0;
                let [.., prescribed, _] = self.points[POINT_RECORDS * point + 1].0;
                let is_driven = prescribed != 0.0;
                let [v_free, v, v_to] = [free, from, to].map(|of| of.velocity(self, group.places, DVec3::new(x, y, z)));
                let (p, p_to) = (from.push(point, is_driven), to.push(point, is_driven));
                let product = |p: Push, [v, w]: [DVec3; 2]| p.normal * n.dot(v) + p.friction.dot(v) + p.moment.dot(w);
                let before = [v_free[0] + v[0] + 2.0 * prescribed * n, v_free[1] + v[1]];
                let change = [v_to[0] - v[0], v_to[1] - v[1]];
                let more = Push {
                    normal: p_to.normal - p.normal,
                    friction: p_to.friction - p.friction,
                    moment: p_to.moment - p.moment,
                };
                sum[0] += 0.5 * product(p, before);
                sum[1] += 0.5 * (product(p, change) + product(more, before));
                sum[2] += 0.5 * product(more, change);
            }
        }
    }

    /// Marks the islands in which something bounces.
    fn mark_rebounds(&self, bounces: &mut [bool]) {
        for group in &self.groups {
            let rebound = |point: usize| self.points[POINT_RECORDS * point + 1].0[5];
            bounces[group.island as usize] |= group.places_of_points().any(|point| rebound(point) > 0.0);
        }
    }

    /// Adds a share of the restitution of some islands to their targets, and lets them begin with these impulses.
    fn shift_targets(&mut self, shares: &[Option<f64>], impulses: &[Record]) {
        for group in &self.groups {
            let Some(share) = shares[group.island as usize] else { continue };
            for point in group.places_of_points() {
                let at = POINT_RECORDS * point;
                let [normal, _, _, x, y, z, ..] = impulses[point].0;
                self.points[at].0[3] += share * self.points[at + 1].0[5];
                self.points[at].0[6] = normal;
                self.points[at + 1].0[..3].copy_from_slice(&[x, y, z]);
            }
        }
    }
}

impl PointSolver {
    /// Takes back what restitution has made in the islands of a batch.
    pub(super) fn limit_rebound(&mut self, rule: Rule, batch: &mut PointBatch, joints: &mut Option<JointRows>) {
        let Self { records, z, done, works, .. } = self;
        let islands = batch.islands.len();
        done.clear();
        done.resize(islands, false);
        records.mark_rebounds(done);
        works.clear();
        works.resize(islands, [0.0; 3]);
        let with = Solution { z, impulses: &batch.impulses, moments: &batch.moments };
        records.works([with; 2], works);
        // What did not bounce, or made nothing, is done.
        done.iter_mut().zip(&*works).for_each(|(done, [made, ..])| *done = !(*done && *made > 0.0));
        if !done.contains(&false) {
            return;
        }
        batch.restitution.clear();
        batch.restitution.extend(done.iter().map(|done| (!done).then_some(-1.0)));
        records.shift_targets(&batch.restitution, &batch.impulses);
        self.with.keep(z, batch);
        if let Some(joints) = joints {
            self.with.lambda.clone_from(joints.lambda);
        }
        self.go_on(rule, batch, joints);
        self.blend(batch);
        if let Some(JointRows { islands, lambda, .. }) = joints {
            for (island, share) in islands.iter().zip(&batch.restitution) {
                for row in island.row_range() {
                    lambda[row] = part_of_way(lambda[row], self.with.lambda[row], *share);
                }
            }
        }
    }

    /// Moves the solution with restitution, which is kept, towards that without until the contacts make no energy.
    fn blend(&mut self, batch: &mut PointBatch) {
        let Self { records, z, with, works, .. } = self;
        let without = Solution { z, impulses: &batch.impulses, moments: &batch.moments };
        works.fill([0.0; 3]);
        records.works([without, with.read()], works);
        for (share, work) in batch.restitution.iter_mut().zip(&*works).filter(|(share, _)| share.is_some()) {
            *share = Some(largest_share(*work));
        }
        for (number, bodies) in records.island_bodies.windows(2).enumerate() {
            let span = bodies[0] as usize..bodies[1] as usize;
            mix(&mut z[span.clone()], &with.z[span], batch.restitution[number]);
        }
        for group in &records.groups {
            let (span, share) = (group.places_of_points(), batch.restitution[group.island as usize]);
            mix(&mut batch.impulses[span.clone()], &with.impulses[span.clone()], share);
            if !batch.moments.is_empty() {
                mix(&mut batch.moments[span.clone()], &with.moments[span], share);
            }
        }
        // What is left to be corrected refers to the restitution that remains.
        records.shift_targets(&batch.restitution, &batch.impulses);
    }
}

/// `x + s (y − x)` of records; y without a share.
fn mix(x: &mut [Record], y: &[Record], share: Option<f64>) {
    for (x, y) in x.iter_mut().zip(y) {
        let from = x.0;
        x.0 = std::array::from_fn(|k| part_of_way(from[k], y.0[k], share));
    }
}

fn part_of_way(x: f64, y: f64, share: Option<f64>) -> f64 {
    share.map_or(y, |share| x + share * (y - x))
}
