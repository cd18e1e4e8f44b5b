//! What `list` and `explain` print is what acts: a value that is set to what is printed changes no bit of the motion.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;

use stiction_run::Setup;
use stiction_testing::shared;

use crate::common::ENGINES;

const STEPS: usize = 40;

/// The state after some steps, or why there is none.
fn hash(setup: Setup) -> Result<u64, String> {
    let mut run = setup.start().map_err(|error| error.to_string())?;
    for _ in 0..STEPS {
        run.step().map_err(|error| error.to_string())?;
    }
    Ok(run.simulation().state_hash())
}

/// One path of each parameter of a file, with the values that are printed for it.
fn printed(setup: Setup) -> Vec<(String, String)> {
    let Ok(project) = setup.load() else { return Vec::new() };
    let Ok(engine) = project.engine() else { return Vec::new() };
    let mut of_key = BTreeMap::new();
    for (index, value) in project.values(&engine).into_iter().enumerate() {
        let key = project.loaded.parameter_paths.get(index).map_or(value.path.clone(), |path| path.key.clone());
        of_key.entry((key, value.value.clone())).or_insert((value.path, value.value));
    }
    of_key.into_values().collect()
}

fn judge(file: &str, engines: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for engine in engines {
        let setup = || Setup::new(file).engine(*engine);
        let Ok(expected) = hash(setup()) else { continue };
        for (path, value) in printed(setup()).into_iter().filter(|(_, value)| value != "unset") {
            match hash(setup().set(&path, &value)) {
                Ok(found) if found == expected => {}
                Ok(_) => wrong.push(format!("{file}, {engine}: {path} = {value} is printed, and another value acts")),
                Err(error) => {
                    wrong.push(format!("{file}, {engine}: {path} = {value} is printed, and refused: {error}"))
                }
            }
        }
    }
    wrong
}

#[test]
fn values_that_are_printed_are_those_that_act() {
    let mut files: Vec<String> = stiction_formats::BUNDLED_WORLDS.iter().map(|world| world.name.to_owned()).collect();
    let folder = shared("reports");
    for entry in folder.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "sdf" || e == "world" || e == "urdf" || e == "body") {
            files.push(path.to_str().unwrap().to_owned());
        }
    }
    files.sort();
    let most = std::env::var("PRINTED").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let judged = |file: &String| {
        let wrong = judge(file, &ENGINES);
        wrong.iter().for_each(|line| println!("{line}"));
        wrong
    };
    let wrong: Vec<String> = files.iter().take(most).flat_map(judged).collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
