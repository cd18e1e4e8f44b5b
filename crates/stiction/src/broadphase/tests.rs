use glam::DVec3;

use super::*;

/// Deterministic numbers in [0, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn point(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

fn random_proxy(r: &mut Numbers, count: u32) -> Proxy {
    let size = 0.02 * (1.0 / (r.next() + 0.01)).min(60.0);
    let spread = if r.next() < 0.001 { 1e12 } else { libm::cbrt(f64::from(count)) };
    let aabb = Aabb::from_center(r.point() * spread, r.point() * size);
    let body = if r.next() < 0.2 { Proxy::STATIC } else { (r.next() * f64::from(count) * 0.9) as u32 };
    let category = 1 << (r.next() * 4.0) as u32;
    let collide = if r.next() < 0.1 { 3 } else { u64::MAX };
    Proxy { aabb, category, collide, body }
}

const KINDS: [BroadPhaseKind; 3] = [BroadPhaseKind::Hash, BroadPhaseKind::Sweep, BroadPhaseKind::Bvh];

fn agree_with_brute(count: u32, steps: u32) {
    let mut r = Numbers(7);
    let mut proxies: Vec<Proxy> = (0..count).map(|_| random_proxy(&mut r, count)).collect();
    proxies[3].aabb = Aabb::new(DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, f64::INFINITY, 1.0));
    proxies[5].aabb = Aabb::INFINITE;
    let mut phases: Vec<_> = KINDS.iter().map(|k| k.build()).collect();
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    for step in 0..steps {
        Brute.find_pairs(&proxies, &mut expected);
        assert!(count < 10_000 || expected.len() > 5000, "{}", expected.len());
        assert!(expected.is_sorted_by(|a, b| a < b) && expected.iter().all(|(i, j)| i < j));
        for phase in &mut phases {
            phase.find_pairs(&proxies, &mut found);
            assert!(found == expected, "{} in step {step}: {} {}", phase.name(), found.len(), expected.len());
        }
        for p in proxies.iter_mut().filter(|p| p.aabb.is_finite()) {
            let shift = (r.point() - DVec3::splat(0.5)) * if r.next() < 0.05 { 10.0 } else { 0.05 };
            p.aabb = Aabb::new(p.aabb.min + shift, p.aabb.max + shift);
        }
        // Slots go, come back, become endless, change filters, and their number changes.
        let pick = |r: &mut Numbers, n: usize| (r.next() * n as f64) as usize;
        for _ in 0..10 {
            let n = proxies.len();
            proxies[pick(&mut r, n)].aabb = Aabb::EMPTY;
            let k = pick(&mut r, n);
            proxies[k] = random_proxy(&mut r, count);
            proxies[pick(&mut r, n)].category = 2;
        }
        if step % 2 == 0 {
            proxies.truncate(count as usize * 9 / 10);
        } else {
            proxies.extend((0..count / 5).map(|_| random_proxy(&mut r, count)));
        }
    }
}

#[test]
fn all_methods_agree_with_brute_force() {
    agree_with_brute(10_000, 4);
    agree_with_brute(100, 40);
}

#[test]
fn touching_boxes_pair_and_removed_slots_do_not() {
    let unit = |x: f64| Aabb::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 1.0));
    let proxy = |aabb: Aabb, body: u32| Proxy { aabb, category: 1, collide: 1, body };
    let mut proxies =
        vec![proxy(unit(0.0), 0), proxy(unit(1.0), 1), proxy(Aabb::EMPTY, 2), proxy(Aabb::INFINITE, Proxy::STATIC)];
    for kind in KINDS.into_iter().chain([BroadPhaseKind::Simple]) {
        let mut phase = kind.build();
        let mut pairs = Vec::new();
        phase.find_pairs(&proxies, &mut pairs);
        assert_eq!(pairs, [(0, 1), (0, 3), (1, 3)], "{}", phase.name());
        proxies[1].body = Proxy::STATIC;
        phase.find_pairs(&proxies, &mut pairs);
        assert_eq!(pairs, [(0, 1), (0, 3)], "{}", phase.name());
        proxies[1].body = 1;
    }
}

/// A grid of boxes that touch their neighbours, each shaking by a hundredth of its size.
#[test]
#[ignore = "a timing, for the release profile"]
fn time_of_a_thousand_resting_boxes() {
    let mut r = Numbers(9);
    let mut rest = Vec::new();
    for i in 0..1000u32 {
        let center = DVec3::new(f64::from(i % 10), f64::from(i / 10 % 10), f64::from(i / 100));
        rest.push(Proxy { aabb: Aabb::from_center(center, DVec3::splat(0.505)), category: 1, collide: 1, body: i });
    }
    rest.push(Proxy { aabb: Aabb::INFINITE, category: 1, collide: 1, body: Proxy::STATIC });
    for kind in KINDS.into_iter().chain([BroadPhaseKind::Simple]) {
        let mut phase = kind.build();
        let mut pairs = Vec::new();
        let frames: Vec<Vec<Proxy>> = (0..50)
            .map(|_| {
                let shaken = |p: &Proxy| {
                    let shift = (r.point() - DVec3::splat(0.5)) * 0.01;
                    Proxy { aabb: Aabb::new(p.aabb.min + shift, p.aabb.max + shift), ..*p }
                };
                rest.iter().map(shaken).collect()
            })
            .collect();
        phase.find_pairs(&frames[0], &mut pairs);
        let start = std::time::Instant::now();
        for frame in &frames {
            phase.find_pairs(frame, &mut pairs);
        }
        let each = start.elapsed().as_nanos() as f64 / (frames.len() * rest.len()) as f64;
        println!("{:<8}{:>8.1} ns a body, {} pairs", phase.name(), each, pairs.len());
    }
}
