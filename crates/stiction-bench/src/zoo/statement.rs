//! Conditions of a statement: `always height:box > 0.1`, `end tilt:pencil = 90 +- 1`, `once`, `at T`, `from T`.

use stiction::math::{DVec3, Pose};
use stiction_formats::matches;
use stiction_formats::simulation::Simulation;
use stiction_run::{Probe, Quantity, Run};

/// When a condition must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    /// After every step that ends at this time \[s\] or later.
    From(f64),
    /// After the step that ends at this time \[s\].
    At(f64),
    /// After the last step.
    End,
    /// After one step at least.
    Once,
}

/// What is measured. Angles of [`What::Tilt`] and [`What::Turned`] are degrees, everything else has SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    /// Angle between the z axis of a link and the vertical.
    Tilt,
    /// Distance of a link from where it was at the start.
    Moved,
    /// Angle of the rotation of a link since the start.
    Turned,
    /// Angular speed of a link.
    Spin,
    /// Distance of the origins of two links.
    Distance,
    /// Mechanical energy of the world less that at the start, by the states alone.
    GainedEnergy,
    /// A quantity of a run, and which of its numbers.
    Of(Quantity, usize),
}

/// One condition.
#[derive(Clone, Debug)]
pub struct Condition {
    text: String,
    when: When,
    what: What,
    name: String,
    /// Bounds within which the quantity must be.
    bounds: [f64; 2],
}

impl Condition {
    /// Reads `WHEN QUANTITY[:NAME] < X`, `> X` or `= X +- Y`. The name is that of a model with a link `link`, of a link or of a
    /// joint, with `*` for any characters, or of two links `A+B`.
    ///
    /// # Errors
    /// The text has another form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}`: expected `end|always|once|at T|from T QUANTITY[:NAME] <|> X`, or `= X +- Y`");
        let mut words = text.split_whitespace();
        let mut next = || words.next().ok_or_else(wrong);
        let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(wrong);
        let when = match next()? {
            "always" => When::From(0.0),
            "end" => When::End,
            "once" => When::Once,
            "at" => When::At(number(next()?)?),
            "from" => When::From(number(next()?)?),
            _ => return Err(wrong()),
        };
        let quantity = next()?;
        let (word, name) = quantity.split_once(':').unwrap_or((quantity, ""));
        let what = what(word).ok_or_else(wrong)?;
        let bounds = match (next()?, number(next()?)?) {
            ("<", x) => [f64::NEG_INFINITY, x],
            (">", x) => [x, f64::INFINITY],
            ("=", x) if next()? == "+-" => {
                let within = number(next()?)?;
                [x - within, x + within]
            }
            _ => return Err(wrong()),
        };
        if words.next().is_some() {
            return Err(wrong());
        }
        Ok(Self { text: text.to_owned(), when, what, name: name.to_owned(), bounds })
    }
}

fn what(word: &str) -> Option<What> {
    Some(match word {
        "tilt" => What::Tilt,
        "moved" => What::Moved,
        "turned" => What::Turned,
        "spin" => What::Spin,
        "distance" => What::Distance,
        "gained_energy" => What::GainedEnergy,
        _ => {
            let (word, part) = word.split_once('.').unwrap_or((word, "x"));
            let part = match part {
                "x" | "roll" => 0,
                "y" | "pitch" => 1,
                "z" | "yaw" => 2,
                _ => return None,
            };
            What::Of(Quantity::parse(word)?, part)
        }
    })
}

/// Where the numbers of a condition come from; links by their indices.
enum Source {
    Energy,
    Links(Vec<usize>),
    Pairs(Vec<[usize; 2]>),
    Probes(Vec<Probe>),
}

/// A condition during a run.
pub struct Course<'a> {
    condition: &'a Condition,
    source: Source,
    /// Poses of all links at the start, and the energy \[J\].
    start: (Vec<Pose>, f64),
    has_held: bool,
    has_failed: bool,
    /// The value that was farthest outside, or for `once` nearest, and its time \[s\].
    extreme: Option<(f64, f64)>,
}

impl<'a> Course<'a> {
    /// Begins before the first step.
    ///
    /// # Errors
    /// The world has none of the links or joints.
    pub fn new(condition: &'a Condition, run: &Run) -> Result<Self, String> {
        let simulation = run.simulation();
        let name = condition.name.as_str();
        let source = match condition.what {
            What::GainedEnergy => Source::Energy,
            What::Of(quantity, part) => Source::Probes(probes(quantity, part, name, simulation)?),
            What::Distance => {
                let (first, second) = name.split_once('+').unwrap_or((name, name));
                let seconds = links(second, simulation);
                let pairs = links(first, simulation).into_iter();
                Source::Pairs(pairs.flat_map(|a| seconds.iter().map(move |b| [a, *b])).collect())
            }
            _ => Source::Links(links(name, simulation)),
        };
        let is_empty = match &source {
            Source::Energy => false,
            Source::Links(found) => found.is_empty(),
            Source::Pairs(found) => found.is_empty(),
            Source::Probes(found) => found.is_empty(),
        };
        if is_empty {
            return Err(format!("`{}`: nothing has this name", condition.text));
        }
        let start = (simulation.links.iter().map(|l| simulation.link_pose(l)).collect(), run.total(Quantity::Energy));
        Ok(Self { condition, source, start, has_held: false, has_failed: false, extreme: None })
    }

