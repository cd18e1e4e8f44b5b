//! What a plugin cannot do under an engine.

use super::{How, find, of};
use crate::plugins::PluginEntry;

/// What the plugin cannot do under an engine, because the engine ignores the parameter through which it acts, and why; `None` where
/// it acts in full, or has no effect under any.
#[must_use]
pub fn limit_of_plugin(plugin: &PluginEntry, engine: &str) -> Option<String> {
    let [parameter, what] = plugin.through?;
    let usage = of(find(parameter)?, engine).filter(|usage| usage.how == How::Ignored)?;
    Some(format!("{what}: {}", usage.text))
}
