//! One-way collision: a camera gives way to a ball that it must not disturb. Their contact joins the camera to the static
//! environment, and its surface moves as the ball does: `cargo run -p stiction --example one_way`.

use std::error::Error;

use stiction::collision::{ContactQuery, collide};
use stiction::material::ContactSurface;
use stiction::math::{DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::world::{BodyDefinition, ContactDefinition, World, WorldParameters};

/// A name, and points.
pub type Track = (&'static str, Vec<(f64, f64)>);

/// Names, and places over time: time \[s\], and x of ball and camera \[m\], with the camera of a tonne.
pub fn run() -> Result<Vec<Track>, Box<dyn Error>> {
    let mut world = World::new(WorldParameters::default());
    let shape = Shape::sphere(0.5)?;
    let mut add = |x: f64, speed: f64, density: f64| {
        let mass = MassProperties::sphere(density, 0.5);
        let (pose, velocity) = (Pose::from_position(DVec3::X * x), DVec3::X * speed);
        world.add_body(&BodyDefinition { pose, velocity, mass, ..BodyDefinition::default() })
    };
    let (ball, camera) = (add(-2.0, 2.0, 1.0)?, add(0.0, 0.0, 2000.0)?);
    let mut tracks = vec![("ball", Vec::new()), ("camera", Vec::new())];
    let mut points = Vec::new();
    for _ in 0..1000 {
        let (of_ball, of_camera) = (world.body(ball).ok_or("no ball")?, world.body(camera).ok_or("no camera")?);
        let speed = of_ball.velocity();
        collide(&shape, &of_camera.pose(), &shape, &of_ball.pose(), &ContactQuery::default(), &mut points);
        world.clear_contacts();
        for point in &points {
            let surface =
                ContactSurface { normal_motion: speed.dot(point.normal), ..ContactSurface::with_friction(0.0) };
            let (position, normal, depth) = (point.position, point.normal, point.depth);
            // Not with the ball: with nothing.
            let bodies = [Some(camera), None];
            world.add_contact(ContactDefinition { bodies, position, normal, depth, surface });
        }
        world.step(2e-3);
        for (body, (_, track)) in [ball, camera].into_iter().zip(&mut tracks) {
            track.push((world.time(), world.body(body).ok_or("no body")?.pose().position.x));
        }
    }
    Ok(tracks)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (name, track) in run()? {
        println!("{name}: (t, x) = {:?}", track.last().copied().unwrap_or_default());
    }
    Ok(())
}

#[test]
fn the_camera_is_pushed_and_the_ball_goes_its_way() -> Result<(), Box<dyn Error>> {
    let ends: Vec<f64> = run()?.iter().filter_map(|(_, track)| track.last()).map(|(_, x)| *x).collect();
    // The ball of half a kilogram rolls on at its 2 m/s, and pushes the tonne before it.
    assert!((ends[0] - 2.0).abs() < 1e-9 && (ends[1] - 3.0).abs() < 0.02, "{ends:?}");
    Ok(())
}
