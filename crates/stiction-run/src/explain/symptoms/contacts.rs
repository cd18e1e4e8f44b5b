//! Symptoms of contacts along their normal.

use super::Symptom;
use super::demonstration::{CONSTRAINT_ENGINES, Change, Claim, Demonstration, Measure};

pub(super) const SINKS: Symptom = Symptom {
    name: "sinks",
    answer: "the contact is too soft for the weight: raise kp of both surfaces, or lower the penetration allowance.",
    causes: &[
        "n contact points of stiffness k carry a weight m g at the depth m g / (n k). The k of a pair is that of both surfaces in series, \
         so the softer surface dominates.",
        "kp and kd of one surface replace soft_erp and soft_cfm. Without them the contacts of ODE's engines are rigid.",
        "Drake's engines derive the stiffness from contact.penetration_allowance; the single contact point of a round shape carries all of its weight.",
        "min_depth and contact_surface_layer leave that much penetration uncorrected.",
    ],
    phrases: &[
        "sink",
        "penetrate",
        "penetration",
        "soft",
        "soft ground",
        "overlap rest",
        "into ground",
        "inside ground",
        "into floor",
        "in floor",
        "inside floor",
        "through bit",
        "press",
        "below ground",
        "embed",
        "spongy",
        "squishy",
        "interpenetrate",
        "deep",
    ],
    hints: &["ground", "floor", "under", "into", "heavy", "weight", "foot", "feet"],
    parameters: &[
        "surface/contact/ode kp",
        "surface/contact/ode kd",
        "surface/contact/ode soft_cfm",
        "surface/contact/ode soft_erp",
        "surface/contact/ode min_depth",
        "surface/contact/bullet kp",
        "collision/drake.proximity_properties drake.point_contact_stiffness",
        "contact.penetration_allowance",
        "physics/simbody/contact stiffness",
    ],
    pages: &["docs/compliant_contact.md", "docs/tutorial.md"],
    demonstrations: &[Demonstration {
        world: "symptoms/sink",
        engines: &[
            "stiction",
            "ode-quick",
            "ode-world",
            "bullet",
            "bullet-featherstone",
            "agx",
            "drake-discrete",
            "drake-continuous",
            "simbody",
        ],
        duration: 1.0,
        both: &[],
        before: &[],
        after: &[Change::Set("model.box.link.link.collision.collision.surface.contact.ode.kp", "1e6")],
        measure: Measure::Travel("box::link"),
        measured: "distance that the box sinks in 1 s",
        claim: Claim::FallsTo(0.05),
    }],
};

const RESTITUTION: &str = "model.*.link.*.collision.*.surface.bounce.restitution_coefficient";

/// A ball that falls on level ground.
const FALLING_BALL: Demonstration = Demonstration {
    world: "symptoms/bounce",
    engines: CONSTRAINT_ENGINES,
    duration: 0.8,
    both: &[],
    before: &[],
    after: &[],
    measure: Measure::Height("ball::link"),
    measured: "height of the ball after 0.8 s (at rest: 0.1 m)",
    claim: Claim::FallsBy(0.3),
};

pub(super) const BOUNCES: Symptom = Symptom {
    name: "bounces",
    answer: "both surfaces have a restitution: lower restitution_coefficient of one of them, or raise the threshold.",
    causes: &[
        "A pair bounces back at e times its approach speed, with e the smaller restitution_coefficient of the two surfaces, if the \
         approach speed exceeds the smaller threshold.",
        "Drake's engines and Simbody have dissipation in place of e: a larger one bounces less.",
        "Without restitution, a bounce comes from overlapping shapes that are pushed apart: see `explodes`.",
    ],
    phrases: &[
        "bounce",
        "bouncy",
        "hop",
        "jump",
        "rebound",
        "bounce high",
        "bounce too much",
        "keep bounce",
        "trampoline",
        "spring back",
    ],
    hints: &["land", "impact", "hit", "drop"],
    parameters: &[
        "surface/bounce restitution_coefficient",
        "surface/bounce threshold",
        "surface/contact/ode kd",
        "collision/drake.proximity_properties drake.hunt_crossley_dissipation",
        "contact.dissipation",
        "physics/simbody/contact dissipation",
        "physics/simbody/contact plastic_coef_restitution",
    ],
    pages: &["docs/compliant_contact.md"],
    demonstrations: &[
        Demonstration { after: &[Change::Set(RESTITUTION, "0")], ..FALLING_BALL },
        Demonstration {
            engines: &["drake-discrete", "drake-continuous"],
            before: &[Change::Set("contact.dissipation", "0.05")],
            after: &[Change::Set("contact.dissipation", "5")],
            ..FALLING_BALL
        },
        Demonstration {
            engines: &["simbody"],
            before: &[Change::Set("physics.simbody.contact.dissipation", "0.1")],
            after: &[Change::Set("physics.simbody.contact.dissipation", "10")],
            ..FALLING_BALL
        },
    ],
};

