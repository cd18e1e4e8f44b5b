//! Names that the strict checker refuses although one meaning is left: an error of `check`, and `run` goes on.
#![allow(clippy::unwrap_used, missing_docs)]

use stiction_formats::LoadOptions;
use stiction_formats::diagnostic::Severity;

use crate::common::{load_file, load_text};

fn world(inner: &str) -> String {
    format!("<sdf version='1.9'><world name='w'>{inner}</world></sdf>")
}

#[test]
fn siblings_of_a_world_have_names_of_their_own() {
    let model = "<model name='a'><link name='l'/></model>";
    for (other, is_wrong) in [
        ("<light name='a' type='point'/>", true),
        ("<light name='b' type='point'/>", false),
        ("<physics name='a' type='ode'/>", true),
        ("<actor name='a'/>", true),
        ("<plugin name='a' filename='gz-sim-physics-system'/>", false),
        ("<light name='b' type='point'/><light name='b' type='spot'/>", true),
    ] {
        for text in [format!("{model}{other}"), format!("{other}{model}")] {
            let loaded = load_text(&world(&text), &LoadOptions::default());
            let found = loaded.diagnostics.iter().find(|d| d.code == "duplicate-name");
            assert_eq!(found.is_some(), is_wrong, "{text}: {:#?}", loaded.diagnostics);
            assert!(found.is_none_or(|d| d.severity == Severity::Error && !d.blocks_run && d.location.is_some()));
            assert!(loaded.world.is_some(), "{text}");
        }
    }
}

#[test]
fn a_placement_frame_needs_a_pose() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("m");
    std::fs::create_dir(&model).unwrap();
    let config = "<model><name>m</name><sdf version='1.9'>model.sdf</sdf></model>";
    let text = "<sdf version='1.9'><model name='m'><link name='l'><pose>1 0 0 0 0 0</pose></link></model></sdf>";
    std::fs::write(model.join("model.config"), config).unwrap();
    std::fs::write(model.join("model.sdf"), text).unwrap();
    for (pose, x) in [("", 1.0), ("<pose>5 0 0 0 0 0</pose>", 5.0)] {
        let file = folder.path().join("w.sdf");
        let include = format!("<include><uri>m</uri>{pose}<placement_frame>l</placement_frame></include>");
        std::fs::write(&file, world(&include)).unwrap();
        let loaded = load_file(&file, &[]);
        let found = loaded.diagnostics.iter().find(|d| d.code == "placement-frame");
        assert_eq!(found.is_some(), pose.is_empty(), "{:#?}", loaded.diagnostics);
        assert!(found.is_none_or(|d| d.severity == Severity::Error && !d.blocks_run));
        assert_eq!(loaded.world.unwrap().links[0].pose.position.x, x, "{pose}");
    }
}
