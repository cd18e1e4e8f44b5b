//! Islands of contacts in sub-steps: pull, pass with bias, motion, pass without bias.
//!
//! The pass with bias closes gaps and parts overlaps, the one without leaves nothing of that in the velocities: drift is never in
//! the velocity at the end of a step, so that nothing has to be taken back. Impulses come in the middles of the sub-steps: bodies go half a
//! sub-step before the first and half a one after the last (Störmer and Verlet). Rows and frames are those of the middle of the step and
//! keep their whitened coordinates, in which displacements add up. A sub-step starts from the impulses of the one before it by body,
//! `z − held`, not by row.

mod bodies;
mod books;
mod colours;
mod contact_space;
mod depth_of_rest;
mod impact_friction;
pub(super) mod impacts;
mod landings;
mod light;
mod manifolds;
mod outcome;
mod parallel;
mod pulls;
mod repeat;
mod restitution;
mod share;
mod starts;
mod taken;
mod trees;

use super::colouring::Colouring;
use super::context::Model;
use super::flow::{self, LinksInLanes};
use super::middle::{back_to_start, horizon_of_substeps, place_back, time_of_middle};
use super::patches::body_of;
use super::{StepReport, Workspace, bytes, islands, pairs, patch_contacts};
use crate::base::ThreadPool;
use crate::model::{BodyKind, SolverKind, State, WorldParameters};
use crate::solvers::soft::{Bundle, Loops, MovingLink, PassRule, Record, Sources, TreeLink, Width, WidthOfLanes, soft};
#[cfg(target_arch = "x86_64")]
use crate::solvers::soft::{Eight, Four};
use bodies::SubstepBodies;
use books::Books;
use contact_space::ContactSpaces;
use landings::Landings;
use light::LightLinks;
use manifolds::Manifolds;
use parallel::Colours;
use repeat::Repeats;
use restitution::Restitutions;
use share::Shares;
use starts::Starts;
use taken::{TakenIslands, Touches};
use trees::{SubstepTrees, is_welded};
pub(super) use trees::{begin_joint, feedback_of, momentum};

/// Fastest push out of an overlap, where nothing bounds it further \[m/s\].
pub(super) const FASTEST_PUSH: f64 = 3.0;

/// Contacts from which on islands move by themselves: what fits into the nearest memory is moved through all sub-steps, then the next.
const BATCH: usize = 512;

/// Memory of the sub-steps.
#[derive(Default)]
pub(crate) struct Substeps {
    taken: TakenIslands,
    /// Contacts of islands with the same number of sub-steps, in the order of islands and pairs.
    contacts: Vec<u32>,
    /// The same of patches that the world keeps.
    patches: Vec<u32>,
    bodies: SubstepBodies,
    manifolds: Manifolds,
    trees: SubstepTrees,
    shares: Shares,
    restitutions: Restitutions,
    books: Books,
    repeats: Repeats,
    light: LightLinks,
    landings: Landings,
    starts: Starts,
    contact_spaces: ContactSpaces,
    /// Manifolds of each colour.
    coloring: Colouring,
    /// Those of one colour by their number of points.
    sorted: Vec<u32>,
    /// Bundles of each colour.
    colours: Colours,
    one: InLanes<1>,
    four: InLanes<4>,
    eight: InLanes<8>,
}

/// What a pass visits, with one width of lanes.
#[derive(Default)]
struct InLanes<const W: usize> {
    bundles: Vec<Bundle<W>>,
    trees: LinksInLanes<W>,
}

