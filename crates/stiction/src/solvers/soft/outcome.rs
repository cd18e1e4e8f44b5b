//! Impulses of bundles back into the records of their manifolds.

use super::bundle::{Bundle, NORMAL, load_rows};
use super::lane::Lanes;
use super::own_places::OwnPlaces;
use super::records::{GIVEN, MANIFOLD_RECORDS, NORMAL_PLACE, record_of};

/// Writes impulses of the last sub-step, by so many times, and those of the whole step, and which points share friction from now on.
/// Returns the largest overlap at the start of the step, and whether some manifold bears that did not, or the other way round.
#[inline(always)]
pub(super) fn write<L: Lanes<W>, const W: usize>(
    bundles: &[Bundle<W>],
    records: &mut OwnPlaces,
    times: f64,
) -> (f64, bool) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let mut changed = zero;
    let mut deepest = L::splat(f64::NEG_INFINITY);
    for bundle in bundles {
        let (last, total) = (load_rows::<L, W, 4>(&bundle.lambda), load_rows::<L, W, 4>(&bundle.total));
        let mut scaled = last;
        for row in &mut scaled {
            *row = *row * L::splat(times);
        }
        let (mut friction, mut given) = ([[0.0; W]; 4], [zero; 8]);
        for e in 0..3 {
            let (t, u) = (L::load(&bundle.directions[0][e]), L::load(&bundle.directions[1][e]));
            (scaled[0] * t + scaled[1] * u).store(&mut friction[e]);
            given[4 + e] = total[0] * t + total[1] * u;
        }
        scaled[2].store(&mut friction[3]);
        given[7] = total[2];
        let (mut there, mut bears, mut shares, mut normals) = ([zero; 4], [zero; 4], [[0.0; W]; 4], [[0.0; W]; 4]);
        let (mut all, mut loaded, mut load) = (zero, zero, zero);
        for k in 0..4 {
            there[k] = L::load(&bundle.inverse[NORMAL + k]).if_positive(one, zero);
            let gap = L::load(&bundle.first_gap[k]);
            bears[k] = there[k] * last[NORMAL + k].if_positive(one, gap.if_positive(zero, one));
            load = load.max(total[NORMAL + k]);
            (all, loaded) = (all + there[k], loaded + bears[k]);
            deepest = deepest.max(there[k].if_positive(-gap, deepest));
            scaled[NORMAL + k].store(&mut normals[k]);
            given[k] = total[NORMAL + k];
        }
        let difference = load.if_positive(one, zero) - L::load(&bundle.bore).if_positive(one, zero);
        changed = changed + difference * difference;
        let each = one / loaded.if_positive(loaded, all.max(one));
        for k in 0..4 {
            let part = loaded.if_positive(bears[k], there[k]);
            // A point is there, and its share: nothing is written of one that is not.
            there[k].if_positive(one + part.if_positive(each, zero), zero).store(&mut shares[k]);
        }
        let count = bundle.count as usize;
        if count == W {
            records.scatter::<L, W>(&given, &record_of(&bundle.records, GIVEN as u32));
        } else {
            scatter_first::<L, W>(&given, records, &record_of(&bundle.records, GIVEN as u32), count);
        }
        for lane in 0..count {
            let start = MANIFOLD_RECORDS * bundle.records[lane] as usize;
            let head = records.at(start);
            for e in 0..4 {
                head.0[4 + e] = friction[e][lane];
            }
            for k in (0..4).filter(|k| shares[*k][lane] > 0.0) {
                let point = records.at(start + 1 + k);
                point.0[NORMAL_PLACE] = normals[k][lane];
                point.0[NORMAL_PLACE + 1] = shares[k][lane];
            }
        }
    }
    let mut lanes = [0.0; W];
    deepest.store(&mut lanes);
    (lanes.into_iter().fold(f64::NEG_INFINITY, f64::max), changed.any_positive())
}

/// Writes the records of the first lanes: of the others nothing is there.
#[inline(always)]
fn scatter_first<L: Lanes<W>, const W: usize>(values: &[L; 8], records: &mut OwnPlaces, at: &[u32; W], count: usize) {
    let mut numbers = [[0.0; W]; 8];
    for e in 0..8 {
        values[e].store(&mut numbers[e]);
    }
    for lane in 0..count {
        records.at(at[lane] as usize).0 = numbers.map(|number| number[lane]);
    }
}
