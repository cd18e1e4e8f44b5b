//! How long a part of a step may be.

use super::super::lane::{Lanes, dot, minus, plus, times};
use super::inertia::to_frame;
use super::keep::square_of;
use super::link::TreeLink;
use super::moving::{Mobilizer, MovingLink};
use super::place::axes_of;
use super::project::{load3, store3};

/// Turn of a link in a part \[rad\].
const TURN: f64 = 0.25;
/// Square of the angle ω h of a link that joints pull above which a part is divided, and that of the parts then.
const STABLE: f64 = 2.0;
const RESOLVED: f64 = 1.0;
/// Square of the share of the velocities that joints take off on the way to the middle of a part, beyond what forces give.
const TAKEN: f64 = 0.02;

/// How many times shorter a part has to be, by how far links turn and how hard they are pulled: more than 1 only where it is too long.
#[inline(always)]
pub(super) fn parts_needed<L: Lanes<W>, const W: usize>(
    links: &[TreeLink<W>],
    bodies: &mut [MovingLink<W>],
    step: L,
) -> L {
    let (zero, half, one) = (L::splat(0.0), L::splat(0.5), L::splat(1.0));
    let (mut fastest, mut hardest) = (zero, zero);
    let (mut before, mut given, mut taken) = (zero, zero, zero);
    for (link, body) in links.iter().zip(&mut *bodies) {
        zero.store(&mut body.way[3]);
        let omega = load3::<L, W>(&body.omega);
        let turned = load3::<L, W>(&link.state[3..]);
        let mean = times(turned, half);
        fastest = fastest.max(dot(omega, omega)).max(dot(mean, mean));
        let (mass, doubled) = (L::load(&body.mass), times(load3::<L, W>(&body.velocity), L::splat(2.0)));
        let force = times(load3::<L, W>(&body.force), step);
        // What joints have to give it: `m (v' − v) − h f`.
        let transmitted = minus(times(minus(load3::<L, W>(&link.state[..3]), doubled), mass), force);
        store3(transmitted, &mut body.way[..3]);
        if body.mobilizer == Mobilizer::Welded {
            continue;
        }
        let (moments, spin) = (load3::<L, W>(&body.moments), load3::<L, W>(&body.spin));
        let turning = minus(to_frame(&axes_of::<L, W>(link), turned), times(spin, L::splat(2.0)));
        before = before + square_of(mass, doubled, moments, times(spin, L::splat(2.0)));
        given = given + dot(force, force) / mass + L::load(&body.driven);
        taken = taken + dot(transmitted, transmitted) / mass + square_of(zero, transmitted, moments, turning);
    }
    for number in (0..links.len()).rev() {
        let (before, rest) = bodies.split_at_mut(number);
        let body = &mut rest[0];
        if matches!(body.mobilizer, Mobilizer::Free | Mobilizer::Welded) {
            continue;
        }
        let transmitted = load3::<L, W>(&body.way[..3]);
        let size = dot(transmitted, transmitted).sqrt();
        let [of_carrier, own] = [L::load(&body.pulls[0]) * size, L::load(&body.pulls[1]) * size];
        // Nothing pulls at a joint without freedom, whose links are one body.
        (L::load(&body.way[3]) + own).store(&mut body.way[3]);
        if let Some(carrier) = before.get_mut(body.carrier as usize) {
            store3(plus(load3::<L, W>(&carrier.way[..3]), transmitted), &mut carrier.way[..3]);
            let root = carrier.welded_to as usize;
            (L::load(&before[root].way[3]) + of_carrier).store(&mut before[root].way[3]);
        }
    }
    for body in bodies.iter() {
        hardest = hardest.max(step * L::load(&body.way[3]));
    }
    let turn = step * fastest.sqrt() / L::splat(TURN);
    let is_pulled = hardest - L::splat(STABLE);
    let square = is_pulled.if_positive(hardest / L::splat(RESOLVED), hardest / L::splat(STABLE));
    // Beyond what forces give, of which joints may take all.
    let beyond = (taken.sqrt() - given.sqrt()).max(zero);
    let left = before.sqrt() * L::splat(libm::sqrt(TAKEN));
    let taken = left.if_positive(beyond, zero) / left.if_positive(left, one);
    turn.max(square.sqrt()).max(taken)
}
