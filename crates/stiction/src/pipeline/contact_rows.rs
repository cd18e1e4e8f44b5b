//! The rows of a contact: normal, two tangents, rolling and spinning, and its law where it is compliant.

use glam::DVec3;

use super::detect::{ContactInput, hits_in_step};
use super::forest::Forest;
use super::islands::NONE;
use super::parts::Parts;
use super::plan::Needs;
use super::views::BodyView;
use super::wires::Segment;
use crate::collision::ROUNDING;
use crate::constraint::{Bound, ContactPoint, Problem, Route, RowKind, RowSource, SmoothLaw};
use crate::contact::compliance::{NormalForce, Softness, erp_cfm, slip, spook, spring_damper};
use crate::contact::friction::{Coupling, FrictionBound};
use crate::contact::restitution::bounce_velocity;
use crate::contact::rows::{NormalTarget, contact_row, normal_target};
use crate::material::{Combination, ContactSurface, NormalLaw, SolveType};
use crate::math::{V3, plane_space};
use crate::model::{Correction, FreeMotionRule, WorldParameters};

/// What the rows of contacts are made with.
pub(super) struct RowBuilder<'a> {
    pub(super) views: &'a [BodyView],
    pub(super) forest: &'a Forest,
    pub(super) parts: &'a mut Parts,
    /// Number of the problem's first clique in the step.
    pub(super) first_clique: u32,
}

/// Segments of wires among the sides of a contact, and its point.
type Along<'s> = (&'s [Option<Segment>; 2], DVec3);

/// A row of a contact: linear part of the first body, angular parts of both.
#[derive(Clone, Copy)]
struct Direction {
    linear: DVec3,
    angular: [DVec3; 2],
}

impl RowBuilder<'_> {
    /// Puts a row with the target zero into the problem; returns its index and the velocity of what rows do not move.
    ///
    /// Inlined with its sides one after the other: vectors that go through memory are stored in other parts than they
    /// are loaded in, which costs more than all of the arithmetic.
    #[inline(always)]
    fn push(
        &mut self,
        problem: &mut Problem,
        bodies: [Option<u32>; 2],
        row: &Direction,
        kind: RowKind,
        source: RowSource,
        along: Option<Along>,
    ) -> (u32, f64) {
        let forest = self.forest;
        let is_of_tree = |slot: &u32| forest.of_body[*slot as usize].is_some();
        if along.is_some() || !forest.trees.is_empty() && bodies.iter().flatten().any(is_of_tree) {
            return self.push_parts(problem, bodies, row, kind, source, along);
        }
        let first_block = problem.blocks.len() as u32;
        let (d0, p0) = push_side(self.views, problem, self.first_clique, bodies[0], row.linear, row.angular[0]);
        let (d1, p1) = push_side(self.views, problem, self.first_clique, bodies[1], -row.linear, row.angular[1]);
        let prescribed = p0 + p1;
        (problem.push_bilateral(first_block, -prescribed, 0.0, d0 + d1, kind, source), prescribed)
    }

    /// The same where a side is a link of a tree, or a segment of a wire: its ends, which do not turn if they are lumps, share
    /// what acts.
    fn push_parts(
        &mut self,
        problem: &mut Problem,
        bodies: [Option<u32>; 2],
        row: &Direction,
        kind: RowKind,
        source: RowSource,
        along: Option<Along>,
    ) -> (u32, f64) {
        let Self { views, forest, parts, first_clique } = self;
        parts.clear();
        for (side, linear) in [row.linear, -row.linear].into_iter().enumerate() {
            let segment = along.and_then(|(segments, point)| Some((segments[side].as_ref()?, point)));
            let Some((segment, point)) = segment else {
                parts.add(views, forest, bodies[side], linear, row.angular[side]);
                continue;
            };
            let share = segment.share(point);
            parts.add(views, forest, bodies[side], (1.0 - share) * linear, DVec3::ZERO);
            parts.add(views, forest, segment.second, share * linear, segment.arm.cross(share * linear));
        }
        (parts.push(problem, *first_clique, 0.0, 0.0, kind, source), parts.prescribed())
    }
}

/// Puts one side of a row into the problem; returns its square, and its velocity where rows do not move it.
#[inline(always)]
fn push_side(
    views: &[BodyView],
    problem: &mut Problem,
    first_clique: u32,
    slot: Option<u32>,
    linear: DVec3,
    angular: DVec3,
) -> (f64, f64) {
    let Some(slot) = slot else { return (0.0, 0.0) };
    let view = &views[slot as usize];
    match &view.whitening {
        Some(whitening) if view.clique != NONE => {
            (problem.push_free_block(view.clique - first_clique, whitening.whiten(linear, angular)), 0.0)
        }
        _ => (0.0, linear.dot(view.velocity) + angular.dot(view.omega)),
    }
}

