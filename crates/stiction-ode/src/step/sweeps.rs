//! The rows of an iterative step, ready to be swept: what the exact and the fast stepper have in common.
//!
//! Islands are parted into shares, one for each call of the program's threads. A share has rows, bodies and impulses of its own,
//! so that shares are prepared and swept side by side; how islands are parted changes no bit.

use std::ops::Range;

use stiction::solvers::ordered::{MOST_COUPLED, NO_BODY, Ordered, OrderedRow};

use super::islands::Islands;
use super::prepare::{self, StepBody};
use super::push::{Pushed, Sink, fill};
use super::rows::Assembly;
use crate::objects::row::Setting;
use crate::objects::world::World;

/// Islands are swept together until they have so many rows: enough that the processor always finds a row that does not wait
/// for another, and few enough to stay in its cache.
const BATCH: usize = 2000;
/// Bodies of an island from which on neighbours in a shuffled order seldom share one.
const LARGE: usize = 64;
/// Islands of one body that are solved one after the other; more are solved side by side.
const FEW: usize = 4;

/// What all shares read.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub islands: &'a Islands,
    pub bodies: &'a [StepBody],
    pub assembly: &'a Assembly,
}

impl Scene<'_> {
    /// There are few islands of one body.
    pub(super) fn has_few_lone(&self) -> bool {
        let lone = (0..self.islands.islands.len()).filter(|&island| self.islands.has_one_body(island, self.bodies));
        lone.take(FEW + 1).count() <= FEW
    }
}

/// How the islands of a batch are swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// One island of few rows, by what each row asks for.
    Coupled,
    /// Islands of one body, side by side.
    Lone,
    /// Rows of all islands together.
    Mixed,
    /// One island so large that shuffled neighbours seldom share a body.
    Large,
}

/// Islands that are swept together.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub islands: Range<usize>,
    manner: Manner,
}

/// Islands that one call sweeps.
#[derive(Default)]
pub(super) struct Share {
    pub islands: Range<usize>,
    pub batches: Vec<Batch>,
    /// Orders of each batch, one for each stretch between shuffles.
    pub orders: Vec<Vec<Vec<u32>>>,
    /// The order of a batch that is never shuffled.
    pub order: Vec<u32>,
    pub ordered: Ordered,
    /// Which rows follow a normal.
    pub follows: Vec<bool>,
    first_row: usize,
    first_body: usize,
}

/// Takes the rows of all islands, at velocities after forces, and parts them into shares.
pub(super) unsafe fn take(
    shares: &mut Vec<Share>,
    world: &World,
    islands: &Islands,
    bodies: &mut [StepBody],
    assembly: &mut Assembly,
    h: f64,
) {
    assembly.collect(world, islands, h, true);
    prepare::velocities(islands, bodies, h);
    let count = world.threads.count(world.max_threads);
    shares.resize_with(count, Share::default);
    for (share, range) in shares.iter_mut().zip(assembly.shares(count)) {
        share.islands = range;
    }
    let scene = Scene { islands, bodies, assembly };
    let (setting, relaxation) = (Setting::of(world, h), world.relaxation.into());
    let succeeded = world.threads.each(shares, &|share: &mut Share| share.take(&scene, &setting, relaxation));
    assert!(succeeded, "all rows are there");
}

impl Share {
    unsafe fn take(&mut self, scene: &Scene, setting: &Setting, relaxation: f64) {
        let (bodies, joints) = (scene.islands.bodies_of(&self.islands), scene.assembly.joints_of(&self.islands));
        self.first_body = bodies.start;
        self.first_row = scene.assembly.islands.get(self.islands.start).map_or(0, |rows| rows.start);
        self.ordered.clear(bodies.len());
        self.follows.clear();
        let (first_row, first_body) = (self.first_row as u32, self.first_body as u32);
        let (ordered, follows) = (&mut self.ordered, &mut self.follows);
        let sink = OrderedSink { ordered, follows, relaxation, first_row, first_body };
        fill(sink, scene.assembly, joints, scene.bodies, setting);
    }

