//! The keys of the tables that are numbers, declared once: spellings, unit, default, range, and the field.

use super::{ContactMaterial, Material};

/// A key whose value is a number.
pub struct Key<T> {
    /// Spellings, the one of the manual first.
    pub names: &'static [&'static str],
    /// Unit.
    pub unit: &'static str,
    /// Range.
    pub range: Range,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// Reads the field.
    pub get: fn(&T) -> f64,
    /// Writes the field.
    pub set: fn(&mut T, f64),
}

/// Which numbers a key takes; all are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// More than 0.
    Positive,
    /// 0 or more.
    NonNegative,
    /// 0 to 1.
    Share,
    /// More than −1 and at most 1/2.
    Poisson,
    /// 0 or more; a negative number, as the default −1, stands for "not given".
    Optional,
}

impl Range {
    /// The number is in the range.
    #[must_use]
    pub fn has(self, x: f64) -> bool {
        x.is_finite()
            && match self {
                Self::Positive => x > 0.0,
                Self::NonNegative => x >= 0.0,
                Self::Share => (0.0..=1.0).contains(&x),
                Self::Poisson => x > -1.0 && x <= 0.5,
                Self::Optional => true,
            }
    }

    /// The range in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Positive => "a number above 0",
            Self::NonNegative => "a number, 0 or more",
            Self::Share => "a number from 0 to 1",
            Self::Poisson => "a number above -1, at most 0.5",
            Self::Optional => "a number; negative for none",
        }
    }
}

impl<T> Key<T> {
    /// The key of a spelling.
    #[must_use]
    pub fn find<'a>(keys: &'a [Self], name: &str) -> Option<&'a Self> {
        keys.iter().find(|key| key.names.contains(&name))
    }
}

macro_rules! keys {
    ($type:ty; $($names:expr, $unit:literal, $range:ident, $meaning:literal, $($field:ident).+;)*) => {
        &[$(Key::<$type> {
            names: &$names,
            unit: $unit,
            range: Range::$range,
            meaning: $meaning,
            get: |of| of.$($field).+,
            set: |of, x| of.$($field).+ = x,
        }),*]
    };
}

/// Keys of a material.
pub const MATERIAL_KEYS: &[Key<Material>] = keys![Material;
    ["density"], "kg/m³", Positive, "Density; the mass of a link with `massType: density`.", density;
    ["youngsModulus", "youngs_modulus"], "Pa", Positive,
        "Young's modulus; the spring constant of a contact point in N/m.", youngs_modulus;
    ["poissonRatio", "poisson_ratio"], "", Poisson, "Poisson's ratio; without effect.", poisson_ratio;
    ["viscosity"], "", Share, "1 − restitution.", viscosity;
    ["spookDamping", "spook_damping"], "s", NonNegative, "Time in which overlap is resolved.", spook_damping;
    ["roughness"], "", NonNegative, "Roughness; friction is the square root of the product of two.", roughness;
    ["surfaceViscosity", "surface_viscosity"], "m/(N s)", NonNegative,
        "Slip speed per tangential force of a contact point.", surface_viscosity;
    ["adhesionForce", "adhesion_force"], "N", NonNegative, "Largest pull of a contact.", adhesion_force;
    ["adhesivOverlap", "adhesiv_overlap", "adhesiveOverlap", "adhesive_overlap"], "m", NonNegative,
        "Depth at which a contact rests without load; nearer to the surface it pulls.", adhesive_overlap;
    ["wireYoungsModulusStretch", "wire_youngs_modulus_stretch"], "Pa", Positive,
        "Young's modulus of a stretched wire.", wire.youngs_modulus_stretch;
    ["wireSpookDampingStretch", "wire_spook_damping_stretch"], "s", NonNegative,
        "Damping time of a stretched wire.", wire.spook_damping_stretch;
    ["wireYoungsModulusBend", "wire_youngs_modulus_bend"], "Pa", NonNegative,
        "Young's modulus of a bent wire.", wire.youngs_modulus_bend;
    ["wireSpookDampingBend", "wire_spook_damping_bend"], "s", NonNegative,
        "Damping time of a bent wire.", wire.spook_damping_bend;
    ["stiffness"], "", NonNegative, "For other engines; without effect.", stiffness;
    ["damping"], "", NonNegative, "For other engines; without effect.", damping;
];

/// Keys of a contact material that are numbers.
pub const CONTACT_KEYS: &[Key<ContactMaterial>] = keys![ContactMaterial;
    ["youngsModulus", "youngs_modulus"], "Pa", Positive,
        "Young's modulus; the spring constant of a contact point in N/m.", youngs_modulus;
    ["restitution"], "", Share, "Newton's coefficient of restitution, in the impact stage.", restitution;
    ["spookDamping", "spook_damping"], "s", NonNegative, "Time in which overlap is resolved.", spook_damping;
    ["friction", "static_friction", "staticFriction"], "", NonNegative,
        "Friction coefficient; of oriented models that along the primary direction.", friction;
    ["secondaryFriction", "secondary_friction"], "", Optional,
        "Friction coefficient across the primary direction.", secondary_friction;
    ["surfaceViscosity", "surface_viscosity"], "m/(N s)", NonNegative,
        "Slip speed per tangential force of a contact point.", surface_viscosity;
    ["secondarySurfaceViscosity", "secondary_surface_viscosity"], "m/(N s)", Optional,
        "The same across the primary direction.", secondary_surface_viscosity;
    ["adhesionForce", "adhesion_force"], "N", NonNegative, "Largest pull of the pair.", adhesion_force;
    ["adhesivOverlap", "adhesiv_overlap", "adhesiveOverlap", "adhesive_overlap"], "m", NonNegative,
        "Depth at which a contact rests without load; nearer to the surface it pulls.", adhesive_overlap;
    ["constant_normal_force", "constantNormalForce"], "N", Optional,
        "Normal force of the constant-normal-force model, of each contact point.", constant_normal_force;
    ["minElasticRestLength", "min_elastic_rest_length"], "m", Positive,
        "Least rest length of the area law.", min_rest_length;
    ["maxElasticRestLength", "max_elastic_rest_length"], "m", Positive,
        "Greatest rest length of the area law.", max_rest_length;
];
