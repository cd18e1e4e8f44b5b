//! Contact materials: contact parameters for pairs of materials.

use std::collections::BTreeMap;

use stiction::material::SolveType;
use stiction::math::DVec3;

use super::Material;
use crate::description::Origin;
use crate::diagnostic::Location;

/// Which set of friction forces a contact point may have, N its normal force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrictionWord {
    /// `(F₁/μ₁)² + (F₂/μ₂)² ≤ N²`.
    #[default]
    Cone,
    /// `|F₁| ≤ μ N`, `|F₂| ≤ μ N` along the world's axes, N of the step before.
    Box,
    /// The same with the present N.
    ScaledBox,
    /// A cone along the primary direction, `μ₁` along and `μ₂` across.
    OrientedCone,
    /// A scaled box along the primary direction.
    OrientedScaledBox,
    /// A box with N of the step before, along the primary direction.
    OrientedLaggedBox,
    /// `|F₁| ≤ μ₁ F₀`, `|F₂| ≤ μ₂ F₀` along the primary direction, whatever the normal force.
    ConstantNormalForce,
}

impl FrictionWord {
    /// Words of files, each with what it means.
    pub const WORDS: [(&'static str, Self); 15] = [
        ("", Self::Cone),
        ("default", Self::Cone),
        ("cone", Self::Cone),
        ("iterative", Self::Cone),
        ("box", Self::Box),
        ("scaled_box", Self::ScaledBox),
        ("scaledBox", Self::ScaledBox),
        ("oriented_box", Self::OrientedScaledBox),
        ("oriented_scaled_box", Self::OrientedScaledBox),
        ("oriented_lagged_box", Self::OrientedLaggedBox),
        ("oriented_iterative", Self::OrientedCone),
        ("oriented_cone", Self::OrientedCone),
        ("constant_normal_force", Self::ConstantNormalForce),
        ("constant_normal_force_oriented_box", Self::ConstantNormalForce),
        ("orientedBox", Self::ConstantNormalForce),
    ];

    /// It has a primary direction, in the frame of a reference link.
    #[must_use]
    pub fn is_oriented(self) -> bool {
        matches!(
            self,
            Self::OrientedCone | Self::OrientedScaledBox | Self::OrientedLaggedBox | Self::ConstantNormalForce
        )
    }
}

/// Words of solve types, each with what it means.
pub(super) const SOLVE_TYPES: [(&str, SolveType); 8] = [
    ("", SolveType::Split),
    ("default", SolveType::Split),
    ("split", SolveType::Split),
    ("direct", SolveType::Direct),
    ("iterative", SolveType::Iterative),
    ("direct_and_iterative", SolveType::DirectAndIterative),
    ("directAndIterative", SolveType::DirectAndIterative),
    ("iterativeAndDirect", SolveType::DirectAndIterative),
];

/// Which contact points are made fewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReductionMode {
    /// None.
    None,
    /// Those of a pair of shapes.
    #[default]
    Geometry,
    /// Those of a pair of shapes, then those of a pair of bodies.
    All,
}

impl ReductionMode {
    /// Words of files, each with what it means.
    pub const WORDS: [(&'static str, Self); 9] = [
        ("", Self::Geometry),
        ("default", Self::Geometry),
        ("reduce_geometry", Self::Geometry),
        ("reduceGeometry", Self::Geometry),
        ("reduce_all", Self::All),
        ("reduceAll", Self::All),
        ("reduceALL", Self::All),
        ("reduce_none", Self::None),
        ("reduceNone", Self::None),
    ];
}

/// How contact points are made fewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Which.
    pub mode: ReductionMode,
    /// Bins in each dimension, 1 to 10; 0 is the simulator's.
    pub bins: u32,
}

