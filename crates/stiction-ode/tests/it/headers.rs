//! The headers: clean in C and C++, and the same layouts and values as the stock ones.

use crate::common;

use std::path::Path;
use std::process::Command;

use common::{Library, Program, headers};

/// Compiles one line that includes everything, and finds no warning.
fn assert_clean(compiler: &str, name: &str, options: &[&str]) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, "#include <ode/ode.h>\n#include <ode/stiction.h>\nint main(void) { return 0; }\n")
        .expect("a file");
    let mut command = Command::new(compiler);
    command
        .args(options)
        .args(["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I"])
        .arg(headers())
        .arg(&file);
    common::compile(name, &mut command);
}

#[test]
fn headers_are_clean_c_and_cpp() {
    for precision in ["-DdDOUBLE", "-DdSINGLE"] {
        for standard in ["-std=c89", "-std=c99", "-std=c17"] {
            assert_clean("cc", "all.c", &[standard, precision]);
        }
        for standard in ["-std=c++98", "-std=c++11", "-std=c++20"] {
            assert_clean("c++", "all.cpp", &[standard, precision]);
        }
    }
}

/// Each header stands alone.
#[test]
fn headers_stand_alone() {
    for entry in std::fs::read_dir(headers().join("ode")).expect("headers") {
        let header = entry.expect("a header").path();
        let mut command = Command::new("cc");
        command.args(["-std=c89", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", "-I"]).arg(headers());
        common::compile("headers", command.arg(&header));
    }
}

#[test]
fn layout_is_the_stock_one() {
    let Some(stock) = Program::build("layout") else { return };
    let Some(ours) = Program::build_with_our_headers("layout") else { return };
    let expected = stock.run(Library::Stock, &[]);
    assert_eq!(ours.run(Library::Ours, &[]), expected);
    assert_eq!(stock.run(Library::Ours, &[]), expected);
}

/// Declarations of the table stand beside the stock headers: same types of results and parameters.
#[test]
fn declarations_agree_with_the_stock_ones() {
    let table = std::fs::read_to_string(headers().join("functions.tsv")).expect("the table");
    let mut text = "#include <ode/ode.h>\n#include <ode/cooperative.h>\n#include <ode/matrix_coop.h>\n\
        #include <ode/export-dif.h>\n#undef dQtoR\n#undef dRtoQ\n#undef dWtoDQ\n#undef dCreateCCylinder\n\
        #undef dGeomCCylinderSetParams\n#undef dGeomCCylinderGetParams\n#undef dGeomCCylinderPointDepth\n"
        .to_owned();
    for line in table.lines() {
        let declaration = line.split('\t').nth(1).expect("a declaration");
        text += declaration.split(" ODE_CALLS").next().unwrap_or_default();
        text += ";\n";
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("declarations.c");
    std::fs::write(&file, text).expect("a file");
    let mut command = Command::new("cc");
    common::compile("declarations", command.args(["-w", "-fsyntax-only"]).arg(&file));
}
