//! What `explain` says is what the engines do.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use stiction_formats::usage::{self, How};
use stiction_formats::{BUNDLED_WORLDS, LoadOptions, load};
use stiction_run::{PairExplanation, Project, Quantity, Setup, find_parameter};
use stiction_testing::{python_with, shared};

/// A body of one shape on the ground, as a file in a folder.
struct Resting {
    shape: &'static str,
    height: f64,
    mass: f64,
    surface: String,
}

const BALL: (&str, f64) = ("<sphere><radius>0.5</radius></sphere>", 0.5);
const BOX: (&str, f64) = ("<box><size>1 1 1</size></box>", 0.5);

impl Resting {
    fn spring((shape, height): (&'static str, f64), mass: f64, kp: f64, kd: f64) -> Self {
        let contact = format!("<contact><ode><kp>{kp}</kp><kd>{kd}</kd></ode></contact>");
        Self { shape, height, mass, surface: format!("<surface>{contact}</surface>") }
    }

    fn project(&self, engine: &str) -> Project {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("resting.world");
        let Self { shape, height, mass, surface } = self;
        let inertia = 0.4 * mass * 0.25;
        let text = format!(
            r#"<sdf version="1.9" xmlns:drake="http://drake.mit.edu"><world name="w"><gravity>0 0 -9.8</gravity><physics type="ode"><max_step_size>0.001</max_step_size></physics>
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry>{surface}</collision></link></model>
<model name="body"><allow_auto_disable>false</allow_auto_disable><pose>0 0 {height} 0 0 0</pose><link name="l">
<inertial><mass>{mass}</mass><inertia><ixx>{inertia}</ixx><iyy>{inertia}</iyy><izz>{inertia}</izz></inertia></inertial>
<collision name="c"><geometry>{shape}</geometry>{surface}</collision></link></model></world></sdf>"#
        );
        std::fs::write(&path, text).unwrap();
        Setup::new(&path).engine(engine).load().unwrap()
    }

    fn explained(&self, engine: &str) -> PairExplanation {
        let project = self.project(engine);
        let engine = project.engine().unwrap();
        project.explain_pair(&engine, ["body::l", "ground::l"]).unwrap()
    }

    /// Depth after a duration \[m\].
    fn depth(&self, engine: &str, duration: f64) -> f64 {
        let mut run = self.project(engine).start().unwrap();
        run.advance(duration).unwrap();
        self.height - run.link(Quantity::Position, "body::l").unwrap().z
    }
}

/// The predicted depth at rest is that of a simulation.
#[test]
fn a_body_rests_at_the_depth_that_is_explained() {
    let mut worst = 0.0_f64;
    for engine in ["ode-quick", "ode-world", "agx", "drake-discrete", "drake-continuous", "bullet", "simbody"] {
        for shape in [BALL, BOX] {
            for (mass, kp, kd) in [(10.0, 2e5, 2e3), (3.0, 5e4, 1e3), (40.0, 3e6, 1e4)] {
                // A box on one point of Drake's rocks; it has no rest.
                if shape == BOX && engine.starts_with("drake") {
                    continue;
                }
                let body = Resting::spring(shape, mass, kp, kd);
                let predicted = body.explained(engine).contact.depth;
                let depth = body.depth(engine, 2.0);
                let error = (depth / predicted - 1.0).abs();
                worst = worst.max(error);
                assert!(
                    error < 0.01,
                    "{engine} {} {mass} kg {kp} N/m: {depth:.4e} m, explained {predicted:.4e} m",
                    body.shape
                );
            }
        }
    }
    eprintln!("largest difference {worst:.2e}");
}

#[test]
fn drakes_own_properties_and_soft_erp_rest_where_they_should() {
    let surface = "<drake:proximity_properties><drake:point_contact_stiffness>1e5</drake:point_contact_stiffness><drake:hunt_crossley_dissipation>2</drake:hunt_crossley_dissipation></drake:proximity_properties>";
    let body = Resting { surface: surface.to_owned(), ..Resting::spring(BALL, 10.0, 1.0, 1.0) };
    for engine in ["drake-discrete", "drake-continuous"] {
        let predicted = body.explained(engine).contact.depth;
        // Two surfaces in series.
        assert!((predicted / (10.0 * 9.8 / 5e4) - 1.0).abs() < 1e-9);
        let depth = body.depth(engine, 3.0);
        assert!((depth / predicted - 1.0).abs() < 0.01, "{engine}: {depth} {predicted}");
    }
    let soft = "<surface><contact><ode><soft_erp>0.3</soft_erp><soft_cfm>0.001</soft_cfm></ode></contact></surface>";
    let body = Resting { surface: soft.to_owned(), ..Resting::spring(BALL, 10.0, 1.0, 1.0) };
    for engine in ["ode-quick", "ode-world"] {
        let predicted = body.explained(engine).contact.depth;
        // cfm h F / erp, with the softness of two surfaces.
        assert!((predicted / (0.002 * 1e-3 * 98.0 / 0.3) - 1.0).abs() < 1e-9, "{predicted}");
        let depth = body.depth(engine, 2.0);
        assert!((depth / predicted - 1.0).abs() < 0.01, "{engine}: {depth} {predicted}");
    }
}

/// A ball on a plane of MuJoCo with the `solref` that is explained rests at the depth that is explained.
#[test]
fn mujoco_rests_at_the_same_depth() {
    let Some(python) = python_with(&[("mujoco", "mujoco")]) else { return };
    for (mass, kp, kd) in [(10.0, 2e5, 2e3), (3.0, 5e4, 1e3), (40.0, 1e6, 1e4), (2.0, 4e5, 3e3)] {
        let body = Resting::spring(BALL, mass, kp, kd);
        let explained = body.explained("ode-world");
        let language = explained.languages.iter().find(|l| l.name.contains("MuJoCo")).unwrap();
        let value = |symbol: &str| language.values.iter().find(|v| v.symbol == symbol).unwrap().value;
        for solref in [
            format!("{} {}", value("-stiffness"), value("-damping")),
            format!("{} {}", value("timeconst"), value("dampratio")),
        ] {
            let inertia = 0.4 * mass * 0.25;
            let script = format!(
                r#"import mujoco
m = mujoco.MjModel.from_xml_string('''<mujoco><option gravity="0 0 -9.8" timestep="0.001"/>
<default><geom solref="{solref}" solimp="0.9 0.95 0.001 0.5 2" condim="1"/></default>
<worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 0.5"><freejoint/><inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/><geom type="sphere" size="0.5"/></body></worldbody></mujoco>''')
d = mujoco.MjData(m)
for _ in range(20000): mujoco.mj_step(m, d)
print(0.5 - d.qpos[2])"#
            );
            let output = std::process::Command::new(&python).args(["-c", &script]).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let depth: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
            let predicted = explained.contact.depth;
            assert!(
                (depth / predicted - 1.0).abs() < 0.01,
                "solref {solref}: {depth:.4e} m, explained {predicted:.4e} m"
            );
        }
    }
}

/// Everything that the file gives is explained, in the engine's words.
#[test]
fn a_file_is_explained_with_its_numbers() {
    let project = Resting::spring(BALL, 10.0, 1e6, 100.0).project("ode-world");
    let of = |engine: &str, name: &str| {
        let engine = project.engine_of(engine).unwrap();
        let explanation = project.explain(&engine, false).unwrap();
        let group = explanation.groups.into_iter().find(|g| g.element == "model.body.link.l.collision.c").unwrap();
        group.values.into_iter().find(|v| v.name == name).unwrap()
    };
    let kp = of("ode-world", "surface.contact.ode.kp");
    assert_eq!(kp.how, How::Mapped);
    assert_eq!(kp.numbers.as_deref(), Some("erp 0.9091, cfm 9.091e-4 s/kg for this surface alone (h = 0.001 s)"));
    assert!(kp.origin.contains("resting.world:5:"));
    let agx = of("agx", "surface.contact.ode.kp");
    assert_eq!(agx.numbers.as_deref(), Some("ε = 1e-6 m/N, τ = 1e-4 s"));
    // All of ODE's solver is shown, nothing of Bullet's, unless all is asked for.
    let engine = project.engine().unwrap();
    let count = |all| {
        let explanation = project.explain(&engine, all).unwrap();
        explanation.groups.iter().flat_map(|g| &g.values).filter(|v| v.path.starts_with("physics.bullet")).count()
    };
    assert!(count(false) == 0 && count(true) > 5);
}

#[test]
fn names_that_do_not_exist_or_do_not_touch_are_refused() {
    let project = Resting::spring(BALL, 10.0, 1e6, 100.0).project("ode-world");
    let engine = project.engine().unwrap();
    let error = project.explain_pair(&engine, ["bodi::l", "ground::l"]).unwrap_err().to_string();
    assert!(error.contains("body::l"), "{error}");
    let error = project.explain_pair(&engine, ["body::l", "body::l"]).unwrap_err().to_string();
    assert!(error.contains("never touch"), "{error}");
}

#[test]
fn every_parameter_has_a_page_and_other_names_lead_there() {
    for leaf in usage::leaves() {
        let page = find_parameter(&leaf.pattern()).unwrap();
        assert_eq!(page.path, leaf.path());
        assert_eq!(page.uses.len(), usage::engines().count());
    }
    for (name, path) in [
        ("iters", "physics.ode.solver.iters"),
        ("physics.ode.solver.iters", "physics.ode.solver.iters"),
        ("kp", "surface.contact.ode.kp"),
        ("mu", "surface.friction.ode.mu"),
        ("mu1", "surface.friction.ode.mu"),
        ("model.box.link.l.collision.c.surface.friction.ode.mu", "surface.friction.ode.mu"),
        ("drake:mu_static", "drake:proximity_properties.drake:mu_static"),
        ("stiction_tolerance", "contact.stiction_tolerance"),
    ] {
        assert_eq!(find_parameter(name).unwrap().path, path, "{name}");
    }
    let unknown = find_parameter("itres").unwrap_err();
    assert!(unknown.near.iter().any(|n| n == "physics.ode.solver.iters"), "{unknown}");
    let ambiguous = find_parameter("erp").unwrap_err();
    assert!(ambiguous.is_ambiguous && ambiguous.near.len() > 2, "{ambiguous}");
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "world" || e == "sdf") {
            found.push(path);
        }
    }
}

