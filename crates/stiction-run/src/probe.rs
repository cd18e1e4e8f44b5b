//! Curves of a run: which numbers they are made of, and how they are found by name.

use stiction_formats::simulation::Simulation;

use crate::error::{Request, RunError, near_or_all};
use crate::quantities::Quantity;
use crate::run::Run;

/// Where a curve comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    World,
    Link { link: usize, component: usize },
    Path { link: usize },
    Joint { joint: usize, axis: usize },
}

/// One number of a run over time, or the path of a link seen from above.
#[derive(Clone, Debug)]
pub struct Probe {
    /// What is observed.
    pub quantity: Quantity,
    /// Scoped name of the link or joint; empty for a quantity of the whole world.
    pub owner: String,
    /// Name of the curve: scoped name of the link or joint, with the component or axis where there are several; empty for
    /// a quantity of the whole world.
    pub name: String,
    source: Source,
}

impl Probe {
    /// The curves of a quantity: of a link or joint by its scoped name, of all of a model by the model's name, and without
    /// a name those of every link that moves, or of every joint. A quantity of the world has one, and no name.
    ///
    /// # Errors
    /// There is no such link or joint, or a quantity of the world has a name.
    pub fn find(quantity: Quantity, name: Option<&str>, simulation: &Simulation) -> Result<Vec<Self>, RunError> {
        if quantity.is_of_world() {
            return match name {
                None => Ok(vec![Self { quantity, owner: String::new(), name: String::new(), source: Source::World }]),
                Some(name) => Err(RunError::Unfit {
                    request: Request::PlotOf,
                    text: format!("{}:{name}", quantity.name()),
                    reason: "this quantity belongs to the whole world and takes no name".to_owned(),
                }),
            };
        }
        let wanted = |n: &str| name.is_none_or(|name| n == name || n.starts_with(&format!("{name}::")));
        let found = if quantity.is_of_joint() {
            of_joints(quantity, wanted, simulation)
        } else {
            // Without a name: everything that moves.
            of_links(quantity, |n, moves| wanted(n) && (moves || name.is_some()), simulation)
        };
        match name.filter(|_| found.is_empty()) {
            Some(name) if quantity.is_of_joint() => {
                Err(unknown("joint", quantity, name, simulation.joints.iter().map(|j| j.name.as_str())))
            }
            Some(name) => Err(unknown("link", quantity, name, simulation.links.iter().map(|l| l.name.as_str()))),
            None => Ok(found),
        }
    }

    /// The point of the curve now: time \[s\] and number, or x and y of a path \[m\].
    #[must_use]
    pub fn point(&self, run: &Run) -> (f64, f64) {
        let value = match self.source {
            Source::World => run.total(self.quantity),
            Source::Link { link, component } => run.link_at(self.quantity, link)[component],
            Source::Joint { joint, axis } => run.joint_at(self.quantity, joint, axis),
            Source::Path { link } => {
                let p = run.link_at(self.quantity, link);
                return (p.x, p.y);
            }
        };
        (run.time(), value)
    }
}

fn of_links(quantity: Quantity, wanted: impl Fn(&str, bool) -> bool, simulation: &Simulation) -> Vec<Probe> {
    let components: &[&str] = match quantity {
        Quantity::Position => &["x", "y", "z"],
        Quantity::Orientation => &["roll", "pitch", "yaw"],
        _ => &[""],
    };
    let mut list = Vec::new();
    let links = simulation.links.iter().enumerate();
    for (link, simulated) in links.filter(|(_, l)| wanted(&l.name, l.body.is_some())) {
        for (component, word) in components.iter().enumerate() {
            let name = format!("{} {word}", simulated.name).trim_end().to_owned();
            let is_path = quantity == Quantity::Path;
            let source = if is_path { Source::Path { link } } else { Source::Link { link, component } };
            list.push(Probe { quantity, owner: simulated.name.clone(), name, source });
        }
    }
    list
}

fn of_joints(quantity: Quantity, wanted: impl Fn(&str) -> bool, simulation: &Simulation) -> Vec<Probe> {
    let mut list = Vec::new();
    for (index, joint) in simulation.joints.iter().enumerate().filter(|(_, j)| wanted(&j.name)) {
        for axis in 0..joint.axes.len() {
            let name = if joint.axes.len() > 1 { format!("{} {axis}", joint.name) } else { joint.name.clone() };
            let source = Source::Joint { joint: index, axis };
            list.push(Probe { quantity, owner: joint.name.clone(), name, source });
        }
    }
    list
}

fn unknown<'a>(
    kind: &'static str,
    quantity: Quantity,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> RunError {
    let (near, is_near) = near_or_all(name, known);
    let text = format!("{}:{name}", quantity.name());
    RunError::Unknown { request: Request::PlotOf, text, kind, name: name.to_owned(), near, is_near }
}
