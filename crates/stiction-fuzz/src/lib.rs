//! Random worlds whose truth is known: what a case must show follows from physics, not from the engine.
//!
//! | module | worlds | judge |
//! |---|---|---|
//! | [`mechanism`] | joints of all kinds, trees and loops, mass ratios to 1e6, springs, stops, motors | energy and momentum |
//! | [`contact`] | shapes that fall, slide and pile up | Signorini's conditions, friction, dissipation, Newton's laws |
//! | [`program`] | programs of calls, numbers that no world has among them | a plain model of what there is |
//!
//! A case is a kind, a seed and a [`setting`]; the same seed makes the same bodies under every setting.

pub mod case;
pub mod contact;
pub mod energy;
pub mod mechanism;
pub mod program;
pub mod random;
pub mod setting;
pub mod trace;
pub mod verdict;
