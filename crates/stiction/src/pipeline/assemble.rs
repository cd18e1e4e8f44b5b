//! All rows of a step, island by island: joints in the order of slots, then contacts in the order of pairs.

use glam::DVec3;

use super::Workspace;
use super::closure::STILL;
use super::detect::ContactInput;
use super::forest::Forest;
use super::islands::{Islands, NONE};
use super::joint_basis::orthogonalize;
use super::parts::Parts;
use super::trees;
use super::views::BodyView;
use crate::base::Arena;
use crate::constraint::{Bound, ContactPoint, Problem, Row, RowKind, RowSource, SmoothLaw};
use crate::contact::compliance::{erp_cfm, slip, spring_damper};
use crate::contact::friction::{Coupling, FrictionBound};
use crate::contact::restitution::bounce_velocity;
use crate::contact::rows::{contact_row, normal_target};
use crate::joints::{Joint, JointRow, MAX_ROWS};
use crate::material::{ContactSurface, NormalLaw};
use crate::math::{V3, plane_space};
use crate::world::{Bodies, Correction, Mimic, State, WorldParameters};

/// Fills the problem and the guesses of its impulses.
pub(super) fn problem(
    parameters: &WorldParameters,
    step: f64,
    bodies: &Bodies,
    joints: &Arena<Joint>,
    mimics: &[Mimic],
    state: &State,
    work: &mut Workspace,
) {
    let Workspace {
        views,
        islands,
        forest,
        parts,
        problem,
        joint_rows,
        emitted_joints,
        contacts,
        manifolds,
        solution,
        ..
    } = work;
    problem.clear(step);
    solution.guess.clear();
    solution.is_settled.clear();
    // Impulses scale with the step.
    let scale = if parameters.warm_start && state.last_step > 0.0 { step / state.last_step } else { 0.0 };
    let mut start = [0u32; 3];
    let mut next_joint = 0;
    for end in &islands.ends {
        if end[1] > start[1] || end[2] > start[2] {
            for slot in &islands.bodies[start[0] as usize..end[0] as usize] {
                match forest.of_body[*slot as usize] {
                    Some(member) => {
                        trees::push_cliques(parameters, problem, &mut forest.trees[member.tree as usize]);
                    }
                    None => push_clique(parameters, problem, bodies, views, *slot as usize),
                }
            }
            for slot in &islands.joints[start[1] as usize..end[1] as usize] {
                let emitted = &mut emitted_joints[next_joint];
                debug_assert_eq!(emitted.slot, *slot);
                next_joint += 1;
                emitted.first_row = problem.rows.len() as u32;
                let Some(joint) = joints.at(*slot as usize) else { continue };
                let old = &state.joints[*slot as usize];
                let rows = &mut joint_rows[emitted.rows[0] as usize..emitted.rows[1] as usize];
                let slots = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
                let on_trees = slots.iter().flatten().any(|b| forest.of_body[b.slot()].is_some());
                // A gearbox has a third body.
                if on_trees {
                    push_joint_on_trees(parameters, problem, views, forest, parts, joint, *slot, rows);
                } else if joint.definition.reference.is_some() {
                    push_joint::<18>(parameters, problem, views, joint, *slot, rows);
                } else {
                    push_joint::<12>(parameters, problem, views, joint, *slot, rows);
                }
                let is_same_shape = old.row_count == rows.len();
                solution
                    .guess
                    .extend((0..rows.len()).map(|i| if is_same_shape { scale * old.impulses[i] } else { 0.0 }));
            }
            for mimic in mimics {
                if is_of_island(mimic, joints, islands, islands.bodies[start[0] as usize]) {
                    push_mimic(parameters, problem, views, forest, parts, joints, state, mimic);
                    solution.guess.push(0.0);
                }
            }
            let side = &mut Sides { views, forest, parts };
            for index in &islands.contacts[start[2] as usize..end[2] as usize] {
                let contact = &contacts[*index as usize];
                let surface = &manifolds[contact.manifold as usize].surface;
                push_contact(parameters, problem, side, contact, surface, *index, scale, &mut solution.guess);
            }
            let is_old = |index: &u32| !contacts[*index as usize].is_new;
            solution.is_settled.push(islands.contacts[start[2] as usize..end[2] as usize].iter().all(is_old));
            problem.close_island();
        }
        start = *end;
    }
}

