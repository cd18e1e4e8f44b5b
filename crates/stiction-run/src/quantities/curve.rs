//! The numbers that a quantity and a name mean in a world.

use stiction::math::DVec3;
use stiction_formats::simulation::Simulation;

use super::slip::{Side, Touching, largest_slip};
use super::{AxisKind, Quantity, axis_kind, of_joint, of_link, total};
use crate::error::{Request, RunError, near_or_all};
use crate::watch::Totals;

/// Where a number comes from.
#[derive(Clone, Debug)]
enum Source {
    World,
    Link { link: usize, component: usize },
    Path { link: usize },
    Joint { joint: usize, axis: usize },
    Slip(Touching),
}

/// One number of a world over time, or the path of a link seen from above.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) quantity: Quantity,
    /// Scoped name of the link or joint, or of two links with a `+`; empty for a quantity of the whole world.
    pub(crate) owner: String,
    /// Component of a position or orientation, or number of the axis of a joint with several.
    pub(crate) component: String,
    /// What the axis of a joint measures.
    pub(crate) kind: Option<AxisKind>,
    source: Source,
}

impl Curve {
    /// The curves of a quantity: of a link or joint by its scoped name, of all of a model by the model's name, and without
    /// a name those of every link that moves, or of every joint. A quantity of the world has one, and no name. `request` is
    /// what the name is for, in messages.
    pub(crate) fn find(
        quantity: Quantity,
        name: Option<&str>,
        simulation: &Simulation,
        request: Request,
    ) -> Result<Vec<Self>, RunError> {
        if quantity.is_of_world() {
            return match name {
                None => Ok(vec![Self::new(quantity, "", Source::World)]),
                Some(name) => {
                    let reason = "this quantity belongs to the whole world and takes no name";
                    Err(unfit(request, quantity, name, reason))
                }
            };
        }
        // A name of its own may have a `+`.
        let is_pair = |name: &&str| name.contains('+') && !simulation.links.iter().any(|link| is_of(&link.name, name));
        if let Some(pair) = name.filter(|name| quantity == Quantity::Slip && is_pair(name)) {
            return of_pair(quantity, pair, simulation, request).map(|curve| vec![curve]);
        }
        let wanted = |n: &str| name.is_none_or(|name| is_of(n, name));
        let found = if quantity.is_of_joint() {
            of_joints(quantity, wanted, simulation)
        } else {
            // Without a name: everything that moves.
            of_links(quantity, |n, moves| wanted(n) && (moves || name.is_some()), simulation)
        };
        let Some(name) = name else {
            // What cannot touch anything has no slip.
            return Ok(found.into_iter().filter(Self::can_change).collect());
        };
        let (kind, known): (_, Vec<&str>) = if quantity.is_of_joint() {
            ("joint", simulation.joints.iter().map(|joint| joint.name.as_str()).collect())
        } else {
            ("link", simulation.links.iter().map(|link| link.name.as_str()).collect())
        };
        if !known.iter().any(|own| is_of(own, name)) {
            return Err(unknown(kind, request, quantity, name, known.into_iter()));
        }
        let has_axis = !found.is_empty();
        let found: Vec<Self> = found.into_iter().filter(Self::can_change).collect();
        if found.is_empty() {
            let reason = match quantity {
                Quantity::WheelSlip if !has_axis => "this joint has no axis to turn about",
                Quantity::WheelSlip => "the child link of this joint has no collision",
                Quantity::Slip => "this link has no collision",
                _ => "this joint has no axis",
            };
            return Err(unfit(request, quantity, name, reason));
        }
        Ok(found)
    }

    fn new(quantity: Quantity, owner: &str, source: Source) -> Self {
        Self { quantity, owner: owner.to_owned(), component: String::new(), kind: None, source }
    }

    /// Something of the world makes its number.
    fn can_change(&self) -> bool {
        match &self.source {
            Source::Slip(touching) => touching.sides.iter().flatten().all(Side::has_shapes),
            _ => true,
        }
    }

    /// Name of the curve: the owner, with the component or axis where there are several.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.owner, self.component).trim_end().to_owned()
    }

    /// The number now; of a path the distance from the origin, seen from above.
    pub(crate) fn value(&self, simulation: &Simulation, totals: &Totals) -> f64 {
        match &self.source {
            Source::World => total(self.quantity, simulation, totals),
            Source::Link { link, component } => of_link(self.quantity, simulation, *link)[*component],
            Source::Joint { joint, axis } => of_joint(self.quantity, simulation, *joint, *axis),
            Source::Slip(touching) => largest_slip(simulation, touching),
            Source::Path { link } => of_link(self.quantity, simulation, *link).truncate().length(),
        }
    }

    /// x and y of a path \[m\]; `None` for everything else.
    pub(crate) fn place(&self, simulation: &Simulation) -> Option<(f64, f64)> {
        let Source::Path { link } = self.source else { return None };
        let p: DVec3 = of_link(self.quantity, simulation, link);
        Some((p.x, p.y))
    }
}

