//! What every file format is read into: worlds as data, resolved, before the engine sees them.
//!
//! Names are scoped (`model::link`, nested `outer::inner::link`), poses are in the world at time 0,
//! references between entities are indices, and every physical value knows where it came from.

mod geometry;

use std::path::PathBuf;
use std::sync::Arc;

use stiction::math::{DVec3, Pose};
use stiction::shape::MassProperties;

use crate::commanded::CommandedJointDescription;
use crate::devices::DeviceDescription;
use crate::diagnostic::Location;
use crate::engine_blocks::{BulletDescription, BulletSurfaceDescription, DartDescription, SimbodyDescription};
use crate::plugins::PluginDescription;
use crate::sensors::SensorsDescription;
use crate::wheel_slip::WheelSlipDescription;
use crate::wind::WindDescription;

pub use geometry::{GeometryDescription, HeightfieldDescription};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// The format's default: the file is silent.
    Default,
    /// Written in a file.
    File(Location),
    /// `--set` or another option of the command line.
    Override(String),
}

impl Origin {
    /// In words: `default`, `FILE:LINE:COLUMN` or `--set`.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Default => "default".to_owned(),
            Self::File(l) => format!("{}:{}:{}", l.file.display(), l.line, l.column),
            Self::Override(_) => "--set".to_owned(),
        }
    }
}

/// A value and its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting<T> {
    /// The value in force, SI units.
    pub value: T,
    /// Where it came from.
    pub origin: Origin,
}

impl<T: Default> Default for Setting<T> {
    fn default() -> Self {
        Self { value: T::default(), origin: Origin::Default }
    }
}

impl<T> Setting<T> {
    /// A value that no file gave.
    pub const fn default(value: T) -> Self {
        Self { value, origin: Origin::Default }
    }

    /// True if a file or an option gave the value.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        !matches!(self.origin, Origin::Default)
    }

    /// The value, if a file or an option gave it.
    pub const fn given(&self) -> Option<&T> {
        if self.is_given() { Some(&self.value) } else { None }
    }
}

/// A whole world.
#[derive(Clone, Debug)]
pub struct WorldDescription {
    /// Name of the world, or of the only model.
    pub name: String,
    /// Gravity \[m/s²\].
    pub gravity: Setting<DVec3>,
    /// The wind, which acts on links with [`LinkDescription::enable_wind`].
    pub wind: WindDescription,
    /// The physics element in force (of several, the default one, else the first).
    pub physics: PhysicsDescription,
    /// All models, nested ones after their parent, in the order of the file.
    pub models: Vec<ModelDescription>,
    /// All links, in the order of the file.
    pub links: Vec<LinkDescription>,
    /// All joints, in the order of the file.
    pub joints: Vec<JointDescription>,
    /// Joints that controllers outside of this program command, by `<transmission>` and `<ros2_control>` of URDF files.
    pub commanded_joints: Vec<CommandedJointDescription>,
    /// Wires, tracks, joints that break or lock, of AGX's plug-in.
    pub devices: Vec<DeviceDescription>,
    /// Plugins and other elements that have no effect here, each kind once.
    pub skipped: Vec<SkippedElement>,
    /// The material table that the file names, as a path that can be opened.
    pub material_table: Option<Setting<PathBuf>>,
    /// Materials that links have of their own, beside those of the table.
    pub own_materials: Vec<OwnMaterialDescription>,
    /// Pairs of links, by index, that never touch although each of them collides; the lower index first.
    pub excluded_pairs: Vec<[usize; 2]>,
    /// Wheels whose slip goes with their speed.
    pub wheel_slips: Vec<WheelSlipDescription>,
    /// Plugins that act, in the order in which they do.
    pub plugins: Vec<PluginDescription>,
    /// Sensors of physics and what they sense of the world.
    pub sensors: SensorsDescription,
    /// Indices of the joints that start at positions of [`crate::LoadOptions::initial_positions`].
    pub started_joints: Vec<usize>,
}

impl WorldDescription {
    /// The outermost model around a model. SDFormat flattens what `<include>` and nested `<model>` join: for collisions
    /// between links and for what belongs together, they are that one model.
    #[must_use]
    pub fn outermost_model(&self, model: usize) -> usize {
        let mut outermost = model;
        while let Some(parent) = self.models[outermost].parent {
            outermost = parent;
        }
        outermost
    }
}

