//! Records and lanes against rows one by one.

use super::*;
use crate::constraint::{Bound, RowKind, RowSource};

/// A small generator (splitmix64), from −1 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, n: u32) -> u32 {
        ((self.next() + 1.0) * 0.5 * f64::from(n)) as u32 % n
    }
}

/// Islands of every kind of row: joints, limits, contacts with both kinds of friction, cones, rolling, couplings of
/// three cliques, cliques of other sizes.
fn problem(seed: u64, islands: usize) -> Problem {
    let mut random = Random(seed);
    let mut p = Problem::default();
    p.clear(0.01);
    for _ in 0..islands {
        let first = p.cliques.len() as u32;
        let bodies = 1 + random.below(9);
        for i in 0..bodies {
            let dofs = if i == 5 { 4 } else { 6 };
            let z: Vec<f64> = (0..dofs).map(|_| random.next()).collect();
            p.push_clique(&z);
        }
        for number in 0..3 * bodies {
            let a = first + random.below(bodies);
            let b = first + random.below(bodies);
            let mut on = vec![a];
            on.extend((b != a).then_some(b));
            match random.below(8) {
                0 => {
                    for row in 0..[1, 3, 5, 6][random.below(4) as usize] {
                        push(&mut p, &mut random, &on, RowKind::Joint, RowSource::Joint { slot: number, row });
                    }
                }
                1 => {
                    let limit =
                        push(&mut p, &mut random, &on, RowKind::Limit, RowSource::Joint { slot: number, row: 0 });
                    p.rows[limit].lower = -0.1;
                    p.rows[limit].upper = 0.2;
                }
                2 => {
                    let c = first + random.below(bodies);
                    on.extend((!on.contains(&c)).then_some(c));
                    push(&mut p, &mut random, &on, RowKind::Joint, RowSource::Joint { slot: number, row: 0 });
                }
                kind => contact(&mut p, &mut random, &on, kind, number),
            }
        }
        p.close_island();
    }
    p
}

fn push(p: &mut Problem, random: &mut Random, on: &[u32], kind: RowKind, source: RowSource) -> usize {
    let y: Vec<Vec<f64>> =
        on.iter().map(|c| (0..p.cliques[*c as usize].dofs).map(|_| random.next()).collect()).collect();
    let blocks: Vec<(u32, &[f64])> = on.iter().zip(&y).map(|(c, y)| (*c, y.as_slice())).collect();
    p.push_row(&blocks, random.next(), 1e-3 * (1.0 + random.next()), kind, source) as usize
}

fn contact(p: &mut Problem, random: &mut Random, on: &[u32], kind: u32, number: u32) {
    let source = RowSource::Contact(number);
    let normal = push(p, random, on, RowKind::Normal, source);
    p.rows[normal].lower = 0.0;
    let rows = if kind == 3 { 4 } else { random.below(3) };
    for k in 0..rows {
        let i = push(p, random, on, RowKind::Friction, source);
        p.rows[i].ellipse = kind == 4 && k == 0 && rows == 2;
        p.rows[i].bound = Bound::Coefficient { normal: normal as u32, coefficient: 0.5 };
        if kind == 5 {
            p.rows[i].bound = Bound::Fixed;
            [p.rows[i].lower, p.rows[i].upper] = [-0.1, 0.1];
        }
    }
}

const PASS: Pass = Pass {
    capped: false,
    iterations: 12,
    relaxation: 1.3,
    accelerated: false,
    bounds_once: false,
    budget: Pass::FULL_BUDGET,
    stiction_tolerance: 1e-3,
};

fn solve(p: &Problem, pass: &Pass, pgs: &mut Pgs, islands: &[&[Island]]) -> (Vec<f64>, Vec<f64>) {
    let (mut z, mut lambda) = (p.z_free.clone(), vec![0.01; p.rows.len()]);
    for islands in islands {
        pgs.solve_all(p, islands, pass, &mut z, &mut lambda);
    }
    (z, lambda)
}

#[test]
fn records_give_what_rows_one_by_one_give() {
    for seed in 0..40 {
        let p = problem(seed, 4);
        let (z, lambda) = solve(&p, &PASS, &mut Pgs::default(), &[&p.islands]);
        let (mut z_rows, mut rows) = (p.z_free.clone(), vec![0.01; p.rows.len()]);
        for island in &p.islands {
            start(&p, island, &mut z_rows, &mut rows);
            for _ in 0..PASS.iterations {
                sweep(&p, island, &PASS, &mut z_rows, &mut rows);
            }
        }
        let largest = rows.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (i, (a, b)) in lambda.iter().zip(&rows).enumerate() {
            assert!((a - b).abs() < 1e-9 * largest, "seed {seed} row {i}: {a} {b}");
        }
        for (a, b) in z.iter().zip(&z_rows) {
            assert!((a - b).abs() < 1e-9 * largest, "seed {seed}: {a} {b}");
        }
    }
}

#[test]
fn lanes_and_batches_change_no_bit() {
    // With many sweeps some islands are still long before the others.
    for (seed, iterations) in (0..40).flat_map(|seed| [(seed, 12), (seed, 400)]) {
        let pass = &Pass { iterations, relaxation: 1.0, ..PASS };
        let p = problem(seed, 7);
        let together = solve(&p, pass, &mut Pgs::default(), &[&p.islands]);
        let alone: Vec<&[Island]> = p.islands.iter().map(std::slice::from_ref).collect();
        assert_eq!(together, solve(&p, pass, &mut Pgs::default(), &alone), "seed {seed}");
        let mut plain = Pgs::default();
        plain.batch.is_plain = true;
        assert_eq!(together, solve(&p, pass, &mut plain, &[&p.islands]), "seed {seed}");
    }
}
