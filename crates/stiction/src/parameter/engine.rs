//! Parameters that no file format has.

use super::{Access, Parameter, Scope, Values, number, on_off, switch, values};
use crate::broadphase::BroadPhaseKind;
use crate::dynamics::gyroscopic::Gyroscopic;
use crate::model::{
    BoundsRule, Correction, FreeMotionRule, HybridRule, JointSpook, SweptRule, TreeMotion, WorldParameters,
};

/// A parameter of the engine itself.
pub(super) const fn engine(
    path: &'static str,
    values: Values,
    meaning: &'static str,
    feeds: &'static str,
    access: Access,
) -> Parameter {
    Parameter {
        path,
        scope: Scope::Engine,
        unit: values.unit,
        default: values.default,
        library_default: values.library_default,
        range: values.range,
        combination: "",
        meaning,
        equation: "",
        source: "Stiction",
        feeds,
        access: Some(access),
    }
}

pub(super) const TABLE: &[Parameter] = &[
    engine(
        "contact.margin",
        values("m", "0.001", "0 or more"),
        "Gap at which a pair of shapes is already a contact, so that resting contacts do not come and go.",
        "WorldParameters::contact_margin",
        Access { get: |w| w.contact_margin.to_string(), set: |w, text| number(text).map(|x| w.contact_margin = x) },
    ),
    engine(
        "solver.substeps",
        values("1", "4", "1 to 1000"),
        "Parts of a step with `solver.kind=substeps`; light bodies carry heavy ones with more of them.",
        "WorldParameters::substeps",
        Access {
            get: |w| w.substeps.to_string(),
            set: |w, text| text.trim().parse().map(|x| w.substeps = x).map_err(|_| "a whole number"),
        },
    ),
    engine(
        "solver.passes",
        values("1", "1", "1 to 1000"),
        "Passes with bias, and passes without, of each sub-step.",
        "WorldParameters::passes",
        Access {
            get: |w| w.passes.to_string(),
            set: |w, text| text.trim().parse().map(|x| w.passes = x).map_err(|_| "a whole number"),
        },
    ),
    engine(
        "contact.frequency_ratio",
        values("1", "0.125", "more than 0, at most 0.5"),
        "Frequency at which hard contacts leave an overlap with `solver.kind=substeps`, in parts of the rate of sub-steps: ω = 2π ratio / h.",
        "WorldParameters::contact_frequency_ratio",
        Access {
            get: |w| w.contact_frequency_ratio.to_string(),
            set: |w, text| number(text).map(|x| w.contact_frequency_ratio = x),
        },
    ),
    engine(
        "contact.damping_ratio",
        values("1", "2", "0 to 1000"),
        "Damping ratio of hard contacts with `solver.kind=substeps`.",
        "WorldParameters::contact_damping_ratio",
        Access {
            get: |w| w.contact_damping_ratio.to_string(),
            set: |w, text| number(text).map(|x| w.contact_damping_ratio = x),
        },
    ),
    engine(
        "contact.classic",
        values("", "off", "on, off"),
        "Gazebo classic's contacts where they differ from its documents (`--compat gazebo-classic`): the second collision's `fdir1` is \
         dropped, a cone has `mu2` along its second direction, and the bound on the correcting velocity bounds a bounce too.",
        "WorldParameters::classic",
        flag!(classic),
    ),
    engine(
        "contact.speculative",
        values("", "off", "on, off"),
        "Contacts begin within the margin, before the shapes meet, and close the gap at most: what hits does not overlap first. What \
         bounces comes through the margin.",
        "WorldParameters::speculative",
        flag!(speculative),
    ),
    engine(
        "contact.split_depth",
        values("m", "0", "0 or more"),
        "Penetration from which `contact.correction=split_impulse` splits; less is corrected by the velocity.",
        "WorldParameters::split_impulse_depth",
        Access {
            get: |w| w.split_impulse_depth.to_string(),
            set: |w, text| {
                w.split_impulse_depth = if text.trim() == "inf" { f64::INFINITY } else { number(text)? };
                Ok(())
            },
        },
    ),
    engine(
        "contact.bounds",
        values("", "converged", "converged, once"),
        "Friction bounds of the direct solver: until they agree with the normals, or once from normals without friction.",
        "WorldParameters::bounds",
        Access {
            get: |w| if w.bounds == BoundsRule::Once { "once" } else { "converged" }.to_owned(),
            set: |w, text| {
                w.bounds = match text {
                    "converged" => BoundsRule::Converged,
                    "once" => BoundsRule::Once,
                    _ => return Err("`converged` or `once`"),
                };
                Ok(())
            },
        },
    ),
    engine(
        "contact.hybrid",
        values("", "on", "on, unsolved, off"),
        "Islands that sweeps leave unsolved, and stacks, are solved exactly in the same step (`unsolved`), and all of which that costs \
         no more than the sweeps (`on`); `off` is sweeps alone. `unsolved` where a file says `quick`.",
        "WorldParameters::hybrid",
        Access {
            get: |w| {
                match w.hybrid {
                    HybridRule::On => "on",
                    HybridRule::Unsolved => "unsolved",
                    HybridRule::Off => "off",
                }
                .to_owned()
            },
            set: |w, text| {
                w.hybrid = match text {
                    "on" => HybridRule::On,
                    "unsolved" => HybridRule::Unsolved,
                    "off" => HybridRule::Off,
                    _ => return Err("`on`, `unsolved` or `off`"),
                };
                Ok(())
            },
        },
    ),
    engine(
        "contact.direct_rows",
        values("", "0", "0 or more"),
        "Islands of at most so many constraint rows are solved directly, larger ones as the solver says.",
        "WorldParameters::direct_rows",
        Access {
            get: |w| w.direct_rows.to_string(),
            set: |w, text| text.trim().parse().map(|x| w.direct_rows = x).map_err(|_| "a whole number"),
        },
    ),
    engine(
        "physics.auto_enable_depth",
        values("", "4294967295", "0 or more"),
        "How many joints or contacts away from a body that moves sleeping ones are woken; in maximal coordinates.",
        "WorldParameters::auto_enable_depth",
        Access {
            get: |w| w.auto_enable_depth.to_string(),
            set: |w, text| text.trim().parse().map(|x| w.auto_enable_depth = x).map_err(|_| "a whole number"),
        },
    ),
    engine(
        "contact.correction",
        values("", "split", "split, velocity, split_impulse"),
        "Correction of contacts: bounded in what is left in the body (two solves), bounded in the right side (one, ODE), or \
         as displacements that leave no velocity (Bullet's split impulse).",
        "WorldParameters::correction",
        Access {
            get: |w| {
                match w.correction {
                    Correction::Split => "split",
                    Correction::Velocity => "velocity",
                    Correction::SplitImpulse => "split_impulse",
                }
                .to_owned()
            },
            set: |w, text| {
                w.correction = match text {
                    "split" => Correction::Split,
                    "velocity" => Correction::Velocity,
                    "split_impulse" => Correction::SplitImpulse,
                    _ => return Err("`split`, `velocity` or `split_impulse`"),
                };
                Ok(())
            },
        },
    ),
    engine(
        "joint.damping_time",
        values("s", "off", "0 or more, or off"),
        "SPOOK for joints without a softness of their own: time in which their errors are corrected; off is ERP and CFM.",
        "WorldParameters::joint_spook",
        Access {
            get: |w| w.joint_spook.map_or_else(|| "off".to_owned(), |law| law.damping_time.to_string()),
            set: |w, text| set_joint_spook(w, text, |law| &mut law.damping_time),
        },
    ),
    engine(
        "joint.compliance",
        values("m/N", "off", "0 or more, or off"),
        "SPOOK for joints without a softness of their own: the inverse of their stiffness; off is ERP and CFM.",
        "WorldParameters::joint_spook",
        Access {
            get: |w| w.joint_spook.map_or_else(|| "off".to_owned(), |law| law.compliance.to_string()),
            set: |w, text| set_joint_spook(w, text, |law| &mut law.compliance),
        },
    ),
    engine(
        "contact.reduction_bins",
        values("1", "3", "1 to 10"),
        "Bins of contact reduction in each of the six dimensions of normal and moment, for pairs of materials that do not say (AGX).",
        "WorldParameters::reduction_bins",
        Access {
            get: |w| w.reduction_bins.to_string(),
            set: |w, text| {
                let bins = text.trim().parse().ok().filter(|bins| (1..=10).contains(bins));
                bins.map(|bins| w.reduction_bins = bins).ok_or("a whole number from 1 to 10")
            },
        },
    ),
    engine(
        "contact.reduction_threshold",
        values("1", "12", "0 or more, or off"),
        "Points of a pair up to which contact reduction leaves none out (AGX); off is no reduction.",
        "WorldParameters::reduction_threshold",
        Access {
            get: |w| {
                if w.reduction_threshold == u32::MAX { "off".to_owned() } else { w.reduction_threshold.to_string() }
            },
            set: |w, text| {
                let threshold = if text.trim() == "off" { Some(u32::MAX) } else { text.trim().parse().ok() };
                threshold.map(|x| w.reduction_threshold = x).ok_or("a whole number, or off")
            },
        },
    ),
    engine(
        "solver.warm_start",
        values("", "on", "on, off"),
        "Sweeps start from the impulses of the last step.",
        "WorldParameters::warm_start",
        flag!(warm_start),
    ),
    engine(
        "solver.accelerated",
        values("", "off", "on, off"),
        "Anderson acceleration of the sweeps.",
        "WorldParameters::accelerated",
        flag!(accelerated),
    ),
    engine(
        "physics.gyroscopic",
        values("", "midpoint", "midpoint, explicit, ode, none"),
        "Formula of free rotation: implicit midpoint (conserves), explicit (gains energy; above a radian a step the midpoint), ODE 0.16's, none.",
        "WorldParameters::gyroscopic",
        Access {
            get: |w| {
                match w.gyroscopic {
                    Gyroscopic::Midpoint => "midpoint",
                    Gyroscopic::Explicit => "explicit",
                    Gyroscopic::Ode => "ode",
                    Gyroscopic::None => "none",
                }
                .to_owned()
            },
            set: |w, text| {
                w.gyroscopic = match text {
                    "midpoint" => Gyroscopic::Midpoint,
                    "explicit" => Gyroscopic::Explicit,
                    "ode" => Gyroscopic::Ode,
                    "none" => Gyroscopic::None,
                    _ => return Err("`midpoint`, `explicit`, `ode` or `none`"),
                };
                Ok(())
            },
        },
    ),
    engine(
        "physics.free_motion",
        values("", "semi_implicit", "semi_implicit, second_order, link_origin"),
        "Translation of bodies without constraint rows; link_origin: of all bodies, in the coordinates of their frames.",
        "WorldParameters::free_motion",
        Access {
            get: |w| {
                match w.free_motion {
                    FreeMotionRule::SemiImplicit => "semi_implicit",
                    FreeMotionRule::SecondOrder => "second_order",
                    FreeMotionRule::LinkOrigin => "link_origin",
                }
                .to_owned()
            },
            set: |w, text| {
                w.free_motion = match text {
                    "semi_implicit" => FreeMotionRule::SemiImplicit,
                    "second_order" => FreeMotionRule::SecondOrder,
                    "link_origin" => FreeMotionRule::LinkOrigin,
                    _ => return Err("`semi_implicit`, `second_order` or `link_origin`"),
                };
                Ok(())
            },
        },
    ),
    engine(
        "physics.swept",
        values("", "fast", "fast, asked, off"),
        "Which bodies a fixed step keeps from going through what they meet on their way: all that move by more than half their inner radius in a step (of those on joints, only those that ask for it), those of them that ask for it (`BodyDefinition::swept`; the default of the `drake-*` engines), or none. Near other shapes they get contacts across the gaps that would close in the step; from farther away they are stopped at their first impact.",
        "WorldParameters::swept",
        Access {
            get: |w| {
                match w.swept {
                    SweptRule::Fast => "fast",
                    SweptRule::Asked => "asked",
                    SweptRule::Off => "off",
                }
                .to_owned()
            },
            set: |w, text| {
                w.swept = match text {
                    "fast" => SweptRule::Fast,
                    "asked" => SweptRule::Asked,
                    "off" => SweptRule::Off,
                    _ => return Err("`fast`, `asked` or `off`"),
                };
                Ok(())
            },
        },
    ),
    engine(
        "physics.tree_motion",
        values("", "conserving", "conserving, explicit"),
        "Inertia of trees in fixed steps (reduced coordinates): by a flow that keeps energy at any speed, or as forces at the old velocity (Drake; the default of `drake-discrete`) for trees without loops while they move by less than 0.02 rad or m in a step: faster ones would make energy and take the flow.",
        "WorldParameters::tree_motion",
        Access {
            get: |w| if w.tree_motion == TreeMotion::Explicit { "explicit" } else { "conserving" }.to_owned(),
            set: |w, text| {
                w.tree_motion = match text {
                    "conserving" => TreeMotion::Conserving,
                    "explicit" => TreeMotion::Explicit,
                    _ => return Err("`conserving` or `explicit`"),
                };
                Ok(())
            },
        },
    ),
    engine(
        "physics.broadphase",
        values("", "bvh", "simple, hash, sweep, bvh"),
        "Method that finds pairs of shapes that may touch; results do not depend on it.",
        "WorldParameters::broadphase",
        Access {
            get: |w| {
                match w.broadphase {
                    BroadPhaseKind::Simple => "simple",
                    BroadPhaseKind::Hash => "hash",
                    BroadPhaseKind::Sweep => "sweep",
                    BroadPhaseKind::Bvh => "bvh",
                }
                .to_owned()
            },
            set: |w, text| {
                w.broadphase = match text {
                    "simple" => BroadPhaseKind::Simple,
                    "hash" => BroadPhaseKind::Hash,
                    "sweep" => BroadPhaseKind::Sweep,
                    "bvh" => BroadPhaseKind::Bvh,
                    _ => return Err("`simple`, `hash`, `sweep` or `bvh`"),
                };
                Ok(())
            },
        },
    ),
    engine(
        "physics.threads",
        values("", "1", "1 to 1024"),
        "Threads that share the work of a step, pairs of shapes and islands; results are the same bits for every number.",
        "WorldParameters::threads",
        Access {
            get: |w| w.threads.to_string(),
            set: |w, text| match text.trim().parse() {
                Ok(threads @ 1..=1024) => {
                    w.threads = threads;
                    Ok(())
                }
                _ => Err("a whole number from 1 to 1024"),
            },
        },
    ),
];

/// Sets one figure of SPOOK for joints, the other being AGX's if it was off, or turns it off.
fn set_joint_spook(
    w: &mut WorldParameters,
    text: &str,
    figure: fn(&mut JointSpook) -> &mut f64,
) -> Result<(), &'static str> {
    if text == "off" {
        w.joint_spook = None;
        return Ok(());
    }
    let value = not_negative(text)?;
    *figure(w.joint_spook.get_or_insert(JointSpook::AGX)) = value;
    Ok(())
}

fn not_negative(text: &str) -> Result<f64, &'static str> {
    text.trim().parse().ok().filter(|x: &f64| x.is_finite() && *x >= 0.0).ok_or("a number, 0 or more, or off")
}