/// A material that a link has of its own (`material: useLinkInfo` of Choreonoid).
#[derive(Clone, Debug, PartialEq)]
pub struct OwnMaterialDescription {
    /// Name by which collisions name it: the scoped name of its link.
    pub name: String,
    /// What the file gives, by the keys of a material table in snake_case; the rest is as for AGX's own default material.
    pub values: Vec<(String, Setting<f64>)>,
}

/// An element that was read and has no effect.
#[derive(Clone, Debug, PartialEq)]
pub struct SkippedElement {
    /// Path of the element, for a plugin with its file name: `model::plugin[name]`.
    pub path: String,
    /// How many there were.
    pub count: usize,
    /// What it would have done, in a few words; empty if unknown.
    pub effect: String,
    /// Where the first one stands.
    pub location: Location,
}

impl SkippedElement {
    /// The file or name of a plugin.
    #[must_use]
    pub fn plugin(&self) -> Option<&str> {
        self.path.split_once("::plugin[").and_then(|(_, rest)| rest.strip_suffix(']'))
    }
}

/// `<physics>`.
#[derive(Clone, Debug)]
pub struct PhysicsDescription {
    /// Name of the preset.
    pub name: String,
    /// `ode`, `bullet`, `simbody`, `dart` or another word.
    pub engine: Setting<String>,
    /// Step \[s\].
    pub max_step_size: Setting<f64>,
    /// Wanted ratio of simulated to wall time.
    pub real_time_factor: Setting<f64>,
    /// Steps per second of wall time \[Hz\].
    pub real_time_update_rate: Setting<f64>,
    /// Contact points of one pair at most.
    pub max_contacts: Setting<u32>,
    /// `<ode>`.
    pub ode: OdeDescription,
    /// Bins of contact reduction in each dimension, for pairs of materials that do not say.
    pub reduction_bins: Option<Setting<u32>>,
    /// Contact points of a pair above which they are made fewer; [`u32::MAX`] is never.
    pub reduction_threshold: Option<Setting<u32>>,
    /// `<bullet>`.
    pub bullet: BulletDescription,
    /// `<simbody>`.
    pub simbody: SimbodyDescription,
    /// `<dart>`.
    pub dart: DartDescription,
}

/// `<physics><ode>`.
#[derive(Clone, Debug)]
pub struct OdeDescription {
    /// `quick` or `world`.
    pub solver_type: Setting<String>,
    /// Smallest step \[s\]; kept, not used.
    pub min_step_size: Setting<f64>,
    /// Threads over islands.
    pub island_threads: Setting<u32>,
    /// Sweeps of the iterative solver.
    pub iters: Setting<u32>,
    /// Preconditioning sweeps.
    pub precon_iters: Setting<u32>,
    /// Over-relaxation.
    pub sor: Setting<f64>,
    /// Position correction in a thread of its own.
    pub thread_position_correction: Setting<bool>,
    /// Rescaling of inertia ratios.
    pub use_dynamic_moi_rescaling: Setting<bool>,
    /// `pyramid_model`, `cone_model` or `box_model`.
    pub friction_model: Setting<String>,
    /// Constraint force mixing \[1/(kg/s) per second\].
    pub cfm: Setting<f64>,
    /// Error reduction parameter, 0 to 1.
    pub erp: Setting<f64>,
    /// Bound on the velocity that error correction leaves \[m/s\].
    pub contact_max_correcting_vel: Setting<f64>,
    /// Penetration that is left alone \[m\].
    pub contact_surface_layer: Setting<f64>,
}

/// A model.
#[derive(Clone, Debug)]
pub struct ModelDescription {
    /// Scoped name.
    pub name: String,
    /// Index of the enclosing model.
    pub parent: Option<usize>,
    /// Pose of the model frame in the world.
    pub pose: Pose,
    /// The links do not move.
    pub is_static: bool,
    /// The model may fall asleep (its own flag, or that of the next model around it that has one).
    pub allow_auto_disable: bool,
    /// Index of the canonical link.
    pub canonical_link: Option<usize>,
    /// `InitialVelocityPlugin`: linear \[m/s\] and angular \[rad/s\] velocity of every link, world frame; of the model or
    /// of the next one around it that has the plugin.
    pub initial_velocity: Option<(Option<DVec3>, Option<DVec3>)>,
    /// Where it stands.
    pub location: Location,
}

