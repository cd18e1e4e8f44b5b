//! Which engine uses, maps or ignores each parameter: the table `usage.tsv`, beside those of the elements and of the
//! engine's parameters.
//!
//! A parameter has a *key*: `surface/contact/ode kp` for an element of a file (the context of the table of elements and the
//! name), the path for a parameter of the engine (`contact.margin`). An engine inherits from another what the table does
//! not say of it.
//!
//! ```
//! use stiction_formats::usage::{self, How};
//!
//! let iters = usage::find("physics/ode/solver iters").expect("a known element");
//! assert_eq!(iters.path(), "physics.ode.solver.iters");
//! assert_eq!(usage::of(iters, "ode-quick").map(|u| u.how), Some(How::Used));
//! assert_eq!(usage::of(iters, "drake-discrete").map(|u| u.how), Some(How::Ignored));
//! ```

mod leaf;
mod plugin;
mod table;

pub use leaf::{Leaf, LeafKind, find, leaves};
pub use plugin::limit_of_plugin;
pub use table::{How, Usage, absent, engines, of, proof};

#[cfg(test)]
mod tests;
