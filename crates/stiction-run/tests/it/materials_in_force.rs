//! Materials as parameters: origins of values, `--set`, names of materials in SDF and URDF files, summaries.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use stiction_formats::in_force::{PairInForce, ValueInForce};
use stiction_run::{Project, Quantity, Setup, materials_json};
use tempfile::TempDir;

const TABLE: &str = "materials:
  - { name: Ground, roughness: 0.4, viscosity: 0.2 }
  - { name: rubber, roughness: 0.9, spookDamping: 0.1, poissonRatio: 0.49 }
  - { name: Gazebo/Ice, roughness: 0.0, viscosity: 1.0 }
contact_materials:
  - { materials: [ Ground, steel ], friction: 0.7, frictionModel: [ box, direct ] }
  - { materials: [ far, away ] }
";

/// A box of a material on a ground of another.
fn world(material: &str) -> String {
    format!(
        "<sdf version='1.7' xmlns:stiction='https://stiction'><world name='w'><gravity>0 0 -9.81</gravity>
           <model name='ground'><static>1</static><link name='l' stiction:material='Ground'><collision name='c'><geometry>
           <plane/></geometry></collision></link></model>
           <model name='box'><pose>0 0 0.05 0 0 0</pose><link name='l'>
             <inertial><mass>2</mass><inertia><ixx>0.03</ixx><iyy>0.03</iyy><izz>0.05</izz></inertia></inertial>
             <collision name='c'>{material}<geometry><box><size>0.4 0.4 0.1</size></box></geometry></collision></link>
           </model></world></sdf>"
    )
}

struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        files.write("table.yaml", TABLE);
        files
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn setup(&self, file: &Path, settings: &[(&str, &str)]) -> Setup {
        let mut setup = Setup::new(file).engine("ode-world");
        setup.materials = Some(self.folder.path().join("table.yaml"));
        settings.iter().fold(setup, |setup, (path, value)| setup.set(*path, *value))
    }

    fn load(&self, file: &Path, settings: &[(&str, &str)]) -> Project {
        self.setup(file, settings).load().unwrap()
    }
}

fn pair(project: &Project, a: &str, b: &str) -> PairInForce {
    let in_force = project.materials_in_force().unwrap();
    in_force.pairs.into_iter().find(|pair| pair.materials == [a, b]).unwrap()
}

fn value<'v>(values: &'v [ValueInForce], key: &str) -> &'v ValueInForce {
    values.iter().find(|value| value.key == key).unwrap()
}

#[test]
fn every_value_says_where_it_comes_from() {
    let files = Files::new();
    let path = files.write("a.sdf", &world("<stiction:material>rubber</stiction:material>"));
    let project = files.load(&path, &[("material.rubber.surface_viscosity", "1e-6")]);
    let in_force = project.materials_in_force().unwrap();
    let names: Vec<(&str, bool)> = in_force.materials.iter().map(|m| (m.name.as_str(), m.is_used)).collect();
    assert_eq!(names, [("Default", false), ("Gazebo/Ice", false), ("Ground", true), ("rubber", true)]);
    let rubber = &in_force.materials[3].values;
    let of = |key: &str| (value(rubber, key).value.clone(), value(rubber, key).origin.clone());
    assert!(of("roughness").0 == "0.9" && of("roughness").1.ends_with("table.yaml:3:32"), "{:?}", of("roughness"));
    assert_eq!(of("youngsModulus"), ("4e8".to_owned(), "default".to_owned()));
    assert_eq!(of("surfaceViscosity"), ("1e-6".to_owned(), "--set".to_owned()));
    assert!(
        !value(rubber, "poissonRatio").is_used
            && !value(rubber, "stiffness").is_used
            && value(rubber, "density").is_used
    );
    assert!(in_force.materials[3].text().contains("; not used by this engine)"));
    // Listed pairs, and the one derived pair that may meet: ground does not touch ground, nor the box itself.
    let pairs: Vec<([&str; 2], bool, bool)> = in_force
        .pairs
        .iter()
        .map(|p| ([p.materials[0].as_str(), p.materials[1].as_str()], p.is_derived, p.may_meet))
        .collect();
    let wanted =
        [(["Ground", "rubber"], true, true), (["Ground", "steel"], false, false), (["away", "far"], false, false)];
    assert_eq!(pairs, wanted);
    let derived = &in_force.pairs[0];
    let friction = value(&derived.values, "friction");
    assert!((friction.value.parse::<f64>().unwrap() - 0.6).abs() < 1e-12);
    assert!(
        friction.origin.starts_with("derived, √(r₁ r₂), roughness from ")
            && friction.origin.contains("table.yaml:3:32")
    );
    assert!(value(&derived.values, "surfaceViscosity").origin.ends_with("surfaceViscosity from default, --set"));
    assert_eq!(value(&derived.values, "secondaryFriction").origin, "default");
    let listed = &in_force.pairs[1];
    assert!(
        value(&listed.values, "friction").origin.ends_with("table.yaml:6:47"),
        "{}",
        value(&listed.values, "friction").origin
    );
    assert_eq!(value(&listed.values, "restitution").origin, "default");
    assert_eq!(value(&listed.values, "frictionModel").value, "Box, Direct");
    // A restitution that rests on a viscosity which the file leaves out.
    assert!(derived.rests_on_default_viscosity);
    let notes: Vec<&str> = in_force.findings().iter().map(|d| d.code).collect();
    assert_eq!(notes.iter().filter(|code| **code == "default-viscosity").count(), 1);
    let json = materials_json(&in_force);
    assert_eq!(json["materials"]["rubber"]["values"]["poissonRatio"]["used"], false);
    assert_eq!(json["pairs"][0]["values"]["friction"]["unit"], "");
    assert_eq!(json["pairs"][0]["restitution_rests_on_default_viscosity"], true);
}

