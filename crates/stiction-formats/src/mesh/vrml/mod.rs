//! Geometry of VRML 97 files (ISO/IEC 14772-1). Appearance, sensors, scripts and routes are skipped.

mod lexer;
mod parser;
mod scene;

pub(crate) use parser::{Document, parse};
pub(crate) use scene::shapes;
