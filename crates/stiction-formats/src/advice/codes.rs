//! The codes of advice: what they mean, by which formula, and whether a program can write the proposal.

use crate::diagnostic::Severity;

/// Who carries a proposal out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// `check --fix`, always; what it writes.
    Always(&'static str),
    /// `check --fix`, under conditions; what it writes, and where.
    Sometimes(&'static str),
    /// A person; what has to be judged.
    ByHand(&'static str),
}

/// A code of advice.
#[derive(Clone, Copy, Debug)]
pub struct AdviceCode {
    /// The word in brackets.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What was found.
    pub meaning: &'static str,
    /// When it is said; in SI units.
    pub formula: &'static str,
    /// Whether a program writes the proposal.
    pub fixed: Fixed,
}

const fn warning(code: &'static str, meaning: &'static str, formula: &'static str, fixed: Fixed) -> AdviceCode {
    AdviceCode { code, severity: Severity::Warning, meaning, formula, fixed }
}

const fn note(code: &'static str, meaning: &'static str, formula: &'static str, fixed: Fixed) -> AdviceCode {
    AdviceCode { code, severity: Severity::Note, meaning, formula, fixed }
}

/// Every code of advice, of all engines.
pub const ADVICE_CODES: &[AdviceCode] = &[
    note(
        "without-effect",
        "Parameters that the file gives and that the engine in use leaves out; `run --json` has all of them.",
        "not the format's default, not in a block of another engine, and unused in the table of parameters by engine",
        Fixed::ByHand("another engine has them"),
    ),
    note(
        "no-reading",
        "Sensors that have no reading under any engine; `run --json` has all of them under `without_effect`.",
        "none",
        Fixed::ByHand("the reason is said of each"),
    ),
    warning(
        "plugin-without-effect",
        "Plugins that are not known, that are left out, or of which the engine in use leaves a part out; a note where none of them \
         would move anything.",
        "`stiction explain PLUGIN` says what each does, docs/plugins.md has the table",
        Fixed::ByHand("remove the plugin, or give what it does by `--command` or `--force`"),
    ),
    warning(
        "left-out",
        "A part of the world that the engine in use does not have, as the inertia of a rotor in maximal coordinates.",
        "the part is given, and the engine or its coordinates have none",
        Fixed::ByHand("another engine has it, or `--coordinates reduced`"),
    ),
    note(
        "visual-not-found",
        "The mesh of a visual is not found; only looks depend on it.",
        "none",
        Fixed::ByHand("the file may be in a folder of `--model-path` or a package"),
    ),
    warning(
        "default-inertia",
        "A link has no `<inertial>`: the format's 1 kg and 1 kg m² act.",
        "m = 1, I = diag(1, 1, 1)",
        Fixed::ByHand("which mass the body has is known to its maker"),
    ),
    warning(
        "impossible-inertia",
        "No solid within the collision shapes has this inertia.",
        "I₁ + I₂ + I₃ > 2 m r²; r: farthest point of the shapes from the centre of mass",
        Fixed::Sometimes("shapes with a volume (no meshes): their inertia at uniform density with that mass"),
    ),
    warning(
        "unlikely-inertia",
        "The inertia is more than 100 times, or less than 1/100, of that of the shapes.",
        "(I₁ + I₂ + I₃) / m against 2 ∫ |x|² dV / V",
        Fixed::Sometimes("as `impossible-inertia`"),
    ),
    warning(
        "mass-ratio",
        "A joint joins a light and a heavy body.",
        "child / parent > 100 (heavy on light), parent / child > 1000",
        Fixed::ByHand("solver, coordinates or design"),
    ),
    warning(
        "undamped-contact",
        "A contact spring without damping, which bounces on in continuous time; fixed steps damp it.",
        "kd / (2 √(kp m)) < 0.05",
        Fixed::ByHand("how much a contact should lose"),
    ),
    warning(
        "push-out-bounces",
        "A large max_vel: overlaps are pushed apart at up to that velocity, and it stays.",
        "min(max_vel, contact_max_correcting_vel) > 1 m/s, restitution < 0.5; height max_vel² / 2 g",
        Fixed::ByHand("how fast overlaps should end"),
    ),
    warning(
        "fdir1-along-normal",
        "A first friction direction across the surface: another one acts.",
        "|fdir1 · n| > 0.99 at a contact of the start",
        Fixed::ByHand("a direction along the surface"),
    ),
    warning(
        "few-contact-points",
        "A shape with fewer contact points than it rests on.",
        "max_contacts < 3 for a flat shape, 2 for a capsule, 1 for a sphere or ellipsoid",
        Fixed::ByHand("<max_contacts> of 4 or more"),
    ),
    warning("long-step", "Steps above 20 ms.", "h > 0.02 s", Fixed::ByHand("the step")),
    warning("fast-spin", "A spin at the start that steps do not follow.", "|ω| h > 0.5", Fixed::ByHand("the step")),
    warning("gravity-upwards", "Gravity points upwards.", "g_z > |g| / 2", Fixed::ByHand("z is up")),
    note(
        "zero-limit",
        "A limit of effort or velocity is 0: nothing drives the joint.",
        "effort = 0, velocity = 0",
        Fixed::ByHand("a joint may be meant to be free"),
    ),
    note(
        "implied-erp-cfm",
        "What kp and kd are as ERP and CFM at this step.",
        "erp = h kp/(h kp + kd), cfm = 1/(h kp + kd)",
        Fixed::ByHand("nothing is wrong"),
    ),
    warning(
        "two-softnesses",
        "A surface has kp or kd, and soft_cfm or soft_erp.",
        "kp and kd win",
        Fixed::ByHand("one pair has to go, and which is not known"),
    ),
    warning(
        "sinks-by-weight",
        "A soft surface deflects by more than 1 mm, or 1 % of the smallest side, under the weight of its body.",
        "m g / (n k), k of the pair by the engine's law (kp in series); n points as they touch, else 1 (sphere, ellipsoid), 2 (capsule), 4",
        Fixed::ByHand("softness may be meant"),
    ),
    warning(
        "unreachable-max-vel",
        "max_vel is above the world's bound, which acts.",
        "min(max_vel, contact_max_correcting_vel)",
        Fixed::Always("max_vel becomes the bound: the motion stays the same"),
    ),
    note(
        "large-friction",
        "Two surfaces that can touch have coefficients above 10.",
        "min(mu₁, mu₂) > 10; the angle of slope is atan mu",
        Fixed::ByHand("large values are sometimes intended (gripping without slip)"),
    ),
    warning(
        "unreachable-bounce-threshold",
        "A surface with restitution never bounces.",
        "min(threshold₁, threshold₂) > 10 √(v₀² + 2 g H); H: height of the world, 1 m at least",
        Fixed::Always("threshold 0.1 m/s, or 2 g h where that is more"),
    ),
    warning(
        "one-sided-restitution",
        "A surface with restitution can only touch surfaces without.",
        "min(e₁, e₂) = 0",
        Fixed::ByHand("which surfaces bounce is a matter of what is modelled"),
    ),
    warning(
        "two-friction-directions",
        "Several collisions have an fdir1.",
        "the first collision's acts",
        Fixed::ByHand("the order of the pair decides"),
    ),
    note(
        "needless-fixed-joint",
        "Fixed joints join links that move.",
        "6 rows a joint",
        Fixed::ByHand("merging links changes names"),
    ),
    warning(
        "welded-contact",
        "Links that fixed joints weld together touch.",
        "none",
        Fixed::ByHand("`self_collide` acts on the whole model"),
    ),
    warning(
        "movable-plane",
        "An infinite plane on a link that moves.",
        "none",
        Fixed::Sometimes("a model of one link without joints becomes static"),
    ),
    warning(
        "soft-joint",
        "A joint deflects by more than 1 mm under the weight of its child.",
        "cfm h m g / erp",
        Fixed::ByHand("softness may be meant"),
    ),
    warning(
        "min-step-size",
        "min_step_size is not below max_step_size.",
        "min < max",
        Fixed::Sometimes("not under `simbody`: min = max/10"),
    ),
    note(
        "quick-solver",
        "A file says `quick`: what its sweeps leave unsolved is solved exactly.",
        "none",
        Fixed::ByHand("nothing is wrong"),
    ),
    warning(
        "millimetres",
        "A link of 10 m or more has less than a hundredth of the density of air.",
        "m / V < 0.01 kg/m³",
        Fixed::ByHand("size or mass may be the wrong one"),
    ),
    warning(
        "limit-in-degrees",
        "A stop of a revolute joint is beyond a turn, and a multiple of 15.",
        "2π < |x| ≤ 720, x mod 15 = 0",
        Fixed::ByHand("joints of several turns exist"),
    ),
    warning(
        "pose-in-degrees",
        "An angle of a pose is beyond a turn.",
        "|angle| > 2π",
        Fixed::Sometimes("SDFormat and whole numbers: angle π/180"),
    ),
    warning(
        "overlapping-start",
        "Two shapes overlap at the start.",
        "depth > allowed depth + max(1 mm, 2 % of the smallest side)",
        Fixed::ByHand("which of the two moves, and where to"),
    ),
    warning(
        "tunnelling",
        "A body passes what it meets within two steps.",
        "v h > (S + T)/2; S, T: smallest sides of the two",
        Fixed::ByHand("step, speed or size"),
    ),
    warning(
        "open-mesh",
        "A link that moves collides as a mesh that is not closed: a sheet without an inside.",
        "an edge has no triangle on its other side",
        Fixed::ByHand("the holes have to be closed, or the hull may do"),
    ),
    warning(
        "flat-mesh",
        "A link that moves collides as a mesh without thickness.",
        "max |(p - p₀)·n| ≤ 1e-9 max |p - p₀|",
        Fixed::ByHand("how thick the body is"),
    ),
    warning(
        "ground-faces-down",
        "Most of an open mesh that does not move faces down, with a link that moves over it.",
        "Σ A max(-n·z, 0) > Σ A max(n·z, 0); z: against gravity",
        Fixed::ByHand("the file of the mesh has to be turned"),
    ),
    warning(
        "jointed-velocity",
        "Initial velocities do not fit a joint.",
        "v + ω × r of both ends differ in directions that the joint holds",
        Fixed::ByHand("which motion was meant"),
    ),
    note(
        "contact-unresolved",
        "Discrete steps of Drake's contact are longer than its time scale.",
        "h > √(δ/g)",
        Fixed::ByHand("restitution may not matter"),
    ),
    warning(
        "rigid-joint",
        "Softness of joints has no effect under Drake's engines.",
        "none",
        Fixed::ByHand("engine or joint"),
    ),
    warning(
        "no-torsional-friction",
        "Torsional friction has no effect under Drake's engines.",
        "none",
        Fixed::ByHand("engine or surface"),
    ),
    warning(
        "no-wheel-slip",
        "The plugin WheelSlip has no effect under Drake's engines.",
        "none",
        Fixed::ByHand("engine or plugin"),
    ),
    warning(
        "step-too-long-for-stiction",
        "A fixed explicit step is too long for the stiction tolerance.",
        "h > v_s / (15/16 mu g)",
        Fixed::ByHand("step, tolerance or time advancement"),
    ),
    warning(
        "fixed-step-misses-stiction",
        "A fixed explicit step misses transitions of a fine stiction tolerance.",
        "v_s < 1 mm/s",
        Fixed::ByHand("error control costs time"),
    ),
    warning(
        "step-too-long-for-contact",
        "A fixed explicit step is too long for the springs of contact.",
        "h > 0.1 √(δ/g)",
        Fixed::ByHand("step, allowance or time advancement"),
    ),
    note(
        "flat-shape-on-one-point",
        "A flat shape has a single contact point.",
        "none",
        Fixed::ByHand("manifold or shapes"),
    ),
    note(
        "smooth-joint-law",
        "Friction, motors and stops of joints act as smooth forces in continuous time.",
        "none",
        Fixed::ByHand("nothing is wrong"),
    ),
];
