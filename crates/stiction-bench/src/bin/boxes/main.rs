//! Writes `docs/boxes.md`: free boxes under our engines, beside the published figures of the originals.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Parser;
use stiction_bench::boxes::{COMPLEX, Engine, PUBLISHED, SIMPLE, throw};

#[derive(Parser)]
#[command(about = "Throws free boxes under the engines and writes the table of the documentation")]
struct Options {
    /// The page
    #[arg(long, default_value = "docs/boxes.md")]
    to: PathBuf,
}

/// Boxes of the count test.
const COUNTS: [usize; 6] = [1, 21, 41, 61, 81, 101];

const HEAD: &str = "# Free boxes\n\nMade by `cargo xtask boxes`, after the benchmark of free-floating boxes for Gazebo (S. Peters): a box of \
     10 kg and 0.1 × 0.4 × 0.9 m flies for 10 s without touching anything. Errors are the largest of all steps: dE of the energy and dH of the \
     angular momentum, relative; dx of the place, from p₀ + v₀ t + ½ g t². The complex motion is a throw that tumbles about the middle axis of \
     inertia, (0.1, 5, 0.1) rad/s, in gravity; the simple one turns about a principal axis without gravity, where the angle can be told \
     exactly, ω t. The figures of the originals are the published ones.\n\n\
     | engine | 1 ms, complex: dE | dH | dx \\[m\\] | 0.1 ms, complex: dE | dH | dx \\[m\\] | 1 ms, simple: dx \\[m\\] | angle \\[rad\\] |\n\
     |---|---|---|---|---|---|---|---|---|\n";

const NOTES: &str = "\nSemi-implicit Euler, `x⁺ = x + h v⁺`, is off by ½ g h t; that is what ODE, Bullet and DART do, and what their types do here, so \
     that paths agree. Its dE is all of that height, m g ½ g h t / E₀ = 0.01303; ODE's own is 0.0006 less since its turning loses as much. \
     `--set physics.free_motion=second_order` moves bodies without contacts and joints by the mean of both velocities, which is exact under a \
     constant force. Turning conserves angular momentum and energy under every engine: free rotation is implicit midpoint.\n\n\
     ## Number of boxes\n\nThe complex motion at 1 ms, 1 to 101 boxes under `ode`, without and with collision shapes: errors do not depend on the \
     number. Times are of the machine that made the page.\n\n| boxes | dE | dx \\[m\\] | time of a step, per box \\[µs\\] | with shapes \\[µs\\] |\n\
     |---|---|---|---|---|\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let mut page = HEAD.to_owned();
    for engine in Engine::ALL {
        let [coarse, fine] = [1e-3, 1e-4].map(|step| throw(&engine, &COMPLEX, step, 1, false));
        let simple = throw(&engine, &SIMPLE, 1e-3, 1, false)?;
        let complex = [coarse?, fine?].map(|e| [e.energy, e.angular_momentum, e.position]).concat();
        row(
            &mut page,
            &format!("`{}`", engine.preset.name()),
            engine.is_second_order,
            &complex,
            simple.position,
            simple.angle,
        );
    }
    for original in PUBLISHED {
        let complex = [original.coarse, original.fine].concat();
        row(
            &mut page,
            &format!("{}, published", original.name),
            false,
            &complex,
            original.simple[0],
            original.simple[1],
        );
    }
    page += NOTES;
    for count in COUNTS {
        let plain = throw(&Engine::ALL[0], &COMPLEX, 1e-3, count, false)?;
        let shaped = throw(&Engine::ALL[0], &COMPLEX, 1e-3, count, true)?;
        let (energy, place) = (number(plain.energy.max(shaped.energy)), number(plain.position.max(shaped.position)));
        writeln!(page, "| {count} | {energy} | {place} | {:.2} | {:.2} |", plain.step_time, shaped.step_time)?;
    }
    std::fs::write(&options.to, page)?;
    Ok(())
}

fn row(page: &mut String, name: &str, is_second_order: bool, complex: &[f64], place: f64, angle: f64) {
    let order = if is_second_order { ", second order" } else { "" };
    *page += &format!("| {name}{order} |");
    for value in complex.iter().chain([&place, &angle]) {
        *page += &format!(" {} |", number(*value));
    }
    page.push('\n');
}

/// Four digits of what is large enough, two of the rest.
fn number(x: f64) -> String {
    match x {
        0.0 => "0".to_owned(),
        x if x >= 1e-4 => format!("{:.3e}", x).parse::<f64>().unwrap_or(x).to_string(),
        x => format!("{x:.1e}"),
    }
}