/// Takes the islands with contacts, whose joints make trees and that wires have no part in, out of the lists, for [`advance`].
pub(super) fn take(model: &Model, step: f64, state: &mut State, work: &mut Workspace) {
    let Workspace {
        islands,
        last_islands,
        contacts,
        starts,
        manifolds,
        patches,
        forest,
        forest_of_flows,
        extents,
        frames,
        substeps: own,
        flows,
        known_joints,
        ..
    } = work;
    let is_substeps = model.parameters.solver == SolverKind::Substeps;
    let may_flow = is_substeps || model.parameters.trees_move_as_wholes();
    let forest = flow::choose(model, forest, forest_of_flows);
    let have_changed = may_flow && flows.follow(model, forest);
    let (templates, _) = flows.templates();
    let hold =
        last_islands.hold && !have_changed && trees::carries_all(model, state, (forest, templates), &own.taken.joints);
    if hold && flows.go_on(model, step, state, known_joints) {
        return trees::begin_joints(model, state, &own.taken.joints, known_joints);
    }
    if last_islands.hold {
        islands::find(model, state, (contacts, patches), manifolds, islands);
    }
    own.taken.clear();
    flows.clear();
    if is_substeps {
        let by_length = depth_of_rest::factor(model.parameters, step);
        let touches = Touches { contacts, patches, extents, frames, step, by_length };
        own.taken.take(model, state, &touches, (forest, flows.templates().0), islands);
        trees::begin_joints(model, state, &own.taken.joints, known_joints);
    }
    if may_flow {
        flows.take(model, step, (state, known_joints), forest, islands);
    }
    if is_substeps {
        islands.contacts.iter().for_each(|contact| back_to_start(&mut contacts[*contact as usize], starts));
    }
    let is_all = is_substeps && contacts.is_empty() && own.taken.holds();
    last_islands.remember(model, state, (is_all, own.taken.depends_on_impacts), patches);
    let left = std::mem::take(&mut work.substeps.taken.left);
    if work.persistent_pairs.holds && !left.is_empty() {
        pairs::read_poses(model, work);
    }
    patch_contacts::add(model, state, work, &left);
    work.substeps.taken.left = left;
}

/// Moves the bodies of those islands by a step.
pub(super) fn advance(model: &Model, step: f64, state: &mut State, work: &mut Workspace, report: &mut StepReport) {
    if work.substeps.taken.counts.is_empty() {
        return;
    }
    let mut own = std::mem::take(&mut work.substeps);
    let mut pool = std::mem::take(work.solvers.pool());
    let taken = std::mem::take(&mut own.taken);
    own.bodies.follow(model);
    for substeps in &taken.counts {
        let frame = Frame::new(model.parameters, (step, state.last_step), *substeps);
        let mut islands = taken.with(*substeps).peekable();
        while islands.peek().is_some() {
            own.contacts.clear();
            own.patches.clear();
            own.bodies.clear();
            while own.contacts.len() + own.patches.len() < BATCH
                && let Some(([slots, contacts, patches], is_light)) = islands.next()
            {
                own.bodies.take_island(slots, is_light);
                own.contacts.extend_from_slice(contacts);
                own.patches.extend_from_slice(patches);
            }
            let counts = &mut report.counts;
            counts.islands_in_substeps += own.bodies.islands();
            counts.bodies_in_substeps += own.bodies.count();
            counts.most_substeps = counts.most_substeps.max(*substeps);
            own.advance(&mut pool, model, &frame, state, work, report);
        }
    }
    own.taken = taken;
    work.substeps = own;
    *work.solvers.pool() = pool;
}

impl Substeps {
    /// A joint is one of a tree of this step, or closes a loop in it.
    pub(super) fn takes_joint(&self, joint: u32) -> bool {
        self.taken.joints.contains(&joint)
    }

    /// Memory of lists with an entry a body \[B\].
    pub(super) fn bytes_of_bodies(&self) -> usize {
        let trees = self.one.trees.bytes() + self.four.trees.bytes() + self.eight.trees.bytes();
        self.bodies.bytes() + trees
    }

    /// Memory of lists with an entry a contact \[B\].
    pub(super) fn bytes_of_contacts(&self) -> usize {
        bytes(&self.one.bundles) + bytes(&self.four.bundles) + bytes(&self.eight.bundles) + self.manifolds.bytes()
    }

