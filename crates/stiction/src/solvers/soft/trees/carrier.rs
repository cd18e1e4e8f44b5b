//! What carries a link, as joints see it: another link, or the world.

use super::super::lane::{L3, Lanes};
use super::super::rotation::product;
use super::moving::MovingLink;
use super::place::load4;
use super::project::load3;

/// Centre, rotation of the body and of its principal axes, velocity and angular velocity.
#[derive(Clone, Copy)]
pub(super) struct Carrier<L> {
    pub(super) center: L3<L>,
    pub(super) rotation: [L; 4],
    pub(super) axes: [L; 4],
    pub(super) velocity: L3<L>,
    pub(super) omega: L3<L>,
}

impl<L> Carrier<L> {
    /// That of a link, among the links before it.
    #[inline(always)]
    pub(super) fn read<const W: usize>(body: &MovingLink<W>, before: &[MovingLink<W>]) -> Self
    where
        L: Lanes<W>,
    {
        let zero = L::splat(0.0);
        let identity = [zero, zero, zero, L::splat(1.0)];
        let Some(own) = before.get(body.carrier as usize) else {
            return Self {
                center: [zero; 3],
                rotation: identity,
                axes: identity,
                velocity: [zero; 3],
                omega: [zero; 3],
            };
        };
        let rotation = load4::<L, W>(&own.rotation);
        Self {
            center: load3::<L, W>(&own.center),
            rotation,
            axes: product::<L, W>(rotation, load4::<L, W>(&own.principal)),
            velocity: load3::<L, W>(&own.velocity),
            omega: load3::<L, W>(&own.omega),
        }
    }
}
