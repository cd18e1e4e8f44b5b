//! Extrapolation of Gragg, Bulirsch and Stoer (Hairer, Nørsett, Wanner, *Solving Ordinary Differential Equations I*, II.9) of order 20.

use super::double_double::{Wide, wide};

/// Numbers of parts of a step: 2, 4, … 20.
const LEVELS: usize = 10;

/// The state after a step, `y′ = f(y)`.
pub fn step(f: &dyn Fn(&[Wide]) -> Vec<Wide>, y: &[Wide], h: Wide) -> Vec<Wide> {
    let mut table: Vec<Vec<Wide>> = Vec::new();
    for level in 0..LEVELS {
        let mut row = modified_midpoint(f, y, h, 2 * (level + 1));
        // Aitken and Neville in h²: the error of the midpoint rule has even powers only.
        for (k, previous) in table.iter_mut().enumerate() {
            let q = wide(((level + 1) * (level + 1)) as f64) / wide(((level - k) * (level - k)) as f64) - wide(1.0);
            let better = row.iter().zip(&*previous).map(|(new, old)| *new + (*new - *old) / q).collect();
            *previous = std::mem::replace(&mut row, better);
        }
        table.push(row);
    }
    table.swap_remove(LEVELS - 1)
}

fn modified_midpoint(f: &dyn Fn(&[Wide]) -> Vec<Wide>, y: &[Wide], h: Wide, parts: usize) -> Vec<Wide> {
    let part = h / wide(parts as f64);
    let along = |y: &[Wide], d: &[Wide], h: Wide| -> Vec<Wide> { y.iter().zip(d).map(|(y, d)| *y + h * *d).collect() };
    let (mut last, mut now) = (y.to_vec(), along(y, &f(y), part));
    for _ in 1..parts {
        let next = along(&last, &f(&now), part + part);
        last = std::mem::replace(&mut now, next);
    }
    // Gragg's smoothing step.
    let end = along(&last, &f(&now), part);
    now.iter().zip(end).map(|(a, b)| (*a + b) * wide(0.5)).collect()
}

/// States at every sample, each reached in so many steps.
pub fn samples(
    f: &dyn Fn(&[Wide]) -> Vec<Wide>,
    start: Vec<Wide>,
    interval: Wide,
    count: usize,
    steps: usize,
) -> Vec<Vec<Wide>> {
    let h = interval / wide(steps as f64);
    let mut states = vec![start];
    for sample in 0..count {
        let mut y = states[sample].clone();
        for _ in 0..steps {
            y = step(f, &y, h);
        }
        states.push(y);
    }
    states
}
