//! Bodies that joints connect into trees: rigid joints are no rows but a projection of the velocities, after every pass over the
//! contacts.
//!
//! It is made at the pose of the rows, where the impulses act. What the projection at half a step takes off the velocities of the start
//! is their turn on the way there: the other half takes as much once more, a reflection (see `dynamics::tree::flow`), so that what
//! swings keeps its energy. What that does to the root comes in equal parts of the step, as a force does. At the end gaps close in positions
//! alone, and velocities become those that the joints allow there.

mod admission;
mod axes;
mod carry;
mod close;
mod closure;
mod contact_space;
mod feedback;
mod impact;
mod lanes;
mod link;
mod outcome;
mod project;
mod reach;

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::super::context::Model;
use super::super::flow::Template;
use super::super::forest::Forest;
use super::bodies::SubstepBodies;
use super::record;
use crate::model::State;
use crate::solvers::soft::{Cholesky, FactoredLink, Mobilizer, Reach, Record, Spatial};
pub(super) use admission::{blocks_of_axes, carries_all, has_loops, is_welded};
use axes::TreeAxis;
use carry::Carry;
use closure::Closures;
pub(in super::super) use feedback::{feedback_of, momentum};
use lanes::TreeLanes;
use link::Link;
pub(super) use outcome::begin as begin_joints;
pub(in super::super) use outcome::begin_one as begin_joint;

/// No link, joint or tree.
const NONE: u32 = u32::MAX;

/// A tree: where its links, degrees of freedom, axes and their responses begin and end in the lists.
#[derive(Clone, Copy, Debug)]
struct Tree {
    /// Its number in the forest.
    source: u32,
    links: [u32; 2],
    dofs: [u32; 2],
    axes: [u32; 2],
    /// First of its matrix of responses, a row an axis.
    responses: u32,
    /// What closes its loops, or `NONE`.
    closure: u32,
    /// Its island is solved in contact space.
    is_in_contact_space: bool,
}

impl Tree {
    fn links(&self) -> Range<usize> {
        self.links[0] as usize..self.links[1] as usize
    }

    fn dofs(&self) -> Range<usize> {
        self.dofs[0] as usize..self.dofs[1] as usize
    }

    fn axes(&self) -> Range<usize> {
        self.axes[0] as usize..self.axes[1] as usize
    }
}

/// Ways in which a body moves that nothing holds.
const FREE: usize = 6;

/// A degree of freedom.
#[derive(Clone, Copy, Debug, Default)]
struct Dof {
    /// Inertia of a rotor, its momentum, and that before the impulses of the sub-step.
    added: f64,
    carried: f64,
    held: f64,
    /// Rate and momentum, put aside.
    kept: [f64; 2],
    /// Impulse along it, for the next projection.
    impulse: f64,
    /// Velocity that the last projection found.
    rate: f64,
}

/// Memory of the trees.
#[derive(Clone, Debug, Default)]
pub(super) struct SubstepTrees {
    trees: Vec<Tree>,
    links: Vec<Link>,
    /// Their factors.
    factored: Vec<FactoredLink>,
    dofs: Vec<Dof>,
    axes: Vec<TreeAxis>,
    closures: Closures,
    /// It is the first step of the world.
    is_first: bool,
    /// Rate of an axis by a unit impulse along another of its tree.
    responses: Vec<f64>,
    reach: Reach,
    /// Tree of each body by its place, and what contacts share loads with.
    of_place: Vec<u32>,
    /// What turns the velocities from the pose of the rows to the end of the step, by link.
    turned: Vec<Record>,
    /// By link: work space of the recursion.
    momenta: Vec<Spatial>,
    velocities: Vec<Spatial>,
    /// By link, where joints tell what they transmit: centre of mass, and momentum that its joint has to give. Users' forces by
    /// joint and axis.
    balances: Vec<(DVec3, Spatial)>,
    users: Vec<(u32, usize, f64)>,
    /// Whitened velocities that an impact makes, or had before it, by place.
    scratch: Vec<Record>,
    rows: Vec<crate::joints::JointRow>,
    carry: Carry,
    lanes: TreeLanes,
}

impl Link {
    /// Something moves it.
    fn moves(&self) -> bool {
        self.mobilizer != Mobilizer::Welded
    }
}

