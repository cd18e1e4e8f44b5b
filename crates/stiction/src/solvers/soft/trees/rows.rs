//! Trees that contacts touch: placed and factored where rows are, their velocities turned to there, and joints closed after the step.

use super::super::lane::{Lanes, Record};
use super::super::records::{BODY_RECORDS, body};
use super::close::{close_gaps, put_momentum, squared_gap};
use super::factor::factor;
use super::inertia::{Inertia, to_world};
use super::keep::Kept;
use super::link::{Held, TreeLink};
use super::loops::Loops;
use super::moving::{Mobilizer, MovingLink};
use super::place::{axes_of, place, place_joint};
use super::project::{all_inward, load3, one_outward, solve, store3, take_momentum, whitened};

/// Gap that is closed at once to far less \[m or rad\]; a wider one is closed again, with the same factor, so many times at most, while a closing leaves
/// no more than a share of it.
const WIDE: f64 = 1e-4;
const CLOSINGS: usize = 4;
const CLOSES: f64 = 0.3;

/// Share of the velocities of loops across what these allow in the middle of a step from which on nothing of that is spread over the step: as of links that
/// turn far (`pipeline::substeps::trees::close`).
const BENDS: f64 = 0.025;

/// Places trees at the poses of rows, by the records of their bodies, and factors them.
#[inline(always)]
pub(super) fn place_rows<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    loops: &mut Loops<W>,
    records: &[Record],
) {
    debug_assert_eq!(BODY_RECORDS, 2, "a body has two records");
    for number in 0..links.len() {
        let (before, rest) = links.split_at_mut(number);
        let (bodies_before, bodies_rest) = bodies.split_at_mut(number);
        let (link, own) = (&mut rest[0], &mut bodies_rest[0]);
        let pose = body::<L, W>(records, &link.places);
        store3(pose.x, &mut own.middle);
        for k in 0..3 {
            store3(pose.r[k], &mut link.axes[k]);
        }
        Inertia::of_body(L::load(&own.mass), &pose.r, load3::<L, W>(&own.moments)).store(&mut link.inertia);
        if !matches!(own.mobilizer, Mobilizer::Free | Mobilizer::Welded) {
            place_joint::<L, W>((link, own), (before, bodies_before), (pose.x, &pose.r));
        }
    }
    factor::<L, W>(links);
    loops.respond::<L>(links, bodies);
}

/// Velocities of the start of a step turn to the pose of its rows. Where `is_spread` is positive, what that does to the root comes in equal parts of the
/// step, a `share` of it with each pull: see `pipeline::substeps::trees::close`.
#[inline(always)]
pub(super) fn turn<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    loops: &mut Loops<W>,
    z: &mut [Record],
    pulls: &mut [Record],
    share: f64,
    is_spread: &[f64; W],
) {
    if links.is_empty() {
        return;
    }
    let (mut is_spread, share) = (L::load(is_spread), L::splat(share));
    for link in links.iter_mut() {
        take_momentum::<L, W>(link, z);
    }
    solve::<L, W>(links);
    loops.join::<L>(links);
    loops.take_means::<L>(links);
    if !loops.is_empty() {
        is_spread = is_straight::<L, W>(links, z).if_positive(is_spread, L::splat(0.0));
    }
    for link in links.iter_mut().filter(|link| link.held != Held::Welded) {
        let found = whitened::<L, W>(link);
        if !link.is_half {
            add::<L, W>(pulls, link, is_spread, share, &found);
            let mut next = L::gather(z, &link.places);
            for e in 0..8 {
                next[e] = is_spread.if_positive(next[e], found[e]);
            }
            L::scatter(&next, z, &link.places);
        }
        for k in 0..3 {
            (L::load(&link.added[k]) * L::load(&link.rates[k])).store(&mut link.carried[k]);
        }
        link.kept = link.rates;
    }
    if !is_spread.any_positive() {
        return;
    }
    // The same with a root that keeps its velocity.
    loops.respond_on_still_root::<L>(links);
    for link in links.iter_mut() {
        take_momentum::<L, W>(link, z);
    }
    all_inward::<L, W>(links);
    keep_root::<L, W>(&mut links[0], z);
    for number in 1..links.len() {
        one_outward::<L, W>(links, number);
    }
    loops.join::<L>(links);
    loops.take_means::<L>(links);
    for link in links.iter_mut().filter(|link| link.held != Held::Welded) {
        if !link.is_half {
            let found = whitened::<L, W>(link);
            add::<L, W>(pulls, link, is_spread, L::splat(0.0) - share, &found);
            let mut next = L::gather(z, &link.places);
            for e in 0..8 {
                next[e] = is_spread.if_positive(found[e], next[e]);
            }
            L::scatter(&next, z, &link.places);
        }
        // Those of the others are as they were: results do not depend on what is in other lanes.
        for k in 0..3 {
            is_spread.if_positive(L::load(&link.rates[k]), L::load(&link.kept[k])).store(&mut link.rates[k]);
        }
    }
}

