//! `stiction check`: findings and advice.

use serde_json::{Value, json};

use stiction_formats::description::WorldDescription;
use stiction_formats::diagnostic::{Diagnostic, Severity};
use stiction_formats::in_force::{MassInForce, MaterialsInForce, masses};
use stiction_formats::{advice, compliant_advice, one_line, render};
use stiction_run::{Engine, Setup};

use crate::arguments::CheckArguments;
use crate::exit::{Exit, Failure};
use crate::input::use_color;
use crate::output::say;

/// Validates every file.
pub fn check(arguments: &CheckArguments) -> Result<Exit, Failure> {
    if let Some(format) = arguments.format.as_deref().filter(|f| *f != "sarif") {
        return Err(Failure::usage(format!("--format `{format}`: expected `sarif`")));
    }
    let as_text = !arguments.json && arguments.format.is_none();
    let mut has_error = false;
    let mut all = Vec::new();
    for file in &arguments.files {
        let mut setup = Setup::new(file);
        setup.settings = arguments.set.iter().map(|s| Setup::parse_setting(s)).collect::<Result<_, _>>()?;
        setup.model_path.clone_from(&arguments.model_path);
        setup.lenient = arguments.lenient;
        setup.use_environment = true;
        setup.no_ground = true;
        setup.engine.clone_from(&arguments.engine);
        setup.step_size = arguments.step_size;
        setup.materials.clone_from(&arguments.materials);
        setup.material_defaults = arguments.material_defaults.into();
        let project = setup.load()?;
        let mut findings = project.loaded.diagnostics.clone();
        let mut held = None;
        if let Ok(world) = project.description() {
            findings.extend(advice(world));
            findings.extend(masses(world).iter().filter_map(MassInForce::finding));
            findings.extend(project.materials_in_force().iter().flat_map(MaterialsInForce::findings));
            let engine = project.engine()?;
            findings.extend(compliant_advice(world, &engine.parameters, engine.step));
            held = Some(holdings(world, &engine));
        }
        has_error |= findings.iter().any(|d| d.severity == Severity::Error);
        if as_text {
            for finding in &findings {
                say!("{}", one_line(finding));
            }
            eprint!("{}", render(&findings, &project.loaded.sources, use_color(arguments.color)));
            if let Some(held) = held.filter(|_| findings.iter().all(|d| d.severity != Severity::Error)) {
                say!("{}: {held}", file.display());
            }
        }
        all.extend(findings);
    }
    if arguments.json {
        say!("{:#}", Value::Array(all.iter().map(finding).collect()));
    } else if !as_text {
        say!("{:#}", sarif(&all));
    }
    Ok(if has_error { Exit::Input } else { Exit::Done })
}

/// What a good file holds.
fn holdings(world: &WorldDescription, engine: &Engine) -> String {
    use stiction_formats::description::JointType;
    let is_static = |link: usize| world.models[world.links[link].model].is_static;
    let moving: Vec<_> =
        (0..world.links.len()).filter(|l| !is_static(*l) && !world.links[*l].is_fixed_to_world).collect();
    let bodies = moving.iter().filter(|l| world.links[**l].lumped_into.is_none()).count();
    let constrained: usize = world
        .joints
        .iter()
        .filter(|j| !j.is_lumped)
        .map(|j| match j.joint_type {
            JointType::Revolute | JointType::Continuous | JointType::Prismatic | JointType::Screw => 5,
            JointType::Revolute2 | JointType::Universal => 4,
            JointType::Ball | JointType::Planar => 3,
            JointType::Gearbox => 1,
            JointType::Fixed => 6,
        })
        .sum();
    // A closed loop holds more than there is to hold.
    let dofs = (6 * bodies).saturating_sub(constrained);
    // The sum of none is −0.
    let mass = 0.0 + moving.iter().map(|l| world.links[*l].inertial.mass.value).sum::<f64>();
    let skipped: usize = world.skipped.iter().map(|s| s.count).sum();
    format!(
        "ok: {} links ({} move), {} joints, {dofs} degrees of freedom, {mass} kg, engine {}, step {} s, {skipped} plugins skipped",
        world.links.len(),
        moving.len(),
        world.joints.len(),
        engine.name(),
        engine.step,
    )
}

const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn finding(d: &Diagnostic) -> Value {
    let place = d.location.as_ref();
    json!({
        "file": place.map(|l| l.file.display().to_string()),
        "line": place.map(|l| l.line),
        "column": place.map(|l| l.column),
        "severity": word(d.severity),
        "code": d.code,
        "message": d.message,
        "found": d.label,
        "help": d.help,
        "element": d.element,
    })
}

/// Static Analysis Results Interchange Format 2.1.0.
fn sarif(findings: &[Diagnostic]) -> Value {
    let results: Vec<Value> = findings
        .iter()
        .map(|d| {
            let locations: Vec<Value> = d
                .location
                .iter()
                .map(|l| {
                    json!({"physicalLocation": {
                        "artifactLocation": {"uri": l.file.display().to_string()},
                        "region": {"startLine": l.line, "startColumn": l.column},
                    }})
                })
                .collect();
            json!({"ruleId": d.code, "level": word(d.severity), "message": {"text": d.message}, "locations": locations})
        })
        .collect();
    json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{"tool": {"driver": {"name": "stiction", "version": env!("CARGO_PKG_VERSION")}}, "results": results}],
    })
}
