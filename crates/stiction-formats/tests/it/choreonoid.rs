//! Choreonoid's bodies and projects: what they become, and findings with their lines.

use std::path::{Path, PathBuf};

use stiction::math::DVec3;
use stiction_formats::description::WorldDescription;
use stiction_formats::diagnostic::{Diagnostic, Severity};
use stiction_formats::simulation::{simulate, world_parameters};
use stiction_formats::{FileRequest, LoadOptions, Loaded, load, render};
use stiction_testing::shared;

fn load_file(path: &Path) -> Loaded {
    load(&[FileRequest { path: path.to_owned(), name: None, pose: None }], &LoadOptions::default())
}

fn load_text(extension: &str, text: &str) -> Loaded {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("file.{extension}"));
    std::fs::write(&path, text).expect("a file");
    load_file(&path)
}

fn world(loaded: Loaded) -> WorldDescription {
    let findings = render(&loaded.diagnostics, &loaded.sources, false);
    loaded.world.unwrap_or_else(|| panic!("{findings}"))
}

fn body(links: &str) -> String {
    format!("format: ChoreonoidBody\nformatVersion: 1.0\nname: b\nlinks:\n{links}")
}

fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1e-12), "{a} {b}");
}

#[test]
fn the_material_sample_is_a_slope_with_nineteen_boxes() {
    let Some(folder) = shared("choreonoid/AGXDynamics") else { return };
    for name in ["agxMaterialSample.cnoid", "agxMaterialSample.body"] {
        let world = world(load_file(&folder.join(name)));
        assert_eq!(world.links.len(), 20, "{name}");
        let (floor, boxes) = world.links.split_first().expect("links");
        assert!(floor.is_fixed_to_world);
        // The normal of the slope, turned by -30 degrees about x.
        let normal = floor.pose.direction(DVec3::Z);
        assert!(normal.distance(DVec3::new(0.0, 0.5, 0.75_f64.sqrt())) < 1e-8, "{normal}");
        for link in boxes {
            assert!(!link.is_fixed_to_world && link.lumped_into.is_none());
            near(link.inertial.mass.value, 0.125, 1e-12);
            let inertia = link.inertial.inertia.value;
            inertia[..3].iter().for_each(|i| near(*i, 5.208_333_333_333e-3, 1e-9));
            assert!(inertia[3..].iter().all(|i| i.abs() < 1e-15));
            // 1.5 m above the floor's frame, along its normal.
            let height = normal.dot(link.pose.position - floor.pose.position);
            near(height, 1.5, 1e-8);
        }
        assert!(world.joints.iter().all(|joint| joint.is_lumped));
        let material = |name: &str| {
            let link = world.links.iter().find(|link| link.name.ends_with(name)).expect("a link");
            link.collisions[0].material.as_ref().expect("a material").value.clone()
        };
        assert_eq!([material("::floor"), material("::box51")], ["Ground", "agxMat51"]);
        let index = |name: &str| world.links.iter().position(|link| link.name.ends_with(name)).expect("a link");
        assert_eq!(world.excluded_pairs, [[index("::floor"), index("::box99")]]);
        let mask = &world.links[index("::box98")].collisions[0].surface.collide_bitmask;
        assert_eq!(mask.value, 0);
        let is_project = name.ends_with("cnoid");
        assert_eq!(world.links[1].self_collide.value, is_project);
        assert_eq!(world.material_table.is_some(), is_project);
        if is_project {
            assert_eq!(world.physics.max_step_size.value, 1e-3);
            assert_eq!(world.gravity.value, DVec3::new(0.0, 0.0, -9.80665));
            let table = world.material_table.expect("a table").value;
            assert!(table.is_file() && table.ends_with("agxSampleMaterials.yaml"), "{}", table.display());
        }
    }
}

/// Every file, with the extension.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "body" || e == "cnoid") {
            found.push(path);
        }
    }
}

