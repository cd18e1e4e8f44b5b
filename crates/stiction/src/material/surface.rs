//! Surface properties of a shape, and the parameters of a contact.

use glam::DVec3;

use super::AreaLaw;
use crate::constraint::Route;
use crate::contact::compliance::NormalForce;
use crate::contact::friction::{Coupling, FrictionBound, Stribeck};
use crate::contact::restitution::Restitution;
use crate::contact::torsional::TorsionalFriction;

/// Compliance of one surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SurfaceCompliance {
    /// Spring and damper: stiffness \[N/m\], damping \[N s/m\]. SDFormat's `kp`, `kd`.
    Spring {
        /// Stiffness \[N/m\].
        stiffness: f64,
        /// Damping \[N s/m\].
        damping: f64,
    },
    /// Share of the error removed in a step and softness; what is absent is the world's. SDFormat's `soft_erp`, `soft_cfm`.
    ErpCfm {
        /// Error reduction, 0 to 1.
        erp: Option<f64>,
        /// Constraint force mixing \[velocity per force, s/kg\].
        cfm: Option<f64>,
    },
}

/// Compliant point contact of one surface (Drake's `proximity_properties`); what is absent is the world's, for friction
/// the surface's own coefficients.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointContact {
    /// Stiffness \[N/m\]; two surfaces are springs in series.
    pub stiffness: Option<f64>,
    /// Hunt-Crossley dissipation \[s/m\].
    pub dissipation: Option<f64>,
    /// Relaxation time \[s\], the convex solver's in the place of dissipation; those of two surfaces add up.
    pub relaxation_time: Option<f64>,
    /// Static friction coefficient.
    pub static_friction: Option<f64>,
    /// Dynamic friction coefficient, at most the static one.
    pub dynamic_friction: Option<f64>,
}

/// Elasticity of the solid below a surface (SDFormat's `elastic_modulus`, `poissons_ratio`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    /// Young's modulus E \[Pa\], more than 0.
    pub modulus: f64,
    /// Poisson's ratio ν, −1 to ½.
    pub poissons_ratio: f64,
}

impl Elasticity {
    /// `E / (1 − ν²)` \[Pa\].
    #[must_use]
    pub fn plane_strain_modulus(self) -> f64 {
        self.modulus / (1.0 - self.poissons_ratio * self.poissons_ratio)
    }

    /// Modulus E* of the contact of two solids, `1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂` \[Pa\].
    #[must_use]
    pub fn contact_modulus(self, other: Self) -> f64 {
        1.0 / (1.0 / self.plane_strain_modulus() + 1.0 / other.plane_strain_modulus())
    }
}

/// Torsional friction of one surface (SDFormat's `friction/torsional`). The default has a patch without extent: no torsional
/// friction, whatever the coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorsionalSurface {
    /// Coefficient μ₃; of two surfaces the smaller counts.
    pub coefficient: f64,
    /// The patch has a radius of its own; else it follows from the radii of curvature and the depth. Only if both surfaces say
    /// so.
    pub use_patch_radius: bool,
    /// Radius of the patch \[m\]; of two surfaces the larger counts.
    pub patch_radius: f64,
    /// Radius of curvature of the surface \[m\], 0 for a flat one: `1 / (1/R₁ + 1/R₂)`.
    pub surface_radius: f64,
    /// Rate about the normal by moment \[rad/s per N m\]; the slips of two surfaces add up.
    pub slip: f64,
}

impl Default for TorsionalSurface {
    fn default() -> Self {
        Self { coefficient: 1.0, use_patch_radius: true, patch_radius: 0.0, surface_radius: 0.0, slip: 0.0 }
    }
}

/// `bounce` of one surface.
pub type Bounce = Restitution;

/// A material of a world's contact table ([`ContactTable`](super::ContactTable)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialId(pub u32);

