//! The projection of whitened velocities on what the joints of trees allow, one tree a lane.
//!
//! The recursion of articulated bodies (Featherstone, 2008, §7.3) without velocity products, with factors made before: momenta flow
//! inward, velocities outward. Trees whose links are held alike lie side by side.

use super::lane::{L3, Lanes, Record, cross, dot, minus, plus, times};

/// What holds a link of the trees of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// A root that nothing holds.
    Free,
    /// Nothing moves it.
    Welded,
    /// A joint with so many degrees of freedom, up to three.
    Joint(u8),
}

/// A link of the trees of a group, parents before their children. World axes; spatial vectors have a linear and an angular part.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct TreeLink<const W: usize> {
    /// Places of the bodies.
    pub(crate) places: [u32; W],
    /// Number in the group of the link that carries it, or `u32::MAX`.
    pub(crate) parent: u32,
    pub(crate) held: Held,
    /// Roots of the mass and the moments, and principal axes by columns.
    pub(crate) root_mass: [f64; W],
    pub(crate) root_moments: [[f64; W]; 3],
    pub(crate) axes: [[[f64; W]; 3]; 3],
    /// From its centre to that of its parent.
    pub(crate) to_parent: [[f64; W]; 3],
    /// Directions s of its motions at its centre, `Y s`, and the inverse of `sᵀ Y s`.
    pub(crate) motions: [[[f64; W]; 6]; 3],
    pub(crate) pushed: [[[f64; W]; 6]; 3],
    pub(crate) inverse: [[[f64; W]; 3]; 3],
    /// Of a free root: the Cholesky factor of its inertia by rows, the diagonal inverted.
    pub(crate) factor: [[[f64; W]; 6]; 6],
    /// Impulses along the motions, and momenta of rotors; the rates that the last projection found.
    pub(crate) impulses: [[f64; W]; 3],
    pub(crate) carried: [[f64; W]; 3],
    pub(crate) rates: [[f64; W]; 3],
    /// Momentum, then velocity of the centre.
    state: [[f64; W]; 6],
}

impl<const W: usize> TreeLink<W> {
    /// A link without bodies, all of whose places are that of nobody: its velocity is zero.
    pub(crate) const fn new(held: Held, parent: u32, nobody: u32) -> Self {
        Self {
            places: [nobody; W],
            parent,
            held,
            root_mass: [0.0; W],
            root_moments: [[0.0; W]; 3],
            axes: [[[0.0; W]; 3]; 3],
            to_parent: [[0.0; W]; 3],
            motions: [[[0.0; W]; 6]; 3],
            pushed: [[[0.0; W]; 6]; 3],
            inverse: [[[0.0; W]; 3]; 3],
            factor: [[[0.0; W]; 6]; 6],
            impulses: [[0.0; W]; 3],
            carried: [[0.0; W]; 3],
            rates: [[0.0; W]; 3],
            state: [[0.0; W]; 6],
        }
    }

    /// Makes it a link of other trees, all lanes of which are written afterwards.
    pub(crate) fn begin(&mut self, held: Held, parent: u32) {
        (self.held, self.parent) = (held, parent);
        (self.impulses, self.carried) = ([[0.0; W]; 3], [[0.0; W]; 3]);
    }
}

/// Projects the velocities of the trees of a group for which `is_asked` is positive.
#[inline(always)]
pub(super) fn project<L: Lanes<W>, const W: usize>(links: &mut [TreeLink<W>], z: &mut [Record], is_asked: &[f64; W]) {
    for link in links.iter_mut() {
        take_momentum::<L, W>(link, z);
    }
    for number in (0..links.len()).rev() {
        let (before, rest) = links.split_at_mut(number);
        let link = &mut rest[0];
        let parent = before.get_mut(link.parent as usize);
        match link.held {
            Held::Free | Held::Welded => {}
            Held::Joint(0) => inward::<L, W, 0>(link, parent),
            Held::Joint(1) => inward::<L, W, 1>(link, parent),
            Held::Joint(2) => inward::<L, W, 2>(link, parent),
            Held::Joint(_) => inward::<L, W, 3>(link, parent),
        }
    }
    let is_asked = L::load(is_asked);
    for number in 0..links.len() {
        let (before, rest) = links.split_at_mut(number);
        let link = &mut rest[0];
        let parent = before.get(link.parent as usize);
        match link.held {
            Held::Free => free::<L, W>(link),
            Held::Welded => {
                link.state = [[0.0; W]; 6];
                continue;
            }
            Held::Joint(0) => outward::<L, W, 0>(link, parent),
            Held::Joint(1) => outward::<L, W, 1>(link, parent),
            Held::Joint(2) => outward::<L, W, 2>(link, parent),
            Held::Joint(_) => outward::<L, W, 3>(link, parent),
        }
        give_velocity::<L, W>(link, z, is_asked);
    }
}

#[inline(always)]
fn load3<L: Lanes<W>, const W: usize>(from: &[[f64; W]]) -> L3<L> {
    [L::load(&from[0]), L::load(&from[1]), L::load(&from[2])]
}

#[inline(always)]
fn store3<L: Lanes<W>, const W: usize>(v: L3<L>, to: &mut [[f64; W]]) {
    v[0].store(&mut to[0]);
    v[1].store(&mut to[1]);
    v[2].store(&mut to[2]);
}

