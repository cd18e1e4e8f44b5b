//! Comparisons whose differences are known in closed form.

use std::path::Path;

use stiction_run::{Case, Compared, Comparison, Length, Outcome, Quantity, RunError, Setup};

/// A sphere in the air, and a box that slides over the ground at 2 m/s.
const WORLD: &str = r#"<sdf version="1.9"><world name="pair">
  <physics type="ode"><max_step_size>0.001</max_step_size></physics>
  <include><uri>model://ground_plane</uri></include>
  <model name="ball"><pose>0 0 100 0 0 0</pose><link name="l"><inertial><mass>1</mass></inertial></link></model>
  <model name="block"><pose>10 0 0.1 0 0 0</pose>
    <plugin name="v" filename="libInitialVelocityPlugin.so"><linear>2 0 0</linear></plugin>
    <link name="l"><inertial><mass>1</mass><inertia><ixx>0.05</ixx><iyy>0.05</iyy><izz>0.05</izz></inertia></inertial>
      <collision name="c"><geometry><box><size>1 1 0.2</size></box></geometry>
      <surface><friction><ode><mu>0.2</mu><mu2>0.2</mu2></ode></friction></surface></collision></link></model>
</world></sdf>"#;

fn setup(folder: &Path, text: &str) -> Setup {
    let path = folder.join("pair.sdf");
    std::fs::write(&path, text).expect("a file");
    Setup::new(path)
}

fn compare(text: &str, cases: &[&str], seconds: f64) -> Compared {
    let folder = tempfile::tempdir().expect("a folder");
    let base = setup(folder.path(), text);
    let cases = cases.iter().map(|case| Case::parse(case, &base).expect("a case")).collect();
    let comparison = Comparison::new(cases).expect("cases").observe(Quantity::Height, None);
    comparison.load().expect("files").run(Length::Duration(seconds), &mut |_| {}).expect("runs")
}

fn by_link(compared: &Compared, case: usize, link: &str) -> f64 {
    let difference = compared.cases[case].difference.as_ref().expect("a difference");
    difference.by_link.iter().find(|(name, _)| name == link).expect("a link").1
}

/// Steps that move by their new velocity fall by `g h² n (n + 1) / 2`.
#[test]
fn two_gravities_part_by_what_the_steps_give() {
    let cases = ["earth=gravity=0 0 -9.8", "less=gravity=0 0 -9.0", "coarse=gravity=0 0 -9.8,step-size=0.01"];
    let compared = compare(WORLD, &cases, 1.0);
    let fallen = |gravity: f64, step: f64, n: f64| gravity * step * step * n * (n + 1.0) / 2.0;
    let less = compared.cases[1].difference.as_ref().expect("a difference");
    let wanted = fallen(0.8, 1e-3, 1000.0);
    assert!((less.max / wanted - 1.0).abs() < 1e-12, "{} m, wanted {wanted} m", less.max);
    assert_eq!(less.at, Some(("ball::l".to_owned(), 1.0)));
    assert_eq!((less.instants, less.offset_max, less.until), (1001, 0.0, 1.0));
    assert!((less.interval - 0.001).abs() < 1e-15);
    // The block slides by other forces: its part of the mean is taken off.
    let block = by_link(&compared, 1, "block::l");
    let ball: f64 = (0..=1000).map(|n| fallen(0.8, 1e-3, f64::from(n)).powi(2)).sum();
    let squares = less.rms.powi(2) * 2002.0;
    assert!(squares > ball && squares - ball < 1001.0 * block * block, "{squares} {ball} {block}");
    // Every hundredth of a second is a time of both.
    let coarse = compared.cases[2].difference.as_ref().expect("a difference");
    assert_eq!((coarse.instants, coarse.offset_max), (101, 0.0));
    let wanted = fallen(9.8, 1e-2, 100.0) - fallen(9.8, 1e-3, 1000.0);
    let ball = by_link(&compared, 2, "ball::l");
    assert!((ball / wanted - 1.0).abs() < 1e-11, "{ball} m, wanted {wanted} m");
}

/// `v² / (2 μ g)` to a stop, from 2 m/s: at rest after 1.02 s and 0.51 s.
#[test]
fn two_coefficients_of_friction_part_by_their_ways_to_a_stop() {
    let mu = "model.block.link.l.collision.c.surface.friction.ode.mu";
    let compared = compare(WORLD, &["slippery=", &format!("rough={mu}=0.4,{mu}2=0.4")], 1.5);
    let wanted = 4.0 / (2.0 * 9.8) * (1.0 / 0.2 - 1.0 / 0.4);
    let block = by_link(&compared, 1, "block::l");
    assert!((block / wanted - 1.0).abs() < 2e-3, "{block} m, wanted {wanted} m");
    assert_eq!(by_link(&compared, 1, "ball::l"), 0.0);
    assert_eq!(compared.most_different_links(), ["block::l", "ball::l"]);
    let paths: Vec<&str> = compared.parameters.iter().map(|p| p.path.as_str()).collect();
    assert_eq!(
        paths,
        ["mu", "mu2"].map(|mu| format!("model.block.link.l.collision.c.surface.friction.ode.{mu}")),
        "nothing else differs"
    );
    let values: Vec<_> = compared.parameters[0].values.iter().flatten().map(|(value, _)| value.as_str()).collect();
    assert_eq!(values, ["0.2", "0.4"]);
}

