//! Wind.

use stiction::math::DVec3;

use crate::description::Setting;

/// `<wind>`, and what a wind plugin says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct WindDescription {
    /// Velocity, world axes \[m/s\].
    pub linear_velocity: Setting<DVec3>,
    /// `force_approximation_scaling_factor` of a wind plugin: rate at which a link takes on the velocity of the wind \[1/s\].
    pub rate: Setting<f64>,
    /// Gazebo classic has no wind without its plugin.
    pub has_plugin: bool,
}
