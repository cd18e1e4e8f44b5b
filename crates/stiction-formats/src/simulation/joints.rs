//! `<joint>` as a joint of the engine: the child is the first body, whose motion relative to the parent counts.

use stiction::joints::{AxisParameters, JointDefinition, JointKind, JointSpook, Motor, StopSpring};
use stiction::material::Combination;
use stiction::world::{BodyId, Coordinates, Mimic, WorldParameters};

use super::{SimulatedJoint, Simulation, SimulationError};
use crate::description::{
    JointAxisDescription, JointDescription, JointRowsDescription, JointType, MimicDescription, WorldDescription,
};

/// Adds a joint; its positions are zero at time 0. The wrench that it transmits is told where something measures it.
pub(super) fn add(
    simulation: &mut Simulation,
    joint: &JointDescription,
    is_measured: bool,
) -> Result<(), SimulationError> {
    let body = |link: Option<usize>| -> Option<BodyId> { link.and_then(|l| simulation.links[l].body) };
    let (child, parent) = (body(joint.child), body(joint.parent));
    // For each axis of the file: which axis of the engine's joint it is.
    let (kind, axes): (JointKind, &[usize]) = match joint.joint_type {
        JointType::Revolute | JointType::Continuous => (JointKind::Hinge, &[0]),
        JointType::Prismatic => (JointKind::Slider, &[0]),
        JointType::Screw => (JointKind::Screw { pitch: joint.screw_pitch.value }, &[0]),
        // `axis` is carried by the parent, the engine's second body; `axis2` by the child.
        JointType::Universal | JointType::Revolute2 => (JointKind::Universal, &[1, 0]),
        JointType::Gearbox => (JointKind::Gearbox { ratio: joint.gearbox_ratio.value }, &[0, 1]),
        JointType::Ball => (JointKind::Ball, &[]),
        JointType::Fixed => (JointKind::Fixed, &[]),
        // The axis of the file is the normal; the motions are two displacements and the angle about it.
        JointType::Planar => (JointKind::Planar, &[0, 1, 2]),
    };
    if child == parent {
        // Both ends are static, or one body.
        simulation.joints.push(SimulatedJoint {
            name: joint.name.clone(),
            id: None,
            axes: Vec::new(),
            child: joint.child,
        });
        return Ok(());
    }
    // Gazebo's revolute2 is ODE's hinge-2, a universal joint but for its suspension. That one has the parent first: with
    // the axes turned about, its motions are again those of the child.
    let is_sprung = joint.joint_type == JointType::Revolute2
        && joint.suspension_cfm.given().is_some_and(|cfm| *cfm > 0.0)
        && child.is_some()
        && parent.is_some();
    let (kind, first, second, axes) =
        if is_sprung { (JointKind::Hinge2, parent, child, &[0, 1][..]) } else { (kind, child, parent, axes) };
    let mut definition = JointDefinition {
        suspension_erp: joint.suspension_erp.given().copied().filter(|_| is_sprung),
        suspension_cfm: joint.suspension_cfm.given().copied().filter(|_| is_sprung),
        reference: body(joint.gearbox_reference),
        anchor: joint.pose.position,
        erp: joint.erp.given().copied(),
        cfm: joint.cfm.given().copied(),
        feedback: joint.provide_feedback.value || is_measured,
        ..JointDefinition::new(kind, first, second)
    };
    for (axis, engine_axis) in joint.axes.iter().zip(axes) {
        definition.axes[*engine_axis] = if is_sprung { -axis.xyz } else { axis.xyz };
        definition.parameters[*engine_axis] = parameters(joint, axis, &simulation.world.parameters);
        definition.present_positions[*engine_axis] = axis.position;
        let engine = &simulation.world.parameters;
        if axis.armature.value > 0.0 && engine.coordinates == Coordinates::Maximal {
            let what = if engine.trees_move_as_wholes() {
                "inertia of its rotor while something touches or drives its mechanism, which reduced coordinates have"
            } else {
                "inertia of its rotor, which reduced coordinates have"
            };
            simulation.leave_out(&joint.location, format!("joint `{}`: {what}", joint.name));
        }
    }
    if let Some(rows) = spook_rows(joint) {
        soften(&mut definition, &rows);
    }
    let axes = if joint.joint_type == JointType::Planar {
        planar(&mut definition);
        axes.to_vec()
    } else {
        axes[..joint.axes.len().min(axes.len())].to_vec()
    };
    let id = simulation.world.add_joint(definition).map_err(|e| SimulationError::new(&joint.name, e))?;
    simulation.joints.push(SimulatedJoint { name: joint.name.clone(), id: Some(id), axes, child: joint.child });
    Ok(())
}

/// Joints that follow others; one whose leader or own ends do not move is left out.
pub(super) fn follow(simulation: &mut Simulation, description: &WorldDescription) -> Result<(), SimulationError> {
    for (index, joint) in description.joints.iter().enumerate() {
        for (axis, mimic) in joint.axes.iter().enumerate().filter_map(|(i, a)| Some((i, a.mimic.as_ref()?))) {
            let motion = |joint: usize, axis: usize| {
                let simulated = &simulation.joints[joint];
                Some((simulated.id?, *simulated.axes.get(axis)?))
            };
            let (Some(follower), Some(leader)) = (motion(index, axis), motion(mimic.joint, mimic.axis)) else {
                let what = format!("joint `{}`: <mimic> of a joint that does not move", joint.name);
                simulation.leave_out(&joint.location, what);
                continue;
            };
            let MimicDescription { multiplier, offset, reference, .. } = *mimic;
            let mimic = Mimic { follower, leader, multiplier, offset, reference };
            simulation.world.add_mimic(mimic).map_err(|e| SimulationError::new(&joint.name, e))?;
        }
    }
    Ok(())
}

