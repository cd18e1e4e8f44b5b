//! Masses that follow from densities: whose density counts, and what is told of it.

use stiction_formats::description::{Origin, WorldDescription};
use stiction_formats::diagnostic::{Diagnostic, Severity};
use stiction_formats::in_force::masses;
use stiction_formats::materials::{Defaults, MaterialOptions, MaterialTable};
use stiction_formats::{FileRequest, LoadOptions, Loaded, Override, load, render};

fn load_body(links: &str, materials: MaterialOptions) -> Loaded {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("b.body");
    let text = format!("format: ChoreonoidBody\nformatVersion: 1.0\nname: b\nlinks:\n{links}");
    std::fs::write(&path, text).expect("a file");
    let options = LoadOptions { no_ground: true, materials, ..LoadOptions::default() };
    load(&[FileRequest { path, name: None, pose: None }], &options)
}

fn world(loaded: Loaded) -> WorldDescription {
    let findings = render(&loaded.diagnostics, &loaded.sources, false);
    loaded.world.unwrap_or_else(|| panic!("{findings}"))
}

fn table(text: &str) -> MaterialOptions {
    let table = MaterialTable::parse("t.yaml".as_ref(), text, Defaults::Choreonoid).table;
    MaterialOptions { table, ..MaterialOptions::default() }
}

/// Two half-metre cubes of one material, one with a density of its own.
const TWO: &str = "  - name: a
    jointType: free
    massType: density
    material: wood
    density: 200
    elements: &cube { Shape: { geometry: { type: Box, size: [ 0.5, 0.5, 0.5 ] } } }
  - { name: b, parent: a, jointType: free, massType: density, material: wood, density: , elements: *cube }
  - { name: c, parent: a, jointType: free, massType: density, material: stone, elements: *cube }
  - { name: d, parent: a, jointType: free, mass: 3, elements: *cube }
  - { name: e, parent: a, jointType: free, massType: density, elements: *cube }
";

#[test]
fn a_density_beside_a_material_is_of_one_link_alone() {
    let options = table("materials:\n  - { name: wood, density: 600 }\n  - { name: Default, density: 80 }\n");
    let world = world(load_body(TWO, options.clone()));
    let found: Vec<f64> = world.links.iter().map(|link| link.inertial.mass.value).collect();
    // `stone` is in no table: 1000 kg/m³. What names no material is made of `Default`.
    assert_eq!(found, [25.0, 75.0, 125.0, 3.0, 10.0]);
    let told: Vec<(Option<f64>, String)> = masses(&world).into_iter().map(|m| (m.density, m.origin)).collect();
    let densities: Vec<Option<f64>> = told.iter().map(|(density, _)| *density).collect();
    assert_eq!(densities, [Some(200.0), Some(600.0), Some(1000.0), None, Some(80.0)]);
    assert!(told[0].1.starts_with("density 200 kg/m³ of the link, ") && told[0].1.ends_with("b.body:9:14"), "{told:?}");
    assert_eq!(told[1].1, "density 600 kg/m³ of material `wood`, t.yaml:2:28");
    assert_eq!(told[2].1, "density 1000 kg/m³ of material `stone`, default");
    assert!(told[3].1.starts_with("mass ") && told[3].1.ends_with("b.body:13:5"), "{told:?}");
    let note = masses(&world)[1].finding().expect("a note");
    assert_eq!((note.code, note.location.expect("a place").line), ("mass-from-density", 11));
    assert!(
        note.message.contains("75 kg") && note.message.contains("inertia 3.125 3.125 3.125 0 0 0 kg m²"),
        "{}",
        note.message
    );
    // A setting of the table reaches the masses.
    let settings = vec![Override { path: "material.wood.density".to_owned(), value: "1200".to_owned() }];
    let world = self::world(load_body(TWO, MaterialOptions { settings, ..options }));
    assert_eq!([0, 1].map(|k| world.links[k].inertial.mass.value), [25.0, 150.0]);
    let of = world.links[1].inertial.density.as_ref().expect("a density");
    assert!(matches!(&of.density.origin, Origin::Override(_)));
}

#[test]
fn values_of_a_links_own_material_are_in_their_ranges() {
    let link = |keys: &str| {
        format!(
            "  - name: a\n    jointType: free\n    massType: density\n    material: useLinkInfo\n{keys}    elements: \
             {{ Shape: {{ geometry: {{ type: Box, size: [ 1, 1, 1 ] }} }} }}\n"
        )
    };
    let fine =
        link("    density:\n    youngsModulus:\n    viscosity: 0.5\n    adhesionForce: 3\n    adhesivOverlap: 0.01\n");
    let world = world(load_body(&fine, MaterialOptions::default()));
    assert_eq!(world.links[0].inertial.mass.value, 1000.0);
    let keys: Vec<&str> = world.own_materials[0].values.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["viscosity", "adhesion_force", "adhesiv_overlap"]);
    for (key, severity, code) in [
        ("viscosity: 1.5", Severity::Error, "invalid-value"),
        ("youngsModulus: 0", Severity::Error, "invalid-value"),
        ("roughness: -1", Severity::Error, "invalid-value"),
        ("surfaceViscosity: much", Severity::Error, "invalid-value"),
        ("adhesivOverlap: 0.1", Severity::Warning, "no-effect"),
    ] {
        let loaded = load_body(&link(&format!("    {key}\n")), MaterialOptions::default());
        let found: Vec<&Diagnostic> = loaded.diagnostics.iter().filter(|d| d.severity >= Severity::Warning).collect();
        assert_eq!(found.len(), 1, "{key}: {found:?}");
        assert_eq!((found[0].severity, found[0].code), (severity, code), "{key}");
        assert_eq!(found[0].location.as_ref().expect("a place").line, 9, "{key}");
    }
}