/// What moves evenly is where it is at any time: differences of 0 come of no interpolation, and times that do not meet are told
/// with what they are apart.
#[test]
fn other_steps_make_no_difference_of_their_own() {
    let text = WORLD.replace("<physics", "<gravity>0 0 0</gravity><physics");
    let steps =
        ["a=step-size=0.001", "b=step-size=0.0025", "c=step-size=0.016666666666666666", "d=step-size=0.00123456789"];
    // Longer than a stretch of the reference, 2000 steps.
    let compared = compare(&text, &steps, 5.0);
    for (case, instants) in [(1, 1001), (2, 101)] {
        let difference = compared.cases[case].difference.as_ref().expect("a difference");
        assert!(difference.max < 1e-10 && difference.offset_max == 0.0, "{difference:?}");
        assert_eq!(difference.instants, instants, "every 5 ms, every 50 ms");
    }
    let nearest = compared.cases[3].difference.as_ref().expect("a difference");
    assert_eq!(nearest.instants, 4051, "each step of the longer");
    assert!(nearest.offset_max > 0.49e-3 && nearest.offset_max <= 0.5e-3, "{}", nearest.offset_max);
    assert!((nearest.max - 2.0 * nearest.offset_max).abs() < 1e-10, "{} m at 2 m/s", nearest.max);
    // No offset is worse than the one told, and the curve has every largest one of its points.
    assert!(nearest.curve.len() <= 1000 && nearest.curve.iter().any(|(_, d)| *d == nearest.max));
    assert!(nearest.rms < nearest.max && nearest.rms > 0.0);
}

/// Runs that take turns are the runs that they are alone, to the last bit.
#[test]
fn equal_cases_are_equal_and_the_same_as_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = setup(folder.path(), WORLD);
    let cases = ["a=", "b=", "c=step-size=0.002", "d=engine=drake-discrete"];
    let compared = compare(WORLD, &cases, 2.5);
    let same = compared.cases[1].difference.as_ref().expect("a difference");
    assert_eq!((same.max, same.rms, &same.at, same.instants), (0.0, 0.0, &None, 2501));
    for (index, text) in cases.iter().enumerate() {
        let case = &compared.cases[index];
        let figures = case.figures.as_ref().expect("figures");
        let mut alone = Case::parse(text, &base).expect("a case").setup.start().expect("a run");
        alone.advance(2.5).expect("steps");
        assert_eq!(figures.state_hash, alone.simulation().state_hash(), "{text}");
        assert_eq!(figures.steps, alone.steps());
        // The plot's last point is the end.
        let (time, height) = *case.series[0].points.last().expect("points");
        assert_eq!((time, height), (alone.time(), alone.link(Quantity::Height, "ball::l").expect("a link").z));
        assert!(case.series[0].points.len() <= 1002);
    }
    assert_eq!(
        compared.cases[0].figures.as_ref().map(|f| f.state_hash),
        compared.cases[1].figures.as_ref().map(|f| f.state_hash)
    );
}

#[test]
fn a_case_that_fails_ends_no_other() {
    let text = r#"<sdf version="1.9"><world name="w"><model name="m"><link name="l"/>
        <joint name="j" type="prismatic"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz>
        <dynamics><spring_stiffness>1e15</spring_stiffness></dynamics></axis></joint></model></world></sdf>"#;
    let compared = compare(text, &["stiff=engine=drake-continuous,step-size=0.01", "fixed=engine=ode-world"], 0.1);
    assert_eq!(compared.cases[0].outcome.word(), "unfinished");
    assert_eq!(compared.cases[1].outcome, Outcome::Done);
    assert_eq!(compared.cases[1].figures.as_ref().map(|f| f.steps), Some(100));
    assert!(!compared.are_all_done());
    let difference = compared.cases[1].difference.as_ref().expect("a difference");
    assert_eq!(difference.instants, 1, "they have the start in common");
}

/// In continuous time a fall makes what rounding does; its speed is no rise of it.
#[test]
fn a_fall_in_continuous_time_makes_no_energy() {
    let text = r#"<sdf version="1.9"><world name="w"><model name="m"><pose>0 0 9 0 0 0</pose><link name="l"/></model></world></sdf>"#;
    let compared = compare(text, &["continuous=engine=drake-continuous", "fixed=engine=ode-world"], 1.0);
    let figures = |case: usize| compared.cases[case].figures.as_ref().expect("figures");
    let free = figures(0);
    assert!(free.made.abs() < 1e-11 && free.made_rise < 1e-11 && free.made_share < 1e-13, "{free:?}");
    // Steps of 1 ms lose g h p / 2 by the end, which the swing gives back.
    assert!(figures(1).made < 0.0 && figures(1).made_rise < 1e-11, "{:?}", figures(1));
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let case = |name: &str| Case::new(name, Setup::new("tower"));
    assert!(matches!(Comparison::new(vec![case("a")]), Err(RunError::NothingToCompare(Some(_)))));
    assert!(matches!(Comparison::new(Vec::new()), Err(RunError::NothingToCompare(None))));
    assert!(matches!(Comparison::new(vec![case("a"), case("b"), case("a")]), Err(RunError::CaseTwice(_))));
    let error = Comparison::new(vec![case("first"), case("second")]).and_then(|c| c.reference("secund")).unwrap_err();
    assert_eq!(error.to_string(), "reference `secund`: no case `secund`; did you mean `second`?");
    let unknown = vec![case("a"), Case::of_engine("oed", &Setup::new("tower"))];
    let run = Comparison::new(unknown).and_then(Comparison::load).and_then(|l| l.run(Length::Steps(1), &mut |_| {}));
    assert!(matches!(run, Err(RunError::Engine { .. })));
}
