//! Energy and momentum that a tree keeps through a part of a step.

use super::super::lane::{L3, Lanes, cross, dot, minus, plus, scaled, times};
use super::super::rotation::{columns, inverse, product, turned};
use super::fit::square_of_rotors;
use super::inertia::{Symmetric, in_world, row};
use super::link::TreeLink;
use super::moving::{Mobilizer, MovingLink};
use super::place::load4;
use super::project::{load3, store3};

/// Largest share of the energy inside a tree that is given back where velocities at the end of a part were made to fit: more is lost, as in a blow. The same of
/// loops that something touches, from a share of all energy on.
const GROWTH: f64 = 0.1;
const GROWTH_OF_LOOPS: f64 = 1.0;
const BENT: f64 = 1e-4;

/// What a tree is to have after a part.
#[derive(Clone, Copy)]
pub(super) struct Kept<L> {
    /// Twice the kinetic energy, including that of rotors.
    square: L,
    /// Momentum and angular momentum about the place where the root was, of a floating tree.
    momentum: [L3<L>; 2],
    origin: L3<L>,
    /// Motors give whatever it takes: nothing is scaled.
    pub(super) is_driven: L,
    /// Largest share of the energy inside that is given back.
    growth: f64,
}

/// Twice the kinetic energy of a link, with its angular velocity in principal axes.
#[inline(always)]
pub(super) fn square_of<L: Lanes<W>, const W: usize>(mass: L, velocity: L3<L>, moments: L3<L>, spin: L3<L>) -> L {
    mass * dot(velocity, velocity) + dot(scaled(moments, spin), spin)
}

/// The motion of a tree as a whole.
#[derive(Clone, Copy)]
struct Whole<L> {
    mass: L,
    square: L,
    /// Centre of mass and angular momentum, from the origin.
    center: L3<L>,
    momentum: [L3<L>; 2],
    /// About the origin.
    inertia: Symmetric<L>,
}

impl<L> Kept<L> {
    /// What a tree has before a part, with what forces give it.
    #[inline(always)]
    pub(super) fn read<const W: usize>(bodies: &[MovingLink<W>], step: L) -> Self
    where
        L: Lanes<W>,
    {
        let zero = [L::splat(0.0); 3];
        let mut own = Self {
            square: L::splat(0.0),
            momentum: [zero; 2],
            origin: load3::<L, W>(&bodies[0].center),
            is_driven: L::splat(0.0),
            growth: GROWTH,
        };
        if bodies[0].mobilizer != Mobilizer::Free {
            return own;
        }
        for body in bodies {
            let [linear, angular] = Moving::read(body).momentum(own.origin);
            own.momentum = [plus(own.momentum[0], linear), plus(own.momentum[1], angular)];
        }
        for body in bodies {
            let force = times(load3::<L, W>(&body.force), step);
            let at = minus(load3::<L, W>(&body.middle), own.origin);
            let torque = plus(cross(at, force), times(load3::<L, W>(&body.torque), step));
            own.momentum = [plus(own.momentum[0], force), plus(own.momentum[1], torque)];
        }
        own
    }

    /// What a tree has as it moves now, of which more is given back: nothing divides the step.
    #[inline(always)]
    pub(super) fn of_motion<const W: usize>(links: &[TreeLink<W>], bodies: &[MovingLink<W>], is_driven: L) -> Self
    where
        L: Lanes<W>,
    {
        let origin = load3::<L, W>(&bodies[0].center);
        let Whole { square, momentum, .. } = Whole::of(links, bodies, origin);
        Self { square, momentum, origin, is_driven, growth: GROWTH_OF_LOOPS }
    }

    /// Positive where so much of that is gone, or has been made, as a sharp bend of the way takes, which no joint of a tree has.
    #[inline(always)]
    pub(super) fn is_bent<const W: usize>(&self, links: &[TreeLink<W>], bodies: &[MovingLink<W>]) -> L
    where
        L: Lanes<W>,
    {
        let change = self.square - Whole::of(links, bodies, self.origin).square;
        change.max(L::splat(0.0) - change) - self.square * L::splat(BENT)
    }

