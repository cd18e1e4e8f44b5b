//! `cargo xtask install --prefix DIR [--library FILE]`: the library under ODE's name, its headers, and what build tools look for.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::root;

/// What `pkg-config --modversion ode` and `find_package(ode VERSION …)` say: the version of the interface.
const VERSION: &str = "0.16.2";
const FILE: &str = "libode.so.8";

pub fn run(arguments: &[String]) -> ExitCode {
    let value = |name: &str| arguments.iter().position(|a| a == name).and_then(|at| arguments.get(at + 1));
    let Some(prefix) = value("--prefix") else {
        eprintln!("usage: cargo xtask install --prefix DIR [--library FILE]");
        return ExitCode::from(2);
    };
    let Some(library) = value("--library").map(PathBuf::from).or_else(build) else { return ExitCode::FAILURE };
    match install(&library, Path::new(prefix)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{prefix}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the library and says where it is.
fn build() -> Option<PathBuf> {
    let mut cargo = crate::cargo();
    cargo.current_dir(root()).args(["build", "--release", "-p", "stiction-ode"]);
    if !cargo.status().is_ok_and(|status| status.success()) {
        return None;
    }
    Some(stiction_testing::target_folder().join("release/libode.so"))
}

fn install(library: &Path, prefix: &Path) -> io::Result<()> {
    std::fs::create_dir_all(prefix)?;
    let prefix = prefix.canonicalize()?;
    let (lib, include) = (prefix.join("lib"), prefix.join("include/ode"));
    let (pkgconfig, cmake) = (lib.join("pkgconfig"), lib.join("cmake/ode"));
    for directory in [&include, &pkgconfig, &cmake] {
        std::fs::create_dir_all(directory)?;
    }
    // Beside its place first: programs may have the old one loaded.
    let fresh = lib.join(format!("{FILE}.new"));
    std::fs::copy(library, &fresh)?;
    std::fs::rename(&fresh, lib.join(FILE))?;
    let link = lib.join("libode.so");
    let _ = std::fs::remove_file(&link);
    symlink(FILE, &link)?;
    for header in std::fs::read_dir(root().join("crates/stiction-ode/include/ode"))? {
        let header = header?;
        std::fs::copy(header.path(), include.join(header.file_name()))?;
    }
    std::fs::write(pkgconfig.join("ode.pc"), package(&prefix))?;
    std::fs::write(cmake.join("ode-config.cmake"), CONFIG)?;
    std::fs::write(cmake.join("ode-config-version.cmake"), config_version())?;
    println!("{}", prefix.display());
    Ok(())
}

#[cfg(unix)]
fn symlink(target: &str, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(target: &str, link: &Path) -> io::Result<()> {
    std::fs::copy(link.with_file_name(target), link).map(|_| ())
}

fn package(prefix: &Path) -> String {
    format!(
        "prefix={}\nexec_prefix=${{prefix}}\nlibdir=${{exec_prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: ode\nDescription: ODE's interface on the Stiction engine\nVersion: {VERSION}\n\
         Libs: -L${{libdir}} -Wl,-rpath,${{libdir}} -lode\nCflags: -I${{includedir}} -DdDOUBLE\n",
        prefix.display()
    )
}

/// The target is found from the file's own place, so that the prefix may be moved.
const CONFIG: &str = r#"# ODE's interface on the Stiction engine: the target ODE::ODE.
get_filename_component(_ode_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET ODE::ODE)
  add_library(ODE::ODE SHARED IMPORTED)
  set_target_properties(ODE::ODE PROPERTIES
    IMPORTED_LOCATION "${_ode_prefix}/lib/libode.so.8"
    IMPORTED_SONAME "libode.so.8"
    INTERFACE_COMPILE_DEFINITIONS "dDOUBLE"
    INTERFACE_INCLUDE_DIRECTORIES "${_ode_prefix}/include")
endif()
set(ODE_FOUND TRUE)
set(ODE_INCLUDE_DIRS "${_ode_prefix}/include")
set(ODE_LIBRARIES ODE::ODE)
unset(_ode_prefix)
"#;

/// Programs ask for 0.16 or less.
fn config_version() -> String {
    format!(
        "set(PACKAGE_VERSION \"{VERSION}\")\n\
         if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)\n  set(PACKAGE_VERSION_COMPATIBLE FALSE)\nelse()\n  \
         set(PACKAGE_VERSION_COMPATIBLE TRUE)\n  if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)\n    \
         set(PACKAGE_VERSION_EXACT TRUE)\n  endif()\nendif()\n"
    )
}
