//! The motion of trees that nothing touches.
//!
//! With P the projection on what the joints allow in the middle of the step, in the norm of kinetic energy,
//!
//! `u = P (v + h M⁻¹ f / 2)`, `x += h u`, `v' = 2 u − v`:
//!
//! a reflection, so that the kinetic energy changes by the work of the forces along h u and by nothing else. On its way to the middle, and from there
//! on, the angular velocity of a link turns as that of a free body. What the joints have come apart by is closed in positions alone, by the
//! displacement of least norm, and the angular velocity turns with the body. The velocities by which they come apart at the end, of second order, are taken
//! likewise; the motion inside the tree is scaled so that its energy is what it was with the works of forces and springs, along the displacement that closes
//! the joints too, and a floating tree gets the momentum that it had. A tree with a motor that holds a rate is not scaled.
//!
//! With the velocities that joints take at the end of a part alone a motion backwards is another one, and a spinning top droops: a tree with a link that turns
//! far begins with half of them (see `symmetry`).
//!
//! A motor may bring its motion to the commanded rate before the step ends; one without a force limit does at once. The step is divided there: the motor
//! accelerates in the first part and holds the rate in the rest, so that the position is right from the first step on.
//!
//! A link that turns by more than a quarter of a radian in a step, or that joints pull so hard that it swings faster than the step resolves (see
//! `dynamics::tree::TensionRates`), takes its tree through the step in parts.

use super::super::lane::Lanes;
use super::advance::advance;
use super::close::{close_gaps_by_laws, close_velocities};
use super::fit::{fit, note_rates, note_velocity_errors};
use super::keep::Kept;
use super::laws::{EndOfPart, MotionLaws, Projected, find_velocities_again, find_velocities_by_laws};
use super::link::TreeLink;
use super::loops::Loops;
use super::moving::{Mobilizer, MovingLink};
use super::parts::parts_needed;
use super::symmetry::{LinkStart, begin_with_half, turns_far};

/// Most parts of a step; a step that asks for many times as many is not divided.
const MOST_PARTS: f64 = 256.0;
const UNRESOLVED: f64 = 4096.0;
/// Times that gaps of loops close, whose joints are closed where links were in the middle: those that were wider \[m or rad\] close again.
const CLOSINGS: usize = 4;
/// Those in which motors hold their motions, unless a link would turn far by that.
const CLOSINGS_BY_LAWS: usize = 2;
const WIDE: f64 = 1e-8;
/// How often a part is divided before it is taken.
const ATTEMPTS: usize = 3;

/// A part is divided where a motor reaches its rate before this share of it.
const LATEST_JUMP: f64 = 0.99;
/// How often that is done in a step: a motor that jumps may throw others off their rates.
const MOST_JUMPS: u32 = 8;

/// What trees went through in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flown<const W: usize> {
    /// Parts that each took.
    pub(crate) parts: [f64; W],
    /// Kinetic energy that stops took \[J\].
    pub(crate) stopped: [f64; W],
}

/// Moves trees by a step, under laws of their motions.
#[inline(always)]
pub(super) fn flow<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    (loops, starts): (&mut Loops<W>, &mut Vec<LinkStart<W>>),
    step: f64,
    laws: &mut dyn MotionLaws<W>,
) -> Flown<W> {
    fit::<L, W>(links, bodies, loops);
    let least = step / MOST_PARTS;
    let (mut left, mut part) = ([step; W], [step; W]);
    let mut jumped = [0; W];
    let mut flown = Flown { parts: [0.0; W], stopped: [0.0; W] };
    loop {
        for lane in 0..W {
            part[lane] = even(left[lane], part[lane]);
        }
        let mut needed = [0.0; W];
        for attempt in 0..=ATTEMPTS {
            find_velocities_by_laws::<L, W>(links, (bodies, loops), (&part, &left), laws);
            parts_needed::<L, W>(links, bodies, L::load(&part)).store(&mut needed);
            let mut is_divided = false;
            for lane in 0..W {
                let is_too_long = left[lane] > 0.0 && part[lane] > least && needed[lane] > 1.0;
                if is_too_long && attempt < ATTEMPTS && needed[lane] < UNRESOLVED {
                    part[lane] = even(left[lane], (part[lane] / needed[lane]).max(least));
                    is_divided = true;
                }
            }
            if !is_divided {
                break;
            }
        }
        let whole = part;
        let jumps = part_at_jumps(&left, (&mut part, &mut jumped), laws);
        if jumps.contains(&true) {
            find_velocities_by_laws::<L, W>(links, (bodies, loops), (&part, &left), laws);
        }
        let mut kept = Kept::read(bodies, L::load(&part));
        let far = turns_far::<L, W>(links, (L::load(&part), L::load(&left)));
        if far.any_positive() {
            kept.add_square(begin_with_half::<L, W>(links, (bodies, loops, starts), L::load(&part), far));
            find_velocities_again::<L, W>(links, (bodies, loops), (&part, far), laws);
        }
        finish::<L, W>(links, (bodies, loops), kept, (&part, &left), laws, &mut flown.stopped);
        let mut is_left = false;
        for lane in 0..W {
            if left[lane] > 0.0 {
                left[lane] = if part[lane] < left[lane] { left[lane] - part[lane] } else { 0.0 };
                is_left |= left[lane] > 0.0;
                if jumps[lane] {
                    part[lane] = whole[lane];
                    continue;
                }
                flown.parts[lane] += 1.0;
                if needed[lane] < 1.0 {
                    part[lane] *= (1.0 / needed[lane]).min(2.0);
                }
            }
        }
        if !is_left {
            note_velocity_errors::<L, W>(bodies);
            return flown;
        }
        note_rates::<L, W>(links, bodies, !laws.is_empty());
    }
}

