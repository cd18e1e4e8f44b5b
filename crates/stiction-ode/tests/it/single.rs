//! A build in single precision, without optimization.

use crate::common;

use std::path::Path;
use std::process::Command;

#[test]
fn single_precision_works() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = stiction_testing::target_folder().join("unoptimized");
    let output = stiction_testing::unoptimized_cargo(env!("CARGO"))
        .current_dir(root)
        .args(["build", "--offline", "-p", "stiction-ode", "--features", "single"])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let library = target.join("debug/libode.so");
    if !library.exists() {
        stiction_testing::skip(stiction_testing::Missing::Tool, "this library was not built as libode.so");
        return;
    }
    let program = target.join("single_program");
    let link = target.join("libode.so.8");
    let _ = std::fs::remove_file(&link);
    std::fs::copy(&library, &link).expect("the library under its name");
    let mut cc = common::cc();
    cc.args(["-DdSINGLE", "-I"]).arg(common::headers()).arg("-o").args([
        &program,
        &root.join("tests/c/single.c"),
        &link,
    ]);
    if common::compile("single", cc.arg("-lm")).is_none() {
        return;
    }
    let run = Command::new(&program).env("LD_LIBRARY_PATH", &target).output().expect("the program starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}
