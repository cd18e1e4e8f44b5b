//! The symptoms that `stiction explain` answers: every demonstration runs, and `docs/symptoms.md` is made from the table.
//! `UPDATE=1 cargo test --release -p stiction-run --test it symptoms` rewrites the page and the measured numbers.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use stiction_formats::BUNDLED_WORLDS;
use stiction_formats::usage::{self, How};
use stiction_run::{Claim, Demonstration, Quantity, Stage, Symptom, SymptomAnswer, find_parameter, find_symptoms};

/// What was measured: of a demonstration, for each of its engines, before and after.
type Measured = Vec<(&'static Demonstration, Vec<(&'static str, [f64; 2])>)>;

const ALL: &[Symptom] = Symptom::ALL;
static MEASURED: LazyLock<Vec<Measured>> = LazyLock::new(|| {
    let numbers = |demonstration: &'static Demonstration| {
        let of_engine = |engine: &&'static str| {
            let run =
                |stage| demonstration.run(engine, stage).unwrap_or_else(|e| panic!("{demonstration:?} {engine}: {e}"));
            (*engine, [run(Stage::Before), run(Stage::After)])
        };
        (demonstration, demonstration.engines.iter().map(of_engine).collect())
    };
    ALL.iter().map(|symptom| symptom.demonstrations.iter().map(numbers).collect()).collect()
});

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Three digits; what is smaller than rounding errors of positions is 0.
fn number(x: f64) -> String {
    if x.abs() < 1e-9 {
        return "0".to_owned();
    }
    let exact = format!("{x:.2e}");
    let value: f64 = exact.parse().unwrap();
    if (1e-3..1e6).contains(&value.abs()) { value.to_string() } else { exact }
}

#[test]
fn every_cure_acts_under_every_engine_that_it_is_claimed_for() {
    for (symptom, measured) in ALL.iter().zip(MEASURED.iter()) {
        let mut engines = BTreeSet::new();
        for (demonstration, numbers) in measured {
            for (engine, [before, after]) in numbers {
                assert!(demonstration.claim.holds(*before, *after), "{}, {engine}: {before} -> {after}", symptom.name);
                assert!(engines.insert(*engine), "{}: {engine} twice", symptom.name);
                assert!(usage::engines().any(|e| e == *engine));
            }
            assert!(!demonstration.claim.holds(1.0, 1.0), "a claim that cannot fail");
            assert!(BUNDLED_WORLDS.iter().any(|world| world.name == demonstration.world));
        }
    }
    assert!(!Claim::FallsTo(0.1).holds(1.0, 0.2) && !Claim::RisesBy(1.0).holds(1.0, 1.5));
}

/// A change of a parameter that the engine ignores would be no cure.
#[test]
fn the_changes_of_a_cure_are_parameters_that_act() {
    for symptom in ALL {
        for demonstration in symptom.demonstrations {
            for engine in demonstration.engines {
                let paths = demonstration.after.iter().filter_map(|change| match change {
                    stiction_run::Change::Set(path, _) => Some(*path),
                    _ => None,
                });
                let uses: Vec<How> = paths
                    .map(|path| find_parameter(path).unwrap())
                    .map(|page| page.uses.iter().find(|(e, ..)| e == engine).unwrap().1)
                    .collect();
                assert!(uses.is_empty() || uses.iter().any(|how| *how != How::Ignored), "{}, {engine}", symptom.name);
            }
        }
    }
}

#[test]
fn the_measured_numbers_are_those_of_the_table() {
    let mut text = String::from(
        "# Numbers of the demonstrations, before and after: world, engine, first change of the cure, before, after.\n\
         # Made by UPDATE=1 cargo test --release -p stiction-run --test it symptoms.\n",
    );
    for (demonstration, numbers) in MEASURED.iter().flatten() {
        for (engine, [before, after]) in numbers {
            writeln!(text, "{}\t{}\t{}", demonstration.key(engine), number(*before), number(*after)).unwrap();
        }
    }
    compare(&root().join("crates/stiction-run/src/explain/symptoms/measured.tsv"), &text);
    let keys: Vec<&str> = text.lines().filter_map(|line| line.rsplitn(3, '\t').last()).collect();
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "rows with the same key");
}

