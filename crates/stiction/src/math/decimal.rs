//! Numbers in messages.

use std::fmt;

/// A number with an exponent where its digits alone would fill a line.
pub(crate) struct Decimal(pub(crate) f64);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size >= 1e16 && size.is_finite() || (size < 1e-6 && size > 0.0) {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn messages_have_no_hundreds_of_digits() {
        let shown = [-1e300, 5e-324, 1e15, 0.0, -0.25, f64::INFINITY].map(|x| Decimal(x).to_string());
        assert_eq!(shown, ["-1e300", "5e-324", "1000000000000000", "0", "-0.25", "inf"]);
    }
}
