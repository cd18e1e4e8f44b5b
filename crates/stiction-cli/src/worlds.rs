//! `stiction worlds`: the bundled worlds.

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
