//! Compliant contact: the facts that Drake's own tests state, closed forms, and both time advancements side by side.
#![allow(clippy::unwrap_used)]

mod agreement;
mod creep;
mod impact;
mod incline;
mod pizza_saver;
mod push;
mod stacks;
mod support;
