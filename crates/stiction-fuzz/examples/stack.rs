//! Stacks that stand: drift in the second half of four seconds.
use stiction::math::*;
use stiction::shape::Shape;
use stiction::world::*;
fn main() {
    for (levels, ratio, step) in [
        (20, 1.0, 0.005),
        (20, 1.0, 0.001),
        (20, 1.0, 0.01),
        (100, 1.0, 0.005),
        (100, 1.0, 0.001),
        (10, 1000.0, 0.005),
        (5, 1000.0, 0.001),
        (10, 1000.0, 0.001),
    ] {
        for (name, solver, hybrid) in [
            ("default", SolverKind::Iterative, HybridRule::On),
            ("quick", SolverKind::Iterative, HybridRule::Unsolved),
            ("bare", SolverKind::Iterative, HybridRule::Off),
            ("world", SolverKind::Direct, HybridRule::Off),
        ] {
            let mut world = World::new(WorldParameters {
                gravity: DVec3::new(0.0, 0.0, -9.81),
                solver,
                hybrid,
                ..Default::default()
            });
            world.add_geom(&GeomDefinition::new(Shape::plane(DVec3::Z, 0.0).unwrap(), None)).unwrap();
            let shape = Shape::cuboid(DVec3::ONE).unwrap();
            let ids: Vec<_> = (0..levels)
                .map(|i| {
                    let heavy = if i == levels - 1 { ratio } else { 1.0 };
                    let mass = shape.mass_properties(1.0).unwrap().with_mass(heavy);
                    let id = world
                        .add_body(&BodyDefinition {
                            pose: Pose::from_position(DVec3::new(0.0, 0.0, 0.5 + i as f64)),
                            mass,
                            ..Default::default()
                        })
                        .unwrap();
                    world.add_geom(&GeomDefinition::new(shape.clone(), Some(id))).unwrap();
                    id
                })
                .collect();
            let steps = (4.0 / step) as usize;
            let places = |w: &World| ids.iter().map(|id| w.body(*id).unwrap().pose().position).collect::<Vec<_>>();
            let t = std::time::Instant::now();
            let mut res: f64 = 0.0;
            let mut gave = 0;
            for _ in 0..steps / 2 {
                world.step(step);
            }
            let half = places(&world);
            let (mut rescued, mut fact) = (0u32, 0u32);
            for _ in 0..steps / 2 {
                let r = world.step(step);
                res = res.max(r.residual());
                gave += r.gave_up;
                rescued += r.rescued;
                fact += r.factorizations;
            }
            let drift = half.iter().zip(places(&world)).map(|(a, b)| (*a - b).length()).fold(0.0, f64::max);
            let top = world.body(ids[levels - 1]).unwrap().pose().position;
            println!(
                "{levels} levels, top {ratio}: 1, step {step}: {name}: drift {:.4} mm, top off by ({:.2e}, {:.2e}) residual {res:.1e}, gave up {gave} rescued {rescued} fact {fact}, {:.0} us a step",
                1e3 * drift,
                top.truncate().length(),
                top.z - levels as f64 + 0.5,
                t.elapsed().as_secs_f64() / steps as f64 * 1e6
            );
        }
    }
}
