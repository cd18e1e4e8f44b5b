//! `stiction worlds`: the bundled worlds; and `stiction` alone, what to do first.

use stiction_formats::BUNDLED_WORLDS;

use crate::exit::{Exit, Failure};
use crate::output::say;

/// Prints the name of each, as `run` takes it in any folder, and what it shows.
pub fn worlds() -> Result<Exit, Failure> {
    for world in BUNDLED_WORLDS {
        say!("{}: {}", world.name, world.about());
    }
    Ok(Exit::Done)
}

/// What `stiction` prints without arguments.
const FIRST_STEPS: &str = "\
stiction: rigid-body physics for robots and machines, with the contact models of ODE, Bullet, DART, Simbody, Drake and AGX

  stiction run tower --plot tower.svg --plot-of height   # run a bundled world and plot it (all: `stiction worlds`)
  stiction check FILE                                    # check your own world or robot: .world, .sdf, .urdf, .body, .cnoid
  stiction explain slip                                  # what to do when something slips, sinks, bounces, jitters, explodes, …

Then: `stiction run FILE`, `stiction compare FILE` (engines side by side), `stiction explain FILE` (what each parameter does).
Help: `stiction --help`, `stiction COMMAND --help`; recipes: docs/symptoms.md; documentation: README.md";

/// Prints what to do first.
pub fn first_steps() -> Result<Exit, Failure> {
    say!("{FIRST_STEPS}");
    Ok(Exit::Done)
}
