//! Material tables: derived pairs, spellings, words, and findings with their lines.

use std::path::Path;

use stiction::material::SolveType;
use stiction_formats::diagnostic::{Diagnostic, Severity};
use stiction_formats::materials::{Defaults, FrictionWord, MaterialTable, ReductionMode, TableRead};
use stiction_formats::one_line;

fn read(text: &str) -> TableRead {
    MaterialTable::parse(Path::new("table.yaml"), text, Defaults::Choreonoid)
}

fn table(text: &str) -> MaterialTable {
    let read = read(text);
    assert!(read.is_usable(), "{:?}", read.diagnostics);
    read.table.expect("a table")
}

/// Severity, code and line of all findings.
fn findings(text: &str) -> Vec<(Severity, &'static str, u32)> {
    read(text).diagnostics.iter().map(|d| (d.severity, d.code, d.location.as_ref().map_or(0, |l| l.line))).collect()
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * b.abs().max(1e-12), "{a} {b}");
}

/// Figures by hand, of the six formulas.
#[test]
fn pairs_are_derived_by_six_formulas() {
    let text = "
materials:
  - { name: steel, youngsModulus: 2e11, viscosity: 0.2, spookDamping: 0.05, roughness: 0.8, surfaceViscosity: 1e-9 }
  - { name: rubber, youngs_modulus: 1e7, viscosity: 0.5, spook_damping: 0.1, roughness: 1.2, surface_viscosity: 4e-8,
      adhesion_force: 5, adhesiv_overlap: 0.01 }
  - { name: plain }
";
    let pair = table(text).pair("rubber", "steel");
    for (found, wanted) in [
        (pair.youngs_modulus, 9_999_500.024_998_75),
        (pair.restitution, 0.632_455_532_033_675_8),
        (pair.spook_damping, 0.1),
        (pair.friction, 0.979_795_897_113_271_2),
        (pair.surface_viscosity, 4.1e-8),
        (pair.adhesion_force, 5.0),
        (pair.adhesive_overlap, 0.01),
    ] {
        near(found, wanted);
    }
    assert!(pair.is_derived && !pair.rests_on_default_viscosity);
    assert_eq!((pair.friction_model, pair.solve_type), (FrictionWord::Cone, SolveType::Split));

    // What the code of Choreonoid makes of a material without keys, what its manual printed, and what AGX has.
    let own = |defaults| {
        let read = MaterialTable::parse(Path::new("t"), text, defaults);
        read.table.unwrap().pair("plain", "plain")
    };
    let (code, manual) = (own(Defaults::Choreonoid), own(Defaults::Seed));
    near(code.youngs_modulus, 2e8);
    assert_eq!((code.restitution, manual.restitution), (0.0, 1.0));
    assert!(code.rests_on_default_viscosity && manual.rests_on_default_viscosity);
    let unknown = table(text).pair("nowhere", "nowhere");
    near(unknown.restitution, 0.5);
    near(unknown.friction, 0.25 / 0.6);
}

#[test]
fn a_listed_pair_replaces_what_would_be_derived() {
    let table = table(
        "
materials: [ { name: A, roughness: 2 }, { name: B, roughness: 2 }, { name: default, roughness: 0.25 } ]
COMMON: &COMMON { friction: 0.7, restitution: 0.3 }
contactMaterials:
  - materials: [ A, B, C ]
    <<: *COMMON
    restitution: 0.1
    frictionModel: [ scaled_box, iterativeAndDirect ]
    contactReductionMode: reduceALL
    contactReductionBinResolution: 10
",
    );
    for (a, b) in [("A", "B"), ("B", "A"), ("A", "C"), ("C", "B")] {
        let pair = table.pair(a, b);
        assert!(!pair.is_derived);
        near(pair.friction, 0.7);
        near(pair.restitution, 0.1);
        near(pair.youngs_modulus, 2e8);
        assert_eq!((pair.friction_model, pair.solve_type), (FrictionWord::ScaledBox, SolveType::DirectAndIterative));
        assert_eq!((pair.reduction.mode, pair.reduction.bins), (ReductionMode::All, 10));
    }
    // Of a list every pair, not a material with itself.
    assert!(table.pair("A", "A").is_derived);
    near(table.pair("Default", "default").friction, 0.25);
}

#[test]
fn every_word_is_known() {
    for (word, model) in FrictionWord::WORDS {
        for (solve, wanted) in [
            ("", SolveType::Split),
            ("default", SolveType::Split),
            ("split", SolveType::Split),
            ("direct", SolveType::Direct),
            ("iterative", SolveType::Iterative),
            ("direct_and_iterative", SolveType::DirectAndIterative),
            ("directAndIterative", SolveType::DirectAndIterative),
            ("iterativeAndDirect", SolveType::DirectAndIterative),
        ] {
            let text = format!(
                "contact_materials:\n  - materials: [ A, B ]\n    friction_model: [ \"{word}\", \"{solve}\" ]\n    \
                 primary_direction: [ 1, 0, 0 ]\n"
            );
            let pair = table(&text).pair("A", "B");
            assert_eq!((pair.friction_model, pair.solve_type), (model, wanted), "{word} {solve}");
        }
    }
}