fn push_clique(
    parameters: &WorldParameters,
    problem: &mut Problem,
    bodies: &Bodies,
    views: &mut [BodyView],
    slot: usize,
) {
    let view = &mut views[slot];
    let (Some(whitening), Some(body)) = (&view.whitening, bodies.at(slot)) else { return };
    // z = L v: linear part √m v, angular part √I ω on the principal axes.
    let root_mass = body.mass.mass.sqrt();
    let l = view.free_velocity * root_mass;
    let a = whitening.root_moments * view.spin.after;
    view.clique = problem.push_clique(&[l.x, l.y, l.z, a.x, a.y, a.z]);
    if parameters.solver.starts_from_velocity() {
        problem.z_before.extend(whitening.z(view.velocity, view.omega));
    }
}

/// Rows of one joint; those that hold it in an orthogonal basis.
fn push_joint<const WIDTH: usize>(
    parameters: &WorldParameters,
    problem: &mut Problem,
    views: &[BodyView],
    joint: &Joint,
    slot: u32,
    rows: &mut [JointRow],
) {
    let slots = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
    let slots = slots.map(|b| b.map(|b| b.slot() as u32));
    let cap = parameters.contact_max_correcting_velocity;
    let mut y = [[0.0; WIDTH]; MAX_ROWS];
    let views: [Option<&BodyView>; 3] = slots.map(|slot| slot.map(|slot| &views[slot as usize]));
    let cliques = views.map(|view| view.map_or(NONE, |view| view.clique));
    let holding = rows.iter().take_while(|row| row.kind == RowKind::Joint).count();
    for (row, y) in rows.iter_mut().zip(&mut y) {
        if row.kind == RowKind::Joint {
            // Drift of joints is bounded like that of contacts; motors, stops and springs ask for what they want.
            row.velocity_target = row.target.clamp(-cap, cap);
        }
        for body in 0..WIDTH / 6 {
            let Some(view) = views[body] else { continue };
            let (linear, angular) = (row.linear_of(body), row.angular[body]);
            match &view.whitening {
                Some(whitening) if view.clique != NONE => {
                    y[6 * body..6 * body + 6].copy_from_slice(&whitening.whiten(linear, angular));
                }
                // A body that rows do not move: its velocity goes to the right side.
                _ => {
                    let prescribed = linear.dot(view.velocity) + angular.dot(view.omega);
                    row.target -= prescribed;
                    row.velocity_target -= prescribed;
                }
            }
        }
    }
    let is_orthogonal = orthogonalize(rows, &mut y, holding, joint.definition.feedback);
    for (number, (row, y)) in rows.iter().zip(&y).enumerate() {
        let mut blocks: [(u32, &[f64]); 3] = [(NONE, &[]); 3];
        let mut count = 0;
        for body in (0..WIDTH / 6).filter(|body| cliques[*body] != NONE) {
            blocks[count] = (cliques[body], &y[6 * body..6 * body + 6]);
            count += 1;
        }
        let source = RowSource::Joint { slot, row: number as u32 };
        let index = problem.push_row(&blocks[..count], row.target, row.compliance, row.kind, source);
        let pushed = &mut problem.rows[index as usize];
        [pushed.lower, pushed.upper] = row.bounds;
        pushed.velocity_target = row.velocity_target;
        pushed.is_orthogonal = is_orthogonal && number < holding;
    }
}

