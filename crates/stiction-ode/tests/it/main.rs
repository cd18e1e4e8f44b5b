//! Tests of the C interface, one program.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod better;
mod clients;
mod collision;
mod common;
mod export;
mod facts;
mod flow;
mod headers;
mod identities;
mod install;
mod interface;
mod leave;
mod misuse;
mod motion;
mod parity;
mod piles;
mod quickstep;
mod single;
mod swept;
mod symbols;
