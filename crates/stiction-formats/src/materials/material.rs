//! A material: numbers in physical units.

use std::collections::BTreeMap;

use crate::description::Origin;
use crate::diagnostic::Location;

/// Which values stand for keys that a table leaves out. They differ in the viscosity alone, and so in derived restitutions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Defaults {
    /// Those of Choreonoid's code: viscosity 1, so that nothing bounces.
    #[default]
    Choreonoid,
    /// Those that its manual printed first: viscosity 0.
    Seed,
}

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name.
    pub name: String,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Young's modulus \[Pa\]; of a contact point the spring constant \[N/m\].
    pub youngs_modulus: f64,
    /// Poisson's ratio; without effect.
    pub poisson_ratio: f64,
    /// 1 − restitution, 0 to 1.
    pub viscosity: f64,
    /// Time in which overlap is resolved, τ \[s\].
    pub spook_damping: f64,
    /// Its square root is the material's share of the friction coefficient.
    pub roughness: f64,
    /// Slip speed per force of a sticking contact point \[m/(N s)\].
    pub surface_viscosity: f64,
    /// Largest pull of a contact \[N\].
    pub adhesion_force: f64,
    /// Depth at which a contact rests without load; nearer to the surface it pulls \[m\].
    pub adhesive_overlap: f64,
    /// Of wires.
    pub wire: WireMaterial,
    /// Stiffness that other engines read.
    pub stiffness: f64,
    /// Damping that other engines read.
    pub damping: f64,
    /// The viscosity was left out in the file.
    pub is_viscosity_default: bool,
    /// Where it stands in its file.
    pub location: Option<Location>,
    /// Where its values come from, by the first spelling of their keys; those that are not here are defaults.
    pub origins: BTreeMap<&'static str, Origin>,
}

/// A material as wires have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WireMaterial {
    /// Young's modulus of stretching \[Pa\].
    pub youngs_modulus_stretch: f64,
    /// Damping time of stretching \[s\].
    pub spook_damping_stretch: f64,
    /// Young's modulus of bending \[Pa\].
    pub youngs_modulus_bend: f64,
    /// Damping time of bending \[s\].
    pub spook_damping_bend: f64,
}

impl Material {
    /// A material with the default of every key.
    #[must_use]
    pub fn new(name: impl Into<String>, defaults: Defaults) -> Self {
        Self {
            name: name.into(),
            density: 1000.0,
            youngs_modulus: 4e8,
            poisson_ratio: 0.3,
            viscosity: if defaults == Defaults::Seed { 0.0 } else { 1.0 },
            spook_damping: 0.075,
            roughness: 0.5,
            surface_viscosity: 5e-9,
            adhesion_force: 0.0,
            adhesive_overlap: 0.0,
            wire: WireMaterial {
                youngs_modulus_stretch: 6e10,
                spook_damping_stretch: 0.075,
                youngs_modulus_bend: 6e10,
                spook_damping_bend: 0.075,
            },
            stiffness: 0.0,
            damping: 0.0,
            is_viscosity_default: true,
            location: None,
            origins: BTreeMap::new(),
        }
    }

    /// AGX's own default material, which stands for a name that no table has: viscosity 0.5, roughness 0.25/0.6.
    #[must_use]
    pub fn unknown(name: impl Into<String>) -> Self {
        Self {
            viscosity: 0.5,
            roughness: 0.25 / 0.6,
            is_viscosity_default: false,
            ..Self::new(name, Defaults::Choreonoid)
        }
    }
}
