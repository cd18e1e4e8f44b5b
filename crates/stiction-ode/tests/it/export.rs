//! A world as text, beside the stock library's.

use crate::common;

use common::{Library, Program};

/// The text between numbers, and the numbers.
fn parts(line: &str) -> (String, Vec<f64>) {
    let is_number = |c: char| c.is_ascii_digit() || "+-.".contains(c);
    let mut numbers = Vec::new();
    let words: Vec<&str> = line.split([',', '{', '}', ' ']).collect();
    let text = words
        .iter()
        .map(|word| match word.parse::<f64>() {
            Ok(value) if word.starts_with(is_number) => {
                numbers.push(value);
                "#"
            }
            _ => word,
        })
        .collect::<Vec<_>>()
        .join(" ");
    (text, numbers)
}

#[test]
fn worlds_are_written_as_odes() {
    let Some(program) = Program::build("export") else { return };
    let (ours, stock) = (program.run(Library::Ours, &[]), program.run(Library::Stock, &[]));
    assert_eq!(ours.lines().count(), stock.lines().count(), "{ours}");
    for (ours, stock) in ours.lines().zip(stock.lines()) {
        let ((text, numbers), (expected_text, expected)) = (parts(ours), parts(stock));
        let equal = |sign: f64| {
            numbers
                .iter()
                .zip(&expected)
                .all(|(&x, y)| sign * x == *y || (sign * x - y).abs() <= 1e-12 * y.abs().max(1.0))
        };
        // A quaternion and its negative are one rotation.
        let close = equal(1.0) || ours.contains("qrel") && equal(-1.0);
        assert!(text == expected_text && close, "{ours}\n{stock}");
    }
}
