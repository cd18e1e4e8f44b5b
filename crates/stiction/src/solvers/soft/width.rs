//! The kernels compiled for every width of lanes, and the choice of one.
#![allow(unsafe_code, reason = "calls of functions that are compiled for features that the processor has")]

use super::active_rows::ActiveRows;
use super::bundle::Bundle;
use super::contact_space::{ContactSpace, Supports};
use super::lane::Record;
#[cfg(target_arch = "x86_64")]
use super::lane::{Eight, Four};
use super::motion::{drift, square, start_again};
use super::outcome::write;
use super::own_places::OwnPlaces;
use super::pass::{PassBodies, PassRule, pass};
use super::prepare::prepare;
use super::records::Sources;
use super::settle::{Whitened, settle};
use super::trees::TreeWidth;

/// Lanes that the processor has. Results are the same bits for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WidthOfLanes {
    /// Plain numbers.
    One,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Four,
    /// AVX-512.
    #[cfg(target_arch = "x86_64")]
    Eight,
}

#[cfg(test)]
thread_local! {
    /// Lanes that a test allows on its thread.
    pub(crate) static MOST_LANES: std::cell::Cell<u32> = const { std::cell::Cell::new(MOST_OF_BUILD) };
}

/// Lanes at most in this build. Kernels are inlined into one function for a width, and without optimization every value in it has a place of its own on the
/// stack: megabytes with eight lanes, more than a thread has.
#[cfg(any(test, target_arch = "x86_64"))]
const MOST_OF_BUILD: u32 = if cfg!(unoptimized) { 1 } else { u32::MAX };

impl WidthOfLanes {
    /// Most lanes of all processors.
    pub(crate) const MOST: usize = 8;

    /// The widest that the processor has.
    pub(crate) fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let has_eight =
                std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512dq");
            if most_lanes() >= 8 && has_eight {
                return Self::Eight;
            }
            if most_lanes() >= 4 && std::arch::is_x86_feature_detected!("avx2") {
                return Self::Four;
            }
        }
        Self::One
    }
}

/// Lanes at most: a test may ask for fewer than there are.
#[cfg(all(test, target_arch = "x86_64"))]
fn most_lanes() -> u32 {
    MOST_LANES.get()
}
#[cfg(all(not(test), target_arch = "x86_64"))]
const fn most_lanes() -> u32 {
    MOST_OF_BUILD
}

/// The kernels of one width.
pub(crate) trait Width<const W: usize>: TreeWidth<W> {
    /// Fills bundles from the records of their bodies and manifolds, and adds the impulses of the last step to `z`.
    fn prepare(bundles: &mut [Bundle<W>], sources: &Sources, z: &mut OwnPlaces);
    /// One pass over bundles that share no moving body.
    fn pass(bundles: &mut [Bundle<W>], bodies: &mut PassBodies, rule: &PassRule, is_soft: bool);
    /// The velocities after a pull, and with the impulses of the last sub-step; those without are put aside.
    fn start_again(z: &mut [Record], held: &mut [Record], pulls: &[Record]);
    /// Displacements follow the velocities for a time.
    fn drift(moved: &mut [Record], z: &[Record], time: f64);
    /// Sum of the squares of a list.
    fn square(list: &[Record]) -> f64;
    /// Moves bodies at some places by a step, from their [`MOTION_RECORDS`](super::MOTION_RECORDS) before it.
    fn settle(motions: &mut [Record], from: &Whitened, places: &[u32; W]);
    /// Begins a contact space with the rows of some blocks.
    fn begin_contact_space(space: &mut ContactSpace, supports: &Supports);
    /// A pass over the manifolds of a contact space.
    fn pass_in_contact_space(space: &mut ContactSpace, bundles: &mut [Bundle<1>], rule: &PassRule, is_soft: bool);
    /// Solves the active rows of a contact space.
    fn solve_active_rows(rows: &mut ActiveRows, space: &ContactSpace, is_soft: bool);
    /// Writes the impulses of bundles into the records of their manifolds, those of the last sub-step by so many times; returns the
    /// largest overlap at the start of the step, and whether some manifold bears that did not when it was found, or the other way round.
    fn write(bundles: &[Bundle<W>], records: &mut OwnPlaces, times: f64) -> (f64, bool);
}