/// Where the rows of the contacts of a problem go.
pub(super) struct ContactRows<'a> {
    pub(super) parameters: &'a WorldParameters,
    pub(super) problem: &'a mut Problem,
    pub(super) builder: RowBuilder<'a>,
    /// What some of the rows need.
    pub(super) needs: &'a mut Needs,
    /// Guess of the impulses.
    pub(super) guess: &'a mut Vec<f64>,
    /// Of the last step's impulses for this one.
    pub(super) scale: f64,
}

/// A contact of which rows are made.
struct Source<'a> {
    contact: &'a ContactInput,
    surface: &'a ContactSurface,
    routes: [Route; 2],
    source: RowSource,
    arms: [V3; 2],
    /// Sides that are segments of wires.
    along: Option<Along<'a>>,
    /// The two friction rows are the axes of an ellipse.
    is_ellipse: bool,
}

impl Source<'_> {
    #[inline(always)]
    fn row(&self, direction: V3) -> Direction {
        let j = contact_row(direction, self.arms[0], self.arms[1]);
        Direction { linear: j.linear.into(), angular: [j.angular_first.into(), j.angular_second.into()] }
    }
}

/// The normal row of a contact.
struct Normal {
    row: u32,
    /// Velocity of what rows do not move \[m/s\].
    prescribed: f64,
    /// What restitution adds to the target \[m/s\].
    rebound: f64,
    /// The law, where the force is one of depth and speed.
    law: Option<NormalForce>,
    /// Restitution of an impact stage.
    impact: Option<f64>,
}

