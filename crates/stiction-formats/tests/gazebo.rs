//! Real Gazebo worlds against what Gazebo classic, and new Gazebo with DART, make of them.
#![allow(clippy::unwrap_used)]

#[path = "gazebo/classic.rs"]
mod classic;
#[path = "gazebo/dart_oracle.rs"]
mod dart_oracle;
#[path = "gazebo/facts/mod.rs"]
mod facts;
#[path = "gazebo/oracle.rs"]
mod oracle;
#[path = "gazebo/support.rs"]
mod support;
#[path = "gazebo/trajectory.rs"]
mod trajectory;
#[path = "gazebo/worlds.rs"]
mod worlds;
