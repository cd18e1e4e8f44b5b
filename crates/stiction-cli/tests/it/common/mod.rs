//! What the tests of the command share.

use std::path::Path;

use assert_cmd::Command;

/// The command in a folder, apart from where the environment of the tester says that models are.
pub fn stiction(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    for variable in ["GZ_SIM_RESOURCE_PATH", "SDF_PATH", "ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH", "AMENT_PREFIX_PATH"] {
        command.env_remove(variable);
    }
    command.current_dir(folder);
    command
}
