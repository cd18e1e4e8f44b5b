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
    /// The equation that it is part of.
    pub equation: &'static str,
    /// What happens when it grows.
    pub effect: &'static str,
    /// The test that proves it, a function of `crates/stiction-run/tests/it/material_keys`; empty where there is none yet.
    pub proof: &'static str,
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
    ($type:ty; $($names:expr, $unit:literal, $range:ident, $meaning:literal, $equation:literal, $effect:literal,
        $proof:literal, $($field:ident).+;)*) => {
        &[$(Key::<$type> {
            names: &$names,
            unit: $unit,
            range: Range::$range,
            meaning: $meaning,
            equation: $equation,
            effect: $effect,
            proof: $proof,
            get: |of| of.$($field).+,
            set: |of, x| of.$($field).+ = x,
        }),*]
    };
}

/// Keys of a material.
pub const MATERIAL_KEYS: &[Key<Material>] = keys![Material;
    ["density"], "kg/m³", Positive, "Density; the mass of a link with `massType: density`.",
        "`m = ρ V`", "mass and inertia grow", "density", density;
    ["youngsModulus", "youngs_modulus"], "Pa", Positive,
        "Young's modulus; the spring constant of a contact point in N/m.",
        "`E = E₁ E₂ / (E₁ + E₂)`", "depth of contacts falls", "youngs_modulus_of_materials", youngs_modulus;
    ["poissonRatio", "poisson_ratio"], "", Poisson, "Poisson's ratio; without effect.",
        "", "nothing", "keys_without_effect", poisson_ratio;
    ["viscosity"], "", Share, "1 − restitution.",
        "`e = √((1 − v₁)(1 − v₂))`", "rebounds fall", "viscosity", viscosity;
    ["spookDamping", "spook_damping"], "s", NonNegative, "Time in which overlap is resolved.",
        "`τ = max(τ₁, τ₂)`, damper `c = k τ`", "overlap leaves slower", "spook_damping", spook_damping;
    ["roughness"], "", NonNegative, "Roughness; friction is the square root of the product of two.",
        "`μ = √(r₁ r₂)`", "friction grows", "roughness", roughness;
    ["surfaceViscosity", "surface_viscosity"], "m/(N s)", NonNegative,
        "Slip speed per tangential force of a contact point.",
        "`γ = γ₁ + γ₂`, slip `v = γ F` of a point", "creep grows", "surface_viscosity", surface_viscosity;
    ["adhesionForce", "adhesion_force"], "N", NonNegative, "Largest pull of a contact.",
        "`F = F₁ + F₂`", "the load that pulls a contact off grows", "adhesion_force", adhesion_force;
    ["adhesivOverlap", "adhesiv_overlap", "adhesiveOverlap", "adhesive_overlap"], "m", NonNegative,
        "Depth at which a contact rests without load; nearer to the surface it pulls.",
        "`d = max(d₁, d₂)`", "the depth at rest and the reach of the pull grow", "adhesive_overlap", adhesive_overlap;
    ["wireYoungsModulusStretch", "wire_youngs_modulus_stretch"], "Pa", Positive,
        "Young's modulus of a stretched wire.",
        "`k = E A / L`", "stretch falls", "wire_youngs_modulus_stretch", wire.youngs_modulus_stretch;
    ["wireSpookDampingStretch", "wire_spook_damping_stretch"], "s", NonNegative,
        "Damping time of a stretched wire.",
        "damping ratio `τ ω / 2`", "axial oscillation falls", "wire_spook_damping_stretch", wire.spook_damping_stretch;
    ["wireYoungsModulusBend", "wire_youngs_modulus_bend"], "Pa", NonNegative,
        "Young's modulus of a bent wire.",
        "`E I`, `I = π r⁴ / 4`", "sag of a stiff wire falls", "wire_youngs_modulus_bend", wire.youngs_modulus_bend;
    ["wireSpookDampingBend", "wire_spook_damping_bend"], "s", NonNegative,
        "Damping time of a bent wire.",
        "damping ratio `τ ω / 2`", "bending oscillation falls", "wire_spook_damping_bend", wire.spook_damping_bend;
    ["stiffness"], "", NonNegative, "For other engines; without effect.",
        "", "nothing", "keys_without_effect", stiffness;
    ["damping"], "", NonNegative, "For other engines; without effect.",
        "", "nothing", "keys_without_effect", damping;
];