    #[inline(always)]
    pub(super) fn add_square<const W: usize>(&mut self, square: L)
    where
        L: Lanes<W>,
    {
        self.square = self.square + square;
    }

    /// Where stops change rates, the energy is what that leaves: after a bounce no more than these took on the way to them \[J\]. Adds what they took in all to
    /// a sum \[J\].
    #[inline(always)]
    pub(super) fn lose_to_stops<const W: usize>(
        &mut self,
        links: &[TreeLink<W>],
        bodies: &[MovingLink<W>],
        (is_stopped, taken, is_active): (L, L, L),
        stopped: &mut [f64; W],
    ) where
        L: Lanes<W>,
    {
        let zero = L::splat(0.0);
        let square = Whole::of(links, bodies, self.origin).square;
        let lost = self.square - square;
        let lost = self.is_driven.if_positive(lost, lost.max(taken * L::splat(-2.0)));
        let lost = is_active.if_positive(lost, zero);
        let lost = is_stopped.if_positive(lost, zero);
        self.square = self.square - lost;
        (L::load(stopped) + lost * L::splat(0.5)).store(stopped);
    }

    /// Gives a floating tree its momentum, and scales the motion inside the tree.
    #[inline(always)]
    pub(super) fn restore<const W: usize>(&self, links: &[TreeLink<W>], bodies: &mut [MovingLink<W>], is_active: L)
    where
        L: Lanes<W>,
    {
        let one = L::splat(1.0);
        let whole = Whole::of(links, bodies, self.origin);
        if bodies[0].mobilizer != Mobilizer::Free {
            let scale = self.is_driven.if_positive(one, scale_of(self.square, whole.square, self.growth));
            for body in bodies {
                let by = is_active.if_positive(scale, one);
                store3(times(load3::<L, W>(&body.velocity), by), &mut body.velocity);
                store3(times(load3::<L, W>(&body.omega), by), &mut body.omega);
            }
            return;
        }
        let (now, wanted) = (whole.rigid(whole.momentum), whole.rigid(self.momentum));
        let scale = scale_of(self.square - wanted.square, whole.square - now.square, self.growth);
        let scale = self.is_driven.if_positive(one, scale);
        for body in bodies {
            let at = minus(minus(load3::<L, W>(&body.center), self.origin), whole.center);
            let (velocity, omega) = (load3::<L, W>(&body.velocity), load3::<L, W>(&body.omega));
            let inside = minus(minus(velocity, now.velocity), cross(now.omega, at));
            let turning = minus(omega, now.omega);
            let next = plus(plus(wanted.velocity, cross(wanted.omega, at)), times(inside, scale));
            let next_omega = plus(wanted.omega, times(turning, scale));
            for e in 0..3 {
                is_active.if_positive(next[e], velocity[e]).store(&mut body.velocity[e]);
                is_active.if_positive(next_omega[e], omega[e]).store(&mut body.omega[e]);
            }
        }
    }
}

/// Factor on velocities that makes a square of them another one: what has been made is taken in full.
#[inline(always)]
fn scale_of<L: Lanes<W>, const W: usize>(wanted: L, now: L, growth: f64) -> L {
    let one = L::splat(1.0);
    let ratio = now.if_positive(wanted, one) / now.if_positive(now, one);
    ratio.max(L::splat(0.0)).min(L::splat(1.0 + growth)).sqrt()
}

/// A link and its motion, with the angular velocity in principal axes.
struct Moving<L> {
    mass: L,
    moments: L3<L>,
    center: L3<L>,
    velocity: L3<L>,
    /// That of the principal axes.
    rotation: [L; 4],
    spin: L3<L>,
}

impl<L> Moving<L> {
    #[inline(always)]
    fn read<const W: usize>(body: &MovingLink<W>) -> Self
    where
        L: Lanes<W>,
    {
        let rotation = product::<L, W>(load4::<L, W>(&body.rotation), load4::<L, W>(&body.principal));
        Self {
            mass: L::load(&body.mass),
            moments: load3::<L, W>(&body.moments),
            center: load3::<L, W>(&body.center),
            velocity: load3::<L, W>(&body.velocity),
            rotation,
            spin: turned(inverse::<L, W>(rotation), load3::<L, W>(&body.omega)),
        }
    }

