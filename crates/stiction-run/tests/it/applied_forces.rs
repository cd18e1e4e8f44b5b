//! `--force LINK=F@A..B`: the impulse is that of the time, however long the steps are.

use stiction_run::{ForceRequest, Quantity, Setup};

use crate::plugins::random::Random;

#[test]
fn the_impulse_of_a_force_is_that_of_its_time() {
    let mut r = Random(4);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.sdf");
    let text = "<sdf version='1.7'><world name='w'><gravity>0 0 0</gravity><model name='b'><link name='l'><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link></model></world></sdf>";
    std::fs::write(&file, text).unwrap();
    for case in 0..40 {
        let (step, force) = (r.within(1e-3, 0.02), r.within(0.5, 5.0));
        // Shorter and longer than a step, and whole steps.
        let from = if case % 2 == 0 { 0.0 } else { r.within(0.0, 0.1) };
        let until = from + if case % 3 == 0 { f64::from(case) * step } else { r.within(1e-4, 0.1) };
        let mut setup = Setup::new(&file).engine(["ode", "dart", "agx", "bullet"][case as usize % 4]);
        setup.step_size = Some(step);
        setup.forces = vec![ForceRequest::parse(&format!("b::l={force},0,0@{from}..{until}")).unwrap()];
        let mut run = setup.start().unwrap();
        while run.time() < until + step {
            run.step().unwrap();
        }
        let found = run.link(Quantity::Speed, "b::l").unwrap().x;
        let expected = 0.5 * force * (until - from);
        assert!((found - expected).abs() < 1e-5 * force * step + 1e-9, "case {case}: {found} m/s for {expected}");
    }
}
