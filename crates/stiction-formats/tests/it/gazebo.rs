//! Real Gazebo worlds against what Gazebo classic, and new Gazebo with DART, make of them.
#![allow(clippy::unwrap_used)]

mod classic;
mod dart_oracle;
mod facts;
mod oracle;
mod support;
mod trajectory;
mod worlds;
