//! The balance of energy of a run, and the doubts that follow from it.

use serde_json::{Value, json};

use stiction::EnergyBalance;
use stiction::world::{Energy, FreeMotionRule, TimeAdvancement};
use stiction_formats::rounded;
use stiction_formats::simulation::Simulation;

use super::losses::Losses;
use super::row_name;
use super::stops::Stops;

/// Share of what moved that a run may make before it says so.
const DOUBTFUL: f64 = 0.01;
/// Share above which a run has exploded.
const EXPLODED: f64 = 1.0;
/// Share of what moved by which the energy of an explosion exceeds what came in. What trembles by micrometres makes and loses
/// more than it ever has.
const SURPLUS: f64 = 0.1;
/// Fall that counts as motion whatever else moves \[m\]: below it the correction of rounding would be a large share.
const LEAST_FALL: f64 = 1e-3;
/// Gravity of such a fall where there is none and all was at rest \[m/s²\].
const EARTH: f64 = 9.8;

/// Sums of the balances of all steps.
pub(crate) struct Ledger {
    sum: EnergyBalance,
    start: Energy,
    /// Kinetic energy that there was or could come of a fall \[J\].
    least: f64,
    lowest: f64,
    time: f64,
    /// Work that came in, and what shapes that were placed into each other gave \[J\].
    given: f64,
    /// Work of what sets velocities and masses, so far \[J\].
    plugins: f64,
    /// Sum of what the steps made, its lowest value, and its largest rise \[J\].
    made: f64,
    made_lowest: f64,
    rise: f64,
    /// Largest excess of the energy over that of the start and the work that came in \[J\].
    surplus: f64,
    /// Step that made most: amount \[J\], time \[s\], row.
    worst: Option<(f64, f64, String)>,
    /// What has gone without a reason.
    losses: Losses,
    stops: Stops,
    /// What seems made in impacts at stops, and is of their loss \[J\].
    of_impacts: f64,
    /// Parts of `made` where it stood lowest, to tell what the rise is made of.
    parts_lowest: [f64; 3],
    parts_rise: [f64; 3],
}

/// What makes energy, in the order of [`Ledger::parts`], and what helps.
const CAUSES: [(&str, &str); 3] = [
    ("time step and drift of joints", "a smaller max_step_size or `--engine simbody` may help"),
    (
        "contacts that push overlapping shapes apart",
        "start poses without overlap, a smaller erp or contact_max_correcting_vel, or a smaller step may help",
    ),
    ("rows that the solver left unsolved", "more iters or the solver `world` may help"),
];

impl Ledger {
    /// Before the first step.
    pub(crate) fn new(simulation: &Simulation) -> Self {
        let world = &simulation.world;
        let start = world.energy();
        let is_at_rest_without = world.parameters.gravity.length() == 0.0 && start.kinetic + start.springs == 0.0;
        let gravity = if is_at_rest_without { EARTH } else { world.parameters.gravity.length() };
        let mass: f64 = world
            .body_ids()
            .filter_map(|id| world.body(id))
            .filter(|b| (b.gravity() || is_at_rest_without) && b.kind() == stiction::world::BodyKind::Dynamic)
            .map(|b| b.mass())
            .sum();
        Self {
            sum: EnergyBalance::default(),
            start,
            least: mass * gravity * LEAST_FALL,
            lowest: start.gravitational,
            time: world.time(),
            given: 0.0,
            plugins: simulation.plugin_work,
            made: 0.0,
            made_lowest: 0.0,
            rise: 0.0,
            surplus: 0.0,
            worst: None,
            losses: Losses::new(simulation),
            stops: Stops::new(simulation),
            of_impacts: 0.0,
            parts_lowest: [0.0; 3],
            parts_rise: [0.0; 3],
        }
    }

