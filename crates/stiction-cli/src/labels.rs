//! How the ticks of an axis are written.

use std::ops::Range;

/// How the ticks of an axis are written, so that no two are the same.
pub struct Labels {
    /// Taken off every tick and told in the title: the axis shows little of a large number.
    offset: f64,
    /// Digits of the offset behind the point.
    offset_digits: usize,
    /// Power of ten that all ticks are multiples of, told in the title.
    exponent: i32,
    digits: usize,
}

impl Labels {
    /// For ticks of a range.
    pub fn of(range: &Range<f64>) -> Self {
        let span = range.end - range.start;
        let order = |x: f64| x.abs().log10().floor() as i32;
        let size = range.start.abs().max(range.end.abs());
        let has_offset = size > 1e4 * span;
        // A round number of ten times the span.
        let unit_order = order(span) + 1;
        let unit = 10f64.powi(unit_order);
        let offset = if has_offset { (range.start / unit).round() * unit } else { 0.0 };
        let left = (range.start - offset).abs().max((range.end - offset).abs());
        let exponent = if (1e-3..1e5).contains(&left) { 0 } else { order(left) };
        // Ticks stand a tenth of the span apart, or a little more.
        let digits = (exponent - order(span) + 1).clamp(0, 12) as usize;
        Self { offset, offset_digits: (-unit_order).clamp(0, 15) as usize, exponent, digits }
    }

    /// A tick.
    pub fn text(&self, tick: f64) -> String {
        let shown = (tick - self.offset) / 10f64.powi(self.exponent);
        let text = format!("{shown:.*}", self.digits);
        // No sign of a zero that rounding made.
        if text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.')) { "0".to_owned() } else { text }
    }

    /// Title of the axis, with what was taken off its ticks.
    pub fn title(&self, title: &str) -> String {
        let power = if self.exponent == 0 { String::new() } else { format!(" × 1e{}", self.exponent) };
        let sign = if self.offset < 0.0 { '−' } else { '+' };
        let offset = format!(" {sign} {:.*}", self.offset_digits, self.offset.abs());
        format!("{title}{power}{}", if self.offset == 0.0 { String::new() } else { offset })
    }

    /// A tick of a logarithmic axis by its decimal logarithm: whole powers have a text.
    pub fn power(log: f64) -> String {
        let nearest = log.round();
        if (log - nearest).abs() < 1e-6 { format!("1e{nearest}") } else { String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_any_axis_are_distinct() {
        let mut random = 12345u64;
        let mut unit = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..20_000 {
            let size = 10f64.powf(24.0 * unit() - 12.0);
            let middle = size * (2.0 * unit() - 1.0);
            let span = size * 10f64.powf(-9.0 * unit());
            let range = middle - 0.5 * span..middle + 0.5 * span;
            let labels = Labels::of(&range);
            let ticks: Vec<String> = (0..=10).map(|k| labels.text(range.start + 0.1 * f64::from(k) * span)).collect();
            let mut distinct = ticks.clone();
            distinct.sort();
            distinct.dedup();
            assert!(distinct.len() == ticks.len() && ticks.iter().all(|t| t.len() < 12), "{range:?}: {ticks:?}");
        }
    }

    #[test]
    fn labels_are_plain_where_they_can_be() {
        let ticks = |range: Range<f64>, at: &[f64]| {
            let labels = Labels::of(&range);
            (labels.title("z [m]"), at.iter().map(|x| labels.text(*x)).collect::<Vec<_>>())
        };
        assert_eq!(
            ticks(0.0..5.0, &[0.0, 0.5, 5.0]),
            ("z [m]".to_owned(), ["0", "0.5", "5.0"].map(str::to_owned).to_vec())
        );
        let (title, labels) = ticks(0.0..2e-6, &[0.0, 1e-6, 1.5e-6]);
        assert_eq!((title.as_str(), labels.join(" ").as_str()), ("z [m] × 1e-6", "0 1.0 1.5"));
        let (title, labels) = ticks(9.812_340_1..9.812_340_9, &[9.812_340_2, 9.812_340_8]);
        assert_eq!((title.as_str(), labels.join(" ").as_str()), ("z [m] × 1e-7 + 9.812340", "2.0 8.0"));
    }
}
