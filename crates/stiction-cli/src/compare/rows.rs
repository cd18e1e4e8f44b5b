//! The figures of a case: titles, units, definitions, and how they are written.

use stiction_run::{Compared, ComparedCase, Difference, Figures};

/// A figure that every case has.
pub struct Row {
    /// Its name.
    pub title: &'static str,
    /// Its unit, if it has one.
    pub unit: &'static str,
    /// How it is defined.
    pub definition: &'static str,
    cell: fn(&Compared, usize) -> String,
}

impl Row {
    /// What a case has; `-` for nothing.
    pub fn cell(&self, compared: &Compared, case: usize) -> String {
        (self.cell)(compared, case)
    }

    /// Name and unit.
    pub fn label(&self) -> String {
        if self.unit.is_empty() { self.title.to_owned() } else { format!("{} [{}]", self.title, self.unit) }
    }
}

/// All figures, in the order of the table.
pub const ROWS: [Row; 20] = [
    row("engine", "", "The engine that ran; `ode` is named after its solver.", |c, i| {
        figures(c, i, |f| f.engine.to_owned())
    }),
    row(
        "step",
        "s",
        "Step size. In continuous time, the interval of observation; the integrator chooses its own steps.",
        |c, i| figures(c, i, |f| time(f.step)),
    ),
    row("end", "s", "Simulated time at the end.", |c, i| figures(c, i, |f| time(f.sim_time))),
    row(
        "speed",
        "× real time",
        "Simulated time over the time that the steps took on this machine, without loading, observation and plots. The cases take turns on one thread, unless `--threads` is given.",
        |c, i| figures(c, i, |f| of_steps(f, f.real_time_factor)),
    ),
    row("time a step", "µs", "Computing time per step.", |c, i| figures(c, i, |f| of_steps(f, f.step_time))),
    row("contacts, mean", "", "Contact points per step, mean over all steps.", |c, i| {
        figures(c, i, |f| number(f.contacts_mean))
    }),
    row("contacts, most", "", "Contact points per step, maximum.", |c, i| {
        figures(c, i, |f| f.contacts_max.to_string())
    }),
    row("penetration", "m", "Largest depth of any contact point in any step.", |c, i| {
        figures(c, i, |f| number(f.penetration_max))
    }),
    row(
        "energy made",
        "J",
        "Energy that the steps added beyond the work of forces and motors and the losses by friction, impacts and damping; negative if energy was lost.",
        |c, i| figures(c, i, |f| number(f.made)),
    ),
    row(
        "energy made, rise",
        "J",
        "Largest rise of the energy made over the run, without the integration error of falling bodies, which oscillates with their speed.",
        |c, i| figures(c, i, |f| number(f.made_rise)),
    ),
    row(
        "rise of energy in play",
        "%",
        "The rise relative to the energy exchanged during the run: kinetic and spring energy at the start, potential energy released, work of forces and motors.",
        |c, i| figures(c, i, |f| number(100.0 * f.made_share)),
    ),
    row("joint gap", "m", "Largest distance of the two anchors of a joint.", |c, i| {
        figures(c, i, |f| number(f.joint_gap_max))
    }),
    row(
        "path difference",
        "m",
        "Largest distance of the origin of a link from that of the same link in the reference at the same time.",
        |c, i| if i == c.reference { "reference".to_owned() } else { difference(c, i, |d| number(d.max)) },
    ),
    row("of link", "", "The link with this distance.", |c, i| {
        difference(c, i, |d| d.at.as_ref().map_or_else(nothing, |(link, _)| link.clone()))
    }),
    row("at", "s", "Time of this distance.", |c, i| {
        difference(c, i, |d| d.at.as_ref().map_or_else(nothing, |(_, t)| time(*t)))
    }),
    row(
        "path difference, rms",
        "m",
        "Root mean square of the distances over all instants and all moving links.",
        |c, i| difference(c, i, |d| number(d.rms)),
    ),
    row(
        "residual",
        "m/s",
        "Largest error that the solver left in a constraint row in any step; not defined for engines without rows.",
        |c, i| figures(c, i, |f| f.residual.as_ref().map_or_else(nothing, |(value, ..)| number(*value))),
    ),
    row("warnings", "", "Number of warnings about the files, before the first step, and during the run.", |c, i| {
        figures(c, i, |f| f.warnings.len().to_string())
    }),
    row(
        "outcome",
        "",
        "`done`, or why not: `condition` (of --fail-if), `unfinished` (continuous time could not go on), `quarantined` (numbers that are not finite), `exploded` (it made more energy than was in play), `stopped` (its steps took longer than --time-limit), `refused` (the engine cannot run the world).",
        |c, i| c.cases[i].outcome.word().to_owned(),
    ),
    row(
        "state hash",
        "",
        "Hash of the bits of every pose and velocity at the end: equal hashes mean bitwise identical results.",
        |c, i| figures(c, i, |f| format!("{:016x}", f.state_hash)),
    ),
];

const fn row(
    title: &'static str,
    unit: &'static str,
    definition: &'static str,
    cell: fn(&Compared, usize) -> String,
) -> Row {
    Row { title, unit, definition, cell }
}

/// A number that only steps give.
fn of_steps(figures: &Figures, x: f64) -> String {
    if figures.steps == 0 { nothing() } else { number(x) }
}

fn nothing() -> String {
    "-".to_owned()
}

fn figures(compared: &Compared, case: usize, text: impl Fn(&Figures) -> String) -> String {
    compared.cases[case].figures.as_ref().map_or_else(nothing, text)
}

fn difference(compared: &Compared, case: usize, text: impl Fn(&Difference) -> String) -> String {
    let ComparedCase { difference, .. } = &compared.cases[case];
    difference.as_ref().map_or_else(nothing, text)
}

/// A time as people write it, to six digits.
pub fn time(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if rounded != 0.0 && !(1e-4..1e7).contains(&rounded.abs()) { format!("{rounded:e}") } else { rounded.to_string() }
}

/// Four digits: plain where that is short, else with a power of ten.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if !x.is_finite() {
        "not finite".to_owned()
    } else if (1e-3..1e6).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).max(0) as usize;
        format!("{x:.digits$}")
    } else {
        format!("{x:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::{number, time};

    #[test]
    fn times_are_as_people_write_them() {
        for (x, text) in
            [(0.001, "0.001"), (1.0 / 60.0, "0.0166667"), (5.0, "5"), (0.0, "0"), (1e-6, "1e-6"), (4.341, "4.341")]
        {
            assert_eq!(time(x), text);
        }
    }

    #[test]
    fn numbers_have_four_digits() {
        for (x, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1.000"),
            (-12.345_67, "-12.35"),
            (123_456.7, "123457"),
            (0.001, "0.001000"),
            (0.000_999, "9.990e-4"),
            (2e6, "2.000e6"),
            (f64::INFINITY, "not finite"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
