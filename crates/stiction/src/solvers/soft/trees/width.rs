//! The kernels of trees compiled for every width of lanes.
#![allow(unsafe_code, reason = "calls of functions that are compiled for features that the processor has")]

use super::super::contact_space::Supports;
#[cfg(target_arch = "x86_64")]
use super::super::lane::{Eight, Four};
use super::super::lane::{Lanes, Record};
use super::flow::{Flown, flow};
use super::laws::MotionLaws;
use super::link::TreeLink;
use super::loops::Loops;
use super::moving::MovingLink;
use super::project::project;
use super::reach::{FactoredLink, Reach, Spatials, end_at_root, travel};
use super::rows::{place_rows, settle, turn};
use super::spatial::Cholesky;
use super::symmetry::LinkStart;

/// The kernels of one width.
pub(crate) trait TreeWidth<const W: usize>: Lanes<W> {
    /// Projects the velocities of the trees of a group, of those for which `is_asked` is positive, on what their joints allow.
    fn project(links: &mut [TreeLink<W>], z: &mut [Record], is_asked: &[f64; W]);
    /// Moves trees by a step \[s\], with the memory of their links, under laws of their motions.
    fn flow(
        links: &mut [TreeLink<W>],
        bodies: &mut [MovingLink<W>],
        memory: (&mut Loops<W>, &mut Vec<LinkStart<W>>),
        step: f64,
        laws: &mut dyn MotionLaws<W>,
    ) -> Flown<W>;
    /// Places trees at the poses of rows, by the records of their bodies, and factors them.
    fn place_rows(links: &mut [TreeLink<W>], bodies: &mut [MovingLink<W>], loops: &mut Loops<W>, records: &[Record]);
    /// Velocities of the start of a step turn to the pose of its rows; where `is_spread` is positive, what that does to the root comes with the pulls.
    fn turn(
        links: &mut [TreeLink<W>],
        loops: &mut Loops<W>,
        z: &mut [Record],
        pulls: &mut [Record],
        share: f64,
        is_spread: &[f64; W],
    );
    /// Closes the joints in positions after a step, and leaves the velocities that they allow.
    fn settle_trees(
        links: &mut [TreeLink<W>],
        bodies: &mut [MovingLink<W>],
        loops: &mut Loops<W>,
        is_driven: &[f64; W],
    );
    /// The supports of the joints of a tree by falling coordinates, and its root with its momentum, where that is free and reached. `firsts` are the first
    /// link and degree of freedom of the tree, and the coordinate of the first degree of freedom of all.
    fn reach(
        reach: &mut Reach,
        links: &[FactoredLink],
        firsts: (usize, usize, u32),
        supports: &mut Supports,
    ) -> Option<(usize, Spatials)>;
    /// The supports of a root, whose coordinates begin at `first`.
    fn end_reach_at_root(factor: &Cholesky, momentum: &Spatials, first: u32, supports: &mut Supports);
}

