//! Facts of Gazebo's own tests.
