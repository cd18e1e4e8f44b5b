//! Boxes on a slope of 30 degrees: displacement after a second under each solver.
use stiction::material::*;
use stiction::math::*;
use stiction::shape::Shape;
use stiction::world::*;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let mu: f64 = a.get(0).map_or(0.7, |x| x.parse().unwrap());
    let angle: f64 = a.get(1).map_or(30.0, |x| x.parse().unwrap());
    for cone in [FrictionModel::Pyramid, FrictionModel::Cone] {
        for (name, solver, iterations, hybrid, bounds) in [
            ("direct", SolverKind::Direct, 20, HybridRule::Off, BoundsRule::Converged),
            ("once", SolverKind::Direct, 20, HybridRule::Off, BoundsRule::Once),
            ("default", SolverKind::Iterative, 20, HybridRule::On, BoundsRule::Converged),
            ("quick", SolverKind::Iterative, 20, HybridRule::Unsolved, BoundsRule::Converged),
            ("sweeps20", SolverKind::Iterative, 20, HybridRule::Off, BoundsRule::Converged),
            ("sweeps5000", SolverKind::Iterative, 5000, HybridRule::Off, BoundsRule::Converged),
        ] {
            let t = angle.to_radians();
            let mut p = WorldParameters {
                gravity: DVec3::new(9.81 * t.sin(), 0.0, -9.81 * t.cos()),
                solver,
                iterations,
                hybrid,
                bounds,
                ..Default::default()
            };
            p.friction_model = cone;
            let mut world = World::new(p);
            let surface = Surface { friction: [mu; 2], ..Surface::default() };
            world
                .add_geom(&GeomDefinition {
                    surface,
                    ..GeomDefinition::new(Shape::plane(DVec3::Z, 0.0).unwrap(), None)
                })
                .unwrap();
            let shape = Shape::cuboid(DVec3::splat(0.2)).unwrap();
            let mut ids = vec![];
            for i in 0..3 {
                for j in 0..3 {
                    for k in 0..2 {
                        let pose = Pose::from_position(DVec3::new(
                            0.2001 * i as f64 + 0.03 * k as f64,
                            0.2001 * j as f64 + 0.02 * k as f64,
                            0.1 + 0.2 * k as f64,
                        ));
                        let mass = shape.mass_properties(1000.0).unwrap();
                        let id = world.add_body(&BodyDefinition { pose, mass, ..Default::default() }).unwrap();
                        world
                            .add_geom(&GeomDefinition { surface, ..GeomDefinition::new(shape.clone(), Some(id)) })
                            .unwrap();
                        ids.push((id, pose.position));
                    }
                }
            }
            let (mut gave, mut cone_worst, mut res, mut fact) = (0u32, 0.0f64, 0.0f64, 0u32);
            let t0 = std::time::Instant::now();
            for _ in 0..1000 {
                let r = world.step(1e-3);
                gave += u32::from(r.gave_up > 0);
                res = res.max(r.residual());
                fact += r.factorizations;
                for c in world.contact_reports() {
                    let n = c.force.dot(c.normal);
                    let tt = (c.force - n * c.normal).length();
                    let lim = if cone == FrictionModel::Cone { mu } else { mu * 2f64.sqrt() };
                    if n > 1.0 {
                        cone_worst = cone_worst.max(tt / (lim * n));
                    } else if tt > 1.0 {
                        cone_worst = cone_worst.max(99.0);
                    }
                }
            }
            let d: f64 =
                ids.iter().map(|(id, p)| (world.body(*id).unwrap().pose().position - *p).length()).sum::<f64>() / 18.0;
            println!(
                "{cone:?} {name}: mean displacement {d:.5} gave up {gave} steps, cone {cone_worst:.3} residual {res:.1e} fact {fact} time {:.2}",
                t0.elapsed().as_secs_f64()
            );
        }
    }
}
