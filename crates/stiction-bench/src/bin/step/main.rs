//! Steps a benchmark scene with one of our presets: the harness of our side, as the programs of the peers.
//!
//! `step SCENE STEPS THREADS LIMIT OUT PRESET [SWEEPS]`; SCENE is a file or a scene made in code, as `pyramid8`, STEPS 0 is the
//! number in the scene, LIMIT is in seconds, OUT - is none. LIMIT 0 steps
//! without looking at a clock, for programs that count instructions.

use std::error::Error;
use std::time::Instant;

use stiction::world::{Preset, WorldParameters};
use stiction_bench::clock::microseconds;
use stiction_bench::engines::Run;
use stiction_bench::quality::{BodyState, RECORDS, write_record};
use stiction_scenes::{Loaded, Scene, builtin, parse};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, steps, threads, limit, out, preset, rest @ ..] = words.as_slice() else {
        return Err("usage: step SCENE STEPS THREADS LIMIT OUT PRESET [SWEEPS]".into());
    };
    let mut scene = match builtin::by_name(file) {
        Some(scene) => scene,
        None => parse(&std::fs::read_to_string(file)?)?,
    };
    let steps: usize = steps.parse()?;
    if steps > 0 {
        scene.steps = steps;
    }
    let preset = Preset::from_name(preset).ok_or_else(|| format!("no preset {preset}"))?;
    // Peers do not measure residuals and energy in a step, and do not put bodies to sleep.
    let mut parameters = WorldParameters { threads: threads.parse()?, ..WorldParameters::default() };
    preset.apply(&mut parameters);
    parameters.residual_interval = 0;
    parameters.audit = false;
    parameters.sleeping = false;
    if let [sweeps] = rest {
        parameters.iterations = sweeps.parse()?;
    }
    let variant = match preset {
        Preset::Stiction => format!("f64 {} sub-steps", parameters.substeps),
        _ => format!("f64 {}", parameters.iterations),
    };
    let mut loaded = scene.build(parameters)?;
    let limit: f64 = limit.parse()?;
    if limit == 0.0 {
        for _ in 0..scene.steps {
            loaded.step();
        }
        return Ok(());
    }
    let (run, states) = run(&scene, loaded, limit, variant);
    if out != "-" {
        std::fs::write(out, states)?;
    }
    println!("{}", serde_json::to_string(&run)?);
    Ok(())
}

/// Steps until the end or the limit \[s\], as `peers/common/harness.hpp` does.
fn run(scene: &Scene, mut loaded: Loaded, limit: f64, variant: String) -> (Run, String) {
    let (mut core, mut wall) = (Vec::new(), Vec::new());
    let (mut contacts, mut counted) = (0, 0);
    let mut states = String::new();
    let begun = Instant::now();
    while core.len() < scene.steps && begun.elapsed().as_secs_f64() < limit {
        let (start, core_start) = (Instant::now(), microseconds());
        loaded.step();
        wall.push(start.elapsed().as_secs_f64() * 1e6);
        core.push(microseconds() - core_start);
        if core.len().is_multiple_of(16) && core.len() > scene.steps / 2 {
            contacts += loaded.world.report().contacts;
            counted += 1;
        }
        for record in (1..=RECORDS).filter(|r| core.len() == scene.steps * r / RECORDS) {
            write_record(record, states_of(&loaded), &mut states);
        }
    }
    let run = Run {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        variant,
        steps: core.len(),
        core_us: late_median(&core),
        wall_us: late_median(&wall),
        contacts: contacts as f64 / f64::from(counted.max(1)),
    };
    (run, states)
}

fn states_of(loaded: &Loaded) -> impl Iterator<Item = BodyState> {
    let bodies = loaded.bodies.iter().filter_map(|id| loaded.world.body(*id));
    bodies.map(|b| BodyState { pose: b.pose(), velocity: b.velocity(), omega: b.omega() })
}

/// Median of the later half.
fn late_median(times: &[f64]) -> f64 {
    let mut late = times[times.len() / 2..].to_vec();
    late.sort_by(f64::total_cmp);
    late.get(late.len() / 2).copied().unwrap_or(0.0)
}
