//! Compiles the harness with the headers inside `physx-sys`.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let headers = sources().join("physx/physx/include");
    println!("cargo::rerun-if-changed=physx.cpp");
    println!("cargo::rerun-if-changed=../common/harness.hpp");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .warnings(false)
        .define("NDEBUG", None)
        .define("PX_PHYSX_STATIC_LIB", None)
        .define("DISABLE_CUDA_PHYSX", None)
        .include(&headers)
        .include(headers.join("foundation"))
        .file("physx.cpp")
        .compile("physx_peer");
}

/// The folder that cargo unpacked `physx-sys` into; the crate does not pass it on.
fn sources() -> PathBuf {
    let cargo = std::env::var_os("CARGO").expect("cargo sets CARGO");
    let target = std::env::var("TARGET").expect("cargo sets TARGET");
    let options = ["metadata", "--format-version", "1", "--offline", "--filter-platform", &target];
    let output = Command::new(cargo).args(options).output().expect("cargo metadata");
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let manifest = text
        .split("\"manifest_path\":\"")
        .filter_map(|rest| rest.split('"').next())
        .find(|path| path.contains("/physx-sys-"))
        .expect("physx-sys is a dependency");
    Path::new(manifest).parent().expect("a manifest is in a folder").to_path_buf()
}