#[test]
fn values_of_materials_and_pairs_can_be_set() {
    let files = Files::new();
    let path = files.write("a.sdf", &world("<stiction:material>rubber</stiction:material>"));
    // One value of a pair that is derived: the others stay.
    let project = files.load(&path, &[("contact_material.rubber,Ground.restitution", "0.25")]);
    let own = pair(&project, "Ground", "rubber");
    assert!(!own.is_derived);
    assert_eq!(
        (value(&own.values, "restitution").value.as_str(), value(&own.values, "restitution").origin.as_str()),
        ("0.25", "--set")
    );
    assert!((value(&own.values, "friction").value.parse::<f64>().unwrap() - 0.6).abs() < 1e-12);
    for (key, text, name, shown) in [
        ("frictionModel", "scaledBox, iterative", "frictionModel", "ScaledBox, Iterative"),
        ("friction_model", "[ cone, direct ]", "frictionModel", "Cone, Direct"),
        ("contactReductionMode", "reduceAll", "contactReductionMode", "All"),
        ("contact_reduction_bin_resolution", "7", "contactReductionBinResolution", "7"),
        ("primary_direction", "1, 0, 0", "primaryDirection", "1 0 0"),
        ("referenceLinkName", "l", "referenceLinkName", "l"),
        ("contactArea", "true", "contactArea", "true"),
        ("secondary_friction", "0.3", "secondaryFriction", "0.3"),
    ] {
        let project = files.load(&path, &[(&format!("contact_material.Ground,steel.{key}"), text)]);
        assert_eq!(value(&pair(&project, "Ground", "steel").values, name).value, shown, "{key}");
    }
    let all = files.load(&path, &[("material.*.roughness", "0.7")]).materials_in_force().unwrap();
    assert!(all.materials.iter().all(|m| value(&m.values, "roughness").value == "0.7"));
    for (setting, text, words) in [
        ("material.rubbr.friction", "1", "there is no material `rubbr`: did you mean `rubber`?"),
        ("material.xyzzy.roughness", "1", "one of: Default, Gazebo/Ice, Ground, rubber"),
        ("material.rubber.friction", "1", "`friction` is not a key of a material: one of: density, youngsModulus"),
        ("material.rubber.roughnes", "1", "did you mean `roughness`?"),
        ("material.rubber.density", "0", "`density` is `0`; expected a number above 0"),
        ("material.rubber.viscosity", "x", "expected a number from 0 to 1"),
        ("contact_material.rubber,stone.friction", "1", "there is no material `stone`"),
        ("contact_material.rubber.friction", "1", "expected material.NAME.KEY or contact_material.NAME,NAME.KEY"),
        ("contact_material.rubber,Ground.frictoin", "1", "did you mean `friction`?"),
        ("contact_material.rubber,Ground.frictionModel", "con, direct", "did you mean `cone`"),
    ] {
        let error = files.setup(&path, &[(setting, text)]).load().unwrap_err().to_string();
        assert!(error.contains(words), "{setting}: {error}");
    }
    let without = Setup::new("tower").set("material.rubber.roughness", 1).load().unwrap_err().to_string();
    assert!(without.contains("there is no material table"), "{without}");
}

