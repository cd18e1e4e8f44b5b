//! Plots of a run, one panel a quantity, as SVG or PNG.

use std::path::{Path, PathBuf};

use stiction_formats::nearest;
use stiction_formats::plugins::InputKind;
use stiction_run::{AxisKind, Probe, Quantity, Run};

use crate::chart::{Chart, Line, Picture, hue};
use crate::exit::Failure;

/// Points of a curve: more than a picture can show.
const SAMPLES: u64 = 2000;

/// A quantity, and the name of a link or joint, of `--plot-of`.
pub type Item = (Quantity, Option<String>);

/// What to plot and where to.
pub struct Plan {
    path: PathBuf,
    panels: Vec<Item>,
    /// Nothing was asked for: models that drive have their paths too.
    is_default: bool,
}

/// Reads `--plot` and `--plot-of`.
pub fn requests(path: Option<&Path>, list: Option<&str>) -> Result<Option<Plan>, Failure> {
    let Some(path) = needed_file(path, list)? else { return Ok(None) };
    let default = [Quantity::Height, Quantity::Speed, Quantity::Penetration, Quantity::Energy];
    let panels = list.map_or_else(
        || Ok(default.map(|q| (q, None)).to_vec()),
        |l| items(l).iter().map(|text| item(text, "")).collect(),
    )?;
    Ok(Some(Plan { path: path.to_owned(), panels, is_default: list.is_none() }))
}

/// The file of `--plot`, which `--plot-of` needs.
pub fn needed_file<'a>(path: Option<&'a Path>, list: Option<&str>) -> Result<Option<&'a Path>, Failure> {
    match (path, list) {
        (None, Some(list)) => Err(Failure::usage(format!(
            "--plot-of `{list}` without --plot: nothing is drawn; expected `--plot FILE.svg` or `--plot FILE.png` too"
        ))),
        (None, None) => Ok(None),
        (Some(path), _) => check_file(path).map(|()| Some(path)),
    }
}

/// A file can be written there, as far as can be known before.
pub fn check_place(option: &str, path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    if path.is_dir() {
        return Err(Failure::usage(format!("{option} `{shown}`: this is a folder, expected the name of a file")));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(Failure::usage(format!("{option} `{shown}`: there is no folder `{}`", folder.display()))),
        None => Ok(()),
    }
}

/// A picture is of a kind that can be drawn.
pub fn check_file(path: &Path) -> Result<(), Failure> {
    if path.extension().is_some_and(|e| e == "svg" || e == "png") {
        return check_place("--plot", path);
    }
    Err(Failure::usage(format!("--plot `{}`: expected a file that ends in .svg or .png", path.display())))
}

/// The items of a list. A comma that no quantity follows belongs to a name: `slip:a,b::link` is one item.
pub fn items(list: &str) -> Vec<String> {
    let known = || Quantity::ALL.iter().map(|(_, name, _)| *name).chain(["difference"]);
    let mut items: Vec<String> = Vec::new();
    for piece in list.split(',') {
        let word = piece.split(':').next().unwrap_or_default().trim();
        // A misspelt quantity is an item too, so that the error is about it.
        let is_item = word.is_empty() || known().any(|name| name == word) || !nearest(word, known()).is_empty();
        match items.last_mut().filter(|last| !is_item && last.contains(':')) {
            Some(last) => *last = format!("{last},{piece}"),
            None => items.push(piece.to_owned()),
        }
    }
    items
}

