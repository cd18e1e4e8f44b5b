//! Many environments of one scene at once: a batch of ours, and MuJoCo's, by turns.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Program;
use std::time::Instant;

use clap::Parser;
use stiction::batch::{Actuator, Batch, Command, Quantity};
use stiction::joints::{Drive, DriveGains};
use stiction::world::{Preset, WorldParameters};
use stiction_bench::engines::{mjcf, mujoco_batch};
use stiction_bench::{machine, sources};
use stiction_scenes::{Loaded, Scene, parse};

#[derive(Parser)]
#[command(about = "Steps many environments of a scene with batches of Stiction and of MuJoCo")]
struct Options {
    /// Scenes
    #[arg(long, value_delimiter = ',', default_value = "arm7,quad1")]
    scenes: Vec<String>,
    /// Numbers of environments
    #[arg(long, value_delimiter = ',', default_value = "1,64,1024")]
    environments: Vec<usize>,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Steps of a call
    #[arg(long, default_value_t = 20)]
    steps: u32,
    /// Steps of all environments in a run
    #[arg(long, default_value_t = 400_000)]
    total: usize,
    /// Rounds: in each, every engine runs once
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

/// Who steps the environments.
#[derive(Clone, Copy)]
enum Engine {
    /// Ours; servos are drives of the model.
    Drives,
    /// Ours; the torques of servos are computed from arrays before each step.
    Torques,
    /// MuJoCo, whose servos are actuators of the model.
    MuJoCo,
}

const ENGINES: [(&str, Engine); 3] =
    [("stiction", Engine::Drives), ("stiction, torques", Engine::Torques), ("mujoco", Engine::MuJoCo)];

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let target = stiction_testing::target_folder().join("bench");
    let folder = sources::prepare(&target)?.folder;
    let peer = mujoco_batch(&target.join("peers"));
    println!("machine: {}", machine::describe());
    println!(
        "{} threads, {} steps a call; time of a step of one environment, by the clock on the wall\n",
        options.threads, options.steps
    );
    println!(
        "{:12}{:>14}  {:20}{:>10}{:>16}{:>12}",
        "scene", "environments", "engine", "µs", "steps a second", "to MuJoCo"
    );
    for name in &options.scenes {
        let scene = parse(&fs::read_to_string(folder.join(format!("{name}.scene")))?)?;
        for count in &options.environments {
            compare(&scene, *count, &options, &peer)?;
        }
    }
    if let Err(reason) = peer {
        println!("skipped: MuJoCo: {reason}");
    }
    Ok(())
}

/// Runs all engines by turns and prints the medians of their rounds.
fn compare(
    scene: &Scene,
    count: usize,
    options: &Options,
    peer: &Result<PathBuf, String>,
) -> Result<(), Box<dyn Error>> {
    let mut times = [const { Vec::new() }; ENGINES.len()];
    for _ in 0..options.rounds.max(1) {
        for ((_, engine), times) in ENGINES.iter().zip(&mut times) {
            match (engine, peer) {
                (Engine::MuJoCo, Ok(peer)) => times.push(run_peer(peer, scene, count, options)?),
                (Engine::MuJoCo, Err(_)) => {}
                (engine, _) => times.push(run(scene, count, options, matches!(engine, Engine::Drives))?),
            }
        }
    }
    let medians = times.map(median);
    let of_peer = medians[2];
    for ((name, _), time) in ENGINES.iter().zip(medians).filter(|(_, time)| time.is_finite()) {
        let ratio = of_peer / time;
        let ratio = if ratio.is_finite() { format!("{ratio:.2}") } else { "-".to_owned() };
        println!("{:12}{count:14}  {name:20}{time:10.3}{:16.0}{ratio:>12}", scene.name, 1e6 / time);
    }
    Ok(())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Calls of a run.
fn calls(count: usize, options: &Options) -> usize {
    (options.total / (count * options.steps as usize)).max(6)
}

/// Median time of a step of one environment over the later half of the calls \[µs\].
fn run(scene: &Scene, count: usize, options: &Options, has_drives: bool) -> Result<f64, Box<dyn Error>> {
    let mut parameters = WorldParameters { residual_interval: 0, audit: false, ..WorldParameters::default() };
    Preset::Stiction.apply(&mut parameters);
    let Loaded { mut world, servos, step, .. } = scene.build(parameters)?;
    for servo in servos.iter().filter(|_| has_drives) {
        let [stiffness, damping] = servo.gains;
        if let Some(law) = world.joint_parameters_mut(servo.joint, 0) {
            law.drive = Some(Drive::new(0.0, 0.0, DriveGains::Soft { stiffness, damping }));
        }
    }
    let mut batch = Batch::new(&world, count);
    batch.set_threads(options.threads);
    let command = if has_drives { Command::Position } else { Command::Force };
    let actuators: Vec<Actuator> =
        servos.iter().map(|servo| Actuator { joint: servo.joint, axis: 0, command }).collect();
    batch.set_actuators(&actuators)?;
    let columns = batch.motions().len();
    let column = |servo: &stiction_scenes::Servo| batch.motions().iter().position(|own| *own == (servo.joint, 0));
    let places: Vec<usize> = servos.iter().filter_map(column).collect();
    let (mut angles, mut rates) = (vec![0.0; count * columns], vec![0.0; count * columns]);
    let mut torques = vec![0.0; count * servos.len()];
    let mut times = Vec::new();
    for _ in 0..calls(count, options) {
        let begun = Instant::now();
        if has_drives {
            batch.step(step, options.steps)?;
        } else {
            for _ in 0..options.steps {
                batch.read_into(Quantity::Positions, &mut angles)?;
                batch.read_into(Quantity::Rates, &mut rates)?;
                for (environment, row) in torques.chunks_exact_mut(servos.len().max(1)).enumerate() {
                    for ((servo, place), torque) in servos.iter().zip(&places).zip(row) {
                        let at = environment * columns + place;
                        *torque = -servo.gains[0] * angles[at] - servo.gains[1] * rates[at];
                    }
                }
                batch.set_commands(&torques)?;
                batch.step(step, 1)?;
            }
        }
        times.push(begun.elapsed().as_secs_f64() * 1e6 / (count * options.steps as usize) as f64);
    }
    Ok(median(times.split_off(times.len() / 2)))
}

/// The same of MuJoCo's batch.
fn run_peer(peer: &Path, scene: &Scene, count: usize, options: &Options) -> Result<f64, Box<dyn Error>> {
    let model = peer.with_file_name(format!("{}_batch.xml", scene.name));
    fs::write(&model, mjcf::write(scene))?;
    let words =
        [count, options.threads, options.steps as usize, calls(count, options)].map(|number| number.to_string());
    let output = Program::new(peer).arg(&model).args(words).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let time = text.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    time.ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned().into())
}
