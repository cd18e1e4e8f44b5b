//! Contacts of a step: manifolds of pairs of shapes, and their points.

use glam::DVec3;

use crate::model::BodyId;

/// Contact points of one pair of shapes, or one contact of the user's.
#[derive(Clone, Debug)]
pub(crate) struct Manifold {
    /// Slots of the shapes.
    pub(crate) geoms: Option<[u32; 2]>,
    /// Slot of the user's contact.
    pub(crate) user_contact: Option<u32>,
    /// The patch that it is, for rows.
    pub(crate) patch: Option<u32>,
    /// Bodies; `None` is the static environment.
    pub(crate) bodies: [Option<BodyId>; 2],
    /// Number of its law among those of the step.
    pub(crate) law: u32,
    /// Its points in the list of contacts.
    pub(crate) points: [u32; 2],
    /// Bins in which its points are made fewer together with those of the other shapes of its bodies; 0 is not at all.
    pub(crate) body_bins: u32,
    /// Its points share the stiffness of their area.
    pub(crate) has_area: bool,
}

/// One contact point of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactInput {
    /// Slots of the bodies.
    pub(crate) bodies: [Option<u32>; 2],
    /// Manifold that holds it.
    pub(crate) manifold: u32,
    /// Key of the touching features, stable from step to step.
    pub(crate) feature: u32,
    /// Found and reported, without effect.
    pub(crate) is_sensor: bool,
    /// It was not there in the last step.
    pub(crate) is_new: bool,
    /// Point in the world \[m\].
    pub(crate) position: DVec3,
    /// Unit normal, into the first body.
    pub(crate) normal: DVec3,
    /// Penetration; negative is a gap \[m\].
    pub(crate) depth: f64,
    /// Normal velocity before the step; negative when closing, 0 where nothing asks for it \[m/s\].
    pub(crate) approach: f64,
    /// Normal impulse: of the last step, then of this one \[N s\].
    pub(crate) warm_normal: f64,
    /// Friction impulse in the world: of the last step, then of this one \[N s\].
    pub(crate) warm_friction: DVec3,
    /// Energy that its softness has taken up and may give back \[J\].
    pub(crate) stored: f64,
    /// Its shapes were placed into each other and have parted ever since.
    pub(crate) is_placed: bool,
    /// Speed at which a SPOOK contact may part at most: of that with which it came \[m/s\].
    pub(crate) exit_speed: f64,
    /// Sides that are open meshes, met from behind.
    pub(crate) behind: [bool; 2],
    /// It is that of the middle of the step, and the number of that of its start (see [`super::substeps`]); else [`NO_START`].
    pub(crate) start: u32,
    /// Force on the first body in this step \[N\].
    pub(crate) force: DVec3,
    /// Rolling and spinning torque on the first body in this step \[N m\].
    pub(crate) torque: DVec3,
}

impl ContactInput {
    /// A contact that begins with nothing.
    #[inline(always)]
    pub(super) fn between(bodies: [Option<u32>; 2], manifold: u32, feature: u32, is_new: bool) -> Self {
        Self {
            bodies,
            manifold,
            feature,
            is_sensor: false,
            position: DVec3::ZERO,
            normal: DVec3::Z,
            depth: 0.0,
            approach: 0.0,
            warm_normal: 0.0,
            warm_friction: DVec3::ZERO,
            stored: 0.0,
            is_placed: false,
            exit_speed: 0.0,
            behind: [false; 2],
            is_new,
            start: NO_START,
            force: DVec3::ZERO,
            torque: DVec3::ZERO,
        }
    }
}

/// The contact is that of the start of the step.
pub(crate) const NO_START: u32 = u32::MAX;

/// A contact point at the start of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartOfPoint {
    pub(crate) position: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) depth: f64,
    /// It was found there; otherwise its bodies have carried it there from the middle.
    pub(crate) is_found: bool,
}
