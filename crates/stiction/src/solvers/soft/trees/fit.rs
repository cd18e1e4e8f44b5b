//! Velocities that joints do not allow.

use super::super::lane::{L3, Lanes, cross, dot, minus, plus, times};
use super::super::rotation::{product, turned};
use super::carrier::Carrier;
use super::factor::factor;
use super::link::TreeLink;
use super::loops::Loops;
use super::moving::{Mobilizer, MovingLink};
use super::place::{load4, place};
use super::project::{load3, solve, store3};

/// Relative velocities that are rounding, by the largest velocity.
const ROUNDED: f64 = 1e-9;

/// Velocities that joints do not allow, as a user gave one to a link, go by impulses in the joints.
///
/// What the last step has left is no reason: its end is met but for a difference of third order.
#[inline(always)]
pub(super) fn fit<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    loops: &mut Loops<W>,
) {
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
    loops.respond::<L>(links, bodies);
    solve::<L, W>(links);
    loops.join::<L>(links);
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

/// The motion of a link as what carries it sees it.
struct Relative<L> {
    /// Velocity of the link where the anchor is about which it turns, and angular velocity.
    velocity: L3<L>,
    omega: L3<L>,
    /// The axis that the carrier has.
    axis: L3<L>,
    /// Rotations of the principal axes of link and carrier.
    axes: [[L; 4]; 2],
}

impl<L> Relative<L> {
    #[inline(always)]
    fn read<const W: usize>(body: &MovingLink<W>, before: &[MovingLink<W>]) -> Self
    where
        L: Lanes<W>,
    {
        let (velocity, omega) = (load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega));
        let axes = product::<L, W>(load4::<L, W>(&body.rotation), load4::<L, W>(&body.principal));
        let carrier = Carrier::read(body, before);
        let of_carrier = turned(carrier.axes, load3::<L, W>(&body.anchors[0]));
        let center = load3::<L, W>(&body.center);
        let mut arm = turned(axes, load3::<L, W>(&body.anchors[1]));
        if body.mobilizer.slides_with_link() {
            arm = minus(plus(carrier.center, of_carrier), center);
        }
        let of_other = if body.mobilizer.holds_anchors() || body.mobilizer.slides_with_link() {
            of_carrier
        } else {
            minus(plus(center, arm), carrier.center)
        };
        let parting = minus(plus(velocity, cross(omega, arm)), carrier.velocity);
        Self {
            velocity: minus(parting, cross(carrier.omega, of_other)),
            omega: minus(omega, carrier.omega),
            axis: turned(carrier.axes, load3::<L, W>(&body.axes[0])),
            axes: [axes, carrier.axes],
        }
    }

    /// The axis that the link has.
    #[inline(always)]
    fn own_axis<const W: usize>(&self, body: &MovingLink<W>) -> L3<L>
    where
        L: Lanes<W>,
    {
        turned(self.axes[0], load3::<L, W>(&body.axes[1]))
    }

    /// The direction in which the link slides, where that is not its axis.
    #[inline(always)]
    fn slide<const W: usize>(&self, body: &MovingLink<W>) -> L3<L>
    where
        L: Lanes<W>,
    {
        let axes = if body.mobilizer.slides_with_link() { self.axes[0] } else { self.axes[1] };
        turned(axes, load3::<L, W>(&body.slide))
    }
}

/// Velocity of the anchor of a link against that of what carries it, and angular velocity, as far as its joint does not allow them.
#[inline(always)]
pub(super) fn parting<L: Lanes<W>, const W: usize>(body: &MovingLink<W>, before: &[MovingLink<W>]) -> [L3<L>; 2] {
    let zero = L::splat(0.0);
    if matches!(body.mobilizer, Mobilizer::Free | Mobilizer::Welded) {
        return [[zero; 3]; 2];
    }
    let relative = Relative::read(body, before);
    let Relative { velocity: mut parting, omega: mut turning, axis, .. } = relative;
    match body.mobilizer {
        Mobilizer::Slider | Mobilizer::Piston => parting = minus(parting, times(axis, dot(axis, parting))),
        Mobilizer::Screw => parting = minus(parting, times(axis, L::load(&body.lead) * dot(axis, turning))),
        Mobilizer::Planar => parting = times(axis, dot(axis, parting)),
        Mobilizer::RotoideFromParent
        | Mobilizer::RotoideFromLink
        | Mobilizer::SlidingUniversalFromParent
        | Mobilizer::SlidingUniversalFromLink => {
            let slide = relative.slide(body);
            parting = minus(parting, times(slide, dot(slide, parting)));
        }
        _ => {}
    }
    if body.mobilizer.turns_about_one() {
        turning = minus(turning, times(axis, dot(axis, turning)));
    } else if body.mobilizer.turns_about_two() {
        let across = cross(axis, relative.own_axis(body));
        let square = dot(across, across).max(L::splat(f64::EPSILON));
        turning = times(across, dot(across, turning) / square);
    } else if body.mobilizer == Mobilizer::Ball {
        turning = [zero; 3];
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
pub(super) fn rates<L: Lanes<W>, const W: usize>(body: &MovingLink<W>, before: &[MovingLink<W>]) -> L3<L> {
    let zero = L::splat(0.0);
    let relative = Relative::read(body, before);
    let Relative { velocity, omega, axis, .. } = relative;
    let about = dot(axis, omega);
    let mut turns = [about, zero];
    if body.mobilizer.turns_about_two() {
        let own = relative.own_axis(body);
        let (cosine, along) = (dot(axis, own), dot(own, omega));
        let by = L::splat(1.0) / (L::splat(1.0) - cosine * cosine).max(L::splat(f64::EPSILON));
        turns = [(about - cosine * along) * by, (along - cosine * about) * by];
        if body.mobilizer.begins_with_link() {
            turns = [turns[1], turns[0]];
        }
    }
    match body.mobilizer {
        Mobilizer::Slider => [dot(axis, velocity), zero, zero],
        Mobilizer::Planar => {
            let slide = relative.slide(body);
            [dot(slide, velocity), dot(cross(axis, slide), velocity), about]
        }
        Mobilizer::Piston => [dot(axis, velocity), about, zero],
        Mobilizer::RotoideFromParent | Mobilizer::RotoideFromLink => [dot(relative.slide(body), velocity), about, zero],
        Mobilizer::SlidingUniversalFromParent | Mobilizer::SlidingUniversalFromLink => {
            [turns[0], turns[1], dot(relative.slide(body), velocity)]
        }
        _ => [turns[0], turns[1], zero],
    }
}
