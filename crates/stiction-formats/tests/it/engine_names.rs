//! `<physics type>` names an engine.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common::load_text;

use stiction_formats::LoadOptions;
use stiction_formats::diagnostic::Severity;

/// Names of engines in any case; a name that is none is an error with the nearest, and a note where files are read leniently.
#[test]
fn the_type_of_physics_is_an_engine() {
    let of = |name: &str, lenient: bool| {
        let text = format!("<sdf version='1.7'><world name='w'><physics type='{name}'/></world></sdf>");
        let loaded = load_text(&text, &LoadOptions { lenient, ..LoadOptions::default() });
        let engine = loaded.world.as_ref().map(|world| world.physics.engine.value.clone());
        let found = |code| loaded.diagnostics.iter().find(|d| d.code == code).cloned();
        (engine, found("unknown-engine"), found("open-engine"))
    };
    for (name, expected) in
        [("Bullet", "bullet"), ("ODE", "ode"), (" Drake-Discrete", "drake-discrete"), ("agx", "agx")]
    {
        assert_eq!(of(name, false), (Some(expected.to_owned()), None, None));
    }
    let (engine, unknown, open) = of("ignored", false);
    assert_eq!((engine.as_deref(), unknown), (Some("ode"), None));
    assert_eq!(open.unwrap().severity, Severity::Note);
    for (name, near) in [("odee", "`ode`"), ("bulet", "`bullet`"), ("Dartt", "`dart`")] {
        let found = of(name, false).1.unwrap();
        assert!(found.severity == Severity::Error && found.blocks_run && found.help.unwrap().contains(near));
        let (engine, found, _) = of(name, true);
        assert_eq!((engine.as_deref(), found.unwrap().severity), (Some("ode"), Severity::Note));
    }
}