#[test]
fn every_file_of_the_reference_loads_or_says_where_it_does_not() {
    let Some(folder) = shared("choreonoid") else { return };
    let mut found = Vec::new();
    files(&folder, &mut found);
    assert!(found.len() > 50, "{}", found.len());
    let mut refused = Vec::new();
    for path in &found {
        let loaded = load_file(path);
        for finding in &loaded.diagnostics {
            let place = finding.location.as_ref().unwrap_or_else(|| panic!("{}: {finding:?}", path.display()));
            assert!(place.line > 0 && place.column > 0);
        }
        match &loaded.world {
            Some(world) => {
                let simulation = simulate(world, world_parameters(world));
                assert!(simulation.is_ok(), "{}: {:?}", path.display(), simulation.err());
                let mut simulation = simulation.expect("a simulation");
                for _ in 0..10 {
                    simulation.world.step(world.physics.max_step_size.value);
                }
                let is_finite = |link| simulation.link_pose(link).position.is_finite();
                assert!(simulation.links.iter().all(is_finite), "{}", path.display());
            }
            None => {
                let stops = |d: &Diagnostic| d.severity == Severity::Error && d.blocks_run;
                assert!(loaded.diagnostics.iter().any(stops), "{}", path.display());
                refused.push(path.file_name().expect("a name").to_string_lossy().into_owned());
            }
        }
    }
    // Its third body is not among the reference files.
    assert_eq!(refused, ["AgxTank.cnoid"]);
}

/// Mass and moments of the one link of a body, by density.
fn by_density(density: f64, elements: &str) -> (f64, DVec3, [f64; 6]) {
    let link = format!(
        "  - {{ name: a, jointType: free, massType: density, density: {density}, elements: [ {elements} ] }}\n"
    );
    let world = world(load_text("body", &body(&link)));
    let inertial = &world.links[0].inertial;
    (inertial.mass.value, inertial.pose.position, inertial.inertia.value)
}

#[test]
fn masses_by_density_are_those_of_the_shapes() {
    use std::f64::consts::PI;
    let shape = |geometry: &str| format!("{{ type: Shape, geometry: {{ {geometry} }} }}");
    let ball = |r: f64| 4.0 / 3.0 * PI * r * r * r * 1000.0;
    let (r, h) = (0.05, 0.3);
    let (m_c, m_s) = (PI * r * r * h * 1000.0, ball(r));
    let across = m_c * (h * h / 12.0 + r * r / 4.0) + m_s * (0.4 * r * r + h * h / 4.0 + 3.0 * h * r / 8.0);
    let capsule = [across, m_c * r * r / 2.0 + 0.4 * m_s * r * r, across];
    let (cylinder, side) = (39.269_908_169_872_41, 39.269_908_169_872_41 * (3.0 * 0.0625 + 0.04) / 12.0);
    let (cone, base) = (PI, PI * 3.0 / 80.0 * (0.04 + 0.09));
    for (geometry, mass, moments, height) in [
        ("type: Box, size: [ 0.1, 0.2, 0.3 ]", 6.0, [0.065, 0.05, 0.025], 0.0),
        ("type: Sphere, radius: 0.1", ball(0.1), [0.4 * ball(0.1) * 0.01; 3], 0.0),
        ("type: Cylinder, radius: 0.25, height: 0.2", cylinder, [side, cylinder * 0.03125, side], 0.0),
        ("type: Capsule, radius: 0.05, height: 0.3", m_c + m_s, capsule, 0.0),
        ("type: Cone, radius: 0.1, height: 0.3", cone, [base, 0.003 * PI, base], -0.075),
    ] {
        let (m, centre, inertia) = by_density(1000.0, &shape(geometry));
        near(m, mass, 1e-9);
        assert!(centre.distance(DVec3::new(0.0, height, 0.0)) < 1e-12, "{geometry}: {centre}");
        inertia[..3].iter().zip(moments).for_each(|(found, wanted)| near(*found, wanted, 1e-9));
        assert!(inertia[3..].iter().all(|product| product.abs() < 1e-12), "{geometry}");
    }
    // Printed in the reference.
    near(capsule[1], 3.468_842e-3, 1e-6);
    near(capsule[0], 3.439_389e-2, 1e-6);
    near(base, 1.531_526e-2, 1e-6);

    // An ellipsoid of scales, and two boxes that overlap: volumes add up.
    let (m, _, inertia) = by_density(
        1000.0,
        "{ type: Transform, scale: [ 1, 2, 3 ], elements: [ { type: Shape, geometry: { type: Sphere, radius: 0.1 } } ] }",
    );
    near(m, 6.0 * ball(0.1), 1e-9);
    near(inertia[0], m / 5.0 * 0.13, 1e-9);
    let boxes = "{ type: Shape, geometry: { type: Box, size: [ 1, 1, 1 ] } }, \
                 { type: Shape, translation: [ 0.5, 0, 0 ], geometry: { type: Box, size: [ 1, 1, 1 ] } }";
    let (m, centre, inertia) = by_density(3.0, boxes);
    assert_eq!((m, centre), (6.0, DVec3::new(0.25, 0.0, 0.0)));
    near(inertia[0], 1.0, 1e-12);
    near(inertia[1], 1.0 + 6.0 * 0.0625, 1e-12);
}

