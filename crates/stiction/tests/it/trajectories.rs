//! The engine beside trajectories that were computed without it, in `testdata/trajectories`.
//!
//! `cargo test --release -p stiction --test it trajectories -- --ignored` writes the files anew.
#![allow(clippy::unwrap_used, missing_docs)]

mod double_double;
mod extrapolation;
mod models;
mod references;

use std::path::{Path, PathBuf};

use models::Model;
use stiction::world::Coordinates;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/trajectories")
}

#[test]
#[ignore = "writes testdata/trajectories"]
fn write_the_references() {
    std::fs::create_dir_all(folder()).unwrap();
    for reference in references::all() {
        std::fs::write(folder().join(reference.name).with_extension("csv"), reference.text()).unwrap();
    }
}

#[test]
fn the_files_are_what_the_equations_give() {
    for reference in references::all() {
        let path = folder().join(reference.name).with_extension("csv");
        assert_eq!(std::fs::read_to_string(path).unwrap(), reference.text(), "{}", reference.name);
    }
    assert_eq!(std::fs::read_dir(folder()).unwrap().count(), references::all().len());
}

/// Rows of a file, without the time.
fn rows(name: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(folder().join(name).with_extension("csv")).unwrap();
    text.lines().skip(2).map(|line| line.split(',').skip(1).map(|x| x.parse().unwrap()).collect()).collect()
}

/// Largest difference from the file after steps of 0.1 s over `parts`, beside the largest value in the file.
fn error(model: &Model, coordinates: Coordinates, parts: usize) -> f64 {
    let rows = rows(model.name);
    let mut running = (model.build)(coordinates);
    let scale = rows.iter().flatten().fold(0.0f64, |largest, x| largest.max(x.abs()));
    let mut worst = 0.0f64;
    let step = 0.1 / parts as f64;
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            for _ in 0..parts {
                running.world.step(step);
            }
        }
        let found = (model.read)(&running);
        assert_eq!(found.len(), row.len(), "{}", model.name);
        for (column, (a, b)) in found.iter().zip(row).enumerate() {
            // Nothing has acted on anything before the first step.
            if number > 0 || column < model.kinematic {
                worst = worst.max((a - b).abs() / scale);
            }
        }
    }
    worst
}

#[test]
fn the_engine_follows_the_references() {
    for model in models::ALL {
        for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
            let (coarse, fine) = (error(model, coordinates, 100), error(model, coordinates, 400));
            println!("{} {coordinates:?}: {coarse:.2e} at 1 ms, {fine:.2e} at 0.25 ms", model.name);
            assert!(coarse < model.tolerance, "{} {coordinates:?}: {coarse:e}", model.name);
            // At least of first order, but for what is exact.
            assert!(fine < 0.35 * coarse || fine < 1e-7, "{} {coordinates:?}: {coarse:e}, {fine:e}", model.name);
        }
    }
}
