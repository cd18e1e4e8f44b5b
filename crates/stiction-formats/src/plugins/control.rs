//! Controllers of single joints.

/// A PID controller of gz-math: `u = offset − p e − I − d ė`, with `İ = i e` within `[i_min, i_max]` and u within
/// `[cmd_min, cmd_max]`; a range whose end lies below its beginning is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PidDescription {
    /// Proportional gain.
    pub p: f64,
    /// Integral gain \[1/s\].
    pub i: f64,
    /// Derivative gain \[s\].
    pub d: f64,
    /// Largest integral term.
    pub i_max: f64,
    /// Least integral term.
    pub i_min: f64,
    /// Largest output.
    pub cmd_max: f64,
    /// Least output.
    pub cmd_min: f64,
    /// Added to the output.
    pub offset: f64,
}

impl PidDescription {
    /// Gains without an offset; `range` of the integral term and of the output.
    #[must_use]
    pub const fn new([p, i, d]: [f64; 3], integral: f64, output: f64) -> Self {
        Self { p, i, d, i_max: integral, i_min: -integral, cmd_max: output, cmd_min: -output, offset: 0.0 }
    }

    /// All gains are zero: it does nothing.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        [self.p, self.i, self.d, self.offset] == [0.0; 4]
    }
}

/// How a joint follows its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ServoLaw {
    /// The target is a force or torque \[N or N m\].
    Force,
    /// The target is a velocity, of the joint's motor.
    Velocity,
    /// The target is a velocity; the force is that of a PID controller.
    VelocityPid {
        /// The controller.
        pid: PidDescription,
        /// It may slow the joint down, not only speed it up.
        brakes: bool,
    },
    /// The target is a position; the force is that of a PID controller.
    PositionPid(PidDescription),
    /// The target is a position; the motor goes there within the next step, or at a speed \[m/s or rad/s\].
    PositionByVelocity(Option<f64>),
}

/// A joint axis that follows a target.
#[derive(Clone, Debug, PartialEq)]
pub struct ServoDescription {
    /// Index of the joint.
    pub joint: usize,
    /// Its axis, from 0.
    pub axis: usize,
    /// How it follows.
    pub law: ServoLaw,
    /// The target until something commands another.
    pub target: f64,
}

/// `CartDemoPlugin`: a steering joint that is held, and two wheels that are driven by a schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct CartDemoDescription {
    /// The steering joint, then the wheels.
    pub joints: [usize; 3],
    /// Controllers.
    pub pids: [PidDescription; 3],
    /// Targets \[rad\].
    pub positions: [f64; 3],
    /// Targets \[rad/s\].
    pub velocities: [f64; 3],
    /// Largest efforts \[N m\].
    pub efforts: [f64; 3],
}

/// A spring and damper of a joint, towards 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDescription {
    /// Index of the joint.
    pub joint: usize,
    /// \[N/m or N m/rad\].
    pub stiffness: f64,
    /// \[N s/m or N m s/rad\].
    pub damping: f64,
    /// A force at the beginning of each step, not a row of the solver.
    pub is_explicit: bool,
}
