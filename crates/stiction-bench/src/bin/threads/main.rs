//! Steps on one thread and on several: wall time of a step, by turns, of scenes with many islands and with one.

use std::error::Error;
use std::time::Instant;

use clap::Parser;
use stiction::world::WorldParameters;
use stiction_scenes::{Scene, builtin};

#[derive(Parser)]
#[command(about = "Times steps on one thread and on several")]
struct Options {
    /// Threads beside one
    #[arg(long, default_value = "2", value_delimiter = ',')]
    threads: Vec<u32>,
    /// Only scenes whose name starts with this
    #[arg(long, default_value = "")]
    only: String,
    /// Runs; the fastest counts
    #[arg(long, default_value_t = 3)]
    repeats: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let step = 1.0 / 240.0;
    let scenes = [
        ("boxes1000", builtin::boxes(1000, step, 300)),
        ("ragdolls10", builtin::ragdolls(10, step, 300)),
        ("ragdolls100", builtin::ragdolls(100, step, 150)),
        ("pile512", builtin::pile(8, step, 300)),
    ];
    print!("{:14}{:>10}{:>14}", "scene", "islands", "1 thread µs");
    options.threads.iter().for_each(|n| print!("{:>20}", format!("{n} threads µs")));
    println!();
    for (name, scene) in scenes.iter().filter(|(name, _)| name.starts_with(&options.only)) {
        let counts: Vec<u32> = std::iter::once(1).chain(options.threads.iter().copied()).collect();
        let mut fastest = vec![f64::INFINITY; counts.len()];
        let mut hashes = Vec::new();
        let mut islands = 0;
        for _ in 0..options.repeats.max(1) {
            for (count, fastest) in counts.iter().zip(&mut fastest) {
                let (time, hash, found) = run(scene, *count)?;
                islands = found;
                *fastest = fastest.min(time);
                hashes.push(hash);
            }
        }
        if hashes.iter().any(|hash| *hash != hashes[0]) {
            return Err(format!("{name}: states depend on the number of threads").into());
        }
        print!("{name:14}{islands:10}{:14.1}", fastest[0]);
        for time in &fastest[1..] {
            print!("{:>20}", format!("{time:.1} (×{:.2})", fastest[0] / time));
        }
        println!();
    }
    Ok(())
}

/// Mean wall time of a step \[µs\], the hash of the last state, and its islands.
fn run(scene: &Scene, threads: u32) -> Result<(f64, u64, usize), Box<dyn Error>> {
    let parameters = WorldParameters { threads, residual_interval: 0, audit: false, ..WorldParameters::default() };
    let mut loaded = scene.build(parameters)?;
    let start = Instant::now();
    for _ in 0..scene.steps {
        loaded.step();
    }
    let time = start.elapsed().as_secs_f64() * 1e6 / scene.steps as f64;
    Ok((time, loaded.world.state_hash(), loaded.world.report().islands))
}
