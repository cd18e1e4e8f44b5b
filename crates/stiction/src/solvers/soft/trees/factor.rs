//! Elimination of the links of trees onto their parents, leaves first, by which projections and motions solve.

use super::super::lane::{L3, Lanes, dot, plus, times};
use super::inertia::Inertia;
use super::link::{Held, TreeLink};
use super::project::{load3, store3};

/// Factors trees whose links have their own inertia, motions and arms.
#[inline(always)]
pub(super) fn factor<L: Lanes<W>, const W: usize>(links: &mut [TreeLink<W>]) {
    for number in (0..links.len()).rev() {
        let (before, rest) = links.split_at_mut(number);
        let link = &mut rest[0];
        let parent = before.get_mut(link.parent as usize);
        match link.held {
            Held::Welded => {}
            Held::Free => cholesky::<L, W>(link),
            Held::Joint(0) => eliminate::<L, W, 0>(link, parent),
            Held::Joint(1) => eliminate::<L, W, 1>(link, parent),
            Held::Joint(2) => eliminate::<L, W, 2>(link, parent),
            Held::Joint(_) => eliminate::<L, W, 3>(link, parent),
        }
    }
}

/// Eliminates the motions of a link: what is left of its inertia goes to its parent.
#[inline(always)]
fn eliminate<L: Lanes<W>, const W: usize, const DOFS: usize>(link: &mut TreeLink<W>, parent: Option<&mut TreeLink<W>>) {
    let mut own: Inertia<L> = Inertia::load(&link.inertia);
    let zero = [L::splat(0.0); 3];
    let (mut motions, mut pushed) = ([[zero; 2]; DOFS], [[zero; 2]; DOFS]);
    for k in 0..DOFS {
        motions[k] = [load3::<L, W>(&link.motions[k][..3]), load3::<L, W>(&link.motions[k][3..])];
        pushed[k] = own.times(motions[k][0], motions[k][1]);
        store3(pushed[k][0], &mut link.pushed[k][..3]);
        store3(pushed[k][1], &mut link.pushed[k][3..]);
    }
    let mut response = [[L::splat(0.0); DOFS]; DOFS];
    for i in 0..DOFS {
        for j in 0..DOFS {
            response[i][j] = product(motions[i], pushed[j]);
        }
        response[i][i] = response[i][i] + (L::load(&link.added[i]) + L::load(&link.slopes[i]));
    }
    let inverse = inverse_of::<L, W, DOFS>(&response);
    for j in 0..DOFS {
        for i in 0..DOFS {
            inverse[j][i].store(&mut link.inverse[j][i]);
        }
    }
    let Some(parent) = parent else { return };
    for i in 0..DOFS {
        let mut along = [zero; 2];
        for j in 0..DOFS {
            for part in 0..2 {
                along[part] = plus(along[part], times(pushed[j][part], inverse[i][j]));
            }
        }
        own.without(pushed[i], along);
    }
    let carried: Inertia<L> = Inertia::load(&parent.inertia);
    carried.plus(&own.at(load3::<L, W>(&link.to_parent))).store(&mut parent.inertia);
}

#[inline(always)]
fn product<L: Lanes<W>, const W: usize>(a: [L3<L>; 2], b: [L3<L>; 2]) -> L {
    dot(a[0], b[0]) + dot(a[1], b[1])
}

/// The inverse of a symmetric matrix of up to three rows.
#[inline(always)]
fn inverse_of<L: Lanes<W>, const W: usize, const DOFS: usize>(m: &[[L; DOFS]; DOFS]) -> [[L; DOFS]; DOFS] {
    let one = L::splat(1.0);
    let mut inverse = *m;
    match DOFS {
        0 => {}
        1 => inverse[0][0] = one / m[0][0],
        2 => {
            let by = one / (m[0][0] * m[1][1] - m[0][1] * m[0][1]);
            (inverse[0][0], inverse[1][1]) = (m[1][1] * by, m[0][0] * by);
            inverse[0][1] = -(m[0][1] * by);
            inverse[1][0] = inverse[0][1];
        }
        _ => {
            let first = m[1][1] * m[2][2] - m[1][2] * m[1][2];
            let second = m[0][2] * m[1][2] - m[0][1] * m[2][2];
            let third = m[0][1] * m[1][2] - m[0][2] * m[1][1];
            let by = one / (m[0][0] * first + m[0][1] * second + m[0][2] * third);
            (inverse[0][0], inverse[0][1], inverse[0][2]) = (first * by, second * by, third * by);
            inverse[1][0] = inverse[0][1];
            inverse[1][1] = (m[0][0] * m[2][2] - m[0][2] * m[0][2]) * by;
            inverse[1][2] = (m[0][1] * m[0][2] - m[0][0] * m[1][2]) * by;
            inverse[2][0] = inverse[0][2];
            inverse[2][1] = inverse[1][2];
            inverse[2][2] = (m[0][0] * m[1][1] - m[0][1] * m[0][1]) * by;
        }
    }
    inverse
}

/// Replaces the inertia of a root by its factor.
#[inline(always)]
fn cholesky<L: Lanes<W>, const W: usize>(link: &mut TreeLink<W>) {
    let own: Inertia<L> = Inertia::load(&link.inertia);
    let mut g = [[L::splat(0.0); 6]; 6];
    for i in 0..6 {
        for j in 0..=i {
            let mut left = own.entry(i, j);
            for k in 0..j {
                left = left - g[i][k] * g[j][k];
            }
            // The diagonal is kept inverted.
            g[i][j] =
                if i == j { L::splat(1.0) / left.max(L::splat(f64::MIN_POSITIVE)).sqrt() } else { left * g[j][j] };
            g[i][j].store(&mut link.inertia[i * (i + 1) / 2 + j]);
        }
    }
}
