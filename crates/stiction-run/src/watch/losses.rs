//! Energy that goes where no friction, damper or impact takes it.
//!
//! Where springs keep their energy, the step takes some from those that swing by more than half a radian in it, and reports it. Elsewhere
//! a spring that is solved implicitly, `f = −k x₁` with `x₁ = x₀ + h u₁`, loses `h k (x₁ u₀ − x₀ u₁) / 2` in a step: of an
//! oscillation as much as a damper of `h k`. Where its own damper is weaker than that, the step is what damps it. Of all else, only what goes in steps
//! without contacts is counted, since impacts take energy by right.

use std::collections::BTreeMap;

use stiction::world::{JointId, TimeAdvancement};
use stiction_formats::simulation::Simulation;

/// A spring of an axis: stretch and rate after the last step, and what it has lost \[J\].
#[derive(Clone, Copy, Debug, Default)]
struct Spring {
    stretch: f64,
    rate: f64,
    lost: f64,
}

/// What has gone so far.
pub(super) struct Losses {
    springs: BTreeMap<(JointId, usize), Spring>,
    /// What the steps without contacts have made, springs apart; its highest value, and its largest fall \[J\].
    made: f64,
    highest: f64,
    fall: f64,
    /// What `part` was after the last step.
    part: f64,
    plugins: f64,
    had_contacts: bool,
    /// Joints close loops, whose rows turn with the links: contacts or not, what goes is theirs.
    has_loops: bool,
}

impl Losses {
    /// Before the first step.
    pub(super) fn new(simulation: &Simulation) -> Self {
        let world = &simulation.world;
        let mut springs = BTreeMap::new();
        let ids = simulation.joints.iter().filter_map(|joint| joint.id);
        for id in ids.filter(|_| world.parameters.time != TimeAdvancement::Continuous) {
            let Some(joint) = world.joint(id) else { continue };
            for axis in 0..joint.motion_count().min(3) {
                let p = &joint.definition().parameters[axis];
                if p.stiffness > 0.0 {
                    let stretch = joint.position(axis) - p.spring_reference;
                    springs.insert((id, axis), Spring { stretch, rate: joint.rate(axis), lost: 0.0 });
                }
            }
        }
        Self {
            springs,
            made: 0.0,
            highest: 0.0,
            fall: 0.0,
            part: 0.0,
            plugins: simulation.plugin_work,
            had_contacts: false,
            has_loops: has_loops(simulation),
        }
    }

    /// After a step of `length` \[s\]; `part` is what the time step and the drift of joints have made so far \[J\].
    pub(super) fn add(&mut self, simulation: &Simulation, length: f64, part: f64) {
        let world = &simulation.world;
        let mut by_springs = 0.0;
        for (joint, lost) in &world.report().spring_losses {
            if let Some((_, spring)) = self.springs.range_mut((*joint, 0)..=(*joint, usize::MAX)).next() {
                spring.lost += lost;
            }
        }
        let are_implicit = !world.parameters.springs_keep_energy();
        for ((id, axis), spring) in self.springs.iter_mut().filter(|_| are_implicit) {
            let Some(joint) = world.joint(*id) else { continue };
            let p = &joint.definition().parameters[*axis];
            let (stretch, rate) = (joint.position(*axis) - p.spring_reference, joint.rate(*axis));
            // An edit of the state between steps is no motion.
            let moved = stretch - spring.stretch;
            let is_motion = (moved - length * rate).abs() <= 1e-3 * moved.abs() + 1e-12;
            let lost = 0.5 * length * p.stiffness * (stretch * spring.rate - spring.stretch * rate);
            if is_motion {
                by_springs += lost;
                if length * p.stiffness > p.damping {
                    spring.lost += lost;
                }
            }
            (spring.stretch, spring.rate) = (stretch, rate);
        }
        let report = world.report();
        let has_contacts = report.contacts > 0 || report.stopped_at_impact > 0;
        // Velocities and masses that plugins set are in no balance.
        let is_free = !has_contacts && !self.had_contacts && simulation.plugin_work == self.plugins || self.has_loops;
        if is_free {
            self.made += part - self.part + by_springs;
            self.highest = self.highest.max(self.made);
            self.fall = self.fall.max(self.highest - self.made);
        }
        (self.part, self.had_contacts, self.plugins) = (part, has_contacts, simulation.plugin_work);
    }

    /// The spring that lost most by the step, and what all of them lost \[J\].
    fn springs(&self, simulation: &Simulation) -> Option<(String, f64)> {
        let (id, _) = self.springs.iter().max_by(|a, b| a.1.lost.total_cmp(&b.1.lost))?.0;
        let name = simulation.joints.iter().find(|joint| joint.id == Some(*id)).map_or("?", |joint| &joint.name);
        Some((name.to_owned(), self.springs.values().map(|spring| spring.lost.max(0.0)).sum()))
    }

    /// What has gone without contacts, springs apart \[J\].
    pub(super) const fn fall(&self) -> f64 {
        self.fall
    }

    /// In words, of `moved` joules that could move, what is above a share of them.
    pub(super) fn warnings(&self, simulation: &Simulation, moved: f64, share: f64) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some((name, lost)) = self.springs(simulation).filter(|(_, lost)| *lost > share * moved) {
            let why = if simulation.world.parameters.springs_keep_energy() {
                "its frequency is beyond what fixed steps of this size follow, ω h > 0.5, and they bring it to rest; a smaller \
                 max_step_size keeps its energy"
            } else {
                "fixed steps solve a spring implicitly, which damps it as a damper of step · stiffness would; `--engine simbody` keeps its \
                 energy, and a smaller max_step_size loses less"
            };
            warnings.push(format!(
                "the steps took {lost:.2e} J, {:.1} % of the energy in play, from springs of joints (most from that of `{name}`): {why}",
                100.0 * lost / moved
            ));
        }
        if self.fall > share * moved {
            let whose = if self.has_loops {
                "from mechanisms whose joints close loops"
            } else {
                "without contact, friction or damping"
            };
            warnings.push(format!(
                "the steps took {:.2e} J, {:.1} % of the energy in play, {whose}: fixed steps do not keep that energy at this speed; \
                 `--engine simbody` keeps it, and a smaller max_step_size loses less",
                self.fall,
                100.0 * self.fall / moved
            ));
        }
        warnings
    }
}

/// Joints of bodies that joints hold together already.
fn has_loops(simulation: &Simulation) -> bool {
    let world = &simulation.world;
    // The world itself is one of the parts; bodies by the number of their slots.
    let mut parents: BTreeMap<usize, usize> = BTreeMap::new();
    let root = |parents: &BTreeMap<usize, usize>, mut at: usize| {
        while let Some(next) = parents.get(&at) {
            at = *next;
        }
        at
    };
    let joints = simulation.joints.iter().filter_map(|joint| world.joint(joint.id?));
    for joint in joints {
        let ends = joint.definition().bodies.map(|body| body.map_or(0, |body| body.slot() + 1));
        let [a, b] = ends.map(|end| root(&parents, end));
        if a == b {
            return true;
        }
        parents.insert(a.max(b), a.min(b));
    }
    false
}
