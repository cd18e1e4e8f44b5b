//! The friction of a patch, a force and a twist, as forces at its points.

use glam::DVec3;

use crate::solvers::soft::Record;

/// Where the friction of a patch acts: by the shares of its points.
pub(super) fn center_of_friction(places: &[DVec3], records: &[Record]) -> DVec3 {
    places.iter().zip(&records[1..]).map(|(place, record)| (record.0[7] - 1.0).max(0.0) * *place).sum()
}

/// Part of the spread of all points below which those that bear are too near each other to turn anything.
const NARROW: f64 = 0.1;

/// Shares the friction of a patch, a force at a point and a twist about the normal, among its points, so that its sum and moment are the
/// same: force and torque of each. They go by the loads; a twist that points side by side would have to give is shared by all.
pub(super) fn share_friction(
    places: &[DVec3],
    loads: &[f64],
    normal: DVec3,
    (force, at, twist): (DVec3, DVec3, f64),
) -> [(DVec3, DVec3); 4] {
    let count = places.len();
    let (sum, even) = (loads.iter().sum::<f64>(), 1.0 / count as f64);
    let weights: [f64; 4] = std::array::from_fn(|k| {
        if k >= count {
            0.0
        } else if sum > 0.0 {
            loads[k] / sum
        } else {
            even
        }
    });
    let about = |weights: &dyn Fn(usize) -> f64| {
        let center: DVec3 = (0..count).map(|k| weights(k) * places[k]).sum();
        let spread: f64 = (0..count).map(|k| weights(k) * (places[k] - center).length_squared()).sum();
        (center, spread)
    };
    let (center, spread) = about(&|k| weights[k]);
    let (middle, widest) = about(&|_| even);
    let twist = twist + normal.dot((at - center).cross(force));
    let is_narrow = spread < NARROW * widest;
    let (pivot, spread) = if is_narrow { (middle, widest) } else { (center, spread) };
    let is_spread = spread > 1e-18;
    let mut shares = [(DVec3::ZERO, DVec3::ZERO); 4];
    for k in 0..count {
        let part = if is_narrow { even } else { weights[k] };
        let turning = if is_spread { part * twist / spread * normal.cross(places[k] - pivot) } else { DVec3::ZERO };
        let torque = if is_spread { DVec3::ZERO } else { weights[k] * twist * normal };
        shares[k] = (weights[k] * force + turning, torque);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Force and moment are those of the patch, and no point has more than its load allows by much, wherever the points are.
    #[test]
    fn shares_have_the_wrench_of_the_patch_and_none_is_huge() {
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for case in 0..4000 {
            let normal = DVec3::Z;
            let mut places: [DVec3; 4] = std::array::from_fn(|_| DVec3::new(random(), random(), 0.0));
            let mut loads: [f64; 4] = std::array::from_fn(|_| random().max(0.0));
            if case % 2 == 0 {
                // Two that bear lie side by side.
                places[1] = places[0] + 1e-7 * DVec3::new(random(), random(), 0.0);
                loads = [random().abs(), random().abs(), 0.0, 0.0];
            }
            let count = 2 + case % 3;
            let (force, at) = (DVec3::new(random(), random(), 0.0), DVec3::new(random(), random(), 0.0));
            let twist = random();
            let shares = share_friction(&places[..count], &loads[..count], normal, (force, at, twist));
            let sum: DVec3 = shares.iter().map(|share| share.0).sum();
            let moment: DVec3 = (0..count).map(|k| (places[k] - at).cross(shares[k].0) + shares[k].1).sum();
            let middle = places[..count].iter().sum::<DVec3>() / count as f64;
            let widest = places[..count].iter().map(|place| place.distance(middle)).fold(0.0, f64::max);
            if widest > 1e-3 {
                let most = shares.iter().map(|share| share.0.length()).fold(0.0, f64::max);
                assert!(
                    most < 10.0 * (force.length() + (twist.abs() + 3.0 * force.length()) / widest),
                    "{case}: {most}"
                );
                assert!((sum - force).length() < 1e-9, "{case}: {sum} for {force}");
                assert!((moment.z - twist).abs() < 1e-9, "{case}: {} for {twist}", moment.z);
            }
        }
    }
}
