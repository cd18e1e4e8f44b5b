//! `<joint><physics><ode><cfm>` and `<erp>` soften the rows that hold the joint, as Gazebo classic's ODE does: under a
//! force F it gives way by `cfm h F / erp`.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::common;

use common::load_good;
use proptest::prelude::*;
use stiction::math::DVec3;
use stiction::world::{Coordinates, Preset, SolverKind, WorldParameters};
use stiction_formats::description::WorldDescription;
use stiction_formats::simulation::{simulate, world_parameters};
use stiction_formats::{advice, compliant_advice};

const G: f64 = 9.8;

/// A mass on a joint to the world, hanging straight below the joint where the joint leaves it free to turn.
fn world(kind: &str, mass: f64, softness: &str) -> WorldDescription {
    load_good(&format!(
        r#"<sdf version="1.9"><world name="w"><gravity>0 0 -{G}</gravity><model name="m"><pose>0 0 2 0 0 0</pose>
           <link name="l"><pose>0 0 -0.5 0 0 0</pose><inertial><mass>{mass}</mass></inertial></link>
           <joint name="j" type="{kind}"><pose>0 0 0.5 0 0 0</pose><parent>world</parent><child>l</child>
             <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>
             <physics><ode>{softness}</ode></physics></joint></model></world></sdf>"#
    ))
}

/// How far the mass has sunk after so many steps.
fn sag(description: &WorldDescription, parameters: WorldParameters, step: f64, steps: usize) -> f64 {
    let mut simulation = simulate(description, parameters).unwrap();
    for _ in 0..steps {
        simulation.world.step(step);
    }
    1.5 - simulation.link_pose(&simulation.links[0]).position.z
}

#[test]
fn a_kilogram_on_a_hinge_with_cfm_1_and_erp_0_2_sags_by_49_mm() {
    let description = world("revolute", 1.0, "<cfm>1</cfm><erp>0.2</erp>");
    for solver in [SolverKind::Iterative, SolverKind::Direct] {
        for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
            let parameters = WorldParameters { solver, coordinates, ..world_parameters(&description) };
            let sunk = sag(&description, parameters, 0.001, 60_000);
            assert!((sunk - 0.049).abs() < 1e-6, "{solver:?} {coordinates:?}: {sunk}");
        }
    }
    let found: Vec<_> = advice(&description, description.physics.max_step_size.value)
        .into_iter()
        .filter(|d| d.code == "soft-joint")
        .collect();
    assert!(found.len() == 1 && found[0].message.contains("49.0 mm"), "{found:?}");
}

#[test]
fn a_correcting_velocity_of_0_does_not_let_a_soft_joint_fall_112_m_in_10_s() {
    // double_pendulums.world: cfm 0.2, erp 1, contact_max_correcting_vel 0.
    let description = world("revolute", 10.0, "<cfm>0.2</cfm><erp>1</erp>");
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let contact_max_correcting_velocity = 0.0;
        let parameters =
            WorldParameters { coordinates, contact_max_correcting_velocity, ..world_parameters(&description) };
        let sunk = sag(&description, parameters, 0.001, 20_000);
        assert!((sunk - 0.2 * 0.001 * 10.0 * G).abs() < 1e-4, "{coordinates:?}: {sunk}");
    }
}

#[test]
fn stops_without_ode_are_as_soft_as_the_world_and_with_it_as_soft_as_they_say() {
    // A mass that rests on the lower stop of a slider: it sinks by cfm h m g / erp.
    for (ode, expected) in [
        ("", 0.02 * 0.001 * 50.0 / 0.5),
        ("<physics><ode/></physics>", 0.0),
        ("<physics><ode><limit><cfm>0.05</cfm></limit></ode></physics>", 0.05 * 0.001 * 50.0 / 0.2),
        ("<physics><ode><limit><cfm>0.05</cfm><erp>0.4</erp></limit></ode></physics>", 0.05 * 0.001 * 50.0 / 0.4),
    ] {
        let description = load_good(&format!(
            r#"<sdf version="1.9"><world name="w"><gravity>0 0 -10</gravity><physics type="ode"><ode><constraints><cfm>0.02</cfm><erp>0.5</erp></constraints></ode></physics>
               <model name="m"><link name="l"><inertial><mass>5</mass></inertial></link>
               <joint name="j" type="prismatic"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz>
               <limit><lower>0</lower><upper>1</upper></limit></axis>{ode}</joint></model></world></sdf>"#
        ));
        for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
            let parameters = WorldParameters { coordinates, ..world_parameters(&description) };
            let mut simulation = simulate(&description, parameters).unwrap();
            for _ in 0..20_000 {
                simulation.world.step(0.001);
            }
            let sunk = -simulation.link_pose(&simulation.links[0]).position.z;
            assert!((sunk - expected).abs() < 1e-6, "{ode} {coordinates:?}: {sunk}, not {expected}");
        }
    }
}

