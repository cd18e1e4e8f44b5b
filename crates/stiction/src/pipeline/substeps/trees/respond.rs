//! How the axes of a tree answer to impulses along them: eight unit impulses go through the tree side by side, each as alone.

use glam::DVec3;

use super::link::Link;
use super::spatial::{Cholesky, Spatial};
use super::{NONE, SubstepTrees, Tree};
use crate::solvers::soft::Mobilizer;

/// Impulses that go side by side.
const COUNT: usize = 8;

type Lanes = [f64; COUNT];

/// A spatial vector for each impulse.
#[derive(Clone, Copy, Debug, Default)]
struct Spatials {
    linear: [Lanes; 3],
    angular: [Lanes; 3],
}

/// Memory of momenta and velocities by link, and of rates by degree of freedom.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    momenta: Vec<Spatials>,
    velocities: Vec<Spatials>,
    rates: Vec<Lanes>,
}

impl SubstepTrees {
    /// Rates of the axes of a tree by a unit impulse along each of them, a row an impulse. Rotors have no momentum.
    pub(super) fn respond(&mut self, tree: Tree) {
        let Self { links, dofs, axes, responses, answers, .. } = self;
        let (links, axes, first_dof) = (&links[tree.links()], &axes[tree.axes()], tree.dofs().start);
        for some in axes.chunks(COUNT) {
            answers.momenta.clear();
            answers.momenta.resize(links.len(), Spatials::default());
            answers.velocities.clear();
            answers.velocities.resize(links.len(), Spatials::default());
            answers.rates.clear();
            answers.rates.resize(dofs[tree.dofs()].len(), [0.0; COUNT]);
            for (lane, axis) in some.iter().enumerate() {
                answers.rates[axis.dof as usize - first_dof][lane] = 1.0;
            }
            answers.solve(links, (tree.links().start, first_dof));
            for lane in 0..some.len() {
                responses.extend(axes.iter().map(|other| answers.rates[other.dof as usize - first_dof][lane]));
            }
        }
    }
}

impl Answers {
    /// The elimination of [`SubstepTrees::solve`]: impulses along the motions become their rates.
    fn solve(&mut self, links: &[Link], (first_link, first_dof): (usize, usize)) {
        let Self { momenta, velocities, rates } = self;
        let number_of = |number: u32| number as usize - first_link;
        for (number, link) in links.iter().enumerate().rev() {
            if matches!(link.mobilizer, Mobilizer::Free | Mobilizer::Welded) {
                continue;
            }
            let mut p = momenta[number];
            let own = &mut rates[link.first_dof as usize - first_dof..][..link.dofs];
            let mut along = [[0.0; COUNT]; 3];
            for k in 0..link.dofs {
                let carried = p.dot(&link.motions[k]);
                (0..COUNT).for_each(|lane| along[k][lane] = carried[lane] + own[k][lane]);
            }
            for k in 0..link.dofs {
                own[k] = link.column(k, &along);
                p.add(&own[k], -1.0, &link.pushed[k]);
            }
            if link.parent != NONE {
                momenta[number_of(link.parent)].add_momentum_at(&p, link.to_parent);
            }
        }
        for (number, link) in links.iter().enumerate() {
            velocities[number] = match link.mobilizer {
                Mobilizer::Welded => Spatials::default(),
                Mobilizer::Free => link.factor.solve_each(&momenta[number]),
                _ => {
                    let mut v = match link.parent {
                        NONE => Spatials::default(),
                        parent => velocities[number_of(parent)].velocity_at(-link.to_parent),
                    };
                    let own = &mut rates[link.first_dof as usize - first_dof..][..link.dofs];
                    let mut given = [[0.0; COUNT]; 3];
                    (0..link.dofs).for_each(|k| given[k] = v.dot(&link.pushed[k]));
                    for k in 0..link.dofs {
                        let taken = link.column(k, &given);
                        (0..COUNT).for_each(|lane| own[k][lane] -= taken[lane]);
                        v.add(&own[k], 1.0, &link.motions[k]);
                    }
                    v
                }
            };
        }
    }
}

impl Link {
    /// A component of the inverse of `sᵀ Y s` times vectors.
    fn column(&self, k: usize, v: &[Lanes; 3]) -> Lanes {
        let mut sum = [0.0; COUNT];
        for j in 0..self.dofs {
            (0..COUNT).for_each(|lane| sum[lane] += self.inverse[j][k] * v[j][lane]);
        }
        sum
    }
}

impl Spatials {
    fn dot(&self, other: &Spatial) -> Lanes {
        let (linear, angular) = (other.linear.to_array(), other.angular.to_array());
        let along = |own: &[Lanes; 3], by: [f64; 3], lane: usize| {
            own[0][lane] * by[0] + own[1][lane] * by[1] + own[2][lane] * by[2]
        };
        let mut dot = [0.0; COUNT];
        for (lane, dot) in dot.iter_mut().enumerate() {
            *dot = along(&self.linear, linear, lane) + along(&self.angular, angular, lane);
        }
        dot
    }

    /// Adds a vector times a sign and a factor of each.
    fn add(&mut self, factors: &Lanes, sign: f64, other: &Spatial) {
        for (own, by) in [(&mut self.linear, other.linear.to_array()), (&mut self.angular, other.angular.to_array())] {
            for (own, by) in own.iter_mut().zip(by) {
                (0..COUNT).for_each(|lane| own[lane] += sign * factors[lane] * by);
            }
        }
    }

    /// Adds momenta about a point, of which this one is an arm away.
    fn add_momentum_at(&mut self, other: &Self, arm: DVec3) {
        let turned = cross(arm, &other.linear);
        for e in 0..3 {
            for lane in 0..COUNT {
                self.linear[e][lane] += other.linear[e][lane];
                self.angular[e][lane] += other.angular[e][lane] - turned[e][lane];
            }
        }
    }

    /// Velocities as a point sees them that is an arm away.
    fn velocity_at(&self, arm: DVec3) -> Self {
        let (mut own, turned) = (*self, cross(arm, &self.angular));
        for e in 0..3 {
            (0..COUNT).for_each(|lane| own.linear[e][lane] -= turned[e][lane]);
        }
        own
    }
}

/// `a × v` of each.
fn cross(a: DVec3, v: &[Lanes; 3]) -> [Lanes; 3] {
    let mut out = [[0.0; COUNT]; 3];
    for lane in 0..COUNT {
        out[0][lane] = a.y * v[2][lane] - v[1][lane] * a.z;
        out[1][lane] = a.z * v[0][lane] - v[2][lane] * a.x;
        out[2][lane] = a.x * v[1][lane] - v[0][lane] * a.y;
    }
    out
}

impl Cholesky {
    /// The same of each.
    fn solve_each(&self, p: &Spatials) -> Spatials {
        let mut own = Spatials::default();
        for lane in 0..COUNT {
            let of = |v: &[Lanes; 3]| DVec3::new(v[0][lane], v[1][lane], v[2][lane]);
            let v = self.solve(&Spatial::new(of(&p.linear), of(&p.angular)));
            for (e, (linear, angular)) in v.linear.to_array().into_iter().zip(v.angular.to_array()).enumerate() {
                (own.linear[e][lane], own.angular[e][lane]) = (linear, angular);
            }
        }
        own
    }
}
