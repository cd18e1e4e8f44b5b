//! Fluids around bodies: buoyancy, damping, propellers, wind that changes.

use stiction::math::DVec3;

/// A layer of a fluid from a height on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FluidLayer {
    /// From this height on \[m\].
    pub above: f64,
    /// Density \[kg/m³\].
    pub density: f64,
}

/// A volume that a file gives a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuoyantVolume {
    /// Index of the link.
    pub link: usize,
    /// Volume \[m³\].
    pub volume: f64,
    /// Its centre in the link \[m\].
    pub center: DVec3,
}

/// `Buoyancy`.
#[derive(Clone, Debug, PartialEq)]
pub struct BuoyancyDescription {
    /// Density below all layers \[kg/m³\].
    pub density: f64,
    /// Layers from below.
    pub layers: Vec<FluidLayer>,
    /// Links that it acts on, by index.
    pub links: Vec<usize>,
    /// Volumes in place of those of the shapes.
    pub volumes: Vec<BuoyantVolume>,
}

/// `BuoyancyEngine`: a bladder that takes up and gives off oil.
#[derive(Clone, Debug, PartialEq)]
pub struct BuoyancyEngineDescription {
    /// Index of the link.
    pub link: usize,
    /// Smallest and largest volume \[m³\].
    pub range: [f64; 2],
    /// Volume at which it neither lifts nor sinks \[m³\].
    pub neutral_volume: f64,
    /// Volume at the start \[m³\].
    pub volume: f64,
    /// Rate at which the volume changes \[m³/s\].
    pub rate: f64,
    /// Density of the fluid \[kg/m³\].
    pub fluid_density: f64,
    /// Height of the surface, above which there is no fluid \[m\].
    pub surface: Option<f64>,
}

/// `Thruster`.
#[derive(Clone, Debug, PartialEq)]
pub struct ThrusterDescription {
    /// Index of the joint.
    pub joint: usize,
    /// Index of the propeller's link.
    pub link: usize,
    /// Commands are speeds \[rad/s\], not thrusts \[N\].
    pub is_speed: bool,
    /// Density of the fluid \[kg/m³\].
    pub fluid_density: f64,
    /// Diameter of the propeller \[m\].
    pub diameter: f64,
    /// Coefficient of thrust; by `alpha` and the advance where it is not given.
    pub coefficient: Option<f64>,
    /// Constants of the propeller's diagram.
    pub alpha: [f64; 2],
    /// Share by which the water is slower behind the vessel.
    pub wake_fraction: f64,
    /// The motor turns the propeller at its speed; otherwise a controller does.
    pub velocity_control: bool,
    /// That controller.
    pub pid: super::PidDescription,
    /// Least and largest command \[N or rad/s\].
    pub range: [f64; 2],
    /// Thrusts below it are none \[N\].
    pub deadband: f64,
}

/// `Hydrodynamics`: `τ = D(ν) ν + M_A ν̇ + C`, with Fossen's signs (damping and added mass are negative).
#[derive(Clone, Debug, PartialEq)]
pub struct HydrodynamicsDescription {
    /// Index of the link.
    pub link: usize,
    /// `xU`, …: force or moment by velocity.
    pub linear: [[f64; 6]; 6],
    /// `xUabsV`, …: by velocity and the absolute value of another; zeros are left out.
    pub quadratic_abs: Vec<([usize; 3], f64)>,
    /// `xUV`, …: by two velocities; zeros are left out.
    pub quadratic: Vec<([usize; 3], f64)>,
    /// `xDotU`, …; `None` without any, or where it is disabled.
    pub added_mass: Option<Box<[[f64; 6]; 6]>>,
    /// Coriolis forces of the added mass act.
    pub coriolis: bool,
    /// Velocity of the water, world axes \[m/s\].
    pub current: DVec3,
}

/// `<horizontal>` and `<vertical>` of a wind plugin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindChangeDescription {
    /// Time constants of speed, direction and vertical speed \[s\].
    pub times: [f64; 3],
    /// Share of the speed by which it goes up and down, and the period \[s\].
    pub magnitude_sine: [f64; 2],
    /// Angle by which the direction goes to and fro \[rad\], and the period \[s\].
    pub direction_sine: [f64; 2],
}
