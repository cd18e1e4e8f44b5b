//! Choreonoid's bodies and projects: what they become, and findings with their lines.

use std::path::{Path, PathBuf};

use stiction::math::DVec3;
use stiction_formats::description::WorldDescription;
use stiction_formats::diagnostic::Severity;
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
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).expect("a folder").map(|e| e.unwrap().path()).collect();
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
            }
            None => refused.push(path.file_name().unwrap().to_string_lossy().into_owned()),
        }
        if std::env::var_os("SHOW_FINDINGS").is_some() {
            println!(
                "== {} {}\n{}",
                path.display(),
                loaded.world.is_some(),
                render(&loaded.diagnostics, &loaded.sources, false)
            );
        }
    }
    println!("{refused:?}");
    assert!(loaded_severities_are_sane(&found));
}

fn loaded_severities_are_sane(found: &[PathBuf]) -> bool {
    found.iter().all(|path| {
        let loaded = load_file(path);
        loaded.world.is_some() || loaded.diagnostics.iter().any(|d| d.severity == Severity::Error)
    })
}
