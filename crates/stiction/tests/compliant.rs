//! Compliant contact: the facts that Drake's own tests state, closed forms, and both time advancements side by side.
#![allow(clippy::unwrap_used)]

#[path = "compliant/agreement.rs"]
mod agreement;
#[path = "compliant/creep.rs"]
mod creep;
#[path = "compliant/impact.rs"]
mod impact;
#[path = "compliant/incline.rs"]
mod incline;
#[path = "compliant/pizza_saver.rs"]
mod pizza_saver;
#[path = "compliant/push.rs"]
mod push;
#[path = "compliant/support.rs"]
mod support;
