//! Real Gazebo worlds against what Gazebo classic makes of them.
#![allow(clippy::unwrap_used)]

#[path = "gazebo/classic.rs"]
mod classic;
#[path = "gazebo/facts/mod.rs"]
mod facts;
#[path = "gazebo/oracle.rs"]
mod oracle;
#[path = "gazebo/support.rs"]
mod support;
#[path = "gazebo/worlds.rs"]
mod worlds;
