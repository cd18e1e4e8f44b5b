//! The balance of energy of one case, step by step: where a finding is looked into.

use stiction::EnergyBalance;
use stiction::world::World;

use crate::case::Kind;
use crate::contact::ContactScene;
use crate::energy::energy;
use crate::mechanism::Mechanism;
use crate::setting::Setting;

/// Sums of a balance so far.
#[derive(Default)]
struct Sums([f64; 11]);

impl Sums {
    const NAMES: [&str; 11] = [
        "forces",
        "motors",
        "stored",
        "joint loss",
        "contact loss",
        "damping",
        "drift",
        "push-out",
        "solver",
        "integration",
        "taken back",
    ];

    fn add(&mut self, b: &EnergyBalance) {
        let parts = [
            b.forces,
            b.motors,
            b.stored,
            b.joint_loss,
            b.contact_loss,
            b.damping_loss,
            b.made_drift,
            b.made_push_out,
            b.made_solver,
            b.made_integration,
            b.taken_back,
        ];
        for (sum, part) in self.0.iter_mut().zip(parts) {
            *sum += part;
        }
    }
}

/// Prints a line every so many steps of a mechanism or a contact scene, and one of what went into it at the end.
pub fn trace(kind: Kind, seed: u64, setting: &Setting, steps: usize, every: usize) {
    let (mut world, step, description) = match kind {
        Kind::Contacts => {
            let scene = ContactScene::new(seed, setting);
            (scene.world, scene.step, scene.description)
        }
        _ => {
            let mechanism = Mechanism::new(seed, setting);
            (mechanism.world, mechanism.step, mechanism.description)
        }
    };
    println!("{} seed {seed} {}: {description}", kind.name(), setting.name());
    let mut sums = Sums::default();
    for number in 0..=steps {
        if number % every.max(1) == 0 {
            line(number, step, &world);
        }
        if number < steps {
            sums.add(&world.step(step).energy);
        }
    }
    for (name, sum) in Sums::NAMES.into_iter().zip(sums.0) {
        println!("{name:>14} {sum:>12.4e} J");
    }
}

fn line(number: usize, step: f64, world: &World) {
    let e = energy(world);
    let fastest = world.body_ids().filter_map(|id| world.body(id)).map(|b| b.omega().length()).fold(0.0, f64::max);
    let r = world.report();
    println!(
        "{number:>6} kinetic {:.4e} potential {:.4e} springs {:.4e} sum {:.6e} J, turn {:.3} rad, gap {:.1e}, depth {:.1e}, \
         residual {:.1e}, gave up {}, most made {:?}",
        e.kinetic,
        e.potential,
        e.springs,
        e.total(),
        step * fastest,
        r.joint_error,
        r.penetration,
        r.residual(),
        r.gave_up,
        r.made_most
    );
}
