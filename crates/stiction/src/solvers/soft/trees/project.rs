//! The projection of whitened velocities on what the joints of trees allow.
//!
//! The recursion of articulated bodies (Featherstone, 2008, §7.3) without velocity products, with factors made before: momenta flow
//! inward, velocities outward.

use super::super::lane::{L3, Lanes, Record, cross, dot, minus, plus, times};
use super::link::{Held, TreeLink};

/// Projects the velocities of the trees of a group for which `is_asked` is positive.
#[inline(always)]
pub(super) fn project<L: Lanes<W>, const W: usize>(links: &mut [TreeLink<W>], z: &mut [Record], is_asked: &[f64; W]) {
    for link in links.iter_mut() {
        take_momentum::<L, W>(link, z);
    }
    all_inward::<L, W>(links);
    let is_asked = L::load(is_asked);
    for number in 0..links.len() {
        one_outward::<L, W>(links, number);
        let link = &links[number];
        if link.moves() {
            give_velocity::<L, W>(link, z, is_asked);
        }
    }
}

/// Velocities of links from their momenta.
#[inline(always)]
pub(super) fn solve<L: Lanes<W>, const W: usize>(links: &mut [TreeLink<W>]) {
    all_inward::<L, W>(links);
    for number in 0..links.len() {
        one_outward::<L, W>(links, number);
    }
}

#[inline(always)]
pub(super) fn all_inward<L: Lanes<W>, const W: usize>(links: &mut [TreeLink<W>]) {
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
}

#[inline(always)]
pub(super) fn one_outward<L: Lanes<W>, const W: usize>(links: &mut [TreeLink<W>], number: usize) {
    let (before, rest) = links.split_at_mut(number);
    let link = &mut rest[0];
    let parent = before.get(link.parent as usize);
    match link.held {
        Held::Free => free::<L, W>(link),
        Held::Welded => link.state = [[0.0; W]; 6],
        Held::Joint(0) => outward::<L, W, 0>(link, parent),
        Held::Joint(1) => outward::<L, W, 1>(link, parent),
        Held::Joint(2) => outward::<L, W, 2>(link, parent),
        Held::Joint(_) => outward::<L, W, 3>(link, parent),
    }
}

#[inline(always)]
pub(super) fn load3<L: Lanes<W>, const W: usize>(from: &[[f64; W]]) -> L3<L> {
    [L::load(&from[0]), L::load(&from[1]), L::load(&from[2])]
}

#[inline(always)]
pub(super) fn store3<L: Lanes<W>, const W: usize>(v: L3<L>, to: &mut [[f64; W]]) {
    v[0].store(&mut to[0]);
    v[1].store(&mut to[1]);
    v[2].store(&mut to[2]);
}

/// Momentum from the whitened velocity: `√m z`, and `A √I z` with the principal axes A. Halves of a body have their shares of it, and the body the mean of
/// their velocities: with rows between them left out, so that they may part, the projection stays symmetric and makes no energy.
#[inline(always)]
pub(super) fn take_momentum<L: Lanes<W>, const W: usize>(link: &mut TreeLink<W>, z: &[Record]) {
    let mut own = L::gather(z, &link.places);
    if link.share < 1.0 {
        for e in 0..6 {
            own[e] = own[e] * L::splat(link.share);
        }
    }
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
    let mut values = whitened::<L, W>(link);
    let last = L::gather(z, &link.places);
    if link.share < 1.0 {
        for e in 0..6 {
            values[e] = values[e] * L::splat(link.share);
            if link.is_half {
                values[e] = values[e] + last[e];
            }
        }
    }
    for e in 0..8 {
        values[e] = is_asked.if_positive(values[e], last[e]);
    }
    L::scatter(&values, z, &link.places);
}

/// The same as numbers of a record.
#[inline(always)]
pub(super) fn whitened<L: Lanes<W>, const W: usize>(link: &TreeLink<W>) -> [L; 8] {
    let (linear, angular) = (load3::<L, W>(&link.state[..3]), load3::<L, W>(&link.state[3..]));
    let mass = L::load(&link.root_mass);
    let moments = load3::<L, W>(&link.root_moments);
    let mut values = [L::splat(0.0); 8];
    for e in 0..3 {
        values[e] = mass * linear[e];
        values[3 + e] = dot(load3::<L, W>(&link.axes[e]), angular) * moments[e];
    }
    values
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
        along.store(&mut link.along[k]);
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
    let mut x = [L::splat(0.0); 6];
    for i in 0..6 {
        let mut known = L::splat(0.0);
        for k in 0..i {
            known = known + L::load(&link.inertia[i * (i + 1) / 2 + k]) * x[k];
        }
        x[i] = (L::load(&link.state[i]) - known) * L::load(&link.inertia[i * (i + 1) / 2 + i]);
    }
    for i in (0..6).rev() {
        let mut known = L::splat(0.0);
        for k in i + 1..6 {
            known = known + L::load(&link.inertia[k * (k + 1) / 2 + i]) * x[k];
        }
        x[i] = (x[i] - known) * L::load(&link.inertia[i * (i + 1) / 2 + i]);
    }
    for i in 0..6 {
        x[i].store(&mut link.state[i]);
    }
}