/// Reads an item of `--plot-of`; `others` is what else there is, for the message.
pub fn item(text: &str, others: &str) -> Result<Item, Failure> {
    // Names of nested models have `::` in them.
    let (quantity, name) = match text.split_once(':') {
        Some((quantity, name)) => (quantity, Some(name.to_owned())),
        None => (text, None),
    };
    let known = Quantity::ALL.map(|(_, name, _)| name);
    let word = quantity.trim();
    let quantity = Quantity::parse(word).ok_or_else(|| {
        let near = nearest(word, known);
        let hint = near.first().map_or_else(
            || format!("expected QUANTITY[:NAME]; quantities: {others}{}", known.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Failure::usage(format!("--plot-of `{text}`: there is no quantity `{word}`; {hint}"))
    })?;
    if quantity.is_of_world() && name.is_some() {
        return Err(Failure::usage(format!(
            "--plot-of `{text}`: this quantity belongs to the whole world and takes no name"
        )));
    }
    Ok((quantity, name))
}

struct Panel {
    quantity: Quantity,
    /// What the joints of the panel measure.
    kind: Option<AxisKind>,
    curves: Vec<(Probe, Vec<(f64, f64)>)>,
}

/// Collects the curves of a run.
pub struct Plotter {
    path: PathBuf,
    title: String,
    panels: Vec<Panel>,
    every: u64,
    seen: u64,
}

impl Plotter {
    /// Finds what the plan names.
    pub fn new(plan: Plan, run: &Run, steps: u64) -> Result<Self, Failure> {
        let mut panels: Vec<Panel> = Vec::new();
        for (quantity, name) in &plan.panels {
            panels.extend(panels_of(*quantity, Probe::find(*quantity, name.as_deref(), run.simulation())?));
        }
        if plan.is_default {
            let links = driven_links(run).into_iter();
            let paths = links.map(|link| Probe::find(Quantity::Path, Some(&link), run.simulation()));
            let paths = paths.collect::<Result<Vec<_>, _>>()?.concat();
            panels.extend((!paths.is_empty()).then(|| panels_of(Quantity::Path, paths)).into_iter().flatten());
        }
        let every = steps.div_ceil(SAMPLES).max(1);
        Ok(Self { path: plan.path, title: run.description().name.clone(), panels, every, seen: 0 })
    }

    /// Takes the present values, if it is time for it.
    pub fn sample(&mut self, run: &Run) {
        self.seen += 1;
        if !(self.seen - 1).is_multiple_of(self.every) {
            return;
        }
        for (probe, points) in self.panels.iter_mut().flat_map(|panel| &mut panel.curves) {
            points.push(probe.point(run));
        }
    }

    /// Draws the file.
    pub fn draw(self) -> Result<PathBuf, Failure> {
        let charts: Vec<Chart> = self.panels.into_iter().map(Panel::chart).collect();
        Picture { title: &self.title, legend: &[], charts: &charts }.draw(&self.path)?;
        Ok(self.path)
    }
}

impl Panel {
    fn chart(self) -> Chart {
        let mut chart = empty_chart(self.quantity, self.kind);
        let label = self.quantity.label_of(self.kind);
        let name = label.split_once(" [").map_or(label, |(name, _)| name);
        chart.caption = Some(match self.quantity {
            _ if self.curves.is_empty() => format!("{}: nothing in this world has it", self.quantity.name()),
            Quantity::Path => "path, seen from above".to_owned(),
            _ => name.to_owned(),
        });
        let count = self.curves.len();
        let line = |(i, (probe, points)): (usize, (Probe, Vec<(f64, f64)>))| Line {
            name: probe.name,
            points,
            color: hue(i, count),
            width: 2,
        };
        chart.lines = self.curves.into_iter().enumerate().map(line).collect();
        chart
    }
}

/// A chart for a quantity, and for joints of one kind: a map for paths.
pub fn empty_chart(quantity: Quantity, kind: Option<AxisKind>) -> Chart {
    let chart = if quantity == Quantity::Path { Chart::map() } else { Chart::over_time(quantity.label_of(kind)) };
    Chart { smallest_range: quantity.smallest_range(), ..chart }
}

/// The panels of a quantity: angles and lengths of joints have scales of their own. Where nothing has the quantity, an empty
/// panel says so.
fn panels_of(quantity: Quantity, probes: Vec<Probe>) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    for probe in probes {
        let kind = probe.axis_kind;
        match panels.iter_mut().find(|panel| panel.kind == kind) {
            Some(panel) => panel.curves.push((probe, Vec::new())),
            None => panels.push(Panel { quantity, kind, curves: vec![(probe, Vec::new())] }),
        }
    }
    if panels.is_empty() {
        panels.push(Panel { quantity, kind: None, curves: Vec::new() });
    }
    panels
}

/// The first link of each model that a plugin drives.
fn driven_links(run: &Run) -> Vec<String> {
    let inputs = run.simulation().plugin_inputs();
    let models = inputs.iter().filter(|input| input.kind == InputKind::Twist).map(|input| format!("{}::", input.name));
    let first =
        |model: String| run.simulation().links.iter().find(|l| l.name.starts_with(&model)).map(|l| l.name.clone());
    let mut links: Vec<String> = models.filter_map(first).collect();
    links.dedup();
    links
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn names_may_have_commas() {
        for (list, expected) in [
            ("height,speed:box::link", &["height", "speed:box::link"][..]),
            ("slip:a,b::link,energy", &["slip:a,b::link", "energy"]),
            ("slip:a,b::link+c, d::link", &["slip:a,b::link+c, d::link"]),
            ("speed:a,hight:b", &["speed:a", "hight:b"]),
            ("beauty,truth", &["beauty", "truth"]),
            ("", &[""]),
        ] {
            assert_eq!(items(list), expected);
        }
    }
}