/// Explains all of a world under an engine: values, and its first pairs of shapes. Returns how many values and pairs.
fn explain_all(setup: Setup) -> (usize, usize) {
    let Ok(project) = setup.load() else { return (0, 0) };
    let Ok(engine) = project.engine() else { return (0, 0) };
    let explanation = project.explain(&engine, true).unwrap();
    let json = explanation.json();
    let values = json["elements"].as_array().unwrap().iter().flat_map(|e| e["parameters"].as_array().unwrap());
    let mut count = 0;
    for value in values {
        assert!(["used", "mapped", "outside", "ignored"].contains(&value["use"].as_str().unwrap()), "{value}");
        assert!(value["use"] == "used" || !value["reason"].as_str().unwrap().is_empty(), "{value}");
        assert!(!value["origin"].as_str().unwrap().is_empty());
        count += 1;
    }
    let world = project.description().unwrap();
    let names: Vec<&str> = world.links.iter().flat_map(|l| &l.collisions).map(|c| c.name.as_str()).collect();
    let mut pairs = 0;
    for (i, a) in names.iter().take(4).enumerate() {
        for b in &names[i + 1..names.len().min(5)] {
            if let Ok(pair) = project.explain_pair(&engine, [a, b]) {
                let contact = &pair.json()["contact"];
                assert!(contact["points"].as_u64().unwrap() > 0 && !pair.engines.is_empty());
                pairs += 1;
            }
        }
    }
    (count, pairs)
}