/// Positive where a solution takes little of the velocities.
#[inline(always)]
fn is_straight<L: Lanes<W>, const W: usize>(links: &[TreeLink<W>], z: &[Record]) -> L {
    let (mut all, mut taken) = (L::splat(0.0), L::splat(0.0));
    for link in links.iter().filter(|link| link.moves() && !link.is_half) {
        let (own, found) = (L::gather(z, &link.places), whitened::<L, W>(link));
        for e in 0..6 {
            let across = own[e] - found[e];
            (all, taken) = (all + own[e] * own[e], taken + across * across);
        }
    }
    L::splat(BENDS * BENDS) * all - taken
}

/// The velocity of a root as it is.
#[inline(always)]
fn keep_root<L: Lanes<W>, const W: usize>(link: &mut TreeLink<W>, z: &[Record]) {
    let own = L::gather(z, &link.places);
    let (mass, moments) = (L::load(&link.root_mass), load3::<L, W>(&link.root_moments));
    let axes = axes_of::<L, W>(link);
    let spin = [own[3] / moments[0], own[4] / moments[1], own[5] / moments[2]];
    store3([own[0] / mass, own[1] / mass, own[2] / mass], &mut link.state[..3]);
    store3(to_world(&axes, spin), &mut link.state[3..]);
}

#[inline(always)]
fn add<L: Lanes<W>, const W: usize>(list: &mut [Record], link: &TreeLink<W>, is_asked: L, share: L, by: &[L; 8]) {
    let mut sum = L::gather(list, &link.places);
    for e in 0..6 {
        sum[e] = is_asked.if_positive(sum[e] + share * by[e], sum[e]);
    }
    L::scatter(&sum, list, &link.places);
}

/// After a step: closes the joints in positions, and leaves the velocities that they allow. The energy inside a tree with
/// loops, with the work of its weight as they close, stays where that changes much of it, unless it is driven.
#[inline(always)]
pub(super) fn settle<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    loops: &mut Loops<W>,
    is_driven: &[f64; W],
) {
    let one = L::splat(1.0);
    for number in 0..links.len() {
        let (before, rest) = links.split_at_mut(number);
        let (bodies_before, bodies_rest) = bodies.split_at_mut(number);
        // Those of the last pass.
        rest[0].impulses = [[0.0; W]; 3];
        place::<L, W>((&mut rest[0], &mut bodies_rest[0]), (before, bodies_before), L::splat(0.0));
    }
    factor::<L, W>(links);
    loops.respond::<L>(links, bodies);
    let [mut work, mut before] = close_gaps::<L, W>(links, bodies, loops, one);
    loops.unite::<L>(bodies, one);
    let (wide, closes) = (L::splat(WIDE * WIDE), L::splat(CLOSES * CLOSES));
    for _ in 1..CLOSINGS {
        if !(before - wide).any_positive() {
            break;
        }
        let now = squared_gap::<L, W>(bodies);
        let is_open = (now - wide).if_positive(before * closes - now, L::splat(0.0));
        if !is_open.any_positive() {
            break;
        }
        let [more, _] = close_gaps::<L, W>(links, bodies, loops, is_open);
        work = work + more;
        loops.unite::<L>(bodies, is_open);
        before = is_open.if_positive(now, L::splat(0.0));
    }
    let mut kept = Kept::of_motion(links, bodies, L::load(is_driven));
    kept.add_square(work + work);
    for (link, body) in links.iter_mut().zip(&mut *bodies) {
        let velocity = [load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega)];
        put_momentum::<L, W>(link, body, velocity);
        for k in 0..3 {
            (L::load(&link.added[k]) * L::load(&body.rates[k])).store(&mut link.carried[k]);
        }
    }
    solve::<L, W>(links);
    loops.join::<L>(links);
    for (link, body) in links.iter().zip(&mut *bodies) {
        if body.mobilizer != Mobilizer::Welded {
            store3(load3::<L, W>(&link.state[..3]), &mut body.velocity);
            store3(load3::<L, W>(&link.state[3..]), &mut body.omega);
        }
    }
    // Loops bend the way of what is in them more than joints of a tree do: by the middle of the step much of a velocity may be across it.
    if !loops.is_empty() {
        let is_bent = kept.is_bent(links, bodies);
        kept.restore(links, bodies, is_bent);
    }
}