    /// Parts the islands into batches; some are left out.
    pub(super) fn part(&mut self, scene: &Scene, has_few_lone: bool, is_left_out: impl Fn(usize) -> bool) {
        self.batches.clear();
        let rows = |island: usize| scene.assembly.islands[island].len();
        let mut room = 0;
        for island in self.islands.clone().filter(|&island| rows(island) > 0 && !is_left_out(island)) {
            let is_lone = scene.islands.has_one_body(island, scene.bodies);
            let manner = match is_lone {
                _ if rows(island) <= MOST_COUPLED && (has_few_lone || !is_lone) => Manner::Coupled,
                true => Manner::Lone,
                false if scene.islands.islands[island].bodies.len() >= LARGE => Manner::Large,
                false => Manner::Mixed,
            };
            match self.batches.last_mut() {
                Some(last) if last.islands.end == island && last.takes(manner) && rows(island) <= room => {
                    last.islands.end += 1;
                    last.manner = last.manner.beside(manner);
                    room -= rows(island);
                }
                _ => {
                    self.batches.push(Batch { islands: island..island + 1, manner });
                    room = BATCH.saturating_sub(rows(island));
                }
            }
        }
    }

    /// Numbers of an island's rows in the share.
    pub(super) fn rows(&self, scene: &Scene, island: usize) -> Range<usize> {
        let rows = &scene.assembly.islands[island];
        rows.start - self.first_row..rows.end - self.first_row
    }

    /// Impulse of a row of the step.
    pub(super) fn lambda(&self, row: usize) -> f64 {
        self.ordered.lambda(row - self.first_row)
    }

    /// The velocity that a row of the step asks for without impulses.
    pub(super) fn asked(&self, row: usize) -> f64 {
        self.ordered.asked(row - self.first_row)
    }

    /// Starts a row of the step from an impulse.
    pub(super) fn start(&mut self, row: usize, lambda: f64) {
        self.ordered.start(row - self.first_row, lambda);
    }

    /// Sweeps over a batch in given orders, each for so many sweeps.
    pub(super) fn sweep<'a>(
        &mut self,
        scene: &Scene,
        batch: usize,
        orders: impl Iterator<Item = (&'a [u32], u32)> + Clone,
    ) {
        let Batch { islands, manner } = self.batches[batch].clone();
        if manner == Manner::Coupled {
            let rows = self.rows(scene, islands.start);
            return self.ordered.sweep_coupled(rows.start, rows.len(), orders);
        }
        for (stretch, (order, sweeps)) in orders.enumerate() {
            if manner != Manner::Lone {
                self.ordered.sweep(order, sweeps, manner == Manner::Large && stretch > 0);
                continue;
            }
            let mut rest = order;
            let each = islands.clone().map(|island| {
                let (own, others) = rest.split_at(scene.assembly.islands[island].len());
                rest = others;
                own
            });
            self.ordered.sweep_lone(&each.collect::<Vec<_>>(), sweeps);
        }
    }

    /// Gives the bodies the velocities that the impulses make.
    pub(super) fn move_bodies(&self, bodies: &mut [StepBody]) {
        for (body, z) in bodies[self.first_body..].iter_mut().zip(&self.ordered.z) {
            let (linear, angular) = body.change(&z.0);
            body.linear += linear;
            body.angular += angular;
        }
    }
}

impl Batch {
    /// An island of another manner can go with it.
    fn takes(&self, other: Manner) -> bool {
        match self.manner {
            Manner::Coupled => false,
            Manner::Lone => other == Manner::Lone,
            Manner::Mixed | Manner::Large => matches!(other, Manner::Mixed | Manner::Large),
        }
    }
}

impl Manner {
    /// That of a batch which another island has gone with.
    fn beside(self, _: Self) -> Self {
        if self == Self::Large { Self::Mixed } else { self }
    }
}

/// Takes the rows.
struct OrderedSink<'a> {
    ordered: &'a mut Ordered,
    follows: &'a mut Vec<bool>,
    relaxation: f64,
    first_row: u32,
    first_body: u32,
}

impl Sink for OrderedSink<'_> {
    #[inline(always)]
    fn accept(&mut self, row: &Pushed) {
        self.follows.push(row.normal.is_some());
        // A coefficient without bound times an impulse of zero is no number in ODE, and bounds nothing.
        let normal = row.normal.filter(|_| row.bounds[1].is_finite()).map(|normal| normal - self.first_row);
        // The only body that moves stands first.
        let (bodies, y) = match row.bodies {
            [NO_BODY, b] => ([b, NO_BODY], [row.y[1], row.y[0]]),
            bodies => (bodies, row.y),
        };
        let bodies = bodies.map(|body| if body == NO_BODY { NO_BODY } else { body - self.first_body });
        let Pushed { target, compliance, bounds, .. } = *row;
        self.ordered.push(&OrderedRow { bodies, y, target, compliance, bounds, normal }, self.relaxation);
    }
}
