//! The free motion of a tree by Kutta's method of order 4, with quaternions as they come: the equation keeps their
//! length, and the positions normalise.

use glam::DVec3;
use stiction::dynamics::tree::{BaseMotion, Factor, Kinematics, Loads, Scratch, Tree};
use stiction::math::Pose;

#[derive(Clone, Default)]
pub struct TreeState {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

pub struct Integrator<'a> {
    pub tree: &'a Tree,
    pub gravity: DVec3,
    pub tau: Vec<f64>,
    pub kin: Kinematics,
    factor: Factor,
    scratch: Scratch,
}

impl<'a> Integrator<'a> {
    pub fn new(tree: &'a Tree, gravity: DVec3) -> Self {
        let tau = vec![0.0; tree.dof_count()];
        Self { tree, gravity, tau, kin: Kinematics::default(), factor: Factor::default(), scratch: Scratch::default() }
    }

    pub fn place(&mut self, at: &TreeState) {
        self.tree.positions(&at.q, &Pose::IDENTITY, DVec3::ZERO, &mut self.kin);
        self.tree.velocities(&at.v, &BaseMotion::default(), &mut self.kin);
    }

    /// `(q̇, v̇)`.
    fn rate(&mut self, at: &TreeState) -> TreeState {
        self.place(at);
        self.tree.factor(&self.kin, &[], &mut self.factor).expect("a tree with inertia");
        let mut rate = TreeState { q: vec![0.0; at.q.len()], v: self.tau.clone() };
        let loads = Loads::gravity(self.gravity);
        self.tree.accelerations(&self.kin, &self.factor, &loads, &mut rate.v, &mut self.scratch);
        self.tree.position_rates(&at.q, &at.v, &mut rate.q);
        rate
    }

    pub fn step(&mut self, at: &mut TreeState, h: f64) {
        let a = self.rate(at);
        let b = self.rate(&moved(at, &a, 0.5 * h));
        let c = self.rate(&moved(at, &b, 0.5 * h));
        let d = self.rate(&moved(at, &c, h));
        for (rate, weight) in [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)] {
            *at = moved(at, &rate, h * weight / 6.0);
        }
        self.tree.normalize_positions(&mut at.q);
    }
}

fn moved(at: &TreeState, rate: &TreeState, h: f64) -> TreeState {
    let line = |x: &[f64], r: &[f64]| x.iter().zip(r).map(|(x, r)| x + h * r).collect();
    TreeState { q: line(&at.q, &rate.q), v: line(&at.v, &rate.v) }
}
