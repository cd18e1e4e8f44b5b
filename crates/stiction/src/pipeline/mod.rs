//! The stages of a step, one file each; `step.rs` calls them in order.

mod again;
mod ahead;
mod apart;
mod asleep;
mod assemble;
mod audit;
mod axes;
mod balance;
mod balls;
mod behind;
mod blocked;
mod cliques;
mod closure;
mod colouring;
mod contact_input;
mod contact_reports;
mod contact_rows;
mod context;
mod continuous;
mod detect;
mod edits;
mod even_lanes;
mod even_load;
mod exits;
mod extents;
mod field;
mod flow;
mod forest;
mod form;
mod found;
mod frames;
mod friction_shares;
mod graph;
mod impact;
mod impact_stage;
mod inertia_ratio;
mod integrate;
mod islands;
mod joint_basis;
mod joint_rows;
mod known_joints;
mod last_islands;
mod least_norm;
mod machines;
mod margins;
mod memory_use;
mod middle;
mod normals;
mod off_at_start;
mod pair_laws;
mod pairs;
mod parts;
mod patch_contacts;
mod patches;
mod per_bodies;
mod persistent_pairs;
mod plan;
mod points;
mod problems;
mod rebound;
mod remember;
mod report;
mod rescue;
mod residual;
mod rim;
mod rotors;
mod rounded;
mod rules;
mod shift;
mod sleep;
mod solve;
mod speculative;
mod spook;
mod spring_inertia;
mod stage;
mod step;
mod substeps;
mod swept;
mod threads;
mod travel;
mod tree_balance;
mod tree_motion;
mod tree_parts;
mod trees;
mod turning;
mod unsolved;
mod views;
mod waking;
mod wind;
mod wires;

pub(crate) use contact_reports::{all as all_contacts, may_sleep};
pub(crate) use context::{Model, StepContext};
pub use field::{ForceField, Motion};
pub(crate) use flow::{FlowingWorld, Groups as GroupsInFlow, advance_all as advance_flows};
pub(crate) use forest::Forest;
pub(crate) use known_joints::KnownJoints;
pub(crate) use memory_use::bytes;
pub(crate) use off_at_start::lead as lead_start;
pub use plan::Unmet;
pub use report::{EnergyBalance, Residual, StepReport, WorstRow};
pub(crate) use rules::{of_pair as rule_of_pair, of_world as contact_rules};
pub(crate) use sleep::any_sleeps;
pub use stage::{Stage, StageTimes, StepCounts};
pub(crate) use step::{begin as begin_step, finish as finish_step, step};
pub use swept::{Outrun, PassedThrough};
pub(crate) use threads::Threads;
pub(crate) use wires::{embody_all as embody_wires, load as load_wire, prepare as prepare_wires};

use crate::broadphase::Proxy;
use crate::model::{ContactCache, ContactReport, JointFeedback};

