//! At which steps two runs of different step sizes are compared.

/// Instants that exact common times must have over a run; with fewer the nearest steps of all instants say more.
const LEAST: u64 = 10;

/// Pairs of step counts of two runs, in order of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pairing {
    kind: Kind,
    /// Steps of the reference and of the other run \[s\].
    steps: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Every `reference` steps of the one are exactly `other` steps of the other.
    Exact { reference: u64, other: u64 },
    /// Each step of the reference, and the nearest of the other.
    EachOfReference,
    /// Each step of the other, and the nearest of the reference.
    EachOfOther,
}

impl Pairing {
    /// For steps of two runs of a duration \[s\]. Equal times come first: their least common multiple, if both steps are
    /// fractions of whole numbers and enough multiples lie in the duration. Else each step of the run with the longer steps
    /// meets the nearest of the other.
    pub(super) fn new(reference: f64, other: f64, duration: f64) -> Self {
        let steps = [reference, other];
        let longer = reference.max(other);
        let least = LEAST.min((duration / longer).round() as u64);
        let exact = meeting(reference, other)
            .filter(|(count, _)| *count as f64 * reference * least as f64 <= duration * (1.0 + 1e-9))
            .map(|(reference, other)| Kind::Exact { reference, other });
        let nearest = if reference >= other { Kind::EachOfReference } else { Kind::EachOfOther };
        Self { kind: exact.unwrap_or(nearest), steps }
    }

    /// Step counts of the reference and of the other run at the instant `index`, from 0.
    pub(super) fn at(&self, index: u64) -> (u64, u64) {
        let [reference, other] = self.steps;
        let nearest = |own: f64, to: f64| (index as f64 * own / to).round() as u64;
        match self.kind {
            Kind::Exact { reference, other } => (index * reference, index * other),
            Kind::EachOfReference => (index, nearest(reference, other)),
            Kind::EachOfOther => (nearest(other, reference), index),
        }
    }

    /// Time between two instants \[s\].
    pub(super) fn interval(&self) -> f64 {
        let [reference, other] = self.steps;
        match self.kind {
            Kind::Exact { reference: count, .. } => count as f64 * reference,
            Kind::EachOfReference | Kind::EachOfOther => reference.max(other),
        }
    }

    /// How far the two times of an instant lie apart \[s\]: 0 where they are equal but for rounding.
    pub(super) fn offset(&self, index: u64) -> f64 {
        if matches!(self.kind, Kind::Exact { .. }) {
            return 0.0;
        }
        let (reference, other) = self.at(index);
        (reference as f64 * self.steps[0] - other as f64 * self.steps[1]).abs()
    }
}

/// The least counts of steps after which the times of two runs are equal.
fn meeting(reference: f64, other: f64) -> Option<(u64, u64)> {
    let ((n, d), (m, e)) = (fraction(reference)?, fraction(other)?);
    // k n / d = l m / e, so that k / l = m d / (n e) in lowest terms.
    let (k, l) = (u128::from(m) * u128::from(d), u128::from(n) * u128::from(e));
    let common = gcd(k, l);
    Some((u64::try_from(k / common).ok()?, u64::try_from(l / common).ok()?))
}

/// The simplest fraction of whole numbers that is the number, bit for bit: 1/60 for 0.016666666666666666. The convergents of
/// its continued fraction, by Euclid's algorithm on the exact binary fraction.
fn fraction(x: f64) -> Option<(u64, u64)> {
    let (mantissa, exponent) = ((x.to_bits() & ((1 << 52) - 1)) | 1 << 52, ((x.to_bits() >> 52) & 0x7ff) as i64 - 1075);
    if !(x.is_normal() && x > 0.0 && (-120..=10).contains(&exponent)) {
        return None;
    }
    let (mut a, mut b) = (u128::from(mantissa) << exponent.max(0), 1u128 << (-exponent).max(0));
    let (mut last, mut now) = ((0u128, 1u128), (1u128, 0u128));
    while b > 0 {
        let whole = a / b;
        let next = (whole.checked_mul(now.0)?.checked_add(last.0)?, whole.checked_mul(now.1)?.checked_add(last.1)?);
        (last, now) = (now, next);
        (a, b) = (b, a % b);
        // Numbers up to 2⁵³ are exact, and so is the quotient of such numbers but for one rounding.
        if now.0.max(now.1) > 1 << 53 {
            return None;
        }
        if (now.0 as f64 / now.1 as f64).to_bits() == x.to_bits() {
            return Some((now.0 as u64, now.1 as u64));
        }
    }
    None
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_the_fractions_that_people_mean() {
        for (x, expected) in [
            (0.001, (1, 1000)),
            (0.0025, (1, 400)),
            (1.0 / 60.0, (1, 60)),
            (1.0 / 240.0, (1, 240)),
            (0.1, (1, 10)),
            (2.0, (2, 1)),
            (0.0007, (7, 10_000)),
        ] {
            assert_eq!(fraction(x), Some(expected), "{x}");
        }
        for x in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-40] {
            assert_eq!(fraction(x), None, "{x}");
        }
        let mut random = 1u64;
        for _ in 0..2000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (n, d) = ((random >> 40) % 1000 + 1, (random >> 20) % 100_000 + 1);
            let g = gcd(n.into(), d.into()) as u64;
            assert_eq!(fraction(n as f64 / d as f64), Some((n / g, d / g)), "{n} / {d}");
        }
    }

    #[test]
    fn equal_times_are_found_where_there_are_any() {
        for (reference, other, expected) in
            [(0.001, 0.001, (1, 1)), (0.001, 0.0025, (5, 2)), (0.001, 1.0 / 60.0, (50, 3)), (0.01, 0.001, (1, 10))]
        {
            let pairing = Pairing::new(reference, other, 5.0);
            assert_eq!(pairing.kind, Kind::Exact { reference: expected.0, other: expected.1 });
            assert_eq!(pairing.at(3), (3 * expected.0, 3 * expected.1));
            for index in 0..50 {
                let (k, l) = pairing.at(index);
                assert!((k as f64 * reference - l as f64 * other).abs() < 1e-12, "{reference} {other}");
            }
        }
    }

    /// Without equal times no pair of instants is farther apart than half the shorter step, and none is used twice.
    #[test]
    fn nearest_steps_are_nearest() {
        for (reference, other) in [(0.001, 0.00123456789), (0.00123456789, 0.001), (0.001, std::f64::consts::PI * 1e-3)]
        {
            let pairing = Pairing::new(reference, other, 5.0);
            assert!(!matches!(pairing.kind, Kind::Exact { .. }), "{reference} {other}");
            let pairs: Vec<_> = (0..1000).map(|i| pairing.at(i)).collect();
            assert!(pairs.windows(2).all(|p| p[0].0 < p[1].0 && p[0].1 < p[1].1), "{reference} {other}");
            let offsets: Vec<f64> = (0..1000).map(|i| pairing.offset(i)).collect();
            assert!(offsets.iter().all(|o| *o <= 0.5 * reference.min(other) + 1e-12), "{reference} {other}");
            assert!(offsets.iter().any(|o| *o > 0.4 * reference.min(other)), "{reference} {other}");
        }
    }

    /// A run that is shorter than its steps has one instant, its start.
    #[test]
    fn short_runs_have_their_start() {
        for (reference, other, duration) in [(0.001, 0.01, 0.003), (0.5, 0.3, 0.0), (0.001, 0.0017, 0.0)] {
            assert_eq!(Pairing::new(reference, other, duration).at(0), (0, 0));
        }
    }
}
