//! Prints the energies of one mechanism: `trace SEED SETTING-NUMBER [STEPS] [EVERY]`.
use stiction_fuzz::energy::energy;
use stiction_fuzz::mechanism::{Mechanism, Setting};
fn main() {
    let a: Vec<usize> = std::env::args().skip(1).map(|x| x.parse().unwrap_or(0)).collect();
    let setting = Setting::all()[a[1]];
    let mut m = Mechanism::new(a[0] as u64, &setting);
    println!("{} {}", setting.name(), m.description);
    for k in 0..a.get(2).copied().unwrap_or(2000) {
        let e = energy(&m.world);
        let fastest = m.world.body_ids().filter_map(|id| m.world.body(id)).map(|b| b.omega().length()).fold(0.0, f64::max);
        if k % a.get(3).copied().unwrap_or(100) == 0 {
            let r = m.world.report();
            println!("{k} T {:.4} V {:.4} S {:.4} sum {:.6} omega {fastest:.1} h*omega {:.3} gap {:.2e} res {:.1e} tb {:.3e} gave up {} fact {} worst {:?}", e.kinetic, e.potential, e.springs, e.total(), m.step*fastest, r.joint_error, r.residual(), r.energy_taken_back, r.gave_up, r.factorizations, r.worst.map(|w| (w.kind, w.source)));
        }
        m.world.step(m.step);
    }
}
