//! Parameters that a file gives and that do not act under the engine in use are named, and no others.

use std::collections::BTreeSet;

use stiction_run::{Setup, Subject, WithoutEffect};

const WORLD: &str = "<sdf version='1.7'><world name='w'><physics type='ode'><max_step_size>0.001</max_step_size><ode><solver><friction_model>cone_model</friction_model></solver></ode><bullet><constraints><erp>0.3</erp></constraints></bullet></physics>
<model name='g'><static>1</static><link name='l'><collision name='c'><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name='b'><pose>0 0 1 0 0 0</pose><link name='l'><inertial><mass>1</mass><inertia><ixx>0.4</ixx><iyy>0.4</iyy><izz>0.4</izz></inertia></inertial><velocity_decay><linear>0.1</linear></velocity_decay><collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry>
<surface><contact><ode><kp>1e5</kp><kd>10</kd><max_vel>1</max_vel><min_depth>0</min_depth></ode></contact><friction><ode><mu>1</mu><mu2>.5</mu2><fdir1>1 0 0</fdir1></ode></friction><bounce><restitution_coefficient>.5</restitution_coefficient><threshold>0.2</threshold></bounce></surface></collision></link></model></world></sdf>";

/// Friction and softness that a file gives only in `<bullet>` are reported under other engines.
#[test]
fn a_surface_that_only_bullet_has_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.sdf");
    let bullet =
        "<bullet><friction>.3</friction><friction2>.2</friction2><rolling_friction>.1</rolling_friction></bullet>";
    let own = "<ode><mu>1</mu><mu2>.5</mu2><fdir1>1 0 0</fdir1></ode>";
    let names = |friction: String, engine: &str| -> BTreeSet<String> {
        std::fs::write(&file, WORLD.replace(own, &friction)).unwrap();
        let project = Setup::new(&file).engine(engine).load().unwrap();
        let found = project.without_effect(&project.engine().unwrap());
        found.into_iter().map(|one| one.name).filter(|name| name.contains("friction.bullet")).collect()
    };
    let all = ["friction", "friction2", "rolling_friction"].map(|name| format!("surface.friction.bullet.{name}"));
    for engine in ["ode", "stiction", "dart"] {
        assert_eq!(names(bullet.to_owned(), engine), BTreeSet::from(all.clone()), "{engine}");
        assert_eq!(names(format!("{own}{bullet}"), engine), BTreeSet::from([all[2].clone()]), "{engine}");
    }
    assert_eq!(names(bullet.to_owned(), "bullet"), BTreeSet::new());
    let soft = WORLD.replace(
        "<ode><kp>1e5</kp><kd>10</kd><max_vel>1</max_vel><min_depth>0</min_depth></ode>",
        "<bullet><kp>1e5</kp></bullet>",
    );
    std::fs::write(&file, soft).unwrap();
    let project = Setup::new(&file).engine("stiction").load().unwrap();
    let found = project.without_effect(&project.engine().unwrap());
    assert!(found.iter().any(|one| one.name == "surface.contact.bullet.kp"), "{found:?}");
}

#[test]
fn what_an_engine_leaves_out_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.sdf");
    std::fs::write(&file, WORLD).unwrap();
    for (engine, out, acts) in [
        ("ode", vec![], vec!["kp", "kd", "max_vel", "mu", "fdir1", "restitution_coefficient", "linear"]),
        (
            "dart",
            vec!["kp", "kd", "max_vel", "friction_model", "threshold"],
            vec!["mu", "fdir1", "restitution_coefficient"],
        ),
        (
            "simbody",
            vec!["restitution_coefficient", "max_vel", "linear", "fdir1", "friction_model", "threshold"],
            vec!["kp", "mu"],
        ),
        (
            "bullet",
            vec!["max_vel", "friction_model", "threshold"],
            vec!["kp", "kd", "mu", "fdir1", "restitution_coefficient"],
        ),
        (
            "drake-discrete",
            vec!["restitution_coefficient", "fdir1", "mu2", "max_vel", "friction_model"],
            vec!["kp", "mu"],
        ),
    ] {
        let project = Setup::new(&file).engine(engine).load().unwrap();
        let chosen = project.engine().unwrap();
        let found = project.without_effect(&chosen);
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        let names: BTreeSet<String> = found.iter().map(|one| last(&one.name)).collect();
        for name in out {
            assert!(names.contains(name), "{engine}: {name} is not among {names:?}");
        }
        for name in acts {
            assert!(!names.contains(name), "{engine}: {name} is among {names:?}");
        }
        // A format's default asks for nothing, nor does a block for another engine.
        assert!(!names.contains("min_depth") && (engine == "bullet" || !names.contains("erp")), "{engine}: {names:?}");
        let line = WithoutEffect::line(&found, Subject::Parameter, &chosen);
        let run = project.start().unwrap();
        let json = run.summary(0.0).json();
        assert_eq!(json["without_effect"].as_array().unwrap().len(), found.len());
        if let Some(line) = line {
            assert!(line.contains(&format!("no effect under `{}`", chosen.name())), "{line}");
            assert!(found.iter().all(|one| one.place().contains("w.sdf:") && !one.reason.is_empty()), "{found:?}");
        }
    }
}
