//! Parts that a build may leave out.
#![cfg_attr(
    all(feature = "decomposition", feature = "geotiff", feature = "jpeg", feature = "bmp"),
    expect(dead_code, reason = "nothing is left out")
)]

/// Says that a part is not built in, and how to get it.
pub(crate) fn missing(what: &str, feature: &str) -> String {
    format!("this build has no {what}; `cargo install --path crates/stiction-cli --features {feature}` adds it")
}
