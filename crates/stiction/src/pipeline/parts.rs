//! A row whose sides may be links of trees: its parts on the cliques of their paths.

use glam::DVec3;

use super::cliques::Cliques;
use super::forest::{Forest, SEGMENT};
use super::islands::NONE;
use super::views::BodyView;
use crate::constraint::{Problem, RowKind, RowSource};
use crate::dynamics::tree::ForceVector;

/// Parts of one row; memory that is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    cliques: Vec<u32>,
    y: Vec<[f64; SEGMENT]>,
    /// `J v` of what rows do not move.
    prescribed: f64,
    /// Sum of squares of all that was added, before it met.
    gross: f64,
    /// Inverse mass of the links that it acts on, each without the joints of its tree.
    free: f64,
}

/// Softness of rows of loops, relative to the inverse mass of their sides.
const SOFT: f64 = 1e-10;
/// Square of the share of what it would move without the joints of the trees, by which a row moves that is rounding, of the file or of the machine, on one
/// side as well as on all: these joints hold it, as a second hinge on the axis of the first.
const ROUNDING: f64 = 1e-10;

impl Parts {
    /// Begins a row.
    pub(super) fn clear(&mut self) {
        self.cliques.clear();
        self.y.clear();
        self.prescribed = 0.0;
        self.gross = 0.0;
        self.free = 0.0;
    }

    /// Adds a Jacobian block: of the velocity of a body's centre of mass and of its angular velocity.
    pub(super) fn add(
        &mut self,
        views: &[BodyView],
        forest: &Forest,
        slot: Option<u32>,
        linear: DVec3,
        angular: DVec3,
    ) {
        let Some(slot) = slot else { return };
        let view = &views[slot as usize];
        if let Some(member) = forest.of_body[slot as usize]
            && forest.trees[member.tree as usize].is_pushed
        {
            let tree = &forest.trees[member.tree as usize];
            let wrench = ForceVector::at(view.center - tree.kin.origin(), angular, linear);
            self.free += tree.kin.free_inverse_mass(member.link as usize, linear, angular);
            if tree.base.is_some() {
                self.prescribed += tree.base_twist.dot(&wrench);
            }
            tree.tree.whiten_wrench(&tree.factor, member.link as usize, wrench, |dof, y| {
                self.add_coordinate(tree, dof, y);
            });
            return;
        }
        match &view.whitening {
            Some(whitening) if view.clique != NONE => {
                let y = whitening.whiten(linear, angular);
                let part = self.part(view.clique);
                (0..SEGMENT).for_each(|k| self.y[part][k] += y[k]);
                self.gross += y.iter().map(|y| y * y).sum::<f64>();
            }
            _ => self.prescribed += linear.dot(view.velocity) + angular.dot(view.omega),
        }
    }

    /// Adds the rate of one dof of a tree, times a factor.
    pub(super) fn add_dof(&mut self, forest: &Forest, tree: u32, dof: usize, factor: f64) {
        let tree = &forest.trees[tree as usize];
        if !tree.is_pushed {
            return;
        }
        tree.tree.whiten_unit(&tree.factor, dof, |k, y| self.add_coordinate(tree, k, factor * y));
    }

    /// Adds a part on one coordinate of a clique that is no body's.
    pub(super) fn add_own(&mut self, clique: u32, coordinate: usize, y: f64) {
        let part = self.part(clique);
        self.y[part][coordinate] += y;
    }

    /// Inverse mass of all sides together, before they meet.
    pub(super) fn inverse_mass(&self) -> f64 {
        self.gross
    }

    /// What the row would move without the joints of the trees; 1 where nothing moves it.
    pub(super) fn free_inverse_mass(&self) -> f64 {
        if self.free > 0.0 { self.free } else { 1.0 }
    }

    fn add_coordinate(&mut self, tree: &super::forest::Articulation, dof: usize, y: f64) {
        let segment = tree.segments[tree.segment_of[dof] as usize];
        let part = self.part(segment.clique);
        self.y[part][dof - segment.first as usize] += y;
        self.gross += y * y;
    }

    fn part(&mut self, clique: u32) -> usize {
        if let Some(part) = self.cliques.iter().position(|c| *c == clique) {
            return part;
        }
        self.cliques.push(clique);
        self.y.push([0.0; SEGMENT]);
        self.cliques.len() - 1
    }

    /// Softness for a row of a loop: nothing against its sides alone, much against what is left of a row along which the
    /// loop can hardly move (axes that miss being parallel by rounding).
    pub(super) fn softness(&self) -> f64 {
        SOFT * self.gross
    }

    /// Makes zeros of a row that is nothing but rounding; true if it was.
    pub(super) fn drop_rounding(&mut self) -> bool {
        let is_rounding = self.dot(self) < ROUNDING * self.free;
        if is_rounding {
            self.y.iter_mut().for_each(|y| y.fill(0.0));
            self.gross = 0.0;
        }
        is_rounding
    }

    /// By what share the row moves of what it would without the joints of the trees.
    pub(super) fn share(&self) -> f64 {
        (self.dot(self) / self.free_inverse_mass()).sqrt()
    }

    /// `J v` of what rows do not move.
    pub(super) fn prescribed(&self) -> f64 {
        self.prescribed
    }

    /// `Y₁ᵀ Y₂`.
    pub(super) fn dot(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for (clique, y) in self.cliques.iter().zip(&self.y) {
            if let Some(k) = other.cliques.iter().position(|c| c == clique) {
                sum += y.iter().zip(&other.y[k]).map(|(a, b)| a * b).sum::<f64>();
            }
        }
        sum
    }

    /// `z += Y x`.
    pub(super) fn scatter(&self, cliques: &Cliques, x: f64, z: &mut [f64]) {
        for (clique, y) in self.cliques.iter().zip(&self.y) {
            let start = cliques.start(*clique);
            for (z, y) in z[start..start + SEGMENT].iter_mut().zip(y) {
                *z += y * x;
            }
        }
    }

    /// Puts the row into the problem whose first clique has the number `first` in the step.
    pub(super) fn push(
        &self,
        problem: &mut Problem,
        first: u32,
        target: f64,
        compliance: f64,
        kind: RowKind,
        source: RowSource,
    ) -> u32 {
        problem.push_blocks(
            self.cliques.iter().zip(&self.y).map(|(clique, y)| (*clique - first, &y[..])),
            target - self.prescribed,
            compliance,
            kind,
            source,
        )
    }
}
