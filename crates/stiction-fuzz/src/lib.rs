//! Random worlds whose truth is known: what a case must show follows from physics, not from the engine.
//!
//! | module | worlds | judge |
//! |---|---|---|
//! | [`contact`] | shapes that fall, slide and pile up | Signorini's conditions, friction cone, dissipation |
//! | [`mechanism`] | joints of all kinds, trees and loops, mass ratios to 1e6, springs, stops, motors | energy and momentum |

pub mod contact;
pub mod energy;
pub mod mechanism;
pub mod random;
