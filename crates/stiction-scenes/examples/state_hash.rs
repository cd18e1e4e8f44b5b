//! Prints the state hashes of scenes under every engine after 60 steps: `cargo xtask test` runs this with and without
//! optimization, and the output must be the same. The scenes run on a thread with the stack of Rust's threads (2 MB).

use stiction::world::{Coordinates, Preset, WorldParameters};
use stiction_scenes::{BuildError, builtin};

fn main() -> Result<(), BuildError> {
    std::thread::spawn(print_hashes).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn print_hashes() -> Result<(), BuildError> {
    let step = 1.0 / 240.0;
    for scene in [builtin::pyramid(4, step, 0), builtin::pile(2, step, 0), builtin::ragdolls(2, step, 0)] {
        for preset in Preset::ALL {
            for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
                let mut parameters = WorldParameters { coordinates, ..WorldParameters::default() };
                preset.apply(&mut parameters);
                parameters.integrator.accuracy = 1e-3;
                let mut loaded = scene.build(parameters)?;
                // Integrators take many small steps in each of these.
                let steps = if matches!(preset, Preset::DrakeContinuous | Preset::Simbody) { 6 } else { 60 };
                for _ in 0..steps {
                    loaded.step();
                }
                println!("{}\t{}\t{coordinates:?}\t{:016x}", scene.name, preset.name(), loaded.world.state_hash());
            }
        }
    }
    Ok(())
}
