//! `stiction check`: findings and advice.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use stiction_formats::description::WorldDescription;
use stiction_formats::diagnostic::{Diagnostic, Edit, Severity};
use stiction_formats::fix::{self, Change};
use stiction_formats::in_force::{MassInForce, MaterialsInForce, masses};
use stiction_formats::materials::MaterialTable;
use stiction_formats::{
    ADVICE_CODES, Sources, advice, advice_applies, compliant_advice, counted, left_out, nearest, no_effect,
    no_effect_of_plugins, no_reading, one_line, rounded, start_advice, unit_advice, weight_advice,
};
use stiction_run::{Engine, Project, RunError, Setup, Subject, WithoutEffect};

use crate::arguments::CheckArguments;
use crate::exit::{Exit, Failure};
use crate::fixes::fix_file;
use crate::input::{set_reading, use_color_on_stdout};
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
        let checked = if arguments.fix { fix_file(arguments, file, as_text)? } else { check_file(arguments, file)? };
        let findings = &checked.findings;
        has_error |= findings.iter().any(|d| d.severity == Severity::Error);
        if as_text {
            for finding in findings {
                say_finding(finding, use_color_on_stdout(arguments.color))?;
            }
            if let Some(held) = checked.held.filter(|_| findings.iter().all(|d| d.severity != Severity::Error)) {
                say!("{}: {held}", file.display());
            }
        }
        let sources = checked.sources;
        all.extend(checked.findings.into_iter().map(|finding| {
            let changes = finding.fix.as_ref().and_then(|edit| fix::resolve(sources.get(&edit.at.file)?, edit).ok());
            (finding, changes.unwrap_or_default())
        }));
    }
    if arguments.json {
        say!("{:#}", Value::Array(all.iter().map(|(d, changes)| finding(d, changes)).collect()));
    } else if !as_text {
        say!("{:#}", sarif(&all));
    }
    Ok(if has_error { Exit::Input } else { Exit::Done })
}

/// A finding: `file:line:col: error[CODE] message`, and below it what was found there and what helps.
fn say_finding(finding: &Diagnostic, color: bool) -> Result<(), Failure> {
    let line = one_line(finding);
    let word = word(finding.severity);
    let tag = format!("{word}[{}]", finding.code);
    let code = match finding.severity {
        Severity::Error => "31",
        Severity::Warning => "33",
        Severity::Note => "36",
    };
    let painted = if color { line.replacen(&tag, &format!("\x1b[1;{code}m{tag}\x1b[0m"), 1) } else { line };
    say!("{painted}");
    let label = Some(finding.label.as_str()).filter(|label| !label.is_empty() && !finding.message.contains(label));
    if let Some(label) = label {
        say!("    {label}");
    }
    if let Some(help) = &finding.help {
        say!("    help: {help}");
    }
    Ok(())
}

/// A file and what was found in it.
pub struct Checked {
    /// The texts that were read.
    pub sources: Sources,
    /// All that is not allowed by the command line.
    pub findings: Vec<Diagnostic>,
    /// What a good file holds.
    held: Option<String>,
}

/// Findings and advice of one file.
pub fn check_file(arguments: &CheckArguments, file: &Path) -> Result<Checked, Failure> {
    if file.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
        return Ok(check_table(arguments, file));
    }
    let mut setup = Setup::new(file);
    set_reading(&mut setup, &arguments.reading)?;
    setup.no_ground = true;
    setup.engine.clone_from(&arguments.engine);
    setup.step_size = arguments.step_size;
    setup.materials.clone_from(&arguments.materials);
    setup.material_defaults = arguments.material_defaults.into();
    let project = setup.load()?;
    let mut findings = project.loaded.diagnostics.clone();
    findings.extend(unit_advice(&project.loaded.sources));
    findings.extend(project.missing_visuals());
    let mut held = None;
    let engine = project.engine().and_then(|engine| project.world(&engine).map(|made| (engine, made)));
    match engine {
        Ok((engine, mut made)) => {
            let world = project.description()?;
            // As it starts: some advice makes steps.
            let freedom = made.world.degrees_of_freedom();
            let applies = |d: &Diagnostic| advice_applies(d.code, engine.name(), &engine.parameters);
            findings.extend(advice(world, engine.step).into_iter().filter(applies));
            findings.extend(start_advice(world, engine.step));
            findings.extend(weight_advice(world, &mut made));
            findings.extend(world.commanded_joints.iter().map(|commanded| commanded.finding(world)));
            findings.extend(masses(world).iter().filter_map(MassInForce::finding));
            findings.extend(project.materials_in_force().iter().flat_map(MaterialsInForce::findings));
            findings.extend(compliant_advice(world, &engine.parameters, engine.step));
            findings.extend(left_out(&made));
            findings.extend(without_effect(&project, &engine));
            held = Some(holdings(world, &engine, freedom));
        }
        Err(RunError::Findings(refused)) => {
            // Of one place an error is told once.
            let is_told =
                |d: &Diagnostic| findings.iter().any(|f| f.severity == Severity::Error && f.location == d.location);
            let new: Vec<Diagnostic> = refused.into_iter().filter(|d| !is_told(d)).collect();
            findings.extend(new);
        }
        Err(other) => return Err(other.into()),
    }
    for code in arguments.allow.iter().filter(|code| *code != "all") {
        let known = ADVICE_CODES.iter().map(|c| c.code);
        if known.clone().all(|known| known != code) && findings.iter().all(|d| d.code != code) {
            let near =
                nearest(code, known).first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(Failure::usage(format!("--allow `{code}`: there is no such code{near}")));
        }
    }
    let is_advice = |d: &Diagnostic| ADVICE_CODES.iter().any(|c| c.code == d.code);
    let is_allowed =
        |d: &Diagnostic| arguments.allow.iter().any(|code| code == d.code || (code == "all" && is_advice(d)));
    findings.retain(|d| d.severity == Severity::Error || !is_allowed(d));
    let mut seen = BTreeSet::new();
    findings.retain(|d| seen.insert((one_line(d), d.element.clone())));
    Ok(Checked { sources: project.loaded.sources, findings, held })
}

