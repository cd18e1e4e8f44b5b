//! Heightmaps, images and outlines.

use super::*;

use stiction::math::Pose;
use stiction_formats::description::HeightfieldDescription;
use stiction_formats::simulation::Simulation;

use crate::common::pictures::{deep_grey, grey};

fn field(folder: &Folder, heightmap: &str) -> HeightfieldDescription {
    let world = folder.world(&[&format!("<heightmap>{heightmap}</heightmap>")]);
    let GeometryDescription::Heightfield(field) = geometries(&world)[0] else { panic!("{:?}", geometries(&world)) };
    (**field).clone()
}

/// A hill that is steep to the north east, whose top is not the brightest there can be.
fn hill(x: u32, y: u32) -> f64 {
    let (x, y) = (f64::from(x) / 32.0, f64::from(y) / 32.0);
    0.8 * (3.0 * x).sin().abs() * (1.0 - y * y)
}

#[test]
fn images_of_eight_and_sixteen_bits_are_scaled_by_their_brightest_pixel() {
    let folder = Folder::new(&[]);
    folder.write("a.png", &grey(33, 33, |x, y| (255.0 * hill(x, y)).round() as u8));
    folder.write("b.png", &deep_grey(33, 33, |x, y| (65535.0 * hill(x, y)).round() as u16));
    let highest = (0..33 * 33).map(|i| hill(i % 33, i / 33)).fold(0.0, f64::max);
    for (name, step) in [("a.png", 1.0 / 255.0), ("b.png", 1.0 / 65535.0)] {
        let field = field(&folder, &format!("<uri>{name}</uri><size>10 20 4</size><pos>1 2 3</pos>"));
        assert_eq!((field.columns, field.rows, field.size), (33, 33, [10.0, 20.0]));
        for (i, h) in field.heights.iter().enumerate() {
            let expected = 4.0 * hill(i as u32 % 33, i as u32 / 33) / highest;
            assert!((h - expected).abs() < 8.0 * step, "{name} {i}: {h} {expected}");
        }
        assert_eq!(field.heights.iter().copied().fold(0.0, f64::max), 4.0);
    }
}

#[test]
fn sampling_adds_heights_on_straight_lines() {
    let folder = Folder::new(&[]);
    let values = [[0, 100, 200], [50, 150, 200]];
    folder.write("a.png", &grey(3, 2, |x, y| values[y as usize][x as usize]));
    let loaded = folder.load(&["<heightmap><uri>a.png</uri></heightmap>"]);
    assert_eq!(codes(&loaded), ["heightmap-image"], "Gazebo takes no such image");
    let field = field(&folder, "<uri>a.png</uri><size>1 1 2</size><sampling>2</sampling>");
    let expected = [0.0, 0.5, 1.0, 1.5, 2.0, 0.25, 0.75, 1.25, 1.625, 2.0, 0.5, 1.0, 1.5, 1.75, 2.0];
    assert!(field.heights.iter().zip(expected).all(|(h, e)| (h - e).abs() < 1e-12), "{:?}", field.heights);
}

#[cfg(feature = "geotiff")]
#[test]
fn elevations_keep_their_metres_or_take_the_size() {
    use tiff::encoder::{TiffEncoder, colortype};
    let folder = Folder::new(&[]);
    let values: [f32; 6] = [12.5, 13.0, -9999.0, 14.5, 10.5, 11.0];
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = encoder.new_image::<colortype::Gray32Float>(3, 2).unwrap();
    image.encoder().write_tag(tiff::tags::Tag::GdalNodata, "-9999").unwrap();
    image.encoder().write_tag(tiff::tags::Tag::ModelPixelScaleTag, &[30.0f64, 20.0, 0.0][..]).unwrap();
    image.write_data(&values).unwrap();
    folder.write("dem.tif", &bytes.into_inner());
    let natural = field(&folder, "<uri>dem.tif</uri>");
    assert_eq!(natural.heights, [12.5, 13.0, 10.5, 14.5, 10.5, 11.0]);
    assert_eq!(natural.size, [60.0, 20.0]);
    let sized = field(&folder, "<uri>dem.tif</uri><size>3 2 1</size>");
    assert_eq!(sized.heights, [11.0, 11.125, 10.5, 11.5, 10.5, 10.625]);
}

