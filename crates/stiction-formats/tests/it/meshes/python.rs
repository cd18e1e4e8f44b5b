//! Files written by other programs: trimesh, numpy-stl and pycollada write them, trimesh measures what it reads back.

use super::*;

use std::process::Command;

use serde_json::Value;
use stiction::shape::TriangleMesh;
use stiction_testing::python_with;

/// Writes every solid in every format into its folder, and prints volume, area, bounds, centre and inertia of what it reads back.
const SCRIPT: &str = r#"
import json, os, re, sys, warnings
warnings.simplefilter('ignore')
import numpy as np, trimesh, collada
from stl import mesh as stlmesh
folder = sys.argv[1]
rng = np.random.default_rng(5)
turn = trimesh.transformations.random_rotation_matrix(rng.random(3))
turn[:3, 3] = [3.25, -1.5, 0.75]
solids = {
    'box': trimesh.creation.box((0.3, 0.4, 0.7)),
    'ball': trimesh.creation.icosphere(subdivisions=3, radius=0.35),
    'tube': trimesh.creation.annulus(r_min=0.2, r_max=0.3, height=0.5),
    'ring': trimesh.creation.torus(0.4, 0.1),
    'turned': trimesh.creation.capsule(height=0.6, radius=0.2).apply_transform(turn),
}
out = []
def tell(name, mesh):
    mesh = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    out.append(dict(file=name, volume=float(mesh.volume), area=float(mesh.area), low=mesh.bounds[0].tolist(), high=mesh.bounds[1].tolist(),
                    center=mesh.center_mass.tolist(), inertia=mesh.moment_inertia.tolist()))
def whole(path):
    scene = trimesh.load(path, process=False)
    return scene.to_geometry() if isinstance(scene, trimesh.Scene) else scene
for name, mesh in solids.items():
    for kind, options in [('stl', {}), ('obj', dict(digits=12)), ('ply', {}), ('glb', {}), ('gltf', None)]:
        path = f'{name}.{kind}'
        if kind == 'gltf':
            # Its buffers are files of fixed names.
            os.mkdir(f'{folder}/{name}')
            path = f'{name}/model.gltf'
            for part, data in trimesh.exchange.gltf.export_gltf(trimesh.Scene(mesh)).items():
                open(f'{folder}/{name}/{part}', 'wb').write(data)
        else:
            mesh.export(f'{folder}/{path}', **options)
        tell(path, whole(f'{folder}/{path}'))
    text = f'{folder}/{name}_text.stl'
    open(text, 'w').write(trimesh.exchange.stl.export_stl_ascii(mesh))
    tell(f'{name}_text.stl', whole(text))
    text = f'{folder}/{name}_text.ply'
    open(text, 'wb').write(trimesh.exchange.ply.export_ply(mesh, encoding='ascii'))
    tell(f'{name}_text.ply', whole(text))
    other = stlmesh.Mesh(np.zeros(len(mesh.faces), dtype=stlmesh.Mesh.dtype))
    other.vectors[:] = mesh.vertices[mesh.faces]
    other.save(f'{folder}/{name}_numpy.stl')
    tell(f'{name}_numpy.stl', whole(f'{folder}/{name}_numpy.stl'))
    # COLLADA in half metres, turned and moved by its node.
    scene = collada.Collada()
    scene.assetInfo.unitmeter, scene.assetInfo.unitname = 0.5, 'half'
    points = collada.source.FloatSource('p', np.float64(mesh.vertices).flatten(), ('X', 'Y', 'Z'))
    geometry = collada.geometry.Geometry(scene, 'g', 'g', [points])
    inputs = collada.source.InputList()
    inputs.addInput(0, 'VERTEX', '#p')
    geometry.primitives.append(geometry.createTriangleSet(mesh.faces.flatten(), inputs, 'm'))
    scene.geometries.append(geometry)
    node = collada.scene.Node('n', children=[collada.scene.GeometryNode(geometry, [])],
        transforms=[collada.scene.TranslateTransform(1.0, 2.0, -3.0), collada.scene.RotateTransform(0.6, 0.0, 0.8, 40.0), collada.scene.ScaleTransform(1.5, 1.5, 1.5)])
    scene.scenes.append(collada.scene.Scene('s', [node]))
    scene.scene = scene.scenes[0]
    scene.write(f'{folder}/{name}.dae')
    # pycollada reads single precision: the decimals of the file are placed by trimesh.
    text = open(f'{folder}/{name}.dae').read()
    digits = re.search(r'<float_array[^>]*>([^<]*)<', text).group(1).split()
    placed = trimesh.Trimesh(np.array([float(d) for d in digits]).reshape(-1, 3), mesh.faces, process=False)
    assert len(collada.Collada(f'{folder}/{name}.dae').geometries[0].primitives[0]) == len(mesh.faces)
    place = trimesh.transformations
    placed.apply_transform(place.translation_matrix([1.0, 2.0, -3.0]) @ place.rotation_matrix(np.radians(40.0), [0.6, 0.0, 0.8]) @ place.scale_matrix(1.5))
    placed.apply_scale(0.5)
    tell(f'{name}.dae', placed)
print(json.dumps(out))
"#;

/// Numbers of a list of any depth.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => other.as_f64().into_iter().collect(),
    }
}

#[test]
fn files_of_other_programs_have_their_volume_area_bounds_and_inertia() {
    let packages = [("trimesh", "trimesh"), ("numpy-stl", "stl"), ("pycollada", "collada")];
    let Some(python) = python_with(&packages) else { return };
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(python).args(["-c", SCRIPT]).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told.len(), 5 * 9);
    for expected in told {
        let name = expected["file"].as_str().unwrap();
        // Not healed: what the file says is judged.
        let mesh = file::load(&folder.path().join(name)).unwrap_or_else(|e| panic!("{e}")).whole();
        let built = TriangleMesh::new(&mesh.vertices, &mesh.triangles).unwrap();
        let mass = built.mass_properties(1.0).unwrap();
        let area: f64 = (0..mesh.triangles.len() as u32)
            .map(|t| {
                let [a, b, c] = built.triangle(t).unwrap().corners;
                0.5 * (b - a).cross(c - a).length()
            })
            .sum();
        let (size, reach) = (built.bounds().max - built.bounds().min, built.bounds().max.length());
        // Decimals of ASCII files are kept as they are here, and trimesh rounds them to single precision.
        let slack = if name.contains("_text") { 2e-7 } else { 1e-9 };
        let check = |what: &str, own: Vec<f64>, scale: f64| {
            let other = numbers(&expected[what]);
            assert_eq!(own.len(), other.len());
            for (a, b) in own.iter().zip(&other) {
                assert!((a - b).abs() <= slack * scale, "{name} {what}: {a} {b}");
            }
        };
        check("volume", vec![mass.mass], mass.mass);
        check("area", vec![area], area);
        check("low", built.bounds().min.to_array().to_vec(), reach);
        check("high", built.bounds().max.to_array().to_vec(), reach);
        check("center", mass.center_of_mass.to_array().to_vec(), reach);
        check("inertia", mass.inertia.to_cols_array().to_vec(), mass.mass * size.length_squared().max(reach * reach));
    }
}
