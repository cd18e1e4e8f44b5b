//! The judge of the table of use: for each engine a parameter that is used or mapped changes the motion of some probe
//! world, and one that is ignored changes no bit of the motion of any.
#![allow(clippy::unwrap_used)]

mod probes;
mod values;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Mutex;

use probes::{Probe, probes};
use stiction_formats::usage::{self, How, Leaf};
use stiction_run::{CommandRequest, Run, Setup};

/// A probe as a file.
struct Written {
    probe: Probe,
    path: PathBuf,
    materials: Option<PathBuf>,
}

const WEDGE: &str = "solid w
facet normal 0 0 -1 outer loop vertex 0 0 0 vertex 0 0.3 0 vertex 0.3 0 0 endloop endfacet
facet normal 0 -1 0 outer loop vertex 0 0 0 vertex 0.3 0 0 vertex 0 0 0.2 endloop endfacet
facet normal -1 0 0 outer loop vertex 0 0 0 vertex 0 0 0.2 vertex 0 0.3 0 endloop endfacet
facet normal 1 1 1 outer loop vertex 0.3 0 0 vertex 0 0.3 0 vertex 0 0 0.2 endloop endfacet
endsolid w
";

fn written(folder: &std::path::Path) -> Vec<Written> {
    // A wedge of four triangles.
    std::fs::write(folder.join("wedge.stl"), WEDGE).unwrap();
    let write = |(i, probe): (usize, Probe)| {
        let path = folder.join(format!("{i}.world"));
        let text = format!(
            "<sdf version=\"1.11\" xmlns:drake=\"http://drake.mit.edu\" xmlns:stiction=\"s\"><world name=\"w\">{}</world></sdf>",
            probe.world
        );
        std::fs::write(&path, text).unwrap();
        let materials = (!probe.materials.is_empty()).then(|| {
            let path = folder.join(format!("{i}.yaml"));
            std::fs::write(&path, probe.materials).unwrap();
            path
        });
        Written { probe, path, materials }
    };
    probes().into_iter().enumerate().map(write).collect()
}

/// What a run is made of, and how it goes.
struct Motion {
    /// All that the engine is told.
    inputs: String,
    /// The states after each step, as numbers.
    states: Vec<u64>,
}

/// Steps after which a run with the same inputs is known to go on as the other: it repeats bit for bit.
const FEW: usize = 3;
/// Steps of an integrator that show that nothing changes: each is many small ones.
const SOME: usize = 4;

impl Motion {
    /// A run of some steps at most; `None` where the world does not have the parameter, or refuses the value. With the inputs
    /// of `plain` it goes `few` steps.
    fn of(
        written: &Written,
        engine: &str,
        setting: Option<(&str, &str)>,
        most: usize,
        plain: Option<(&Self, usize)>,
    ) -> Option<Self> {
        let mut setup = Setup::new(&written.path).engine(engine);
        if engine == "drake-continuous" {
            setup = setup.set("integrator.accuracy", "1e-3");
        }
        setup.materials.clone_from(&written.materials);
        setup.lenient = true;
        for (path, value) in written.probe.settings.iter().copied().chain(setting) {
            setup = setup.set(path, value);
        }
        for command in written.probe.commands {
            setup.commands.extend(CommandRequest::parse(command).unwrap());
        }
        let mut run = setup.start().ok()?;
        // An integrator takes its time over small steps: fewer of them, and no pile; nothing sleeps before a second.
        let steps = match (engine, written.probe.name) {
            ("drake-continuous" | "simbody", "pile" | "swept pile" | "woken") => 0,
            ("simbody", "springs" | "erp" | "drake" | "defaults" | "deep" | "slope" | "curved" | "elastic") => 6,
            ("drake-continuous" | "simbody", name) if name != "creep" => written.probe.steps.div_ceil(4),
            _ => written.probe.steps,
        };
        let mut motion = Self { inputs: inputs(&run), states: Vec::new() };
        let few = plain.filter(|(plain, _)| plain.inputs == motion.inputs).map_or(usize::MAX, |(_, few)| few);
        for _ in 0..steps.min(most).min(few) {
            let failed = run.step().is_err();
            motion.states.push(run.simulation().state_hash());
            if failed {
                motion.states.push(u64::MAX);
                break;
            }
        }
        Some(motion)
    }

    /// It goes another way than the whole run of `plain`.
    fn differs(&self, plain: &Self) -> bool {
        !plain.states.starts_with(&self.states)
    }
}

