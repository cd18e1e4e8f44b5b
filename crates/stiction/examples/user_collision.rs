//! Contacts of one's own collision code: three balls in a box of planes. The engine knows no shapes; spaces find the pairs,
//! and a group holds the contacts of a step: `cargo run -p stiction --example user_collision`.

use std::error::Error;

use stiction::collision::ContactQuery;
use stiction::contact::restitution::Restitution;
use stiction::material::ContactSurface;
use stiction::math::{DVec3, Pose};
use stiction::shape::{MassProperties, Shape};
use stiction::space::{SpaceKind, Spaces};
use stiction::world::{BodyDefinition, ContactDefinition, JointGroup, World, WorldParameters};

/// A name, and points.
pub type Track = (&'static str, Vec<(f64, f64)>);

/// Names, and the balls' places over two seconds: x and height \[m\].
pub fn run() -> Result<Vec<Track>, Box<dyn Error>> {
    let mut world = World::new(WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() });
    let mut spaces = Spaces::new();
    let space = spaces.add_space(SpaceKind::HASH, None)?;
    for (normal, offset) in [(DVec3::Z, 0.0), (DVec3::X, -1.0), (DVec3::NEG_X, -1.0)] {
        spaces.add_shape(Shape::plane(normal, offset)?, &Pose::IDENTITY, Some(space))?;
    }
    let mut balls = Vec::new();
    for (i, x) in [-0.6, 0.0, 0.15].into_iter().enumerate() {
        let pose = Pose::from_position(DVec3::new(x, 0.0, 0.5 + 0.45 * i as f64));
        let velocity = DVec3::X * (1.5 - i as f64);
        let mass = MassProperties::sphere(1000.0, 0.2);
        let body = world.add_body(&BodyDefinition { pose, velocity, mass, ..BodyDefinition::default() })?;
        let geom = spaces.add_shape(Shape::sphere(0.2)?, &pose, Some(space))?;
        spaces.geom_mut(geom)?.body = Some(body);
        balls.push((body, geom));
    }
    let bounce = Some(Restitution { coefficient: 0.5, threshold: 0.1 });
    let surface = ContactSurface { bounce, ..ContactSurface::with_friction(0.4) };
    let (mut group, mut points) = (JointGroup::new(), Vec::new());
    let mut tracks = vec![("first", Vec::new()), ("second", Vec::new()), ("third", Vec::new())];
    for _ in 0..1000 {
        group.clear(&mut world);
        spaces.collide(space, &mut |spaces, a, b| {
            // The pair comes from the space: its handles are good.
            let _ = spaces.contacts(a, b, &ContactQuery::default(), &mut points);
            for contact in &points {
                let bodies = contact.geoms.map(|g| spaces.geom(g).ok().and_then(|g| g.body));
                let (position, normal, depth) = (contact.point.position, contact.point.normal, contact.point.depth);
                group.add_contact(&mut world, ContactDefinition { bodies, position, normal, depth, surface });
            }
        })?;
        world.step(2e-3);
        for ((body, geom), (_, track)) in balls.iter().zip(&mut tracks) {
            let pose = world.body(*body).ok_or("no body")?.pose();
            spaces.set_pose(*geom, &pose)?;
            track.push((pose.position.x, pose.position.z));
        }
    }
    Ok(tracks)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (name, track) in run()? {
        println!("{name}: (x, z) = {:?} m", track.last().copied().unwrap_or_default());
    }
    Ok(())
}

#[test]
fn the_balls_come_to_lie_beside_each_other() -> Result<(), Box<dyn Error>> {
    for (name, track) in run()? {
        let (x, z) = track.last().copied().ok_or("no track")?;
        assert!(x.abs() < 0.81 && (z - 0.2).abs() < 0.02, "{name}: {x} {z}");
    }
    Ok(())
}
