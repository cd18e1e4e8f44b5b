//! One step of frictional contact with the exact cone: velocities are unique, forces of coplanar points are not.

use serde_json::Value;
use stiction::contact::friction::Coupling;
use stiction::material::ContactSurface;
use stiction::math::{DVec3, Pose};
use stiction::world::{BodyDefinition, BodyId, ContactDefinition, World, WorldParameters};

use super::closed_forms::{cone, mass, number, vector};
use super::mechanisms::shared;

fn build(problem: &Value) -> (World, Vec<BodyId>) {
    let mut world = World::new(WorldParameters { gravity: vector(&problem["gravity"]), ..cone() });
    let mut bodies = Vec::new();
    for b in problem["bodies"].as_array().unwrap() {
        let i = &b["inertia_world"];
        let moments = DVec3::new(number(&i[0][0]), number(&i[1][1]), number(&i[2][2]));
        let id = world
            .add_body(&BodyDefinition {
                pose: Pose::from_position(vector(&b["pos"])),
                velocity: vector(&b["vel"]),
                omega: vector(&b["angvel"]),
                mass: mass(number(&b["mass"]), moments),
                ..BodyDefinition::default()
            })
            .unwrap();
        let mut body = world.body_mut(id).unwrap();
        body.add_force(vector(&b["force"]));
        body.add_torque(vector(&b["torque"]));
        bodies.push(id);
    }
    for c in problem["contacts"].as_array().unwrap() {
        let end = |key: &str| usize::try_from(c[key].as_i64().unwrap()).ok().map(|i| bodies[i]);
        world
            .add_contact(ContactDefinition {
                bodies: [end("a"), end("b")],
                position: vector(&c["point"]),
                normal: vector(&c["normal"]),
                depth: 0.0,
                surface: ContactSurface {
                    coupling: Coupling::Ellipse,
                    ..ContactSurface::with_friction(number(&c["mu"]))
                },
            })
            .unwrap();
    }
    (world, bodies)
}

#[test]
fn one_step_solves_the_exact_cone() {
    let Some(folder) = shared() else { return };
    for name in ["box_impact", "box_sliding", "box_sticking", "box_tipping", "two_boxes_drag"] {
        let path = folder.join("contact_problems").join(format!("{name}.json"));
        let problem: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let (mut world, bodies) = build(&problem);
        world.step(number(&problem["dt"]));
        let mut worst = 0.0f64;
        for (id, reference) in bodies.iter().zip(problem["reference_body_velocity_v_w"].as_array().unwrap()) {
            let body = world.body(*id).unwrap();
            let found = body.velocity().to_array().into_iter().chain(body.omega().to_array());
            for (found, expected) in found.zip(reference.as_array().unwrap()) {
                worst = worst.max((found - number(expected)).abs());
            }
        }
        println!("{name:15} velocities off by {worst:.1e}");
        // The references are converged to 1e-12; the rest is rounding times the condition of W (at most 90).
        assert!(worst < 1e-9, "{name}: {worst}");
    }
}
