//! Prints the balance of energy of one mechanism: `trace SEED SETTING-NUMBER [STEPS] [EVERY]`; a negative seed is a contact scene.
use stiction_fuzz::contact::ContactScene;
use stiction_fuzz::energy::energy;
use stiction_fuzz::mechanism::{Mechanism, Setting};
fn main() {
    let a: Vec<i64> = std::env::args().skip(1).map(|x| x.parse().unwrap_or(0)).collect();
    let setting = Setting::all()[a[1] as usize];
    let (mut world, step, d) = if a[0] >= 0 {
        let m = Mechanism::new(a[0] as u64, &setting);
        (m.world, m.step, m.description)
    } else {
        let s = ContactScene::new((-a[0]) as u64, &setting);
        (s.world, s.step, s.description)
    };
    println!("{} {}", setting.name(), d);
    let mut sum = [0.0; 10];
    let steps = a.get(2).copied().unwrap_or(2000);
    for k in 0..=steps {
        if k % a.get(3).copied().unwrap_or(100) == 0 {
            let e = energy(&world);
            let fastest =
                world.body_ids().filter_map(|id| world.body(id)).map(|b| b.omega().length()).fold(0.0, f64::max);
            let r = world.report();
            println!(
                "{k} T {:.4} V {:.4} S {:.4} sum {:.6} hw {:.3} gap {:.1e} pen {:.1e} res {:.1e} gu {} f {} | F {:.3e} M {:.3e} jl {:.3e} cl {:.3e} dl {:.1e} drift {:.3e} push {:.3e} solv {:.2e} integ {:.3e} tb {:.3e} {:?}",
                e.kinetic,
                e.potential,
                e.springs,
                e.total(),
                step * fastest,
                r.joint_error,
                r.penetration,
                r.residual(),
                r.gave_up,
                r.factorizations,
                sum[0],
                sum[1],
                sum[2],
                sum[3],
                sum[4],
                sum[5],
                sum[6],
                sum[7],
                sum[8],
                sum[9],
                r.worst.map(|w| (w.kind, w.source))
            );
        }
        world.step(step);
        let b = &world.report().energy;
        for (s, x) in sum.iter_mut().zip([
            b.forces,
            b.motors,
            b.joint_loss,
            b.contact_loss,
            b.damping_loss,
            b.made_drift,
            b.made_push_out,
            b.made_solver,
            b.made_integration,
            b.taken_back,
        ]) {
            *s += x;
        }
    }
}