/// Way of the box from 2 m/s: v² / 2 μ g.
fn coefficient(files: &Files, path: &Path, link: &str) -> f64 {
    let mut run = files.setup(path, &[]).start().unwrap();
    let body = run.simulation().link(link).unwrap().body.unwrap();
    let start = run.link(Quantity::Position, link).unwrap();
    let velocity = stiction::math::DVec3::new(2.0, 0.0, 0.0);
    run.simulation_mut().world.body_mut(body).unwrap().set_velocity(velocity).unwrap();
    run.advance(2.0).unwrap();
    4.0 / (2.0 * 9.81 * (run.link(Quantity::Position, link).unwrap() - start).length())
}

#[test]
fn files_of_all_kinds_name_materials() {
    let files = Files::new();
    for (name, material, wanted) in [
        ("child.sdf", "<stiction:material>rubber</stiction:material>", 0.6),
        ("listed.sdf", "<stiction:material>steel</stiction:material>", 0.7),
    ] {
        let found = coefficient(&files, &files.write(name, &world(material)), "box::l");
        assert!((found / wanted - 1.0).abs() < 0.02, "{name}: {found}");
    }
    // URDF: a name of the table counts, a script of colours does not, an element of ours always does.
    let robot = |material: &str| {
        format!(
            "<robot name='r' xmlns:stiction='https://stiction'><link name='base'><inertial><origin xyz='0 0 0.05'/>
             <mass value='2'/><inertia ixx='0.03' iyy='0.03' izz='0.05' ixy='0' ixz='0' iyz='0'/></inertial>
             <collision><origin xyz='0 0 0.05'/><geometry><box size='0.4 0.4 0.1'/></geometry></collision></link>
             <gazebo reference='base'>{material}</gazebo></robot>"
        )
    };
    let named = |material: &str| {
        let project = files.load(&files.write("r.urdf", &robot(material)), &[]);
        let world = project.description().unwrap();
        let link = world.links.iter().find(|link| link.name.ends_with("base")).unwrap();
        link.collisions[0].material.as_ref().map(|material| material.value.clone())
    };
    assert_eq!(named("<material>rubber</material>").as_deref(), Some("rubber"));
    assert_eq!(named("<material value='rubber'/>").as_deref(), Some("rubber"));
    assert_eq!(named("<material>steel</material>").as_deref(), Some("steel"));
    assert_eq!(named("<material>Gazebo/Ice</material>").as_deref(), Some("Gazebo/Ice"));
    assert_eq!(named("<material>Gazebo/Red</material>"), None);
    assert_eq!(named("<stiction:material>brick</stiction:material>").as_deref(), Some("brick"));
    // Without a table of the user's no name of a colour is taken for a material.
    let path = files.write("r.urdf", &robot("<material>Ball</material>"));
    let project = Setup::new(&path).load().unwrap();
    assert!(project.materials.is_none());
}

/// A31: roughness 0.9 of the link's own material against 0.4.
#[test]
fn a_links_own_material_slides_by_its_own_roughness() {
    let files = Files::new();
    let text = "format: ChoreonoidBody
formatVersion: 1.0
name: b
links:
  - name: a
    jointType: free
    massType: density
    material: useLinkInfo
    roughness: 0.9
    viscosity: 1
    translation: [ 0, 0, 0.05 ]
    elements: { Shape: { geometry: { type: Box, size: [ 0.4, 0.4, 0.1 ] } } }
";
    files.write("b.body", text);
    files.write(
        "floor.body",
        "format: ChoreonoidBody\nformatVersion: 1.0\nname: floor\nlinks:\n  - { name: f, jointType: fixed, material: Ground, \
         translation: [ 0, 0, -0.1 ], elements: { Shape: { geometry: { type: Box, size: [ 9, 9, 0.2 ] } } } }\n",
    );
    let path = files.write(
        "p.cnoid",
        "items:\n  class: RootItem\n  children:\n    - { class: WorldItem, data: { materialTableFile: table.yaml } }\n    \
         - { class: BodyItem, data: { modelFile: floor.body } }\n    - { class: BodyItem, data: { modelFile: b.body } }\n    \
         - { class: AGXSimulatorItem, data: { timeStep: 0.001 } }\n",
    );
    let slides = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let setup =
            Setup::new(&path).engine("ode-world").set("gravity", format!("{} 0 {}", 9.80665 * sin, -9.80665 * cos));
        let mut run = setup.start().unwrap();
        run.advance(1.0).unwrap();
        let simulation = run.simulation();
        simulation.link_velocity(simulation.link("b::a").unwrap()).0.length()
    };
    assert!(slides(30.464) < 1e-3 && slides(31.464) > 0.03, "{} {}", slides(30.464), slides(31.464));
    // Its table is told once, and the summary has what acts.
    let project = Setup::new(&path).load().unwrap();
    assert!(project.loaded.diagnostics.iter().filter(|d| d.code == "no-effect").count() <= 1);
    let run = project.start().unwrap();
    let json = run.summary(0.0).json();
    assert_eq!(json["materials"]["materials"]["b::a"]["values"]["roughness"]["value"], 0.9);
    let pairs = json["materials"]["pairs"].as_array().unwrap();
    let own = pairs.iter().find(|pair| pair["materials"][1] == "b::a").unwrap();
    assert!((own["values"]["friction"]["value"].as_f64().unwrap() - 0.6).abs() < 1e-12);
}

