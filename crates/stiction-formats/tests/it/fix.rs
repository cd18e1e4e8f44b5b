//! Proposals written into files: what they name changes, and not a byte more.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::{files_below, request, shared};
use stiction_formats::diagnostic::{Diagnostic, Edit};
use stiction_formats::fix::{FixRefusal, apply};
use stiction_formats::{LoadOptions, Loaded, advice, load, start_advice, unit_advice};

fn read(path: &Path, models: &[std::path::PathBuf]) -> (Loaded, Vec<Diagnostic>) {
    let options = LoadOptions { model_path: models.to_vec(), lenient: true, no_ground: true, ..LoadOptions::default() };
    let loaded = load(&[request(path)], &options);
    let mut found = unit_advice(&loaded.sources);
    if let Some(world) = &loaded.world {
        found.extend(advice(world, world.physics.max_step_size.value));
        found.extend(start_advice(world, world.physics.max_step_size.value));
    }
    (loaded, found)
}

/// Proposals for the file itself.
fn edits<'a>(found: &'a [Diagnostic], path: &Path) -> Vec<&'a Edit> {
    found.iter().filter_map(|d| d.fix.as_ref()).filter(|e| e.at.file.as_path() == path).collect()
}

/// Writes proposals until there are none; gives the text and the names of what changed.
fn settle(path: &Path, models: &[std::path::PathBuf]) -> (String, Vec<&'static str>) {
    let mut names = Vec::new();
    for _ in 0..8 {
        let text = fs::read_to_string(path).unwrap();
        let (_, found) = read(path, models);
        let fixed = apply(&text, &edits(&found, path));
        // Outside of the spans every byte is the same.
        let (mut old, mut new) = (0, 0);
        for (_, change) in &fixed.changes {
            let kept = &text[old..change.span.start];
            assert_eq!(kept, &fixed.text[new..new + kept.len()]);
            new += kept.len();
            assert_eq!(&fixed.text[new..new + change.text.len()], change.text);
            (old, new) = (change.span.end, new + change.text.len());
            names.extend(change.values.iter().map(|v| v.0));
        }
        assert_eq!(&text[old..], &fixed.text[new..]);
        if fixed.text == text {
            return (text, names);
        }
        fs::write(path, &fixed.text).unwrap();
    }
    panic!("{}: it does not settle", path.display());
}

fn values(loaded: &Loaded) -> BTreeMap<String, String> {
    loaded.parameter_paths.iter().map(|p| (p.path.clone(), p.value.clone())).collect()
}

#[test]
fn fixed_worlds_of_gazebo_have_no_such_findings_and_mean_the_same_else() {
    let Some(root) = shared() else { return };
    let models = vec![root.join("models")];
    let folder = tempfile::tempdir().unwrap();
    let mut fixed = 0;
    let mut all = files_below(&root.join("worlds"));
    all.extend(files_below(&root.join("models")));
    for source in all.iter().filter(|p| p.extension().is_some_and(|e| e == "world" || e == "sdf")) {
        let Ok(text) = fs::read_to_string(source) else { continue };
        let path = folder.path().join("test.world");
        fs::write(&path, &text).unwrap();
        let (before, found) = read(&path, &models);
        let own: Vec<&str> = found
            .iter()
            .filter(|d| d.fix.as_ref().is_some_and(|e| e.at.file.as_path() == path))
            .map(|d| d.code)
            .collect();
        let (now, names) = settle(&path, &models);
        if own.is_empty() {
            assert_eq!(now, text, "{}", source.display());
            continue;
        }
        fixed += 1;
        let (after, found) = read(&path, &models);
        assert!(edits(&found, &path).is_empty(), "{}", source.display());
        assert_eq!((before.errors(), before.blocking()), (after.errors(), after.blocking()), "{}", source.display());
        let (before, after) = (values(&before), values(&after));
        for (name, value) in before.iter().filter(|(name, value)| after.get(*name) != Some(*value)) {
            let leaf = name.rsplit('.').next().unwrap();
            assert!(names.contains(&leaf), "{}: {name} was {value}: {own:?}", source.display());
        }
        assert!(
            after.keys().all(|name| before.contains_key(name) || names.contains(&name.rsplit('.').next().unwrap()))
        );
    }
    assert!(fixed > 30, "{fixed}");
}

/// A sphere of radius 0.5 m and 1 kg with an inertia that is too large, laid out by hand.
fn fixed(inertial: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.world");
    fs::write(&path, document(inertial)).unwrap();
    settle(&path, &[]).0
}