#[test]
fn masses_that_are_written_count() {
    let text = body(
        "  - name: a
    joint_type: free
    mass: 2
    center_of_mass: [ 0.1, 0, 0 ]
    inertia: [ 0.4, 0.01, 0.02, 0.5, 0.03, 0.6 ]
  - name: b
    parent: a
    jointType: free
    translation: [ 1, 0, 0 ]
    elements: { Shape: { geometry: { type: Box, size: [ 1, 1, 1 ] } } }
  - name: c
    parent: a
    jointType: free
    elements:
      - { type: RigidBody, mass: 1, translation: [ 1, 0, 0 ], inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ] }
      - { type: RigidBody, mass: 3, translation: [ -1, 0, 0 ], inertia: [ 1, 0, 0, 0, 1, 0, 0, 0, 1 ] }
",
    );
    let world = world(load_text("body", &text));
    let a = &world.links[0].inertial;
    assert_eq!((a.mass.value, a.pose.position.x), (2.0, 0.1));
    // xx, yy, zz, xy, xz, yz.
    assert_eq!(a.inertia.value, [0.4, 0.5, 0.6, 0.01, 0.02, 0.03]);
    // Without mass and inertia: 1 kg in the form of the shapes.
    let b = &world.links[1].inertial;
    assert_eq!(b.mass.value, 1.0);
    near(b.inertia.value[0], 1.0 / 6.0, 1e-12);
    let c = &world.links[2].inertial;
    assert_eq!((c.mass.value, c.pose.position.x), (4.0, -0.5));
    // Two times 1, and 1·1.5² + 3·0.5² across.
    [2.0, 5.0, 5.0].iter().zip(c.inertia.value).for_each(|(wanted, found)| near(found, *wanted, 1e-12));
}

const ARM: &str = "format: ChoreonoidBody
format_version: 2.0
name: arm
links:
  - { name: base, joint_type: fixed, translation: [ 0, 0, 1 ] }
  - name: upper
    parent: base
    joint_type: revolute
    joint_axis: -Y
    joint_id: 1
    joint_range: [ -90, 45 ]
    max_joint_velocity: 180
    translation: [ 0, 0, 0.5 ]
    rotation: [ 0, 0, 1, 90 ]
    rotor_inertia: 0.01
    gear_ratio: 10
    elements: { Shape: { geometry: { type: Capsule, radius: 0.1, height: 1 } } }
  - name: rail
    parent: upper
    joint_type: slide
    jointAxis: [ 0, 0, 2 ]
    jointId: 0
    jointRange: 0.2
    translation: [ [ 1, 0, 0 ], [ 0, 0, 0.5 ] ]
    elements: { type: Shape, rotation: [ 1, 0, 0, 90 ], geometry: { type: Cylinder, radius: 0.1, height: 0.2 } }
  - { name: tip, parent: rail, jointType: fixed, translation: [ 0, 0, 1 ], mass: 2, inertia: [ 1, 0, 0, 1, 0, 1 ] }
";

