//! Mean velocities of a step: the trees in the middle of it, and the projection of what they have there.

use super::super::lane::{L3, Lanes, cross, minus, plus, scaled, times};
use super::super::rotation::{columns, exponential, inverse, product, turned, unit};
use super::factor::factor;
use super::inertia::{Inertia, to_world};
use super::link::TreeLink;
use super::loops::Loops;
use super::moving::{Mobilizer, MovingLink};
use super::project::{load3, solve, store3};

/// Twice the mean velocities of a step, from its forces and the velocities before it.
#[inline(always)]
pub(super) fn find_velocities<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    loops: &mut Loops<W>,
    step: L,
) {
    for number in 0..links.len() {
        let (before, rest) = links.split_at_mut(number);
        let (bodies_before, bodies_rest) = bodies.split_at_mut(number);
        place::<L, W>((&mut rest[0], &mut bodies_rest[0]), (before, bodies_before), step);
    }
    factor::<L, W>(links);
    loops.respond::<L>(links, bodies);
    solve::<L, W>(links);
    loops.join::<L>(links);
}

/// The middle of the step: pose, inertia, momentum, arms and motions.
#[inline(always)]
pub(super) fn place<L: Lanes<W>, const W: usize>(
    (link, body): (&mut TreeLink<W>, &mut MovingLink<W>),
    (links, bodies): (&[TreeLink<W>], &[MovingLink<W>]),
    step: L,
) {
    let half = step * L::splat(0.5);
    let (velocity, omega) = (load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega));
    let (rotation, principal) = (load4::<L, W>(&body.rotation), load4::<L, W>(&body.principal));
    let center = plus(load3::<L, W>(&body.center), times(velocity, half));
    let axes = columns(unit(product::<L, W>(product(exponential(times(omega, half)), rotation), principal)));
    store3(center, &mut body.middle);
    for k in 0..3 {
        store3(axes[k], &mut link.axes[k]);
    }
    let (mass, moments) = (L::load(&body.mass), load3::<L, W>(&body.moments));
    let start = turned(inverse::<L, W>(principal), turned(inverse(rotation), omega));
    let spin = free_spin::<L, W>(start, moments, load3::<L, W>(&body.unequal), half);
    store3(spin, &mut body.spin);

    Inertia::of_body(mass, &axes, moments).store(&mut link.inertia);
    let two = L::splat(2.0);
    let linear = plus(times(velocity, two * mass), times(load3::<L, W>(&body.force), step));
    let angular = plus(times(to_world(&axes, scaled(moments, spin)), two), times(load3::<L, W>(&body.torque), step));
    store3(linear, &mut link.state[..3]);
    store3(angular, &mut link.state[3..]);

    if !matches!(body.mobilizer, Mobilizer::Free | Mobilizer::Welded) {
        place_joint::<L, W>((link, body), (links, bodies), (center, &axes));
    }
}