/// Keys of a contact material that are numbers.
pub const CONTACT_KEYS: &[Key<ContactMaterial>] = keys![ContactMaterial;
    ["youngsModulus", "youngs_modulus"], "Pa", Positive,
        "Young's modulus; the spring constant of a contact point in N/m.",
        "`k = E` of a point; area law `k = E A / L`", "depth falls", "youngs_modulus_of_a_pair", youngs_modulus;
    ["restitution"], "", Share, "Newton's coefficient of restitution, in the impact stage.",
        "`v⁺ = −e v⁻`", "rebounds grow", "restitution", restitution;
    ["spookDamping", "spook_damping"], "s", NonNegative, "Time in which overlap is resolved.",
        "damper `c = k τ`", "overlap leaves slower", "spook_damping", spook_damping;
    ["friction", "static_friction", "staticFriction"], "", NonNegative,
        "Friction coefficient; of oriented models that along the primary direction.",
        "`F ≤ μ N`", "slides at steeper slopes", "friction", friction;
    ["secondaryFriction", "secondary_friction"], "", Optional,
        "Friction coefficient across the primary direction.",
        "`F₂ ≤ μ₂ N`", "slides sideways at steeper slopes", "secondary_friction", secondary_friction;
    ["surfaceViscosity", "surface_viscosity"], "m/(N s)", NonNegative,
        "Slip speed per tangential force of a contact point.",
        "`v = γ F`", "creep grows", "surface_viscosity", surface_viscosity;
    ["secondarySurfaceViscosity", "secondary_surface_viscosity"], "m/(N s)", Optional,
        "The same across the primary direction.",
        "`v₂ = γ₂ F₂`", "sideways creep grows", "secondary_surface_viscosity", secondary_surface_viscosity;
    ["adhesionForce", "adhesion_force"], "N", NonNegative, "Largest pull of the pair.",
        "`−F_adh ≤ N`", "the load that pulls the contact off grows", "adhesion_force", adhesion_force;
    ["adhesivOverlap", "adhesiv_overlap", "adhesiveOverlap", "adhesive_overlap"], "m", NonNegative,
        "Depth at which a contact rests without load; nearer to the surface it pulls.",
        "depth at rest `d + m g / k`", "the depth at rest and the reach of the pull grow", "adhesive_overlap", adhesive_overlap;
    ["constant_normal_force", "constantNormalForce"], "N", Optional,
        "Normal force of the constant-normal-force model, of each contact point.",
        "`F ≤ μ F₀`", "friction grows", "constant_normal_force", constant_normal_force;
    ["minElasticRestLength", "min_elastic_rest_length"], "m", Positive,
        "Least rest length of the area law.",
        "`k = E A / L`, `L = max(√A, L_min)`", "small contacts are softer", "contact_area", min_rest_length;
    ["maxElasticRestLength", "max_elastic_rest_length"], "m", Positive,
        "Greatest rest length of the area law.",
        "`k = E A / L`, `L = min(√A, L_max)`", "large contacts are softer", "contact_area", max_rest_length;
];

/// A key whose value is no number, or a key of a simulator item: what the documentation says of it.
pub struct WordKey {
    /// Spellings, the one of the manual first.
    pub names: &'static [&'static str],
    /// Values.
    pub values: &'static str,
    /// Default.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What happens when it changes.
    pub effect: &'static str,
    /// The test that proves it, as of [`Key::proof`].
    pub proof: &'static str,
}

