//! Contact scenes, one line a violation.
use stiction_fuzz::contact::ContactScene;
use stiction_fuzz::mechanism::Setting;
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|x| x.parse().unwrap_or(0)).collect();
    for (k, setting) in Setting::all().into_iter().enumerate() {
        if a.get(2).is_some_and(|s| *s != k as u64) {
            continue;
        }
        let (mut pull, mut cone, mut gain, mut gave, mut steps, mut res, mut deep) = (0, 0, 0, 0u64, 0u64, 0, 0);
        let t = std::time::Instant::now();
        for seed in a[0]..a[1] {
            let mut s = ContactScene::new(seed, &setting);
            let w = s.run(1.0);
            pull += u32::from(w.pull > 1e-6);
            cone += u32::from(w.cone > 1e-6);
            gain += u32::from(w.gain > 0.01);
            gave += w.gave_up as u64;
            steps += w.steps as u64;
            res += u32::from(w.residual > 1e-2);
            deep += u32::from(w.depth > 0.3);
            if w.gain > 0.01 || !w.is_finite || w.cone > 1e-3 {
                println!(
                    "{} seed {seed}: gain {:.2e} pull {:.1e} cone {:.1e} depth {:.2} residual {:.1e} gave up {}: {}",
                    setting.name(),
                    w.gain,
                    w.pull,
                    w.cone,
                    w.depth,
                    w.residual,
                    w.gave_up,
                    s.description
                );
            }
        }
        println!(
            "{}: pull {pull} cone {cone} gain {gain} gave up {gave}/{steps} steps residual>1e-2 {res} deep {deep} {:.1}s",
            setting.name(),
            t.elapsed().as_secs_f64()
        );
    }
}
