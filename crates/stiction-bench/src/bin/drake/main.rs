//! Our steps beside those of Drake and MuJoCo: the same scenes, in one run, by turns.

mod articulated_scenes;
mod contact_scenes;
mod ours;
mod peer;
mod scene;

use std::error::Error;
use std::fs;
use std::path::Path;

use clap::Parser;

use ours::Run;
use peer::Peer;
use scene::{Mode, STEP, Scene};

#[derive(Parser)]
#[command(about = "Steps scenes with Stiction and with Drake or MuJoCo, and compares")]
struct Options {
    /// Runs of each engine; the fastest counts
    #[arg(long, default_value_t = 3)]
    repeats: usize,
    /// Only scenes whose name starts with this
    #[arg(long, default_value = "")]
    only: String,
    /// Only the mode of this name: discrete, continuous, sweeps, direct
    #[arg(long)]
    mode: Option<String>,
    /// Our own runs alone
    #[arg(long)]
    alone: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let folder = stiction_testing::target_folder().join("bench/drake");
    fs::create_dir_all(&folder)?;
    let start = |script: &str, package: &str| {
        if options.alone {
            return None;
        }
        Peer::start(script)
            .inspect_err(|words| eprintln!("!!! {package} takes no part (PYTHON=… with {package}): {words}"))
            .ok()
    };
    let mut drake = start("drake_peer.py", "drake==1.51.1");
    let mut mujoco = start("mujoco_peer.py", "mujoco");
    println!(
        "{:<10} {:<11} {:>9} {:>10} {:>8} {:>9} {:>10} {:>8}  {:<14} agreement",
        "scene", "mode", "µs/step", "peer", "ahead", "CPU s", "peer", "×real", "peer"
    );
    for scene in contact_scenes::all().into_iter().chain(articulated_scenes::all()) {
        if !scene.name.starts_with(&options.only) {
            continue;
        }
        for (mode, duration) in &scene.runs {
            if options.mode.as_ref().is_some_and(|m| m != mode.name()) {
                continue;
            }
            let peer = if mode.is_drake() { &mut drake } else { &mut mujoco };
            compare(&scene, *mode, *duration, peer.as_mut(), &options, &folder)?;
        }
    }
    Ok(())
}

/// Runs by turns, so that a busy machine slows both alike, and prints a line.
fn compare(
    scene: &Scene,
    mode: Mode,
    duration: f64,
    mut peer: Option<&mut Peer>,
    options: &Options,
    folder: &Path,
) -> Result<(), Box<dyn Error>> {
    let sdf = folder.join(format!("{}.sdf", scene.name));
    let mjcf = folder.join(format!("{}.xml", scene.name));
    fs::write(&sdf, &scene.sdf)?;
    if let Some(text) = &scene.mjcf {
        fs::write(&mjcf, text)?;
    }
    let (mut ours, mut theirs): (Option<Run>, Option<Run>) = (None, None);
    for _ in 0..options.repeats.max(1) {
        keep_faster(&mut ours, ours::run(scene, &sdf, mode, duration)?);
        if let Some(peer) = &mut peer {
            let file = if mode.is_drake() { &sdf } else { &mjcf };
            keep_faster(&mut theirs, peer.run(scene, file, mode, duration)?);
        }
    }
    let Some(ours) = ours else { return Ok(()) };
    let per_step = |run: &Run| 1e6 * run.seconds * STEP / duration;
    let theirs = theirs.as_ref();
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    println!(
        "{:<10} {:<11} {:>9.2} {:>10} {:>8} {:>9.4} {:>10} {:>8.1}  {:<14} {}",
        scene.name,
        mode.name(),
        per_step(&ours),
        or_dash(theirs.map(|t| format!("{:.2}", per_step(t)))),
        or_dash(theirs.map(|t| format!("{:.2}", t.seconds / ours.seconds))),
        ours.seconds,
        or_dash(theirs.map(|t| format!("{:.4}", t.seconds))),
        duration / ours.seconds,
        peer.map_or("-", |p| &p.name),
        agreement(scene, mode, &ours, theirs)
    );
    Ok(())
}

fn keep_faster(best: &mut Option<Run>, run: Run) {
    if best.as_ref().is_none_or(|b| run.seconds < b.seconds) {
        *best = Some(run);
    }
}

/// That both did the same: how far apart links end; with joints also how far they gape and how energy changed.
fn agreement(scene: &Scene, mode: Mode, ours: &Run, theirs: Option<&Run>) -> String {
    let apart = theirs.map_or("-".to_owned(), |theirs| {
        let distance = |i: usize| (ours.pose(i).position - theirs.pose(i).position).length();
        format!("{:.2e} mm apart", 1e3 * (0..scene.links.len()).map(distance).fold(0.0, f64::max))
    });
    if mode.is_drake() {
        return apart;
    }
    let gap = |run: &Run| {
        let gape = |([a, b], [p, q]): &([usize; 2], [[f64; 3]; 2])| {
            (run.pose(*a).point((*p).into()) - run.pose(*b).point((*q).into())).length()
        };
        1e3 * scene.hinges.iter().map(gape).fold(0.0, f64::max)
    };
    let change = |run: &Run| run.energy[1] - run.energy[0];
    let two = |f: &dyn Fn(&Run) -> f64| {
        format!("{:.1e} / {}", f(ours), theirs.map_or("-".to_owned(), |t| format!("{:.1e}", f(t))))
    };
    format!("{apart}, gaps {} mm, energy {} J", two(&gap), two(&change))
}
