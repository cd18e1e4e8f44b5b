//! The table of a comparison on a terminal: a row a figure, a column a case.

use stiction_run::{Compared, ComparedCase, Difference};

use super::rows::{ROWS, number, time};

/// Width above which the cases are told in several tables below each other.
const WIDTH: usize = 120;

/// The table.
pub fn text(compared: &Compared) -> String {
    let labels: Vec<String> = std::iter::once(String::new()).chain(ROWS.iter().map(|row| row.label())).collect();
    let first = width(&labels);
    let columns: Vec<Vec<String>> = (0..compared.cases.len()).map(|case| column(compared, case)).collect();
    let mut tables: Vec<String> = Vec::new();
    let mut rest = columns.as_slice();
    while !rest.is_empty() {
        let mut total = first;
        let fits = |column: &&Vec<String>| {
            total += 2 + width(column);
            total <= WIDTH
        };
        let (here, later) = rest.split_at(rest.iter().take_while(fits).count().max(1));
        tables.push(lines(&labels, first, here));
        rest = later;
    }
    tables.join("\n")
}

fn column(compared: &Compared, case: usize) -> Vec<String> {
    let cells = ROWS.iter().map(|row| row.cell(compared, case));
    std::iter::once(one_line(&compared.cases[case].name)).chain(cells).collect()
}

fn lines(labels: &[String], first: usize, columns: &[Vec<String>]) -> String {
    let widths: Vec<usize> = columns.iter().map(|column| width(column)).collect();
    let mut text = String::new();
    for (row, label) in labels.iter().enumerate() {
        let mut line = pad(label, first, true);
        for (column, width) in columns.iter().zip(&widths) {
            line.push_str("  ");
            line.push_str(&pad(&column[row], *width, false));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn width(cells: &[String]) -> usize {
    cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0)
}

fn pad(cell: &str, width: usize, is_left: bool) -> String {
    let space = " ".repeat(width.saturating_sub(cell.chars().count()));
    if is_left { format!("{cell}{space}") } else { format!("{space}{cell}") }
}

/// How each case ended, a line a case.
pub fn outcomes(compared: &Compared) -> String {
    let names: Vec<String> = compared.cases.iter().map(|case| one_line(&case.name)).collect();
    let first = width(&names).max(4);
    let line = |(name, case): (&String, &ComparedCase)| {
        // The first line of a refusal; the whole of it is an error on stderr.
        let text = case.outcome.text();
        format!("{}  {}", pad(name, first, true), text.lines().next().unwrap_or_default())
    };
    let head = format!("{}  outcome", pad("case", first, true));
    let lines: Vec<String> = std::iter::once(head).chain(names.iter().zip(&compared.cases).map(line)).collect();
    lines.join("\n")
}

/// A name without what would break a line or command a terminal.
pub fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// When the cases were compared, where that needs to be said.
pub fn notes(compared: &Compared) -> Vec<String> {
    let reference = &compared.cases[compared.reference];
    if reference.figures.is_none() {
        return vec![format!(
            "path differences: none, since the reference `{}` did not run",
            one_line(&reference.name)
        )];
    }
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (index, case) in compared.cases.iter().enumerate() {
        if index == compared.reference || case.figures.is_none() {
            continue;
        }
        let text =
            case.difference.as_ref().map_or_else(|| "none, since there are no links in common".to_owned(), times);
        match groups.iter_mut().find(|(other, _)| *other == text) {
            Some((_, names)) => names.push(one_line(&case.name)),
            None => groups.push((text, vec![one_line(&case.name)])),
        }
    }
    let line = |(text, names): (String, Vec<String>)| format!("path differences of {}: {text}", names.join(", "));
    groups.into_iter().map(line).collect()
}

fn times(difference: &Difference) -> String {
    let Difference { instants, interval, offset_max, until, .. } = difference;
    if *instants == 1 {
        return "at the start only".to_owned();
    }
    let text = format!("at {instants} times, every {} s, up to {} s", time(*interval), time(*until));
    if *offset_max == 0.0 {
        return text;
    }
    format!(
        "{text}; the steps have few times in common: compared at the nearest, up to {} s apart, in which a link at 1 m/s moves {} m",
        number(*offset_max),
        number(*offset_max)
    )
}

/// The cases of a warning, unless all have it.
pub fn whose(compared: &Compared, cases: &[usize]) -> String {
    if cases.len() == compared.cases.len() {
        return String::new();
    }
    let names: Vec<String> = cases.iter().map(|case| one_line(&compared.cases[*case].name)).collect();
    format!(" ({})", names.join(", "))
}