/// Findings of a material table by itself.
fn check_table(arguments: &CheckArguments, file: &Path) -> Checked {
    match MaterialTable::read(file, arguments.material_defaults.into()) {
        Ok(read) => {
            let held = read.table.map(|table| {
                let (materials, pairs) = (table.materials().count(), table.contacts().count());
                format!("ok: a table of {}, {}", counted(materials, "material"), counted(pairs, "contact material"))
            });
            let is_allowed =
                |d: &Diagnostic| d.severity != Severity::Error && arguments.allow.iter().any(|code| code == d.code);
            let findings = read.diagnostics.into_iter().filter(|d| !is_allowed(d)).collect();
            Checked { sources: read.sources, findings, held }
        }
        Err(error) => {
            let message = format!("cannot read the material table {}: {error}", file.display());
            let findings = vec![Diagnostic::error("material-table", message)];
            Checked { sources: Sources::default(), findings, held: None }
        }
    }
}

/// One finding for all parameters that do not act, one for all plugins and one for all sensors, at the first of each.
fn without_effect(project: &Project, engine: &Engine) -> Vec<Diagnostic> {
    let all = project.without_effect(engine);
    let of = |subject: Subject| {
        let line = WithoutEffect::line(&all, subject, engine)?;
        let place = &all.iter().find(|one| one.subject == subject)?.location;
        Some(match subject {
            Subject::Parameter => no_effect(line, place),
            Subject::Plugin => no_effect_of_plugins(line, place, WithoutEffect::is_warning(&all, subject)),
            Subject::Sensor => no_reading(line, place),
        })
    };
    Subject::ALL.into_iter().filter_map(of).collect()
}

/// What a good file holds, with `dofs` degrees of freedom.
fn holdings(world: &WorldDescription, engine: &Engine, dofs: usize) -> String {
    let is_static = |link: usize| world.models[world.links[link].model].is_static;
    let moving: Vec<_> =
        (0..world.links.len()).filter(|l| !is_static(*l) && !world.links[*l].is_fixed_to_world).collect();
    // The sum of none is −0.
    let mass = 0.0 + moving.iter().map(|l| world.links[*l].inertial.mass.value).sum::<f64>();
    let skipped: usize = world.skipped.iter().filter(|s| s.plugin().is_some()).map(|s| s.count).sum();
    let mut systems: Vec<(&str, usize)> = Vec::new();
    for plugin in &world.plugins {
        match systems.iter_mut().find(|(name, _)| *name == plugin.system) {
            Some((_, count)) => *count += 1,
            None => systems.push((plugin.system, 1)),
        }
    }
    let words: Vec<String> =
        systems.iter().map(|(name, n)| if *n == 1 { (*name).to_owned() } else { format!("{n} {name}") }).collect();
    let in_force = match (world.plugins.len(), words.join(", ")) {
        (0, _) => String::new(),
        (count, words) => format!(", {} ({words})", counted(count, "plugin")),
    };
    let sensors = match world.sensors.list.len() {
        0 => String::new(),
        count => format!(", {}", counted(count, "sensor")),
    };
    let skipped = if skipped == 0 { String::new() } else { format!(", {} skipped", counted(skipped, "plugin")) };
    format!(
        "ok: {} ({} move), {}, {}, {} kg, engine {}, step {} s{in_force}{sensors}{skipped}",
        counted(world.links.len(), "link"),
        moving.len(),
        counted(world.joints.len(), "joint"),
        if dofs == 1 { "1 degree of freedom".to_owned() } else { format!("{dofs} degrees of freedom") },
        rounded(mass),
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

/// Replacements of bytes.
fn finding(d: &Diagnostic, changes: &[Change]) -> Value {
    let replacement = |c: &Change| json!({"line": c.line, "start": c.span.start, "end": c.span.end, "text": c.text});
    let file = d.fix.as_ref().map(|edit| edit.at.file.display().to_string());
    let fix = (!changes.is_empty())
        .then(|| json!({"file": file, "replacements": changes.iter().map(replacement).collect::<Vec<_>>()}));
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
        "fix": fix,
    })
}

/// Static Analysis Results Interchange Format 2.1.0.
fn sarif(findings: &[(Diagnostic, Vec<Change>)]) -> Value {
    let results: Vec<Value> = findings
        .iter()
        .map(|(d, changes)| {
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
            let mut result = json!({
                "ruleId": d.code,
                "level": word(d.severity),
                "message": {"text": d.message},
                "locations": locations,
            });
            if let Some(edit) = d.fix.as_ref().filter(|_| !changes.is_empty()) {
                result["fixes"] = json!([sarif_fix(d, edit, changes)]);
            }
            result
        })
        .collect();
    json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{"tool": {"driver": {"name": "stiction", "version": env!("CARGO_PKG_VERSION")}}, "results": results}],
    })
}

fn sarif_fix(d: &Diagnostic, edit: &Edit, changes: &[Change]) -> Value {
    let replacements: Vec<Value> = changes
        .iter()
        .map(|c| {
            json!({
                "deletedRegion": {"byteOffset": c.span.start, "byteLength": c.span.len()},
                "insertedContent": {"text": c.text},
            })
        })
        .collect();
    json!({
        "description": {"text": d.help.as_deref().unwrap_or(&d.message)},
        "artifactChanges": [{
            "artifactLocation": {"uri": edit.at.file.display().to_string()},
            "replacements": replacements,
        }],
    })
}
