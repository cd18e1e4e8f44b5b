//! All rows of a step, island by island: joints in the order of slots, then contacts in the order of pairs.

use glam::DVec3;

use super::Workspace;
use super::cliques::Cliques;
use super::closure::are_soft;
use super::contact_rows::{ContactRows, RowBuilder};
use super::detect::{ContactInput, Manifold};
use super::forest::Forest;
use super::islands::{Islands, LISTS, NONE};
use super::joint_basis::orthogonalize;
use super::least_norm::SharedLoads;
use super::machines::Machines;
use super::pair_laws::PairLaw;
use super::parts::Parts;
use super::plan::{Needs, is_bounded};
use super::problems::IslandProblem;
use super::turning::Turning;
use super::views::BodyView;
use super::{trees, wires};
use crate::base::Arena;
use crate::constraint::{Problem, Row, RowKind, RowSource};
use crate::contact::compliance::erp_cfm;
use crate::joints::{Joint, JointRow, MAX_ROWS};
use crate::model::{Bodies, JointId, JointState, Mimic, State, Wire, WireState, WorldParameters, joint_pose};

/// What the rows of every problem are made from.
pub(super) struct Sources<'a> {
    pub(super) parameters: &'a WorldParameters,
    pub(super) joints: &'a Arena<Joint>,
    pub(super) mimics: &'a [Mimic],
    pub(super) wires: &'a Arena<Wire>,
    /// Number of the first clique of each wire's own.
    pub(super) wire_cliques: &'a [u32],
    pub(super) state: &'a State,
    pub(super) islands: &'a Islands,
    pub(super) machines: &'a Machines,
    pub(super) views: &'a [BodyView],
    pub(super) forest: &'a Forest,
    pub(super) cliques: &'a Cliques,
    pub(super) contacts: &'a [ContactInput],
    pub(super) manifolds: &'a [Manifold],
    pub(super) laws: &'a [PairLaw],
    pub(super) step: f64,
}

/// Numbers the cliques of all islands that have rows.
pub(super) fn cliques(bodies: &Bodies, all_wires: &Arena<Wire>, wire_states: &[WireState], work: &mut Workspace) {
    let Workspace { views, islands, forest, cliques, problems, wire_cliques, .. } = work;
    cliques.clear();
    wire_cliques.clear();
    wire_cliques.resize(all_wires.slots(), NONE);
    let mut start = [0u32; LISTS];
    for (island, end) in islands.ends.iter().enumerate() {
        if islands.has_rows(island) {
            for slot in &islands.bodies[start[0] as usize..end[0] as usize] {
                match forest.of_body[*slot as usize] {
                    Some(member) => trees::push_cliques(cliques, &mut forest.trees[member.tree as usize]),
                    None => push_clique(cliques, bodies, views, *slot as usize),
                }
            }
            for slot in islands.wires_of(island..island + 1) {
                wire_cliques[*slot as usize] = wires::push_cliques(cliques, all_wires, wire_states, *slot);
            }
        }
        cliques.ends.push(cliques.spans.len() as u32);
        start = *end;
    }
    problems.iter_mut().for_each(|own| number_cliques(cliques, own));
}

/// Finds the cliques of a problem.
pub(super) fn number_cliques(cliques: &Cliques, own: &mut IslandProblem) {
    let before = |island: usize| if island == 0 { 0 } else { cliques.ends[island - 1] };
    own.first_clique = before(own.islands.start);
    own.span = cliques.start(own.first_clique)..cliques.start(before(own.islands.end));
}

/// Coordinates of a free body.
pub(super) const FREE_BODY: u32 = 6;

/// Which rows a problem has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    All,
    /// Contacts have none.
    Joints,
}