    /// Moves the bodies of islands with the same number of sub-steps.
    fn advance(
        &mut self,
        pool: &mut ThreadPool,
        model: &Model,
        frame: &Frame,
        state: &mut State,
        work: &mut Workspace,
        report: &mut StepReport,
    ) {
        self.leave_welded(model, state, work);
        self.bodies.read(pool, frame, state, (&work.frames, &work.forest));
        self.manifolds.read(model, frame, state, work, [&self.contacts, &self.patches], &mut self.bodies);
        self.bodies.complete();
        self.trees.read(model, state, (&work.forest, work.flows.templates().0), &self.bodies);
        match WidthOfLanes::widest() {
            WidthOfLanes::One => {
                self.trees.place::<f64, 1>(frame, work.flows.templates(), &mut self.one.trees, &mut self.bodies)
            }
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Four => {
                self.trees.place::<Four, 4>(frame, work.flows.templates(), &mut self.four.trees, &mut self.bodies);
            }
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Eight => {
                self.trees.place::<Eight, 8>(frame, work.flows.templates(), &mut self.eight.trees, &mut self.bodies);
            }
        }
        self.books.begin((model, frame.step), (&self.bodies, &self.trees), state);
        self.trees.note_momenta(model, frame.step, state);
        self.trees.read_axes(model, frame, state);
        self.bodies.hit();
        self.restitutions.rebound(frame, &self.manifolds, &mut self.bodies, &mut self.trees);
        match WidthOfLanes::widest() {
            WidthOfLanes::One => run::<f64, 1>(self, |own| &mut own.one, pool, (model, frame), (state, work, report)),
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Four => {
                run::<Four, 4>(self, |own| &mut own.four, pool, (model, frame), (state, work, report))
            }
            #[cfg(target_arch = "x86_64")]
            WidthOfLanes::Eight => {
                run::<Eight, 8>(self, |own| &mut own.eight, pool, (model, frame), (state, work, report))
            }
        }
        self.trees.remember(model, (frame.step, frame.substeps), state, &mut work.known_joints, report);
        let Workspace { contacts, starts, .. } = work;
        self.contacts.iter().for_each(|contact| place_back(&mut contacts[*contact as usize], starts));
        self.trees.feed_back(model, frame.step, state, (&self.contacts, &self.manifolds), work);
        self.books.finish(
            (frame.step, frame.part),
            (model, &self.bodies, &self.trees),
            &self.manifolds,
            state,
            work,
            report,
        );
        self.manifolds.give_back(work);
        report.contacts += self.contacts.len() + self.manifolds.points_of_kept();
        for contact in &self.contacts {
            report.penetration = report.penetration.max(work.contacts[*contact as usize].depth);
        }
    }

    /// Contacts between bodies that no force moves, as one is welded to the world and the other is too, or is prescribed, exert none.
    fn leave_welded(&mut self, model: &Model, state: &State, work: &mut Workspace) {
        let Workspace { forest, contacts, starts, patches, .. } = work;
        if forest.trees.is_empty() {
            return;
        }
        let is_free = |slot: u32| {
            let is_dynamic = model.bodies.at(slot as usize).is_some_and(|body| body.kind == BodyKind::Dynamic);
            is_dynamic && state.bodies[slot as usize].is_enabled && !is_welded(forest, slot)
        };
        let stands = |slot: Option<u32>| !slot.is_some_and(is_free);
        self.contacts.retain(|number| {
            let contact = &mut contacts[*number as usize];
            let stays = !contact.bodies.into_iter().all(stands);
            if !stays {
                back_to_start(contact, starts);
            }
            stays
        });
        self.patches.retain(|number| {
            let stays = !patches.heads[*number as usize].bodies.map(body_of).into_iter().all(stands);
            if !stays {
                patches.rest(*number as usize);
            }
            stays
        });
    }
}

/// The times and rules of a step.
pub(super) struct Frame {
    step: f64,
    substeps: u32,
    passes: u32,
    /// Length of a sub-step \[s\].
    part: f64,
    /// Time from the start of the step to the pose of its rows, its middle \[s\].
    center: f64,
    bias_rate: f64,
    softness: f64,
    /// Square of the angular frequency of a rigid contact \[1/s²\].
    stiffness: f64,
    push: f64,
    layer: f64,
    /// Impulses of a sub-step by those of the last step.
    warm: f64,
    /// What rests approaches by no more than twice what gravity gives in a step \[m/s\].
    slow: f64,
}

