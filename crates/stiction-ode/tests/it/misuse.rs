//! Wrong uses: every one returns, with a report wherever the stock library reports or aborts.

use crate::common;

use common::{Library, Program};

fn outcomes(text: &str) -> Vec<[String; 3]> {
    let split = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let (name, outcome) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let rest: Vec<String> = words.collect();
        // The number of a signal or an exit belongs to the outcome.
        let reports = if outcome == "returns" { &rest[..] } else { &rest[1.min(rest.len())..] };
        [name, outcome, reports.join(" ")]
    };
    text.lines().map(split).collect()
}

#[test]
fn every_wrong_use_returns_and_is_reported() {
    let Some(program) = Program::build_with_our_headers("misuse") else { return };
    let ours = outcomes(&program.run(Library::Ours, &[]));
    assert_eq!(ours.len(), 34);
    for [name, outcome, reports] in &ours {
        assert_eq!(outcome, "returns", "{name}: {reports}");
    }
    let Some(stock) = Program::build("misuse") else { return };
    for (ours, stock) in ours.iter().zip(outcomes(&stock.run(Library::Stock, &[]))) {
        let [name, _, reports] = stock;
        // A place beyond the reach of ODE's grid is none beyond ours: it is told of, and the pairs are right.
        let reports = if name == "far_geom_hash" { "message 1".to_owned() } else { reports };
        assert!(ours[2].starts_with(&reports), "{name}: {} instead of {reports}", ours[2]);
    }
}

/// The program's headers say that dError ends the process: then it does.
#[test]
fn stock_headers_keep_their_promise() {
    let Some(program) = Program::build("misuse") else { return };
    let ours = outcomes(&program.run(Library::Ours, &[]));
    let error = ours.iter().find(|outcome| outcome[0] == "error_call").expect("the case");
    assert_eq!(error[1], "exit");
}