/// Keys of a contact material that are no numbers.
pub const WORD_KEYS: [WordKey; 7] = [
    WordKey {
        names: &["frictionModel", "friction_model"],
        values: "`[ model, solve type ]`; models `cone` (`iterative`), `box`, `scaledBox`, `oriented_iterative`, \
                 `oriented_box` (a scaled one, as in Choreonoid), `oriented_scaled_box`, `oriented_lagged_box`, \
                 `orientedBox` (`constant_normal_force_oriented_box`); solve types `split`, `direct`, `iterative`, \
                 `directAndIterative` (`iterativeAndDirect`)",
        default: "cone, split",
        meaning: "Which friction forces a point may have, and which solvers find its forces.",
        effect: "boxes hold more across their axes than along them; direct solving is exact where sweeps are not (`solve_type`)",
        proof: "friction_model",
    },
    WordKey {
        names: &["contactReductionMode", "contact_reduction_mode"],
        values: "`reduceGeometry`, `reduceAll`, `reduceNone`",
        default: "reduceGeometry",
        meaning: "Whether contact points are made fewer, by pair of shapes or of bodies.",
        effect: "fewer points are faster, and softer under the point law",
        proof: "contact_reduction_mode",
    },
    WordKey {
        names: &["contactReductionBinResolution", "contact_reduction_bin_resolution"],
        values: "0 to 10",
        default: "0, the simulator's",
        meaning: "Bins in each of six dimensions; a point is kept in each.",
        effect: "more points are kept",
        proof: "contact_reduction_bins",
    },
    WordKey {
        names: &["primaryDirection", "primary_direction"],
        values: "`[ x, y, z ]`",
        default: "none",
        meaning: "Axis of oriented models, in the frame of the reference link.",
        effect: "turns the axes of friction",
        proof: "primary_direction",
    },
    WordKey {
        names: &["referenceBodyName", "reference_body", "reference_body_name"],
        values: "a name",
        default: "none",
        meaning: "Body of the reference link.",
        effect: "chooses among links of one name",
        proof: "reference_link",
    },
    WordKey {
        names: &["referenceLinkName", "reference_link", "reference_link_name"],
        values: "a name",
        default: "none",
        meaning: "Link with which the primary direction turns.",
        effect: "turns the axes of friction with the link",
        proof: "reference_link",
    },
    WordKey {
        names: &["contactArea", "contact_area"],
        values: "true or false",
        default: "false",
        meaning: "The area law: `k = E A / L` shared by the points, in place of `k = E` for each.",
        effect: "depth does not depend on the number of points",
        proof: "contact_area",
    },
];

/// Keys of the AGX simulator item of a project.
pub const SIMULATOR_KEYS: [WordKey; 10] = [
    WordKey {
        names: &["time_step", "timeStep", "timestep"],
        values: "s, above 0",
        default: "0.001",
        meaning: "Time step; `frame_rate` (`frameRate`, `framerate`) in Hz where it is not given.",
        effect: "impacts and friction are resolved less finely",
        proof: "simulator_time_step_and_gravity",
    },
    WordKey {
        names: &["Gravity", "gravity"],
        values: "`[ x, y, z ]`, m/s²",
        default: "0 0 −9.80665",
        meaning: "Gravity.",
        effect: "weights grow",
        proof: "simulator_time_step_and_gravity",
    },
    WordKey {
        names: &["NumThreads"],
        values: "",
        default: "1",
        meaning: "Threads; `--threads` here, with the same bits for every number.",
        effect: "none here; a note says so",
        proof: "",
    },
    WordKey {
        names: &["ContactReduction"],
        values: "",
        default: "true",
        meaning: "Contact points are made fewer.",
        effect: "all points are contacts where false",
        proof: "contact_reduction_of_a_simulator",
    },
    WordKey {
        names: &["ContactReductionBinResolution"],
        values: "",
        default: "3",
        meaning: "Bins where a contact material has 0.",
        effect: "more points are kept",
        proof: "contact_reduction_of_a_simulator",
    },
    WordKey {
        names: &["ContactReductionThreshhold"],
        values: "",
        default: "12",
        meaning: "Points of a pair above which they are made fewer.",
        effect: "more pairs keep all points",
        proof: "contact_reduction_of_a_simulator",
    },
    WordKey {
        names: &["ContactWarmstarting"],
        values: "",
        default: "false",
        meaning: "Solving begins with the forces of the last step.",
        effect: "none here; a note says so",
        proof: "",
    },
    WordKey {
        names: &["AutoSleep"],
        values: "",
        default: "false",
        meaning: "Bodies at rest fall asleep.",
        effect: "none here; a note says so",
        proof: "",
    },
    WordKey {
        names: &["AMOR"],
        values: "",
        default: "false",
        meaning: "Bodies at rest become one.",
        effect: "none here; a note says so",
        proof: "",
    },
    WordKey {
        names: &["SaveToAGXFileOnStart"],
        values: "",
        default: "false",
        meaning: "Writes a file of AGX.",
        effect: "none here; a note says so",
        proof: "",
    },
];