    /// Momentum, and angular momentum about a place.
    #[inline(always)]
    fn momentum<const W: usize>(&self, origin: L3<L>) -> [L3<L>; 2]
    where
        L: Lanes<W>,
    {
        let linear = times(self.velocity, self.mass);
        let own = turned(self.rotation, scaled(self.moments, self.spin));
        [linear, plus(cross(minus(self.center, origin), linear), own)]
    }
}

/// Motion as a rigid body, and twice its kinetic energy.
struct Rigid<L> {
    velocity: L3<L>,
    omega: L3<L>,
    square: L,
}

impl<L> Whole<L> {
    #[inline(always)]
    fn of<const W: usize>(links: &[TreeLink<W>], bodies: &[MovingLink<W>], origin: L3<L>) -> Self
    where
        L: Lanes<W>,
    {
        let zero = L::splat(0.0);
        let is_floating = bodies[0].mobilizer == Mobilizer::Free;
        let mut own =
            Self { mass: zero, square: zero, center: [zero; 3], momentum: [[zero; 3]; 2], inertia: [zero; 6] };
        for number in 0..bodies.len() {
            let (before, rest) = bodies.split_at(number);
            let body = &rest[0];
            let moving = Moving::read(body);
            let rotors: L = square_of_rotors(&links[number], body, before);
            own.square = own.square + square_of(moving.mass, moving.velocity, moving.moments, moving.spin) + rotors;
            if !is_floating {
                continue;
            }
            let [linear, angular] = moving.momentum(origin);
            let at = minus(moving.center, origin);
            own.mass = own.mass + moving.mass;
            own.center = plus(own.center, times(at, moving.mass));
            own.momentum = [plus(own.momentum[0], linear), plus(own.momentum[1], angular)];
            let about = in_world(&columns::<L, W>(moving.rotation), moving.moments);
            let far = offset_inertia(moving.mass, at);
            for k in 0..6 {
                own.inertia[k] = own.inertia[k] + (about[k] + far[k]);
            }
        }
        if is_floating {
            own.center = times(own.center, L::splat(1.0) / own.mass);
        }
        own
    }

    /// Motion with a momentum and an angular momentum about the origin.
    #[inline(always)]
    fn rigid<const W: usize>(&self, momentum: [L3<L>; 2]) -> Rigid<L>
    where
        L: Lanes<W>,
    {
        let velocity = times(momentum[0], L::splat(1.0) / self.mass);
        let about = minus(momentum[1], cross(self.center, momentum[0]));
        let far = offset_inertia(self.mass, self.center);
        let mut inertia = self.inertia;
        for k in 0..6 {
            inertia[k] = inertia[k] - far[k];
        }
        let omega = solve_symmetric(&inertia, about);
        let square = dot(velocity, momentum[0]) + dot(omega, about);
        Rigid { velocity, omega, square }
    }
}

/// Of a mass at a place, about the origin.
#[inline(always)]
fn offset_inertia<L: Lanes<W>, const W: usize>(mass: L, at: L3<L>) -> Symmetric<L> {
    let [x, y, z] = at;
    let zero = L::splat(0.0);
    [
        mass * (y * y + z * z),
        zero - mass * x * y,
        zero - mass * x * z,
        mass * (x * x + z * z),
        zero - mass * y * z,
        mass * (x * x + y * y),
    ]
}

/// The solution of a symmetric system of three; zero where it is singular.
#[inline(always)]
fn solve_symmetric<L: Lanes<W>, const W: usize>(m: &Symmetric<L>, v: L3<L>) -> L3<L> {
    let (a, b, c) = (row(m, 0), row(m, 1), row(m, 2));
    let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
    let determinant = dot(a, bc);
    let one = L::splat(1.0);
    let by = determinant.if_positive(one / determinant.if_positive(determinant, one), L::splat(0.0));
    times(plus(plus(times(bc, v[0]), times(ca, v[1])), times(ab, v[2])), by)
}
