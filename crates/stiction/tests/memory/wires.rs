//! A step of wires allocates nothing, while a winch hauls. (Where nodes come, go or pass an
//! eye the direct solver looks for an order anew.)

use stiction::math::DVec3;
use stiction::world::{BodyDefinition, Preset, Winch, WinchControl, WireDefinition, WirePoint, World, WorldParameters};
use stiction_testing::counting::allocations;

#[test]
fn nothing_is_allocated_while_a_winch_hauls() -> Result<(), Box<dyn std::error::Error>> {
    let mut parameters = WorldParameters { gravity: DVec3::NEG_Z * 9.81, ..WorldParameters::default() };
    Preset::Agx.apply(&mut parameters);
    let mut world = World::new(parameters);
    let at = DVec3::new(3.0, 0.0, -2.0);
    let pose = stiction::math::Pose::from_position(at);
    let load = world.add_body(&BodyDefinition { pose, ..BodyDefinition::default() })?;
    let winch = Winch { stored: 20.0, control: WinchControl::Speed(1.0), ..Winch::default() };
    let route = vec![
        WirePoint::Winch(None, DVec3::ZERO, winch),
        WirePoint::Eye(None, DVec3::new(3.0, 0.0, 1.0)),
        WirePoint::Fixed(Some(load), at),
    ];
    let wire = world.add_wire(&WireDefinition { resolution: 2.0, ..WireDefinition::new(0.01, route) })?;
    for _ in 0..300 {
        world.step(1.0 / 60.0);
    }
    world.set_winch_control(wire, WinchControl::Speed(-0.05))?;
    let mut loud = 0;
    for _ in 0..600 {
        let before = allocations();
        world.step(1.0 / 60.0);
        loud += u32::from(allocations() != before);
    }
    // Steps in which nodes or rows came, went or passed the eye.
    println!("{loud} steps of 600 allocate");
    assert!(loud <= 30, "{loud} steps");
    Ok(())
}
