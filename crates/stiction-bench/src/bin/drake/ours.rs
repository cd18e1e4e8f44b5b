//! Our own run of a scene.

use std::path::Path;

use serde::Deserialize;
use stiction::dynamics::gyroscopic::Gyroscopic;
use stiction::material::ManifoldRule;
use stiction::math::{DQuat, DVec3, Pose};
use stiction::world::{Coordinates, FreeMotionRule, Preset, TreeMotion, WorldParameters};
use stiction_bench::clock::microseconds;
use stiction_run::Setup;

use crate::scene::{ACCURACY, Mode, STEP, STICTION_TOLERANCE, Scene};

/// What came of a run, ours or a peer's.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Run {
    /// Time on the core, loading excluded \[s\].
    pub(crate) seconds: f64,
    /// Position and rotation (w, x, y, z) of each link at the end.
    pub(crate) poses: Vec<[f64; 7]>,
    /// Mechanical energy before and after \[J\].
    pub(crate) energy: [f64; 2],
}

impl Run {
    /// Pose of a link.
    pub(crate) fn pose(&self, link: usize) -> Pose {
        let [x, y, z, qw, qx, qy, qz] = self.poses[link];
        Pose::new(DVec3::new(x, y, z), DQuat::from_xyzw(qx, qy, qz, qw))
    }
}

fn set(parameters: &mut WorldParameters, mode: Mode) {
    match mode {
        // As Drake has it.
        Mode::DrakeDiscrete => {
            Preset::DrakeDiscrete.apply(parameters);
            parameters.manifold = ManifoldRule::Single;
            parameters.tree_motion = TreeMotion::Explicit;
            parameters.gyroscopic = Gyroscopic::Explicit;
            parameters.free_motion = FreeMotionRule::LinkOrigin;
        }
        Mode::DrakeContinuous => {
            Preset::DrakeContinuous.apply(parameters);
            parameters.manifold = ManifoldRule::Single;
        }
        Mode::Sweeps => Preset::OdeQuick.apply(parameters),
        Mode::Direct => Preset::OdeWorld.apply(parameters),
    }
    parameters.coordinates = Coordinates::Reduced;
    parameters.compliant.stiction_tolerance = STICTION_TOLERANCE;
    parameters.integrator.accuracy = ACCURACY;
    parameters.integrator.max_step = STEP;
    // The peers do not measure the residual of their rows, and do not put bodies to sleep.
    parameters.residual_interval = 0;
    parameters.sleeping = false;
}

/// Runs a scene once.
///
/// # Errors
/// What the file lacks.
pub(crate) fn run(scene: &Scene, file: &Path, mode: Mode, duration: f64) -> Result<Run, String> {
    let project = Setup::new(file).load().map_err(|e| e.to_string())?;
    let mut simulation = project.start_with(|p| set(p, mode)).map_err(|e| e.to_string())?.into_simulation();
    let link = |name: &String| {
        simulation.links.iter().find(|l| l.name.rsplit("::").next() == Some(name)).ok_or(format!("no link {name}"))
    };
    let links = scene.links.iter().map(|name| link(name).cloned()).collect::<Result<Vec<_>, _>>()?;
    for (name, [vx, vy, vz, wx, wy, wz]) in &scene.velocities {
        let body = link(name)?.body;
        let Some(mut body) = body.and_then(|b| simulation.world.body_mut(b)) else { continue };
        body.set_velocity(DVec3::new(*vx, *vy, *vz)).map_err(|e| e.to_string())?;
        body.set_omega(DVec3::new(*wx, *wy, *wz)).map_err(|e| e.to_string())?;
    }
    let steps = (duration / STEP).round() as usize;
    let world = &mut simulation.world;
    let before = world.energy().total();
    let start = microseconds();
    for _ in 0..steps {
        world.step(STEP);
    }
    let seconds = 1e-6 * (microseconds() - start);
    let energy = [before, world.energy().total()];
    let poses = links.iter().map(|l| {
        let Pose { position: p, rotation: q } = simulation.link_pose(l);
        [p.x, p.y, p.z, q.w, q.x, q.y, q.z]
    });
    Ok(Run { seconds, poses: poses.collect(), energy })
}