    /// After a step.
    pub(crate) fn add(&mut self, simulation: &Simulation) {
        let report = simulation.world.report();
        let step = &report.energy;
        let sum = &mut self.sum;
        sum.kinetic = step.kinetic;
        sum.gravitational = step.gravitational;
        sum.springs = step.springs;
        sum.change += step.change;
        sum.forces += step.forces;
        sum.motors += step.motors;
        sum.stored += step.stored;
        sum.placed += step.placed;
        sum.joint_loss += step.joint_loss;
        sum.contact_loss += step.contact_loss;
        sum.damping_loss += step.damping_loss;
        sum.made_drift += step.made_drift;
        sum.made_push_out += step.made_push_out;
        sum.made_solver += step.made_solver;
        sum.made_integration += step.made_integration;
        sum.taken_back += step.taken_back;
        self.lowest = self.lowest.min(step.gravitational);
        self.given += step.forces.max(0.0) + step.motors.max(0.0) + step.placed.max(0.0);
        // Velocities and masses are set between steps: their balances do not have that work.
        self.given += (simulation.plugin_work - self.plugins).max(0.0);
        self.plugins = simulation.plugin_work;
        let of_impact = self.stops.given_back(simulation, simulation.world.time() - self.time);
        self.of_impacts += of_impact;
        let made_here = step.made() - of_impact;
        self.made += made_here;
        // Nor do their changes: neither side has it.
        let excess = sum.change - (sum.forces + sum.motors + sum.placed);
        if excess.is_nan() || excess > self.surplus {
            self.surplus = excess;
        }
        // A step that moves by its new velocity keeps E + h p·g / 2 of what falls, and of springs what they have at its middle: that part
        // comes and goes with the speed.
        // Continuous time and the second order have no such steps, and sub-steps have booked it.
        let world = &simulation.world;
        let is_stepped = world.parameters.time != TimeAdvancement::Continuous
            && world.parameters.free_motion != FreeMotionRule::SecondOrder;
        let before = self.time;
        let length = if is_stepped { world.time() - before } else { 0.0 };
        let fall =
            world.parameters.gravity.dot(world.momentum().0 - report.momentum_in_substeps - report.momentum_in_parts);
        let swing = 0.5 * length * fall + report.spring_swing;
        self.time = world.time();
        let mut parts = self.parts();
        parts[0] += swing;
        let made = self.made + swing;
        if made < self.made_lowest {
            (self.made_lowest, self.parts_lowest) = (made, parts);
        }
        if made - self.made_lowest > self.rise {
            self.rise = made - self.made_lowest;
            self.parts_rise = std::array::from_fn(|k| parts[k] - self.parts_lowest[k]);
        }
        self.losses.add(simulation, world.time() - before, parts[0]);
        if made_here > self.worst.as_ref().map_or(0.0, |(amount, ..)| *amount) {
            let row = report.made_most.map_or_else(String::new, |(source, kind, _)| row_name(simulation, source, kind));
            self.worst = Some((made_here, simulation.world.time(), row));
        }
    }

    fn parts(&self) -> [f64; 3] {
        let s = &self.sum;
        [s.made_drift + s.made_integration - s.taken_back - self.of_impacts, s.made_push_out, s.made_solver]
    }

    /// What could move by right \[J\]: the energy of motion and springs at the start, what fell, and what was given.
    fn moved(&self) -> f64 {
        let fallen = (self.start.gravitational - self.lowest).max(0.0);
        (self.start.kinetic + self.start.springs + fallen + self.given).max(self.least)
    }

    /// Largest rise of what the steps made, over what moved.
    pub(crate) fn share(&self) -> f64 {
        let moved = self.moved();
        if self.rise.is_nan() {
            f64::INFINITY
        } else if self.rise <= 0.0 {
            0.0
        } else {
            self.rise / moved.max(f64::MIN_POSITIVE)
        }
    }

    /// Sum of what the steps made so far, negative where they lost \[J\].
    pub(crate) fn made(&self) -> f64 {
        self.made
    }

    /// What shapes that were placed into each other gave \[J\].
    pub(crate) fn placed(&self) -> f64 {
        self.sum.placed
    }

    /// Largest rise of that sum \[J\].
    pub(crate) fn rise(&self) -> f64 {
        self.rise
    }

    /// The steps made more energy than there was, and it shows.
    pub(crate) fn has_exploded(&self) -> bool {
        self.share() > EXPLODED && (self.surplus.is_nan() || self.surplus > SURPLUS * self.moved())
    }

    /// Why the result should not be trusted.
    pub(crate) fn warnings(&self, simulation: &Simulation) -> Vec<String> {
        let share = self.share();
        if share <= DOUBTFUL {
            return self.losses.warnings(simulation, self.moved(), DOUBTFUL);
        }
        let largest = (0..3).max_by(|a, b| self.parts_rise[*a].total_cmp(&self.parts_rise[*b])).unwrap_or(0);
        let (cause, help) = CAUSES[largest];
        let place = self.worst.as_ref().map_or_else(String::new, |(amount, time, row)| {
            let row = if row.is_empty() { String::new() } else { format!(" at {row}") };
            format!(" (most in the step before {time:.4} s: {amount:.2e} J{row})")
        });
        let verb = if self.has_exploded() { "the simulation exploded: the steps" } else { "the steps" };
        vec![format!(
            "{verb} made {:.2e} J, {:.1} % of the energy in play, by {cause}{place}; {help}",
            self.rise,
            100.0 * share
        )]
    }

    /// For the summary.
    pub(crate) fn json(&self) -> Value {
        let s = &self.sum;
        let worst = self.worst.as_ref().map(|(amount, time, row)| json!({"energy": amount, "time": time, "row": row}));
        json!({
            "change": s.change,
            "forces": s.forces,
            "motors": s.motors,
            "stored": s.stored,
            "placed": s.placed,
            "joint_loss": s.joint_loss,
            "contact_loss": s.contact_loss,
            "damping_loss": s.damping_loss,
            "made": {
                "drift": s.made_drift,
                "push_out": s.made_push_out,
                "solver": s.made_solver,
                "integration": s.made_integration,
                "taken_back": s.taken_back,
                "total": self.made,
                "rise": self.rise,
                "share": self.share(),
                "fall": self.losses.fall(),
                "worst": worst,
            },
            "moved": self.moved(),
        })
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        let s = &self.sum;
        let [forces, motors, joints, contacts, damping, made] =
            [s.forces, s.motors, s.joint_loss, s.contact_loss, s.damping_loss, self.made].map(rounded);
        format!(
            "work of forces {forces} J, motors {motors} J; lost in joints {joints} J, contacts {contacts} J, damping {damping} J; \
             made by the steps {made} J"
        )
    }
}
