//! Wings and rotors.

use stiction::math::DVec3;

/// `LiftDrag`.
#[derive(Clone, Debug, PartialEq)]
pub struct LiftDragDescription {
    /// Index of the link.
    pub link: usize,
    /// Density of the air \[kg/m³\].
    pub air_density: f64,
    /// Area \[m²\].
    pub area: f64,
    /// Angle of attack at rest \[rad\].
    pub a0: f64,
    /// Slopes of the coefficients of lift, drag and moment \[1/rad\].
    pub slopes: [f64; 3],
    /// The same beyond the stall.
    pub slopes_stall: [f64; 3],
    /// Angle of attack of the stall \[rad\].
    pub alpha_stall: f64,
    /// Centre of pressure in the link \[m\].
    pub cp: DVec3,
    /// Direction ahead in the link.
    pub forward: DVec3,
    /// Direction of lift in the link.
    pub upward: DVec3,
    /// The direction of lift follows the velocity.
    pub radial_symmetry: bool,
    /// It works backwards too.
    pub reversible: bool,
    /// Joint whose angle adds to the coefficients.
    pub control_joint: Option<usize>,
    /// Lift by that angle \[1/rad\].
    pub control_to_lift: f64,
    /// Moment by that angle \[1/rad\].
    pub control_to_moment: f64,
}

/// Coefficients of one force or moment of an [`AircraftDescription`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AeroDerivatives {
    /// By the angle of attack, and by the angle of sideslip \[1/rad\].
    pub by_angles: [f64; 2],
    /// By the rates of roll, pitch and yaw, made dimensionless by half the span or chord over the speed.
    pub by_rates: [f64; 3],
}

/// A surface that a joint turns.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlSurfaceDescription {
    /// Index of the joint.
    pub joint: usize,
    /// Sign of its deflection.
    pub direction: f64,
    /// Coefficients of drag, side force, lift, roll, pitch and yaw by its deflection \[1/deg\].
    pub effects: [f64; 6],
}

/// `AdvancedLiftDrag`: an aircraft as one body, by its derivatives as AVL writes them.
#[derive(Clone, Debug, PartialEq)]
pub struct AircraftDescription {
    /// Index of the link.
    pub link: usize,
    /// Lift and drag at no angle of attack.
    pub lift_drag_at_zero: [f64; 2],
    /// Derivatives of drag, side force, lift, roll, pitch and yaw.
    pub derivatives: [AeroDerivatives; 6],
    /// Angle of attack of the stall \[rad\].
    pub alpha_stall: f64,
    /// Aspect ratio.
    pub aspect_ratio: f64,
    /// Mean aerodynamic chord \[m\].
    pub chord: f64,
    /// Oswald's efficiency of the wing.
    pub efficiency: f64,
    /// Density of the air \[kg/m³\].
    pub air_density: f64,
    /// Area \[m²\].
    pub area: f64,
    /// Point of reference in the link \[m\].
    pub cp: DVec3,
    /// Direction ahead in the link.
    pub forward: DVec3,
    /// Direction of lift in the link.
    pub upward: DVec3,
    /// Surfaces.
    pub surfaces: Vec<ControlSurfaceDescription>,
}

/// `MulticopterMotorModel`.
#[derive(Clone, Debug, PartialEq)]
pub struct MotorDescription {
    /// Index of the joint.
    pub joint: usize,
    /// Index of the rotor's link.
    pub link: usize,
    /// Index of the link that carries it.
    pub parent: Option<usize>,
    /// 1 for `ccw`, −1 for `cw`.
    pub direction: f64,
    /// Thrust by the square of the speed \[N s²/rad²\].
    pub motor_constant: f64,
    /// Moment by thrust \[m\].
    pub moment_constant: f64,
    /// Largest speed \[rad/s\].
    pub max_speed: f64,
    /// Drag by speed and velocity \[N s²/(m rad)\].
    pub rotor_drag: f64,
    /// Moment by speed and velocity \[N s²/rad\].
    pub rolling_moment: f64,
    /// Time constants up and down \[s\].
    pub time_constants: [f64; 2],
    /// The joint turns slower by this factor.
    pub slowdown: f64,
    /// Which number of a command of all actuators is its own.
    pub actuator: u32,
}

/// A rotor of a [`CopterDescription`].
#[derive(Clone, Debug, PartialEq)]
pub struct RotorDescription {
    /// Index of the joint.
    pub joint: usize,
    /// Thrust by the square of the speed \[N s²/rad²\].
    pub force_constant: f64,
    /// Moment by thrust \[m\].
    pub moment_constant: f64,
    /// 1 for counterclockwise, −1 for clockwise.
    pub direction: f64,
}

/// `MulticopterVelocityControl`.
#[derive(Clone, Debug, PartialEq)]
pub struct CopterDescription {
    /// Index of the link whose frame is the vehicle's.
    pub link: usize,
    /// Gain on the velocity \[kg/s\].
    pub velocity_gain: DVec3,
    /// Gain on the attitude.
    pub attitude_gain: DVec3,
    /// Gain on the angular velocity.
    pub rate_gain: DVec3,
    /// Largest acceleration \[m/s²\].
    pub max_acceleration: DVec3,
    /// Largest commanded velocity \[m/s\].
    pub max_velocity: DVec3,
    /// Largest commanded angular velocity \[rad/s\].
    pub max_rate: DVec3,
    /// Rotors.
    pub rotors: Vec<RotorDescription>,
}