/// Arms and motions of a joint, and the momentum of its rotors.
#[inline(always)]
pub(super) fn place_joint<L: Lanes<W>, const W: usize>(
    (link, body): (&mut TreeLink<W>, &mut MovingLink<W>),
    (links, bodies): (&[TreeLink<W>], &[MovingLink<W>]),
    (center, axes): (L3<L>, &[L3<L>; 3]),
) {
    let (zero, two) = (L::splat(0.0), L::splat(2.0));
    let (mut carrier_center, mut carrier_axes) = world::<L, W>();
    if let (Some(carrier), Some(link)) = (bodies.get(body.carrier as usize), links.get(body.carrier as usize)) {
        carrier_center = load3::<L, W>(&carrier.middle);
        carrier_axes = axes_of::<L, W>(link);
    }
    let mut arm = to_world(axes, load3::<L, W>(&body.anchors[1]));
    if body.mobilizer.slides_with_link() {
        let to_carrier = minus(carrier_center, center);
        arm = plus(to_carrier, to_world(&carrier_axes, load3::<L, W>(&body.anchors[0])));
    }
    store3(arm, &mut body.arm);
    let to_parent = if body.mobilizer.holds_anchors() {
        minus(arm, to_world(&carrier_axes, load3::<L, W>(&body.anchors[0])))
    } else {
        // The parent carries the point where the centre is.
        minus(carrier_center, center)
    };
    store3(to_parent, &mut link.to_parent);
    let of_carrier = to_world(&carrier_axes, load3::<L, W>(&body.axes[0]));
    let own = to_world(axes, load3::<L, W>(&body.axes[1]));
    let slide_axes = if body.mobilizer.slides_with_link() { axes } else { &carrier_axes };
    match body.mobilizer {
        Mobilizer::Free | Mobilizer::Welded | Mobilizer::Fixed => {}
        Mobilizer::Hinge => turn_about::<L, W>(link, 0, of_carrier, arm),
        Mobilizer::Slider => slide_along::<L, W>(link, 0, of_carrier),
        Mobilizer::Screw => {
            turn_about::<L, W>(link, 0, of_carrier, arm);
            let advance = times(of_carrier, L::load(&body.lead));
            store3(plus(load3::<L, W>(&link.motions[0][..3]), advance), &mut link.motions[0][..3]);
        }
        Mobilizer::Planar => {
            let slide = to_world(slide_axes, load3::<L, W>(&body.slide));
            slide_along::<L, W>(link, 0, slide);
            slide_along::<L, W>(link, 1, cross(of_carrier, slide));
            turn_about::<L, W>(link, 2, of_carrier, arm);
        }
        Mobilizer::Piston => {
            slide_along::<L, W>(link, 0, of_carrier);
            turn_about::<L, W>(link, 1, of_carrier, arm);
        }
        Mobilizer::RotoideFromParent | Mobilizer::RotoideFromLink => {
            slide_along::<L, W>(link, 0, to_world(slide_axes, load3::<L, W>(&body.slide)));
            turn_about::<L, W>(link, 1, of_carrier, arm);
        }
        Mobilizer::Ball => {
            let one = L::splat(1.0);
            turn_about::<L, W>(link, 0, [one, zero, zero], arm);
            turn_about::<L, W>(link, 1, [zero, one, zero], arm);
            turn_about::<L, W>(link, 2, [zero, zero, one], arm);
        }
        Mobilizer::UniversalFromParent
        | Mobilizer::UniversalFromLink
        | Mobilizer::SlidingUniversalFromParent
        | Mobilizer::SlidingUniversalFromLink => {
            let [first, second] = if body.mobilizer.begins_with_link() { [own, of_carrier] } else { [of_carrier, own] };
            turn_about::<L, W>(link, 0, first, arm);
            turn_about::<L, W>(link, 1, second, arm);
            if body.mobilizer.is_slide(2) {
                slide_along::<L, W>(link, 2, to_world(slide_axes, load3::<L, W>(&body.slide)));
            }
        }
    }
    // The momentum of rotors.
    for k in 0..3 {
        (two * L::load(&link.added[k]) * L::load(&body.rates[k])).store(&mut link.carried[k]);
    }
}

/// Centre and axes of the world.
#[inline(always)]
fn world<L: Lanes<W>, const W: usize>() -> (L3<L>, [L3<L>; 3]) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    ([zero; 3], [[one, zero, zero], [zero, one, zero], [zero, zero, one]])
}

/// Principal axes in the middle of the step.
#[inline(always)]
pub(super) fn axes_of<L: Lanes<W>, const W: usize>(link: &TreeLink<W>) -> [L3<L>; 3] {
    [load3::<L, W>(&link.axes[0]), load3::<L, W>(&link.axes[1]), load3::<L, W>(&link.axes[2])]
}

/// A motion that turns about an axis through the joint.
#[inline(always)]
fn turn_about<L: Lanes<W>, const W: usize>(link: &mut TreeLink<W>, number: usize, axis: L3<L>, arm: L3<L>) {
    store3(cross(arm, axis), &mut link.motions[number][..3]);
    store3(axis, &mut link.motions[number][3..]);
}

/// A motion along a direction.
#[inline(always)]
fn slide_along<L: Lanes<W>, const W: usize>(link: &mut TreeLink<W>, number: usize, direction: L3<L>) {
    store3(direction, &mut link.motions[number][..3]);
    store3([L::splat(0.0); 3], &mut link.motions[number][3..]);
}

/// The angular velocity in principal axes after free rotation, `I ω̇ = −ω × I ω`: the midpoint rule to the fourth power of the turn, and the energy
/// exactly.
#[inline(always)]
pub(super) fn free_spin<L: Lanes<W>, const W: usize>(spin: L3<L>, moments: L3<L>, unequal: L3<L>, time: L) -> L3<L> {
    let (half, by) = (L::splat(0.5), times(unequal, time));
    let mut after = spin;
    for _ in 0..4 {
        let w = times(plus(spin, after), half);
        after = plus(spin, [by[0] * w[1] * w[2], by[1] * w[2] * w[0], by[2] * w[0] * w[1]]);
    }
    let before = moments[0] * spin[0] * spin[0] + moments[1] * spin[1] * spin[1] + moments[2] * spin[2] * spin[2];
    let now = moments[0] * after[0] * after[0] + moments[1] * after[1] * after[1] + moments[2] * after[2] * after[2];
    let one = L::splat(1.0);
    // Nothing to scale where it does not turn.
    let scale = (now.if_positive(before, one) / now.if_positive(now, one)).sqrt();
    times(after, scale)
}

#[inline(always)]
pub(super) fn load4<L: Lanes<W>, const W: usize>(from: &[[f64; W]; 4]) -> [L; 4] {
    [L::load(&from[0]), L::load(&from[1]), L::load(&from[2]), L::load(&from[3])]
}