/// Mass properties of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct InertialDescription {
    /// Mass \[kg\].
    pub mass: Setting<f64>,
    /// Frame of the inertia, in the link frame: its origin is the centre of mass.
    pub pose: Pose,
    /// Inertia about the centre of mass in the axes of `pose`: xx, yy, zz, xy, xz, yz \[kg m²\].
    pub inertia: Setting<[f64; 6]>,
    /// The file has an `<inertial>` element.
    pub is_given: bool,
    /// Mass, centre and inertia follow from the shapes and this density.
    pub density: Option<DensityDescription>,
    /// Inertia of the fluid that the link moves, about its origin and in its axes: linear part, then angular
    /// \[kg, kg m, kg m²\].
    pub fluid_added_mass: Option<Box<[[f64; 6]; 6]>>,
}

/// What the shapes of a link are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct DensityDescription {
    /// Density \[kg/m³\].
    pub density: Setting<f64>,
    /// The material whose density it is; none for one of the link's own.
    pub material: Option<String>,
}

/// A link.
#[derive(Clone, Debug)]
pub struct LinkDescription {
    /// Scoped name.
    pub name: String,
    /// Index of the model that holds it.
    pub model: usize,
    /// Pose of the link frame in the world.
    pub pose: Pose,
    /// Mass properties.
    pub inertial: InertialDescription,
    /// Gravity acts on it.
    pub gravity: Setting<bool>,
    /// It collides with the other links of its outermost model (its own flag, or that of the next model around it that
    /// has one).
    pub self_collide: Setting<bool>,
    /// The wind acts on it (its own flag, or that of the next model around it that has one).
    pub enable_wind: Setting<bool>,
    /// It moves at prescribed velocities; forces have no effect.
    pub kinematic: Setting<bool>,
    /// `velocity_decay`: share of linear and of angular velocity lost in a step.
    pub velocity_decay: [Setting<f64>; 2],
    /// Collisions in the order of the file.
    pub collisions: Vec<CollisionDescription>,
    /// Sensors by type: links with a sensor do not fall asleep in Gazebo.
    pub sensors: Vec<String>,
    /// Index of the link whose body this one is part of, by fixed joints of a URDF file; never itself lumped.
    pub lumped_into: Option<usize>,
    /// It is part of the static environment: joined to the root `world` of a URDF file by fixed joints, or a root
    /// without mass.
    pub is_fixed_to_world: bool,
    /// Where it stands.
    pub location: Location,
}

/// A collision shape on a link.
#[derive(Clone, Debug)]
pub struct CollisionDescription {
    /// Scoped name: `model::link::collision`.
    pub name: String,
    /// Pose in the link frame.
    pub pose: Pose,
    /// Its shape.
    pub geometry: GeometryDescription,
    /// Mass properties at 1 kg/m³ of the solid that a mesh bounds, whatever shape stands for it.
    pub solid: Option<MassProperties>,
    /// Contact points of a pair at most; the format's default is 10.
    pub max_contacts: Setting<u32>,
    /// Its surface.
    pub surface: SurfaceDescription,
    /// Name of its material in the world's material table: `<stiction:material>`, or `material` of a link of Choreonoid.
    pub material: Option<Setting<String>>,
    /// Its surface runs like that of a belt.
    pub belt: Option<BeltDescription>,
    /// Where it stands.
    pub location: Location,
}

/// A surface that runs: `<stiction:belt>`, or that of a `pseudoContinuousTrack` of Choreonoid. At a contact with the outward normal n
/// its velocity is `speed axis × n`.
#[derive(Clone, Debug, PartialEq)]
pub struct BeltDescription {
    /// Unit axis in the frame of the collision.
    pub axis: DVec3,
    /// Speed \[m/s\].
    pub speed: Setting<f64>,
}