/// Rows of one joint that holds or drives links of trees, as they are.
fn push_joint_on_trees(
    parameters: &WorldParameters,
    problem: &mut Problem,
    views: &[BodyView],
    forest: &Forest,
    parts: &mut Parts,
    joint: &Joint,
    slot: u32,
    rows: &[JointRow],
) {
    let slots = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
    let slots = slots.map(|b| b.map(|b| b.slot() as u32));
    let cap = parameters.contact_max_correcting_velocity;
    for (number, row) in rows.iter().enumerate() {
        parts.clear();
        match (forest.of_joint[slot as usize], row.axis) {
            (Some(own), Some(axis)) => parts.add_dof(forest, own.tree, own.dof(usize::from(axis)), 1.0),
            _ => (0..3).for_each(|body| {
                parts.add(views, forest, slots[body], row.linear_of(body), row.angular[body]);
            }),
        }
        let source = RowSource::Joint { slot, row: number as u32 };
        let holds = row.kind == RowKind::Joint;
        let compliance = if holds { row.compliance.max(parts.softness()) } else { row.compliance };
        let index = parts.push(problem, row.target, compliance, row.kind, source);
        let pushed = &mut problem.rows[index as usize];
        [pushed.lower, pushed.upper] = row.bounds;
        if row.kind == RowKind::Joint {
            pushed.velocity_target = row.target.clamp(-cap, cap) - parts.prescribed();
        }
    }
    empty_still_rows(problem, rows.len());
}

/// Empties the rows among the last ones that are rounding beside the others: directions in which trees cannot move, as
/// out of the plane of a planar loop. An impulse along them would be rounding over rounding.
fn empty_still_rows(problem: &mut Problem, count: usize) {
    let first = problem.rows.len() - count;
    let moved = |row: &Row| row.diagonal - row.compliance;
    let largest = problem.rows[first..].iter().map(moved).fold(0.0, f64::max);
    for row in &mut problem.rows[first..] {
        if row.kind == RowKind::Joint && moved(row) < STILL * largest {
            let blocks = row.first_block as usize..(row.first_block + row.block_count) as usize;
            for block in &problem.blocks[blocks] {
                problem.y[block.y as usize..(block.y + block.dofs) as usize].fill(0.0);
            }
            row.compliance = 0.0;
            row.diagonal = 0.0;
        }
    }
}

/// The follower is in the island of a body.
fn is_of_island(mimic: &Mimic, joints: &Arena<Joint>, islands: &Islands, body: u32) -> bool {
    let ends = joints.get(mimic.follower.0).map_or([None; 2], |j| j.definition.bodies);
    let mut islands_of_ends = ends.into_iter().flatten().map(|b| islands.of_body[b.slot()]);
    islands_of_ends.find(|i| *i != NONE) == Some(islands.of_body[body as usize])
}

/// The row of a follower: `q̇_f − m q̇_l = −erp g / h`.
fn push_mimic(
    parameters: &WorldParameters,
    problem: &mut Problem,
    views: &[BodyView],
    forest: &Forest,
    parts: &mut Parts,
    joints: &Arena<Joint>,
    state: &State,
    mimic: &Mimic,
) {
    parts.clear();
    let mut position = [0.0; 2];
    for (k, ((id, axis), factor)) in [(mimic.follower, 1.0), (mimic.leader, -mimic.multiplier)].into_iter().enumerate()
    {
        let Some(joint) = joints.get(id) else { return };
        position[k] = state.joints[id.slot()].positions[axis];
        parts.add_motion(views, forest, joint, id.slot(), axis, &state.bodies, factor);
    }
    let soft = erp_cfm(parameters.erp, parameters.cfm, problem.step);
    let target = -soft.correction * mimic.error(position[0], position[1]) / problem.step;
    let source = RowSource::Joint { slot: mimic.follower.0.slot() as u32, row: MAX_ROWS as u32 };
    parts.push(problem, target, soft.compliance, RowKind::Joint, source);
}

/// What the sides of a contact are made of.
struct Sides<'a> {
    views: &'a [BodyView],
    forest: &'a Forest,
    parts: &'a mut Parts,
}

/// A row of a contact: linear part of the first body, angular parts of both.
#[derive(Clone, Copy)]
struct Direction {
    linear: DVec3,
    angular: [DVec3; 2],
}