/// Fewer steps take less time, and the piles stand as well.
#[test]
fn the_faster_run_is_faster_and_as_good() {
    let demonstration = find_symptoms("too slow")[0].demonstrations[0];
    let run = |stage| {
        let time = std::time::Instant::now();
        let mut run = demonstration.start("ode-quick", stage).unwrap();
        run.advance(demonstration.duration).unwrap();
        (time.elapsed().as_secs_f64(), run.link(Quantity::Height, "box_3::link").unwrap().z)
    };
    // The least of several, for other programs run at the same time.
    let best = |stage| (0..5).map(|_| run(stage)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let (before, after) = (best(Stage::Before), best(Stage::After));
    assert!(after.0 < 0.6 * before.0, "{before:?} {after:?}");
    assert!((before.1 - after.1).abs() < 1e-6 && (after.1 - 1.75).abs() < 1e-6, "{before:?} {after:?}");
}

/// `mu >= m g / (2 F)`: 1 kg between fingers that press with 20 N each.
#[test]
fn a_grasp_holds_from_its_threshold_on() {
    let grasp = find_symptoms("grasp fails")[0].demonstrations[0];
    let threshold: f64 = 9.8 / 40.0;
    let fall = |engine: &str, mu: f64| {
        let mut setup = stiction_run::Setup::new(grasp.world).engine(engine);
        for name in ["mu", "mu2"] {
            setup = setup.set(format!("model.*.link.*.collision.*.surface.friction.ode.{name}"), mu);
        }
        for command in ["left_slide:effort=20", "right_slide:effort=20"] {
            setup.commands.extend(stiction_run::CommandRequest::parse(command).unwrap());
        }
        let mut run = setup.start().unwrap();
        run.advance(1.0).unwrap();
        0.5 - run.link(Quantity::Height, "box::link").unwrap().z
    };
    // Under `stiction` contacts bear their load once they have sunk to their depth of rest, 17 um for ten times the weight of a finger:
    // until then the box falls to 6 mm/s, which only friction well above the threshold stops at once. Wanted is what the others do.
    let others = ["ode-quick", "ode-world", "bullet-featherstone", "dart"].map(|engine| (engine, 1e-4, 1e-4, 1e-9));
    for (engine, over, off, slip) in [("stiction", 0.02, 6e-3, 1e-4)].into_iter().chain(others) {
        let (slips, holds) = (fall(engine, threshold - 1e-4), fall(engine, threshold + over));
        // It falls with what friction leaves of g: (1 - mu / threshold) g.
        let expected = 0.5 * 9.8 * (1e-4 / threshold);
        assert!((slips - expected).abs() < off, "{engine}: falls by {slips} m, expected {expected} m");
        assert!(holds.abs() < slip, "{engine}: falls by {holds} m");
    }
}

/// No parameter acts: contacts of DART are rigid, and joints in reduced coordinates cannot separate.
const RIGID: [(&str, &str); 3] = [("sinks", "dart"), ("comes apart", "drake-continuous"), ("comes apart", "simbody")];

#[test]
fn every_parameter_of_a_symptom_exists_and_some_act_under_every_engine() {
    for symptom in ALL {
        for key in symptom.parameters {
            assert!(usage::find(key).is_some(), "{}: {key}", symptom.name);
        }
        for engine in usage::engines() {
            let answer = SymptomAnswer::new(symptom, Some(engine)).unwrap();
            let is_rigid = RIGID.contains(&(symptom.name, engine));
            assert_eq!(answer.acting.is_empty(), is_rigid, "{} under {engine}", symptom.name);
            // What the page of a parameter says is what the answer says.
            for leaf in symptom.parameters.iter().filter_map(|key| usage::find(key)) {
                let page = find_parameter(&leaf.pattern()).unwrap();
                let (_, how, _) = page.uses.iter().find(|(e, ..)| *e == engine).unwrap();
                let list = if *how == How::Ignored { &answer.ignored } else { &answer.acting };
                let is_omitted = *how == How::Ignored && leaf.is_of_engine_block();
                assert_eq!(list.iter().any(|p| p.path == leaf.path() && p.how == *how), !is_omitted, "{}", leaf.key);
            }
            assert_eq!(answer.engine, engine);
        }
        for page in symptom.pages {
            assert!(root().join(page).exists(), "{page}");
        }
    }
}

/// Names and phrases of the table lead to their own symptom; a phrase of two symptoms to one of them.
#[test]
fn phrases_lead_to_their_symptom() {
    for symptom in ALL {
        assert_eq!(find_symptoms(symptom.name)[0].name, symptom.name);
        for phrase in symptom.phrases {
            let found = find_symptoms(phrase);
            assert!(found.iter().any(|s| s.name == symptom.name), "{}: {phrase}", symptom.name);
        }
    }
}

/// A name that is a word too.
#[test]
fn the_words_that_are_also_parameters_are_known() {
    let both: BTreeSet<String> = usage::leaves()
        .iter()
        .map(usage::Leaf::name)
        .filter(|name| !name.contains('_') && !find_symptoms(name).is_empty() && find_parameter(name).is_ok())
        .collect();
    assert_eq!(both.into_iter().collect::<Vec<_>>().join(" "), ALSO_PARAMETERS);
}

const ALSO_PARAMETERS: &str = "bounce friction slip";

fn compare(path: &Path, text: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), text, "run with UPDATE=1");
}