/// `<surface>`.
#[derive(Clone, Debug)]
pub struct SurfaceDescription {
    /// `bounce/restitution_coefficient`, 0 to 1.
    pub restitution: Setting<f64>,
    /// `bounce/threshold` \[m/s\].
    pub restitution_threshold: Setting<f64>,
    /// `friction/ode/mu`.
    pub mu: Setting<f64>,
    /// `friction/ode/mu2`.
    pub mu2: Setting<f64>,
    /// `friction/ode/fdir1`, in the collision frame (or the frame of `expressed_in`, already turned).
    pub fdir1: Setting<DVec3>,
    /// `friction/ode/slip1` \[m/s/N\].
    pub slip1: Setting<f64>,
    /// `friction/ode/slip2` \[m/s/N\].
    pub slip2: Setting<f64>,
    /// `friction/torsional/coefficient`; given only if the element is there.
    pub torsional_coefficient: Setting<f64>,
    /// `friction/torsional/use_patch_radius`.
    pub use_patch_radius: Setting<bool>,
    /// `friction/torsional/patch_radius` \[m\].
    pub patch_radius: Setting<f64>,
    /// `friction/torsional/surface_radius` \[m\].
    pub surface_radius: Setting<f64>,
    /// `friction/torsional/ode/slip`.
    pub torsional_slip: Setting<f64>,
    /// `contact/collide_without_contact`.
    pub collide_without_contact: Setting<bool>,
    /// `contact/collide_without_contact_bitmask`.
    pub collide_without_contact_bitmask: Setting<u32>,
    /// `contact/collide_bitmask`.
    pub collide_bitmask: Setting<u32>,
    /// `contact/category_bitmask`.
    pub category_bitmask: Setting<u32>,
    /// `contact/poissons_ratio`.
    pub poissons_ratio: Setting<f64>,
    /// `contact/elastic_modulus` \[Pa\].
    pub elastic_modulus: Setting<f64>,
    /// `contact/ode/soft_cfm`.
    pub soft_cfm: Setting<f64>,
    /// `contact/ode/soft_erp`.
    pub soft_erp: Setting<f64>,
    /// `contact/ode/kp` \[N/m\].
    pub kp: Setting<f64>,
    /// `contact/ode/kd` \[N s/m\].
    pub kd: Setting<f64>,
    /// `contact/ode/max_vel` \[m/s\].
    pub max_vel: Setting<f64>,
    /// `contact/ode/min_depth` \[m\].
    pub min_depth: Setting<f64>,
    /// `friction/bullet` and `contact/bullet`.
    pub bullet: BulletSurfaceDescription,
    /// `drake:proximity_properties`.
    pub proximity: ProximityDescription,
}

/// `<drake:proximity_properties>`: point contact of the engines `drake-*`; what is absent is not given.
#[derive(Clone, Debug)]
pub struct ProximityDescription {
    /// `drake:point_contact_stiffness` \[N/m\].
    pub stiffness: Setting<f64>,
    /// `drake:hunt_crossley_dissipation` \[s/m\].
    pub dissipation: Setting<f64>,
    /// `drake:relaxation_time` \[s\].
    pub relaxation_time: Setting<f64>,
    /// `drake:mu_static`.
    pub static_friction: Setting<f64>,
    /// `drake:mu_dynamic`.
    pub dynamic_friction: Setting<f64>,
}

/// Type of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointType {
    /// One angle.
    Revolute,
    /// One angle without limits.
    Continuous,
    /// One displacement.
    Prismatic,
    /// Two angles about `axis` and `axis2` (ODE's hinge-2).
    Revolute2,
    /// Two angles about perpendicular axes.
    Universal,
    /// Three angles.
    Ball,
    /// An angle and a displacement that go together.
    Screw,
    /// Two angles that go together.
    Gearbox,
    /// None.
    Fixed,
    /// URDF: two displacements in a plane and an angle about its normal, the one axis.
    Planar,
}

/// A joint.
#[derive(Clone, Debug)]
pub struct JointDescription {
    /// Scoped name.
    pub name: String,
    /// Index of the model that holds it; `None` in the world.
    pub model: Option<usize>,
    /// Type.
    pub joint_type: JointType,
    /// Index of the parent link; `None` is the world.
    pub parent: Option<usize>,
    /// Index of the child link; `None` is the world.
    pub child: Option<usize>,
    /// Pose of the joint frame in the world.
    pub pose: Pose,
    /// Axes: none, one or two.
    pub axes: Vec<JointAxisDescription>,
    /// Screw: metres per turn, right-handed positive.
    pub screw_pitch: Setting<f64>,
    /// Gearbox: `ω_parent-side · ratio = −ω_child-side`.
    pub gearbox_ratio: Setting<f64>,
    /// Gearbox: index of the reference link.
    pub gearbox_reference: Option<usize>,
    /// `physics/ode/cfm`, `erp`: of the joint's rows.
    pub cfm: Setting<f64>,
    /// `physics/ode/erp`.
    pub erp: Setting<f64>,
    /// The joint has `physics/ode`: its stops are softened by the defaults there, not by the world's values.
    pub has_ode: bool,
    /// `physics/ode/limit/cfm`.
    pub limit_cfm: Setting<f64>,
    /// `physics/ode/limit/erp`.
    pub limit_erp: Setting<f64>,
    /// `physics/ode/suspension/cfm`.
    pub suspension_cfm: Setting<f64>,
    /// `physics/ode/suspension/erp`.
    pub suspension_erp: Setting<f64>,
    /// `physics/ode/bounce` at stops.
    pub bounce: Setting<f64>,
    /// `physics/ode/max_force` of the motor \[N or N m\].
    pub motor_max_force: Setting<f64>,
    /// `physics/ode/velocity` of the motor \[m/s or rad/s\].
    pub motor_velocity: Setting<f64>,
    /// `physics/ode/fudge_factor`.
    pub fudge_factor: Setting<f64>,
    /// `physics/ode/implicit_spring_damper` or `cfm_damping`.
    pub implicit_spring_damper: Setting<bool>,
    /// `physics/provide_feedback`.
    pub provide_feedback: Setting<bool>,
    /// Compliance, damping times and forces that a body of Choreonoid gives it for AGX.
    pub spook: Option<Arc<JointSpookDescription>>,
    /// A fixed joint of a URDF file: its links are one body.
    pub is_lumped: bool,
    /// Where it stands.
    pub location: Location,
}

