//! What the readers understand, format by format, on small files written here.

use super::*;

fn parse(format: &str, text: &str) -> file::MeshFile {
    file::parse(format, text.as_bytes(), Path::new("inline")).unwrap_or_else(|e| panic!("{e}"))
}

fn area(mesh: &MeshDescription) -> f64 {
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| mesh.vertices[v as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    mesh.triangles.iter().map(of).sum()
}

const PLY_HEADER: &str = "element vertex 5\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
const PLY_POINTS: [[f64; 3]; 5] = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 0.1], [0.1, 0.2, 3.0]];

fn ply_ascii() -> String {
    let mut text = format!("ply\nformat ascii 1.0\ncomment by hand\n{PLY_HEADER}");
    for [x, y, z] in PLY_POINTS {
        writeln!(text, "{x} {y} {z} 255").unwrap();
    }
    text + "4 0 1 2 3\n3 0 1\n4\n"
}

fn ply_binary(is_little: bool) -> Vec<u8> {
    let order = if is_little { "little" } else { "big" };
    let mut bytes = format!("ply\nformat binary_{order}_endian 1.0\n{PLY_HEADER}").into_bytes();
    for x in PLY_POINTS {
        x.iter().for_each(|x| bytes.extend(if is_little { x.to_le_bytes() } else { x.to_be_bytes() }));
        bytes.push(7);
    }
    for face in [&[0, 1, 2, 3][..], &[0, 1, 4]] {
        bytes.push(face.len() as u8);
        face.iter().for_each(|v: &i32| bytes.extend(if is_little { v.to_le_bytes() } else { v.to_be_bytes() }));
    }
    bytes
}

/// Files of formats that nothing else here writes.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("ply", ply_ascii().into_bytes()),
        ("ply", ply_binary(true)),
        ("ply", ply_binary(false)),
        ("dae", SCENE.into()),
        ("wrl", wrl::SCENE.into()),
    ]
}

#[test]
fn ply_of_all_encodings_is_the_same() {
    let ascii = parse("ply", &ply_ascii());
    for is_little in [true, false] {
        let binary = file::parse("ply", &ply_binary(is_little), Path::new("inline")).unwrap();
        assert_eq!(ascii, binary);
    }
    assert_eq!(ascii.triangles(), 3);
    assert_eq!(ascii.submeshes[0].mesh.vertices[4], DVec3::new(0.1, 0.2, 3.0));
}

#[test]
fn obj_reads_negative_numbers_polygons_groups_and_joined_lines() {
    let file = parse(
        "obj",
        "mtllib x.mtl\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nvt 0 0\nvn 0 0 1\no plate\nf 1/1/1 2/1/1 \\\n 3//1 4\ng rib\nv 0 0 1\nf -5 -4 -1\no plate\nf 2 3 5\n",
    );
    let names: Vec<&str> = file.submeshes.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["plate", "rib"]);
    assert_eq!([file.submeshes[0].mesh.triangles.len(), file.submeshes[1].mesh.triangles.len()], [3, 1]);
    assert_eq!(file.submeshes[1].mesh.vertices.len(), 3);
    // Decimals are those of the file, not of single precision.
    let exact = parse("obj", "v 0.1 0.2 0.3\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_eq!(exact.submeshes[0].mesh.vertices[0], DVec3::new(0.1, 0.2, 0.3));
}

#[test]
fn ascii_stl_of_several_solids_has_parts() {
    let facet = "facet normal 0 0 0\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\nendfacet\n";
    let file = parse("stl", &format!("solid a\n{facet}endsolid a\nSOLID b c\n{facet}{facet}endsolid\n"));
    let parts: Vec<(&str, usize)> = file.submeshes.iter().map(|s| (s.name.as_str(), s.mesh.triangles.len())).collect();
    assert_eq!(parts, [("a", 1), ("b", 2)]);
}