#[test]
fn bundled_worlds_are_explained_under_every_engine() {
    let engines: Vec<&str> = usage::engines().collect();
    for (i, world) in BUNDLED_WORLDS.iter().enumerate() {
        // Two engines in turn, or all of them.
        for k in 0..stiction_testing::cases(2, engines.len()) {
            let engine = engines[(i + k) % engines.len()];
            let setup = Setup::new(world.name).engine(engine);
            // Continuous time has no wires.
            let is_refused = setup.clone().load().is_ok_and(|project| project.engine().is_err());
            let (values, _) = explain_all(setup);
            assert!(values > 0 || is_refused, "{} under {engine}", world.name);
        }
    }
}

#[test]
fn worlds_of_the_reference_are_explained() {
    let Some(folder) = shared("worlds") else { return };
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    let (mut worlds, mut pairs) = (0, 0);
    for (i, file) in files.iter().enumerate() {
        let engine = usage::engines().nth(i % usage::engines().count()).unwrap();
        let mut setup = Setup::new(file).engine(engine);
        setup.lenient = true;
        setup.model_path.extend(shared("models"));
        let (values, of_world) = explain_all(setup);
        worlds += usize::from(values > 0);
        pairs += of_world;
    }
    assert!(worlds > files.len() / 2, "{worlds} of {}", files.len());
    assert!(pairs > worlds, "{pairs}");
}

/// A value that stands for another one is told as that.
#[test]
fn values_out_of_their_range_are_explained_as_what_they_act_as() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.world");
    let text = "<sdf version='1.9'><world name='w'><model name='m'><link name='l'><collision name='c'><geometry><box/></geometry><surface>
