//! VRML 97 files: shapes where their transforms put them, and files that are refused.

use std::fmt::Write;

use stiction::math::DVec3;
use stiction_formats::description::GeometryDescription;
use stiction_formats::diagnostic::{Diagnostic, Severity};
use stiction_formats::simulation::{simulate, world_parameters};
use stiction_testing::shared;

use super::{Random, link, load_body, mass_of, world};

pub const CUBE: &str = "#VRML V2.0 utf8
# Corners in both senses of writing, a list without commas.
DEF Cube Transform { translation 1 2 3 scale 2 1 1 children [
  Shape { appearance Appearance { material DEF Red Material { diffuseColor 1 0 0 } }
    geometry DEF Faces IndexedFaceSet { solid TRUE
      coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0  0 0 1  1 0 1  1 1 1  0 1 1 ] }
      coordIndex [ 3 2 1 0 -1 4 5 6 7 -1, 0 1 5 4 -1, 1 2 6 5 -1, 2 3 7 6 -1, 3 0 4 7 ] } } ] }
Transform { rotation 0 0 1 1.5707963267948966 children Shape { geometry USE Faces } }
Viewpoint { position 0 0 10 }
";

#[test]
fn vrml_faces_stand_where_their_transforms_say() {
    let loaded = load_body(&link("{ Resource: { uri: cube.wrl } }"), &[("cube.wrl", CUBE)]);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let world = world(loaded);
    let found = mass_of(&world.links[0]);
    // 2 by 1 by 1 at (1..3, 2..3, 3..4), and a cube at (-1..0, 0..1, 0..1).
    assert!((found.mass - 3000.0).abs() < 1e-9);
    let wanted = (DVec3::new(2.0, 2.5, 3.5) * 2.0 + DVec3::new(-0.5, 0.5, 0.5)) / 3.0;
    assert!(found.center_of_mass.distance(wanted) < 1e-12, "{}", found.center_of_mass);
    assert_eq!(world.links[0].collisions.len(), 2);

    // A named node stands at the origin, in the sizes and turns of what is around it.
    let world = super::world(load_body(&link("{ Resource: { uri: cube.wrl, node: Cube } }"), &[("cube.wrl", CUBE)]));
    let found = mass_of(&world.links[0]);
    assert!((found.mass - 2000.0).abs() < 1e-9);
    assert!(found.center_of_mass.distance(DVec3::new(1.0, 0.5, 0.5)) < 1e-12);
}

