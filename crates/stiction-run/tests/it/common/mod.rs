//! What several test modules share.

pub mod choreonoid;

/// All engines; `ode` runs as one of the first two.
pub const ENGINES: [&str; 10] = [
    "stiction",
    "ode-quick",
    "ode-world",
    "bullet",
    "bullet-featherstone",
    "dart",
    "simbody",
    "drake-discrete",
    "drake-continuous",
    "agx",
];