const HEAD: &str = "\
# Symptoms

What to do when a simulation looks wrong. `stiction explain` answers the same from the command line, for the engine and the
values of a file:

```sh
stiction explain slip
stiction explain 'why does it fall through the floor?' world.sdf
stiction explain grasp --engine drake-discrete
```

Each section has the causes, the parameters for every engine, and two commands that show the effect before and after. The
numbers are measured by `crates/stiction-run/tests/it/symptoms.rs`, which runs both commands under every engine of the table
and makes this page (`UPDATE=1` rewrites it). In the figures older positions are lighter.

";

fn page() -> String {
    let mut text = HEAD.to_owned();
    for symptom in ALL {
        writeln!(text, "- [{}](#{}): {}", symptom.name, symptom.name.replace(' ', "-"), symptom.answer).unwrap();
    }
    for (symptom, measured) in ALL.iter().zip(MEASURED.iter()) {
        write!(text, "\n## {}\n\n**Answer:** {}\n\n", symptom.name, symptom.answer).unwrap();
        for cause in symptom.causes {
            writeln!(text, "- {}", cause.replace('<', "\\<")).unwrap();
        }
        text += "\n| parameter | acts under | no effect under |\n|---|---|---|\n";
        for key in symptom.parameters {
            let leaf = usage::find(key).unwrap();
            let list = |ignored: bool| {
                let is = |engine: &&str| (usage::of(leaf, engine).unwrap().how == How::Ignored) == ignored;
                let engines: Vec<&str> = usage::engines().filter(is).collect();
                match engines.len() {
                    0 => "–".to_owned(),
                    n if n == usage::engines().count() => "all".to_owned(),
                    _ => engines.join(", "),
                }
            };
            writeln!(text, "| `{}` | {} | {} |", leaf.path(), list(false), list(true)).unwrap();
        }
        for (demonstration, numbers) in measured {
            let engine = demonstration.engines[0];
            write!(
                text,
                "\n```sh\n{}\n{}\n```\n\n",
                demonstration.command(engine, Stage::Before),
                demonstration.command(engine, Stage::After)
            )
            .unwrap();
            let unit = match demonstration.measure.unit() {
                "" => String::new(),
                unit => format!(" [{unit}]"),
            };
            let head: Vec<String> = demonstration.engines.iter().map(|engine| format!("`{engine}`")).collect();
            let row = |stage: usize| numbers.iter().map(|(_, n)| number(n[stage])).collect::<Vec<_>>().join(" | ");
            write!(
                text,
                "| {}{unit} | {} |\n|---|{}\n| before | {} |\n| after | {} |\n",
                demonstration.measured,
                head.join(" | "),
                "---|".repeat(head.len()),
                row(0),
                row(1)
            )
            .unwrap();
        }
        write!(
            text,
            "\n![{}: before and after, from the side and from above](figures/symptom_{}.svg)\n\n",
            symptom.name,
            symptom.file_name()
        )
        .unwrap();
        let pages: Vec<String> =
            symptom.pages.iter().map(|page| page.trim_start_matches("docs/")).map(|p| format!("[{p}]({p})")).collect();
        writeln!(text, "See also {}.", pages.join(", ")).unwrap();
    }
    text
}

#[test]
fn the_page_is_up_to_date() {
    compare(&root().join("docs/symptoms.md"), &page());
    for symptom in ALL {
        let figure = root().join(format!("docs/figures/symptom_{}.svg", symptom.file_name()));
        assert!(figure.exists(), "{}: run `cargo xtask figures`", figure.display());
    }
}
