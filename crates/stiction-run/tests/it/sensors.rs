//! Shapes that are sensors to each other touch without effect: no engine counts their contacts or warns of their overlap.
#![allow(missing_docs, clippy::unwrap_used)]

use stiction_run::Setup;

/// A box whose lower half is in the ground.
fn world(surface_of_ground: &str, surface_of_box: &str) -> String {
    let surface = |contact: &str| format!("<surface><contact>{contact}</contact></surface>");
    let (ground, own) = (surface(surface_of_ground), surface(surface_of_box));
    format!(
        r#"<sdf version="1.9"><world name="w"><gravity>0 0 0</gravity><physics type="ode"><max_step_size>0.001</max_step_size></physics>
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane/></geometry>{ground}</collision></link></model>
<model name="b"><link name="l"><inertial><mass>1</mass></inertial>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry>{own}</collision></link></model></world></sdf>"#
    )
}

/// Most contacts of a step, and the warnings of a run.
fn seen(text: &str, engine: &str) -> (f64, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sensor.world");
    std::fs::write(&path, text).unwrap();
    let mut run = Setup::new(&path).engine(engine).start().unwrap();
    run.advance(0.01).unwrap();
    let summary = run.summary(0.0).json();
    let warnings = summary["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap().to_owned()).collect();
    (summary["contacts_max"].as_f64().unwrap(), warnings)
}

#[test]
fn no_engine_counts_contacts_that_do_not_act_or_warns_of_them() {
    let apart = world("<collide_bitmask>1</collide_bitmask>", "<collide_bitmask>2</collide_bitmask>");
    let sensor = world("", "<collide_without_contact>true</collide_without_contact>");
    let solid = world("", "");
    for engine in stiction_formats::usage::engines() {
        for text in [&apart, &sensor] {
            assert_eq!(seen(text, engine), (0.0, vec![]), "{engine}");
        }
        let (contacts, warnings) = seen(&solid, engine);
        assert!(contacts > 0.0 && warnings.iter().any(|w| w.contains("overlap by")), "{engine} {warnings:?}");
    }
}