/// Ends parts where motors reach the rates to which they make motions jump; lanes in which they do.
fn part_at_jumps<const W: usize>(
    left: &[f64; W],
    (part, jumped): (&mut [f64; W], &mut [u32; W]),
    laws: &mut dyn MotionLaws<W>,
) -> [bool; W] {
    let mut jumps = [false; W];
    if laws.is_empty() {
        return jumps;
    }
    let shares = laws.shares_to_hold();
    for lane in 0..W {
        jumps[lane] = left[lane] > 0.0 && jumped[lane] < MOST_JUMPS && shares[lane] < LATEST_JUMP;
        jumped[lane] += u32::from(jumps[lane]);
        part[lane] *= if jumps[lane] { shares[lane] } else { 1.0 };
    }
    jumps
}

/// The longest part that divides what is left evenly.
fn even(left: f64, part: f64) -> f64 {
    let parts = (left / part - ROUNDING).ceil();
    if parts > 1.0 { left / parts } else { left }
}

/// Parts that are left by rounding.
const ROUNDING: f64 = 1e-9;

/// Moves the trees for which something is left by the velocities that have been found, by a part; adds the energy that stops take.
#[inline(always)]
fn finish<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    (bodies, loops): (&mut [MovingLink<W>], &mut Loops<W>),
    mut kept: Kept<L>,
    (part, left): (&[f64; W], &[f64; W]),
    laws: &mut dyn MotionLaws<W>,
    stopped: &mut [f64; W],
) {
    let (step, is_active) = (L::load(part), L::load(left));
    for (link, body) in links.iter_mut().zip(&mut *bodies) {
        if body.mobilizer != Mobilizer::Welded {
            let square = advance::<L, W>(link, body, step, is_active);
            kept.add_square(square);
        }
    }
    // What forces do, and springs take up, as joints close.
    let mut are_wide = is_active;
    for closing in 0..if loops.is_empty() { 1 } else { CLOSINGS } {
        let projected = if closing < CLOSINGS_BY_LAWS { Projected::Positions } else { Projected::PositionsAgain };
        let [work, widest] = close_gaps_by_laws::<L, W>(links, (bodies, loops), are_wide, (laws, projected));
        kept.add_square(work * L::splat(2.0));
        are_wide = (widest - L::splat(WIDE * WIDE)).if_positive(are_wide, L::splat(0.0));
        if !are_wide.any_positive() {
            break;
        }
    }
    let ends = if laws.is_empty() { EndOfPart::NONE } else { laws.end_parts(bodies, (part, left)) };
    kept.add_square(L::load(&ends.stored) * L::splat(-2.0));
    close_velocities::<L, W>(links, bodies, loops, left, laws);
    if !laws.is_empty() {
        let works = laws.book_projection(links, left);
        kept.add_square(L::load(&works) * L::splat(2.0));
    }
    loops.unite::<L>(bodies, is_active);
    if ends.driven != [0.0; W] {
        kept.is_driven = L::load(&ends.driven);
    }
    if ends.stopped != [0.0; W] {
        let ends = (L::load(&ends.stopped), L::load(&ends.taken), is_active);
        kept.lose_to_stops(links, bodies, ends, stopped);
    }
    kept.restore(links, bodies, is_active);
}