impl ContactRows<'_> {
    /// Rows of one contact: normal, two tangents, rolling and spinning. Returns the normal row.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        contact: &ContactInput,
        surface: &ContactSurface,
        segments: &[Option<Segment>; 2],
        index: u32,
    ) -> u32 {
        let along = segments.iter().any(Option::is_some).then_some((segments, contact.position));
        // Rows on three bodies have no ellipse: friction along a wire, and across it.
        let is_ellipse = surface.coupling == Coupling::Ellipse
            && along.is_none()
            && surface.friction.iter().all(|f| f.value() > 0.0);
        let (friction, stretch) = if is_ellipse { circle(surface.friction) } else { (surface.friction, [1.0; 2]) };
        let [t1, t2] = match segments.iter().flatten().next() {
            Some(segment) => projected(segment.direction(), contact.normal),
            None => tangents(surface, contact.normal),
        };
        let tangents = [t1.scale(stretch[0]), t2.scale(stretch[1])];
        let views = self.builder.views;
        let arm = |slot: Option<u32>| slot.map_or(DVec3::ZERO, |s| contact.position - views[s as usize].center);
        let arms = [V3::from(arm(contact.bodies[0])), V3::from(arm(contact.bodies[1]))];
        let (routes, source) = (surface.solve_type.routes(), RowSource::Contact(index));
        let source = Source { contact, surface, routes, source, arms, along, is_ellipse };

        let normal = self.push_normal(&source);
        let friction = if friction.iter().any(|bound| matches!(bound, FrictionBound::LastNormal(_))) {
            friction.map(|bound| self.of_last_step(bound, contact, normal.row))
        } else {
            friction
        };
        let mut has_friction = [false; 2];
        // Friction without a bound would hold what does not touch yet.
        let friction = if is_gap(contact.depth) { friction.map(bounded) } else { friction };
        for k in 0..2 {
            if friction[k].value() > 0.0 {
                self.push_friction(&source, k, tangents[k], stretch[k], friction[k], normal.row);
                has_friction[k] = true;
            }
        }
        let [about_first, about_second, about_normal] = surface.rolling;
        let rolling = [about_first, about_second, about_normal + surface.torsional.moment_arm(contact.depth)];
        let has_rolling = rolling.map(|r| r > 0.0 && along.is_none());
        if has_rolling != [false; 3] {
            self.push_rolling(&source, rolling, tangents, stretch, normal.row);
        }
        self.problem.contacts.push(ContactPoint {
            position: contact.position,
            normal: contact.normal,
            tangents: tangents.map(DVec3::from),
            depth: contact.depth,
            row: normal.row,
            has_friction,
            has_rolling,
            rebound: normal.rebound,
            prescribed: normal.prescribed,
            smooth: normal.law.map(|law| SmoothLaw {
                normal: law,
                friction: surface.friction[0].value(),
                surface_velocity: surface.normal_motion - normal.prescribed,
            }),
            impact: normal.impact,
        });
        normal.row
    }

    #[inline(always)]
    fn push_normal(&mut self, source: &Source) -> Normal {
        let Source { contact, surface, .. } = *source;
        let (parameters, step) = (self.parameters, self.problem.step);
        let row = source.row(V3::from(contact.normal));
        let (first, prescribed) =
            self.builder.push(self.problem, contact.bodies, &row, RowKind::Normal, source.source, source.along);
        let diagonal = self.problem.rows[first as usize].diagonal;
        let (mut force, mut impact) = (None, None);
        let soft = match surface.normal {
            NormalLaw::ErpCfm { erp, cfm } => {
                erp_cfm(erp.unwrap_or(parameters.erp), cfm.unwrap_or(parameters.cfm), step)
            }
            NormalLaw::Spring { stiffness, damping } => spring_damper(stiffness, damping, step),
            NormalLaw::Spook { compliance, damping_time, .. } => {
                // What is apart neither hits nor keeps its approach.
                impact = (contact.depth >= 0.0).then(|| surface.bounce.map_or(0.0, |bounce| bounce.coefficient));
                // Nor does a gap take up energy.
                let compliance = if is_gap(contact.depth) { 0.0 } else { compliance };
                spook(compliance, damping_time, step)
            }
            NormalLaw::Compliant { force: law, is_per_mass } => {
                // The diagonal of the row is the inverse of its effective mass.
                let law = if is_per_mass { law.times(1.0 / diagonal) } else { law };
                force = Some(law);
                law.linearized(contact.depth, step)
            }
        };
        let layer = parameters.layer_of(surface);
        let max_velocity = parameters.correcting_velocity_of(surface);
        // The force of a spring is no error.
        // Bullet counts the distance itself from its layer (`m_linearSlop`): what approaches may sink in as far.
        let is_bullet = parameters.combination == Combination::Bullet;
        let (depth, layer) = if is_bullet { (contact.depth - layer, 0.0) } else { (contact.depth, layer) };
        let is_split = parameters.correction == Correction::SplitImpulse
            && matches!(surface.normal, NormalLaw::ErpCfm { .. })
            && depth > surface.split_depth.unwrap_or(parameters.split_impulse_depth);
        let max_velocity = if is_split { 0.0 } else { max_velocity };
        let motion = surface.normal_motion;
        let mut normal = normal_target(depth, layer, soft.correction, motion, max_velocity, step);
        let mut soft = soft;
        if let Some(law) = force.filter(|_| surface.normal.is_curved()) {
            let (target, compliance) = law.tangent(contact.depth - layer, contact.approach, step);
            normal.target = target + motion;
            soft = Softness { compliance, ..soft };
        }
        let is_spook = impact.is_some();
        let pull = if is_spook { self.spook_target(source, &soft, &mut normal) } else { 0.0 };
        if force.is_some() {
            // A force law has no correction to be bounded.
            normal.cap = f64::INFINITY;
        } else if parameters.correction == Correction::Velocity {
            // DART bounds the velocity that corrects an overlap; the force of a spring is none.
            let is_force =
                parameters.combination == Combination::Dart && !matches!(surface.normal, NormalLaw::ErpCfm { .. });
            normal.target = if is_force { normal.target } else { normal.target.min(max_velocity) };
            normal.cap = f64::INFINITY;
        }
        if soft.kept != 0.0 && contact.depth >= 0.0 {
            let kept = soft.kept * contact.approach;
            normal.target += kept;
            self.problem.kept.push((first, soft.kept));
        }
        let without_bounce = normal.target;
        let bounce = surface.bounce.filter(|_| impact.is_none());
        let bounce = bounce.and_then(|r| bounce_velocity(&r, contact.approach, motion));
        if let Some(bounce) = bounce.filter(|_| depth >= 0.0 || hits_in_step(depth, contact.approach, step)) {
            let bounce = bounce + falls(parameters, self.builder.views, contact.bodies, contact.normal);
            normal.target = normal.target.max(bounce);
            if !parameters.has_classic_meaning() {
                normal.cap = normal.cap.max(bounce);
            }
        }
        let pushed = &mut self.problem.rows[first as usize];
        pushed.target = normal.target - prescribed;
        pushed.velocity_target = pushed.target;
        pushed.compliance = soft.compliance;
        pushed.diagonal += soft.compliance;
        pushed.lower = -step * pull;
        pushed.cap = normal.cap - prescribed;
        pushed.route = source.routes[0];
        self.needs.bounds_correction |= pushed.target > pushed.cap;
        self.needs.has_routes |= surface.solve_type != SolveType::World;
        self.needs.has_smooth_laws |= force.is_some();
        self.needs.has_impacts |= impact.is_some() && contact.approach < 0.0;
        self.guess.push(self.scale * contact.warm_normal);
        Normal { row: first, prescribed, rebound: normal.target - without_bounce, law: force, impact }
    }

    /// Friction bounded by the normal force of the last step, as a force.
    #[cold]
    fn of_last_step(&self, bound: FrictionBound, contact: &ContactInput, normal: u32) -> FrictionBound {
        let FrictionBound::LastNormal(coefficient) = bound else { return bound };
        let step = self.problem.step;
        let force = if contact.is_new {
            // The force that takes up the weight on the point, and its approach.
            let normal = &self.problem.rows[normal as usize];
            let mass = 1.0 / (normal.diagonal - normal.compliance);
            mass * (self.parameters.gravity.length() + contact.approach.min(0.0).abs() / step)
        } else {
            self.scale * contact.warm_normal.max(0.0) / step
        };
        FrictionBound::Force(coefficient * force)
    }

    /// The normal row's target of a SPOOK contact that touches: counted from its rest depth, with the bound on its parting.
    /// Returns the pull \[N\].
    #[cold]
    fn spook_target(&mut self, source: &Source, soft: &Softness, normal: &mut NormalTarget) -> f64 {
        let Source { contact, surface, .. } = *source;
        let NormalLaw::Spook { adhesion, rest_depth, .. } = surface.normal else { return 0.0 };
        let step = self.problem.step;
        normal.target = soft.correction * (contact.depth - rest_depth) / step + surface.normal_motion;
        // What rests is not at the bound: its springs share the load. What was carried inside by its motion rises to the
        // surface and no farther, `v² = 2 g d`.
        let gravity = self.parameters.gravity;
        let least = 0.5 * step * gravity.length();
        let rising = (2.0 * libm::fabs(gravity.dot(contact.normal)) * contact.depth.max(0.0)).sqrt();
        normal.cap = contact.exit_speed.max(least).max(rising) + surface.normal_motion;
        self.needs.bounds_exit = true;
        adhesion
    }

    /// The row of a tangent `t`, which an ellipse stretches.
    #[inline(always)]
    fn push_friction(&mut self, source: &Source, k: usize, t: V3, stretch: f64, bound: FrictionBound, normal: u32) {
        let Source { contact, surface, .. } = *source;
        let step = self.problem.step;
        let compliance = slip(surface.slip[k], step) * (stretch * stretch);
        let row = source.row(t);
        let (i, _) =
            self.builder.push(self.problem, contact.bodies, &row, RowKind::Friction, source.source, source.along);
        let pushed = &mut self.problem.rows[i as usize];
        pushed.target += surface.motion[k] * stretch;
        pushed.velocity_target = pushed.target;
        pushed.compliance = compliance;
        pushed.diagonal += compliance;
        set_bound(pushed, bound, normal, step);
        pushed.ellipse = source.is_ellipse && k == 0;
        pushed.route = source.routes[1];
        self.guess.push(self.scale * contact.warm_friction.dot(t.into()) / (stretch * stretch));
    }

    /// Rolling friction about the tangents, spinning and torsional friction about the normal: coefficients times lengths \[m\].
    #[cold]
    fn push_rolling(&mut self, source: &Source, rolling: [f64; 3], tangents: [V3; 2], stretch: [f64; 2], normal: u32) {
        let Source { contact, surface, .. } = *source;
        let axes = [DVec3::from(tangents[0]), DVec3::from(tangents[1]), contact.normal];
        for (k, axis) in axes.into_iter().enumerate().filter(|(k, _)| rolling[*k] > 0.0) {
            let turn = Direction { linear: DVec3::ZERO, angular: [axis, -axis] };
            let (i, _) =
                self.builder.push(self.problem, contact.bodies, &turn, RowKind::Friction, source.source, source.along);
            let step = self.problem.step;
            let (coefficient, compliance) =
                if k < 2 { (rolling[k] / stretch[k], 0.0) } else { (rolling[k], slip(surface.torsional.slip, step)) };
            let pushed = &mut self.problem.rows[i as usize];
            set_bound(pushed, FrictionBound::Coefficient(coefficient), normal, step);
            pushed.compliance = compliance;
            pushed.diagonal += compliance;
            pushed.route = source.routes[1];
            self.guess.push(0.0);
        }
    }
}