impl SubstepTrees {
    /// The trees of the bodies.
    pub(super) fn read(
        &mut self,
        model: &Model,
        state: &State,
        (forest, templates): (&Forest, &[Option<Template>]),
        bodies: &SubstepBodies,
    ) {
        self.trees.clear();
        self.links.clear();
        self.factored.clear();
        self.dofs.clear();
        self.axes.clear();
        self.closures.clear();
        self.is_first = state.steps == 0;
        self.responses.clear();
        self.of_place.clear();
        self.of_place.resize(bodies.moving, NONE);
        let moving = if forest.trees.is_empty() { 0 } else { bodies.moving };
        for place in 0..moving {
            let Some(member) = forest.of_body.get(bodies.slots[place] as usize).copied().flatten() else { continue };
            // A tree is read at its first link.
            if let Some(template) = templates[member.tree as usize].as_ref().filter(|_| member.link == 0) {
                self.read_tree(model, state, (template, member.tree), bodies);
            }
        }
        let count = self.links.len();
        self.turned.clear();
        self.turned.resize(count, Record::default());
        for list in [&mut self.momenta, &mut self.velocities] {
            list.resize(count, Spatial::default());
        }
    }

    fn read_tree(
        &mut self,
        model: &Model,
        state: &State,
        (template, number): (&Template, u32),
        bodies: &SubstepBodies,
    ) {
        let (first, first_dof, first_axis) = (self.links.len() as u32, self.dofs.len() as u32, self.axes.len() as u32);
        let of_all = |link: u32| if link == NONE { NONE } else { first + link };
        let bodies_of_tree = template.links.len() - template.cuts.len();
        for (number, source) in template.links.iter().enumerate() {
            let Some(body) = model.bodies.at(source.slot as usize) else { continue };
            let place = bodies.place_of(source.slot);
            self.of_place[place as usize] = self.trees.len() as u32;
            self.links.push(Link {
                slot: source.slot,
                place,
                carrier: of_all(source.carrier),
                parent: of_all(source.parent),
                joint: source.joint,
                end: source.end,
                mobilizer: source.mobilizer,
                first_dof: self.dofs.len() as u32,
                dofs: source.mobilizer.dofs(),
                share: source.share,
                is_half: number >= bodies_of_tree,
                mass: body.mass.mass,
                moments: body.mass.moments,
                axes: DMat3::IDENTITY,
            });
            self.factored.push(FactoredLink {
                held: source.mobilizer.held(),
                parent: of_all(source.parent),
                first_dof: self.dofs.len() as u32,
                to_parent: DVec3::ZERO,
                motions: [Spatial::default(); 3],
                pushed: [Spatial::default(); 3],
                inverse: [[0.0; 3]; 3],
                factor: Cholesky::default(),
            });
            let joint = model.joints.at(source.joint as usize).filter(|_| source.mobilizer.has_axes());
            for k in 0..source.mobilizer.dofs() {
                let added = joint.map_or(0.0, |joint| joint.definition.parameters[k].armature);
                let rate = joint.map_or(0.0, |_| state.joints[source.joint as usize].rates[k]);
                self.dofs.push(Dof { added, carried: added * rate, rate, ..Dof::default() });
            }
        }
        self.trees.push(Tree {
            source: number,
            links: [first, self.links.len() as u32],
            dofs: [first_dof, self.dofs.len() as u32],
            axes: [first_axis; 2],
            responses: 0,
            closure: self.closures.add(template),
            is_in_contact_space: false,
        });
    }

    /// Nothing is a link.
    pub(super) fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// The body at a place is a link.
    pub(super) fn has(&self, place: u32) -> bool {
        self.of_place.get(place as usize).is_some_and(|tree| *tree != NONE)
    }

    /// The body at a place is a link of a tree that is not rigid.
    pub(super) fn is_articulated(&self, place: u32) -> bool {
        let tree = self.of_place.get(place as usize).filter(|tree| **tree != NONE);
        tree.is_some_and(|tree| !self.trees[*tree as usize].dofs().is_empty())
    }

    /// Place of the first link of the tree of a body; its own where it is none.
    pub(super) fn first_place(&self, place: u32) -> u32 {
        let tree = self.of_place.get(place as usize).filter(|tree| **tree != NONE);
        tree.map_or(place, |tree| self.links[self.trees[*tree as usize].links[0] as usize].place)
    }

    /// Visits the links: place, mass of the tree by that of the link, and moving joints from the link to the root, counted to one more than `most`.
    pub(super) fn each_mass_ratio(&self, most: usize, mut visit: impl FnMut(u32, f64, usize)) {
        for tree in &self.trees {
            let links = &self.links[tree.links()];
            let mass: f64 = links.iter().filter(|link| !link.is_half).map(|link| link.mass).sum();
            for link in links.iter().filter(|link| !link.is_half) {
                let (mut joints, mut above) = (0, link);
                while above.parent != NONE && joints <= most {
                    joints += usize::from(above.dofs > 0);
                    above = &self.links[above.parent as usize];
                }
                visit(link.place, mass / link.mass, joints);
            }
        }
    }