<bounce><threshold>-1</threshold></bounce><contact><elastic_modulus>1e5</elastic_modulus><ode><min_depth>-0.05</min_depth><max_vel>-1</max_vel></ode></contact></surface></collision></link>
<joint name='j' type='revolute'><parent>world</parent><child>l</child><gearbox_ratio>3</gearbox_ratio><thread_pitch>2</thread_pitch>
<axis><xyz>0 1 0</xyz><dynamics><damping>-1</damping></dynamics><limit><lower>2</lower><upper>1</upper></limit></axis></joint></model></world></sdf>";
    std::fs::write(&path, text).unwrap();
    let project = Setup::new(&path).load().unwrap();
    let explained = project.explain(&project.engine().unwrap(), false).unwrap();
    let found = |name: &str| explained.groups.iter().flat_map(|g| &g.values).find(|v| v.name == name).unwrap();
    let mapped = ["surface.bounce.threshold", "surface.contact.ode.min_depth", "axis.dynamics.damping"];
    for name in mapped {
        assert_eq!((found(name).how, found(name).reason.starts_with("0,")), (How::Mapped, true), "{name}");
    }
    assert!(found("surface.contact.ode.max_vel").reason.contains("contact_max_correcting_vel"));
    let void = [
        ("gearbox_ratio", "type gearbox"),
        ("thread_pitch", "type screw"),
        ("axis.limit.lower", "no limit"),
        ("axis.limit.upper", "no limit"),
        ("surface.contact.elastic_modulus", "radius"),
    ];
    for (name, reason) in void {
        assert!(found(name).how == How::Ignored && found(name).reason.contains(reason), "{name}: {:?}", found(name));
    }
}

/// The names of the table are those of the loader.
#[test]
fn every_path_of_a_file_has_a_row() {
    let file = stiction_formats::FileRequest { path: "incline_block_spheres".into(), name: None, pose: None };
    let loaded = load(&[file], &LoadOptions::default());
    for path in &loaded.parameter_paths {
        assert!(usage::find(&path.key).is_some() || path.key.starts_with("frame "), "{} ({})", path.path, path.key);
    }
}

/// Plugins and sensors are named, with their values and the lines of these.
#[test]
fn plugins_and_sensors_are_explained_with_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.sdf");
    let text = r#"<sdf version="1.9"><world name="w">
<plugin filename="gz-sim-buoyancy-system" name="gz::sim::systems::Buoyancy"><uniform_fluid_density>998</uniform_fluid_density></plugin>
<model name="m"><link name="l">
<sensor name="s" type="imu">
<update_rate>50</update_rate></sensor></link>
<plugin filename="gz-sim-lift-drag-system" name="wing"><link_name>l</link_name>
<area>0.7</area></plugin>
<plugin filename="gz-sim-scene-broadcaster-system" name="gz::sim::systems::SceneBroadcaster"/></model></world></sdf>"#;
    std::fs::write(&path, text).unwrap();
    let project = Setup::new(&path).load().unwrap();
    let engine = project.engine().unwrap();
    let shown = |all: bool| -> Vec<String> {
        let groups = project.explain(&engine, all).unwrap().groups;
        let acting =
            groups.into_iter().filter(|g| g.element.starts_with("plugin ") || g.element.starts_with("sensor "));
        acting
            .flat_map(|g| {
                let file = |text: &str| text.rsplit('/').next().unwrap_or(text).to_owned();
                let head = g.element.split(',').next().unwrap().to_owned();
                let values: Vec<_> =
                    g.values.into_iter().map(|v| format!("{} {} {}", v.name, v.value, file(&v.origin))).collect();
                std::iter::once(head).chain(values).collect::<Vec<_>>()
            })
            .collect()
    };
    let found = shown(false);
    let lines = |expected: &str| found.iter().any(|line| line.starts_with(expected));
    for expected in [
        "plugin gz::sim::systems::Buoyancy (Buoyancy)",
        "uniform_fluid_density 998 w.sdf:2:",
        "plugin m::wing (LiftDrag)",
        "area 0.7 w.sdf:7:",
        "sensor m::l::s (imu)",
        "update_rate 50 w.sdf:5:",
    ] {
        assert!(lines(expected), "{expected}: {found:#?}");
    }
    assert!(
        !found.iter().any(|line| line.contains("SceneBroadcaster") || line.starts_with("air_density")),
        "{found:#?}"
    );
    assert!(shown(true).iter().any(|line| line == "air_density 1.2041 default"), "{:#?}", shown(true));
}