#[test]
fn ascii_stl_of_editors_and_other_programs_is_read() {
    let facet = "facet normal 0 0 0\n color 0.1 0.2 0.3\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\nendfacet\n";
    let plain = format!("solid a\n{facet}endsolid a\n");
    let expected = parse("stl", &plain);
    assert_eq!(expected.triangles(), 1);
    for text in [format!("\u{feff}{plain}"), plain.replace('\n', "\r"), plain.replace('\n', "\r\n")] {
        assert_eq!(parse("stl", &text), expected, "{text:?}");
    }
    let error = file::parse(
        "stl",
        plain.replace("vertex 0 1 0", "vertex 0 x 0").replace('\n', "\r").as_bytes(),
        Path::new("inline"),
    );
    assert!(error.unwrap_err().to_string().contains(":7: "));
}

#[test]
fn collada_in_utf_16_is_read() {
    let expected = parse("dae", SCENE);
    for (mark, is_little) in [([0xff, 0xfe], true), ([0xfe, 0xff], false)] {
        let unit = |u: u16| if is_little { u.to_le_bytes() } else { u.to_be_bytes() };
        let bytes: Vec<u8> = mark.into_iter().chain(SCENE.encode_utf16().flat_map(unit)).collect();
        assert_eq!(file::parse("dae", &bytes, Path::new("inline")).unwrap(), expected);
        // Half a character at the end is a fault of the file, as what is cut off before is.
        assert!(file::parse("dae", &bytes[..bytes.len() - 3], Path::new("inline")).is_err());
    }
    assert!(file::parse("dae", b"\xff\xfe", Path::new("inline")).is_err());
}

/// A triangle whose corners are integers of a type.
fn quantized(kind: usize, bytes: &[u8], stride: usize, more: &str) -> Result<file::MeshFile, file::MeshError> {
    use base64::Engine as _;
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["KHR_mesh_quantization"],"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"mesh":0,"scale":[2,2,2]}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
"accessors":[{{"bufferView":0,"componentType":{kind},"count":3,"type":"VEC3"{more}}}],
"bufferViews":[{{"buffer":0,"byteLength":{},"byteStride":{stride}}}],
"buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{data}"}}]}}"#,
        bytes.len(),
        bytes.len()
    );
    file::parse("gltf", text.as_bytes(), Path::new("inline"))
}

