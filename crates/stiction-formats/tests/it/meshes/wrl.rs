//! VRML files as meshes: areas and volumes by hand.

use super::*;

fn volume(mesh: &MeshDescription) -> f64 {
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| mesh.vertices[v as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    mesh.triangles.iter().map(of).sum()
}

pub const SCENE: &str = "#VRML V2.0 utf8
Transform { translation 1 2 3 scale 2 1 -1 rotation 0 0 1 1.5707963267948966
  children [ Shape { geometry Box { size 1 2 3 } }
    DEF P Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0, 0 0 1 ] }
      coordIndex [ 0 2 1 -1 0 1 3 -1 1 2 3 -1 0 3 2 -1 ] } } ] }
USE P
Shape { geometry Cylinder { radius 0.5 height 2 } }
";

#[test]
fn shapes_are_parts_in_the_frame_of_the_file() {
    let read = file::parse("wrl", SCENE.as_bytes(), Path::new("a.wrl")).unwrap_or_else(|e| panic!("{e}"));
    let volumes: Vec<f64> = read.submeshes.iter().map(|part| volume(&part.mesh)).collect();
    // A mirror turns the faces, so that volumes stay positive; the cylinder is a prism of 32 sides.
    let prism = 2.0 * 16.0 * 0.25 * (std::f64::consts::TAU / 32.0).sin();
    for (found, expected) in volumes.iter().zip([12.0, 2.0 / 6.0, 1.0 / 6.0, prism]) {
        assert!((found - expected).abs() < 1e-12, "{volumes:?}");
    }
    assert_eq!(read.up_axis, file::UpAxis::Y);
    // The box is 1 2 3 by the scale 2 1 1, turned by a quarter about z.
    let corner = read.submeshes[0].mesh.vertices.iter().copied().reduce(DVec3::max).unwrap();
    assert!((corner - DVec3::new(1.0 + 1.0, 2.0 + 1.0, 3.0 + 1.5)).length() < 1e-12, "{corner}");
}

#[test]
fn inlined_files_are_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let part = "#VRML V2.0 utf8\nShape { geometry Box { size 2 2 2 } }\n";
    std::fs::write(folder.path().join("part.wrl"), part).unwrap();
    let load = |url: &str| {
        let text = format!("#VRML V2.0 utf8\nTransform {{ translation 5 0 0 children Inline {{ url \"{url}\" }} }}\n");
        let path = folder.path().join("whole.wrl");
        std::fs::write(&path, text).unwrap();
        file::load(&path)
    };
    assert!((volume(&load("part.wrl").unwrap().whole()) - 8.0).abs() < 1e-12);
    for (url, message) in [("../part.wrl", "outside the folder"), ("gone.wrl", "cannot be read")] {
        let error = load(url).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_model_has_a_mesh_of_vrml() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("box.wrl"), "#VRML V2.0 utf8\nShape { geometry Box { size 1 2 3 } }\n").unwrap();
    let urdf = r#"<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="box.wrl"/></geometry></collision></link></robot>"#;
    let sdf = r#"<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"><density>2</density></inertial><collision name="c"><geometry><mesh><uri>box.wrl</uri></mesh></geometry></collision></link></model></sdf>"#;
    for (name, text) in [("r.urdf", urdf), ("m.sdf", sdf)] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let loaded = load(
            &[FileRequest { path, name: None, pose: None }],
            &LoadOptions { no_ground: true, ..LoadOptions::default() },
        );
        assert_eq!(loaded.errors(), 0, "{name}: {:?}", loaded.diagnostics);
        let world = loaded.world.unwrap();
        assert_eq!(world.links[0].collisions.len(), 1, "{name}");
        if name == "m.sdf" {
            assert!((world.links[0].inertial.mass.value - 12.0).abs() < 1e-12);
        }
    }
}