#[test]
fn joints_stand_in_the_frames_of_their_links() {
    let world = world(load_text("body", ARM));
    let [base, upper, rail, tip] = world.links.as_slice() else { panic!("{}", world.links.len()) };
    assert!(base.is_fixed_to_world && tip.lumped_into == Some(2));
    assert!(upper.pose.position.distance(DVec3::new(0.0, 0.0, 1.5)) < 1e-12);
    assert!(rail.pose.position.distance(DVec3::new(0.0, 1.0, 2.0)) < 1e-12, "{}", rail.pose.position);
    let joint = |name: &str| world.joints.iter().find(|joint| joint.name.ends_with(name)).expect("a joint");
    let hinge = joint("::upper");
    let axis = &hinge.axes[0];
    // -y, turned by 90 degrees about z.
    assert!(axis.xyz.distance(DVec3::X) < 1e-12, "{}", axis.xyz);
    near(axis.lower.value, -std::f64::consts::FRAC_PI_2, 1e-12);
    near(axis.upper.value, std::f64::consts::FRAC_PI_4, 1e-12);
    near(axis.velocity.value, std::f64::consts::PI, 1e-12);
    near(axis.armature.value, 1.0, 1e-12);
    let slide = &joint("::rail").axes[0];
    assert_eq!((slide.lower.value, slide.upper.value, slide.xyz), (-0.2, 0.2, DVec3::Z));
    // The cylinder stands along y of its shape, which is z of the link.
    let shape = &rail.collisions[0];
    assert!(shape.pose.direction(DVec3::Z).cross(DVec3::Z).length() < 1e-12);
}

const PROJECT: &str = "items:
  id: 0
  name: Root
  class: RootItem
  children:
    - id: 1
      name: World
      class: WorldItem
      children:
        - id: 2
          name: left
          class: BodyItem
          data:
            modelFile: \"${PROJECT_DIR}/arm.body\"
            rootPosition: [ 0, 0, 3 ]
            rootAttitude: [ 0, -1, 0, 1, 0, 0, 0, 0, 1 ]
            jointPositions: [ 0.1, 0.5 ]
        - { id: 3, name: left, class: BodyItem, data: { file: arm.body, root_rotation: [ 0, 0, 1, 90 ],
            collisionDetection: false, staticModel: true } }
        - { id: 4, name: first, class: AISTSimulatorItem, data: { frameRate: 500 } }
        - { id: 5, name: second, class: AISTSimulatorItem, data: { timeStep: 0.005, gravity: [ 0, 0, -5 ] } }
        - { id: 6, name: hand, class: SimpleControllerItem, data: { controller: x } }
        - { id: 7, name: graph, class: GraphItem }
views:
  - { id: 0, class: ItemTreeView, state: { checked: [ 2, 5 ] } }
";

fn project(text: &str) -> Loaded {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("arm.body"), ARM).expect("a body");
    let path = folder.path().join("two.cnoid");
    std::fs::write(&path, text).expect("a project");
    load_file(&path)
}

#[test]
fn projects_place_bodies_and_choose_a_simulator() {
    let loaded = project(PROJECT);
    let said = |code: &str| -> Vec<u32> {
        let own = loaded.diagnostics.iter().filter(|d| d.code == code);
        own.map(|d| d.location.as_ref().expect("a place").line).collect()
    };
    assert_eq!((said("controller"), said("item"), said("several-simulators")), (vec![22], vec![23], vec![20]));
    let world = world(loaded);
    assert_eq!(world.physics.max_step_size.value, 0.005);
    assert_eq!(world.gravity.value, DVec3::new(0.0, 0.0, -5.0));
    assert_eq!(world.models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), ["left", "left_2"]);
    assert_eq!(world.models.iter().map(|model| model.is_static).collect::<Vec<_>>(), [false, true]);
    // The item's pose is the root's; joint 0 is the rail, joint 1 the hinge.
    let link = |name: &str| world.links.iter().find(|link| link.name == name).expect("a link");
    assert!(link("left::base").pose.position.distance(DVec3::new(0.0, 0.0, 3.0)) < 1e-12);
    let (sin, cos) = 0.5_f64.sin_cos();
    // The hinge turns about -y of its link, and the link is turned by 90 + 90 degrees about z.
    let in_upper = DVec3::new(cos - 0.6 * sin, 0.0, sin + 0.6 * cos);
    let wanted = DVec3::new(-in_upper.x, 0.0, 3.5 + in_upper.z);
    let rail = link("left::rail").pose.position;
    assert!(rail.distance(wanted) < 1e-12, "{rail} {wanted}");
    let turned = link("left_2::base").pose;
    assert!(turned.position.distance(DVec3::Z) < 1e-12 && turned.direction(DVec3::X).distance(DVec3::Y) < 1e-12);
    assert!(link("left_2::upper").collisions.iter().all(|c| c.surface.collide_bitmask.value == 0));
    let simulation = simulate(&world, world_parameters(&world)).expect("a simulation");
    let positions: Vec<f64> = simulation
        .joints
        .iter()
        .filter(|joint| joint.name == "left::upper" || joint.name == "left::rail")
        .map(|joint| simulation.world.joint(joint.id.expect("a joint")).expect("a joint").position(joint.axes[0]))
        .collect();
    near(positions[0], 0.5, 1e-9);
    near(positions[1], 0.1, 1e-9);
}