/// What AGX's solver is given for a joint: its own rows, and those of its motor, stops and lock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointSpookDescription {
    /// Rows that hold the bodies together.
    pub base: JointRowsDescription,
    /// The row of the motor; its compliance is a slip, \[m/(N s)\] or \[rad/(N m s)\].
    pub motor: JointRowsDescription,
    /// Rows of the stops.
    pub range: JointRowsDescription,
    /// The row that locks the joint where it stands.
    pub lock: JointRowsDescription,
    /// The motor is on, at speed 0 until something commands it.
    pub has_motor: Setting<bool>,
    /// The lock is on.
    pub has_lock: Setting<bool>,
}

/// Rows of one part of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRowsDescription {
    /// Compliance \[m/N or rad/(N m)\].
    pub compliance: Setting<f64>,
    /// Damping time \[s\].
    pub damping_time: Setting<f64>,
    /// Least and greatest force \[N or N m\].
    pub force_range: Setting<[f64; 2]>,
}

impl Default for JointRowsDescription {
    fn default() -> Self {
        Self {
            compliance: Setting::default(1e-8),
            damping_time: Setting::default(0.0333),
            force_range: Setting::default([f64::NEG_INFINITY, f64::INFINITY]),
        }
    }
}

/// `<axis>` or `<axis2>`.
#[derive(Clone, Debug)]
pub struct JointAxisDescription {
    /// Unit vector in the world at time 0.
    pub xyz: DVec3,
    /// `dynamics/damping` \[N s/m or N m s/rad\].
    pub damping: Setting<f64>,
    /// `dynamics/friction` \[N or N m\].
    pub friction: Setting<f64>,
    /// `dynamics/spring_reference` \[m or rad\].
    pub spring_reference: Setting<f64>,
    /// `dynamics/spring_stiffness` \[N/m or N m/rad\].
    pub spring_stiffness: Setting<f64>,
    /// `limit/lower`; −∞ is none.
    pub lower: Setting<f64>,
    /// `limit/upper`; ∞ is none.
    pub upper: Setting<f64>,
    /// `limit/effort`; ∞ is none.
    pub effort: Setting<f64>,
    /// `limit/velocity`; ∞ is none.
    pub velocity: Setting<f64>,
    /// `limit/stiffness`.
    pub limit_stiffness: Setting<f64>,
    /// `limit/dissipation`.
    pub limit_dissipation: Setting<f64>,
    /// `mimic`: leader joint index, leader axis, multiplier, offset, reference.
    pub mimic: Option<MimicDescription>,
    /// `initial_position` \[m or rad\]: the links are moved by it already, and `position` has it.
    pub initial_position: Setting<f64>,
    /// Position of the joint \[m or rad\] at time 0, at which the poses of the links are given; limits count from 0.
    pub position: f64,
    /// Inertia that the rotor of a motor adds to the axis, `gear_ratio² rotor_inertia` \[kg or kg m²\].
    pub armature: Setting<f64>,
}

/// `<mimic>`: `position = multiplier (leader − reference) + offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct MimicDescription {
    /// Index of the leading joint.
    pub joint: usize,
    /// 0 for `axis`, 1 for `axis2`.
    pub axis: usize,
    /// Multiplier.
    pub multiplier: f64,
    /// Offset \[m or rad\].
    pub offset: f64,
    /// Reference \[m or rad\].
    pub reference: f64,
}

impl MimicDescription {
    /// Where the follower is for a position of the leader \[m or rad\].
    #[must_use]
    pub fn position(&self, leader: f64) -> f64 {
        self.multiplier * (leader - self.reference) + self.offset
    }
}
