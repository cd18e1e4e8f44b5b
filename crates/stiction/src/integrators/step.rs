//! A step of time.

/// A step of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Its start \[s\].
    pub start: f64,
    /// Its length \[s\].
    pub h: f64,
    /// Its end \[s\]; `start + h` up to rounding.
    pub end: f64,
}

impl Step {
    /// Time at a node `c` of a scheme, 0 to 1.
    #[inline]
    pub fn node(&self, c: f64) -> f64 {
        self.start + c * self.h
    }
    /// Its halves.
    pub fn halves(&self) -> [Self; 2] {
        let (h, middle) = (0.5 * self.h, self.node(0.5));
        [Self { start: self.start, h, end: middle }, Self { start: middle, h, end: self.end }]
    }
}