/// Fills a problem and the guesses of its impulses.
pub(super) fn problem(sources: &Sources, own: &mut IslandProblem, contents: Contents) {
    let Sources { parameters, joints, mimics, state, islands, views, forest, cliques, step, .. } = *sources;
    let IslandProblem {
        problem,
        needs,
        guess,
        parts,
        turning,
        loads,
        joint_rows,
        joints: emitted_joints,
        wires: own_wires,
        wire_roles,
        first_clique,
        ..
    } = own;
    let first = *first_clique;
    problem.clear(step);
    guess.clear();
    *needs = Needs::default();
    own_wires.clear();
    wire_roles.clear();
    // Impulses scale with the step.
    let scale = if parameters.warm_start && state.last_step > 0.0 { step / state.last_step } else { 0.0 };
    let mut next_clique = first;
    let mut next_joint = 0;
    for island in own.islands.clone() {
        let start = islands.start(island);
        let end = islands.ends[island];
        if !islands.has_rows(island) {
            continue;
        }
        for clique in next_clique..cliques.ends[island] {
            let span = cliques.start(clique)..cliques.start(clique + 1);
            problem.push_clique(&cliques.z_free[span.clone()]);
            problem.z_before.extend_from_slice(&cliques.z_before[span]);
        }
        next_clique = cliques.ends[island];
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
                bound_drift(parameters, joint, rows);
                let drifts = drifts_closed_elsewhere(joint, old, rows);
                anticipate_turn(step, joint, old.positions, state, forest, turning, rows);
                emitted.largest_share =
                    push_joint_on_trees(sources, problem, first, parts, (joint, *slot), rows, &drifts);
            } else if joint.definition.reference.is_some() {
                push_joint::<18>(parameters, problem, first, views, joint, (*slot, old.is_led), rows);
            } else {
                push_joint::<12>(parameters, problem, first, views, joint, (*slot, old.is_led), rows);
            }
            let is_same_shape = old.row_count == rows.len();
            guess.extend((0..rows.len()).map(|i| if is_same_shape { scale * old.impulses[i] } else { 0.0 }));
        }
        for mimic in mimics {
            if is_of_island(mimic, joints, islands, islands.bodies[start[0] as usize]) {
                push_mimic(sources, problem, first, parts, mimic);
                guess.push(0.0);
            }
        }
        let joint_rows = &problem.rows[problem.islands.last().map_or(0, |last| last.rows.end as usize)..];
        needs.bounds_correction |= joint_rows.iter().any(is_bounded);
        for slot in islands.wires_of(island..island + 1) {
            own_wires.push(wires::push(sources, problem, (guess, wire_roles), first, parts, *slot));
            needs.has_wires = true;
        }
        if contents == Contents::All {
            let builder = RowBuilder { views, forest, parts, first_clique: first };
            let rows = ContactRows { parameters, problem, builder, needs, guess, scale };
            push_contacts(sources, &islands.contacts[start[2] as usize..end[2] as usize], rows, loads);
        }
        problem.close_island();
    }
}

/// Rows of the contacts of an island, of which the redundant ones share a load.
fn push_contacts(sources: &Sources, indices: &[u32], mut rows: ContactRows, loads: &mut SharedLoads) {
    loads.clear();
    for index in indices {
        let contact = &sources.contacts[*index as usize];
        let manifold = &sources.manifolds[contact.manifold as usize];
        let law = &sources.laws[manifold.law as usize];
        let row = rows.push(contact, &law.surface, &law.segments, *index);
        loads.push(sources.machines, contact, (manifold, law), row);
    }
    let ContactRows { parameters, problem, guess, .. } = rows;
    loads.soften(parameters, guess, problem);
}

fn push_clique(cliques: &mut Cliques, bodies: &Bodies, views: &mut [BodyView], slot: usize) {
    let view = &mut views[slot];
    let (Some(whitening), Some(body)) = (&view.whitening, bodies.at(slot)) else { return };
    // z = L v: linear part √m v, angular part √I ω on the principal axes.
    let root_mass = body.mass.mass.sqrt();
    let l = view.free_velocity * root_mass;
    let a = whitening.root_moments * view.spin.after;
    let free = match view.rescaled {
        Some(omega) => whitening.z(view.free_velocity, omega),
        None => [l.x, l.y, l.z, a.x, a.y, a.z],
    };
    view.clique = cliques.push(&free, &whitening.z(view.velocity, view.omega));
}