    /// Looks at the run after a step.
    pub fn see(&mut self, run: &Run, is_last: bool) {
        let (time, half) = (run.time(), 0.5 * run.engine().step);
        let is_due = match self.condition.when {
            When::From(from) => time > from - half,
            When::At(at) => (time - at).abs() <= half,
            When::End => is_last,
            When::Once => !self.has_held,
        };
        if !is_due {
            return;
        }
        let [low, high] = self.condition.bounds;
        // How far outside; a number that is none is outside of everything.
        let outside = |x: f64| if x.is_nan() { f64::INFINITY } else { (low - x).max(x - high) };
        let farthest = self.values(run).into_iter().max_by(|a, b| outside(*a).total_cmp(&outside(*b)));
        let Some(value) = farthest else { return };
        let holds = outside(value) <= 0.0;
        self.has_held |= holds;
        self.has_failed |= !holds;
        let is_wanted = |known: f64| (outside(value) > outside(known)) != (self.condition.when == When::Once);
        if self.extreme.is_none_or(|(known, _)| is_wanted(known)) {
            self.extreme = Some((value, time));
        }
    }

    /// The condition and what was measured, unless it held.
    pub fn broken(&self) -> Option<String> {
        let holds = self.has_held && (self.condition.when == When::Once || !self.has_failed);
        let measured =
            self.extreme.map_or_else(|| "never".to_owned(), |(value, time)| format!("{value:.4} at {time:.3} s"));
        (!holds).then(|| format!("{} ({measured})", self.condition.text))
    }

    fn values(&self, run: &Run) -> Vec<f64> {
        let place = |link: usize| run.simulation().link_pose(&run.simulation().links[link]).position;
        match &self.source {
            Source::Energy => vec![run.total(Quantity::Energy) - self.start.1],
            Source::Links(links) => links.iter().map(|link| self.of_link(run.simulation(), *link)).collect(),
            Source::Pairs(pairs) => pairs.iter().map(|[a, b]| place(*a).distance(place(*b))).collect(),
            Source::Probes(probes) => probes.iter().map(|probe| probe.point(run).1).collect(),
        }
    }

    fn of_link(&self, simulation: &Simulation, index: usize) -> f64 {
        let link = &simulation.links[index];
        let (pose, start) = (simulation.link_pose(link), self.start.0[index]);
        match self.condition.what {
            What::Tilt => (pose.rotation * DVec3::Z).angle_between(DVec3::Z).to_degrees(),
            What::Moved => pose.position.distance(start.position),
            What::Turned => pose.rotation.angle_between(start.rotation).to_degrees(),
            What::Spin => simulation.link_velocity(link).1.length(),
            What::Distance | What::GainedEnergy | What::Of(..) => f64::NAN,
        }
    }
}

/// Links that a name means: those that move, or else those of the environment.
fn links(pattern: &str, simulation: &Simulation) -> Vec<usize> {
    let of_model = format!("{pattern}::link");
    let is_meant = |index: &usize| {
        let name = &simulation.links[*index].name;
        matches(pattern, name) || matches(&of_model, name)
    };
    let all: Vec<usize> = (0..simulation.links.len()).filter(is_meant).collect();
    let moving: Vec<usize> = all.iter().copied().filter(|index| simulation.links[*index].body.is_some()).collect();
    if moving.is_empty() { all } else { moving }
}

/// The curves of a quantity of the links or joints of a name.
fn probes(quantity: Quantity, part: usize, name: &str, simulation: &Simulation) -> Result<Vec<Probe>, String> {
    let owners: Vec<String> = if quantity.is_of_world() {
        return Probe::find(quantity, None, simulation).map_err(|error| error.to_string());
    } else if quantity.is_of_axis() {
        let of_model = format!("*::{name}");
        let names = simulation.joints.iter().map(|joint| &joint.name);
        names.filter(|own| matches(name, own) || matches(&of_model, own)).cloned().collect()
    } else if let Some((a, b)) = name.split_once('+') {
        let own = |name: &str| links(name, simulation).first().map(|link| simulation.links[*link].name.clone());
        own(a).zip(own(b)).map(|(a, b)| format!("{a}+{b}")).into_iter().collect()
    } else {
        links(name, simulation).into_iter().map(|link| simulation.links[link].name.clone()).collect()
    };
    let mut probes = Vec::new();
    for owner in owners {
        let mut found = Probe::find(quantity, Some(&owner), simulation).map_err(|error| error.to_string())?;
        // Parts of a position or orientation; anything else has one curve.
        let wanted = part.min(found.len().saturating_sub(1));
        probes.extend((!found.is_empty()).then(|| found.swap_remove(wanted)));
    }
    Ok(probes)
}