#[test]
fn a_suspension_of_a_revolute2_gives_way_along_its_first_axis() {
    let car = |suspension: &str| {
        load_good(&format!(
            r#"<sdf version="1.9"><world name="w"><gravity>0 0 -10</gravity><model name="m">
               <link name="chassis"><inertial><mass>20</mass></inertial></link>
               <link name="wheel"><pose>0 1 0 0 0 0</pose><inertial><mass>5</mass></inertial></link>
               <joint name="hold" type="fixed"><parent>world</parent><child>chassis</child></joint>
               <joint name="j" type="revolute2"><parent>chassis</parent><child>wheel</child>
               <axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>
               <physics><ode>{suspension}</ode></physics></joint></model></world></sdf>"#
        ))
    };
    let soft = car("<suspension><cfm>0.1</cfm><erp>0.25</erp></suspension>");
    let rigid = car("<suspension><cfm>0</cfm><erp>0.2</erp></suspension>");
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let run = |description: &WorldDescription| {
            let parameters = WorldParameters { coordinates, ..world_parameters(description) };
            let mut simulation = simulate(description, parameters).unwrap();
            let joint = simulation.joint("m::j").unwrap().clone();
            for _ in 0..20_000 {
                simulation.world.add_joint_force(joint.id.unwrap(), joint.axes[1], 0.002);
                simulation.world.step(0.001);
            }
            let rates = [0, 1].map(|axis| simulation.world.joint(joint.id.unwrap()).unwrap().rate(joint.axes[axis]));
            let (_, omega) = simulation.link_velocity(simulation.link("m::wheel").unwrap());
            (-simulation.link_pose(simulation.link("m::wheel").unwrap()).position.z, rates, omega)
        };
        let ((sunk, rates, omega), (still, rigid_rates, _)) = (run(&soft), run(&rigid));
        assert!((sunk - 0.1 * 0.001 * 50.0 / 0.25).abs() < 1e-5, "{coordinates:?}: {sunk}");
        assert!(still.abs() < 1e-6, "{coordinates:?}: {still}");
        // Rates are the child's against the parent, with a suspension or without.
        assert!((rates[1] - rigid_rates[1]).abs() < 1e-3 && rates[1] > 0.01, "{rates:?} {rigid_rates:?}");
        assert!((omega.y - rates[1]).abs() < 1e-3, "{omega} {rates:?}");
    }
}

#[test]
fn joints_of_drake_are_rigid_and_that_is_told() {
    let description = world("revolute", 1.0, "<cfm>1</cfm><erp>0.2</erp>");
    let mut parameters = world_parameters(&description);
    Preset::DrakeDiscrete.apply(&mut parameters);
    let told = compliant_advice(&description, &parameters, 0.001);
    assert!(told.iter().any(|d| d.code == "rigid-joint" && d.message.contains("m::j")), "{told:?}");
    let sunk = sag(&description, parameters, 0.001, 1000);
    assert!(sunk.abs() < 1e-9, "{sunk}");
}

#[test]
fn dry_friction_of_a_soft_joint_creeps_as_gazebos_motor_at_rest_does() {
    // A slider under 10 N with dry friction 20 N and cfm 0.01: it creeps at cfm F.
    let description = load_good(
        r#"<sdf version="1.9"><world name="w"><gravity>0 0 -10</gravity><model name="m">
           <link name="l"><inertial><mass>1</mass></inertial></link>
           <joint name="j" type="prismatic"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz>
             <dynamics><friction>20</friction></dynamics></axis><physics><ode><cfm>0.01</cfm></ode></physics></joint>
           </model></world></sdf>"#,
    );
    let mut simulation = simulate(&description, world_parameters(&description)).unwrap();
    for _ in 0..500 {
        simulation.world.step(0.001);
    }
    let (velocity, _) = simulation.link_velocity(&simulation.links[0]);
    assert!((velocity - DVec3::new(0.0, 0.0, -0.1)).length() < 1e-6, "{velocity}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random softness against the closed form, for every kind of joint that bears the weight by its rows.
    #[test]
    fn sag_is_cfm_times_step_times_weight_over_erp(
        kind in prop::sample::select(vec!["revolute", "prismatic", "universal", "ball", "fixed"]),
        mass in 0.2..20.0_f64,
        cfm in -3.0..0.0_f64,
        erp in 0.05..0.9_f64,
        step in prop::sample::select(vec![5e-4, 1e-3, 4e-3]),
        reduced in any::<bool>(),
    ) {
        let cfm = 10f64.powf(cfm);
        let expected = cfm * step * mass * G / erp;
        // The damper is (1 − erp) / cfm: 20 time constants.
        let steps = 1000 + (40.0 * mass * cfm / ((1.0 - erp) * step)) as usize;
        prop_assume!(expected < 0.5 && steps < 100_000);
        let description = world(kind, mass, &format!("<cfm>{cfm}</cfm><erp>{erp}</erp>"));
        let coordinates = if reduced { Coordinates::Reduced } else { Coordinates::Maximal };
        let sunk = sag(&description, WorldParameters { coordinates, ..world_parameters(&description) }, step, steps);
        prop_assert!((sunk - expected).abs() < 1e-6 + 1e-6 * expected, "{} sags {} m, not {} m", kind, sunk, expected);
    }
}