#[test]
fn the_top_of_the_image_is_to_the_north() {
    let folder = Folder::new(&[]);
    // The first row, and in it the last column, are high.
    folder.write("a.png", &grey(3, 3, |x, y| if x == 2 && y == 0 { 255 } else { 0 }));
    let world = folder.world(&["<heightmap><uri>a.png</uri><size>4 4 1</size><pos>10 0 5</pos></heightmap>"]);
    let simulation = simulate(&world, world_parameters(&world)).unwrap();
    let id = *simulation.collisions.keys().next().unwrap();
    let (geom, pose) = (simulation.world.geom(id).unwrap(), simulation.world.geom_pose(id).unwrap());
    let down = |x: f64, y: f64| {
        let hit = geom.shape().ray_cast(&pose, DVec3::new(x, y, 50.0), DVec3::NEG_Z, 100.0).unwrap();
        50.0 - hit.distance
    };
    assert!((down(11.99, 1.99) - 6.0).abs() < 0.02, "{}", down(11.99, 1.99));
    assert!((down(8.01, 1.99) - 5.0).abs() < 1e-9 && (down(11.99, -1.99) - 5.0).abs() < 1e-9);
}

#[test]
fn walls_of_an_image_are_boxes() {
    let folder = Folder::new(&[]);
    // A frame of walls one pixel thick, and one brighter pixel inside.
    let is_wall = |x: u32, y: u32| x == 0 || y == 0 || x == 9 || y == 7;
    folder.write("a.png", &grey(10, 8, |x, y| if is_wall(x, y) { 20 } else { 230 }));
    let image = "<image><uri>a.png</uri><scale>0.1</scale><threshold>200</threshold><height>2</height><granularity>1</granularity></image>";
    let world = folder.world(&[image]);
    let GeometryDescription::Compound(parts) = geometries(&world)[0] else { panic!() };
    let volume: f64 = parts
        .iter()
        .map(|(_, part)| if let GeometryDescription::Box(size) = part { size.element_product() } else { f64::NAN })
        .sum();
    assert!((volume - 32.0 * 0.01 * 2.0).abs() < 1e-12, "{volume}");
    assert_eq!(parts.len(), 4);
    assert!(parts.contains(&(
        Pose::from_position(DVec3::new(0.5, 0.05, 1.0)),
        GeometryDescription::Box(DVec3::new(1.0, 0.1, 2.0))
    )));
}

#[test]
fn outlines_may_be_concave_and_have_holes_and_islands() {
    let folder = Folder::new(&[]);
    let line = |points: &str| {
        let points: String = points.split(';').map(|p| format!("<point>{p}</point>")).collect();
        format!("<polyline>{points}<height>2</height></polyline>")
    };
    let shape = |lines: &[&str]| lines.iter().map(|l| line(l)).collect::<String>();
    let arrow = shape(&["0 0;1 0;0.2 0.2;0 1"]);
    let rings = shape(&["0 0;10 0;10 10;0 10", "1 1;9 1;9 9;1 9;1 1", "3 3;3 7;7 7;7 3"]);
    let world = folder.world(&[&arrow, &rings]);
    let solids =
        geometries(&world).into_iter().map(|g| if let GeometryDescription::Mesh(m) = g { volume(m) } else { f64::NAN });
    let solids: Vec<f64> = solids.collect();
    assert!((solids[0] - 0.4).abs() < 1e-12 && (solids[1] - 2.0 * (100.0 - 64.0 + 16.0)).abs() < 1e-9, "{solids:?}");
    for (bad, words) in
        [("0 0;1 1;1 0;0 1", "crosses itself"), ("0 0;1 0", "fewer than three"), ("0 0;1 0;2 0", "no area")]
    {
        let loaded = folder.load(&[&shape(&[bad])]);
        assert!(loaded.diagnostics[0].message.contains(words), "{bad}: {:?}", loaded.diagnostics);
    }
}