/// Of several worlds one is simulated, that of the simulator, with its own bodies.
#[test]
fn one_of_several_worlds_is_simulated() {
    let world_item = |id: u32, height: f64| {
        format!(
            "    - id: {id}\n      name: world{id}\n      class: WorldItem\n      children:\n        - {{ name: body{id}, class: BodyItem, data: {{ \
             modelFile: arm.body, rootPosition: [ 0, 0, {height} ] }} }}\n        - {{ id: {}, name: simulator{id}, class: AGXSimulatorItem, \
             data: {{ timeStep: 0.00{id} }} }}\n",
            id + 10
        )
    };
    let text = |checked: u32| {
        let worlds = world_item(1, 1.0) + &world_item(2, 2.0);
        let view = format!("views:\n  - {{ id: 0, class: ItemTreeView, state: {{ checked: [ {checked} ] }} }}\n");
        format!("items:\n  class: RootItem\n  children:\n{worlds}{view}")
    };
    for (checked, name, line) in [(12, "body2", 4), (11, "body1", 10), (99, "body1", 10)] {
        let loaded = project(&text(checked));
        let told: Vec<_> = loaded.diagnostics.iter().filter(|d| d.code == "several-worlds").collect();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].location.as_ref().expect("a place").line, line + 2);
        let world = world(loaded);
        assert_eq!(world.models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), [name]);
        assert_eq!(world.physics.max_step_size.value, if name == "body2" { 0.002 } else { 0.001 });
    }
}

/// A key that is nearly one of a simulator is told; Choreonoid's own are not.
#[test]
fn misspelt_keys_of_a_simulator_are_told() {
    let text = PROJECT.replace("checked: [ 2, 5 ]", "checked: [ 2, 99 ]");
    let keys = "class: AGXSimulatorItem, data: { ContactReductionThreshold: 20, gravityy: 3, timeSyncMode: x, recording: full, controllerOptions: y";
    let simulators = format!("        - {{ id: 99, name: AGX, {keys} }} }}\nviews:");
    let loaded = project(&text.replace("views:", &simulators));
    let told: Vec<_> =
        loaded.diagnostics.iter().filter(|d| d.code == "unknown-key").map(|d| d.message.clone()).collect();
    assert_eq!(told.len(), 2, "{told:?}");
}

/// Files may stand in the folder of the user or of Choreonoid.
#[test]
fn variables_of_projects_stand_for_folders() {
    let at = |variable: &str| {
        project(&PROJECT.replacen("${PROJECT_DIR}/arm.body", &format!("${{{variable}}}/no/such.body"), 1))
    };
    for variable in ["HOME", "PROGRAM_TOP", "SHARE", "PROJECT_DIR"] {
        let codes: Vec<_> = at(variable).diagnostics.iter().map(|d| d.code).collect();
        assert!(codes.contains(&"file-read") && !codes.contains(&"unknown-variable"), "{variable}: {codes:?}");
    }
    assert!(at("NOWHERE").diagnostics.iter().any(|d| d.code == "unknown-variable"));
}

