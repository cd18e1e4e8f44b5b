//! Plugins that act on the motion, as data: what Gazebo classic, gz-sim and the ROS packages of Gazebo know by name.
//! `docs/plugins.md` has their parameters and formulas.

mod control;
mod flight;
mod fluid;
mod hold;
mod input;
mod registry;
mod vehicle;

pub use control::{CartDemoDescription, PidDescription, ServoDescription, ServoLaw, SpringDescription};
pub use flight::{
    AeroDerivatives, AircraftDescription, ControlSurfaceDescription, CopterDescription, LiftDragDescription,
    MotorDescription, RotorDescription,
};
pub use fluid::{
    BuoyancyDescription, BuoyancyEngineDescription, BuoyantVolume, FluidLayer, HydrodynamicsDescription,
    ThrusterDescription, WindChangeDescription,
};
pub use hold::{
    BreakableDescription, DetachableDescription, GravityCompensationDescription, HarnessDescription,
    MonitorDescription, TouchDescription, WrenchDescription,
};
pub use input::InputKind;
pub(crate) use registry::by_word as plugin_by_word;
pub use registry::{
    PluginCommand, PluginEntry, PluginParameter, PluginProgram, PluginRole, find_plugin, plugin_entries,
    plugin_of_system, plugin_without_effect,
};
pub use vehicle::{
    DriveDescription, DriveKind, OdometryDescription, SpeedLimits, TrackDescription, TrackedVehicleDescription,
    VelocityControlDescription,
};

use crate::description::Setting;
use crate::diagnostic::Location;

/// A plugin in force.
#[derive(Clone, Debug)]
pub struct PluginDescription {
    /// Its name in the scope of its model.
    pub name: String,
    /// What it is, in the words of the table of plugins: `DiffDrive`.
    pub system: &'static str,
    /// Index of the model that has it; `None` for one of the world.
    pub model: Option<usize>,
    /// What it does.
    pub kind: PluginKind,
    /// Its parameters as the file has them, then the defaults of others.
    pub parameters: Vec<GivenParameter>,
    /// Where it stands.
    pub location: Location,
}

/// A parameter of a plugin or of a sensor, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenParameter {
    /// Name, with those of the elements around it: `contact/collision`.
    pub name: String,
    /// Value.
    pub value: Setting<String>,
}

/// What a plugin does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PluginKind {
    /// Joints follow targets.
    Servos(Vec<ServoDescription>),
    /// Gazebo classic's `CartDemoPlugin`.
    CartDemo(Box<CartDemoDescription>),
    /// Springs of `SpringTestPlugin`.
    Springs(Vec<SpringDescription>),
    /// Wheels follow a twist.
    Drive(Box<DriveDescription>),
    /// Belts of one link.
    Track(TrackDescription),
    /// Belts follow a twist.
    TrackedVehicle(Box<TrackedVehicleDescription>),
    /// The velocity of a model is set.
    VelocityControl(VelocityControlDescription),
    /// Where a model is.
    Odometry(OdometryDescription),
    /// Lift and drag of a link.
    LiftDrag(Box<LiftDragDescription>),
    /// Forces and moments of the air on an aircraft.
    Aircraft(Box<AircraftDescription>),
    /// A rotor with its motor.
    Motor(Box<MotorDescription>),
    /// Rotors follow a twist.
    Copter(Box<CopterDescription>),
    /// Forces of the fluid around, by volume.
    Buoyancy(BuoyancyDescription),
    /// A bladder that changes its volume.
    BuoyancyEngine(BuoyancyEngineDescription),
    /// A propeller.
    Thruster(Box<ThrusterDescription>),
    /// Forces of the fluid around, by velocity.
    Hydrodynamics(Box<HydrodynamicsDescription>),
    /// Wind that changes.
    WindChange(WindChangeDescription),
    /// Constant wrenches on links.
    Wrenches(Vec<WrenchDescription>),
    /// A fixed joint that is let go.
    Detachable(DetachableDescription),
    /// A joint that breaks.
    Breakable(BreakableDescription),
    /// A winch that is let go.
    Harness(HarnessDescription),
    /// Joints that carry the weight beyond them.
    GravityCompensation(GravityCompensationDescription),
    /// Tells losses of kinetic energy.
    Monitor(MonitorDescription),
    /// Tells contacts that last.
    Touch(TouchDescription),
}
