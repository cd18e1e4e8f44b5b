//! The projection on what joints allow: velocities nearest to given ones, in the norm of kinetic energy.
//!
//! It is the recursion of articulated bodies (Featherstone, 2008, §7.3) without velocity products. Every link is eliminated
//! onto its parent through its joint, leaves first, once a pose (`solvers::soft::trees`); momenta flow inward and velocities outward
//! (`solve`), O(links) and exact. A projection cannot make energy, `|P z| ≤ |z|`. A rotor, armature of an axis, is an inertia that
//! carries its own momentum.

use super::{NONE, SubstepTrees, Tree};
use crate::solvers::soft::{Held, Spatial};

impl SubstepTrees {
    /// Velocities of a tree from the momenta in its list, those of its rotors and the impulses along its motions.
    pub(super) fn solve(&mut self, tree: Tree) {
        let Self { factored: links, momenta, velocities, dofs, .. } = self;
        for number in tree.links().rev() {
            let link = &links[number];
            if matches!(link.held, Held::Free | Held::Welded) {
                continue;
            }
            let mut p = momenta[number];
            let first = link.first_dof as usize;
            let mut own = [0.0; 3];
            for k in 0..link.dofs() {
                own[k] = link.motions[k].dot(&p) + dofs[first + k].impulse + dofs[first + k].carried;
            }
            for k in 0..link.dofs() {
                let rate = link.along_column(k, &own);
                dofs[first + k].rate = rate;
                p = p.plus(-rate, &link.pushed[k]);
            }
            if link.parent != NONE {
                let onto = p.momentum_at(link.to_parent);
                let parent = &mut momenta[link.parent as usize];
                *parent = parent.plus(1.0, &onto);
            }
        }
        for number in tree.links() {
            let link = &links[number];
            velocities[number] = match link.held {
                Held::Welded => Spatial::default(),
                Held::Free => link.factor.solve(&momenta[number]),
                _ => {
                    let mut v = match link.parent {
                        NONE => Spatial::default(),
                        parent => velocities[parent as usize].velocity_at(-link.to_parent),
                    };
                    let mut given = [0.0; 3];
                    for k in 0..link.dofs() {
                        given[k] = link.pushed[k].dot(&v);
                    }
                    for k in 0..link.dofs() {
                        let dof = &mut dofs[link.first_dof as usize + k];
                        dof.rate -= link.along_column(k, &given);
                        v = v.plus(dof.rate, &link.motions[k]);
                    }
                    v
                }
            };
        }
        for dof in &mut dofs[tree.dofs()] {
            dof.impulse = 0.0;
            dof.carried = dof.added * dof.rate;
        }
    }
}