impl Sides<'_> {
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
    ) -> (u32, f64) {
        let forest = self.forest;
        if !forest.trees.is_empty() && bodies.iter().flatten().any(|slot| forest.of_body[*slot as usize].is_some()) {
            return self.push_on_trees(problem, bodies, row, kind, source);
        }
        let first_block = problem.blocks.len() as u32;
        let (d0, p0) = push_side(self.views, problem, bodies[0], row.linear, row.angular[0]);
        let (d1, p1) = push_side(self.views, problem, bodies[1], -row.linear, row.angular[1]);
        let prescribed = p0 + p1;
        (problem.push_bilateral(first_block, -prescribed, 0.0, d0 + d1, kind, source), prescribed)
    }

    /// The same where a side is a link of a tree.
    fn push_on_trees(
        &mut self,
        problem: &mut Problem,
        bodies: [Option<u32>; 2],
        row: &Direction,
        kind: RowKind,
        source: RowSource,
    ) -> (u32, f64) {
        let Self { views, forest, parts } = self;
        parts.clear();
        parts.add(views, forest, bodies[0], row.linear, row.angular[0]);
        parts.add(views, forest, bodies[1], -row.linear, row.angular[1]);
        (parts.push(problem, 0.0, 0.0, kind, source), parts.prescribed())
    }
}

/// Puts one side of a row into the problem; returns its square, and its velocity where rows do not move it.
#[inline(always)]
fn push_side(
    views: &[BodyView],
    problem: &mut Problem,
    slot: Option<u32>,
    linear: DVec3,
    angular: DVec3,
) -> (f64, f64) {
    let Some(slot) = slot else { return (0.0, 0.0) };
    let view = &views[slot as usize];
    match &view.whitening {
        Some(whitening) if view.clique != NONE => {
            (problem.push_free_block(view.clique, whitening.whiten(linear, angular)), 0.0)
        }
        _ => (0.0, linear.dot(view.velocity) + angular.dot(view.omega)),
    }
}

