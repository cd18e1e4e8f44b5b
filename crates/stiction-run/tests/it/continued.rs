//! A run of 2 N steps ends in the bits of one of N steps, whose state is written and read, and N more.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use stiction::math::DVec3;
use stiction_run::{CommandRequest, ForceRequest, Run, Setup, StateFile};

/// Boxes that fall asleep, a stack, a pendulum on the world, and an arm that a motor turns into the stack.
const WORLD: &str = r#"<sdf version="1.9"><world name="w">
  <include><uri>model://ground_plane</uri></include>
  <model name="sleeper"><pose>3 0 0.25 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>
  <model name="low"><pose>0 0 0.25 0 0 0.1</pose><link name="l"><collision name="c"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>
  <model name="high"><pose>0.05 0 0.8 0.2 0 0</pose><link name="l"><collision name="c"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>
  <model name="ball"><pose>0 2 1.5 0 0 0</pose><link name="l"><velocity_decay><linear>0.01</linear></velocity_decay><collision name="c"><geometry><sphere><radius>0.2</radius></sphere></geometry></collision></link></model>
  <model name="pendulum"><pose>-2 0 2 0 0 0</pose><link name="l"><pose>0.5 0 0 0 0 0</pose><inertial><mass>1</mass></inertial></link>
    <joint name="j" type="revolute"><parent>world</parent><child>l</child><pose>-0.5 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit><dynamics><friction>0.1</friction></dynamics></axis></joint></model>
  <model name="arm"><pose>-0.6 0 0.3 0 0 0</pose>
    <link name="base"><collision name="c"><geometry><box><size>0.2 0.2 0.6</size></box></geometry></collision></link>
    <link name="bar"><pose>0 0 0.35 0 0 0</pose><inertial><mass>0.5</mass></inertial><collision name="c"><geometry><box><size>0.1 1.0 0.05</size></box></geometry></collision></link>
    <joint name="turn" type="revolute"><parent>base</parent><child>bar</child><axis><xyz>0 0 1</xyz><limit><effort>5</effort></limit></axis></joint>
  </model>
</world></sdf>"#;

fn setup(folder: &Path, engine: &str) -> Setup {
    let path = folder.join("test.world");
    fs::write(&path, WORLD).unwrap();
    let mut setup = Setup::new(path).engine(engine);
    setup.commands = CommandRequest::parse("arm::turn:velocity=0.4").unwrap();
    setup.forces = vec![ForceRequest::parse("low::l=0,3,0@0.7..1.3").unwrap()];
    setup
}

fn steps(run: &mut Run, count: u64) {
    for _ in 0..count {
        run.step().unwrap();
    }
}

/// A state through its file.
fn saved(folder: &Path, run: &Run) -> StateFile {
    let path = folder.join("state.json");
    let state = run.state().unwrap();
    state.write(&path).unwrap();
    let read = StateFile::read(&path).unwrap();
    assert_eq!(read, state);
    read
}

#[test]
fn a_run_is_continued_bit_for_bit() {
    for (engine, half) in
        [("ode-quick", 1000), ("ode-world", 1000), ("drake-discrete", 1000), ("drake-continuous", 100)]
    {
        let folder = tempfile::tempdir().unwrap();
        let mut whole = setup(folder.path(), engine).start().unwrap();
        steps(&mut whole, half);
        if engine.starts_with("ode") {
            let sleeper = whole.simulation().link("sleeper::l").unwrap().body.unwrap();
            assert!(!whole.simulation().world.body(sleeper).unwrap().is_enabled(), "{engine}: nothing sleeps");
            assert!(whole.simulation().world.report().contacts > 0);
        }
        let mut second = setup(folder.path(), engine);
        second.initial_state = Some(saved(folder.path(), &whole));
        let mut second = second.start().unwrap();
        assert_eq!(second.simulation().state_hash(), whole.simulation().state_hash(), "{engine}: at the cut");
        for step in 0..half {
            steps(&mut whole, 1);
            steps(&mut second, 1);
            let hashes = [&whole, &second].map(|run| run.simulation().state_hash());
            assert_eq!(hashes[0], hashes[1], "{engine}: {step} steps after the cut");
            assert_eq!(whole.time().to_bits(), second.time().to_bits());
        }
        let [mut whole, second] = [whole, second].map(|run| run.state().unwrap());
        // Of each run alone.
        whole.max_penetration = second.max_penetration;
        assert_eq!(whole, second);
    }
}

#[test]
fn motors_forces_and_removed_bodies_are_part_of_a_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.world");
    fs::write(&path, WORLD).unwrap();
    let mut whole = Setup::new(&path).start().unwrap();
    steps(&mut whole, 300);
    let world = &mut whole.simulation_mut().world;
    let id = |run: &Run, name: &str| run.simulation().link(name).unwrap().body.unwrap();
    // What a program does between steps.
    let joint = whole_joint(world);
    world.joint_parameters_mut(joint, 0).unwrap().motor.velocity = -1.5;
    world.joint_parameters_mut(joint, 0).unwrap().motor.max_force = f64::INFINITY;
    let (low, ball) = (id(&whole, "low::l"), id(&whole, "ball::l"));
    let world = &mut whole.simulation_mut().world;
    world.remove_body(low);
    world.body_mut(ball).unwrap().add_force(DVec3::new(0.0, 0.0, 40.0));
    let mut second = Setup::new(&path);
    second.initial_state = Some(saved(folder.path(), &whole));
    let mut second = second.start().unwrap();
    assert!(second.simulation().world.body(low).is_none());
    let before = second.simulation().state_hash();
    steps(&mut whole, 300);
    steps(&mut second, 300);
    assert_eq!(second.simulation().state_hash(), whole.simulation().state_hash());
    assert_ne!(second.simulation().state_hash(), before);
}

/// The arm's joint: the one whose two ends are bodies.
fn whole_joint(world: &stiction::world::World) -> stiction::world::JointId {
    world.joint_ids().find(|id| world.joint(*id).unwrap().definition().bodies.iter().all(Option::is_some)).unwrap()
}

#[test]
fn what_is_changed_in_a_written_state_counts_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = setup(folder.path(), "ode").start().unwrap();
    steps(&mut run, 500);
    let mut state = saved(folder.path(), &run);
    state.bodies.get_mut("ball::l").unwrap().pos = Some([0.0, 2.0, 5.0]);
    let mut second = setup(folder.path(), "ode");
    second.initial_state = Some(state);
    let second = second.start().unwrap();
    for link in &run.simulation().links {
        let (before, after) = (run.simulation().link_pose(link), second.simulation().link_pose(link));
        if link.name == "ball::l" {
            assert_eq!(after.position, DVec3::new(0.0, 2.0, 5.0));
        } else {
            assert_eq!(after, before, "{}", link.name);
        }
    }
    assert_eq!(second.time().to_bits(), 0.5f64.to_bits());
}

#[test]
fn a_state_of_another_world_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = setup(folder.path(), "ode").start().unwrap();
    steps(&mut run, 10);
    let mut other = Setup::new("tower");
    other.initial_state = Some(saved(folder.path(), &run));
    let error = other.start().err().unwrap().to_string();
    assert!(error.contains("no joint `") || error.contains("no link `"), "{error}");
    let path = folder.path().join("broken.json");
    fs::write(&path, "{\n  \"time\": x\n}").unwrap();
    let error = StateFile::read(&path).unwrap_err().to_string();
    assert!(error.contains("broken.json:2:"), "{error}");
}
