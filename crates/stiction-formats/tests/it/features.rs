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

/// A BMP image of 1 or 4 bits, whose palette has the greys of its numbers, with a number for each column and row from the
/// top left.
#[cfg(feature = "bmp")]
fn palette_bmp(bits: u32, side: u32, value: impl Fn(u32, u32) -> u32) -> Vec<u8> {
    let colors = 1 << bits;
    let stride = (side * bits).div_ceil(32) * 4;
    let offset = 54 + 4 * colors;
    let mut bytes = b"BM".to_vec();
    for number in [offset + stride * side, 0, offset, 40, side, side, 1 | bits << 16, 0, stride * side, 0, 0, colors, 0]
    {
        bytes.extend(number.to_le_bytes());
    }
    let grey = |i: u32| u8::try_from(255 * i / (colors - 1)).unwrap();
    bytes.extend((0..colors).flat_map(|i| [grey(i), grey(i), grey(i), 0]));
    // Rows from the bottom, the first pixel in the highest bits.
    for y in (0..side).rev() {
        let mut row = vec![0u8; stride as usize];
        for x in 0..side {
            let place = x * bits;
            row[(place / 8) as usize] |= u8::try_from(value(x, y) << (8 - bits - place % 8)).unwrap();
        }
        bytes.extend(row);
    }
    bytes
}

#[cfg(feature = "bmp")]
#[test]
fn images_with_palettes_are_unpacked_and_cut_ones_refused() {
    let geometry = "<heightmap><uri>a.bmp</uri><size>8 8 1</size></heightmap>";
    for bits in [1, 4] {
        let most = (1 << bits) - 1;
        let value = |x: u32, y: u32| (x + 2 * y) % (most + 1);
        let bytes = palette_bmp(bits, 5, value);
        let (read, messages) = geometry_of(geometry, &[("a.bmp", &bytes)]);
        let GeometryDescription::Heightfield(field) = read else { panic!("{messages:?}") };
        for (i, height) in field.heights.iter().enumerate() {
            // In parts of the brightest pixel.
            let brightest = if bits == 1 { 1.0 } else { 12.0 };
            let expected = f64::from(value(i as u32 % 5, i as u32 / 5)) / brightest;
            assert!((height - expected).abs() < 1e-12, "{bits} bits, {i}: {height} {expected}");
        }
        for share in [2, 3, 10] {
            let cut = &bytes[..bytes.len() * (share - 1) / share];
            let (_, messages) = geometry_of(geometry, &[("a.bmp", cut)]);
            assert!(!messages.is_empty(), "{bits} bits, cut to {} bytes", cut.len());
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
