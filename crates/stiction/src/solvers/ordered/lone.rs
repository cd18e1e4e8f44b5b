//! Islands of one body, many side by side: a lane each. Every row of such an island waits for the one before it, so that one
//! island alone would leave the processor idle.

use super::{NO_BODY, Ordered};

/// Islands side by side.
const LANES: usize = 16;

/// The same number of sixteen islands.
type Lanes = [f64; LANES];

/// The rows at one place of the islands' orders.
#[derive(Clone, Copy, Debug)]
struct Place {
    y: [Lanes; 6],
    scale: Lanes,
    goal: Lanes,
    soft: Lanes,
    low: Lanes,
    high: Lanes,
    /// Place of the normal's impulse in the list of impulses; that after the last place is 1.
    normal: [u32; LANES],
}

/// Memory of a group of islands.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    places: Vec<Place>,
    lambda: Vec<Lanes>,
    /// Where in its island's order each row is.
    place_of_row: Vec<u32>,
}

impl Ordered {
    /// Sweeps over the rows of islands that have one body each: the bits of [`Ordered::sweep`].
    ///
    /// # Panics
    /// If an order names a row that is not there.
    pub fn sweep_lone(&mut self, orders: &[&[u32]], sweeps: u32) {
        let mut group = std::mem::take(&mut self.group);
        for orders in orders.chunks(LANES) {
            self.pack(&mut group, orders);
            let mut z = [[0.0; LANES]; 6];
            for (lane, order) in orders.iter().enumerate() {
                if let Some(body) = self.body_of(order) {
                    (0..6).for_each(|k| z[k][lane] = self.z[body].0[k]);
                }
            }
            #[cfg(target_arch = "x86_64")]
            {
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has AVX2.
                    unsafe { run_avx2(&mut group, &mut z, sweeps) };
                } else {
                    run(&mut group, &mut z, sweeps);
                }
            }
            #[cfg(not(target_arch = "x86_64"))]
            run(&mut group, &mut z, sweeps);
            for (lane, order) in orders.iter().enumerate() {
                for (place, &row) in order.iter().enumerate() {
                    self.lambda[row as usize + 1] = group.lambda[place][lane];
                }
                if let Some(body) = self.body_of(order) {
                    (0..6).for_each(|k| self.z[body].0[k] = z[k][lane]);
                }
            }
        }
        self.group = group;
    }

    /// The body of an island: that of its first row that has one.
    fn body_of(&self, order: &[u32]) -> Option<usize> {
        let bodies = order.iter().map(|&row| self.entries[row as usize + 1].bodies[0]);
        bodies.into_iter().find(|&body| body != NO_BODY).map(|body| body as usize)
    }

    fn pack(&self, group: &mut Group, orders: &[&[u32]]) {
        let count = orders.iter().map(|order| order.len()).max().unwrap_or(0);
        let zero = [0.0; LANES];
        let empty = Place {
            y: [zero; 6],
            scale: zero,
            goal: zero,
            soft: zero,
            low: zero,
            high: zero,
            normal: [count as u32; LANES],
        };
        group.places.clear();
        group.places.resize(count, empty);
        group.lambda.clear();
        group.lambda.resize(count, zero);
        group.lambda.push([1.0; LANES]);
        group.place_of_row.resize(group.place_of_row.len().max(self.entries.len()), 0);
        for (lane, order) in orders.iter().enumerate() {
            for (place, &row) in order.iter().enumerate() {
                group.place_of_row[row as usize + 1] = place as u32;
            }
            for (at, &row) in order.iter().enumerate() {
                let entry = &self.entries[row as usize + 1];
                group.lambda[at][lane] = self.lambda[row as usize + 1];
                if entry.bodies[0] == NO_BODY {
                    continue;
                }
                let law = &self.laws[entry.law as usize];
                let place = &mut group.places[at];
                for (k, source) in [0, 1, 2, 3, 8, 9].into_iter().enumerate() {
                    place.y[k][lane] = entry.y[source];
                }
                place.scale[lane] = entry.scale;
                place.goal[lane] = entry.goal;
                place.soft[lane] = entry.scale * law.compliance;
                (place.low[lane], place.high[lane]) = (law.low, law.high);
                if entry.normal != super::ONE {
                    place.normal[lane] = group.place_of_row[entry.normal as usize];
                }
            }
        }
    }
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn run_avx2(group: &mut Group, z: &mut [Lanes; 6], sweeps: u32) {
    run(group, z, sweeps);
}

#[inline(always)]
fn lanes(f: impl Fn(usize) -> f64) -> Lanes {
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = f(lane);
    }
    out
}

#[inline(always)]
fn run(group: &mut Group, z: &mut [Lanes; 6], sweeps: u32) {
    let lambda = &mut group.lambda;
    for _ in 0..sweeps {
        for (at, place) in group.places.iter().enumerate() {
            let mut share = [0.0; LANES];
            for lane in 0..LANES {
                share[lane] = lambda[place.normal[lane] as usize][lane].abs();
            }
            let y = &place.y;
            let old = lambda[at];
            let new = lanes(|l| {
                let velocity = ((y[0][l] * z[0][l] + y[2][l] * z[2][l]) + (y[1][l] * z[1][l] + y[3][l] * z[3][l]))
                    + (y[4][l] * z[4][l] + y[5][l] * z[5][l]);
                let wanted = old[l] + (place.goal[l] - old[l] * place.soft[l]) - place.scale[l] * velocity;
                super::clamp(wanted, place.low[l] * share[l], place.high[l] * share[l])
            });
            lambda[at] = new;
            for k in 0..6 {
                z[k] = lanes(|l| z[k][l] + y[k][l] * (new[l] - old[l]));
            }
        }
    }
}
