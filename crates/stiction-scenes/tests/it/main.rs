//! Tests of the scenes, one program.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod mechanisms;
mod text;
mod threads;
