//! Files that are no meshes, or no whole ones: each has a named error at its place, soon and in little memory.

use super::*;
use crate::common::solids::stl;

/// A COLLADA file with a body in its library of geometries, and a scene.
fn dae(geometries: &str, scene: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n\
         <library_geometries>{geometries}</library_geometries>\n\
         <library_visual_scenes><visual_scene id=\"s\">{scene}</visual_scene></library_visual_scenes>\n\
         <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
    )
}

fn triangle(positions: &str, p: &str) -> String {
    format!(
        "<geometry id=\"g\"><mesh><source id=\"x\"><float_array id=\"a\" count=\"9\">{positions}</float_array></source>\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#x\"/></vertices>\
         <triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>\n<p>{p}</p></triangles></mesh></geometry>"
    )
}

const INSTANCE: &str = "<node name=\"n\"><instance_geometry url=\"#g\"/></node>";
const POINTS: &str = "0 0 0 1 0 0 0 1 0";

fn gltf(accessor: &str, nodes: &str) -> String {
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{nodes}],\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\
         \"accessors\":[{accessor}],\"bufferViews\":[{{\"buffer\":0,\"byteLength\":36}}],\
         \"buffers\":[{{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,{}\"}}]}}",
        "A".repeat(48)
    )
}

const ACCESSOR: &str = "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}";

