//! Velocities that joints do not allow.

use super::super::lane::{L3, Lanes, cross, dot, minus, plus, times};
use super::super::rotation::{product, turned};
use super::carrier::Carrier;
use super::factor::factor;
use super::link::TreeLink;
use super::moving::{Mobilizer, MovingLink};
use super::place::{load4, place};
use super::project::{load3, solve, store3};

/// Relative velocities that are rounding, by the largest velocity.
const ROUNDED: f64 = 1e-9;

/// Velocities that joints do not allow, as a user gave one to a link, go by impulses in the joints.
///
/// What the last step has left is no reason: its end is met but for a difference of third order.
#[inline(always)]
pub(super) fn fit<L: Lanes<W>, const W: usize>(links: &mut [TreeLink<W>], bodies: &mut [MovingLink<W>]) {
    let is_off = is_unfit::<L, W>(bodies);
    if !is_off.any_positive() {
        return;
    }
    for number in 0..links.len() {
        let (before, rest) = links.split_at_mut(number);
        let (bodies_before, bodies_rest) = bodies.split_at_mut(number);
        place::<L, W>((&mut rest[0], &mut bodies_rest[0]), (before, bodies_before), L::splat(0.0));
    }
    factor::<L, W>(links);
    solve::<L, W>(links);
    let half = L::splat(0.5);
    for (link, body) in links.iter().zip(bodies) {
        for e in 0..3 {
            let (velocity, omega) = (half * L::load(&link.state[e]), half * L::load(&link.state[3 + e]));
            is_off.if_positive(velocity, L::load(&body.velocity[e])).store(&mut body.velocity[e]);
            is_off.if_positive(omega, L::load(&body.omega[e])).store(&mut body.omega[e]);
            let rate = half * L::load(&link.rates[e]);
            is_off.if_positive(rate, L::load(&body.rates[e])).store(&mut body.rates[e]);
        }
    }
}

/// Positive where links part at a joint by more than the last step has left.
#[inline(always)]
fn is_unfit<L: Lanes<W>, const W: usize>(bodies: &[MovingLink<W>]) -> L {
    let (mut fastest, mut most) = (L::splat(0.0), L::splat(-1.0));
    for body in bodies {
        let (velocity, omega) = (load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega));
        fastest = fastest.max(dot(velocity, velocity) + dot(omega, omega));
    }
    let rounded = L::splat(ROUNDED * ROUNDED) * fastest;
    for number in 0..bodies.len() {
        let (before, rest) = bodies.split_at(number);
        let known = L::load(&rest[0].squared_velocity_error) * L::splat(1.0 + ROUNDED);
        most = most.max(squared_velocity_error::<L, W>(&rest[0], before) - known - rounded);
    }
    most
}

/// Stores by how much links part at their joints.
#[inline(always)]
pub(super) fn note_velocity_errors<L: Lanes<W>, const W: usize>(bodies: &mut [MovingLink<W>]) {
    for number in 0..bodies.len() {
        let (before, rest) = bodies.split_at_mut(number);
        squared_velocity_error::<L, W>(&rest[0], before).store(&mut rest[0].squared_velocity_error);
    }
}

/// Square of the velocity, linear and angular, with which a link parts from what carries it as its joint does not allow.
#[inline(always)]
fn squared_velocity_error<L: Lanes<W>, const W: usize>(body: &MovingLink<W>, before: &[MovingLink<W>]) -> L {
    let [linear, angular] = parting::<L, W>(body, before);
    dot(linear, linear) + dot(angular, angular)
}