/// Momentum from the whitened velocity: `√m z`, and `A √I z` with the principal axes A.
#[inline(always)]
fn take_momentum<L: Lanes<W>, const W: usize>(link: &mut TreeLink<W>, z: &[Record]) {
    let own = L::gather(z, &link.places);
    let mass = L::load(&link.root_mass);
    let moments = load3::<L, W>(&link.root_moments);
    let spin = [own[3] * moments[0], own[4] * moments[1], own[5] * moments[2]];
    let a = times(load3::<L, W>(&link.axes[0]), spin[0]);
    let b = times(load3::<L, W>(&link.axes[1]), spin[1]);
    let c = times(load3::<L, W>(&link.axes[2]), spin[2]);
    store3([mass * own[0], mass * own[1], mass * own[2]], &mut link.state[..3]);
    store3(plus(plus(a, b), c), &mut link.state[3..]);
}

/// The whitened velocity from that of the centre.
#[inline(always)]
fn give_velocity<L: Lanes<W>, const W: usize>(link: &TreeLink<W>, z: &mut [Record], is_asked: L) {
    let (linear, angular) = (load3::<L, W>(&link.state[..3]), load3::<L, W>(&link.state[3..]));
    let mass = L::load(&link.root_mass);
    let moments = load3::<L, W>(&link.root_moments);
    let mut values = [L::splat(0.0); 8];
    for e in 0..3 {
        values[e] = mass * linear[e];
        values[3 + e] = dot(load3::<L, W>(&link.axes[e]), angular) * moments[e];
    }
    let last = L::gather(z, &link.places);
    for e in 0..8 {
        values[e] = is_asked.if_positive(values[e], last[e]);
    }
    L::scatter(&values, z, &link.places);
}

/// Eliminates a link onto its parent: rates of its motions by its own momentum, and what momentum is left.
#[inline(always)]
fn inward<L: Lanes<W>, const W: usize, const DOFS: usize>(link: &mut TreeLink<W>, parent: Option<&mut TreeLink<W>>) {
    let mut linear = load3::<L, W>(&link.state[..3]);
    let mut angular = load3::<L, W>(&link.state[3..]);
    let mut own = [L::splat(0.0); DOFS];
    for k in 0..DOFS {
        let motion = &link.motions[k];
        let along = dot(load3::<L, W>(&motion[..3]), linear) + dot(load3::<L, W>(&motion[3..]), angular);
        own[k] = along + L::load(&link.impulses[k]) + L::load(&link.carried[k]);
    }
    for k in 0..DOFS {
        let rate = along_column::<L, W, DOFS>(link, k, &own);
        rate.store(&mut link.rates[k]);
        let pushed = &link.pushed[k];
        linear = plus(linear, times(load3::<L, W>(&pushed[..3]), -rate));
        angular = plus(angular, times(load3::<L, W>(&pushed[3..]), -rate));
    }
    if let Some(parent) = parent {
        angular = minus(angular, cross(load3::<L, W>(&link.to_parent), linear));
        store3(plus(load3::<L, W>(&parent.state[..3]), linear), &mut parent.state[..3]);
        store3(plus(load3::<L, W>(&parent.state[3..]), angular), &mut parent.state[3..]);
    }
}

/// The velocity of a link from that of its parent.
#[inline(always)]
fn outward<L: Lanes<W>, const W: usize, const DOFS: usize>(link: &mut TreeLink<W>, parent: Option<&TreeLink<W>>) {
    let zero = [L::splat(0.0); 3];
    let (mut linear, mut angular) = (zero, zero);
    if let Some(parent) = parent {
        angular = load3::<L, W>(&parent.state[3..]);
        linear = minus(load3::<L, W>(&parent.state[..3]), cross(angular, load3::<L, W>(&link.to_parent)));
    }
    let mut given = [L::splat(0.0); DOFS];
    for k in 0..DOFS {
        let pushed = &link.pushed[k];
        given[k] = dot(load3::<L, W>(&pushed[..3]), linear) + dot(load3::<L, W>(&pushed[3..]), angular);
    }
    for k in 0..DOFS {
        let rate = L::load(&link.rates[k]) - along_column::<L, W, DOFS>(link, k, &given);
        rate.store(&mut link.rates[k]);
        let motion = &link.motions[k];
        linear = plus(linear, times(load3::<L, W>(&motion[..3]), rate));
        angular = plus(angular, times(load3::<L, W>(&motion[3..]), rate));
    }
    store3(linear, &mut link.state[..3]);
    store3(angular, &mut link.state[3..]);
}

/// A component of the inverse of `sᵀ Y s` times a vector.
#[inline(always)]
fn along_column<L: Lanes<W>, const W: usize, const DOFS: usize>(link: &TreeLink<W>, k: usize, v: &[L; DOFS]) -> L {
    let mut sum = L::load(&link.inverse[0][k]) * v[0];
    for j in 1..DOFS {
        sum = sum + L::load(&link.inverse[j][k]) * v[j];
    }
    sum
}

/// The velocity of a root that nothing holds.
#[inline(always)]
fn free<L: Lanes<W>, const W: usize>(link: &mut TreeLink<W>) {
    let g = &link.factor;
    let mut x = [L::splat(0.0); 6];
    for i in 0..6 {
        let mut known = L::splat(0.0);
        for k in 0..i {
            known = known + L::load(&g[i][k]) * x[k];
        }
        x[i] = (L::load(&link.state[i]) - known) * L::load(&g[i][i]);
    }
    for i in (0..6).rev() {
        let mut known = L::splat(0.0);
        for k in i + 1..6 {
            known = known + L::load(&g[k][i]) * x[k];
        }
        x[i] = (x[i] - known) * L::load(&g[i][i]);
    }
    for i in 0..6 {
        x[i].store(&mut link.state[i]);
    }
}
