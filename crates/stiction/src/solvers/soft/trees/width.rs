//! The kernels of trees compiled for every width of lanes.
#![allow(unsafe_code, reason = "calls of functions that are compiled for features that the processor has")]

#[cfg(target_arch = "x86_64")]
use super::super::lane::{Eight, Four};
use super::super::lane::{Lanes, Record};
use super::flow::flow;
use super::link::TreeLink;
use super::moving::MovingLink;
use super::project::project;

/// The kernels of one width.
pub(crate) trait TreeWidth<const W: usize>: Lanes<W> {
    /// Projects the velocities of the trees of a group, of those for which `is_asked` is positive, on what their joints allow.
    fn project(links: &mut [TreeLink<W>], z: &mut [Record], is_asked: &[f64; W]);
    /// Moves trees by a step \[s\], with the memory of their links; returns the parts that each of them took.
    fn flow(links: &mut [TreeLink<W>], bodies: &mut [MovingLink<W>], step: f64) -> [f64; W];
}

impl TreeWidth<1> for f64 {
    fn project(links: &mut [TreeLink<1>], z: &mut [Record], is_asked: &[f64; 1]) {
        project::<Self, 1>(links, z, is_asked);
    }
    fn flow(links: &mut [TreeLink<1>], bodies: &mut [MovingLink<1>], step: f64) -> [f64; 1] {
        flow::<Self, 1>(links, bodies, step)
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! width {
    ($lanes:ty, $width:literal, $features:literal, $project:ident, $flow:ident) => {
        #[target_feature(enable = $features)]
        fn $project(links: &mut [TreeLink<$width>], z: &mut [Record], is_asked: &[f64; $width]) {
            project::<$lanes, $width>(links, z, is_asked);
        }
        #[target_feature(enable = $features)]
        fn $flow(links: &mut [TreeLink<$width>], bodies: &mut [MovingLink<$width>], step: f64) -> [f64; $width] {
            flow::<$lanes, $width>(links, bodies, step)
        }
        impl TreeWidth<$width> for $lanes {
            fn project(links: &mut [TreeLink<$width>], z: &mut [Record], is_asked: &[f64; $width]) {
                // SAFETY: this width is chosen by [`WidthOfLanes::widest`](super::super::WidthOfLanes::widest) where the processor has
                // its features.
                unsafe { $project(links, z, is_asked) }
            }
            fn flow(links: &mut [TreeLink<$width>], bodies: &mut [MovingLink<$width>], step: f64) -> [f64; $width] {
                // SAFETY: as above.
                unsafe { $flow(links, bodies, step) }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
width!(Four, 4, "avx2", project_four, flow_four);
#[cfg(target_arch = "x86_64")]
width!(Eight, 8, "avx512f,avx512dq", project_eight, flow_eight);
