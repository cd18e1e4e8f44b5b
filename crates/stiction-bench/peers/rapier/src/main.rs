//! Rapier on a benchmark scene: `rapier-peer SCENE STEPS THREADS LIMIT OUT f64|f32 [impulse|multibody] [SUBSTEPS]`, as the other harnesses.

mod scene;

/// Double precision, 4 lanes.
#[path = "."]
mod double {
    pub use rapier3d_f64 as rapier;
    pub type Real = f64;
    #[path = "world.rs"]
    pub mod world;
}

/// Single precision, 8 lanes.
#[path = "."]
mod single {
    pub use rapier3d as rapier;
    pub type Real = f32;
    #[path = "world.rs"]
    pub mod world;
}

use std::fmt::Write;
use std::time::Instant;

/// What the loop needs of a world of either precision.
trait Peer {
    fn step(&mut self);
    fn contacts(&self) -> usize;
    /// Position, rotation (w x y z), velocity and angular velocity of a body.
    fn state(&self, body: usize) -> [f64; 13];
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if words.len() < 7 {
        eprintln!("usage: {} SCENE STEPS THREADS LIMIT OUT f64|f32 [impulse|multibody] [SUBSTEPS]", words[0]);
        std::process::exit(2);
    }
    let mut scene = scene::load(&words[1]);
    let steps: usize = words[2].parse().expect("STEPS");
    if steps > 0 {
        scene.steps = steps;
    }
    let limit: f64 = words[4].parse().expect("LIMIT");
    let multibody = words.get(7).is_some_and(|w| w == "multibody") && !scene.joints.is_empty();
    let substeps: usize = words.get(8).map_or(4, |w| w.parse().expect("SUBSTEPS"));
    let is_double = words[6] == "f64";
    let mut peer: Box<dyn Peer> = if is_double {
        Box::new(double::world::World::build(&scene, multibody, substeps))
    } else {
        Box::new(single::world::World::build(&scene, multibody, substeps))
    };
    let joints = if multibody { " multibody" } else { "" };
    let variant = format!("{} {substeps} sub-steps{joints}", if is_double { "f64" } else { "f32 8 lanes" });
    run(peer.as_mut(), &scene, limit, &words[5], &variant);
}

/// Steps, and prints one line of JSON; the same loop as in `common/harness.hpp`.
fn run(peer: &mut dyn Peer, scene: &scene::Scene, limit: f64, out: &str, variant: &str) {
    let (mut wall, mut core) = (Vec::new(), Vec::new());
    let (mut contacts, mut counted, mut made) = (0, 0, 0);
    let mut states = String::new();
    let begun = Instant::now();
    while made < scene.steps && begun.elapsed().as_secs_f64() < limit {
        let (start, c0) = (Instant::now(), core_us());
        peer.step();
        wall.push(start.elapsed().as_secs_f64() * 1e6);
        core.push(core_us() - c0);
        made += 1;
        if made % 16 == 0 && made > scene.steps / 2 {
            contacts += peer.contacts();
            counted += 1;
        }
        for record in (1..=4).filter(|r| made == scene.steps * r / 4) {
            for body in 0..scene.bodies.len() {
                write!(states, "{record} {body}").expect("strings take all");
                peer.state(body).iter().for_each(|x| write!(states, " {x:?}").expect("strings take all"));
                states.push('\n');
            }
        }
    }
    if out != "-" {
        std::fs::write(out, states).expect("OUT is writable");
    }
    let mean = if counted > 0 { contacts / counted } else { 0 };
    println!(
        "{{\"version\":\"0.36.1\",\"variant\":\"{variant}\",\"steps\":{made},\"core_us\":{:.3},\"wall_us\":{:.3},\"contacts\":{mean}}}",
        late_median(&core),
        late_median(&wall)
    );
}

/// Median of the later half.
fn late_median(times: &[f64]) -> f64 {
    let mut late = times[times.len() / 2..].to_vec();
    late.sort_by(f64::total_cmp);
    late.get(late.len() / 2).copied().unwrap_or(0.0)
}

/// Time that this thread has run [µs].
fn core_us() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 * 1e6 + t.tv_nsec as f64 * 1e-3
}
