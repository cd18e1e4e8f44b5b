//! The kernels compiled for every width of lanes.
#![allow(unsafe_code, reason = "calls of functions that are compiled for features that the processor has")]

#[cfg(target_arch = "x86_64")]
use super::super::soft::{Eight, Four};
use super::super::soft::{Lanes, Record};
use super::bundle::Bundles;
use super::prepare::{PointSources, prepare};
use super::sweep::{SweepRule, measure, sweep, write};

/// The kernels of one width.
pub(crate) trait PointWidth<const W: usize>: Lanes<W> {
    /// Fills bundles from the records of their bodies, groups and points, and adds the impulses of the last step to `z`.
    fn prepare(bundles: &mut Bundles<W>, sources: &PointSources, z: &mut [Record]);
    /// One sweep.
    fn sweep(bundles: &mut Bundles<W>, z: &mut [Record], rule: SweepRule);
    /// What sweeps with an over-relaxation have left, where the velocity that correction leaves is bounded or not.
    fn measure(bundles: &mut Bundles<W>, z: &[Record], rule: (f64, bool));
    /// Writes the impulses and moments of all points, those of no point to the place of nothing.
    fn write(bundles: &Bundles<W>, impulses: (&mut [Record], &mut [Record]), nothing: u32);
}

#[inline(always)]
fn sweep_by<L: Lanes<W>, const W: usize>(bundles: &mut Bundles<W>, z: &mut [Record], rule: SweepRule) {
    match (rule.is_capped, rule.is_measured) {
        (false, false) => sweep::<L, W, false, false>(bundles, z),
        (false, true) => sweep::<L, W, false, true>(bundles, z),
        (true, false) => sweep::<L, W, true, false>(bundles, z),
        (true, true) => sweep::<L, W, true, true>(bundles, z),
    }
}

impl PointWidth<1> for f64 {
    fn prepare(bundles: &mut Bundles<1>, sources: &PointSources, z: &mut [Record]) {
        prepare::<Self, 1>(bundles, sources, z);
    }
    fn sweep(bundles: &mut Bundles<1>, z: &mut [Record], rule: SweepRule) {
        sweep_by::<Self, 1>(bundles, z, rule);
    }
    fn measure(bundles: &mut Bundles<1>, z: &[Record], rule: (f64, bool)) {
        measure::<Self, 1>(bundles, z, rule);
    }
    fn write(bundles: &Bundles<1>, impulses: (&mut [Record], &mut [Record]), nothing: u32) {
        write::<Self, 1>(bundles, impulses, nothing);
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! width {
    ($lanes:ty, $width:literal, $features:literal, $prepare:ident, $sweep:ident, $measure:ident, $write:ident) => {
        #[target_feature(enable = $features)]
        fn $prepare(bundles: &mut Bundles<$width>, sources: &PointSources, z: &mut [Record]) {
            prepare::<$lanes, $width>(bundles, sources, z);
        }
        #[target_feature(enable = $features)]
        fn $sweep(bundles: &mut Bundles<$width>, z: &mut [Record], rule: SweepRule) {
            sweep_by::<$lanes, $width>(bundles, z, rule);
        }
        #[target_feature(enable = $features)]
        fn $measure(bundles: &mut Bundles<$width>, z: &[Record], rule: (f64, bool)) {
            measure::<$lanes, $width>(bundles, z, rule);
        }
        #[target_feature(enable = $features)]
        fn $write(bundles: &Bundles<$width>, impulses: (&mut [Record], &mut [Record]), nothing: u32) {
            write::<$lanes, $width>(bundles, impulses, nothing);
        }
        impl PointWidth<$width> for $lanes {
            fn prepare(bundles: &mut Bundles<$width>, sources: &PointSources, z: &mut [Record]) {
                // SAFETY: this width is chosen by [`super::super::soft::WidthOfLanes::widest`] where the processor has its features.
                unsafe { $prepare(bundles, sources, z) }
            }
            fn sweep(bundles: &mut Bundles<$width>, z: &mut [Record], rule: SweepRule) {
                // SAFETY: as above.
                unsafe { $sweep(bundles, z, rule) }
            }
            fn measure(bundles: &mut Bundles<$width>, z: &[Record], rule: (f64, bool)) {
                // SAFETY: as above.
                unsafe { $measure(bundles, z, rule) }
            }
            fn write(bundles: &Bundles<$width>, impulses: (&mut [Record], &mut [Record]), nothing: u32) {
                // SAFETY: as above.
                unsafe { $write(bundles, impulses, nothing) }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
width!(Four, 4, "avx2", prepare_four, sweep_four, measure_four, write_four);
#[cfg(target_arch = "x86_64")]
width!(Eight, 8, "avx512f,avx512dq", prepare_eight, sweep_eight, measure_eight, write_eight);
