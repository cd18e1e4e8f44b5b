//! Symptoms of friction.

use super::Symptom;
use super::demonstration::{CONSTRAINT_ENGINES, Change, Claim, Demonstration, Measure};

const MU: &str = "model.*.link.*.collision.*.surface.friction.ode.mu";
const MU2: &str = "model.*.link.*.collision.*.surface.friction.ode.mu2";
const SLIP1: &str = "model.*.link.*.collision.*.surface.friction.ode.slip1";
const SLIP2: &str = "model.*.link.*.collision.*.surface.friction.ode.slip2";

pub(super) const SLIPS: Symptom = Symptom {
    name: "slips",
    answer: "friction is too small for the load: raise mu and mu2 of both surfaces.",
    causes: &[
        "A contact holds a tangential force of up to mu times the normal force; a slope of angle a needs mu > tan a.",
        "The pair has the smaller mu of its two surfaces (Drake and Simbody: 2 mu1 mu2 / (mu1 + mu2)), so one slippery surface is enough.",
        "mu acts along the first friction direction and mu2 along the second: set both.",
    ],
    phrases: &[
        "slip",
        "slide",
        "skid",
        "friction",
        "traction",
        "slippery",
        "ice",
        "icy",
        "not hold slope",
        "slope",
        "ramp",
        "glide",
        "not stick",
        "push away",
        "conveyor",
        "belt not move",
        "conveyor not move",
    ],
    hints: &["grip", "hill", "incline", "surface", "wheel"],
    parameters: &[
        "surface/friction/ode mu",
        "surface/friction/ode mu2",
        "surface/friction/bullet friction",
        "surface/friction/bullet friction2",
        "surface/friction/ode fdir1",
        "surface/friction/ode slip1",
        "physics/ode/solver friction_model",
        "contact.stiction_tolerance",
        "physics/simbody max_transient_velocity",
    ],
    pages: &["docs/tutorial.md"],
    demonstrations: &[Demonstration {
        world: "symptoms/slope",
        engines: &[
            "ode-quick",
            "ode-world",
            "bullet",
            "bullet-featherstone",
            "dart",
            "agx",
            "drake-discrete",
            "simbody",
        ],
        duration: 1.0,
        both: &[],
        before: &[],
        after: &[Change::Set(MU, "0.5"), Change::Set(MU2, "0.5")],
        measure: Measure::Travel("box::link"),
        measured: "distance that the box slides in 1 s",
        claim: Claim::FallsTo(0.02),
    }],
};

/// A cart that is commanded to drive at 1 m/s, with a cure under engines whose mu2 acts along its way.
const DRIVING_CART: Demonstration = Demonstration {
    world: "symptoms/wheels",
    engines: &["ode-quick", "ode-world", "bullet", "bullet-featherstone", "dart", "drake-continuous", "simbody"],
    duration: 1.0,
    both: &[Change::Command("cart:twist=1,0")],
    before: &[],
    after: &[Change::Set(MU2, "1")],
    measure: Measure::Travel("cart::chassis"),
    measured: "distance that the cart drives in 1 s (rolling without slip: 1 m)",
    claim: Claim::GrowsBy(1.9),
};