#[test]
fn vrml_primitives_prototypes_and_files_within_files_are_read() {
    let parts = "#VRML V2.0 utf8
PROTO Joint [ exposedField MFNode children [ ] field SFVec3f translation 0 0 0 field SFFloat r 0.5 eventIn MFNode add ]
{ Transform { translation IS translation children [ Group { children IS children }
    Shape { geometry Sphere { radius IS r } } ] } }
DEF J Joint { translation 0 0 2 children [ Shape { geometry Box { } } ] }
Switch { choice [ Shape { geometry Box { size 9 9 9 } } ] }
Switch { whichChoice 1 choice [ Shape { geometry Box { size 9 9 9 } } Shape { geometry Cone { } } ] }
LOD { level [ Shape { geometry Cylinder { radius 0.5 } }, Shape { geometry Box { size 9 9 9 } } ] }
Inline { url [ \"more.wrl\" ] }
Script { field SFFloat x 3 eventOut SFBool done url \"javascript: { }\" }
ROUTE J.add TO J.add
Shape { geometry IndexedLineSet { coord Coordinate { point [ 0 0 0 1 1 1 ] } coordIndex [ 0 1 -1 ] } }
";
    let more = "#VRML V2.0 utf8\nShape { geometry Extrusion { } }\n\
                Shape { geometry ElevationGrid { xDimension 2 zDimension 2 height [ 0 0 0 1 ] } }\n";
    let files = [("parts.wrl", parts), ("more.wrl", more)];
    let loaded =
        load_body("  - { name: a, jointType: free, mass: 1, elements: { Resource: { uri: parts.wrl } } }\n", &files);
    let codes: Vec<(&str, u32)> =
        loaded.diagnostics.iter().map(|d| (d.code, d.location.as_ref().expect("a place").line)).collect();
    assert_eq!(codes, [("open-mesh", 5)]);
    let world = world(loaded);
    let collisions = &world.links[0].collisions;
    let kinds: Vec<&GeometryDescription> = collisions.iter().map(|c| &c.geometry).collect();
    assert_eq!(kinds[0], &GeometryDescription::Box(DVec3::splat(2.0)));
    assert_eq!(collisions[0].pose.position, DVec3::new(0.0, 0.0, 2.0));
    assert_eq!(kinds[1], &GeometryDescription::Sphere(0.5));
    assert_eq!(kinds[2], &GeometryDescription::Cone { radius: 1.0, length: 2.0 });
    assert_eq!(kinds[3], &GeometryDescription::Cylinder { radius: 0.5, length: 2.0 });
    assert!(kinds[4..].iter().all(|kind| matches!(kind, GeometryDescription::Mesh(_))));
    assert_eq!(kinds.len(), 6);
    // VRML's default extrusion is a box of 2 by 1 by 2.
    let GeometryDescription::Mesh(mesh) = kinds[4] else { panic!() };
    assert!(mesh.vertices.iter().all(|v| v.x.abs() == 1.0 && v.z.abs() == 1.0 && (v.y == 0.0 || v.y == 1.0)));
}

#[test]
fn damaged_vrml_is_refused_or_read_and_never_more() {
    let mut random = Random(5);
    for round in 0..400 {
        let mut bytes = CUBE.as_bytes().to_vec();
        if round % 4 == 0 {
            bytes.truncate((random.next() * bytes.len() as f64) as usize);
        }
        for _ in 0..(random.next() * 5.0) as usize {
            if bytes.len() > 20 {
                let at = 16 + (random.next() * (bytes.len() - 16) as f64) as usize;
                bytes[at] = b" -[]{}09.e#\"DU\n,"[(random.next() * 16.0) as usize];
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let loaded = load_body(&link("{ Resource: { uri: cube.wrl } }"), &[("cube.wrl", &text)]);
        let stops = |d: &Diagnostic| d.severity == Severity::Error && d.blocks_run;
        assert_eq!(loaded.world.is_none(), loaded.diagnostics.iter().any(stops), "{text}");
    }
}

#[test]
fn what_grows_without_end_is_refused() {
    let head = "#VRML V2.0 utf8\n";
    let deep = |open: &str| format!("{head}{}", open.repeat(100_000));
    let many: String = (0..2000).map(|k| format!("PROTO P{k} [ ] {{ Group {{ }} }}\n")).collect();
    let nested: String = (1..40)
        .map(|k| format!("PROTO P{k} [ ] {{ Group {{ children [ P{} {{ }} P{} {{ }} ] }} }}\n", k - 1, k - 1))
        .collect();
    for (text, code) in [
        (deep("Group { children [ "), "vrml-depth"),
        (deep("Group { children "), "vrml-depth"),
        (deep("PROTO A [ ] { "), "vrml-size"),
        (deep("Group { PROTO A [ field SFNode x "), "vrml-depth"),
        (deep("PROTO A [ field SFNode x Group { "), "vrml-depth"),
        (format!("{head}{many}"), "vrml-size"),
        (format!("{head}PROTO P0 [ ] {{ Shape {{ geometry Box {{ }} }} }}\n{nested}P39 {{ }}"), "vrml-size"),
        (
            format!(
                "{head}Shape {{ geometry Extrusion {{ crossSection [ {} ] spine [ {} ] }} }}",
                "0 1 ".repeat(1999),
                "0 0 0 0 1 0 ".repeat(2000)
            ),
            "vrml-extrusion",
        ),
    ] {
        let loaded = load_body(&link("{ Resource: { uri: a.wrl } }"), &[("a.wrl", &text)]);
        let codes: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
        assert!(codes.contains(&code), "{codes:?}: {}", &text[..60]);
    }
}

#[test]
fn uses_that_multiply_are_refused() {
    let mut text = "#VRML V2.0 utf8\nDEF N0 Group { children [ Shape { geometry Box { } } ] }\n".to_owned();
    for k in 1..30 {
        let before = k - 1;
        let _ = writeln!(text, "DEF N{k} Group {{ children [ USE N{before} USE N{before} ] }}");
    }
    let loaded = load_body(&link("{ Resource: { uri: a.wrl } }"), &[("a.wrl", &text)]);
    assert!(loaded.diagnostics.iter().any(|d| d.code == "vrml-size"), "{:?}", loaded.diagnostics);
}

#[test]
fn every_vrml_file_of_the_reference_is_read_and_nearly_all_are_solids() {
    let Some(folder) = shared("choreonoid/model") else { return };
    let (mut solids, mut all) = (0, 0);
    for part in ["DoubleArmV7/prt", "Tank/resource"] {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder.join(part)).expect("a folder").map(|e| e.expect("an entry").path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "wrl")) {
            let elements = format!("{{ Resource: {{ uri: \"{}\" }} }}", path.display());
            let loaded =
                load_body(&format!("  - {{ name: a, jointType: free, mass: 1, elements: {elements} }}\n"), &[]);
            let is_open = loaded.diagnostics.iter().any(|d| d.code == "open-mesh");
            let world = world(loaded);
            assert!(!world.links[0].collisions.is_empty(), "{}", path.display());
            assert!(simulate(&world, world_parameters(&world)).is_ok());
            (solids, all) = (solids + usize::from(!is_open), all + 1);
        }
    }
    assert!(all >= 48 && solids + 2 >= all, "{solids} of {all}");
}