    /// Visits the places of the links that have fewer than six ways to move against the world: contacts may find none along their normals.
    pub(super) fn each_held_link(&self, mut visit: impl FnMut(u32)) {
        for tree in &self.trees {
            for link in self.links[tree.links()].iter().filter(|link| link.moves()) {
                let (mut dofs, mut above) = (link.dofs, link);
                while above.parent != NONE && dofs < FREE {
                    above = &self.links[above.parent as usize];
                    dofs += above.dofs;
                }
                // What closes a loop takes some.
                let is_held = dofs < FREE && above.mobilizer != Mobilizer::Free;
                if is_held || tree.closure != NONE {
                    visit(link.place);
                }
            }
        }
    }

    /// The body at a place is a link of a tree with laws of axes or rotors, which have energy of their own.
    pub(super) fn gives(&self, place: u32) -> bool {
        let tree = self.of_place.get(place as usize).and_then(|tree| self.trees.get(*tree as usize));
        tree.is_some_and(|tree| self.has_laws(*tree))
    }

    /// A tree has laws of axes or rotors: nothing else reads its rates.
    fn has_laws(&self, tree: Tree) -> bool {
        !tree.axes().is_empty() || self.dofs[tree.dofs()].iter().any(|dof| dof.added != 0.0)
    }

    /// What contacts of a body share their load with: its tree, itself, or all that nothing moves.
    pub(super) fn group_of(&self, place: u32, bodies: &SubstepBodies) -> u32 {
        if !bodies.moves(place) {
            return NONE;
        }
        match self.of_place.get(place as usize) {
            Some(tree) if *tree != NONE => self.links[self.trees[*tree as usize].links[0] as usize].place,
            _ => place,
        }
    }

    /// Runs something for which rotors do not turn before, and which leaves rates and momenta of the rotors as they were.
    fn without_rotors(&mut self, tree: Tree, run: impl FnOnce(&mut Self)) {
        for dof in &mut self.dofs[tree.dofs()] {
            (dof.kept, dof.carried) = ([dof.rate, dof.carried], 0.0);
        }
        run(self);
        for dof in &mut self.dofs[tree.dofs()] {
            [dof.rate, dof.carried] = dof.kept;
        }
    }

    /// Projects the whitened velocities of a tree.
    fn project(&mut self, tree: Tree, z: &mut [Record]) {
        self.take_momenta(tree, z);
        self.solve(tree);
        self.join(tree);
        for number in tree.links() {
            let link = &self.links[number];
            if link.moves() {
                let (own, found) = (&mut z[link.place as usize].0, link.whitened(&self.velocities[number]).0);
                (0..6).for_each(|e| own[e] = if link.is_half { own[e] } else { 0.0 } + link.share * found[e]);
            }
        }
    }

    /// Momenta of the links, for a solution.
    fn take_momenta(&mut self, tree: Tree, z: &[Record]) {
        for number in tree.links() {
            let link = &self.links[number];
            let own = z[link.place as usize].0.map(|e| link.share * e);
            let spin = DVec3::new(own[3], own[4], own[5]) * link.moments.map(f64::sqrt);
            self.momenta[number] =
                Spatial::new(link.mass.sqrt() * DVec3::new(own[0], own[1], own[2]), link.axes * spin);
        }
    }

    fn notes(&mut self, z: &[Record], sign: f64) {
        for (turned, link) in self.turned.iter_mut().zip(&self.links) {
            for e in 0..6 {
                turned.0[e] += sign * z[link.place as usize].0[e];
            }
        }
    }

    /// The velocities turn on to the end of the step.
    pub(super) fn turn_on(&self, z: &mut [Record]) {
        for (turned, link) in self.turned.iter().zip(&self.links).filter(|(_, link)| !link.is_half) {
            for e in 0..6 {
                z[link.place as usize].0[e] += turned.0[e];
            }
        }
    }

    /// The next sub-step starts from the impulses of the last one, those of rotors too.
    pub(super) fn start_again(&mut self) {
        let Self { trees, dofs, axes, .. } = self;
        for tree in trees.iter().filter(|tree| !tree.is_in_contact_space) {
            for dof in &mut dofs[tree.dofs()] {
                let given = dof.carried - dof.held;
                dof.held = dof.carried;
                dof.carried += given;
            }
            axes[tree.axes()].iter_mut().for_each(|axis| axis.note_rate(dofs));
        }
    }
}