impl Frame {
    /// What bundles are made from.
    fn sources<'a>(
        &self,
        (bodies, leads, any_leads): (&'a [Record], &'a [Record], bool),
        manifolds: &'a Manifolds,
    ) -> Sources<'a> {
        Sources {
            bodies,
            leads,
            any_leads,
            manifolds: &manifolds.records,
            special: &manifolds.special,
            warm: self.warm,
            half: 0.5 * self.step,
            softness: self.softness,
            push: self.push,
            layer: self.layer,
        }
    }

    /// Rule of the passes of a sub-step.
    fn rule(&self, number: u32) -> PassRule {
        let elapsed = (f64::from(number) + 0.5) * self.part - self.center;
        PassRule {
            bias_rate: self.bias_rate,
            inverse_step: 1.0 / self.part,
            elapsed,
            turned: (elapsed + 0.5 * self.part) * (2.0 / self.step).powi(2),
            bend: 0.5 * (2.0 * elapsed / self.step).powi(2),
            is_first: number == 0,
            is_last: false,
            is_partial: false,
        }
    }

    /// Time by which a contact has to close to be one of the step \[s\].
    fn horizon(&self) -> f64 {
        horizon_of_substeps(self.step, self.part)
    }

    fn new(parameters: &WorldParameters, (step, last): (f64, f64), substeps: u32) -> Self {
        let part = step / f64::from(substeps);
        let frequency = parameters.contact_frequency(part);
        let scale = if parameters.warm_start && last > 0.0 { step / last } else { 0.0 };
        let (bias_rate, softness) = soft(frequency, parameters.contact_damping_ratio, part);
        Self {
            step,
            substeps,
            passes: parameters.passes.max(1),
            part,
            center: time_of_middle(step),
            bias_rate,
            softness,
            stiffness: frequency * frequency,
            push: FASTEST_PUSH.min(parameters.contact_max_correcting_velocity),
            layer: parameters.contact_surface_layer,
            warm: scale / f64::from(substeps),
            slow: 2.0 * parameters.gravity.length() * step + 1e-4,
        }
    }
}

