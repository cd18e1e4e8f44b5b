//! Parts that a build may leave out.

/// Says that a part is not built in, and how to get it.
#[must_use]
pub fn missing_feature(what: &str, feature: &str) -> String {
    format!(
        "this build has no {what}; `cargo install --locked --path crates/stiction-cli --features {feature}` adds it"
    )
}
