//! Charts of a comparison: a quantity, and a line for each case.

use plotters::style::{Color, RGBAColor, RGBColor};
use stiction_run::{Compared, ComparedCase, Quantity, Series};

use crate::chart::{Chart, Line, Scale, hue};
use crate::exit::Failure;
use crate::plot::{self, empty_chart};

use super::table::one_line;

/// Colours that differ for most eyes, on white and on black: those of Okabe and Ito without their black and yellow, and four more.
const PALETTE: [RGBColor; 10] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(140, 110, 60),
    RGBColor(128, 128, 128),
    RGBColor(122, 85, 200),
    RGBColor(178, 34, 80),
];
/// Joint axes that are drawn without being named.
const AXES: usize = 12;
/// Largest over smallest number of a chart of differences above which its scale is logarithmic.
const DECADES: f64 = 1e3;

/// What a chart is to show.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Path difference to the reference.
    Difference,
    /// A quantity; of a link or joint by its name, or of the link that differs most.
    Of(Quantity, Option<String>),
}

/// What is drawn where nothing else is asked for.
pub fn important() -> Vec<Wanted> {
    let of = |quantity| Wanted::Of(quantity, None);
    let mut list = vec![Wanted::Difference];
    list.extend(
        [
            Quantity::Height,
            Quantity::Speed,
            Quantity::Penetration,
            Quantity::Contacts,
            Quantity::Energy,
            Quantity::MadeEnergy,
            Quantity::JointGap,
        ]
        .map(of),
    );
    list
}

impl Wanted {
    /// Reads an item of `--plot-of`.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        if text.trim() == "difference" {
            return Ok(Self::Difference);
        }
        plot::item(text, "difference, ").map(|(quantity, name)| Self::Of(quantity, name))
    }

    /// What a comparison must observe for it.
    pub fn observed(&self) -> Option<plot::Item> {
        match self {
            Self::Difference => None,
            Self::Of(quantity, name) => Some((*quantity, name.clone())),
        }
    }

    /// The charts: one for each component and each joint axis.
    pub fn charts(&self, compared: &Compared) -> Result<Vec<Chart>, Failure> {
        let (quantity, name) = match self {
            Self::Difference => return Ok(vec![difference(compared)]),
            Self::Of(quantity, name) => (*quantity, name),
        };
        if quantity.is_of_world() || name.is_some() {
            return Ok(of_owner(compared, quantity, name.as_deref()));
        }
        if !quantity.is_of_joint() {
            let most = compared.most_different_links().first().copied();
            return Ok(of_owner(compared, quantity, most.or(Some(""))));
        }
        let charts = of_owner(compared, quantity, None);
        if charts.is_empty() {
            return Err(Failure::input(format!("--plot-of {}: there are no joints", quantity.name())));
        }
        if charts.len() > AXES {
            let text =
                format!("--plot-of {0}: there are {1} joint axes; {0}:NAME draws one", quantity.name(), charts.len());
            return Err(Failure::usage(text));
        }
        Ok(charts)
    }
}

/// A chart for each curve of a quantity that some case has: all of them, or those of a link, joint or model.
pub fn of_owner(compared: &Compared, quantity: Quantity, owner: Option<&str>) -> Vec<Chart> {
    let is_of = |series: &&Series| {
        let own = series.owner.as_str();
        let is_owner = |owner: &str| own == owner || own.starts_with(&format!("{owner}::"));
        series.quantity == quantity && owner.is_none_or(is_owner)
    };
    let mut names: Vec<&str> = Vec::new();
    for series in compared.cases.iter().flat_map(|case| case.series.iter().filter(is_of)) {
        if !names.contains(&series.name.as_str()) {
            names.push(&series.name);
        }
    }
    names.into_iter().map(|name| of_curve(compared, quantity, name)).collect()
}

fn of_curve(compared: &Compared, quantity: Quantity, name: &str) -> Chart {
    let kind = compared.cases.iter().find_map(|case| case.curve(quantity, name)).and_then(|series| series.axis_kind);
    let mut chart = Chart { has_legend: false, ..empty_chart(quantity, kind) };
    chart.caption = (!name.is_empty()).then(|| format!("{} of {name}", quantity.name()));
    chart.lines = lines(compared, |case| case.curve(quantity, name).map(|series| series.points.clone()));
    chart
}

/// Path differences over time.
pub fn difference(compared: &Compared) -> Chart {
    let reference = &compared.cases[compared.reference].name;
    let mut chart = Chart { has_legend: false, ..Chart::over_time("largest path difference [m]") };
    chart.caption = Some(format!("path difference to {reference}"));
    chart.lines = lines(compared, |case| case.difference.as_ref().map(|d| d.curve.clone()));
    let numbers =
        || chart.lines.iter().flat_map(|line| &line.points).map(|p| p.1).filter(|d| *d > 0.0 && d.is_finite());
    if numbers().fold(0.0, f64::max) > DECADES * numbers().fold(f64::INFINITY, f64::min) {
        chart.scale = Scale::Logarithmic;
        chart.caption = Some(format!("path difference to {reference} (logarithmic: 0 is not drawn)"));
    }
    chart
}

/// The line of each case that has one. The reference lies at the bottom and is wider, so that it is seen below others.
fn lines(compared: &Compared, points: impl Fn(&ComparedCase) -> Option<Vec<(f64, f64)>>) -> Vec<Line> {
    let order = std::iter::once(compared.reference);
    let order = order.chain((0..compared.cases.len()).filter(|index| *index != compared.reference));
    let line = |index: usize| {
        let case = &compared.cases[index];
        let width = if index == compared.reference { 5 } else { 2 };
        Some(Line { name: case.name.clone(), points: points(case)?, color: color(compared, index), width })
    };
    order.filter_map(line).collect()
}

/// Names and colours of the cases.
pub fn legend(compared: &Compared) -> Vec<(String, RGBAColor)> {
    let entry = |index: usize| (one_line(&compared.cases[index].name), color(compared, index));
    (0..compared.cases.len()).map(entry).collect()
}

/// The colour of a case, in all charts the same.
pub fn color(compared: &Compared, index: usize) -> RGBAColor {
    let count = compared.cases.len();
    PALETTE.get(index).filter(|_| count <= PALETTE.len()).map_or_else(|| hue(index, count), Color::to_rgba)
}
