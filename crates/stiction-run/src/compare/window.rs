//! Positions of the links of the reference over a stretch of its steps: what others are compared with. Runs take turns by
//! such stretches, so that no trajectory is kept.

use stiction::math::DVec3;

use super::difference::Meter;
use super::track::Track;
use crate::run::Run;

/// Positions that a stretch has at most, 12 MB.
const POSITIONS: usize = 500_000;
/// Steps of a stretch: so many that a run's data stay in the cache meanwhile.
const STEPS: std::ops::RangeInclusive<usize> = 16..=2000;

/// Positions of all links of a run, step by step.
pub(super) struct Window {
    first: u64,
    links: usize,
    positions: Vec<DVec3>,
}

impl Window {
    fn new(links: usize) -> Self {
        Self { first: 0, links, positions: Vec::new() }
    }

    /// Steps of a stretch.
    fn length(&self) -> u64 {
        (POSITIONS / self.links.max(1)).clamp(*STEPS.start(), *STEPS.end()) as u64
    }

    fn begin(&mut self, first: u64) {
        self.first = first;
        self.positions.clear();
    }

    fn push(&mut self, run: &Run) {
        let simulation = run.simulation();
        self.positions.extend(simulation.links.iter().map(|link| simulation.link_pose(link).position));
    }

    /// Positions after so many steps.
    pub(super) fn at(&self, step: u64) -> Option<&[DVec3]> {
        let begin = usize::try_from(step.checked_sub(self.first)?).ok()? * self.links;
        self.positions.get(begin..begin + self.links)
    }
}

/// Runs all tracks to their ends, by stretches in turn, and compares each that has a meter with the reference. `progress` is
/// told the share of the steps that is done, 0 to 1.
pub(super) fn run_all(
    tracks: &mut [Result<Track, String>],
    meters: &mut [Option<Meter>],
    reference: usize,
    progress: &mut dyn FnMut(f64),
) {
    let links = tracks[reference].as_ref().map_or(0, |track| track.run.simulation().links.len());
    let mut window = Window::new(links);
    loop {
        let has_more = lead(&mut tracks[reference], &mut window);
        told(tracks, progress);
        for index in (0..tracks.len()).filter(|index| *index != reference) {
            if let Ok(track) = &mut tracks[index] {
                follow(track, meters[index].as_mut(), &window);
                if !has_more {
                    track.advance_to(track.steps);
                }
            }
            told(tracks, progress);
        }
        if !has_more {
            return;
        }
    }
}

fn told(tracks: &[Result<Track, String>], progress: &mut dyn FnMut(f64)) {
    let running = || tracks.iter().flatten();
    let total: u64 = running().map(|track| track.steps).sum();
    progress(running().map(|track| track.run.steps()).sum::<u64>() as f64 / total.max(1) as f64);
}

/// Takes the reference through a stretch and keeps its positions; it has more to do.
fn lead(reference: &mut Result<Track, String>, window: &mut Window) -> bool {
    let Ok(track) = reference else { return false };
    let steps = track.run.steps();
    window.begin(if steps == 0 { 0 } else { steps + 1 });
    if steps == 0 {
        window.push(&track.run);
    }
    let end = (steps + window.length()).min(track.steps);
    while !track.has_ended && track.run.steps() < end {
        track.advance_to(track.run.steps() + 1);
        // A step that was not finished ends at another time.
        if !track.has_ended {
            window.push(&track.run);
        }
    }
    !track.has_ended && track.run.steps() < track.steps
}

/// Takes a run to each instant that lies in the stretch, and compares there.
fn follow(track: &mut Track, meter: Option<&mut Meter>, window: &Window) {
    let Some(meter) = meter else { return };
    loop {
        let (of_reference, own) = meter.next();
        if own > track.steps || window.at(of_reference).is_none() {
            return;
        }
        track.advance_to(own);
        if track.has_ended {
            return;
        }
        meter.add(&track.run, window);
    }
}
