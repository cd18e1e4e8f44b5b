//! Pair orders as the stock library has them, and pairs as a plain search has them.

use std::ffi::c_void;
use std::ptr::null_mut;

use super::api::{
    dHashSpaceCreate, dQuadTreeSpaceCreate, dSimpleSpaceCreate, dSpaceDestroy, dSpaceGetGeom, dSweepAndPruneSpaceCreate,
};
use super::collide::{dSpaceCollide, overlap};
use super::grid::{Bounds, Grid, pairs_in_order};
use crate::geom::{GeomId, GeomShape, create, moved};

type Pairs = Vec<(usize, usize)>;

unsafe extern "C-unwind" fn note(pairs: *mut c_void, first: GeomId, second: GeomId) {
    let number = |geom: GeomId| (*geom).user_data as usize;
    (*pairs.cast::<Pairs>()).push((number(first), number(second)));
}

unsafe fn pairs(space: GeomId) -> Pairs {
    let mut pairs = Pairs::new();
    dSpaceCollide(space, (&raw mut pairs).cast(), Some(note));
    pairs
}

/// Pairs of five spheres in a row, made in order 1 to 5, before and after the third is moved, and that geom's number which
/// is then the first.
unsafe fn row_of_five(space: GeomId) -> (Pairs, Pairs, usize) {
    let geoms = [1, 2, 3, 4, 5].map(|number: usize| {
        let geom = create(space, true, GeomShape::Sphere { radius: 0.6 });
        (*geom).user_data = number as *mut c_void;
        (*geom).pose.position[0] = number as crate::types::dReal;
        geom
    });
    let before = pairs(space);
    moved(geoms[2]);
    let first = (*dSpaceGetGeom(space, 0)).user_data as usize;
    let after = pairs(space);
    dSpaceDestroy(space);
    (before, after, first)
}

const NEWEST_FIRST: [(usize, usize); 4] = [(5, 4), (4, 3), (3, 2), (2, 1)];

#[test]
fn orders_are_those_of_the_stock_library() {
    let (center, half) = ([0.0; 4], [10.0; 4]);
    // SAFETY: handles are those just made.
    unsafe {
        let (before, after, first) = row_of_five(dSimpleSpaceCreate(null_mut()));
        assert_eq!(before, NEWEST_FIRST);
        assert_eq!((after, first), (vec![(3, 4), (3, 2), (5, 4), (2, 1)], 3));
        let (before, after, _) = row_of_five(dHashSpaceCreate(null_mut()));
        assert_eq!(before, NEWEST_FIRST);
        assert_eq!(after, [(3, 2), (3, 4), (5, 4), (2, 1)]);
        let (before, after, _) = row_of_five(dQuadTreeSpaceCreate(null_mut(), center.as_ptr(), half.as_ptr(), 0));
        assert_eq!(before, NEWEST_FIRST);
        assert_eq!(after, NEWEST_FIRST);
        let (before, after, _) = row_of_five(dSweepAndPruneSpaceCreate(null_mut(), 36));
        assert_eq!(before, [(1, 2), (2, 3), (3, 4), (4, 5)]);
        assert_eq!(after, before);
    }
}

#[test]
fn grids_find_what_a_plain_search_finds() {
    let mut state = 1u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for _ in 0..50 {
        let mut boxes: Vec<Bounds> = Vec::new();
        for _ in 0..150 {
            let size = 4.0f64.powi((uniform() * 6.0) as i32 - 4);
            let ends = [0; 3].map(|_| {
                // Half of them on a lattice, where they touch exactly.
                let low = if uniform() < 0.5 { (uniform() * 8.0).floor() } else { uniform() * 8.0 } - 4.0;
                [low, low + if uniform() < 0.5 { size } else { size * uniform() }]
            });
            boxes.push([ends[0][0], ends[0][1], ends[1][0], ends[1][1], ends[2][0], ends[2][1]]);
        }
        boxes[7] = [f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, -1.0, 0.0];
        boxes[9] = [1e200, 2e200, 0.0, 1.0, 0.0, 1.0];
        boxes[11] = boxes[9];
        let mut expected = Vec::new();
        for i in 0..boxes.len() {
            for j in i + 1..boxes.len() {
                if overlap(&boxes[i], &boxes[j]) {
                    expected.push((i as u32, j as u32));
                }
            }
        }
        let mut pairs = Vec::new();
        pairs_in_order(&boxes, &mut Grid::default(), &mut pairs);
        assert_eq!(pairs, expected);
    }
}