/// The sub-steps with one width of lanes.
fn run<L: Width<W>, const W: usize>(
    own: &mut Substeps,
    memory_of: impl Fn(&mut Substeps) -> &mut InLanes<W>,
    pool: &mut ThreadPool,
    (model, frame): (&Model, &Frame),
    (state, work, report): (&mut State, &mut Workspace, &mut StepReport),
) {
    let mut memory = std::mem::take(memory_of(own));
    // To the first impulses.
    parallel::drift::<L, W>(pool, &mut own.bodies, 0.5 * frame.part);
    own.trees.drift_axes(0.5 * frame.part);
    let InLanes { bundles, trees: LinksInLanes { links, moving, loops, .. } } = &mut memory;
    let mut spaces = std::mem::take(&mut own.contact_spaces);
    spaces.choose(frame, &own.manifolds, &mut own.bodies, &mut own.trees);
    let bundles = colours::fill(own, pool, bundles);
    report.counts.bundles += bundles.len() + spaces.bundles().len();
    let Substeps { bodies, manifolds, trees, shares, restitutions, repeats, light, landings, starts, colours, .. } =
        own;
    let SubstepBodies { records, leads, any_leads, z, .. } = &mut *bodies;
    let sources = frame.sources((records, leads, *any_leads), manifolds);
    colours.prepare::<L, W>(pool, bundles, &sources, z);
    spaces.prepare(&sources, z);
    restitutions.hold_back(bundles);
    restitutions.hold_back(spaces.bundles_mut());
    shares.even_out(bundles, manifolds, (bodies, trees), frame.softness);
    trees.warm();
    trees.project_every::<L, W>(links, &mut bodies.z);
    spaces.note(bodies, trees);
    bodies.pull(pool, frame);
    trees.measure_pulls(bodies);
    trees.project_every::<L, W>(links, &mut bodies.z);
    spaces.run::<L, W>((model.parameters, frame), manifolds, (bodies, trees), links);
    trees.respond::<L, W>(spaces.memory());
    repeats.begin(bundles, manifolds, bodies, trees);
    light.begin(bundles, manifolds, (bodies, trees));
    landings.begin(bundles, manifolds, (bodies, trees), frame);
    starts.begin(bodies, trees);
    let parts = if bundles.is_empty() && spaces.has_all(bodies) { 0 } else { frame.substeps };
    for number in 0..parts {
        if number > 0 {
            parallel::start_again::<L, W>(pool, bodies);
            trees.start_again();
        }
        bodies.turn_fast(frame.part);
        trees.lay(model.parameters, frame);
        let mut rule = frame.rule(number);
        let end = f64::from(number + 1) * frame.part;
        starts.run::<L, W>((pool, colours), bundles, manifolds, bodies, (&rule, true));
        landings.run::<L, W>(bundles, (bodies, trees, links), (&rule, true, end));
        for _ in 0..frame.passes {
            colours.pass::<L, W>(pool, bundles, bodies, &rule, true);
            trees.project_all::<L, W>(links, &mut bodies.z);
            trees.act::<L, W>(links, &mut bodies.z, 0);
        }
        light.run::<L, W>((pool, colours), bundles, manifolds, (bodies, trees, links), (&rule, true));
        parallel::drift::<L, W>(pool, bodies, frame.part);
        trees.drift_axes(frame.part);
        starts.run::<L, W>((pool, colours), bundles, manifolds, bodies, (&rule, false));
        repeats.run::<L, W>((pool, colours), bundles, manifolds, (bodies, trees, links), &rule);
        landings.run::<L, W>(bundles, (bodies, trees, links), (&rule, false, end));
        light.run::<L, W>((pool, colours), bundles, manifolds, (bodies, trees, links), (&rule, false));
        for pass in 0..frame.passes {
            rule.is_last = pass + 1 == frame.passes;
            colours.pass::<L, W>(pool, bundles, bodies, &rule, false);
            trees.project_all::<L, W>(links, &mut bodies.z);
            trees.act::<L, W>(links, &mut bodies.z, 1);
        }
        landings.leave_blows(bundles, bodies);
        repeats.finish::<L, W>((pool, colours), bundles, manifolds, (bodies, trees, links), &rule);
        trees.sum_up();
        trees.leave_blows(bodies, manifolds, bundles);
    }
    end::<L, W>(own, pool, (model, frame), (bundles, &spaces), (links, moving, loops), (state, work, report));
    own.contact_spaces = spaces;
    *memory_of(own) = memory;
}

/// After the sub-steps: impulses and forces, and the motions of the bodies.
fn end<L: Width<W>, const W: usize>(
    own: &mut Substeps,
    pool: &mut ThreadPool,
    (model, frame): (&Model, &Frame),
    (bundles, spaces): (&[Bundle<W>], &ContactSpaces),
    (links, moving, loops): (&mut [TreeLink<W>], &mut [MovingLink<W>], &mut Loops<W>),
    (state, work, report): (&mut State, &mut Workspace, &mut StepReport),
) {
    let Substeps { bodies, manifolds, trees, restitutions, books, colours, .. } = own;
    spaces.move_bodies(bodies);
    outcome::write::<L, W>((pool, colours), frame, (bundles, spaces.bundles()), manifolds, work, report);
    outcome::add_impacts(frame, restitutions, manifolds, &mut work.contacts);
    books.note_drives(bundles, manifolds, bodies, report);
    books.note_drives(spaces.bundles(), manifolds, bodies, report);
    // Half of the last way is that of the next step.
    parallel::drift::<L, W>(pool, bodies, -0.5 * frame.part);
    trees.turn_on(&mut bodies.z);
    bodies.settle::<L, W>(pool, model, frame, state, report);
    trees.settle::<L, W>((links, moving, loops), (model, frame.step), state);
}

/// Numbers of a vector.
fn three(v: glam::DVec3) -> [f64; 3] {
    v.to_array()
}

/// The record of two vectors.
fn record(first: glam::DVec3, second: glam::DVec3) -> Record {
    let ([a, b, c], [d, e, f]) = (three(first), three(second));
    Record([a, b, c, d, e, f, 0.0, 0.0])
}
