//! How far the links of two runs are from each other at equal times.

use std::collections::BTreeMap;

use stiction::math::DVec3;

use super::pairing::Pairing;
use super::window::Window;
use crate::run::Run;

/// Points of the curve: more than a picture can show.
const POINTS: u64 = 1000;

/// Path difference of a case: distance of the origins of the same link in the case and in the reference, at equal times.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The largest of all links and instants \[m\]; infinite where a position is not finite.
    pub max: f64,
    /// The link and the time \[s\] of it, unless all is equal.
    pub at: Option<(String, f64)>,
    /// Root of the mean square over all instants and all links that move \[m\].
    pub rms: f64,
    /// Instants that were compared, the start included.
    pub instants: u64,
    /// Time between them \[s\].
    pub interval: f64,
    /// How far the two times of an instant lie apart at most \[s\]: 0 where the steps of both have times in common.
    pub offset_max: f64,
    /// Time of the last instant \[s\].
    pub until: f64,
    /// Largest distance over time \[s, m\]; a point is the largest of the instants that it stands for.
    pub curve: Vec<(f64, f64)>,
    /// Links that both runs have and that move, with the largest distance of each \[m\].
    pub by_link: Vec<(String, f64)>,
}

/// Adds up differences while two runs go on.
pub(super) struct Meter {
    pairing: Pairing,
    /// The next instant.
    index: u64,
    /// Instants of a point of the curve.
    per_point: u64,
    links: Vec<Link>,
    max: f64,
    at: Option<(usize, f64)>,
    squares: f64,
    offset_max: f64,
    until: f64,
    curve: Vec<(f64, f64)>,
}

/// A link in both runs.
struct Link {
    own: usize,
    of_reference: usize,
    moves: bool,
    max: f64,
}

impl Meter {
    /// For a run of a duration \[s\] that is compared with a reference; `None` where they have no link in common.
    pub(super) fn new(run: &Run, reference: &Run, duration: f64) -> Option<Self> {
        let others = &reference.simulation().links;
        let by_name: BTreeMap<&str, usize> = others.iter().enumerate().map(|(i, l)| (l.name.as_str(), i)).collect();
        let links: Vec<Link> = run
            .simulation()
            .links
            .iter()
            .enumerate()
            .filter_map(|(own, link)| {
                let of_reference = *by_name.get(link.name.as_str())?;
                let moves = link.body.is_some() || others[of_reference].body.is_some();
                Some(Link { own, of_reference, moves, max: 0.0 })
            })
            .collect();
        let pairing = Pairing::new(reference.engine().step, run.engine().step, duration);
        let instants = (duration / pairing.interval()).round() as u64 + 1;
        (!links.is_empty()).then(|| Self {
            pairing,
            index: 0,
            per_point: instants.div_ceil(POINTS),
            links,
            max: 0.0,
            at: None,
            squares: 0.0,
            offset_max: 0.0,
            until: 0.0,
            curve: Vec::new(),
        })
    }

    /// The next instant: step counts of the reference and of the run.
    pub(super) fn next(&self) -> (u64, u64) {
        self.pairing.at(self.index)
    }

    /// Compares the run now with the reference at the next instant.
    pub(super) fn add(&mut self, run: &Run, window: &Window) {
        let Some(positions) = window.at(self.next().0) else { return };
        let mut largest = 0.0f64;
        let simulation = run.simulation();
        for (index, link) in self.links.iter_mut().enumerate() {
            let position: DVec3 = simulation.link_pose(&simulation.links[link.own]).position;
            let distance = (position - positions[link.of_reference]).length();
            let distance = if distance.is_nan() { f64::INFINITY } else { distance };
            link.max = link.max.max(distance);
            largest = largest.max(distance);
            if link.moves {
                self.squares += distance * distance;
            }
            if distance > self.max {
                self.max = distance;
                self.at = Some((index, run.time()));
            }
        }
        self.until = run.time();
        self.offset_max = self.offset_max.max(self.pairing.offset(self.index));
        match self.curve.last_mut().filter(|_| !self.index.is_multiple_of(self.per_point)) {
            Some(last) if largest > last.1 => *last = (run.time(), largest),
            Some(_) => {}
            None => self.curve.push((run.time(), largest)),
        }
        self.index += 1;
    }

    /// What was found.
    pub(super) fn finish(self, run: &Run) -> Difference {
        let name = |link: &Link| run.simulation().links[link.own].name.clone();
        let moving = self.links.iter().filter(|l| l.moves);
        let count = self.index as f64 * moving.clone().count() as f64;
        Difference {
            max: self.max,
            at: self.at.map(|(index, time)| (name(&self.links[index]), time)),
            rms: (self.squares / count.max(1.0)).sqrt(),
            instants: self.index,
            interval: self.pairing.interval(),
            offset_max: self.offset_max,
            until: self.until,
            curve: self.curve,
            by_link: moving.map(|link| (name(link), link.max)).collect(),
        }
    }
}
