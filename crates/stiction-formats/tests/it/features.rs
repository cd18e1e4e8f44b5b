//! Readers that a build may leave out: they read, or the finding names the feature.

use std::path::Path;

use stiction_formats::description::{GeometryDescription, HeightfieldDescription};
use stiction_formats::{LoadOptions, load};

use crate::common::request;
use crate::common::solids::{mug, obj};

/// The heights of an image, or the message of the finding.
fn heights(image: &str) -> Result<HeightfieldDescription, String> {
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(image)).unwrap();
    let geometry = format!("<heightmap><uri>{image}</uri><size>8 8 240</size></heightmap>");
    let (geometry, messages) = geometry_of(&geometry, &[(image, &bytes)]);
    match geometry {
        GeometryDescription::Heightfield(field) => Ok((*field).clone()),
        _ => Err(messages.join("; ")),
    }
}

/// The first geometry of a world with a collision, and the messages of its findings.
fn geometry_of(geometry: &str, files: &[(&str, &[u8])]) -> (GeometryDescription, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().join("world.sdf");
    let text = format!(
        "<sdf version=\"1.9\"><world name=\"w\"><model name=\"m\"><link name=\"l\"><collision name=\"c\">\
         <geometry>{geometry}</geometry></collision></link></model></world></sdf>"
    );
    std::fs::write(&path, text).unwrap();
    let loaded = load(&[request(&path)], &LoadOptions { lenient: true, ..LoadOptions::default() });
    let messages = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
    let world = loaded.world.unwrap_or_else(|| panic!("{messages:?}"));
    (world.links[0].collisions[0].geometry.clone(), messages)
}

/// Slopes of brightness from 0 to 240 of 255 along x, 8 pixels long; JPEG is within one step of brightness.
#[test]
fn images_are_read_or_their_feature_is_named() {
    for (image, is_built, feature) in
        [("slope.jpg", cfg!(feature = "jpeg"), "jpeg"), ("slope.bmp", cfg!(feature = "bmp"), "bmp")]
    {
        match heights(image) {
            Ok(field) => {
                assert!(is_built && (field.columns, field.rows) == (9, 9), "{image}");
                for (i, height) in field.heights.iter().enumerate() {
                    let expected = 30.0 * (i % 9) as f64;
                    assert!((height - expected).abs() < 1.5, "{image} {i}: {height} {expected}");
                }
            }
            Err(message) => {
                assert!(!is_built && message.contains(&format!("--features {feature}")), "{image}: {message}");
            }
        }
    }
}

#[test]
fn elevations_name_their_feature() {
    let geometry = "<heightmap><uri>dem.tif</uri></heightmap>";
    let (_, messages) = geometry_of(geometry, &[("dem.tif", b"II*\0\x08\0\0\0\0\0\0\0\0\0")]);
    let names_feature = messages.iter().any(|m| m.contains("--features geotiff"));
    assert_eq!(names_feature, !cfg!(feature = "geotiff"), "{messages:?}");
    assert!(!messages.is_empty());
}

/// Without the feature a mesh collides with its triangles, and a warning says so.
#[test]
fn meshes_are_decomposed_or_the_feature_is_named() {
    let geometry = "<mesh optimization=\"convex_decomposition\"><uri>mug.obj</uri></mesh>";
    let (geometry, messages) = geometry_of(geometry, &[("mug.obj", &obj(&mug(32)))]);
    if cfg!(feature = "decomposition") {
        assert!(matches!(&geometry, GeometryDescription::Compound(parts) if parts.len() > 3), "{geometry:?}");
        assert!(messages.is_empty(), "{messages:?}");
    } else {
        assert!(matches!(geometry, GeometryDescription::Mesh(_)), "{geometry:?}");
        assert!(messages[0].contains("--features decomposition"), "{messages:?}");
    }
}