/// Name, bytes, and a piece of the message.
fn cases() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let whole = stl(&mug(12));
    let mut huge = whole.clone();
    huge[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    let mut nan = whole.clone();
    nan[96..100].copy_from_slice(&f32::NAN.to_le_bytes());
    let deep = format!("{}{}", "<a>".repeat(200_000), "</a>".repeat(200_000));
    let entities = "<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\
         <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\"><!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;\">\
         <!ENTITY f \"&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;\"><!ENTITY g \"&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;\"><!ENTITY h \"&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;\">\
         <!ENTITY i \"&h;&h;&h;&h;&h;&h;&h;&h;&h;&h;\">]><COLLADA>&i;</COLLADA>";
    let cycle = "<node id=\"n\"><instance_node url=\"#n\"/></node>";
    let mut doubling = String::new();
    for i in 0..40 {
        let next = i + 1;
        doubling +=
            &format!("<node id=\"n{i}\"><instance_node url=\"#n{next}\"/><instance_node url=\"#n{next}\"/></node>");
    }
    let many_corners = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf{}\n", " 1 2 3".repeat(1000));
    vec![
        ("empty.stl", vec![], "cut short"),
        ("cut.stl", whole[..200].to_vec(), "at byte 184: the file is cut short"),
        ("huge.stl", huge, "4294967295; the limit is 8000000"),
        ("nan.stl", nan, "at byte 84: a coordinate is not finite"),
        ("words.stl", text("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n"), "words.stl:4: expected a number, found `zero`"),
        ("two.stl", text("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n"), "two.stl:7: expected three vertices"),
        ("end.stl", text("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"), "end.stl:4: expected `endfacet`"),
        ("none.stl", text("solid x\nendsolid x\n"), "no triangles"),
        ("index.obj", text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"), "index.obj:4: there is no vertex 9"),
        ("before.obj", text("v 0 0 0\nv 1 0 0\nf -1 -2 -3\n"), "before.obj:3: there is no vertex -3"),
        ("zero.obj", text("v 0 0 0\nf 0 0 0\n"), "zero.obj:2: there is no vertex 0"),
        ("nan.obj", text("v 0 nan 0\n"), "nan.obj:1: a coordinate is not finite"),
        ("far.obj", text("v 0 1e999 0\n"), "far.obj:1: a coordinate is not finite"),
        ("short.obj", text("v 0 0\n"), "short.obj:1: expected a number"),
        ("corners.obj", text(&many_corners), "corners.obj:4: a face has 3000 corners; the limit is 2000"),
        ("binary.obj", vec![0; 4096], "binary.obj:1: expected a text file"),
        ("magic.ply", text("plyx\n"), "magic.ply:1"),
        ("count.ply", text("ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nend_header\n"), "count.ply:3: the file is cut short: an element that the header declares needs 48000000000 bytes"),
        ("list.ply", [text("ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n"), vec![0; 12], vec![255; 8]].concat(), "a list needs 4294967295 bytes"),
        ("axis.ply", text("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n"), "axis.ply:3: there is no property of a vertex `z`"),
        ("index.ply", text("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 1\n"), "there is no vertex 1"),
        ("broken.dae", text("<COLLADA><asset></COLLADA>"), "broken.dae:1: malformed XML"),
        ("other.dae", text("<html/>"), "other.dae:1: expected <COLLADA>, found `html`"),
        ("text.dae", text("hello"), "text.dae:1: expected XML"),
        ("deep.dae", text(&deep), "nested deeper than 256"),
        ("bomb.dae", text(entities), "malformed XML"),
        ("cycle.dae", text(&dae("", cycle)), "nested deeper than 64, or contain themselves"),
        ("doubling.dae", text(&dae("", &format!("{doubling}<node id=\"n40\"/>"))), "instances of nodes: 1000001"),
        ("index.dae", text(&dae(&triangle(POINTS, "0 1 3"), INSTANCE)), "index.dae:4: there is no vertex 3"),
        ("word.dae", text(&dae(&triangle("0 0 0 1 x 0 0 1 0", "0 1 2"), INSTANCE)), "expected a number, found `x`"),
        ("few.dae", text(&dae(&triangle("0 0 0", "0 0 0"), INSTANCE)), "as many numbers as `count` says"),
        ("missing.dae", text(&dae("", INSTANCE)), "there is no geometry `g`"),
        ("nan.dae", text(&dae(&triangle("0 0 0 1 nan 0 0 1 0", "0 1 2"), INSTANCE)), "a coordinate is not finite"),
        ("unit.dae", text("<COLLADA><asset><unit meter=\"-1\"/></asset></COLLADA>"), "a length of the unit in metres"),
        ("json.gltf", text("{\"asset\":"), "json.gltf:1: malformed JSON"),
        ("version.gltf", text("{\"asset\":{\"version\":\"1.0\"}}"), "version 1.0 of glTF is not supported"),
        ("magic.glb", text("glTX"), "malformed JSON"),
        ("cut.glb", text("glTF\x02\0\0\0\x40\0\0\0"), "cut short: a GLB file needs 64 bytes"),
        ("count.gltf", text(&gltf(&ACCESSOR.replace("\"count\":3", "\"count\":4"), "{\"mesh\":0}")), "an accessor needs 48 bytes, and 36 are left"),
        ("huge.gltf", text(&gltf(&ACCESSOR.replace("\"count\":3", "\"count\":9000000000"), "{\"mesh\":0}")), "items of an accessor: 9000000000"),
        ("cycle.gltf", text(&gltf(ACCESSOR, "{\"mesh\":0,\"children\":[0]}")), "nested deeper than 64"),
        ("outside.gltf", text(&gltf(ACCESSOR, "{\"mesh\":0}").replace("data:application/octet-stream;base64,", "../")), "outside the folder"),
        ("nesting.gltf", text(&"[".repeat(100_000)), "malformed JSON"),
        ("header.wrl", text("#VRML V1.0 ascii\n"), "header.wrl:1: malformed VRML"),
        ("index.wrl", text("#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] }\ncoordIndex [ 0 1 9 -1 ] } }\n"), "index.wrl:3: malformed VRML: number 3 of `coordIndex` is 9"),
        ("open.wrl", text("#VRML V2.0 utf8\nShape { geometry Box {\n"), "malformed VRML"),
        ("none.wrl", text("#VRML V2.0 utf8\nGroup { }\n"), "no triangles"),
        ("nesting.wrl", text(&format!("#VRML V2.0 utf8\n{}", "Group { children [ ".repeat(100_000))), "malformed VRML"),
        ("mesh.fbx", text("Kaydara"), "files of type `fbx` are not read"),
    ]
}

#[test]
fn every_broken_file_has_a_named_error_at_once() {
    let folder = Folder::new(&[]);
    for (name, bytes, expected) in cases() {
        folder.write(name, &bytes);
        let start = std::time::Instant::now();
        let error = file::load(&folder.path(name)).expect_err(name);
        assert!(error.to_string().contains(expected), "{name}: {error}");
        assert!(error.to_string().contains(name), "{name}: {error}");
        assert!(start.elapsed().as_secs_f64() < 1.0, "{name}: {:?}", start.elapsed());
    }
    // The same frame is whole without what is broken in it.
    let whole = dae(&triangle(POINTS, "0 1 2"), INSTANCE);
    folder.write("whole.dae", whole.as_bytes());
    let read = file::load(&folder.path("whole.dae")).unwrap();
    assert_eq!((read.submeshes[0].name.as_str(), read.triangles()), ("n", 1));
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let folder = Folder::new(&[]);
    let path = folder.path("large.stl");
    fs::File::create(&path).unwrap().set_len(600 << 20).unwrap();
    let error = file::load(&path).unwrap_err();
    assert!(matches!(error.problem, MeshProblem::TooLarge { limit, .. } if limit == 512 << 20), "{error}");
}

/// Bytes of valid files are changed, cut and repeated at random: the answer may be anything but a panic, and what is read has
/// only good indices.
#[test]
fn changed_bytes_never_panic() {
    let mut seeds: Vec<(&str, Vec<u8>)> = vec![
        ("stl", stl(&mug(6))),
        ("obj", obj(&mug(6))),
        ("dae", dae(&triangle(POINTS, "0 1 2"), INSTANCE).into_bytes()),
        ("gltf", gltf(ACCESSOR, "{\"mesh\":0,\"scale\":[1,2,3]}").into_bytes()),
    ];
    seeds.extend(readers::samples());
    let mut seed = 7u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below.max(1)
    };
    let words: [&[u8]; 8] =
        [b"-1", b"4294967295", b"1e400", b"nan", b"0", b"\xff\xff\xff\xff", b"99999999999999999999", b""];
    let mut accepted = 0;
    for round in 0..40_000 {
        let (format, valid) = &seeds[round % seeds.len()];
        let mut bytes = valid.clone();
        for _ in 0..1 + random(4) {
            let at = random(bytes.len());
            match random(5) {
                0 if at < bytes.len() => bytes[at] = random(256) as u8,
                1 => bytes.truncate(at),
                2 => {
                    let word = words[random(words.len())];
                    let end = (at + random(6)).min(bytes.len());
                    bytes.splice(at..end, word.iter().copied());
                }
                3 => {
                    let end = (at + random(200)).min(bytes.len());
                    bytes.drain(at..end);
                }
                _ => {
                    let end = (at + random(200)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        if let Ok(file) = file::parse(format, &bytes, Path::new("mutant")) {
            accepted += 1;
            for part in file.submeshes {
                let count = part.mesh.vertices.len() as u32;
                assert!(part.mesh.triangles.iter().flatten().all(|v| *v < count));
                assert!(part.mesh.vertices.iter().all(|v| v.is_finite()));
                let before = part.mesh.triangles.len();
                assert!(part.mesh.healed().0.triangles.len() <= before);
            }
        }
    }
    // Neither all nor none are good.
    assert!((1000..39_000).contains(&accepted), "{accepted}");
}
