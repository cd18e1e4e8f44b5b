//! Shapes that went where no contact saw them: through others, into others, or farther than their size in a step.

use stiction::world::GeomId;
use stiction_formats::simulation::Simulation;

/// Pairs that are named.
const NAMED: usize = 8;

/// What was seen over a run.
#[derive(Default)]
pub(crate) struct Astray {
    /// Shape, the other shape, whether it came out again, time of the first time \[s\].
    passed: Vec<([GeomId; 2], bool, f64)>,
    times: u64,
    /// Stops of bodies on their way, and the way that they have not gone for it \[m\].
    pub(crate) stops: u64,
    pub(crate) way_not_gone: f64,
    /// Shape, way in a step over its size, time \[s\].
    farthest: Option<(GeomId, f64, f64)>,
}

impl Astray {
    /// After a step.
    pub(crate) fn add(&mut self, simulation: &Simulation) {
        let (report, time) = (simulation.world.report(), simulation.world.time());
        for passed in &report.passed_through {
            self.times += 1;
            if self.passed.len() < NAMED && !self.passed.iter().any(|(geoms, ..)| *geoms == passed.geoms) {
                self.passed.push((passed.geoms, passed.is_through, time));
            }
        }
        self.stops += u64::from(report.stopped_at_impact);
        self.way_not_gone += report.way_not_gone;
        if let Some(outrun) = report.outrun
            && self.farthest.is_none_or(|(_, sizes, _)| outrun.sizes > sizes)
        {
            self.farthest = Some((outrun.geom, outrun.sizes, time));
        }
    }

    /// In words.
    pub(crate) fn warnings(&self, simulation: &Simulation) -> Vec<String> {
        let name = |id: &GeomId| simulation.shape_name(*id).unwrap_or("?".into());
        let mut warnings = Vec::new();
        for ([shape, other], is_through, time) in &self.passed {
            let (verb, other) = (if *is_through { "went through" } else { "sank into" }, name(other));
            let softer = if *is_through { "" } else { ", a stiffer surface" };
            warnings.push(format!(
                "`{}` {verb} `{other}` at {time:.4} s: a smaller step{softer} or thicker shapes may help",
                name(shape)
            ));
        }
        let others = self.times - (self.passed.len() as u64).min(self.times);
        if others > 0 {
            warnings.push(format!("shapes went through or sank into others {others} more times"));
        }
        if let Some((shape, sizes, time)) = &self.farthest {
            warnings.push(format!(
                "`{}` moved {sizes:.1} times its own size in the step before {time:.4} s: contacts along the way are not detected",
                name(shape)
            ));
        }
        warnings
    }
}
