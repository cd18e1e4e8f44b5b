//! The motion of a link in a part of a step, once its mean velocity is known.

use super::super::lane::{Lanes, minus, plus, times};
use super::super::rotation::{exponential, product, turned, unit};
use super::inertia::to_frame;
use super::keep::square_of;
use super::link::TreeLink;
use super::moving::{Mobilizer, MovingLink};
use super::place::{axes_of, free_spin, load4};
use super::project::load3;

/// Moves a link by a step with the mean velocity that was found; returns twice its kinetic energy after it.
#[inline(always)]
pub(super) fn advance<L: Lanes<W>, const W: usize>(
    link: &TreeLink<W>,
    body: &mut MovingLink<W>,
    step: L,
    is_active: L,
) -> L {
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