#[test]
fn faults_are_told_with_their_line() {
    use Severity::{Error, Note, Warning};
    for (text, wanted) in [
        ("materials:\n  - name: A\n    youngsModulus: 0\n", vec![(Error, "material-value", 3)]),
        ("materials:\n  - name: A\n    viscosity: 1.5\n", vec![(Error, "material-value", 3)]),
        ("materials:\n  - name: A\n    roughness: rough\n", vec![(Error, "material-value", 3)]),
        ("materials:\n  - name: A\n    spookDamping: -1\n", vec![(Error, "material-value", 3)]),
        ("materials:\n  - name: A\n    density: .inf\n", vec![(Error, "material-value", 3)]),
        ("materials:\n  - name: A\n    roughnes: 1\n", vec![(Warning, "unknown-key", 3)]),
        ("materials:\n  - name: A\n    density: 1\n    density: 2\n", vec![(Warning, "duplicate-key", 4)]),
        ("materials:\n  - name: A\n    poissonRatio: 0.2\n", vec![(Note, "no-effect", 3)]),
        ("materials:\n  - name: A\n  - name: A\n", vec![(Error, "duplicate-material", 3)]),
        ("materials:\n  - density: 3\n", vec![(Error, "material-name", 2)]),
        ("materials: 3\n", vec![(Error, "wrong-type", 1)]),
        ("- a\n- b\n", vec![(Error, "material-table", 1)]),
        ("matrials: []\n", vec![(Warning, "unknown-key", 1)]),
        ("contactMaterials:\n  - friction: 1\n", vec![(Error, "contact-materials", 2)]),
        ("contactMaterials:\n  - materials: [ A ]\n", vec![(Error, "contact-materials", 2)]),
        ("contactMaterials:\n  - materials: [ A, B ]\n  - materials: [ B, A ]\n", vec![(Warning, "duplicate-pair", 3)]),
        ("contactMaterials:\n  - materials: [ A, B ]\n    frictionModel: cone\n", vec![(Error, "friction-model", 3)]),
        (
            "contactMaterials:\n  - materials: [ A, B ]\n    frictionModel: [ conee, split ]\n",
            vec![(Error, "unknown-word", 3)],
        ),
        (
            "contactMaterials:\n  - materials: [ A, B ]\n    contactReductionBinResolution: 11\n",
            vec![(Error, "material-value", 3)],
        ),
        (
            "contactMaterials:\n  - materials: [ A, B ]\n    frictionModel: [ orientedBox, direct ]\n",
            vec![(Warning, "primary-direction", 2)],
        ),
        (
            "contact_materials:\n  - materials: [ A, B ]\ncontactMaterials:\n  - materials: [ A, C ]\n",
            vec![(Warning, "two-lists", 3)],
        ),
    ] {
        assert_eq!(findings(text), wanted, "{text}");
    }
}

#[test]
fn a_fault_names_the_nearest_word() {
    let read = read("contactMaterials:\n  - materials: [ A, B ]\n    frictionModel: [ cone, splt ]\n    frictoin: 1\n");
    let lines: Vec<String> = read.diagnostics.iter().map(one_line).collect();
    assert!(
        lines.iter().any(|l| l.starts_with("table.yaml:3:") && l.contains("`splt` is not a solve type")),
        "{lines:?}"
    );
    let helps: Vec<&str> = read.diagnostics.iter().filter_map(|d: &Diagnostic| d.help.as_deref()).collect();
    assert_eq!(helps, ["did you mean `friction`?", "did you mean `split`?"]);
}

/// Tables of Choreonoid as they are.
#[test]
fn tables_of_choreonoid_load_unchanged() {
    let Some(folder) = stiction_testing::shared("choreonoid") else { return };
    for (file, materials, contacts) in [
        ("default/materials.yaml", 13, 3),
        ("AGXDynamics/agxSampleMaterials.yaml", 19, 17),
        ("CollisionHandler/materials.yaml", 2, 3),
    ] {
        let read = MaterialTable::read(&folder.join(file), Defaults::Choreonoid).unwrap();
        let table = read.table.as_ref().unwrap();
        assert!(read.diagnostics.iter().all(|d| d.severity < Severity::Error), "{file}: {:?}", read.diagnostics);
        let counts = (table.materials().count(), table.contacts().count());
        assert!(counts.0 >= materials && counts.1 >= contacts, "{file}: {counts:?}");
    }
    let table = MaterialTable::read(&folder.join("AGXDynamics/agxSampleMaterials.yaml"), Defaults::Choreonoid)
        .unwrap()
        .table
        .unwrap();
    near(table.pair("Ground", "agxMat21").youngs_modulus, 2e20);
    near(table.pair("agxMat41", "Ground").spook_damping, 100.0);
    assert_eq!(table.pair("Ground", "agxMat81").friction_model, FrictionWord::Box);
    // Not listed: derived of Ground (viscosity 0, roughness 0.5) and a material with Choreonoid's viscosity of 1.
    near(table.pair("Ground", "agxMat90").youngs_modulus, 2e8);
    assert_eq!(table.pair("Ground", "agxMat11").restitution, 0.0);
}

