//! What a file means that gives no parameters of the world is what the table of parameters says.
#![allow(clippy::unwrap_used)]

use crate::common;

use stiction::parameter::{self, Scope};
use stiction_formats::simulation::{simulate, world_parameters};

#[test]
fn a_file_without_physics_means_the_defaults_of_the_table() {
    let text = "<sdf version='1.6'><world name='w'><physics name='p' type='ode'/></world></sdf>";
    let description = common::load_good(text);
    let simulation = simulate(&description, world_parameters(&description)).unwrap();
    let mut compared = 0;
    for p in parameter::all().filter(|p| p.scope == Scope::World) {
        if let Some(access) = p.access {
            assert_eq!((access.get)(&simulation.world.parameters), p.default, "{}", p.path);
            compared += 1;
        }
    }
    assert_eq!(compared, 11);
}