/// What forces add to the normal velocity after a bounce, in the step of the bounce.
///
/// `free_motion=second_order` moves free bodies by `h (v + v⁺) / 2`, so that height and speed belong together at the ends
/// of steps. A bounce at the start of the step then leaves with `e v` and is slower by `h g` at its end; without that it
/// would rise by `h v⁺` and keep all its speed: `m g h v⁺` of energy from nothing. The semi-implicit rule counts speeds half
/// a step behind, where gains and losses of a bounce balance.
pub(super) fn falls(parameters: &WorldParameters, views: &[BodyView], bodies: [Option<u32>; 2], normal: DVec3) -> f64 {
    if parameters.free_motion != FreeMotionRule::SecondOrder {
        return 0.0;
    }
    let gain = |slot: Option<u32>| {
        let view = slot.map(|s| &views[s as usize]).filter(|v| v.whitening.is_some());
        view.map_or(0.0, |v| normal.dot(v.free_velocity - v.velocity))
    };
    gain(bodies[0]) - gain(bodies[1])
}

/// The shapes of a contact do not touch.
pub(super) fn is_gap(depth: f64) -> bool {
    depth < -ROUNDING
}

/// Friction as a coefficient, be it without a bound.
pub(super) fn bounded(bound: FrictionBound) -> FrictionBound {
    /// Practically without a bound.
    const LARGEST: f64 = 1e3;
    if bound.value().is_infinite() { FrictionBound::Coefficient(LARGEST) } else { bound }
}