#[test]
fn excluded_pairs_do_not_touch_and_others_do() {
    let text = "format: ChoreonoidBody
formatVersion: 1.0
name: stack
ball: &ball { parent: floor, jointType: free, elements: { Shape: { geometry: { type: Sphere, radius: 0.1 } } } }
links:
  - { name: floor, jointType: fixed, elements: { Shape: { geometry: { type: Box, size: [ 9, 9, 0.2 ] } } } }
  - { name: a, <<: *ball, translation: [ 0, 0, 0.21 ] }
  - { name: b, <<: *ball, translation: [ 1, 0, 0.21 ] }
  - { name: c, <<: *ball, translation: [ 1, 0, 0.42 ] }
  - { name: d, <<: *ball, translation: [ 2, 0, 0.21 ] }
collisionDetection:
  excludeLinks: [ d ]
  excludeLinkGroups: [ { name: g, links: [ floor, a ] }, { name: h, links: [ b, c ] } ]
";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("stack.body"), text).expect("a body");
    let path = folder.path().join("stack.cnoid");
    let item = "{ class: BodyItem, data: { modelFile: stack.body, selfCollisionDetection: true } }";
    std::fs::write(&path, format!("items: {{ class: RootItem, children: [ {item} ] }}\n")).expect("a project");
    let world = world(load_file(&path));
    assert_eq!(world.excluded_pairs, [[0, 1], [2, 3]]);
    let mut simulation = simulate(&world, world_parameters(&world)).expect("a simulation");
    for _ in 0..1000 {
        simulation.world.step(1e-3);
    }
    let height = |name: &str| {
        let link = simulation.link(&format!("stack::{name}")).expect("a link");
        simulation.link_pose(link).position.z
    };
    assert!(height("a") < -4.0 && height("d") < -4.0, "{} {}", height("a"), height("d"));
    // Both rest on the floor, one within the other.
    assert!((height("b") - 0.2).abs() < 0.01 && (height("c") - 0.2).abs() < 0.01, "{} {}", height("b"), height("c"));
}

#[test]
fn broken_bodies_are_refused_at_their_line() {
    let one = |key: &str| body(&format!("  - name: a\n    jointType: free\n    {key}\n"));
    let elements = |text: &str| one(&format!("elements: {text}"));
    for (text, code, line) in [
        ("name: b\nlinks: []\n".to_owned(), "body-format", 1),
        ("format: Body\nformatVersion: 1.0\n".to_owned(), "body-format", 1),
        ("format: ChoreonoidBody\nformatVersion: 3.0\n".to_owned(), "body-format", 2),
        ("format: ChoreonoidBody\nname: a\n".to_owned(), "body-format", 1),
        (
            "format: ChoreonoidBody\nformatVersion: 2.0\nangleUnit: radian\nlinks: [ { name: a } ]\n".to_owned(),
            "invalid-value",
            3,
        ),
        ("format: ChoreonoidBody\nformatVersion: 2.0\nname: a\nlinks: []\n".to_owned(), "no-link", 4),
        (body("  - jointType: free\n"), "missing-name", 5),
        (body("  - { name: a }\n  - { name: a, parent: a }\n"), "duplicate-name", 6),
        (body("  - { name: a }\n  - { name: b, parent: aa }\n"), "unknown-link", 6),
        (body("  - { name: a }\n  - { name: b }\n"), "missing-parent", 6),
        (body("  - { name: a }\n  - { name: b, parent: c }\n  - { name: c, parent: b }\n"), "link-circle", 6),
        (one("jointRange: [ 2, 1 ]"), "invalid-value", 7),
        (one("jointAxis: [ 0, 0, 0 ]"), "invalid-value", 7),
        (one("translation: [ 0, 1 ]"), "invalid-value", 7),
        (one("rotation: [ 0, 0, 1, x ]"), "invalid-value", 7),
        (one("mass: heavy"), "invalid-value", 7),
        (one("mass: 1e999"), "invalid-value", 7),
        (one("inertia: [ 1, 0, 0, 0 ]"), "invalid-value", 7),
        (one("massType: weight"), "invalid-value", 7),
        (body("  - name: a\n    jointType: hinge\n"), "joint-type", 6),
        (elements("[ { geometry: { type: Box, size: [ 1, 1, 1 ] } } ]"), "missing-key", 7),
        (elements("[ { type: Shape } ]"), "missing-key", 7),
        (elements("{ Shape: { geometry: { type: Bocks, size: [ 1, 1, 1 ] } } }"), "geometry-type", 7),
        (elements("{ Shape: { geometry: { type: Sphere, radius: -1 } } }"), "invalid-value", 7),
        (elements("{ Shape: { geometry: { type: Cylinder, radius: 1 } } }"), "missing-key", 7),
        (one("elements: 3"), "wrong-type", 7),
        (one("x: [ 1"), "yaml-syntax", 8),
        (body("  - { type: SubBody, uri: nowhere.body }\n"), "file-read", 5),
        (body("  - { type: SubBody, uri: file.body }\n"), "sub-body", 5),
        (
            body("  - { name: a }\nextraJoints:\n  - { link1Name: a, link2Name: z, jointType: hinge }\n"),
            "unknown-link",
            7,
        ),
    ] {
        let loaded = load_text("body", &text);
        assert!(loaded.world.is_none(), "{text}");
        let place = |d: &&Diagnostic| d.location.as_ref().map(|place| place.line);
        let own: Vec<_> =
            loaded.diagnostics.iter().filter(|d| d.code == code && d.severity == Severity::Error).collect();
        let lines: Vec<_> = own.iter().map(place).collect();
        assert_eq!(lines, [Some(line)], "{text}\n{:?}", loaded.diagnostics);
    }
}

