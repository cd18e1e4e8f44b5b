//! Installs the libraries and tools that tests need, where that can be done without asking.

use std::path::Path;
use std::process::{Command, Stdio};

/// Packages of Debian, and a file each of them brings.
const PACKAGES: [(&str, &str); 8] = [
    ("libode-dev", "/usr/include/ode/ode.h"),
    ("python3-pyode", "/usr/lib/python3/dist-packages/ode"),
    ("pkg-config", "/usr/bin/pkg-config"),
    ("cmake", "/usr/bin/cmake"),
    ("libbullet-dev", "/usr/include/bullet/btBulletDynamicsCommon.h"),
    ("libdart-dev", "/usr/include/dart/simulation/World.hpp"),
    ("valgrind", "/usr/bin/valgrind"),
    ("libsimbody-dev", "/usr/include/simbody/Simbody.h"),
];

/// Installs what is missing, if this is Debian and we are root; tests whose peer is missing skip, loudly.
pub(crate) fn install() {
    let missing: Vec<&str> = PACKAGES.iter().filter(|p| !is_there(p.1)).map(|p| p.0).collect();
    if missing.is_empty() {
        return;
    }
    let names = missing.join(" ");
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.starts_with(b"0\n"));
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).args(&missing).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command.status().is_ok_and(|s| s.success())
    };
    let install = ["install", "-y", "--no-install-recommends"];
    let update = || Command::new("apt-get").arg("update").stdout(Stdio::null()).status().is_ok_and(|s| s.success());
    if is_root && (apt(&install) || (update() && apt(&install))) {
        println!("installed: {names}");
    } else {
        println!("!!! not installed, tests that need it are skipped (Debian: apt-get install {names})");
    }
}

/// Everything that tests need of the machine is there.
pub(crate) fn are_all_there() -> bool {
    PACKAGES.iter().all(|p| is_there(p.1))
}

/// The file, or one whose name starts so.
fn is_there(path: &str) -> bool {
    let path = Path::new(path);
    let (Some(folder), Some(start)) = (path.parent(), path.file_name().and_then(|n| n.to_str())) else { return false };
    std::fs::read_dir(folder)
        .is_ok_and(|files| files.flatten().any(|f| f.file_name().to_string_lossy().starts_with(start)))
}
