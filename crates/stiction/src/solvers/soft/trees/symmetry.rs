//! Trees with links that turn far give half of what joints take of their velocities at the end of a part to its start.
//!
//! The mean velocity belongs to the middle of a part, and what comes of it parts at the joints by 2 c at the end. Taken there alone, this changes the motion in
//! a part, by gyroscopic forces, as it does not in one backwards: a top that spins with 0.2 rad a part droops by 4 degrees in 20 s. With c at the start and −c at
//! the end, c as the links carry it, a part is the same in both directions (symmetric projection: Hairer, Lubich and Wanner, Geometric Numerical Integration,
//! 2006, §V.4.1).

use super::super::lane::{Lanes, dot, plus, times};
use super::super::rotation::{inverse, product, turned};
use super::advance::advance;
use super::close::{close_gaps, left_of, part_velocities};
use super::keep::square_of;
use super::link::TreeLink;
use super::loops::Loops;
use super::moving::{Mobilizer, MovingLink};
use super::place::load4;
use super::project::load3;

/// Turn of a link in a part that is far \[rad\].
const FAR: f64 = 0.08;

/// Share of the kinetic energy, of which joints take less.
const SMALL: f64 = 1e-7;

/// A link at the start of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkStart<const W: usize> {
    center: [[f64; W]; 3],
    rotation: [[f64; W]; 4],
    velocity: [[f64; W]; 3],
    omega: [[f64; W]; 3],
    rates: [[f64; W]; 3],
    angle: [f64; W],
}

impl<const W: usize> LinkStart<W> {
    fn read(body: &MovingLink<W>) -> Self {
        let MovingLink { center, rotation, velocity, omega, rates, angle, .. } = *body;
        Self { center, rotation, velocity, omega, rates, angle }
    }

    fn write(&self, body: &mut MovingLink<W>) {
        (body.center, body.rotation) = (self.center, self.rotation);
        (body.velocity, body.omega) = (self.velocity, self.omega);
        (body.rates, body.angle) = (self.rates, self.angle);
    }
}

/// Positive for the trees for which something is left that have a link which turns far.
#[inline(always)]
pub(super) fn turns_far<L: Lanes<W>, const W: usize>(links: &[TreeLink<W>], (step, left): (L, L)) -> L {
    let mut fastest = L::splat(0.0);
    for link in links {
        let doubled = load3::<L, W>(&link.state[3..]);
        fastest = fastest.max(dot(doubled, doubled));
    }
    let far = fastest * (step * step) - L::splat(4.0 * FAR * FAR);
    left.if_positive(far, L::splat(0.0))
}

/// Goes to the end of a part with the velocities that have been found, and comes back with half of what joints take there, for the trees for which `is_far`
/// is positive. Returns twice the kinetic energy that this takes off them.
#[inline(always)]
pub(super) fn begin_with_half<L: Lanes<W>, const W: usize>(
    links: &mut [TreeLink<W>],
    (bodies, loops, starts): (&mut [MovingLink<W>], &mut Loops<W>, &mut Vec<LinkStart<W>>),
    step: L,
    is_far: L,
) -> L {
    starts.clear();
    for (link, body) in links.iter_mut().zip(&mut *bodies) {
        starts.push(LinkStart::read(body));
        if body.mobilizer != Mobilizer::Welded {
            advance::<L, W>(link, body, step, is_far);
        }
    }
    close_gaps::<L, W>(links, bodies, loops, is_far);
    part_velocities::<L, W>(links, bodies, false);
    loops.join_velocities::<L>(links, bodies);
    let is_small = is_small::<L, W>(links, bodies, is_far);
    let (mut taken, half) = (L::splat(0.0), L::splat(-0.5));
    for (link, (body, start)) in links.iter().zip(bodies.iter_mut().zip(starts)) {
        let at_end = load4::<L, W>(&body.rotation);
        let change = left_of::<L, W>(link, body);
        start.write(body);
        let rotation = load4::<L, W>(&body.rotation);
        let back = product::<L, W>(rotation, inverse(at_end));
        let change = [times(turned(back, change[0]), half), times(turned(back, change[1]), half)];
        let (velocity, omega) = (load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega));
        let (next, next_omega) = (plus(velocity, change[0]), plus(omega, change[1]));
        let to_frame = inverse(product::<L, W>(rotation, load4::<L, W>(&body.principal)));
        let (mass, moments) = (L::load(&body.mass), load3::<L, W>(&body.moments));
        let before = square_of(mass, velocity, moments, turned(to_frame, omega));
        taken = taken + (before - square_of(mass, next, moments, turned(to_frame, next_omega)));
        for e in 0..3 {
            is_small.if_positive(next[e], velocity[e]).store(&mut body.velocity[e]);
            is_small.if_positive(next_omega[e], omega[e]).store(&mut body.omega[e]);
        }
    }
    is_small.if_positive(taken, L::splat(0.0))
}

/// Positive for trees of which joints take a small share of the energy: what takes more is no motion that parts resolve.
#[inline(always)]
fn is_small<L: Lanes<W>, const W: usize>(links: &[TreeLink<W>], bodies: &[MovingLink<W>], is_far: L) -> L {
    let (mut all, mut taken) = (L::splat(0.0), L::splat(0.0));
    for (link, body) in links.iter().zip(bodies) {
        let to_frame = inverse(product::<L, W>(load4::<L, W>(&body.rotation), load4::<L, W>(&body.principal)));
        let (mass, moments) = (L::load(&body.mass), load3::<L, W>(&body.moments));
        let (velocity, omega) = (load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega));
        let change = left_of::<L, W>(link, body);
        all = all + square_of(mass, velocity, moments, turned(to_frame, omega));
        taken = taken + square_of(mass, change[0], moments, turned(to_frame, change[1]));
    }
    is_far.if_positive(L::splat(SMALL) * all - taken, L::splat(0.0))
}
