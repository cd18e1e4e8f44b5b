//! The examples, built as a user builds them against an installed prefix, with pkg-config and with CMake.

use crate::common;

use std::path::{Path, PathBuf};
use std::process::Command;

fn skip(what: &str) {
    stiction_testing::skip(stiction_testing::Missing::Tool, what);
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c")
}

/// Installs the library that this test was built with.
fn install(prefix: &Path, library: &Path) {
    let output = Command::new(env!("CARGO"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .args(["xtask", "install", "--library"])
        .arg(library)
        .arg("--prefix")
        .arg(prefix)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn assert_runs(program: &Path) {
    let output = Command::new(program).env_remove("LD_LIBRARY_PATH").output().expect("the example runs");
    assert!(output.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&output.stdout));
}

#[test]
fn examples_build_against_an_installed_prefix() {
    if !cfg!(target_os = "linux") {
        return skip("not Linux");
    }
    let Some(library) = common::our_library() else { return skip("this library was not built as libode.so") };
    let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prefix");
    install(&prefix, &library);
    assert!(prefix.join("lib/libode.so").exists() && prefix.join("include/ode/ode.h").exists());
    with_pkg_config(&prefix);
    with_cmake(&prefix);
}

fn with_pkg_config(prefix: &Path) {
    let output = Command::new("pkg-config")
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .args(["--cflags", "--libs", "ode"])
        .output();
    let Ok(output) = output else { return skip("no pkg-config") };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let flags = String::from_utf8_lossy(&output.stdout).into_owned();
    for (compiler, source) in [("cc", "falling_chain.c"), ("c++", "pendulum.cpp")] {
        let program = prefix.join(source).with_extension("out");
        let mut command = Command::new(compiler);
        command.args(["-O1", "-Wall", "-Wextra", "-pedantic"]).arg(examples().join(source)).arg("-o").arg(&program);
        let Some(()) = common::compile(source, command.args(flags.split_whitespace()).arg("-lm")) else { continue };
        assert_runs(&program);
    }
}

fn with_cmake(prefix: &Path) {
    let build = prefix.join("build");
    let configured = Command::new("cmake")
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()))
        .arg("-S")
        .arg(examples())
        .arg("-B")
        .arg(&build)
        .output();
    let Ok(configured) = configured else { return skip("no cmake") };
    assert!(configured.status.success(), "{}", String::from_utf8_lossy(&configured.stderr));
    let built = Command::new("cmake").arg("--build").arg(&build).output().expect("cmake runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for program in ["falling_chain", "pendulum"] {
        assert_runs(&build.join(program));
    }
}