#[test]
fn unknown_words_are_told_once_with_the_nearest_one() {
    let text = body(
        "  - name: a
    jointType: free
    joitAxis: Z
    elements:
      - { type: Shap, geometry: { type: Box, size: [ 1, 1, 1 ] } }
      - { type: Camera, name: c }
      - { type: Camera, name: d }
      - { type: NailDriver }
      - { type: Resource, uri: a.wrl }
      - { type: Transform, translaton: [ 0, 0, 1 ], elements: [ { type: Resource, uri: a.wrl } ] }
",
    );
    let loaded = load_text("body", &text);
    let found: Vec<(&str, u32, Option<&str>)> = loaded
        .diagnostics
        .iter()
        .filter(|d| !matches!(d.code, "invalid-inertia" | "lifted"))
        .map(|d| (d.code, d.location.as_ref().expect("a place").line, d.help.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            ("unknown-key", 7, Some("did you mean `joint_axis`?")),
            ("unknown-element", 9, Some("did you mean `Shape` or `Skip`?")),
            ("device", 10, None),
            ("device", 12, None),
            ("file-read", 13, None),
            ("unknown-key", 14, Some("did you mean `translation`?")),
        ]
    );
}

/// A sequence of numbers that is the same on every machine.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

#[test]
fn damaged_files_are_refused_or_read_and_never_more() {
    let mut numbers = Sequence(13);
    let mut read = 0;
    for round in 0..600 {
        let (is_project, text) = if round % 2 == 0 { (false, ARM) } else { (true, PROJECT) };
        let mut bytes = text.as_bytes().to_vec();
        if round % 3 == 0 {
            bytes.truncate(numbers.below(bytes.len()));
        }
        for _ in 0..numbers.below(4) {
            if !bytes.is_empty() {
                let at = numbers.below(bytes.len());
                bytes[at] = b" :-[]{}*&#0919.eaz\n\"'<"[numbers.below(22)];
            }
        }
        let damaged = String::from_utf8_lossy(&bytes).into_owned();
        let loaded = if is_project { project(&damaged) } else { load_text("body", &damaged) };
        let stops = |d: &Diagnostic| d.severity == Severity::Error && d.blocks_run;
        assert_eq!(loaded.world.is_none(), loaded.diagnostics.iter().any(stops), "{damaged}");
        if let Some(world) = &loaded.world {
            read += 1;
            let _ = simulate(world, world_parameters(world));
        }
    }
    assert!(read > 50, "{read}");
}

#[test]
fn a_link_may_have_a_material_of_its_own() {
    let text = body(
        "  - name: a
    jointType: free
    massType: density
    material: useLinkInfo
    density: 500
    youngsModulus:
    roughness: 0.9
    elements: { Shape: { geometry: { type: Box, size: [ 1, 1, 1 ] } } }
",
    );
    let world = world(load_text("body", &text));
    assert_eq!(world.links[0].inertial.mass.value, 500.0);
    let material = world.links[0].collisions[0].material.as_ref().expect("a material");
    let [own] = world.own_materials.as_slice() else { panic!("{:?}", world.own_materials) };
    assert_eq!((material.value.as_str(), own.name.as_str()), ("b::a", "b::a"));
    let values: Vec<(&str, f64)> = own.values.iter().map(|(key, setting)| (key.as_str(), setting.value)).collect();
    assert_eq!(values, [("density", 500.0), ("roughness", 0.9)]);
}
