//! The report of a comparison: one page without network, scripts or other files.

use std::fmt::Write;

use plotters::style::Color;
use stiction_run::{Compared, DifferingParameter, Quantity};

use super::charts::{self, color};
use super::rows::{ROWS, Row};
use super::{svg, table};
use crate::chart::Chart;
use crate::exit::Failure;
use crate::plot;

const STYLE: &str = include_str!("style.css");
/// Links whose heights and speeds are drawn.
const LINKS: usize = 3;
/// Quantities of the whole world that are drawn.
const OF_WORLD: [Quantity; 6] = [
    Quantity::Penetration,
    Quantity::Contacts,
    Quantity::Energy,
    Quantity::MadeEnergy,
    Quantity::JointGap,
    Quantity::Residual,
];

/// What a comparison must observe for the report.
pub fn observed() -> Vec<plot::Item> {
    [Quantity::Height, Quantity::Speed].into_iter().chain(OF_WORLD).map(|quantity| (quantity, None)).collect()
}

/// The page; `files` and `command` are told as they are.
pub fn page(compared: &Compared, files: &[String], command: &str) -> Result<String, Failure> {
    let title = format!("Comparison of {}", compared.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{0}</title>\n<style>\n{STYLE}{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escape(&title),
        swatches(compared),
    );
    let files = files.iter().map(|file| format!("<code>{}</code>", escape(file))).collect::<Vec<_>>().join(" ");
    page += &format!(
        "<dl class=\"facts\">\n<dt>Files</dt><dd>{files}</dd>\n<dt>Simulated</dt><dd>{} s</dd>\n\
         <dt>Reference</dt><dd>{}</dd>\n<dt>Command</dt><dd><code>{}</code></dd>\n\
         <dt>Version</dt><dd>stiction {}</dd>\n</dl>\n",
        compared.duration,
        name(compared, compared.reference),
        escape(command),
        env!("CARGO_PKG_VERSION"),
    );
    page += &figures(compared);
    page += &all_charts(compared)?;
    page += &parameters(compared);
    page += &warnings(compared);
    page += &definitions();
    page += "</body>\n</html>\n";
    Ok(page)
}

/// The name of a case behind its colour.
fn name(compared: &Compared, case: usize) -> String {
    format!("<span class=\"case c{case}\">{}</span>", escape(&compared.cases[case].name))
}

/// Colours of the cases.
fn swatches(compared: &Compared) -> String {
    (0..compared.cases.len()).fold(String::new(), |mut style, case| {
        let (r, g, b) = color(compared, case).to_backend_color().rgb;
        // Writing into a string does not fail.
        let _ = writeln!(style, ".c{case}::before {{ background: #{r:02x}{g:02x}{b:02x}; }}");
        style
    })
}

fn figures(compared: &Compared) -> String {
    let cases = 0..compared.cases.len();
    let heads: String = cases.clone().map(|case| format!("<th scope=\"col\">{}</th>", name(compared, case))).collect();
    let rows: String = ROWS
        .iter()
        .map(|row| {
            let cell = |case: usize| {
                let text = row.cell(compared, case);
                let class = if row.title == "outcome" && text != "done" { " class=\"failed\"" } else { "" };
                format!("<td{class}>{}</td>", escape(&text))
            };
            let cells: String = cases.clone().map(cell).collect();
            let (label, definition) = (escape(&row.label()), escape(row.definition));
            format!("<tr><th scope=\"row\" title=\"{definition}\">{label}</th>{cells}</tr>\n")
        })
        .collect();
    let notes: String = table::notes(compared).iter().map(|note| format!("<p>{}</p>\n", escape(note))).collect();
    let failed = compared.cases.iter().enumerate().filter_map(|(index, case)| {
        Some(format!("<p class=\"failed\">{}: {}</p>\n", name(compared, index), prose(&case.outcome.reason()?)))
    });
    format!(
        "<h2>Figures</h2>\n<div class=\"wide\"><table>\n<thead><tr><th></th>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n\
         </table></div>\n{}{notes}",
        failed.collect::<String>()
    )
}

fn all_charts(compared: &Compared) -> Result<String, Failure> {
    let mut list = vec![charts::difference(compared)];
    for link in compared.most_different_links().into_iter().take(LINKS) {
        list.extend(charts::of_owner(compared, Quantity::Height, Some(link)));
        list.extend(charts::of_owner(compared, Quantity::Speed, Some(link)));
    }
    let mut flat: Vec<String> = Vec::new();
    for quantity in OF_WORLD {
        for mut chart in charts::of_owner(compared, quantity, None) {
            if chart.is_flat() {
                flat.push(quantity.name().replace('_', " "));
                continue;
            }
            chart.caption = Some(chart.y_title.clone());
            list.push(chart);
        }
    }
    let legend: String = (0..compared.cases.len()).map(|case| name(compared, case)).collect::<Vec<_>>().join(" ");
    let figures =
        list.into_iter().filter(|chart| !chart.lines.is_empty()).map(figure).collect::<Result<String, _>>()?;
    let without =
        if flat.is_empty() { String::new() } else { format!("<p>Always 0, and not drawn: {}.</p>\n", flat.join(", ")) };
    Ok(format!(
        "<h2>Over time</h2>\n<p class=\"legend\">{legend}</p>\n<p>The reference is the wide line. Curves have at most 1000 \
         points; those of the path difference are the largest of the instants that they stand for. Heights and speeds are of the \
         links whose paths differ most.</p>\n<div class=\"charts\">\n{figures}</div>\n{without}"
    ))
}

fn figure(mut chart: Chart) -> Result<String, Failure> {
    let caption = chart.caption.take().unwrap_or_default();
    let drawing = svg::element(&chart, &caption)?;
    Ok(format!("<figure><figcaption>{}</figcaption>\n{drawing}</figure>\n", escape(&caption)))
}

fn parameters(compared: &Compared) -> String {
    if compared.parameters.is_empty() {
        return "<h2>Parameters that differ</h2>\n<p>None: all cases have the same parameters.</p>\n".to_owned();
    }
    let heads: String =
        (0..compared.cases.len()).map(|case| format!("<th scope=\"col\">{}</th>", name(compared, case))).collect();
    let row = |p: &DifferingParameter| {
        let cell = |value: &Option<(String, String)>| match value {
            Some((value, origin)) => format!("<td>{}<br/><small>{}</small></td>", escape(value), escape(origin)),
            None => "<td>-</td>".to_owned(),
        };
        let cells: String = p.values.iter().map(cell).collect();
        let unit = if p.unit == "1" { "" } else { p.unit };
        format!("<tr><th scope=\"row\"><code>{}</code></th><td>{}</td>{cells}</tr>\n", escape(&p.path), escape(unit))
    };
    format!(
        "<h2>Parameters that differ</h2>\n<p>Value, and below it where it comes from.</p>\n<div class=\"wide\"><table>\n\
         <thead><tr><th></th><th scope=\"col\">unit</th>{heads}</tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
        compared.parameters.iter().map(row).collect::<String>()
    )
}

fn warnings(compared: &Compared) -> String {
    let list: String = compared
        .warnings()
        .into_iter()
        .map(|(text, cases)| {
            let names: Vec<String> = cases.iter().map(|case| name(compared, *case)).collect();
            let names = if cases.len() == compared.cases.len() { "all cases".to_owned() } else { names.join(" ") };
            format!("<li>{} <small>{names}</small></li>\n", prose(text))
        })
        .collect();
    let list = if list.is_empty() { "<p>None.</p>\n".to_owned() } else { format!("<ul>\n{list}</ul>\n") };
    format!("<h2>Warnings</h2>\n{list}")
}

fn definitions() -> String {
    let entry = |row: &Row| format!("<dt>{}</dt><dd>{}</dd>\n", escape(&row.label()), prose(row.definition));
    format!("<h2>Definitions</h2>\n<dl>\n{}</dl>\n", ROWS.iter().map(entry).collect::<String>())
}

/// A sentence whose names stand between backticks.
fn prose(text: &str) -> String {
    let is_paired = text.matches('`').count().is_multiple_of(2);
    let piece = |(index, piece): (usize, &str)| match index % 2 {
        1 => format!("<code>{}</code>", escape(piece)),
        _ => escape(piece),
    };
    if is_paired { text.split('`').enumerate().map(piece).collect() } else { escape(text) }
}

/// The command as a shell takes it.
pub fn command_line(arguments: impl Iterator<Item = String>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@+%".contains(c);
    let quoted = |word: String| {
        if !word.is_empty() && word.chars().all(is_plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let program = std::iter::once("stiction".to_owned());
    program.chain(arguments.skip(1).map(quoted)).collect::<Vec<_>>().join(" ")
}

/// Text as a page has it; characters that no page may have are replaced.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
