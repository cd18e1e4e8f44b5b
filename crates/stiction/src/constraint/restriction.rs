//! Some rows of an island as a problem of their own; the impulses of the other rows hold.

use super::problem::{Island, Problem};
use super::row::{Bound, Row};
use crate::contact::friction;

/// Some of an island's rows, their impulses and velocities. Its memory is used again.
#[derive(Clone, Debug, Default)]
pub struct Restriction {
    /// The rows, with indices of their own. It has no contacts.
    pub problem: Problem,
    /// Their impulses.
    pub lambda: Vec<f64>,
    /// Velocities of the island's coordinates for a solver to start from.
    pub z: Vec<f64>,
    /// Index of each row in the whole problem.
    pub rows: Vec<u32>,
    /// Index here of each row of the island; `u32::MAX` if it is left out.
    index: Vec<u32>,
}

impl Restriction {
    /// Takes the rows of an island that `keeps` names, with the guesses in `lambda`, from the velocities `start`. Of the
    /// others, the impulses of those that `holds` names act; friction whose normal is left out has the bound of that
    /// normal's impulse.
    pub fn take(
        &mut self,
        whole: &Problem,
        island: &Island,
        start: &[f64],
        lambda: &[f64],
        keeps: impl Fn(u32, &Row) -> bool,
        holds: impl Fn(&Row) -> bool,
    ) {
        let Self { problem, lambda: own, z, rows, index } = self;
        let first = [island.cliques.start, island.z.start, island.rows.start];
        problem.clear(whole.step);
        own.clear();
        rows.clear();
        index.clear();
        index.resize(island.rows.len(), u32::MAX);
        z.clear();
        z.extend_from_slice(&start[island.z_range()]);
        for number in island.rows.clone() {
            let row = &whole.rows[number as usize];
            if !keeps(number, row) {
                if holds(row) && lambda[number as usize] != 0.0 {
                    for block in whole.row_blocks(row) {
                        let start = (block.z - first[1]) as usize;
                        let y = &whole.y[block.y as usize..(block.y + block.dofs) as usize];
                        z[start..start + y.len()]
                            .iter_mut()
                            .zip(y)
                            .for_each(|(z, y)| *z += y * lambda[number as usize]);
                    }
                }
                continue;
            }
            index[(number - first[2]) as usize] = rows.len() as u32;
            rows.push(number);
            own.push(lambda[number as usize]);
        }
        for clique in &whole.cliques[island.cliques.start as usize..island.cliques.end as usize] {
            let start = (clique.start - first[1]) as usize;
            problem.push_clique(&z[start..start + clique.dofs as usize]);
        }
        problem.z_before.extend_from_slice(z);
        for number in &*rows {
            let row = &whole.rows[*number as usize];
            let blocks = whole.row_blocks(row).iter().map(|block| {
                let y = block.y as usize;
                (block.clique - first[0], &whole.y[y..y + block.dofs as usize])
            });
            let pushed = problem.push_blocks(blocks, row.target, row.compliance, row.kind, row.source);
            let to = &mut problem.rows[pushed as usize];
            *to = Row { first_block: to.first_block, block_count: to.block_count, diagonal: to.diagonal, ..*row };
            if let Bound::Coefficient { normal, coefficient } = row.bound {
                match index[(normal - first[2]) as usize] {
                    u32::MAX => {
                        let bound = friction::bound(coefficient, lambda[normal as usize]);
                        (to.bound, to.lower, to.upper) = (Bound::Fixed, -bound, bound);
                    }
                    normal => to.bound = Bound::Coefficient { normal, coefficient },
                }
            }
        }
        problem.close_island();
    }

    /// Puts the impulses and velocities of a solution back into the whole problem's.
    pub fn give_back(&self, island: &Island, z: &mut [f64], lambda: &mut [f64]) {
        z[island.z_range()].copy_from_slice(&self.z);
        for (number, own) in self.rows.iter().zip(&self.lambda) {
            lambda[*number as usize] = *own;
        }
    }
}