/// Surface of a shape. The default is the engine's own: hard, coefficient 1, no bounce, everything else the world's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Material; pairs of materials that the world's contact table lists do not combine surfaces.
    pub material: Option<MaterialId>,
    /// Friction coefficients along the first and the second direction.
    pub friction: [f64; 2],
    /// First friction direction, in the shape's frame; `None` or zero lets the engine choose.
    pub direction: Option<DVec3>,
    /// Slip along the two directions \[m/s per N\].
    pub slip: [f64; 2],
    /// Torsional friction.
    pub torsional: TorsionalSurface,
    /// Restitution and its threshold.
    pub bounce: Option<Restitution>,
    /// Compliance; with `None` the other surface's is used, or the world's if both are `None`.
    pub compliance: Option<SurfaceCompliance>,
    /// Compliant point contact.
    pub point_contact: PointContact,
    /// Elasticity, for contacts by the radii of the shapes.
    pub elasticity: Option<Elasticity>,
    /// Bound on the velocity that error correction leaves \[m/s\]; `None` is the world's.
    pub max_correcting_velocity: Option<f64>,
    /// Penetration left alone \[m\]; `None` is the world's.
    pub min_depth: Option<f64>,
    /// Penetration from which a split impulse corrects \[m\] (Bullet); `None` is the world's.
    pub split_depth: Option<f64>,
    /// Rolling friction of Bullet: a length \[m\] times the other surface's coefficient.
    pub rolling: f64,
    /// Contact points of a pair at most; `None` is the world's.
    pub max_contacts: Option<u32>,
    /// Contacts are found and reported, but do nothing.
    pub is_sensor: bool,
    /// Two surfaces touch only if they share a bit here (Gazebo's `collide_bitmask`).
    pub collide_bitmask: u32,
    /// What the surface is to others, where that is not the same: two touch if either's category has a bit of the other's
    /// `collide_bitmask`. `None` is `collide_bitmask`.
    pub category_bitmask: Option<u32>,
    /// Bitmask of contacts that are found without effect (Gazebo's `collide_without_contact_bitmask`).
    pub sensor_bitmask: u32,
    /// The surface runs like that of a belt: at a contact with the outward normal n its velocity beside the shape's is `w × n`,
    /// with w in the frame of the shape \[m/s\].
    pub belt: Option<DVec3>,
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            material: None,
            friction: [1.0; 2],
            direction: None,
            slip: [0.0; 2],
            torsional: TorsionalSurface::default(),
            bounce: None,
            compliance: None,
            point_contact: PointContact::default(),
            elasticity: None,
            max_correcting_velocity: None,
            min_depth: None,
            split_depth: None,
            rolling: 0.0,
            max_contacts: None,
            is_sensor: false,
            collide_bitmask: u32::MAX,
            category_bitmask: None,
            sensor_bitmask: 1,
            belt: None,
        }
    }
}

impl Surface {
    const fn category(&self) -> u32 {
        match self.category_bitmask {
            Some(category) => category,
            None => self.collide_bitmask,
        }
    }

    /// Most contact points of two surfaces: the smaller number of those that have one, else that of the world.
    #[inline]
    #[must_use]
    pub(crate) fn most_points(&self, other: &Self, of_world: u32) -> u32 {
        match (self.max_contacts, other.max_contacts) {
            (Some(a), Some(b)) => a.min(b),
            (a, b) => a.or(b).unwrap_or(of_world),
        }
    }

    /// Contacts of two surfaces act; otherwise they are sensors, or nothing.
    #[inline]
    #[must_use]
    pub(crate) const fn acts_on(&self, other: &Self) -> bool {
        let meets = if self.category_bitmask.is_none() && other.category_bitmask.is_none() {
            self.collide_bitmask & other.collide_bitmask != 0
        } else {
            self.category() & other.collide_bitmask != 0 || other.category() & self.collide_bitmask != 0
        };
        meets && !self.is_sensor && !other.is_sensor
    }
}

/// Normal direction of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NormalLaw {
    /// Hard, softened by ERP and CFM; what is absent is the world's. The error is drift.
    ErpCfm {
        /// Error reduction, 0 to 1.
        erp: Option<f64>,
        /// Constraint force mixing \[s/kg\].
        cfm: Option<f64>,
    },
    /// Implicit spring and damper. The error is elastic.
    Spring {
        /// Stiffness \[N/m\].
        stiffness: f64,
        /// Damping \[N s/m\].
        damping: f64,
    },
    /// SPOOK: a regularised row, stable at any stiffness and step. The error is elastic.
    Spook {
        /// ε, the inverse of the stiffness \[m/N\].
        compliance: f64,
        /// Time in which overlap leaves \[s\].
        damping_time: f64,
        /// Largest pull of the pair, shared by its points \[N\].
        adhesion: f64,
        /// Depth at which the contact rests without load \[m\]; nearer to the surface it pulls.
        rest_depth: f64,
    },
    /// A compliant contact whose force is a function of depth and speed.
    Compliant {
        /// Its force; with `is_per_mass` the force per effective mass of the contact \[1/s²\].
        force: NormalForce,
        /// The stiffness is multiplied by the effective mass of the contact.
        is_per_mass: bool,
    },
}

impl NormalLaw {
    /// SPOOK without adhesion: compliance ε \[m/N\], damping time τ \[s\].
    #[must_use]
    pub const fn spook(compliance: f64, damping_time: f64) -> Self {
        Self::Spook { compliance, damping_time, adhesion: 0.0, rest_depth: 0.0 }
    }

    /// A force that grows faster than the depth.
    #[must_use]
    pub(crate) const fn is_curved(&self) -> bool {
        matches!(self, Self::Compliant { force: NormalForce::Hertz { .. }, .. })
    }

    /// A force over depth: nothing acts at depth zero.
    #[must_use]
    pub(crate) const fn is_force(&self) -> bool {
        matches!(self, Self::Compliant { .. })
    }
}

/// Which solvers have the rows of a contact (AGX's solve types).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SolveType {
    /// The world's own.
    #[default]
    World,
    /// The normal in the direct solver; then normal and friction in sweeps.
    Split,
    /// All rows in the direct solver only.
    Direct,
    /// All rows in sweeps only.
    Iterative,
    /// All rows in the direct solver, then in sweeps.
    DirectAndIterative,
}

