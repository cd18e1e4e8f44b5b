//! The library's name for the loader, and the three functions that take a variable number of arguments. Exceptions that a
//! program's handler throws pass through the latter.

fn main() {
    println!("cargo:rerun-if-changed=src/variadic.c");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libode.so.8");
    cc::Build::new().file("src/variadic.c").warnings(true).flag("-fexceptions").compile("stiction_ode_variadic");
}