pub(super) const DOES_NOT_BOUNCE: Symptom = Symptom {
    name: "does not bounce",
    answer: "one surface has no restitution, or the threshold is not reached: set restitution_coefficient and threshold on both surfaces.",
    causes: &[
        "The pair has the smaller restitution_coefficient and the smaller threshold of its surfaces. The default restitution is 0, so a \
         ball does not bounce on ground that gives none.",
        "The default threshold is 100000 m/s: without <threshold> nothing bounces.",
        "Drake's engines and Simbody have dissipation in place of restitution: a smaller one bounces more; discrete steps must be well \
         below sqrt(allowance / g).",
    ],
    phrases: &[
        "not bounce",
        "no bounce",
        "restitution",
        "inelastic",
        "dead ball",
        "elastic",
        "elasticity",
        "not rebound",
        "bounce less",
        "bounce low",
        "coefficient restitution",
        "bounce wrong",
    ],
    hints: &["ball", "bounce"],
    parameters: BOUNCES.parameters,
    pages: &["docs/compliant_contact.md"],
    demonstrations: &[
        Demonstration {
            before: &[Change::Set(
                "model.ground.link.link.collision.collision.surface.bounce.restitution_coefficient",
                "0",
            )],
            after: &[Change::Set(
                "model.ground.link.link.collision.collision.surface.bounce.restitution_coefficient",
                "0.8",
            )],
            claim: Claim::RisesBy(0.3),
            ..FALLING_BALL
        },
        Demonstration {
            engines: &["drake-discrete", "drake-continuous"],
            after: &[Change::Set("contact.dissipation", "0.05")],
            claim: Claim::RisesBy(0.3),
            ..FALLING_BALL
        },
        Demonstration {
            engines: &["simbody"],
            after: &[Change::Set("physics.simbody.contact.dissipation", "0.1")],
            claim: Claim::RisesBy(0.3),
            ..FALLING_BALL
        },
    ],
};

pub(super) const FALLS_THROUGH: Symptom = Symptom {
    name: "falls through",
    answer: "the two shapes do not collide: check collide_bitmask, that both links have a collision, and the speed of jointed bodies.",
    causes: &[
        "Two surfaces touch only if their collide_bitmask values share a bit; a link without <collision> touches nothing. \
         `stiction list FILE` shows all collisions.",
        "Fast free bodies are stopped at their first impact (physics.swept). Links with joints are not: use a step in which they move by \
         less than their own size. `stiction check` warns (tunnelling).",
        "Links of one model do not collide without self_collide, nor do links that a joint connects.",
        "An open mesh has no inside: a body that starts below its surface is not pushed back up.",
    ],
    phrases: &[
        "fall through",
        "drop through",
        "go through",
        "pass through",
        "tunnel",
        "tunnelling",
        "tunneling",
        "through floor",
        "through ground",
        "through wall",
        "through table",
        "not collide",
        "no collision",
        "no contact",
        "ignore collision",
        "not touch",
        "ghost",
        "collision not work",
        "fall forever",
        "fall world",
        "disappear",
        "fly through",
        "clip",
        "clip through",
        "collide",
    ],
    hints: &["fall", "through", "floor", "ground", "wall", "table", "collision", "bullet", "mesh"],
    parameters: &[
        "surface/contact collide_bitmask",
        "surface/contact category_bitmask",
        "model self_collide",
        "physics.swept",
        "physics max_step_size",
        "physics max_contacts",
    ],
    pages: &["docs/queries.md", "docs/meshes.md"],
    demonstrations: &[Demonstration {
        world: "symptoms/bitmask",
        engines: &[
            "stiction",
            "ode-quick",
            "ode-world",
            "bullet",
            "bullet-featherstone",
            "dart",
            "agx",
            "drake-discrete",
            "drake-continuous",
            "simbody",
        ],
        duration: 0.5,
        both: &[],
        before: &[],
        after: &[Change::Set("model.*.link.*.collision.*.surface.contact.collide_bitmask", "3")],
        measure: Measure::Height("box::link"),
        measured: "height of the box after 0.5 s (on the table: 0.625 m)",
        claim: Claim::RisesBy(1.0),
    }],
};

const MAX_VEL: &str = "model.*.link.*.collision.*.surface.contact.ode.max_vel";

pub(super) const EXPLODES: Symptom = Symptom {
    name: "explodes",
    answer: "shapes that overlap are pushed apart too fast, or a controller adds energy: start without overlap, lower max_vel or the step.",
    causes: &[
        "Shapes that overlap at the start are pushed apart, at up to max_vel under ODE's engines. `stiction check` names the overlaps \
         (overlapping-start).",
        "A controller whose gains are too large for the step adds energy: see `jitters`.",
        "Inertias that no solid has, or masses in the wrong unit, turn small forces into large motions (`stiction check`: \
         impossible-inertia, mass-ratio).",
        "`stiction run` reports where energy comes from; --fail-if 'made_energy>1%' stops with exit code 3.",
    ],
    phrases: &[
        "explode",
        "explosion",
        "blow",
        "fly",
        "fly away",
        "fly off",
        "launch",
        "nan",
        "unstable",
        "instability",
        "diverge",
        "go crazy",
        "shoot up",
        "shoot",
        "throw",
        "catapult",
        "infinite",
        "gain energy",
        "kick",
        "pop",
        "jump start",
        "blow up",
        "spawn jump",
        "weird force",
        "inf",
        "energy increase",
        "energy grow",
        "make energy",
        "overlap start",
        "start overlap",
        "overlap",
        "add energy",
        "teleport",
    ],
    hints: &["away", "crazy", "robot", "start", "spawn", "suddenly", "crash", "violent", "energy"],
    parameters: &[
        "surface/contact/ode max_vel",
        "physics/ode/constraints contact_max_correcting_vel",
        "surface/contact/ode min_depth",
        "physics max_step_size",
        "joint/axis/limit effort",
        "contact.correction",
        "physics/bullet/constraints split_impulse",
        "contact.penetration_allowance",
    ],
    pages: &["docs/soundness.md", "docs/advice.md"],
    demonstrations: &[Demonstration {
        world: "symptoms/overlap",
        engines: &["ode-quick", "ode-world"],
        duration: 0.5,
        both: &[],
        before: &[],
        after: &[Change::Set(MAX_VEL, "0.01")],
        measure: Measure::Height("box::link"),
        measured: "height of the box after 0.5 s (at rest: 0.2 m)",
        claim: Claim::FallsBy(3.0),
    }],
};
