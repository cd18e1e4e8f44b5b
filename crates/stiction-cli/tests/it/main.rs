//! Tests of the command, one program.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod command;
mod common;
mod compare;
mod convert;
mod everywhere;
mod explain;
mod fixes;
mod followed;
mod manners;
mod materials;
mod recording;
mod refused;
mod told_once;
mod user_files;
mod words;
mod xacro;
