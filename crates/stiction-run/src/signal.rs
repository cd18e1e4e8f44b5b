//! Values over time: a constant, or the columns of a CSV file.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use stiction_formats::bundled_text;

use crate::error::{RunError, unreadable};

/// A value over time \[s\]: linear between its points, held before the first and after the last.
#[derive(Clone, Debug)]
pub struct Signal {
    times: Arc<[f64]>,
    values: Vec<f64>,
}

impl Signal {
    /// The same at all times.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { times: [0.0].into(), values: vec![value] }
    }

    /// The lowest value.
    pub(crate) fn least(&self) -> f64 {
        self.values.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Keeps all values within bounds; true if one was outside.
    pub(crate) fn clamp(&mut self, [lower, upper]: [f64; 2]) -> bool {
        let mut was_outside = false;
        for value in &mut self.values {
            was_outside |= *value < lower || *value > upper;
            *value = value.clamp(lower, upper);
        }
        was_outside
    }

    /// The value at a time \[s\].
    #[must_use]
    pub fn value(&self, time: f64) -> f64 {
        let after = self.times.partition_point(|t| *t <= time);
        let at = |i: usize| (self.times[i], self.values[i]);
        if after == 0 {
            return self.values[0];
        }
        let (t0, v0) = at(after - 1);
        if after == self.times.len() {
            return v0;
        }
        let (t1, v1) = at(after);
        v0 + (v1 - v0) * ((time - t0) / (t1 - t0))
    }
}

impl Signal {
    /// Reads a CSV file: `time` \[s\], rising, and named columns. A cell in quotes may hold commas.
    ///
    /// # Errors
    /// The file cannot be read, or is no such table; the error has the place.
    pub fn read_csv(path: &Path) -> Result<Vec<(String, Self)>, RunError> {
        read_csv(path)
    }
}

/// Reads a CSV file: `time` and named columns.
fn read_csv(path: &Path) -> Result<Vec<(String, Signal)>, RunError> {
    let wrong = |place, reason| RunError::File { path: path.to_owned(), place, reason };
    let text = match bundled_text(path) {
        Some(text) => text.to_owned(),
        None => fs::read_to_string(path).map_err(|e| wrong(None, unreadable(&e)))?,
    };
    parse_csv(&text).map_err(|fault| wrong(Some((fault.line, fault.column)), fault.message))
}

/// What is wrong in a text, and where; both count from 1.
#[derive(Debug)]
struct Fault {
    line: usize,
    column: usize,
    message: String,
}

fn parse_csv(text: &str) -> Result<Vec<(String, Signal)>, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let fault = |line: usize, column: usize, message: String| Fault { line, column, message };
    let mut lines = text.lines().enumerate().map(|(i, l)| (i + 1, l)).filter(|(_, l)| !l.trim().is_empty());
    let (head_line, head) = lines.next().ok_or_else(|| fault(1, 1, "the file is empty".into()))?;
    let header = fields(head).map_err(|column| fault(head_line, column, "a quote is not closed".into()))?;
    if header.first().is_none_or(|(_, name)| name != "time") {
        return Err(fault(head_line, 1, "the first column must be `time`".into()));
    }
    if header.len() < 2 {
        return Err(fault(head_line, 1, "there is no column other than `time`".into()));
    }
    let mut times: Vec<f64> = Vec::new();
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); header.len() - 1];
    for (line, row) in lines {
        let cells = fields(row).map_err(|column| fault(line, column, "a quote is not closed".into()))?;
        if cells.len() != header.len() {
            let column = cells.get(header.len()).map_or(row.chars().count() + 1, |(column, _)| *column);
            return Err(fault(line, column, format!("{} values, expected {}", cells.len(), header.len())));
        }
        for (index, (column, cell)) in cells.iter().enumerate() {
            let number = cell.parse::<f64>().ok().filter(|x| x.is_finite());
            let number = number.ok_or_else(|| fault(line, *column, format!("`{cell}` is not a finite number")))?;
            match index.checked_sub(1) {
                Some(i) => columns[i].push(number),
                None if times.last().is_some_and(|last| *last >= number) => {
                    return Err(fault(line, *column, format!("time {number} is not later than the previous one")));
                }
                None => times.push(number),
            }
        }
    }
    if times.is_empty() {
        return Err(fault(head_line, head.chars().count() + 1, "there is no row of values".into()));
    }
    let times: Arc<[f64]> = times.into();
    let names = header.into_iter().skip(1).map(|(_, name)| name);
    Ok(names.zip(columns).map(|(name, values)| (name, Signal { times: Arc::clone(&times), values })).collect())
}

/// The cells of a line with their columns; a cell in quotes may hold commas. An open quote gives its column.
fn fields(line: &str) -> Result<Vec<(usize, String)>, usize> {
    let mut cells = Vec::new();
    let (mut start, mut cell, mut quote) = (1, String::new(), None);
    for (i, c) in line.chars().enumerate() {
        match c {
            '"' if quote.is_some() => quote = None,
            '"' => quote = Some(i + 1),
            ',' if quote.is_none() => {
                cells.push((start, cell.trim().to_owned()));
                (start, cell) = (i + 2, String::new());
            }
            _ => {
                // The column is that of the value, not of the spaces before it.
                start += usize::from(c == ' ' && cell.is_empty());
                if c != ' ' || !cell.is_empty() {
                    cell.push(c);
                }
            }
        }
    }
    cells.push((start, cell.trim().to_owned()));
    quote.map_or(Ok(cells), Err)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]

    use super::*;

    #[test]
    fn values_are_interpolated_and_held() {
        let columns = parse_csv("time,a,\"b, c\"\n0, 1,5\n2,3,5\n\n3,-1,5\n").unwrap();
        assert_eq!(columns[1].0, "b, c");
        let a = &columns[0].1;
        let found = [-1.0, 0.0, 0.5, 2.0, 2.5, 3.0, 9.0].map(|t| a.value(t));
        assert_eq!(found, [1.0, 1.0, 1.5, 3.0, 1.0, -1.0, -1.0]);
        assert_eq!(Signal::constant(4.0).value(-3.0), 4.0);
    }

    #[test]
    fn faults_have_their_place() {
        for (text, line, column) in [
            ("", 1, 1),
            ("t,a\n0,1", 1, 1),
            ("time\n0", 1, 1),
            ("time,a", 1, 7),
            ("time,a\n0,x", 2, 3),
            ("time,a\n0,  nan", 2, 5),
            ("time,a\n0,1\n0,2", 3, 1),
            ("time,a\n0", 2, 2),
            ("time,a\n0,1,2", 2, 5),
            ("time,\"a\n0,1", 1, 6),
        ] {
            let fault = parse_csv(text).unwrap_err();
            assert_eq!((fault.line, fault.column), (line, column), "{text}: {}", fault.message);
        }
    }
}