/// The one set of numbers of a planar joint: its limits belong to none of the three motions, the rest to all.
fn planar(definition: &mut JointDefinition) {
    let all = AxisParameters { lower: f64::NEG_INFINITY, upper: f64::INFINITY, ..definition.parameters[0] };
    definition.parameters = [all; 3];
}

/// What SPOOK is given for a joint: rows that hold it, of its stops, and of its motor and lock where they are on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSpookRows {
    /// Rows that hold the bodies together.
    pub base: JointSpook,
    /// Rows of the stops.
    pub range: JointSpook,
    /// The row of the motor, if it is on: its compliance is a slip \[m/(N s) or rad/(N m s)\]; its speed is 0 until it is commanded.
    pub motor: Option<JointSpook>,
    /// The row that locks the joint, if it is on.
    pub lock: Option<JointSpook>,
}

/// The rows of a joint under SPOOK: what its file gives, AGX's defaults (1e-8, 0.0333 s, no bound) for the rest; none of a
/// joint whose file says nothing of them.
#[must_use]
pub fn spook_rows(joint: &JointDescription) -> Option<JointSpookRows> {
    let spook = joint.spook.as_deref()?;
    let rows = |of: &JointRowsDescription| JointSpook {
        compliance: of.compliance.value,
        damping_time: of.damping_time.value,
        force_range: of.force_range.value,
    };
    Some(JointSpookRows {
        base: rows(&spook.base),
        range: rows(&spook.range),
        motor: spook.has_motor.value.then(|| rows(&spook.motor)),
        lock: spook.has_lock.value.then(|| rows(&spook.lock)),
    })
}

/// Gives a joint its rows under SPOOK. A lock holds the position at the start; a motor without bounds is as strong as needed.
fn soften(definition: &mut JointDefinition, rows: &JointSpookRows) {
    definition.spook = Some(rows.base);
    let position = definition.present_positions[0];
    let axis = &mut definition.parameters[0];
    axis.stop_spook = Some(rows.range);
    if let Some(motor) = rows.motor {
        let [least, largest] = motor.force_range;
        axis.motor.max_force = largest.min(-least);
        axis.motor.cfm = Some(motor.compliance);
    }
    if let Some(lock) = rows.lock {
        (axis.lower, axis.upper) = (position, position);
        axis.stop_spook = Some(lock);
    }
}

/// Elastic stops, where the file gives them. ODE's own `<limit>` is meant for the same stops, and wins but for Simbody, whose
/// stops these are.
fn stop_spring(joint: &JointDescription, axis: &JointAxisDescription, combination: Combination) -> Option<StopSpring> {
    let is_given = axis.limit_stiffness.is_given() || axis.limit_dissipation.is_given();
    let has_other = joint.limit_cfm.is_given() || joint.limit_erp.is_given();
    (is_given && (combination == Combination::Simbody || !has_other))
        .then_some(StopSpring { stiffness: axis.limit_stiffness.value, dissipation: axis.limit_dissipation.value })
}

fn parameters(joint: &JointDescription, axis: &JointAxisDescription, world: &WorldParameters) -> AxisParameters {
    let is_classic = world.classic && world.combination == Combination::Hard;
    let loads_all = joint.has_ode && world.combination == Combination::Hard;
    AxisParameters {
        stop_spook: None,
        stop_spring: stop_spring(joint, axis, world.combination),
        lower: axis.lower.value,
        upper: axis.upper.value,
        bounce: joint.bounce.value,
        // As Gazebo classic loads them: without <ode> they stay the world's. Other engines have stops of their own.
        stop_erp: Some(joint.limit_erp.value).filter(|_| joint.limit_erp.is_given() || loads_all),
        stop_cfm: Some(joint.limit_cfm.value).filter(|_| joint.limit_cfm.is_given() || loads_all),
        motor: Motor {
            velocity: joint.motor_velocity.value,
            max_force: joint.motor_max_force.value,
            // Of the holding rows and of the motor, as in Gazebo classic's ODE, where one `dParamCFM` stands for both.
            cfm: joint.cfm.given().copied(),
            fudge_factor: if joint.fudge_factor.is_given() { joint.fudge_factor.value } else { 1.0 },
        },
        drive: None,
        friction: axis.friction.value,
        damping: axis.damping.value.max(0.0),
        stiffness: axis.spring_stiffness.value,
        spring_reference: axis.spring_reference.value,
        is_spring_explicit: is_classic && !joint.implicit_spring_damper.value,
        armature: axis.armature.value,
        effort_limit: axis.effort.value,
        velocity_limit: axis.velocity.value,
        // Of DART the limit is a constraint; the others, as Gazebo classic, bound commands with it.
        rate_limit: if world.combination == Combination::Dart { axis.velocity.value } else { f64::INFINITY },
    }
}
