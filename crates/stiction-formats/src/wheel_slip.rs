//! Slip of wheels by Gazebo's `WheelSlipPlugin`, as data.

use crate::description::Setting;
use crate::diagnostic::Location;

/// A `<wheel>` of a `WheelSlipPlugin` (gz-sim: the system `WheelSlip`). Before each step the slips of its collision are
/// `compliance · |r ω| / F`, with the rate ω of the link about the joint's axis.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelSlipDescription {
    /// Index of its link.
    pub link: usize,
    /// Index of the joint that it turns about.
    pub joint: usize,
    /// Slip ratio by friction ratio along the first friction direction (`slip_compliance_lateral`).
    pub lateral: Setting<f64>,
    /// The same along the second direction (`slip_compliance_longitudinal`).
    pub longitudinal: Setting<f64>,
    /// F: about the steady normal force \[N\] (`wheel_normal_force`).
    pub normal_force: Setting<f64>,
    /// r \[m\] (`wheel_radius`, else of the sphere or cylinder).
    pub radius: Setting<f64>,
    /// Where it stands.
    pub location: Location,
}