/// Rows of one contact: normal, two tangents, rolling and spinning.
fn push_contact(
    parameters: &WorldParameters,
    problem: &mut Problem,
    sides: &mut Sides,
    contact: &ContactInput,
    surface: &ContactSurface,
    index: u32,
    scale: f64,
    guess: &mut Vec<f64>,
) {
    let step = problem.step;
    let n = V3::from(contact.normal);
    let is_ellipse = surface.coupling == Coupling::Ellipse && surface.friction.iter().all(|f| f.value() > 0.0);
    let (friction, stretch) = if is_ellipse { circle(surface.friction) } else { (surface.friction, [1.0; 2]) };
    let [t1, t2] = tangents(surface, contact.normal);
    let [t1, t2] = [t1.scale(stretch[0]), t2.scale(stretch[1])];
    let views = sides.views;
    let arm = |slot: Option<u32>| slot.map_or(DVec3::ZERO, |s| contact.position - views[s as usize].center);
    let (arm_a, arm_b) = (V3::from(arm(contact.bodies[0])), V3::from(arm(contact.bodies[1])));
    let source = RowSource::Contact(index);
    let row = |direction: V3<f64>| {
        let j = contact_row(direction, arm_a, arm_b);
        Direction { linear: j.linear.into(), angular: [j.angular_first.into(), j.angular_second.into()] }
    };

    let (first, prescribed) = sides.push(problem, contact.bodies, &row(n), RowKind::Normal, source);
    let pushed = &mut problem.rows[first as usize];
    let mut force = None;
    let soft = match surface.normal {
        NormalLaw::ErpCfm { erp, cfm } => erp_cfm(erp.unwrap_or(parameters.erp), cfm.unwrap_or(parameters.cfm), step),
        NormalLaw::Spring { stiffness, damping } => spring_damper(stiffness, damping, step),
        NormalLaw::Compliant { force: law, is_per_mass } => {
            // The diagonal of the row is the inverse of its effective mass.
            let law = if is_per_mass { law.times(1.0 / pushed.diagonal) } else { law };
            force = Some(law);
            law.linearized(contact.depth, step)
        }
    };
    let layer = surface.surface_layer.unwrap_or(f64::INFINITY).min(parameters.contact_surface_layer);
    let max_velocity =
        surface.max_correcting_velocity.unwrap_or(f64::INFINITY).min(parameters.contact_max_correcting_velocity);
    let motion = surface.normal_motion;
    let mut normal = normal_target(contact.depth, layer, soft.correction, motion, max_velocity, step);
    if force.is_some() {
        // A force law has no correction to be bounded.
        normal.cap = f64::INFINITY;
    } else if parameters.correction == Correction::Velocity {
        normal.target = normal.target.min(max_velocity);
        normal.cap = f64::INFINITY;
    }
    if let Some(bounce) =
        surface.bounce.and_then(|r| bounce_velocity(&r, contact.approach, motion)).filter(|_| contact.depth >= 0.0)
    {
        normal.target = normal.target.max(bounce);
        normal.cap = normal.cap.max(bounce);
    }
    pushed.target = normal.target - prescribed;
    pushed.velocity_target = pushed.target;
    pushed.compliance = soft.compliance;
    pushed.diagonal += soft.compliance;
    pushed.lower = 0.0;
    pushed.cap = normal.cap - prescribed;
    guess.push(scale * contact.warm_normal);

    let mut has_friction = [false; 2];
    for (k, t) in [t1, t2].into_iter().enumerate() {
        let bound = friction[k];
        if bound.value() <= 0.0 {
            continue;
        }
        let compliance = slip(surface.slip[k], step) * (stretch[k] * stretch[k]);
        let (i, _) = sides.push(problem, contact.bodies, &row(t), RowKind::Friction, source);
        let pushed = &mut problem.rows[i as usize];
        pushed.target += surface.motion[k] * stretch[k];
        pushed.velocity_target = pushed.target;
        pushed.compliance = compliance;
        pushed.diagonal += compliance;
        set_bound(pushed, bound, first, step);
        pushed.ellipse = is_ellipse && k == 0;
        guess.push(scale * contact.warm_friction.dot(t.into()) / (stretch[k] * stretch[k]));
        has_friction[k] = true;
    }
    let has_rolling = surface.rolling.map(|r| r > 0.0);
    for (k, axis) in [t1, t2, n].into_iter().enumerate() {
        if !has_rolling[k] {
            continue;
        }
        let axis = DVec3::from(axis);
        let turn = Direction { linear: DVec3::ZERO, angular: [axis, -axis] };
        let (i, _) = sides.push(problem, contact.bodies, &turn, RowKind::Friction, source);
        let coefficient = if k < 2 { surface.rolling[k] / stretch[k] } else { surface.rolling[k] };
        set_bound(&mut problem.rows[i as usize], FrictionBound::Coefficient(coefficient), first, step);
        guess.push(0.0);
    }
    problem.contacts.push(ContactPoint {
        position: contact.position,
        normal: contact.normal,
        tangents: [t1.into(), t2.into()],
        depth: contact.depth,
        row: first,
        has_friction,
        has_rolling,
        smooth: force.map(|normal| SmoothLaw {
            normal,
            friction: surface.friction[0].value(),
            surface_velocity: motion - prescribed,
        }),
    });
}

/// An ellipse as a circle: with `tᵢ′ = (μᵢ / μ) tᵢ`, μ the larger, the impulses `λᵢ′ = λᵢ μ / μᵢ` stay within μ λₙ, and friction
/// opposite to the stretched sliding is the one that dissipates most, `λᵢ ~ −μᵢ² uᵢ`. Returns bounds and stretches.
fn circle(bounds: [FrictionBound; 2]) -> ([FrictionBound; 2], [f64; 2]) {
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
        FrictionBound::Coefficient(coefficient) => row.bound = Bound::Coefficient { normal, coefficient },
    }
}

/// Friction directions. The first is used as given (ODE), also where it leans out of the tangent plane; the engine's own
/// where there is none or it runs along the normal. The second is `t₂ = n × t₁`.
fn tangents(surface: &ContactSurface, normal: DVec3) -> [V3<f64>; 2] {
    if let Some(t1) = surface.direction {
        let t2 = normal.cross(t1);
        if t2.length() > 1e-6 * t1.length() {
            return [t1.into(), t2.into()];
        }
    }
    let (p, q) = plane_space(V3::from(normal));
    [p, q]
}
