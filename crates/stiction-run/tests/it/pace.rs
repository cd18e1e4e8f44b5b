//! The pace that a file asks for.
#![allow(missing_docs)]

use stiction_run::{Pace, Setup};

fn due(physics: &str) -> Option<f64> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("w.sdf");
    let text = format!("<sdf version='1.9'><world name='w'><physics type='ode'>{physics}</physics></world></sdf>");
    std::fs::write(&path, text).expect("a file");
    let run = Setup::new(path).start().expect("a run");
    Pace::of(&run.description().physics, 1e-3).map(|pace| pace.due(1000))
}

#[test]
fn rate_and_factor_both_bound_the_pace() {
    let rate = |r: f64| format!("<real_time_update_rate>{r}</real_time_update_rate>");
    let factor = |f: f64| format!("<real_time_factor>{f}</real_time_factor>");
    assert_eq!(due(""), Some(1.0));
    assert_eq!(due(&rate(500.0)), Some(2.0));
    assert_eq!(due(&rate(0.0)), None);
    assert_eq!(due(&factor(0.25)), Some(4.0));
    assert_eq!(due(&factor(4.0)), Some(0.25));
    assert_eq!(due(&(rate(500.0) + &factor(4.0))), Some(2.0));
    assert_eq!(due(&(rate(500.0) + &factor(0.25))), Some(4.0));
    assert_eq!(due(&(rate(0.0) + &factor(0.5))), Some(2.0));
    assert_eq!(due(&factor(0.0)), None);
}