/// Velocity of the anchor of a link against that of what carries it, and angular velocity, as far as its joint does not allow them.
#[inline(always)]
pub(super) fn parting<L: Lanes<W>, const W: usize>(body: &MovingLink<W>, before: &[MovingLink<W>]) -> [L3<L>; 2] {
    let zero = L::splat(0.0);
    if matches!(body.mobilizer, Mobilizer::Free | Mobilizer::Welded) {
        return [[zero; 3]; 2];
    }
    let (velocity, omega) = (load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega));
    let axes = product::<L, W>(load4::<L, W>(&body.rotation), load4::<L, W>(&body.principal));
    let carrier = Carrier::read(body, before);
    let axis = turned(carrier.axes, load3::<L, W>(&body.axes[0]));
    let arm = turned(axes, load3::<L, W>(&body.anchors[1]));
    let mut turning = minus(omega, carrier.omega);
    let mut parting = minus(plus(velocity, cross(omega, arm)), carrier.velocity);
    if body.mobilizer.holds_anchors() {
        parting = minus(parting, cross(carrier.omega, turned(carrier.axes, load3::<L, W>(&body.anchors[0]))));
    } else {
        let at = minus(plus(load3::<L, W>(&body.center), arm), carrier.center);
        parting = minus(parting, cross(carrier.omega, at));
    }
    let along = times(axis, dot(axis, parting));
    match body.mobilizer {
        Mobilizer::Slider => parting = minus(parting, along),
        Mobilizer::Screw => parting = minus(parting, times(axis, L::load(&body.lead) * dot(axis, turning))),
        Mobilizer::Planar => parting = along,
        _ => {}
    }
    match body.mobilizer {
        Mobilizer::Hinge | Mobilizer::Screw | Mobilizer::Planar => {
            turning = minus(turning, times(axis, dot(axis, turning)));
        }
        Mobilizer::UniversalFromParent | Mobilizer::UniversalFromLink => {
            let across = cross(axis, turned(axes, load3::<L, W>(&body.axes[1])));
            let square = dot(across, across).max(L::splat(f64::EPSILON));
            turning = times(across, dot(across, turning) / square);
        }
        Mobilizer::Ball => turning = [zero; 3],
        Mobilizer::Fixed | Mobilizer::Slider | Mobilizer::Free | Mobilizer::Welded => {}
    }
    [parting, turning]
}

/// Stores the rates of joints that follow from the bodies, where rotors turn with them or laws act on them.
#[inline(always)]
pub(super) fn note_rates<L: Lanes<W>, const W: usize>(
    links: &[TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    has_laws: bool,
) {
    for number in 0..links.len() {
        let (before, rest) = bodies.split_at_mut(number);
        if rest[0].mobilizer.has_axes() && (has_laws || links[number].added != [[0.0; W]; 3]) {
            let found = rates::<L, W>(&rest[0], before);
            store3(found, &mut rest[0].rates);
        }
    }
}

/// Twice the kinetic energy of the rotors of a link, at the rates of its joint that follow from the bodies.
#[inline(always)]
pub(super) fn square_of_rotors<L: Lanes<W>, const W: usize>(
    link: &TreeLink<W>,
    body: &MovingLink<W>,
    before: &[MovingLink<W>],
) -> L {
    if link.added == [[0.0; W]; 3] {
        return L::splat(0.0);
    }
    let rates = rates::<L, W>(body, before);
    let mut square = L::load(&link.added[0]) * rates[0] * rates[0];
    for k in 1..body.mobilizer.dofs() {
        square = square + L::load(&link.added[k]) * rates[k] * rates[k];
    }
    square
}

/// The rates of the axes of the joint of a link, as they follow from the bodies.
#[inline(always)]
fn rates<L: Lanes<W>, const W: usize>(body: &MovingLink<W>, before: &[MovingLink<W>]) -> L3<L> {
    let zero = L::splat(0.0);
    let (velocity, omega) = (load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega));
    let axes = product::<L, W>(load4::<L, W>(&body.rotation), load4::<L, W>(&body.principal));
    let carrier = Carrier::read(body, before);
    let to_own = minus(load3::<L, W>(&body.center), carrier.center);
    let axis = turned(carrier.axes, load3::<L, W>(&body.axes[0]));
    let turning = minus(omega, carrier.omega);
    let [mut first, mut second, mut third] = [dot(axis, turning), zero, zero];
    match body.mobilizer {
        Mobilizer::Slider => first = dot(axis, minus(minus(velocity, carrier.velocity), cross(carrier.omega, to_own))),
        Mobilizer::Planar => {
            // Of the anchor, as the carrier sees it.
            let arm = turned(axes, load3::<L, W>(&body.anchors[1]));
            let own = minus(plus(velocity, cross(omega, arm)), carrier.velocity);
            let parting = minus(own, cross(carrier.omega, plus(to_own, arm)));
            let slide = turned(carrier.axes, load3::<L, W>(&body.slide));
            third = first;
            (first, second) = (dot(slide, parting), dot(cross(axis, slide), parting));
        }
        Mobilizer::UniversalFromParent | Mobilizer::UniversalFromLink => {
            let own = turned(axes, load3::<L, W>(&body.axes[1]));
            let (cosine, along) = (dot(axis, own), dot(own, turning));
            let by = L::splat(1.0) / (L::splat(1.0) - cosine * cosine).max(L::splat(f64::EPSILON));
            (first, second) = ((first - cosine * along) * by, (along - cosine * first) * by);
            if body.mobilizer == Mobilizer::UniversalFromLink {
                (first, second) = (second, first);
            }
        }
        _ => {}
    }
    [first, second, third]
}