impl TreeWidth<1> for f64 {
    fn project(links: &mut [TreeLink<1>], z: &mut [Record], is_asked: &[f64; 1]) {
        project::<Self, 1>(links, z, is_asked);
    }
    fn flow(
        links: &mut [TreeLink<1>],
        bodies: &mut [MovingLink<1>],
        memory: (&mut Loops<1>, &mut Vec<LinkStart<1>>),
        step: f64,
        laws: &mut dyn MotionLaws<1>,
    ) -> Flown<1> {
        flow::<Self, 1>(links, bodies, memory, step, laws)
    }
    fn place_rows(links: &mut [TreeLink<1>], bodies: &mut [MovingLink<1>], loops: &mut Loops<1>, records: &[Record]) {
        place_rows::<Self, 1>(links, bodies, loops, records);
    }
    fn turn(
        links: &mut [TreeLink<1>],
        loops: &mut Loops<1>,
        z: &mut [Record],
        pulls: &mut [Record],
        share: f64,
        is_spread: &[f64; 1],
    ) {
        turn::<Self, 1>(links, loops, z, pulls, share, is_spread);
    }
    fn settle_trees(
        links: &mut [TreeLink<1>],
        bodies: &mut [MovingLink<1>],
        loops: &mut Loops<1>,
        is_driven: &[f64; 1],
    ) {
        settle::<Self, 1>(links, bodies, loops, is_driven);
    }
    fn reach(
        reach: &mut Reach,
        links: &[FactoredLink],
        firsts: (usize, usize, u32),
        supports: &mut Supports,
    ) -> Option<(usize, Spatials)> {
        travel(reach, links, firsts, supports)
    }
    fn end_reach_at_root(factor: &Cholesky, momentum: &Spatials, first: u32, supports: &mut Supports) {
        end_at_root(factor, momentum, first, supports);
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! width {
    ($lanes:ty, $width:literal, $features:literal, $project:ident, $flow:ident, $place:ident, $turn:ident, $settle:ident, $reach:ident, $end:ident) => {
        #[target_feature(enable = $features)]
        fn $project(links: &mut [TreeLink<$width>], z: &mut [Record], is_asked: &[f64; $width]) {
            project::<$lanes, $width>(links, z, is_asked);
        }
        #[target_feature(enable = $features)]
        fn $flow(
            links: &mut [TreeLink<$width>],
            bodies: &mut [MovingLink<$width>],
            memory: (&mut Loops<$width>, &mut Vec<LinkStart<$width>>),
            step: f64,
            laws: &mut dyn MotionLaws<$width>,
        ) -> Flown<$width> {
            flow::<$lanes, $width>(links, bodies, memory, step, laws)
        }
        #[target_feature(enable = $features)]
        fn $place(
            links: &mut [TreeLink<$width>],
            bodies: &mut [MovingLink<$width>],
            loops: &mut Loops<$width>,
            records: &[Record],
        ) {
            place_rows::<$lanes, $width>(links, bodies, loops, records);
        }
        #[target_feature(enable = $features)]
        fn $turn(
            links: &mut [TreeLink<$width>],
            loops: &mut Loops<$width>,
            z: &mut [Record],
            pulls: &mut [Record],
            share: f64,
            is_spread: &[f64; $width],
        ) {
            turn::<$lanes, $width>(links, loops, z, pulls, share, is_spread);
        }
        #[target_feature(enable = $features)]
        fn $settle(
            links: &mut [TreeLink<$width>],
            bodies: &mut [MovingLink<$width>],
            loops: &mut Loops<$width>,
            is_driven: &[f64; $width],
        ) {
            settle::<$lanes, $width>(links, bodies, loops, is_driven);
        }
        #[target_feature(enable = $features)]
        fn $reach(
            reach: &mut Reach,
            links: &[FactoredLink],
            firsts: (usize, usize, u32),
            supports: &mut Supports,
        ) -> Option<(usize, Spatials)> {
            travel(reach, links, firsts, supports)
        }
        #[target_feature(enable = $features)]
        fn $end(factor: &Cholesky, momentum: &Spatials, first: u32, supports: &mut Supports) {
            end_at_root(factor, momentum, first, supports);
        }
        impl TreeWidth<$width> for $lanes {
            fn project(links: &mut [TreeLink<$width>], z: &mut [Record], is_asked: &[f64; $width]) {
                // SAFETY: this width is chosen by [`WidthOfLanes::widest`](super::super::WidthOfLanes::widest) where the processor has
                // its features.
                unsafe { $project(links, z, is_asked) }
            }
            fn flow(
                links: &mut [TreeLink<$width>],
                bodies: &mut [MovingLink<$width>],
                memory: (&mut Loops<$width>, &mut Vec<LinkStart<$width>>),
                step: f64,
                laws: &mut dyn MotionLaws<$width>,
            ) -> Flown<$width> {
                // SAFETY: as above.
                unsafe { $flow(links, bodies, memory, step, laws) }
            }
            fn place_rows(
                links: &mut [TreeLink<$width>],
                bodies: &mut [MovingLink<$width>],
                loops: &mut Loops<$width>,
                records: &[Record],
            ) {
                // SAFETY: as above.
                unsafe { $place(links, bodies, loops, records) }
            }
            fn turn(
                links: &mut [TreeLink<$width>],
                loops: &mut Loops<$width>,
                z: &mut [Record],
                pulls: &mut [Record],
                share: f64,
                is_spread: &[f64; $width],
            ) {
                // SAFETY: as above.
                unsafe { $turn(links, loops, z, pulls, share, is_spread) }
            }
            fn settle_trees(
                links: &mut [TreeLink<$width>],
                bodies: &mut [MovingLink<$width>],
                loops: &mut Loops<$width>,
                is_driven: &[f64; $width],
            ) {
                // SAFETY: as above.
                unsafe { $settle(links, bodies, loops, is_driven) }
            }
            fn reach(
                reach: &mut Reach,
                links: &[FactoredLink],
                firsts: (usize, usize, u32),
                supports: &mut Supports,
            ) -> Option<(usize, Spatials)> {
                // SAFETY: as above.
                unsafe { $reach(reach, links, firsts, supports) }
            }
            fn end_reach_at_root(factor: &Cholesky, momentum: &Spatials, first: u32, supports: &mut Supports) {
                // SAFETY: as above.
                unsafe { $end(factor, momentum, first, supports) }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
width!(Four, 4, "avx2", project_four, flow_four, place_four, turn_four, settle_four, reach_four, end_four);
#[cfg(target_arch = "x86_64")]
width!(
    Eight,
    8,
    "avx512f,avx512dq",
    project_eight,
    flow_eight,
    place_eight,
    turn_eight,
    settle_eight,
    reach_eight,
    end_eight
);