impl Width<1> for f64 {
    fn prepare(bundles: &mut [Bundle<1>], sources: &Sources, z: &mut OwnPlaces) {
        prepare::<Self, 1>(bundles, sources, z);
    }
    fn pass(bundles: &mut [Bundle<1>], bodies: &mut PassBodies, rule: &PassRule, is_soft: bool) {
        if is_soft {
            pass::<Self, 1, true>(bundles, bodies, rule);
        } else {
            pass::<Self, 1, false>(bundles, bodies, rule);
        }
    }
    fn start_again(z: &mut [Record], held: &mut [Record], pulls: &[Record]) {
        start_again::<Self, 1>(z, held, pulls);
    }
    fn drift(moved: &mut [Record], z: &[Record], time: f64) {
        drift::<Self, 1>(moved, z, time);
    }
    fn square(list: &[Record]) -> f64 {
        square::<Self, 1>(list)
    }
    fn settle(motions: &mut [Record], from: &Whitened, places: &[u32; 1]) {
        settle::<Self, 1>(motions, from, places);
    }
    fn begin_contact_space(space: &mut ContactSpace, supports: &Supports) {
        space.begin(supports);
    }
    fn pass_in_contact_space(space: &mut ContactSpace, bundles: &mut [Bundle<1>], rule: &PassRule, is_soft: bool) {
        if is_soft {
            space.pass::<true>(bundles, rule);
        } else {
            space.pass::<false>(bundles, rule);
        }
    }
    fn solve_active_rows(rows: &mut ActiveRows, space: &ContactSpace, is_soft: bool) {
        rows.solve(space, is_soft);
    }
    fn write(bundles: &[Bundle<1>], records: &mut OwnPlaces, times: f64) -> (f64, bool) {
        write::<Self, 1>(bundles, records, times)
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! width {
    ($lanes:ty, $width:literal, $features:literal, $prepare:ident, $soft:ident, $rigid:ident, $write:ident, $again:ident, $drift:ident, $square:ident, $settle:ident, $space:ident, $soft_space:ident, $rigid_space:ident, $active:ident) => {
        #[target_feature(enable = $features)]
        fn $prepare(bundles: &mut [Bundle<$width>], sources: &Sources, z: &mut OwnPlaces) {
            prepare::<$lanes, $width>(bundles, sources, z);
        }
        #[target_feature(enable = $features)]
        fn $soft(bundles: &mut [Bundle<$width>], bodies: &mut PassBodies, rule: &PassRule) {
            pass::<$lanes, $width, true>(bundles, bodies, rule);
        }
        #[target_feature(enable = $features)]
        fn $rigid(bundles: &mut [Bundle<$width>], bodies: &mut PassBodies, rule: &PassRule) {
            pass::<$lanes, $width, false>(bundles, bodies, rule);
        }
        #[target_feature(enable = $features)]
        fn $again(z: &mut [Record], held: &mut [Record], pulls: &[Record]) {
            start_again::<$lanes, $width>(z, held, pulls);
        }
        #[target_feature(enable = $features)]
        fn $drift(moved: &mut [Record], z: &[Record], time: f64) {
            drift::<$lanes, $width>(moved, z, time);
        }
        #[target_feature(enable = $features)]
        fn $square(list: &[Record]) -> f64 {
            square::<$lanes, $width>(list)
        }
        #[target_feature(enable = $features)]
        fn $settle(motions: &mut [Record], from: &Whitened, places: &[u32; $width]) {
            settle::<$lanes, $width>(motions, from, places);
        }
        #[target_feature(enable = $features)]
        fn $space(space: &mut ContactSpace, supports: &Supports) {
            space.begin(supports);
        }
        #[target_feature(enable = $features)]
        fn $soft_space(space: &mut ContactSpace, bundles: &mut [Bundle<1>], rule: &PassRule) {
            space.pass::<true>(bundles, rule);
        }
        #[target_feature(enable = $features)]
        fn $rigid_space(space: &mut ContactSpace, bundles: &mut [Bundle<1>], rule: &PassRule) {
            space.pass::<false>(bundles, rule);
        }
        #[target_feature(enable = $features)]
        fn $active(rows: &mut ActiveRows, space: &ContactSpace, is_soft: bool) {
            rows.solve(space, is_soft);
        }
        #[target_feature(enable = $features)]
        fn $write(bundles: &[Bundle<$width>], records: &mut OwnPlaces, times: f64) -> (f64, bool) {
            write::<$lanes, $width>(bundles, records, times)
        }
        impl Width<$width> for $lanes {
            fn prepare(bundles: &mut [Bundle<$width>], sources: &Sources, z: &mut OwnPlaces) {
                // SAFETY: this width is chosen by [`WidthOfLanes::widest`] where the processor has its features.
                unsafe { $prepare(bundles, sources, z) }
            }
            fn pass(bundles: &mut [Bundle<$width>], bodies: &mut PassBodies, rule: &PassRule, is_soft: bool) {
                // SAFETY: as above.
                unsafe { if is_soft { $soft(bundles, bodies, rule) } else { $rigid(bundles, bodies, rule) } }
            }
            fn start_again(z: &mut [Record], held: &mut [Record], pulls: &[Record]) {
                // SAFETY: as above.
                unsafe { $again(z, held, pulls) }
            }
            fn drift(moved: &mut [Record], z: &[Record], time: f64) {
                // SAFETY: as above.
                unsafe { $drift(moved, z, time) }
            }
            fn square(list: &[Record]) -> f64 {
                // SAFETY: as above.
                unsafe { $square(list) }
            }
            fn settle(motions: &mut [Record], from: &Whitened, places: &[u32; $width]) {
                // SAFETY: as above.
                unsafe { $settle(motions, from, places) }
            }
            fn begin_contact_space(space: &mut ContactSpace, supports: &Supports) {
                // SAFETY: as above.
                unsafe { $space(space, supports) }
            }
            fn pass_in_contact_space(
                space: &mut ContactSpace,
                bundles: &mut [Bundle<1>],
                rule: &PassRule,
                is_soft: bool,
            ) {
                // SAFETY: as above.
                unsafe { if is_soft { $soft_space(space, bundles, rule) } else { $rigid_space(space, bundles, rule) } }
            }
            fn solve_active_rows(rows: &mut ActiveRows, space: &ContactSpace, is_soft: bool) {
                // SAFETY: as above.
                unsafe { $active(rows, space, is_soft) }
            }
            fn write(bundles: &[Bundle<$width>], records: &mut OwnPlaces, times: f64) -> (f64, bool) {
                // SAFETY: as above.
                unsafe { $write(bundles, records, times) }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
width!(
    Four,
    4,
    "avx2",
    prepare_four,
    soft_four,
    rigid_four,
    write_four,
    again_four,
    drift_four,
    square_four,
    settle_four,
    space_four,
    soft_space_four,
    rigid_space_four,
    active_four
);
#[cfg(target_arch = "x86_64")]
width!(
    Eight,
    8,
    "avx512f,avx512dq",
    prepare_eight,
    soft_eight,
    rigid_eight,
    write_eight,
    again_eight,
    drift_eight,
    square_eight,
    settle_eight,
    space_eight,
    soft_space_eight,
    rigid_space_eight,
    active_eight
);