/// A scoped name is the wanted one, or belongs to the wanted model.
fn is_of(scoped: &str, wanted: &str) -> bool {
    scoped.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn of_links(quantity: Quantity, wanted: impl Fn(&str, bool) -> bool, simulation: &Simulation) -> Vec<Curve> {
    let components: &[&str] = match quantity {
        Quantity::Position => &["x", "y", "z"],
        Quantity::Orientation => &["roll", "pitch", "yaw"],
        _ => &[""],
    };
    let mut list = Vec::new();
    let links = simulation.links.iter().enumerate();
    for (link, simulated) in links.filter(|(_, l)| wanted(&l.name, l.body.is_some())) {
        for (component, word) in components.iter().enumerate() {
            let source = match quantity {
                Quantity::Path => Source::Path { link },
                Quantity::Slip => Source::Slip(Touching { sides: [Some(side(simulation, link)), None] }),
                _ => Source::Link { link, component },
            };
            let curve = Curve::new(quantity, &simulated.name, source);
            list.push(Curve { component: (*word).to_owned(), ..curve });
        }
    }
    list
}

fn of_joints(quantity: Quantity, wanted: impl Fn(&str) -> bool, simulation: &Simulation) -> Vec<Curve> {
    let mut list = Vec::new();
    for (index, joint) in simulation.joints.iter().enumerate().filter(|(_, j)| wanted(&j.name)) {
        if quantity == Quantity::WheelSlip {
            // A wheel turns on its joint.
            let is_wheel =
                (0..joint.axes.len()).any(|axis| axis_kind(simulation, index, axis) == Some(AxisKind::Angle));
            let child = joint.child.filter(|_| is_wheel);
            list.extend(child.map(|link| {
                let touching = Touching { sides: [Some(side(simulation, link)), None] };
                Curve::new(quantity, &joint.name, Source::Slip(touching))
            }));
            continue;
        }
        for axis in 0..joint.axes.len() {
            let curve = Curve::new(quantity, &joint.name, Source::Joint { joint: index, axis });
            let component = if joint.axes.len() > 1 { axis.to_string() } else { String::new() };
            list.push(Curve { component, kind: axis_kind(simulation, index, axis), ..curve });
        }
    }
    list
}

fn side(simulation: &Simulation, link: usize) -> Side {
    Side::of_links(simulation, std::iter::once(link))
}

/// `A+B` of two links or models; names may have a `+` themselves.
fn of_pair(quantity: Quantity, pair: &str, simulation: &Simulation, request: Request) -> Result<Curve, RunError> {
    let links = |name: &str| -> Vec<usize> {
        (0..simulation.links.len()).filter(|index| is_of(&simulation.links[*index].name, name)).collect()
    };
    let splits = || pair.match_indices('+').map(|(at, _)| (pair[..at].trim(), pair[at + 1..].trim()));
    let found = splits().find(|(a, b)| !links(a).is_empty() && !links(b).is_empty());
    let Some((a, b)) = found else {
        let unknown_name = splits().flat_map(|(a, b)| [a, b]).find(|name| links(name).is_empty()).unwrap_or(pair);
        return Err(unknown("link", request, quantity, unknown_name, simulation.links.iter().map(|l| l.name.as_str())));
    };
    let sides = [a, b].map(|name| Side::of_links(simulation, links(name).into_iter()));
    for (side, name) in sides.iter().zip([a, b]) {
        if !side.has_shapes() {
            return Err(unfit(request, quantity, pair, &format!("`{name}` has no collision")));
        }
    }
    Ok(Curve::new(quantity, pair, Source::Slip(Touching { sides: sides.map(Some) })))
}

fn unfit(request: Request, quantity: Quantity, name: &str, reason: &str) -> RunError {
    RunError::Unfit { request, text: format!("{}:{name}", quantity.name()), reason: reason.to_owned() }
}

fn unknown<'a>(
    kind: &'static str,
    request: Request,
    quantity: Quantity,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> RunError {
    let (near, is_near) = near_or_all(name, known);
    let text = format!("{}:{name}", quantity.name());
    RunError::Unknown { request, text, kind, name: name.to_owned(), near, is_near }
}
