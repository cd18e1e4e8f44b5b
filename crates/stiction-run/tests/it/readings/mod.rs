//! Readings of sensors and recorded forces, judged by closed forms and by balances of momentum.

mod forms;
mod impulses;
mod wrenches;

use super::plugins::random::Random;
use stiction::math::{DQuat, DVec3};
use stiction_run::Setup;

/// A file in a folder of its own.
pub fn file(text: &str, name: &str) -> Setup {
    let path = tempfile::tempdir().unwrap().keep().join(name);
    std::fs::write(&path, text).unwrap();
    Setup::new(path)
}

pub fn point(random: &mut Random, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.within(-size, size)))
}

pub fn angles(random: &mut Random) -> [f64; 3] {
    std::array::from_fn(|_| random.within(-1.5, 1.5))
}

/// Rotation of roll, pitch and yaw, fixed axes.
pub fn rotation([roll, pitch, yaw]: [f64; 3]) -> DQuat {
    DQuat::from_rotation_z(yaw) * DQuat::from_rotation_y(pitch) * DQuat::from_rotation_x(roll)
}

/// A pose as files have it.
pub fn words(p: DVec3, [roll, pitch, yaw]: [f64; 3]) -> String {
    format!("{} {} {} {roll} {pitch} {yaw}", p.x, p.y, p.z)
}