pub(super) const WHEELS_SLIP: Symptom = Symptom {
    name: "wheels slip",
    answer: "the friction along the driving direction is too small: check mu2 and fdir1 of the wheels, and slip1 and slip2.",
    causes: &[
        "Without fdir1 the engine chooses the friction directions in the world: on level ground mu acts along y and mu2 along x under the \
         engines of ODE, Bullet and DART, and the other way round under agx. They do not turn with the wheel.",
        "A small mu2 that is meant for the axle direction then acts along the driving direction. Set mu2 = mu, or give fdir1.",
        "A motor that demands more than mu times the load spins the wheels; slip1, slip2 and the plugin WheelSlip add slip.",
    ],
    phrases: &[
        "wheel",
        "wheel slip",
        "wheel spin",
        "wheel grip",
        "wheel traction",
        "wheel not grip",
        "tire",
        "tyre",
        "drive straight",
        "rover slip",
        "car slip",
        "car slide",
        "spin place",
        "robot slip",
        "skid steer",
        "diff drive",
        "track slip",
        "vehicle slip",
        "not drive",
        "rover not climb",
        "not climb",
        "vehicle not turn",
        "drift sideways",
        "vehicle drift",
        "car not turn",
        "track not turn",
        "robot not turn place",
        "wheel not turn robot",
    ],
    hints: &["car", "rover", "cart", "vehicle", "drive", "turn", "climb", "odometry", "grip"],
    parameters: &[
        "surface/friction/ode mu",
        "surface/friction/ode mu2",
        "surface/friction/ode fdir1",
        "surface/friction/bullet friction",
        "surface/friction/bullet friction2",
        "surface/friction/bullet fdir1",
        "surface/friction/ode slip1",
        "surface/friction/ode slip2",
        "joint/axis/limit effort",
    ],
    pages: &["docs/plugins.md", "docs/robots.md"],
    demonstrations: &[
        DRIVING_CART,
        Demonstration {
            engines: &["agx", "drake-discrete"],
            before: &[Change::Set(MU, "0.05")],
            after: &[Change::Set(MU, "1"), Change::Set(MU2, "1")],
            ..DRIVING_CART
        },
    ],
};

pub(super) const GRASP_FAILS: Symptom = Symptom {
    name: "grasp fails",
    answer: "two fingers that press with F hold a mass m if mu >= m g / (2 F): raise mu or the effort limit of the fingers.",
    causes: &[
        "Each finger carries mu F, so that a mass m needs mu >= m g / (2 F); accelerating upwards by a needs m (g + a) / (2 F). The \
         threshold is met without fixed joints, attached models or excessive friction.",
        "The pair has the smaller mu of finger and object. The force of a finger is at most the effort limit of its joint.",
        "On one contact point per finger the object turns about the line between them: use flat pads, or torsional friction (patch_radius). \
         Under Drake's engines and Simbody the object creeps within the stiction tolerance.",
        "Under bullet and bullet-featherstone a gripper that moves can lose the object although mu is large enough. Under bullet \
         `--set contact.hybrid=off` helps; or use the engines of ODE or DART.",
    ],
    phrases: &[
        "grasp",
        "gripper",
        "grip",
        "pick",
        "hold object",
        "drop object",
        "lift",
        "finger",
        "hand",
        "object slip",
        "object fall",
        "pinch",
        "squeeze",
        "grab",
        "cup",
        "mug",
        "slip hand",
        "slip finger",
        "suction",
    ],
    hints: &["drop", "hold", "object", "let", "claw"],
    parameters: &[
        "surface/friction/ode mu",
        "surface/friction/ode mu2",
        "surface/friction/bullet friction",
        "joint/axis/limit effort",
        "surface/friction/torsional patch_radius",
        "contact.stiction_tolerance",
        "physics/simbody max_transient_velocity",
        "surface/contact/ode kp",
    ],
    pages: &["docs/robots.md", "docs/compliant_contact.md"],
    demonstrations: &[Demonstration {
        world: "symptoms/grasp",
        engines: &[
            "ode-quick",
            "ode-world",
            "bullet-featherstone",
            "dart",
            "agx",
            "drake-discrete",
            "drake-continuous",
            "simbody",
        ],
        duration: 1.0,
        both: &[Change::Command("left_slide:effort=20"), Change::Command("right_slide:effort=20")],
        before: &[],
        after: &[Change::Set(MU, "0.25"), Change::Set(MU2, "0.25")],
        measure: Measure::Travel("box::link"),
        measured: "distance that the box falls in 1 s (threshold: mu = 0.245)",
        claim: Claim::FallsTo(0.1),
    }],
};

/// A box on a slope whose friction allows a slow slip.
const CREEPING_BOX: Demonstration = Demonstration {
    world: "symptoms/creep",
    engines: CONSTRAINT_ENGINES,
    duration: 1.0,
    both: &[],
    before: &[],
    after: &[Change::Set(SLIP1, "0"), Change::Set(SLIP2, "0")],
    measure: Measure::Travel("box::link"),
    measured: "distance that the box creeps in 1 s",
    claim: Claim::FallsTo(0.01),
};