/// A listed pair of materials.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactMaterial {
    /// Spring constant of a contact point \[N/m\].
    pub youngs_modulus: f64,
    /// Newton's coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Time in which overlap is resolved, τ \[s\].
    pub spook_damping: f64,
    /// Friction coefficient; of oriented models that along the primary direction.
    pub friction: f64,
    /// Friction coefficient across the primary direction; negative is that along it.
    pub secondary_friction: f64,
    /// Slip speed per force of a sticking contact point \[m/(N s)\].
    pub surface_viscosity: f64,
    /// The same across the primary direction; negative is that along it.
    pub secondary_surface_viscosity: f64,
    /// Largest pull of the pair \[N\].
    pub adhesion_force: f64,
    /// Depth at which a contact rests without load \[m\].
    pub adhesive_overlap: f64,
    /// Friction model.
    pub friction_model: FrictionWord,
    /// Solvers of its rows.
    pub solve_type: SolveType,
    /// How its points are made fewer.
    pub reduction: Reduction,
    /// Primary direction in the frame of the reference link; zero where there is none.
    pub primary_direction: DVec3,
    /// Body of the reference link; empty where there is none.
    pub reference_body: String,
    /// The reference link; empty where there is none.
    pub reference_link: String,
    /// The normal force of the constant-normal-force model \[N\]; negative is half the weight of the reference body.
    pub constant_normal_force: f64,
    /// The force of a contact grows with its area: `k = E A / L`.
    pub has_area_law: bool,
    /// Least L of that law \[m\].
    pub min_rest_length: f64,
    /// Greatest L of that law \[m\].
    pub max_rest_length: f64,
    /// Where it stands in its file.
    pub location: Option<Location>,
    /// Where its values come from, by the first spelling of their keys; those that are not here are defaults, or derived.
    pub origins: BTreeMap<&'static str, Origin>,
}

impl Default for ContactMaterial {
    fn default() -> Self {
        Self {
            youngs_modulus: 2e8,
            restitution: 0.0,
            spook_damping: 0.075,
            friction: 0.5,
            secondary_friction: -1.0,
            surface_viscosity: 1e-8,
            secondary_surface_viscosity: -1.0,
            adhesion_force: 0.0,
            adhesive_overlap: 0.0,
            friction_model: FrictionWord::Cone,
            solve_type: SolveType::Split,
            reduction: Reduction::default(),
            primary_direction: DVec3::ZERO,
            reference_body: String::new(),
            reference_link: String::new(),
            constant_normal_force: -1.0,
            has_area_law: false,
            min_rest_length: 1e-3,
            max_rest_length: 0.1,
            location: None,
            origins: BTreeMap::new(),
        }
    }
}

/// Contact parameters of two materials.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The values.
    pub values: ContactMaterial,
    /// They are derived of the two materials; otherwise the pair is listed.
    pub is_derived: bool,
    /// The restitution rests on a viscosity that the file leaves out.
    pub rests_on_default_viscosity: bool,
}

impl std::ops::Deref for Pair {
    type Target = ContactMaterial;
    fn deref(&self) -> &ContactMaterial {
        &self.values
    }
}

impl Pair {
    /// Of a listed pair.
    pub(super) fn listed(contact: &ContactMaterial) -> Self {
        Self { values: contact.clone(), is_derived: false, rests_on_default_viscosity: false }
    }

    /// Of two materials, by the formulas of the module.
    pub(super) fn derived(a: &Material, b: &Material) -> Self {
        let values = ContactMaterial {
            youngs_modulus: a.youngs_modulus * b.youngs_modulus / (a.youngs_modulus + b.youngs_modulus),
            restitution: ((1.0 - a.viscosity) * (1.0 - b.viscosity)).sqrt(),
            spook_damping: a.spook_damping.max(b.spook_damping),
            friction: (a.roughness * b.roughness).sqrt(),
            surface_viscosity: a.surface_viscosity + b.surface_viscosity,
            adhesion_force: a.adhesion_force + b.adhesion_force,
            adhesive_overlap: a.adhesive_overlap.max(b.adhesive_overlap),
            ..ContactMaterial::default()
        };
        let rests_on_default_viscosity = a.is_viscosity_default || b.is_viscosity_default;
        Self { values, is_derived: true, rests_on_default_viscosity }
    }
}
