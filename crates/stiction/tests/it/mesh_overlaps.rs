//! Two closed meshes that are not convex, put into each other at random: contacts ask for a way that takes them apart.

use crate::numbers::Numbers;
use crate::substeps::solids::{Solid, overlap};
use stiction::collision::{ContactQuery, ManifoldPoint, collide};
use stiction::math::{DVec3, Pose};

/// A kind of solid that is an L.
const ANGLE: usize = 5;

/// Largest overlap of the convex parts [m].
fn deepest(a: (&Solid, &Pose), b: (&Solid, &Pose)) -> f64 {
    let of = |part| b.0.parts.iter().map(move |other| overlap((part, a.1), (other, b.1), &[]));
    a.0.parts.iter().flat_map(of).fold(f64::NEG_INFINITY, f64::max)
}

/// The least translation t with `t·n >= depth` for all points (Hildreth's method).
fn least_way(points: &[ManifoldPoint]) -> DVec3 {
    let (mut factors, mut way) = (vec![0.0; points.len()], DVec3::ZERO);
    for _ in 0..2000 {
        for (factor, point) in factors.iter_mut().zip(points) {
            let more = f64::max(point.depth - way.dot(point.normal), -*factor);
            *factor += more;
            way += point.normal * more;
        }
    }
    way
}

/// Two angles whose overlap is about a share of the smaller one's reach, between 5e-5 and 0.5.
fn pair(case: usize) -> Option<[(Solid, Pose); 2]> {
    let mut r = Numbers(104_729 * case as u64 + 7);
    let [a, b] = [0; 2].map(|_| Solid::random(ANGLE, 0.05 * 20f64.powf(r.next()), &mut r));
    let [of_a, of_b] = [0; 2].map(|_| r.rotation());
    let first = Pose { position: r.vector(), rotation: of_a };
    let (along, aside) = (r.vector().normalize_or(DVec3::X), r.vector() * 0.7 * a.reach.max(b.reach));
    let wanted = 0.5 * a.reach.min(b.reach) * 1e4f64.powf(r.next() - 1.0);
    let far = a.reach + b.reach + aside.length();
    let second = |way: f64| Pose { position: first.position + aside + along * way, rotation: of_b };
    let is_deep = |way: f64| {
        let second = second(way);
        (first.position - second.position).length() < a.reach + b.reach && deepest((&a, &first), (&b, &second)) > wanted
    };
    // From afar to the first touch, then by halves.
    let step = far / 100.0;
    let reached = (0..200).map(|k| far - step * f64::from(k)).find(|way| is_deep(*way))?;
    let (mut deep, mut free) = (reached, reached + step);
    for _ in 0..14 {
        let middle = 0.5 * (deep + free);
        if is_deep(middle) { deep = middle } else { free = middle }
    }
    let second = second(deep);
    Some([(a, first), (b, second)])
}

#[test]
fn contacts_of_angles_take_them_apart() {
    let mut judged = 0;
    for case in 0..stiction_testing::cases(60, 10_000) {
        let Some([(a, first), (b, second)]) = pair(case) else { continue };
        let overlap = deepest((&a, &first), (&b, &second));
        // Gaps within a margin must not hide an overlap elsewhere.
        for margin in [0.0, 0.02] {
            let mut points = Vec::new();
            let query = ContactQuery { max_points: 24, margin, ..ContactQuery::default() };
            collide(&a.shape, &first, &b.shape, &second, &query, &mut points);
            let way = least_way(&points);
            assert!(way.length() > 0.95 * overlap, "{case}: an overlap of {overlap} m, a way of {} m", way.length());
            let moved = Pose { position: first.position + way, ..first };
            let left = deepest((&a, &moved), (&b, &second));
            assert!(left < 0.05 * way.length(), "{case}: {left} m left after a way of {} m", way.length());
        }
        judged += 1;
    }
    assert!(judged > 20, "{judged} pairs");
}
