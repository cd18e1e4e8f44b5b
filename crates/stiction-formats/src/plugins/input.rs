//! Commands of plugins.

/// What a command of a plugin means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputKind {
    /// Six numbers: linear \[m/s\] and angular velocity \[rad/s\] in the axes of the model.
    Twist,
    /// Target of a joint \[m or rad\].
    Position,
    /// Target of a joint, or the speed of a track \[m/s or rad/s\].
    Velocity,
    /// Thrust of a propeller \[N\].
    Thrust,
    /// Speed of a rotor or propeller \[rad/s\].
    MotorSpeed,
    /// Volume of a bladder \[m³\].
    Volume,
    /// Lets go once it is above 0.
    Detach,
    /// Takes hold once it is above 0.
    Attach,
    /// Speed of a winch \[m/s\].
    Winch,
    /// Six numbers: force \[N\] and torque \[N m\], world axes.
    Wrench,
}

impl InputKind {
    /// How many numbers a command has.
    #[must_use]
    pub const fn channels(self) -> usize {
        match self {
            Self::Twist | Self::Wrench => 6,
            _ => 1,
        }
    }

    /// The word of `--command NAME:WORD=NUMBERS`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Twist => "twist",
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Thrust => "thrust",
            Self::MotorSpeed => "motor_speed",
            Self::Volume => "volume",
            Self::Detach => "detach",
            Self::Attach => "attach",
            Self::Winch => "winch",
            Self::Wrench => "wrench",
        }
    }
}