/// A pair with some keys, and what is said of it.
fn pair_with(keys: &str) -> (stiction_formats::materials::Pair, Vec<(Severity, &'static str, u32)>) {
    let text = format!("contact_materials:\n  - materials: [ a, b ]\n    {keys}\n");
    (read(&text).table.expect("a table").pair("a", "b"), findings(&text))
}

/// Of several spellings one counts, and the others are told; what holds nothing is no spelling.
#[test]
fn one_of_several_spellings_counts() {
    let (pair, said) = pair_with("adhesivOverlap: 0.01\n    adhesiveOverlap: 0.02");
    assert_eq!((pair.adhesive_overlap, said), (0.01, vec![(Severity::Warning, "two-spellings", 4)]));
    let (pair, said) = pair_with("adhesiveOverlap: 0.02\n    adhesivOverlap: 0.01");
    assert_eq!((pair.adhesive_overlap, said), (0.01, vec![(Severity::Warning, "two-spellings", 3)]));
    let (pair, said) = pair_with("static_friction: 0.7\n    friction: 0.4");
    assert_eq!((pair.friction, said), (0.4, vec![(Severity::Warning, "two-spellings", 3)]));
    let (pair, said) = pair_with("youngs_modulus:\n    youngsModulus: 1e5");
    assert_eq!((pair.youngs_modulus, said), (1e5, vec![]));
    let (pair, said) = pair_with("frictionModel: [ box, direct ]\n    friction_model: [ cone, direct ]");
    assert_eq!((pair.friction_model, said), (FrictionWord::Cone, vec![(Severity::Warning, "two-spellings", 3)]));
    let (pair, said) = pair_with("friction_model:\n    frictionModel: [ box, direct ]");
    assert_eq!((pair.friction_model, said), (FrictionWord::Box, vec![]));
}

/// Nothing that a table says is passed over in silence.
#[test]
fn what_has_no_effect_or_no_meaning_is_told() {
    let (_, said) = pair_with("dynamic_friction: 0.2\n    cullingDistance: 0.01");
    assert_eq!(said, [(Severity::Note, "no-effect", 3), (Severity::Note, "no-effect", 4)]);
    let (_, said) =
        pair_with("contactReductionMode: [ reduceAll ]\n    reference_body: [ a ]\n    reference_link: { b: c }");
    assert_eq!(said, [3, 4, 5].map(|line| (Severity::Error, "wrong-type", line)));
    // A key that a merge brings to two pairs is told once, where it stands.
    let text = "X: &X { frictoin: 0.3 }\ncontact_materials:\n  - { materials: [ a, b ], <<: *X }\n  - { materials: [ a, c ], <<: *X }\n";
    assert_eq!(findings(text), [(Severity::Warning, "unknown-key", 1)]);
}

/// A file without either list is told: it is hardly a table.
#[test]
fn a_file_without_lists_is_told() {
    assert_eq!(findings("X: &X { friction: 0.3 }\n"), [(Severity::Warning, "material-table", 1)]);
    assert_eq!(findings("materials:\n"), []);
}

/// A tab parts a key from its value, as a space does.
#[test]
fn tabs_part_keys_and_values() {
    let table = table("materials:\n  - name:\tice\n    roughness:\t0.1\t# slippery\n");
    assert_eq!(table.material("ice").expect("ice").roughness, 0.1);
}

/// Directions of any length are directions.
#[test]
fn primary_directions_of_any_length_count() {
    for length in ["1e-200", "1e-310", "1e300"] {
        let (pair, _) = pair_with(&format!("primaryDirection: [ 0, {length}, 0 ]"));
        assert_eq!(pair.primary_direction.to_array(), [0.0, 1.0, 0.0]);
    }
}

/// What names no material has `Default`, in tables too that do not list it: with the defaults of the keys, not those that
/// AGX has for a name that it does not know.
#[test]
fn every_table_has_the_default_material() {
    let text = "materials:\n  - { name: ground, roughness: 0.5, viscosity: 0.0 }\n";
    let pair = table(text).pair("ground", "default");
    near(pair.friction, 0.5);
    near(pair.restitution, 0.0);
    assert!(pair.rests_on_default_viscosity);
    let seed = MaterialTable::parse(Path::new("t"), text, Defaults::Seed).table.unwrap().pair("ground", "Default");
    near(seed.restitution, 1.0);
    near(table(text).pair("ground", "unknown").restitution, 0.5_f64.sqrt());
}
