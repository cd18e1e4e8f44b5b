//! Every real world loads and runs for five seconds without losing its numbers.

use std::path::{Path, PathBuf};

use super::support::{Run, shared};

/// What a world needs that the engine does not have yet, found by reading the reports of the run.
fn worlds(folder: &Path) -> Vec<PathBuf> {
    let mut list: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .flat_map(|p| if p.is_dir() { worlds(&p) } else { vec![p] })
        .filter(|p| p.extension().is_some_and(|e| e == "world" || e == "sdf"))
        .collect();
    list.sort();
    list
}

#[test]
fn every_world_runs_for_five_seconds() {
    let Some(shared) = shared() else { return };
    let mut count = 0;
    for world in worlds(&shared.join("worlds")) {
        let began = std::time::Instant::now();
        let mut run = Run::load(std::slice::from_ref(&world), &[], |_| {});
        run.until(5.0);
        let name = world.strip_prefix(&shared).unwrap().display().to_string();
        for link in &run.simulation.links {
            assert!(run.simulation.link_pose(link).is_finite(), "{name}: {}", link.name);
        }
        assert!(run.simulation.world.report().quarantined.is_empty(), "{name}");
        let fastest =
            run.simulation.links.iter().map(|l| run.simulation.link_velocity(l).0.length()).fold(0.0, f64::max);
        let left = run.simulation.left_out.iter().map(|part| part.what.as_str()).collect::<Vec<_>>().join("; ");
        println!(
            "{name}: {} links, fastest {fastest:.3} m/s, {:.2} s; {left}",
            run.simulation.links.len(),
            began.elapsed().as_secs_f64()
        );
        count += 1;
    }
    assert!(count >= 86, "{count}");
}
