//! Words and questions of users, and the symptom that they mean.

#![allow(clippy::unwrap_used)]

use stiction_run::{answering_symptoms, find_symptoms};

const QUESTIONS: &[(&str, &str)] = &[
    ("slip", "slips"),
    ("friction", "slips"),
    ("bounce", "bounces"),
    ("restitution", "does not bounce"),
    ("jitter", "jitters"),
    ("sinking", "sinks"),
    ("falls through", "falls through"),
    ("wheels slip", "wheels slip"),
    ("gripper", "grasp fails"),
    ("tremble", "jitters"),
    ("drift", "creeps"),
    ("explodes", "explodes"),
    ("too slow", "too slow"),
    ("grasp", "grasp fails"),
    ("shake", "jitters"),
    ("why does it slip?", "slips"),
    ("My wheels slip!", "wheels slip"),
    ("falls through the floor", "falls through"),
    ("robot explodes", "explodes"),
    ("the box slides down the ramp", "slips"),
    ("it slid off", "slips"),
    ("my robot shakes when it stands still", "jitters"),
    ("the ball does not bounce", "does not bounce"),
    ("ball bounces too high", "bounces"),
    ("the object slips out of the gripper", "grasp fails"),
    ("gripper drops the cup", "grasp fails"),
    ("feet sink into the ground", "sinks"),
    ("box penetrates the table", "sinks"),
    ("the arm trembles", "jitters"),
    ("my arm sags", "joint is loose"),
    ("the joint does not move", "joint is stiff"),
    ("joint is stuck", "joint is stiff"),
    ("links come apart", "comes apart"),
    ("the joints drift apart", "comes apart"),
    ("simulation is too slow", "too slow"),
    ("real time factor is low", "too slow"),
    ("the robot flies away", "explodes"),
    ("I get NaN", "explodes"),
    ("parked car creeps down the hill", "creeps"),
    ("ball keeps spinning", "spins on"),
    ("a bullet goes through the wall", "falls through"),
    ("the two parts do not collide", "falls through"),
    ("the rover cannot climb", "wheels slip"),
    ("oscillations of the PID controller", "jitters"),
    ("car drifts slowly although parked", "creeps"),
    ("legs collapse under weight", "joint is loose"),
    ("humanoid vibrates when standing", "jitters"),
    ("cube never comes to rest", "creeps"),
    ("the mug falls out of the hand", "grasp fails"),
    ("conveyor belt does not move the box", "slips"),
    ("tracked vehicle cannot turn", "wheels slip"),
    ("joint limit is violated", "joint is loose"),
    ("object disappears below the floor", "falls through"),
    ("energy increases", "explodes"),
    ("robot is shaking violently", "jitters"),
    ("bounciness", "bounces"),
    ("my robot falls over", "joint is loose"),
    ("boxes overlap at start", "explodes"),
    ("it shakes like crazy", "jitters"),
    ("vehicle drifts sideways", "wheels slip"),
];

#[test]
fn questions_have_the_right_answer() {
    let wrong: Vec<String> = QUESTIONS
        .iter()
        .map(|(question, name)| (question, name, find_symptoms(question).iter().map(|s| s.name).collect::<Vec<_>>()))
        .filter(|(_, name, found)| found.first() != Some(name))
        .map(|(question, name, found)| format!("{question}: expected {name}, found {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(QUESTIONS.len() >= 40);
}

#[test]
fn odd_questions_are_errors_with_the_nearest_words() {
    let error = |question: &str| answering_symptoms(question).unwrap_err();
    assert!(error("bonuce").words.iter().any(|w| w == "bounce"), "{:?}", error("bonuce"));
    assert!(error("frctiom").words.iter().any(|w| w == "friction"));
    // Words that only hint at symptoms name them.
    assert!(
        error("the motor").hinted.contains(&"joint is stiff") && error("robot floats").to_string().contains("perhaps")
    );
    assert!(error("qqqq").words.is_empty() && error("qqqq").to_string().contains("falls through"));
    for odd in ["", "   ", "?!", "🤖", "滑る", "\u{0}\u{7f}", "e\u{301}"] {
        assert!(error(odd).words.is_empty(), "{odd:?}");
    }
    let long = error(&"ab ".repeat(5000));
    assert!(long.to_string().len() < 400, "{}", long.to_string().len());
    assert!(answering_symptoms(&format!("slip {}", "x".repeat(10_000))).is_ok());
}
