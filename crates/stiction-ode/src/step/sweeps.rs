//! The rows of an iterative step, ready to be swept: what the exact and the fast stepper have in common.

use stiction::solvers::ordered::{NO_BODY, Ordered, OrderedRow};

use super::islands::Islands;
use super::prepare::{self, StepBody};
use super::push::{Pushed, Sink, fill};
use super::rows::Assembly;
use crate::objects::row::Setting;
use crate::objects::world::World;

/// Islands are swept together until they have so many rows: enough that the processor always finds a row that does not wait
/// for another, and few enough to stay in its cache.
pub(super) const BATCH: usize = 2000;

/// Rows, their impulses, and the velocities that these make.
#[derive(Default)]
pub(super) struct Sweeps {
    pub ordered: Ordered,
    /// Which rows follow a normal.
    pub follows: Vec<bool>,
}

impl Sweeps {
    /// Takes the rows of all islands, at velocities after forces.
    pub(super) unsafe fn take(
        &mut self,
        world: &World,
        islands: &Islands,
        bodies: &mut [StepBody],
        assembly: &mut Assembly,
        h: f64,
    ) {
        assembly.collect(world, islands, h, true);
        prepare::velocities(islands, bodies, h);
        self.ordered.clear(bodies.len());
        self.follows.clear();
        let sink =
            OrderedSink { ordered: &mut self.ordered, follows: &mut self.follows, relaxation: world.relaxation.into() };
        fill(sink, assembly, 0..assembly.joints.len(), bodies, &Setting::of(world, h));
    }

    /// Gives the bodies the velocities that the impulses make.
    pub(super) fn move_bodies(&self, bodies: &mut [StepBody]) {
        for (body, z) in bodies.iter_mut().zip(&self.ordered.z) {
            let (linear, angular) = body.change(&z.0);
            body.linear += linear;
            body.angular += angular;
        }
    }
}

/// Takes the rows.
struct OrderedSink<'a> {
    ordered: &'a mut Ordered,
    follows: &'a mut Vec<bool>,
    relaxation: f64,
}

impl Sink for OrderedSink<'_> {
    #[inline(always)]
    fn accept(&mut self, row: &Pushed) {
        self.follows.push(row.normal.is_some());
        // A coefficient without bound times an impulse of zero is no number in ODE, and bounds nothing.
        let normal = row.normal.filter(|_| row.bounds[1].is_finite());
        // The only body that moves stands first.
        let (bodies, y) = match row.bodies {
            [NO_BODY, b] => ([b, NO_BODY], [row.y[1], row.y[0]]),
            bodies => (bodies, row.y),
        };
        let Pushed { target, compliance, bounds, .. } = *row;
        self.ordered.push(&OrderedRow { bodies, y, target, compliance, bounds, normal }, self.relaxation);
    }
}
