//! Text files line by line.

use super::error::{Fault, MeshProblem};

/// Lines with their numbers, from 1. Bytes that are not UTF-8 may stand in names and comments of files in use, so lines are
/// bytes.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// What ends a line: files of old programs have carriage returns alone.
    end: u8,
    /// Number of the line given last.
    pub(super) number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
        Self { rest: bytes, end, number: 0 }
    }

    /// Bytes after the line given last.
    pub(super) const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = self.rest.iter().position(|b| *b == self.end);
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(line.trim_ascii())
    }
}

/// The bytes behind the mark that some programs begin a text in UTF-8 with.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Words between white space.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A word for a message.
pub(super) fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(160)]).into_owned()
}

/// A finite number.
pub(super) fn number(word: Option<&[u8]>, line: usize) -> Result<f64, Fault> {
    let expected = |word: &[u8]| MeshProblem::unexpected("a number", &shown(word)).at_line(line);
    let word = word.ok_or_else(|| expected(b""))?;
    let value: f64 = str::from_utf8(word).ok().and_then(|w| w.parse().ok()).ok_or_else(|| expected(word))?;
    if value.is_finite() { Ok(value) } else { Err(MeshProblem::NotFinite.at_line(line)) }
}