pub(super) const CREEPS: Symptom = Symptom {
    name: "creeps",
    answer: "friction of this model allows a slow slip: set slip1 and slip2 to 0, or lower the stiction tolerance.",
    causes: &[
        "Engines of ODE, Bullet, DART and AGX hold exactly, unless a surface has slip1 or slip2: it then slips at slip times force.",
        "Drake's engines and Simbody regularize friction: what sticks creeps at up to contact.stiction_tolerance (Drake) or \
         max_transient_velocity (Simbody). A lower tolerance creeps less and costs more in continuous time.",
        "A soft contact sinks and settles first; that displacement ends.",
    ],
    phrases: &[
        "creep",
        "slow slide",
        "slow slip",
        "slow move",
        "slow drift",
        "drift",
        "not stay",
        "not rest",
        "wander",
        "crawl",
        "parked move",
        "stand move",
        "still move",
        "rest move",
        "not stand still",
        "never rest",
        "stiction",
    ],
    hints: &["slow", "rest", "still", "stay"],
    parameters: &[
        "surface/friction/ode slip1",
        "surface/friction/ode slip2",
        "contact.stiction_tolerance",
        "physics/simbody max_transient_velocity",
        "physics/ode/constraints cfm",
        "physics.sleeping",
    ],
    pages: &["docs/compliant_contact.md", "docs/tutorial.md"],
    demonstrations: &[
        CREEPING_BOX,
        Demonstration {
            world: "incline_block_spheres",
            engines: &["drake-discrete"],
            duration: 2.0,
            both: &[],
            before: &[],
            after: &[Change::Set("contact.stiction_tolerance", "1e-5")],
            measure: Measure::Travel("body::link"),
            measured: "distance that the block creeps in 2 s",
            claim: Claim::FallsTo(0.05),
        },
        Demonstration {
            engines: &["simbody"],
            after: &[Change::Set("physics.simbody.max_transient_velocity", "1e-5")],
            claim: Claim::FallsTo(0.05),
            ..CREEPING_BOX
        },
    ],
};

pub(super) const SPINS_ON: Symptom = Symptom {
    name: "spins on",
    answer: "a contact point has no moment about its normal: set patch_radius of torsional friction.",
    causes: &[
        "A round shape touches at one point, where friction has no lever arm about the normal. Torsional friction of a patch of radius a \
         brakes with up to 3 pi / 16 a mu F.",
        "A ball that rolls on level ground rolls on forever. rolling_friction brakes it under Bullet; velocity_decay damps \
         the motion of a link where the engine uses it.",
        "Drake's engines and Simbody have no torsional friction: several contact points brake the turn: \
         the corners of a flat shape, or several spheres.",
    ],
    phrases: &[
        "spin",
        "spin forever",
        "keep spin",
        "keep roll",
        "roll",
        "roll forever",
        "not stop spin",
        "not stop roll",
        "never stop",
        "keep turn",
        "torsional",
        "rolling resistance",
        "rolling friction",
        "pivot",
        "swivel",
    ],
    hints: &["ball", "forever", "stop", "turn"],
    parameters: &[
        "surface/friction/torsional patch_radius",
        "surface/friction/torsional surface_radius",
        "surface/friction/torsional use_patch_radius",
        "surface/friction/torsional coefficient",
        "surface/friction/bullet rolling_friction",
        "link/velocity_decay angular",
        "contact.manifold",
    ],
    pages: &["docs/tutorial.md"],
    demonstrations: &[Demonstration {
        world: "symptoms/spin",
        engines: CONSTRAINT_ENGINES,
        duration: 2.0,
        both: &[],
        before: &[],
        after: &[Change::Set(
            "model.ball.link.link.collision.collision.surface.friction.torsional.patch_radius",
            "0.02",
        )],
        measure: Measure::Spin("ball::link"),
        measured: "angular speed after 2 s",
        claim: Claim::FallsTo(0.01),
    }],
};