/// Bounds the velocity that the correction of a joint's drift leaves, as that of contacts; motors, stops and springs ask for what
/// they want. A joint that is meant to give way is a spring, not drift: with its velocity bounded to 0, as some worlds have it, it
/// would be a damper and fall apart.
fn bound_drift(parameters: &WorldParameters, joint: &Joint, rows: &mut [JointRow]) {
    let cap = if joint.definition.is_soft() { f64::INFINITY } else { parameters.contact_max_correcting_velocity };
    for row in rows.iter_mut().filter(|row| row.kind == RowKind::Joint) {
        row.velocity_target = row.target.clamp(-cap, cap);
    }
}

/// A joint that is led to its place moves as its rows ask.
fn release_drift(rows: &mut [JointRow]) {
    for row in rows.iter_mut().filter(|row| row.kind == RowKind::Joint) {
        row.velocity_target = row.target;
    }
}

/// Rows of one joint; those that hold it in an orthogonal basis.
fn push_joint<const WIDTH: usize>(
    parameters: &WorldParameters,
    problem: &mut Problem,
    first_clique: u32,
    views: &[BodyView],
    joint: &Joint,
    (slot, is_led): (u32, bool),
    rows: &mut [JointRow],
) {
    let slots = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
    let slots = slots.map(|b| b.map(|b| b.slot() as u32));
    if is_led {
        release_drift(rows);
    } else {
        bound_drift(parameters, joint, rows);
    }
    let mut y = [[0.0; WIDTH]; MAX_ROWS];
    let views: [Option<&BodyView>; 3] = slots.map(|slot| slot.map(|slot| &views[slot as usize]));
    let number = |view: &BodyView| if view.clique == NONE { NONE } else { view.clique - first_clique };
    let cliques = views.map(|view| view.map_or(NONE, number));
    let holding = rows.iter().take_while(|row| row.kind == RowKind::Joint).count();
    for (row, y) in rows.iter_mut().zip(&mut y) {
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
                    // SPOOK keeps a share of the relative velocity, of which the rows of the problem see one side.
                    row.target += row.kept * prescribed;
                    row.velocity_target += row.kept * prescribed;
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
        if row.kept != 0.0 {
            problem.keep(index, row.kept, 0.0);
        }
    }
}

/// Rows of a joint that closes a loop of trees which a flow will move take the share of `h J̇ v` to their right side that
/// they see of the velocity products.
fn anticipate_turn(
    step: f64,
    joint: &Joint,
    positions: [f64; 3],
    state: &State,
    forest: &Forest,
    turning: &mut Turning,
    rows: &mut [JointRow],
) {
    if rows.first().is_none_or(|row| row.kind != RowKind::Joint) {
        return;
    }
    let slots = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
    let members = slots.iter().flatten().filter_map(|b| forest.of_body[b.slot()]);
    let share = members.map(|m| forest.trees[m.tree as usize].flow.share()).fold(f64::INFINITY, f64::min);
    if share == 0.0 || !share.is_finite() {
        return;
    }
    turning.measure(joint, positions, state, forest);
    for (row, rate) in rows.iter_mut().zip(&turning.rates) {
        row.target -= share * step * rate;
        row.velocity_target -= share * step * rate;
    }
}

/// The correction of drift in the right sides of the rows that hold a joint. Rigid loops need none: [`Closure`](super::closure::Closure) closes them in
/// positions alone.
fn drifts_closed_elsewhere(joint: &Joint, state: &JointState, rows: &[JointRow]) -> [f64; MAX_ROWS] {
    let mut drifts = [0.0; MAX_ROWS];
    if !state.is_led && joint.definition.spook.is_none() {
        let holding = rows.iter().zip(&mut drifts).filter(|(row, _)| row.kind == RowKind::Joint && row.kept == 0.0);
        holding.for_each(|(row, drift)| *drift = row.target);
    }
    drifts
}