impl SolveType {
    /// Routes of the normal row and of the friction rows.
    #[must_use]
    pub const fn routes(self) -> [Route; 2] {
        match self {
            Self::World => [Route::Any; 2],
            Self::Split => [Route::Both, Route::Iterative],
            Self::Direct => [Route::Direct; 2],
            Self::Iterative => [Route::Iterative; 2],
            Self::DirectAndIterative => [Route::Both; 2],
        }
    }
}

/// Parameters of one contact point: the guide's `dSurfaceParameters` (7.3.7), and Gazebo's beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSurface {
    /// Where the bounds along the two friction directions come from (`mu`, `mu2`, `dContactApprox1_1`, `1_2`).
    pub friction: [FrictionBound; 2],
    /// Pyramid, box or cone.
    pub coupling: Coupling,
    /// First friction direction in the world (`fdir1`), used as given; `None` lets the engine choose.
    pub direction: Option<DVec3>,
    /// The direction is laid into the tangent plane; where it runs along the normal, an axis of the world is.
    pub projects_direction: bool,
    /// Force-dependent slip along the two directions \[m/s per N\] (`slip1`, `slip2`).
    pub slip: [f64; 2],
    /// Velocity of the surface along the two directions \[m/s\] (`motion1`, `motion2`).
    pub motion: [f64; 2],
    /// Velocity of the surface along the normal \[m/s\] (`motionN`).
    pub normal_motion: f64,
    /// Restitution and its threshold (`bounce`, `bounce_vel`).
    pub bounce: Option<Restitution>,
    /// Compliance (`soft_erp`, `soft_cfm`).
    pub normal: NormalLaw,
    /// Friction over the slip speed, in continuous time; `None` is the coefficients alone.
    pub stribeck: Option<Stribeck>,
    /// Where the contact point lies between the two surfaces, from their middle towards the second surface's witness
    /// point, as a share of the depth: 0 is the middle, ±½ a witness point.
    pub point_shift: f64,
    /// Bound on the velocity that error correction leaves \[m/s\]; `None` is the world's.
    pub max_correcting_velocity: Option<f64>,
    /// Penetration left alone \[m\]; `None` is the world's.
    pub surface_layer: Option<f64>,
    /// Penetration from which a split impulse corrects \[m\]; `None` is the world's.
    pub split_depth: Option<f64>,
    /// Rolling friction about the two tangents and spinning friction about the normal: coefficient times length \[m\]
    /// (`rho`, `rho2`, `rhoN`).
    pub rolling: [f64; 3],
    /// Torsional friction, beside `rhoN`.
    pub torsional: TorsionalFriction,
    /// Which solvers have its rows.
    pub solve_type: SolveType,
}

impl Default for ContactSurface {
    fn default() -> Self {
        Self {
            friction: [FrictionBound::Coefficient(1.0); 2],
            coupling: Coupling::Independent,
            direction: None,
            projects_direction: false,
            slip: [0.0; 2],
            motion: [0.0; 2],
            normal_motion: 0.0,
            bounce: None,
            normal: NormalLaw::ErpCfm { erp: None, cfm: None },
            stribeck: None,
            point_shift: 0.0,
            max_correcting_velocity: None,
            surface_layer: None,
            split_depth: None,
            rolling: [0.0; 3],
            torsional: TorsionalFriction::NONE,
            solve_type: SolveType::World,
        }
    }
}

impl ContactSurface {
    /// Of one of `points` contacts of a pair: the points share the pair's adhesion.
    #[inline(always)]
    pub(crate) fn share(&mut self, points: usize) {
        if let NormalLaw::Spook { adhesion, .. } = &mut self.normal {
            *adhesion /= points.max(1) as f64;
        }
    }

    /// A part of the stiffness and damping of a contact that is a spring.
    pub(crate) fn take_part(&mut self, part: f64) {
        match &mut self.normal {
            NormalLaw::Compliant { force, .. } => *force = force.times(part),
            NormalLaw::Spring { stiffness, damping } => {
                *stiffness *= part;
                *damping *= part;
            }
            _ => {}
        }
    }

    /// Young's modulus of a SPOOK contact becomes the stiffness of each of `points` points that span an area \[m²\].
    pub(crate) fn stiffen_by_area(&mut self, law: &AreaLaw, area: f64, points: usize) {
        if let NormalLaw::Spook { compliance, .. } = &mut self.normal {
            *compliance = 1.0 / law.stiffness(1.0 / *compliance, area, points);
        }
    }

    /// Friction with one coefficient in all directions.
    #[must_use]
    pub fn with_friction(coefficient: f64) -> Self {
        Self { friction: [FrictionBound::Coefficient(coefficient); 2], ..Self::default() }
    }

    /// Friction as a constant force \[N\] along each direction, whatever the normal force.
    #[must_use]
    pub fn with_friction_force(force: f64) -> Self {
        Self { friction: [FrictionBound::Force(force); 2], ..Self::default() }
    }
}