/// The engine's parameters, bodies, shapes and joints, as text.
fn inputs(run: &Run) -> String {
    let world = &run.simulation().world;
    let mut text = format!("{:?}{:?}{:?}", world.parameters, run.engine().step, world.mimics());
    for id in world.body_ids() {
        let body = world.body(id).unwrap();
        let (mass, kind, gravity, sleep) = (body.mass_properties(), body.kind(), body.gravity(), body.auto_disable());
        let (wind, damping) = (body.wind_rate(), body.damping());
        let _ = write!(
            text,
            "{:?}{:?}{mass:?}{kind:?}{gravity:?}{wind:?}{damping:?}{sleep:?}",
            body.pose(),
            body.velocity()
        );
    }
    for id in world.geom_ids() {
        let _ = write!(text, "{:?}", world.geom(id).unwrap());
    }
    for id in world.joint_ids() {
        let joint = world.joint(id).unwrap();
        let _ = write!(text, "{:?}{:?}", joint.definition(), joint.position(0));
    }
    text
}

/// What a parameter does under an engine: the first probe whose motion it changes, and in how many it could be set.
fn effect(leaf: &Leaf, engine: &str, all: &[Written], plain: &[Motion]) -> (Option<&'static str>, usize) {
    let is_said_to_act = usage::of(leaf, engine).is_some_and(|u| matches!(u.how, How::Used | How::Mapped));
    let is_slow = matches!(engine, "drake-continuous" | "simbody");
    let most = if is_slow && !is_said_to_act { SOME } else { usize::MAX };
    // A parameter that does nothing is tried in every probe by the large size, and by the small one in a fourth of them and
    // in others until it could be set.
    let share = stiction_testing::cases(4, 1);
    let is_in_share = |index: usize| (leaf.key.len() + index).is_multiple_of(share);
    let (first, rest): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|index| is_in_share(*index));
    let mut settable = 0;
    for index in first.into_iter().chain(rest) {
        if !is_said_to_act && settable > 0 && !is_in_share(index) {
            break;
        }
        let (written, plain) = (&all[index], &plain[index]);
        // The inputs tell nearly all: one probe in three is watched for what they might not tell, others for other parameters.
        let few = if (leaf.key.len() + index).is_multiple_of(3) { FEW } else { 0 };
        for value in values::of(leaf) {
            let setting = Some((leaf.pattern(), value));
            let setting = setting.as_ref().map(|(path, value)| (path.as_str(), value.as_str()));
            let Some(changed) = Motion::of(written, engine, setting, most, Some((plain, few))) else { continue };
            settable += 1;
            if changed.differs(plain) {
                return (Some(written.probe.name), settable);
            }
        }
    }
    (None, settable)
}

#[test]
fn the_table_of_use_tells_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let all = written(folder.path());
    let wanted = std::env::var("STICTION_USE_OF").unwrap_or_default();
    let jobs: Vec<(&Leaf, &str)> = usage::leaves()
        .iter()
        .flat_map(|leaf| usage::engines().map(move |engine| (leaf, engine)))
        .filter(|(leaf, engine)| format!("{} {engine}", leaf.key).contains(&wanted))
        .collect();
    let run = |written: &Written, engine: &str| {
        Motion::of(written, engine, None, usize::MAX, None)
            .unwrap_or_else(|| panic!("{}: no run under {engine}", written.probe.name))
    };
    let plain: BTreeMap<&str, Vec<Motion>> =
        usage::engines().map(|engine| (engine, all.iter().map(|written| run(written, engine)).collect())).collect();
    let wrong = Mutex::new(Vec::new());
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((leaf, engine)) = jobs.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    let (changes, settable) = effect(leaf, engine, &all, &plain[engine]);
                    let usage = usage::of(leaf, engine);
                    let said = usage.map(|u| u.how);
                    let is_right = match said {
                        Some(How::Used | How::Mapped) => changes.is_some(),
                        Some(How::Ignored | How::Outside) => changes.is_none(),
                        None => false,
                    };
                    if !is_right || settable == 0 {
                        let found = changes.map_or_else(|| "changes nothing".to_owned(), |p| format!("changes `{p}`"));
                        wrong.lock().unwrap().push(format!("{}\t{engine}\t{said:?}\t{found}\t{settable}", leaf.key));
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), jobs.len(), wrong.join("\n"));
}