fn document(inertial: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<!-- a comment -->\n<sdf version=\"1.9\"><world name=\"w\">\n  <model name=\"m\">\n    <link name=\"l\">\n      {inertial}\n      <collision name='c'><geometry><sphere><radius>0.5</radius></sphere></geometry></collision>\n    </link>\n  </model>\n</world></sdf>\n"
    )
}

#[test]
fn layout_and_comments_stay() {
    // 2/5 m r² = 0.1 kg m².
    for (old, new) in [
        (
            "<inertial><inertia>\n  <ixx> 9 <!-- kg m² --></ixx>\n\t<iyy>\t9\n</iyy><izz ><![CDATA[ 9 ]]></izz></inertia></inertial>",
            "<inertial><inertia>\n  <ixx> 0.1 <!-- kg m² --></ixx>\n\t<iyy>\t0.1\n</iyy><izz ><![CDATA[ 0.1 ]]></izz></inertia></inertial>",
        ),
        (
            "<inertial>\r\n\t\t<mass>1</mass>\r\n\t</inertial>",
            "<inertial>\r\n\t\t<mass>1</mass>\r\n\t\t<inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>\r\n\t</inertial>",
        ),
        ("<inertial/>", "<inertial><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>"),
        (
            "<inertial><inertia ></inertia></inertial>",
            "<inertial><inertia ><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>",
        ),
        (
            "<inertial><inertia>\n    <ixx>9</ixx>\n    <iyy/>\n  </inertia></inertial>",
            "<inertial><inertia>\n    <ixx>0.1</ixx>\n    <iyy>0.1</iyy>\n    <izz>0.1</izz>\n  </inertia></inertial>",
        ),
    ] {
        assert_eq!(fixed(old), document(new));
    }
}

#[test]
fn an_empty_element_has_no_old_text() {
    let text = "<sdf version='1.9'><model name='m'><static/><link name='l'/></model></sdf>";
    for (written, fixed) in [("<static/>", "<static>true</static>"), ("<static></static>", "<static>true</static>")] {
        let text = text.replace("<static/>", written);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.sdf");
        fs::write(&path, &text).unwrap();
        let loaded = load(&[request(&path)], &LoadOptions { no_ground: true, ..LoadOptions::default() });
        let at = loaded.world.unwrap().models[0].location.clone();
        let edit = Edit { at, inside: "model", path: &[], leaves: vec![("static", "true".to_owned())] };
        let done = apply(&text, &[&edit]);
        assert_eq!(done.text, text.replace(written, fixed));
        assert_eq!(done.changes[0].1.values, [("static", Some(String::new()), "true".to_owned())]);
    }
}

#[test]
fn a_byte_order_mark_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.world");
    let with_mark = |text: &str| format!("\u{feff}{}", document(text));
    let old = "<inertial><inertia><ixx>9</ixx><iyy>9</iyy><izz>9</izz></inertia></inertial>";
    fs::write(&path, with_mark(old)).unwrap();
    assert_eq!(settle(&path, &[]).0, with_mark(&old.replace('9', "0.1")));
}

#[test]
fn what_is_no_plain_value_of_sdformat_is_told_and_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.world");
    let text = document("<inertial><inertia><ixx>&#57;</ixx><iyy>9</iyy><izz>9</izz></inertia></inertial>");
    fs::write(&path, &text).unwrap();
    let (_, found) = read(&path, &[]);
    let refused = apply(&text, &edits(&found, &path));
    assert!(refused.text == text && refused.refused == [(0, FixRefusal::NotPlain("ixx".to_owned()))], "{refused:?}");
    let path = folder.path().join("robot.urdf");
    let text = "<robot name='r'><link name='l'><inertial><mass value='1'/><inertia ixx='9' iyy='9' izz='9' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='0.5'/></geometry></collision></link></robot>";
    fs::write(&path, text).unwrap();
    let (_, found) = read(&path, &[]);
    let refused = apply(text, &edits(&found, &path));
    assert!(refused.text == text && refused.refused == [(0, FixRefusal::NotSdf)], "{refused:?}");
}

#[test]
fn two_proposals_for_one_place_are_none() {
    let edit = |value: &str, text: &str| {
        let start = text.find("<mass>").unwrap();
        let file = std::sync::Arc::new("w".into());
        let at = stiction_formats::diagnostic::Location { file, line: 1, column: 1, span: start..start + 6 };
        Edit { at, inside: "mass", path: &[], leaves: vec![("", value.to_owned())] }
    };
    let text = document("<inertial><mass>1</mass></inertial>");
    let (one, two) = (edit("2", &text), edit("3", &text));
    assert_eq!(apply(&text, &[&one, &one]).text, text.replace("<mass>1", "<mass>2"));
    let both = apply(&text, &[&one, &two]);
    assert!(both.text == text && both.refused.len() == 2);
}
