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
//! A link that turns by more than a quarter of a radian in a step, or that joints pull so hard that it swings faster than the step resolves (see
//! `dynamics::tree::TensionRates`), takes its tree through the step in parts.

use super::super::lane::{Lanes, minus, plus, times};
use super::super::rotation::{exponential, product, turned, unit};
use super::close::{close_gaps, close_velocities};
use super::fit::{fit, note_rates, note_velocity_errors};
use super::inertia::to_frame;
use super::keep::{Kept, square_of};
use super::laws::{EndOfPart, MotionLaws, find_velocities_by_laws};
use super::link::TreeLink;
use super::loops::Loops;
use super::moving::{Mobilizer, MovingLink};
use super::parts::parts_needed;
use super::place::{axes_of, free_spin, load4};
use super::project::load3;

/// Most parts of a step; a step that asks for many times as many is not divided.
const MOST_PARTS: f64 = 256.0;
const UNRESOLVED: f64 = 4096.0;
/// How often a part is divided before it is taken.
const ATTEMPTS: usize = 3;

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
    loops: &mut Loops<W>,
    step: f64,
    laws: &mut dyn MotionLaws<W>,
) -> Flown<W> {
    fit::<L, W>(links, bodies, loops);
    let least = step / MOST_PARTS;
    let (mut left, mut part) = ([step; W], [step; W]);
    let mut flown = Flown { parts: [0.0; W], stopped: [0.0; W] };
    loop {
        for lane in 0..W {
            part[lane] = even(left[lane], part[lane]);
        }
        let mut needed = [0.0; W];
        for attempt in 0..=ATTEMPTS {
            find_velocities_by_laws::<L, W>(links, (bodies, loops), &part, laws);
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
        finish::<L, W>(links, (bodies, loops), (&part, &left), laws, &mut flown.stopped);
        let mut is_left = false;
        for lane in 0..W {
            if left[lane] > 0.0 {
                flown.parts[lane] += 1.0;
                left[lane] = if part[lane] < left[lane] { left[lane] - part[lane] } else { 0.0 };
                is_left |= left[lane] > 0.0;
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
    (part, left): (&[f64; W], &[f64; W]),
    laws: &mut dyn MotionLaws<W>,
    stopped: &mut [f64; W],
) {
    let (step, is_active) = (L::load(part), L::load(left));
    let mut kept = Kept::read(bodies, step);
    for (link, body) in links.iter_mut().zip(&mut *bodies) {
        if body.mobilizer != Mobilizer::Welded {
            let square = advance::<L, W>(link, body, step, is_active);
            kept.add_square(square);
        }
    }
    // What forces do, and springs take up, as joints close.
    let [work, _] = close_gaps::<L, W>(links, bodies, loops, is_active);
    kept.add_square(work * L::splat(2.0));
    let ends = if laws.is_empty() { EndOfPart::NONE } else { laws.end_parts(bodies, (part, left)) };
    kept.add_square(L::load(&ends.stored) * L::splat(-2.0));
    close_velocities::<L, W>(links, bodies, loops, is_active);
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

/// Moves a link by a step with the mean velocity that was found; returns twice its kinetic energy after it.
#[inline(always)]
fn advance<L: Lanes<W>, const W: usize>(link: &TreeLink<W>, body: &mut MovingLink<W>, step: L, is_active: L) -> L {
    let half = step * L::splat(0.5);
    let doubled = [load3::<L, W>(&link.state[..3]), load3::<L, W>(&link.state[3..])];
    let (center, velocity) = (load3::<L, W>(&body.center), load3::<L, W>(&body.velocity));
    let (rotation, principal) = (load4::<L, W>(&body.rotation), load4::<L, W>(&body.principal));
    let axes = axes_of::<L, W>(link);
    let next = unit(product::<L, W>(exponential(times(doubled[1], half)), rotation));
    let spin = minus(to_frame(&axes, doubled[1]), load3::<L, W>(&body.spin));
    let moments = load3::<L, W>(&body.moments);
    let spin = free_spin::<L, W>(spin, moments, load3::<L, W>(&body.unequal), half);
    let omega = turned(next, turned(principal, spin));
    let kept = load3::<L, W>(&body.omega);
    let (moved, after) = (plus(center, times(doubled[0], half)), minus(doubled[0], velocity));
    for e in 0..3 {
        is_active.if_positive(moved[e], center[e]).store(&mut body.center[e]);
        is_active.if_positive(after[e], velocity[e]).store(&mut body.velocity[e]);
        is_active.if_positive(omega[e], kept[e]).store(&mut body.omega[e]);
    }
    for e in 0..4 {
        is_active.if_positive(next[e], rotation[e]).store(&mut body.rotation[e]);
    }
    let mut rotors = L::splat(0.0);
    for k in 0..3 {
        let (rate, added) = (L::load(&body.rates[k]), L::load(&link.added[k]));
        let next = L::load(&link.rates[k]) - rate;
        // A motion without a rotor may have no rate.
        rotors = rotors + added.if_positive(added * next * next, L::splat(0.0));
        is_active.if_positive(next, rate).store(&mut body.rates[k]);
    }
    if body.mobilizer == Mobilizer::Screw {
        let angle = L::load(&body.angle);
        is_active.if_positive(angle + half * L::load(&link.rates[0]), angle).store(&mut body.angle);
    }
    square_of(L::load(&body.mass), after, moments, spin) + rotors
}