/// Memory of a step that is kept from one to the next, so that a step allocates nothing after warm-up. Nothing in it
/// changes the next step's bits.
#[derive(Default)]
pub(crate) struct Workspace {
    pub(crate) views: Vec<views::BodyView>,
    pub(crate) poses: Vec<crate::math::Pose>,
    pub(crate) geom_poses: Vec<crate::math::Pose>,
    /// Poses of shapes in the middle of the step, where they are asked for.
    pub(crate) middle_poses: Vec<crate::math::Pose>,
    pub(crate) proxies: Vec<Proxy>,
    /// How far the shapes of bodies extend.
    pub(crate) extents: extents::Extents,
    /// Largest inner radius of each body's shapes, by slot.
    pub(crate) thickness: Vec<f64>,
    /// How far fast shapes move, by slot; empty where none is fast.
    pub(crate) reaches: Vec<speculative::Reach>,
    /// How far what is near each other may go.
    pub(crate) margins: margins::Margins,
    pub(crate) pairs: Vec<(u32, u32)>,
    /// Pairs of bodies that do not touch, nodes of wires and what they are tied to.
    pub(crate) excluded: Vec<[u32; 2]>,
    pub(crate) manifolds: Vec<detect::Manifold>,
    /// Where contacts of the middle of the step were at its start.
    pub(crate) starts: Vec<detect::StartOfPoint>,
    /// Their laws.
    pub(crate) pair_laws: Vec<pair_laws::PairLaw>,
    pub(crate) surface_kinds: pair_laws::SurfaceKinds,
    pub(crate) contacts: Vec<detect::ContactInput>,
    /// Contacts of sub-steps that have nothing of their own but a coefficient of friction.
    pub(crate) patches: crate::model::PatchCache,
    pub(crate) frames: frames::Frames,
    /// Pairs without points, of this step and of the last one, and the rules of the last one.
    pub(crate) apart: [Vec<apart::ApartPair>; 2],
    /// Ways of bodies, and how long by them the patches of this step and of the last one hold.
    pub(crate) travel: travel::Travel,
    pub(crate) leases: [Vec<travel::Lease>; 2],
    pub(crate) last_rules: again::LastRules,
    pub(crate) persistent_pairs: persistent_pairs::PersistentPairs,
    /// Patches that rows solve, and their contacts by island.
    pub(crate) patch_contacts: Vec<patch_contacts::PatchContacts>,
    pub(crate) added: Vec<(u32, u32)>,
    pub(crate) next_cache: ContactCache,
    pub(crate) touched: Vec<bool>,
    /// Bodies that were idle long enough to sleep.
    pub(crate) idle: Vec<u32>,
    pub(crate) islands: islands::Islands,
    pub(crate) last_islands: last_islands::LastIslands,
    pub(crate) machines: machines::Machines,
    pub(crate) held: blocked::HeldBodies,
    pub(crate) forest: forest::Forest,
    pub(crate) closure: closure::Closure,
    pub(crate) balance: balance::Balance,
    pub(crate) tree_balance: tree_balance::TreeBalance,
    pub(crate) audit: audit::Audit,
    pub(crate) continuous: continuous::Memory,
    pub(crate) cliques: cliques::Cliques,
    /// Number of the first clique of each wire's own, by slot.
    pub(crate) wire_cliques: Vec<u32>,
    /// Where the nodes of a wire will be.
    pub(crate) wire_ahead: wires::Ahead,
    pub(crate) problems: problems::IslandProblems,
    /// Islands of contacts that are solved without rows.
    pub(crate) points: points::PointIslands,
    pub(crate) velocities: solve::Velocities,
    /// Largest turn of a jointed body by a correction of its position, by island \[rad\].
    pub(crate) turns: Vec<f64>,
    /// How far joints have come apart, by island, where such a turn is large \[m\].
    pub(crate) gaps: Vec<f64>,
    pub(crate) solvers: threads::Threads<solve::Solvers>,
    pub(crate) shares: Vec<detect::Share>,
    pub(crate) per_bodies: per_bodies::PerBodies,
    pub(crate) feedback: Vec<JointFeedback>,
    pub(crate) joints_with_nan: edits::JointsWithNan,
    pub(crate) known_joints: known_joints::KnownJoints,
    /// Memory for the contact points of the step; the last one's are in the state.
    pub(crate) reports: Vec<ContactReport>,
    pub(crate) present: Vec<ContactReport>,
    /// Nobody has asked for those of the last step yet: the state's are older.
    pub(crate) reports_are_late: bool,
    pub(crate) watch: swept::Watch,
    pub(crate) impacts: impact::Impacts,
    pub(crate) substeps: substeps::Substeps,
    /// Trees that nothing touches, and all trees of bodies in maximal coordinates, which have no other forest.
    pub(crate) flows: flow::Flows,
    pub(crate) forest_of_flows: Forest,
    pub(crate) groups_in_flow: flow::Groups,
}

impl Workspace {
    /// The law of a contact of the step.
    fn law_of(&self, contact: &detect::ContactInput) -> &pair_laws::PairLaw {
        &self.pair_laws[self.manifolds[contact.manifold as usize].law as usize]
    }
}
