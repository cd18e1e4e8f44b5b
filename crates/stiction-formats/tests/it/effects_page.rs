//! `docs/effects.md` is made from the tables of parameters, plugins and sensors.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write;
use std::path::Path;

use stiction_formats::plugins::{PluginRole, plugin_entries};
use stiction_formats::usage::{How, engines, leaves, limit_of_plugin, of};

/// Types of sensors with a reading.
const SENSORS: [&str; 9] = [
    "imu",
    "force_torque",
    "contact",
    "altimeter",
    "magnetometer",
    "navsat",
    "air_pressure",
    "air_speed",
    "logical_camera",
];

/// A row of the summary: what, cells, those that act, those that are said, and the judge.
fn summary(text: &mut String, what: &str, acting: usize, named: usize, judge: &str) {
    writeln!(text, "| {what} | {} | {acting} | {named} | `{judge}` |", acting + named).unwrap();
}

fn matrix(text: &mut String, title: &str, rows: &[(&str, Vec<bool>)]) {
    let names: Vec<&str> = engines().collect();
    write!(text, "\n## {title}\n\n| | {} |\n|{}\n", names.join(" | "), "---|".repeat(1 + names.len())).unwrap();
    for (name, acts) in rows {
        let cells: Vec<&str> = acts.iter().map(|acts| if *acts { "acts" } else { "named" }).collect();
        writeln!(text, "| `{name}` | {} |", cells.join(" | ")).unwrap();
    }
}

fn page() -> String {
    let mut text = String::from(
        "# What acts under which engine\n\nMade by `UPDATE=1 cargo test -p stiction-formats effects_page`. *acts*: a test sees the effect. *named*: `run`, `check` and \
         `run --json` (`without_effect`) say that it does not, or not in full, and why. There is no third kind.\n\n\
         | | cells | act | named | judge |\n|---|---|---|---|---|\n",
    );
    let cells = leaves().iter().flat_map(|leaf| engines().map(move |engine| of(leaf, engine).unwrap().how));
    let (acting, named): (Vec<How>, Vec<How>) = cells.partition(|how| *how != How::Ignored);
    let judge = "crates/stiction-run/tests/it/use_by_engine/mod.rs";
    summary(&mut text, "parameters × engines", acting.len(), named.len(), judge);
    let acts = |system| engines().map(|engine| limit_of_plugin(system, engine).is_none()).collect::<Vec<bool>>();
    let entries = plugin_entries().iter().filter(|entry| entry.role == PluginRole::Acts);
    let plugins: Vec<(&str, Vec<bool>)> = entries.map(|entry| (entry.system, acts(entry))).collect();
    let of_plugins = plugins.iter().flat_map(|(_, acts)| acts);
    let (all, acting) = (of_plugins.clone().count(), of_plugins.filter(|acts| **acts).count());
    let judge = "crates/stiction-run/tests/it/plugins/by_engine.rs";
    summary(&mut text, "plugins × engines", acting, all - acting, judge);
    let out =
        plugin_entries().iter().filter(|e| matches!(e.role, PluginRole::LeftOut(_) | PluginRole::Unseen(_))).count();
    summary(&mut text, "plugins that are left out × engines", 0, out * engines().count(), judge);
    let sensors: Vec<(&str, Vec<bool>)> = SENSORS.iter().map(|kind| (*kind, vec![true; engines().count()])).collect();
    let judge = "crates/stiction-run/tests/it/readings/forms.rs`, `crates/stiction-run/tests/it/plugins/sensors.rs";
    summary(&mut text, "types of sensors × engines", SENSORS.len() * engines().count(), 0, judge);
    text += "\n[parameters_by_engine.md](parameters_by_engine.md) has each parameter, [plugins.md](plugins.md) each plugin. Sensors of light, images and sound \
             have no reading under any engine, and are named.\n";
    matrix(&mut text, "Plugins", &plugins);
    matrix(&mut text, "Sensors", &sensors);
    text
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/effects.md");
    let made = page();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == made, "docs/effects.md is not what the tables say; run this test with UPDATE=1");
}