#[test]
fn images_that_are_none_are_told_at_once() {
    let folder = Folder::new(&[("words.png", b"not an image"), ("cut.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0")]);
    // A header that claims 60 000 by 60 000 pixels.
    let mut huge = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    huge.extend([0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60, 16, 2, 0, 0, 0, 0, 0, 0, 0]);
    folder.write("huge.png", &huge);
    // Elevations that say more than they hold.
    folder.write("cut.tif", b"II*\0\x08\0\0\0\xff\xff");
    for name in ["words.png", "cut.png", "huge.png", "cut.tif"] {
        let start = std::time::Instant::now();
        let loaded = folder.load(&[&format!("<heightmap><uri>{name}</uri></heightmap>")]);
        assert_eq!(codes(&loaded), ["heightmap-file"], "{name}");
        assert!(start.elapsed().as_secs_f64() < 1.0);
    }
    let loaded =
        folder.load(&["<heightmap><uri>nowhere.png</uri></heightmap>", "<image><uri>nowhere.png</uri></image>"]);
    assert_eq!(codes(&loaded), ["image-not-found", "image-not-found"]);
    assert!(loaded.world.is_none());
}

/// A ball that rolls without slip in a trough of a parabola, made of heights by formula, has the period of `5/7` of gravity.
#[test]
fn a_ball_rolls_in_a_trough_of_a_heightmap() {
    let folder = Folder::new(&[]);
    let (pixels, width, depth) = (513u32, 20.0f64, 5.0f64);
    let level = |x: u32| (2.0 * f64::from(x) / f64::from(pixels - 1) - 1.0).powi(2);
    folder.write("trough.png", &deep_grey(pixels, pixels, |x, _| (65535.0 * level(x)).round() as u16));
    let (radius, start) = (0.2f64, 1.0f64);
    let text = format!(
        "<sdf version=\"1.9\"><world name=\"w\">
         <model name=\"ground\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry><heightmap><uri>trough.png</uri><size>{width} {width} {depth}</size></heightmap></geometry></collision></link></model>
         <model name=\"ball\"><pose>{start} 0.013 {z} 0 0 0</pose><link name=\"l\"><inertial><mass>1</mass><inertia><ixx>0.016</ixx><iyy>0.016</iyy><izz>0.016</izz></inertia></inertial>
         <collision name=\"c\"><geometry><sphere><radius>{radius}</radius></sphere></geometry></collision></link></model></world></sdf>",
        z = depth * (2.0 * start / width) * (2.0 * start / width) + radius * 1.005
    );
    folder.write("roll.sdf", text.as_bytes());
    let loaded = load_file(&folder.path("roll.sdf"));
    let world = loaded.world.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let mut simulation: Simulation = simulate(&world, world_parameters(&world)).unwrap();
    let position = |s: &Simulation| s.link_pose(s.link("ball::l").unwrap()).position;
    // The centre moves on about z = k x², k = 4 d / w²: ω² = 5/7 · 2 k g, a little faster for the smaller arc of the centre.
    let k = 4.0 * depth / (width * width) / (1.0 - 2.0 * 4.0 * depth / (width * width) * radius);
    let period = std::f64::consts::TAU / (5.0 / 7.0 * 2.0 * k * 9.8).sqrt();
    let mut crossings = Vec::new();
    let mut before = position(&simulation).x;
    for step in 0..20_000 {
        simulation.world.step(1e-3);
        let now = position(&simulation);
        assert!(now.is_finite() && now.y.abs() < 0.1, "{now}");
        if before > 0.0 && now.x <= 0.0 {
            crossings.push(f64::from(step) * 1e-3);
        }
        before = now.x;
    }
    let measured = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    assert!((measured / period - 1.0).abs() < 0.02, "{measured} {period}");
}
