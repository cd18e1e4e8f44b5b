//! Placement checks: overlapping shapes at the start and the end, and separated joints.

use stiction::math::DVec3;
use stiction_formats::simulation::Simulation;

/// Gap of a joint, relative to the size of what it connects, that is reported.
const APART: f64 = 0.02;
/// Depth that a shape may rest at beyond what its surface allows \[m\], and as a share of its size.
const SUNK: f64 = 1e-3;
const SUNK_SHARE: f64 = 0.02;

/// What was seen over a run.
pub(crate) struct Placed {
    /// Extent of the links at the start \[m\].
    size: f64,
    /// Joint, gap \[m\], time \[s\].
    apart: Option<(String, f64, f64)>,
    /// Collisions, depth \[m\] of the deepest contact of the first step.
    inside: Option<([String; 2], f64)>,
    /// The same of the last step.
    sunk: Option<([String; 2], f64)>,
    steps: u64,
}

impl Placed {
    /// Before the first step.
    pub(crate) fn new(simulation: &Simulation) -> Self {
        let world = &simulation.world;
        let places: Vec<DVec3> = world
            .body_ids()
            .filter_map(|id| world.body(id))
            .map(|b| b.center_of_mass())
            .filter(|p| p.is_finite())
            .collect();
        let (low, high) =
            places.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
        let size = if places.is_empty() { 0.0 } else { (high - low).length() };
        Self { size, apart: None, inside: None, sunk: None, steps: 0 }
    }

    /// After a step.
    pub(crate) fn add(&mut self, simulation: &Simulation) {
        let (world, report) = (&simulation.world, simulation.world.report());
        self.steps += 1;
        if let Some((id, gap)) = report.widest_joint
            && gap > self.apart.as_ref().map_or(0.0, |(_, gap, _)| *gap)
        {
            let name = simulation.joints.iter().find(|j| j.id == Some(id)).map_or("?", |j| &j.name);
            // A joint is judged by what it holds: the arms of its bodies at it, which stay as they are however the links are
            // folded, or the whole where both are nothing.
            let reach: f64 = world.joint(id).map_or(0.0, |joint| {
                let arms =
                    joint.definition().bodies.into_iter().enumerate().filter_map(|(end, body)| {
                        Some((joint.anchor(end) - world.body(body?)?.center_of_mass()).length())
                    });
                arms.sum()
            });
            let size = if reach > 1e-3 { reach } else { self.size.max(0.1) };
            if gap > APART * size {
                self.apart = Some((name.to_owned(), gap, world.time()));
            }
        }
        let acting = world.contact_reports().iter().filter(|c| c.acts);
        let deepest = acting.max_by(|a, b| a.depth.total_cmp(&b.depth)).and_then(|c| {
            let geoms = c.geoms?;
            let size = geoms.iter().filter_map(|id| world.geom(*id)).fold(f64::INFINITY, |least, geom| {
                let bounds = geom.shape().aabb(&stiction::math::Pose::IDENTITY);
                least.min((bounds.max - bounds.min).min_element())
            });
            let allowed = geoms
                .iter()
                .filter_map(|id| world.geom(*id)?.surface().min_depth)
                .fold(world.parameters.contact_surface_layer, f64::max);
            let names = geoms.map(|id| simulation.shape_name(id).map_or_else(|| "?".to_owned(), Into::into));
            let bound = allowed + SUNK.max(if size.is_finite() { SUNK_SHARE * size } else { 0.0 });
            (c.depth > bound).then_some((names, c.depth))
        });
        if self.steps == 1 {
            self.inside.clone_from(&deepest);
        }
        self.sunk = deepest;
    }

    /// In words.
    ///
    /// `given` is what shapes that were placed into each other gave \[J\].
    pub(crate) fn warnings(&self, given: f64) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(([a, b], depth)) = &self.inside {
            let work = if given > 0.0 { format!("; overlaps at the start gave {given:.2e} J") } else { String::new() };
            warnings.push(format!("`{a}` and `{b}` overlap by {depth:.3e} m at the start and are pushed apart{work}"));
        }
        if let Some((joint, gap, time)) = &self.apart {
            warnings.push(format!(
                "joint `{joint}` separated by {gap:.3e} m at {time:.4} s: more iters, a smaller step or `--coordinates reduced` may help"
            ));
        }
        if let Some(([a, b], depth)) = self.sunk.as_ref().filter(|_| self.steps > 1) {
            warnings.push(format!(
                "`{a}` and `{b}` overlap by {depth:.3e} m at the end, more than their surfaces allow: more iters, a smaller step or a stiffer surface may help"
            ));
        }
        warnings
    }
}