/// Rows of one joint that holds or drives links of trees, as they are. Returns the largest share by which one that holds moves (see [`Parts::share`]).
fn push_joint_on_trees(
    sources: &Sources,
    problem: &mut Problem,
    first_clique: u32,
    parts: &mut Parts,
    (joint, slot): (&Joint, u32),
    rows: &[JointRow],
    drifts: &[f64; MAX_ROWS],
) -> f64 {
    let Sources { views, forest, .. } = *sources;
    let mut most = 0.0f64;
    let slots = [joint.definition.bodies[0], joint.definition.bodies[1], joint.definition.reference];
    let slots = slots.map(|b| b.map(|b| b.slot() as u32));
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
        let compliance = match holds {
            // Without a diagonal solvers pass it over.
            true if parts.drop_rounding() => 0.0,
            true => {
                most = parts.share().max(most);
                row.compliance.max(parts.softness())
            }
            false => row.compliance,
        };
        let index = parts.push(problem, first_clique, row.target, compliance, row.kind, source);
        let pushed = &mut problem.rows[index as usize];
        [pushed.lower, pushed.upper] = row.bounds;
        if row.kind == RowKind::Joint {
            pushed.velocity_target = row.velocity_target - parts.prescribed();
        }
        if row.kept != 0.0 {
            problem.keep(index, row.kept, parts.prescribed());
        }
    }
    let first = problem.rows.len() - rows.len();
    if !are_soft(joint, &problem.rows[first..]) {
        for (row, drift) in problem.rows[first..].iter_mut().zip(drifts).filter(|(_, drift)| **drift != 0.0) {
            row.target -= drift;
            row.velocity_target = row.target;
        }
    }
    empty_still_rows(problem, rows.len());
    most
}

/// A row this much smaller than the largest of its joint is rounding, of the file or of the machine.
const STILL: f64 = 1e-12;

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
fn push_mimic(sources: &Sources, problem: &mut Problem, first_clique: u32, parts: &mut Parts, mimic: &Mimic) {
    let Sources { parameters, joints, state, .. } = *sources;
    parts.clear();
    let mut position = [0.0; 2];
    for (k, (motion, factor)) in [(mimic.follower, 1.0), (mimic.leader, -mimic.multiplier)].into_iter().enumerate() {
        let (id, axis) = motion;
        let Some(joint) = joints.get(id) else { return };
        position[k] = state.joints[id.slot()].positions[axis];
        add_motion(sources, joint, motion, factor, parts);
    }
    let soft = erp_cfm(parameters.erp, parameters.cfm, problem.step);
    let mut target = -soft.correction * mimic.error(position[0], position[1]) / problem.step;
    if state.joints[mimic.follower.0.slot()].is_led {
        target = target.clamp(-parameters.start_closing_rate, parameters.start_closing_rate);
    }
    let source = RowSource::Joint { slot: mimic.follower.0.slot() as u32, row: MAX_ROWS as u32 };
    parts.push(problem, first_clique, target, soft.compliance, RowKind::Joint, source);
}

/// Adds the rate of one motion of a joint, times a factor.
fn add_motion(sources: &Sources, joint: &Joint, (id, axis): (JointId, usize), factor: f64, parts: &mut Parts) {
    let Sources { state, views, forest, .. } = *sources;
    if let Some(own) = forest.of_joint[id.slot()] {
        parts.add_dof(forest, own.tree, own.dof(axis), factor);
        return;
    }
    let ends = joint.definition.bodies.map(|b| b.map(|b| b.slot() as u32));
    joint.visit_motions(&joint_pose(joint, &state.bodies), state.joints[id.slot()].positions, |number, motion| {
        if number == axis {
            let linear = factor * DVec3::from(motion.part.linear);
            let angular = [motion.part.angular_first, motion.part.angular_second].map(|a| factor * DVec3::from(a));
            parts.add(views, forest, ends[0], linear, angular[0]);
            parts.add(views, forest, ends[1], -linear, angular[1]);
        }
    });
}
