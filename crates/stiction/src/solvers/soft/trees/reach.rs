//! How far impulses reach in a tree: those of eight rows side by side, each as alone.
//!
//! Momenta p of the links flow inward as in [`project`](super::project): a joint with motions s has the impulse `sᵀ p` and by that its rate. Two rows
//! see each other through the sum of the products of impulse and rate over all coordinates that both reach, as the elimination factors the inverse
//! of the mass matrix (Featherstone, 2008, §6.5); nothing has to flow outward.

use glam::DVec3;

use super::super::contact_space::{BLOCK, Support, Supports};
use super::super::lane::Record;
use super::link::Held;
use super::spatial::{Cholesky, Spatial};

type Rows = [f64; BLOCK];

/// A link of one tree at the pose of the rows, with its factor. World axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FactoredLink {
    pub(crate) held: Held,
    /// The link that carries it, `u32::MAX` where nothing does that moves.
    pub(crate) parent: u32,
    /// Its degrees of freedom in the list of all.
    pub(crate) first_dof: u32,
    /// The way from its centre to that of its parent.
    pub(crate) to_parent: DVec3,
    /// Directions of its motions at its centre, `Y s`, and the inverse of `sᵀ Y s`.
    pub(crate) motions: [Spatial; 3],
    pub(crate) pushed: [Spatial; 3],
    pub(crate) inverse: [[f64; 3]; 3],
    /// Of a free root.
    pub(crate) factor: Cholesky,
}

impl FactoredLink {
    /// Degrees of freedom of its joint.
    pub(crate) const fn dofs(&self) -> usize {
        match self.held {
            Held::Joint(dofs) => dofs as usize,
            Held::Free | Held::Welded => 0,
        }
    }

    /// A component of the inverse of `sᵀ Y s` times a vector.
    pub(crate) fn along_column(&self, k: usize, v: &[f64; 3]) -> f64 {
        (0..self.dofs()).map(|j| self.inverse[j][k] * v[j]).sum()
    }
}

/// A spatial vector for each row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spatials([Rows; 6]);

/// Momenta of the links of a tree, where there are some, and impulses by degree of freedom.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    momenta: Vec<Spatials>,
    is_moved: Vec<bool>,
    along: Vec<Rows>,
}

impl Reach {
    /// Begins anew in a tree with so many links and degrees of freedom.
    pub(crate) fn begin(&mut self, links: usize, dofs: usize) {
        self.momenta.resize(links, Spatials::default());
        self.is_moved.clear();
        self.is_moved.resize(links, false);
        self.along.clear();
        self.along.resize(dofs, [0.0; BLOCK]);
    }

    /// A row acts on a link with a momentum about its centre.
    pub(crate) fn push(&mut self, link: usize, row: usize, momentum: &Spatial) {
        self.touch(link);
        let ([a, b, c], [d, e, f]) = (momentum.linear.to_array(), momentum.angular.to_array());
        for (own, by) in self.momenta[link].0.iter_mut().zip([a, b, c, d, e, f]) {
            own[row] += by;
        }
    }

    /// A row acts with a unit impulse along a degree of freedom of a link.
    pub(crate) fn push_along(&mut self, link: usize, dof: usize, row: usize) {
        self.touch(link);
        self.along[dof][row] = 1.0;
    }

    fn touch(&mut self, link: usize) {
        if !self.is_moved[link] {
            self.is_moved[link] = true;
            self.momenta[link] = Spatials::default();
        }
    }
}

/// The way of momenta inward: the supports of joints by falling coordinates, that of a degree of freedom is `first` more than its number; and the number
/// of the root with its momentum, where it is free and reached.
#[inline(always)]
pub(super) fn travel(
    reach: &mut Reach,
    links: &[FactoredLink],
    (first_link, first_dof, first): (usize, usize, u32),
    supports: &mut Supports,
) -> Option<(usize, Spatials)> {
    for number in (0..links.len()).rev() {
        let link = &links[number];
        if !reach.is_moved[number] || link.held == Held::Welded {
            continue;
        }
        let mut p = reach.momenta[number].0;
        if link.held == Held::Free {
            return Some((number, Spatials(p)));
        }
        let dofs = link.dofs();
        let mut impulses = [[0.0; BLOCK]; 3];
        for k in 0..dofs {
            let given = &reach.along[link.first_dof as usize - first_dof + k];
            let by = numbers(&link.motions[k]);
            for row in 0..BLOCK {
                let mut sum = given[row];
                for e in 0..6 {
                    sum += p[e][row] * by[e];
                }
                impulses[k][row] = sum;
            }
        }
        for k in (0..dofs).rev() {
            let (mut rates, by) = ([0.0; BLOCK], numbers(&link.pushed[k]));
            for j in 0..dofs {
                for row in 0..BLOCK {
                    rates[row] += link.inverse[j][k] * impulses[j][row];
                }
            }
            for e in 0..6 {
                for row in 0..BLOCK {
                    p[e][row] -= rates[row] * by[e];
                }
            }
            let coordinate = first + link.first_dof + k as u32;
            supports.push(Support { coordinate, impulses: Record(impulses[k]), rates: Record(rates) });
        }
        if link.parent != u32::MAX {
            let parent = link.parent as usize - first_link;
            reach.touch(parent);
            let (arm, own) = (link.to_parent.to_array(), &mut reach.momenta[parent].0);
            for row in 0..BLOCK {
                for e in 0..3 {
                    let (f, g) = ((e + 1) % 3, (e + 2) % 3);
                    own[e][row] += p[e][row];
                    own[3 + e][row] += p[3 + e][row] - (arm[f] * p[g][row] - arm[g] * p[f][row]);
                }
            }
        }
    }
    None
}

fn numbers(v: &Spatial) -> [f64; 6] {
    let ([a, b, c], [d, e, f]) = (v.linear.to_array(), v.angular.to_array());
    [a, b, c, d, e, f]
}

/// The coordinates of the root of a tree, `first` more than its numbers.
#[inline(always)]
pub(super) fn end_at_root(factor: &Cholesky, momentum: &Spatials, first: u32, supports: &mut Supports) {
    let (g, p) = (&factor.0, &momentum.0);
    let mut x = [[0.0; BLOCK]; 6];
    for i in 0..6 {
        let mut left = p[i];
        for k in 0..i {
            for row in 0..BLOCK {
                left[row] -= g[i][k] * x[k][row];
            }
        }
        for row in 0..BLOCK {
            x[i][row] = left[row] * g[i][i];
        }
    }
    for i in (0..6).rev() {
        let mut left = x[i];
        for k in i + 1..6 {
            for row in 0..BLOCK {
                left[row] -= g[k][i] * x[k][row];
            }
        }
        for row in 0..BLOCK {
            x[i][row] = left[row] * g[i][i];
        }
    }
    for e in (0..6).rev() {
        supports.push(Support { coordinate: first + e as u32, impulses: Record(p[e]), rates: Record(x[e]) });
    }
}