/// An ellipse as a circle: with `tᵢ′ = (μᵢ / μ) tᵢ`, μ the larger, the impulses `λᵢ′ = λᵢ μ / μᵢ` stay within μ λₙ, and friction
/// opposite to the stretched sliding is the one that dissipates most, `λᵢ ~ −μᵢ² uᵢ`. Returns bounds and stretches.
pub(super) fn circle(bounds: [FrictionBound; 2]) -> ([FrictionBound; 2], [f64; 2]) {
    use FrictionBound::{Coefficient, Force};
    if bounds[0] == bounds[1] {
        return (bounds, [1.0; 2]);
    }
    let larger = match bounds {
        [Coefficient(a), Coefficient(b)] => Coefficient(a.max(b)),
        [Force(a), Force(b)] => Force(a.max(b)),
        _ => return (bounds, [1.0; 2]),
    };
    if larger.value().is_infinite() {
        return (bounds, [1.0; 2]);
    }
    ([larger; 2], bounds.map(|b| b.value() / larger.value()))
}

fn set_bound(row: &mut crate::constraint::Row, bound: FrictionBound, normal: u32, step: f64) {
    match bound {
        FrictionBound::Force(force) => [row.lower, row.upper] = [-step * force, step * force],
        // Set where the normal force of the last step is known.
        FrictionBound::LastNormal(_) => {}
        FrictionBound::Coefficient(coefficient) => row.bound = Bound::Coefficient { normal, coefficient },
    }
}

/// Friction directions. The first is used as given (ODE), also where it leans out of the tangent plane; the engine's own
/// where there is none or it runs along the normal. The second is `t₂ = n × t₁`.
pub(super) fn tangents(surface: &ContactSurface, normal: DVec3) -> [V3; 2] {
    if surface.projects_direction {
        return projected(surface.direction.unwrap_or(DVec3::X), normal);
    }
    if let Some(t1) = surface.direction {
        let t2 = normal.cross(t1);
        if t2.length() > 1e-6 * t1.length() {
            return [t1.into(), t2.into()];
        }
    }
    let (p, q) = plane_space(V3::from(normal));
    [p, q]
}

/// A direction laid into the tangent plane, of unit length, and the one across it; where it runs along the normal, the
/// world's x axis is laid, or y where that is nearer to the plane.
#[cold]
fn projected(direction: DVec3, normal: DVec3) -> [V3; 2] {
    let axis = if normal.x.abs() > 0.9 { DVec3::Y } else { DVec3::X };
    let laid = |v: DVec3| (v - normal * v.dot(normal)).try_normalize();
    let is_steep = (direction - normal * direction.dot(normal)).length() < 1e-6 * direction.length();
    let chosen = if is_steep { None } else { laid(direction) };
    let t1 = chosen.or_else(|| laid(axis)).unwrap_or(axis);
    [t1.into(), normal.cross(t1).into()]
}