/// A box on rails that a table of its own describes, and what is said of it.
fn on_rails(pair: &str) -> (Files, PathBuf) {
    let files = Files::new();
    let path = files.write("world.sdf", &world("<stiction:material>rubber</stiction:material>"));
    let text = format!(
        "materials: [ {{ name: Ground }}, {{ name: rubber }} ]\ncontact_materials:\n  - materials: [ Ground, rubber ]\n    \
         friction_model: [ oriented_iterative, direct ]\n    friction: 0.6\n    secondary_friction: 0.1\n    {pair}\n"
    );
    files.write("table.yaml", &text);
    (files, path)
}

/// A reference link that does not exist is told with its line, by `check` and at the start of a run, and friction has no
/// direction then: gravity at 20 degrees across the rails would move the box with μ₂ 0.1 and does not with μ 0.6.
#[test]
fn friction_without_its_reference_link_has_no_direction_and_says_so() {
    let direction = "primary_direction: [ 0, 1, 0 ]";
    for (reference, wanted, is_still) in [
        ("reference_body: box\n    reference_link: l", None, false),
        ("reference_body: box\n    reference_link: link", Some("the reference link `link`"), true),
        ("reference_body: bax\n    reference_link: l", Some("the reference link `l` of body `bax`"), true),
        ("reference_body: box", Some("names the reference body `box` and no link"), true),
        ("friction: 0.6", Some("names no reference link"), false),
    ] {
        let pair = if reference.starts_with("friction") {
            direction.to_owned()
        } else {
            format!("{direction}\n    {reference}")
        };
        let (files, path) = on_rails(&pair);
        let mut setup = files.setup(&path, &[("gravity", "3.354 0 -9.215")]);
        setup.engine = Some("agx".to_owned());
        let found = setup.clone().load().unwrap().materials_in_force().unwrap().findings();
        let told: Vec<_> = found.iter().filter(|finding| finding.code == "reference-link").collect();
        match wanted {
            None => assert!(told.is_empty(), "{told:?}"),
            Some(words) => {
                assert!(told.len() == 1 && told[0].message.contains(words), "{reference}: {told:?}");
                assert_eq!(told[0].location.as_ref().unwrap().line, 3);
            }
        }
        let mut run = setup.start().unwrap();
        run.advance(1.0).unwrap();
        let speed = run.link(Quantity::Speed, "box::l").unwrap().z;
        assert_eq!(speed.abs() < 1e-3, is_still, "{reference}: {speed} m/s");
    }
}

/// A material that no table has is told by `check`, where it is named.
#[test]
fn unknown_materials_are_told_with_their_line() {
    let files = Files::new();
    let path = files.write("world.sdf", &world("<stiction:material>ruber</stiction:material>"));
    let found = files.load(&path, &[]).materials_in_force().unwrap().findings();
    let told: Vec<_> = found.iter().filter(|finding| finding.code == "unknown-material").collect();
    assert_eq!(told.len(), 1, "{told:?}");
    let place = told[0].location.as_ref().expect("a place");
    assert!(place.line == 6 && told[0].help.as_ref().is_some_and(|help| help.contains("rubber")), "{told:?}");
}

/// Half of the weight of a body that does not exist holds nothing: the friction follows the normal force.
#[test]
fn a_constant_normal_force_of_no_body_follows_the_normal_force() {
    let (files, path) = on_rails("primary_direction: [ 1, 0, 0 ]\n    reference_body: nobody\n    reference_link: l");
    let table = std::fs::read_to_string(files.folder.path().join("table.yaml")).unwrap();
    files.write("table.yaml", &table.replace("oriented_iterative", "constant_normal_force_oriented_box"));
    let mut setup = files.setup(&path, &[("gravity", "0.8547 0 -9.7693")]);
    setup.engine = Some("agx".to_owned());
    let mut run = setup.start().unwrap();
    run.advance(1.0).unwrap();
    assert!(run.link(Quantity::Speed, "box::l").unwrap().z.abs() < 1e-6);
}