#[test]
fn quantized_positions_of_gltf_are_integers_or_shares_of_their_range() {
    let corners = [[0, 0, 0], [100, 0, 20], [0, 64, 127]];
    let signed = |c: i8| c.to_le_bytes().to_vec();
    let wide = |c: i8| i16::from(c).to_le_bytes().to_vec();
    type Bytes = dyn Fn(i8) -> Vec<u8>;
    let cases: [(usize, f64, usize, &Bytes); 4] =
        [(5120, 127.0, 1, &signed), (5121, 255.0, 1, &signed), (5122, 32767.0, 2, &wide), (5123, 65535.0, 2, &wide)];
    for (kind, most, size, bytes) in cases {
        // Items lie four bytes of a multiple apart.
        let stride = 4 * size;
        let padded = |c: &[i8; 3]| c.iter().flat_map(|c| bytes(*c)).chain(vec![0; size]).collect::<Vec<u8>>();
        let data: Vec<u8> = corners.iter().flat_map(padded).collect();
        for (more, unit) in [("", 1.0), (r#","normalized":true"#, 1.0 / most)] {
            let file = quantized(kind, &data, stride, more).unwrap_or_else(|e| panic!("{e}"));
            for (found, expected) in file.whole().vertices.iter().zip(corners) {
                let expected = 2.0 * unit * DVec3::from_array(expected.map(f64::from));
                assert!((*found - expected).length() < 1e-12, "{kind}{more}: {found} {expected}");
            }
        }
        assert!(quantized(kind, &data[..data.len() - 3 * size - 1], stride, "").is_err());
    }
    // The lowest integer is −1, not below.
    let data: Vec<u8> =
        [[0, 0, 0], [-128, 0, 0], [0, -127, 0]].iter().flat_map(|c: &[i8; 3]| c.map(|c| c as u8)).collect();
    let file = quantized(5120, &data, 0, r#","normalized":true"#).unwrap();
    assert_eq!(file.whole().vertices[1].x, -2.0);
    assert_eq!(file.whole().vertices[2].y, -2.0);
}

/// Two instances of a quad in inches: one 10 inches up inside a turned node, one mirrored by a matrix; a library node; polygons
/// of every kind.
const SCENE: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="inch" meter="0.0254"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries>
    <geometry id="quad" name="quad"><mesh>
      <source id="quad-p"><float_array id="quad-a" count="16">9 0 0 0 9 1 0 0 9 1 2 0 9 0 2 0</float_array>
        <technique_common><accessor source="#quad-a" count="4" stride="4"><param type="float"/><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
      <vertices id="quad-v"><input semantic="POSITION" source="#quad-p"/></vertices>
      <polylist count="1"><input semantic="VERTEX" source="#quad-v" offset="1"/><input semantic="NORMAL" source="#quad-p" offset="0"/>
        <vcount>4</vcount><p>0 0 0 1 0 2 0 3</p></polylist></mesh></geometry>
    <geometry id="kinds"><mesh>
      <source id="k-p"><float_array id="k-a" count="30">0 0 0 4 0 0 4 4 0 0 4 0 1 1 0 3 1 0 3 3 0 1 3 0 5 5 5 6 6 6</float_array></source>
      <vertices id="k-v"><input semantic="POSITION" source="#k-p"/></vertices>
      <polygons count="2"><input semantic="VERTEX" source="#k-v" offset="0"/><p>0 1 2 3</p><ph><p>0 1 2 3</p><h>4 7 6 5</h></ph></polygons>
      <trifans count="1"><input semantic="VERTEX" source="#k-v" offset="0"/><p>0 1 2 3</p></trifans>
      <tristrips count="1"><input semantic="VERTEX" source="#k-v" offset="0"/><p>0 1 3 2</p></tristrips>
      <lines count="1"><input semantic="VERTEX" source="#k-v" offset="0"/><p>0 1</p></lines>
    </mesh></geometry>
  </library_geometries>
  <library_nodes><node id="shared"><instance_geometry url="#quad"/></node></library_nodes>
  <library_visual_scenes><visual_scene id="other"/><visual_scene id="scene">
    <node name="base"><translate>0 0 10</translate><rotate>0 0 1 90</rotate>
      <node><scale>2 1 1</scale><instance_geometry url="#quad"/></node></node>
    <node name="mirror"><matrix>-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_node url="#shared"/></node>
    <node name="kinds"><instance_geometry url="#kinds"/></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>"##;

#[test]
fn collada_places_what_its_scene_instantiates() {
    let file = parse("dae", SCENE);
    let names: Vec<&str> = file.submeshes.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["base", "mirror", "kinds"]);
    let inch = 0.0254;
    let [base, mirror, kinds] = [0, 1, 2].map(|i| &file.submeshes[i].mesh);
    // The second corner (1, 0, 0): scaled to 2, turned onto y, lifted.
    assert!((base.vertices[1] - DVec3::new(0.0, 2.0, 10.0) * inch).length() < 1e-15);
    assert!((area(base) - 4.0 * inch * inch).abs() < 1e-15);
    // A mirror keeps the front.
    let [a, b, c] = mirror.triangles[0].map(|v| mirror.vertices[v as usize]);
    assert!((b - a).cross(c - a).z > 0.0 && mirror.vertices[1].x == -inch);
    // Square, square with a hole, fan and strip.
    assert!((area(kinds) - (16.0 + 12.0 + 16.0 + 16.0) * inch * inch).abs() < 1e-15, "{}", area(kinds) / inch / inch);
    let upright = file.clone().upright();
    let corner = upright.submeshes[0].mesh.vertices[1];
    assert!((corner - DVec3::new(0.0, -10.0, 2.0) * inch).length() < 1e-15, "{corner}");
}
