//! Indented text of names and values.

use std::ffi::c_int;

use crate::stream::general;

/// Digits that tell a number.
const PRECISION: c_int = if cfg!(feature = "single") { 7 } else { 15 };

/// Text that grows, and how deep its next line stands.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub text: String,
    pub depth: usize,
}

/// A number as C prints it; infinity has its short name.
pub(super) fn number(value: f64) -> String {
    match value {
        f64::INFINITY => "inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        _ => general(value, PRECISION),
    }
}

/// Numbers between commas.
fn list(values: &[f64]) -> String {
    values.iter().map(|&value| number(value)).collect::<Vec<_>>().join(",")
}

impl Writer {
    /// A line at the present depth.
    pub(super) fn line(&mut self, text: &str) {
        self.text.extend(std::iter::repeat_n('\t', self.depth));
        self.text += text;
        self.text.push('\n');
    }

    pub(super) fn integer(&mut self, name: &str, value: i64) {
        self.line(&format!("{name} = {value},"));
    }

    pub(super) fn real(&mut self, name: &str, value: f64) {
        self.line(&format!("{name} = {},", number(value)));
    }

    /// A number that is told only where it is not zero.
    pub(super) fn nonzero(&mut self, name: &str, value: f64) {
        if value != 0.0 {
            self.real(name, value);
        }
    }

    pub(super) fn vector(&mut self, name: &str, values: impl Into<[f64; 3]>) {
        self.line(&format!("{name} = {{{}}},", list(&values.into())));
    }

    /// A vector that is told only where none of its elements is zero, as ODE does.
    pub(super) fn vector_nonzero(&mut self, name: &str, values: impl Into<[f64; 3]>) {
        let values = values.into();
        if !values.contains(&0.0) {
            self.vector(name, values);
        }
    }

    /// w, x, y, z.
    pub(super) fn quaternion(&mut self, name: &str, q: glam::DQuat) {
        self.line(&format!("{name} = {{{}}},", list(&[q.w, q.x, q.y, q.z])));
    }

    pub(super) fn word(&mut self, name: &str, value: &str) {
        self.line(&format!("{name} = \"{value}\","));
    }

    /// A table whose entries stand one deeper.
    pub(super) fn table(&mut self, opening: &str, closing: &str, entries: impl FnOnce(&mut Self)) {
        self.line(opening);
        self.depth += 1;
        entries(self);
        self.depth -= 1;
        self.line(closing);
    }

    /// Rows of a matrix.
    pub(super) fn matrix(&mut self, name: &str, rows: [[f64; 3]; 3]) {
        let rows = rows.map(|row| list(&row)).join("},{");
        self.line(&format!("{name} = {{{{{rows}}}}},"));
    }
}
