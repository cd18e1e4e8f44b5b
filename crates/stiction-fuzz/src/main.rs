//! `cargo xtask fuzz`: random worlds by seed, judged by physics.

use std::time::{Duration, Instant};

use clap::Parser;
use stiction_fuzz::mechanism::{Mechanism, Setting};

/// Random worlds, judged by physics.
#[derive(Parser)]
struct Arguments {
    /// Seconds of wall time.
    #[arg(long, default_value_t = 120.0)]
    seconds: f64,
    /// First seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Cases at most.
    #[arg(long, default_value_t = u64::MAX)]
    count: u64,
    /// Settings whose name is this; all without.
    #[arg(long)]
    setting: Option<String>,
    /// Gains of energy that are told.
    #[arg(long, default_value_t = 0.05)]
    bound: f64,
}

fn main() {
    let arguments = Arguments::parse();
    let end = Instant::now() + Duration::from_secs_f64(arguments.seconds);
    for setting in Setting::all() {
        let name = setting.name();
        if arguments.setting.as_ref().is_some_and(|s| *s != name) {
            continue;
        }
        let (mut gains, mut worst, mut exploded, mut apart, mut cases) = (0, 0.0f64, 0, 0, 0u64);
        let began = Instant::now();
        let mut totals = [0u32; 4];
        for seed in arguments.seed..arguments.seed.saturating_add(arguments.count) {
            if Instant::now() > end {
                break;
            }
            let mut mechanism = Mechanism::new(seed, &setting);
            let outcome = mechanism.run(2.0, 2000);
            cases += 1;
            worst = worst.max(outcome.gain);
            for (k, bound) in [0.01, 0.05, 1.0, 1e3].into_iter().enumerate() {
                totals[k] += u32::from(outcome.gain > bound);
            }
            exploded += u32::from(!outcome.is_finite);
            apart += u32::from(outcome.gap > 0.02);
            if outcome.gain > arguments.bound || !outcome.is_finite || outcome.momentum > 1e-6 {
                gains += 1;
                println!(
                    "{name} seed {seed}: gain {:.3e}, gap {:.2e}, momentum {:.1e}: {}",
                    outcome.gain, outcome.gap, outcome.momentum, mechanism.description
                );
            }
        }
        println!(
            "{name}: {cases} mechanisms, {gains} told; gain above 1 %, 5 %, 1, 1000: {totals:?}; not finite {exploded}; \
             apart {apart}; worst {worst:.3e}; {:.1} s",
            began.elapsed().as_secs_f64()
        );
    }
}
