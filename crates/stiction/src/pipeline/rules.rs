//! The contact rule of a pair of shapes, for fixed steps and for continuous time.

use super::context::Model;
use super::form;
use crate::collision::{ContactQuery, ManifoldPoint, collide, single};
use crate::contact::compliance::from_allowance;
use crate::material::{Combination, CompliantRule, ContactRule, ContactRules, ManifoldRule, Roundness};
use crate::math::Pose;
use crate::model::{
    AllowanceMass, Bodies, BodyKind, DiscreteFriction, Geom, PointRule, SolverKind, TimeAdvancement, WorldParameters,
};
use crate::shape::Shape;

/// Contact rules of the world.
pub(crate) fn of_world<'a>(model: &Model<'a>) -> ContactRules<'a> {
    let parameters = model.parameters;
    ContactRules {
        // Forces alone have a place in continuous time.
        combination: match parameters.time {
            TimeAdvancement::Discrete => parameters.combination,
            TimeAdvancement::Continuous if parameters.combination == Combination::Simbody => Combination::Simbody,
            TimeAdvancement::Continuous => Combination::Compliant,
        },
        table: model.contact_table,
        friction_model: parameters.friction_model,
        classic: parameters.classic,
        elliptic: parameters.solver == SolverKind::Substeps,
        compliance: parameters.surface_compliance,
        compliant: compliant_rule(parameters, model.bodies),
        simbody: &parameters.simbody,
        manifold: parameters.manifold,
        max_points: parameters.max_contacts,
        margin: parameters.contact_margin,
        bins: parameters.reduction_bins,
    }
}

/// The rule of two shapes; `None` where they never have a contact.
#[inline]
pub(crate) fn of_pair<'a>(
    rules: &'a ContactRules<'a>,
    model: &Model,
    a: &'a Geom,
    b: &'a Geom,
) -> Option<ContactRule<'a>> {
    if !may_touch(model, a, b) {
        return None;
    }
    let is_elastic =
        rules.combination == Combination::Simbody || a.surface.elasticity.is_some() && b.surface.elasticity.is_some();
    let round = |geom: &Geom| if is_elastic { form::roundness(&geom.shape) } else { Roundness::FLAT };
    let mut rule = rules.resolve(&a.surface, &b.surface, [round(a), round(b)])?;
    if rules.classic {
        rule.only_direction_of = Some(first_collision(a, b));
    }
    Some(rule)
}

/// Gazebo classic's first collision is a finite one before a plane: ODE's hash space tests them against its endless geoms.
#[cold]
fn first_collision(a: &Geom, b: &Geom) -> usize {
    let is_plane = |geom: &Geom| matches!(geom.shape, Shape::Plane(_));
    usize::from(is_plane(a) && !is_plane(b))
}

/// Contact points of two shapes.
#[inline]
pub(super) fn points(
    manifold: ManifoldRule,
    query: &ContactQuery,
    a: &Geom,
    b: &Geom,
    poses: [&Pose; 2],
    out: &mut Vec<ManifoldPoint>,
) {
    match manifold {
        ManifoldRule::Face => collide(&a.shape, poses[0], &b.shape, poses[1], query, out),
        ManifoldRule::Single => single::collide(&a.shape, poses[0], &b.shape, poses[1], query, out),
    }
}

/// The two ends of a line share the stiffness of their pair: where contacts are Drake's forces, and not on one point.
#[inline]
pub(super) fn ends_share(combination: Combination, manifold: ManifoldRule) -> bool {
    combination == Combination::Compliant && manifold == ManifoldRule::Face
}

/// Groups and joints: links of a model that does not collide with itself, bodies held together by a joint.
pub(super) fn may_touch(model: &Model, a: &Geom, b: &Geom) -> bool {
    let Model { bodies, joints, .. } = *model;
    if a.group != 0 && a.group == b.group {
        return false;
    }
    let (Some(first), Some(second)) = (a.body, b.body) else { return true };
    !bodies.get(first).is_some_and(|body| {
        body.joints.iter().any(|id| {
            joints.get(*id).is_some_and(|j| !j.definition.collide && j.definition.bodies.contains(&Some(second)))
        })
    })
}

/// Compliance of the world: stiffness and dissipation from the penetration allowance.
pub(super) fn compliant_rule(parameters: &WorldParameters, bodies: &Bodies) -> CompliantRule {
    let c = &parameters.compliant;
    let movable = || {
        let masses = bodies.iter().filter(|(_, b)| b.kind == BodyKind::Dynamic).map(|(_, b)| b.mass.mass);
        c.heaviest_link.unwrap_or_else(|| masses.fold(0.0, f64::max))
    };
    let mass = match c.allowance_mass {
        AllowanceMass::Movable => movable(),
        AllowanceMass::All => movable().max(c.heaviest_static_link),
        AllowanceMass::Effective => 1.0,
    };
    // Without gravity an allowance is meant for the Earth's.
    let gravity = parameters.gravity.length();
    let gravity = if gravity > 0.0 { gravity } else { 9.81 };
    let (stiffness, dissipation) = from_allowance(mass, gravity, c.penetration_allowance);
    CompliantRule {
        stiffness,
        dissipation,
        is_per_mass: c.allowance_mass == AllowanceMass::Effective,
        every_stiffness: c.stiffness,
        every_dissipation: c.dissipation,
        most_stiffness: MOST_STIFFNESS * from_allowance(movable(), gravity, c.penetration_allowance).0,
        tolerance: c.stiction_tolerance,
        is_dynamic: c.discrete_friction == DiscreteFriction::Dynamic,
        relaxes: parameters.solver == SolverKind::Convex,
        is_weighted: c.point == PointRule::StiffnessWeighted,
    }
}

/// SDFormat's `kp` counts up to so many times the stiffness of the allowance: beyond it stands for *hard*.
const MOST_STIFFNESS: f64 = 100.0;
