//! Macro files are expanded by the `xacro` program on PATH.
#![allow(clippy::unwrap_used, missing_docs)]
#![cfg(unix)]

use crate::common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use common::stiction;
use stiction_testing::python_with;

const LINK: &str = "<link name='a'><inertial><mass value='MASS'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>";

fn macro_file() -> String {
    format!(
        "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:arg name='mass' default='2'/>{}</robot>",
        LINK.replace("'MASS'", "\"${2 * float('$(arg mass)')}\"")
    )
}

fn program(folder: &Path, script: &str) {
    let path = folder.join("xacro");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Output and exit code of `list FILE`.
fn list(folder: &Path, file: &str, path: &str, more: &[&str]) -> (String, String, Option<i32>) {
    let output = stiction(folder).env("PATH", path).args(["list", file, "--json"]).args(more).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn a_program_on_path_expands_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    for name in ["r.urdf.xacro", "r.urdf"] {
        fs::write(folder.path().join(name), macro_file()).unwrap();
        program(
            &bin,
            &format!("test \"$2\" = mass:=3 && echo \"<robot name='r'>{}</robot>\"", LINK.replace("MASS", "6")),
        );
        let (out, err, code) = list(folder.path(), name, &path, &["--xacro-arg", "mass=3"]);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains("\"mass\": 6.0"), "{out}");
        program(&bin, "echo 'error: Undefined substitution argument mass' >&2; exit 2");
        let (_, err, code) = list(folder.path(), name, &path, &[]);
        assert_eq!(code, Some(1));
        assert!(err.contains("error[xacro]") && err.contains("Undefined substitution argument mass"), "{err}");
        let (_, err, code) = list(folder.path(), name, &folder.path().display().to_string(), &[]);
        assert_eq!(code, Some(1));
        assert!(err.contains("pip install xacro"), "{err}");
    }
    // Findings of the expanded text have its lines.
    program(&bin, "echo \"<robot name='r'>\n<link name='a'><inertial><mass value='x'/></inertial></link></robot>\"");
    let (_, err, _) = list(folder.path(), "r.urdf.xacro", &path, &[]);
    assert!(err.contains("r.urdf.xacro (expanded):2:"), "{err}");
}

#[test]
fn the_real_program_expands_the_file() {
    let Some(python) = python_with(&[("xacro", "xacro")]) else { return };
    let bin = python.parent().unwrap().display().to_string();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r.urdf.xacro"), macro_file()).unwrap();
    let path = format!("{bin}:/usr/bin:/bin");
    for (more, mass) in [(&[][..], "4.0"), (&["--xacro-arg", "mass:=5"][..], "10.0")] {
        let (out, err, code) = list(folder.path(), "r.urdf.xacro", &path, more);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains(&format!("\"mass\": {mass}")), "{out}");
    }
    fs::write(folder.path().join("r.urdf.xacro"), macro_file().replace("arg mass)", "arg weight)")).unwrap();
    let (_, err, code) = list(folder.path(), "r.urdf.xacro", &path, &[]);
    assert_eq!(code, Some(1));
    assert!(err.contains("weight"), "{err}");
}

/// `$(find NAME)` without ROS: each way to say where a package is, and what to do where none does.
#[test]
fn packages_are_found_without_ros() {
    let Some(python) = python_with(&[("xacro", "xacro")]) else { return };
    let path = format!("{}:/usr/bin:/bin", python.parent().unwrap().display());
    let folder = tempfile::tempdir().unwrap();
    let folder = fs::canonicalize(folder.path()).unwrap();
    // The robot's package has another name than its folder, and includes a file of a second package.
    let own = folder.join("space/src/robot");
    fs::create_dir_all(own.join("urdf")).unwrap();
    fs::create_dir_all(own.join("meshes")).unwrap();
    fs::write(own.join("package.xml"), "<package><name>robot_description</name></package>").unwrap();
    let mesh = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
    fs::write(own.join("meshes/m.stl"), mesh).unwrap();
    let robot = "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\
        <xacro:include filename='$(find arm_parts)/arm.xacro'/><link name='base'>\
        <inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>\
        <collision><geometry><mesh filename='file://$(find robot_description)/meshes/m.stl'/></geometry></collision></link></robot>";
    fs::write(own.join("urdf/r.urdf.xacro"), robot).unwrap();
    let arm = |mass: u32| {
        format!(
            "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><link name='arm'><inertial><mass value='${{2 * {mass}}}'/>\
             <inertia ixx='1' iyy='1' izz='1'/></inertial></link>\
             <joint name='j' type='fixed'><parent link='base'/><child link='arm'/></joint></robot>"
        )
    };
    let listed = |variables: &[(&str, &Path)], more: &[&str]| {
        let mut command = stiction(&folder);
        command.env("PATH", &path).envs(variables.iter().copied()).args(["list", "space/src/robot/urdf/r.urdf.xacro"]);
        let output = command.args(more).arg("--json").output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (out, err, output.status.code())
    };
    let (_, err, code) = listed(&[], &[]);
    assert_eq!(code, Some(1));
    assert!(err.contains("there is no package `arm_parts`"), "{err}");
    for way in ["--package arm_parts=DIR", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "share/arm_parts"] {
        assert!(err.contains(way), "{way}: {err}");
    }
    // Beside the robot's package, in the environment, by an argument: the later ones win.
    let place = |at: &str, mass: u32| {
        fs::create_dir_all(folder.join(at)).unwrap();
        fs::write(folder.join(at).join("arm.xacro"), arm(mass)).unwrap();
    };
    let ros = folder.join("ros");
    let ament = folder.join("install");
    let package = "arm_parts=elsewhere/arm";
    place("space/src/arm_parts", 1);
    place("install/share/arm_parts", 2);
    place("ros/arm_parts", 3);
    place("elsewhere/arm", 4);
    for (variables, more, mass) in [
        (&[][..], &[][..], "2.0"),
        (&[("AMENT_PREFIX_PATH", ament.as_path())][..], &[][..], "4.0"),
        (&[("ROS_PACKAGE_PATH", ros.as_path())][..], &[][..], "6.0"),
        (&[("ROS_PACKAGE_PATH", ros.as_path())][..], &["--package", package][..], "8.0"),
    ] {
        let (out, err, code) = listed(variables, more);
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains(&format!("\"mass\": {mass}")), "{mass}: {out}");
        // The mesh of the robot's own package is found too.
        assert!(!err.contains("not-found") && !err.contains("outside"), "{err}");
    }
}
