//! Answers to words: the symptom that they mean, or the parameter of that name.

use stiction_formats::plugins::{PluginEntry, find_plugin};
use stiction_formats::usage::How;
use stiction_run::{
    Demonstration, ParameterInUse, PresentValue, Stage, Symptom, SymptomAnswer, answering_symptoms, find_parameter,
};

use super::plugin::{is_plugin_name, plugin};
use super::{loaded, parameter};
use crate::arguments::ExplainArguments;
use crate::exit::{Exit, Failure};
use crate::output::say;

/// Columns of wrapped text.
const WIDTH: usize = 120;
/// Values of a parameter that are shown.
const MOST_VALUES: usize = 2;

/// Answers words, with the engine and the values of the files, if there are any.
pub fn answer(arguments: &ExplainArguments, files: &[String], words: &[String]) -> Result<Exit, Failure> {
    let question = words.join(" ");
    let (entry, near) = match words {
        [word] => find_plugin(word).map_or_else(|near| (None, near.join(", ")), |entry| (Some(entry), String::new())),
        _ => (None, String::new()),
    };
    if entry.is_none() && words.len() == 1 && is_plugin_name(&question) {
        let near = if near.is_empty() { near } else { format!("; the nearest: {near}") };
        return Err(Failure::usage(format!(
            "`{question}` is not a plugin that is known here, and has no effect{near}"
        )));
    }
    let page = match words {
        [word] => Some(find_parameter(word)),
        _ => None,
    };
    let symptoms = answering_symptoms(&question);
    if let Some(entry) = entry
        && (is_plugin_name(&question) || (!matches!(page, Some(Ok(_))) && symptoms.is_err()))
    {
        if arguments.json {
            say!("{:#}", entry.json());
        } else {
            plugin(entry)?;
        }
        return Ok(Exit::Done);
    }
    let symptoms = match (symptoms, &page) {
        // A path or a name of several words is a parameter whatever its parts may mean.
        (_, Some(Ok(_))) if question.contains(['.', '_']) => Vec::new(),
        (Ok(symptoms), _) => symptoms,
        (Err(_), Some(Ok(_))) => Vec::new(),
        // A name that several parameters share.
        (Err(_), Some(Err(unknown))) if unknown.is_ambiguous => return Err(Failure::usage(unknown.to_string())),
        (Err(unknown), _) => {
            let near = if near.is_empty() { near } else { format!("\nplugins: {near}") };
            return Err(Failure::usage(format!("{unknown}{near}")));
        }
    };
    let page = page.and_then(Result::ok);
    let Some((best, others)) = symptoms.split_first() else {
        let Some(page) = page else { return Ok(Exit::Usage) };
        if arguments.json {
            say!("{:#}", page.json());
        } else {
            parameter(&page)?;
            also_plugin(entry)?;
        }
        return Ok(Exit::Done);
    };
    let (found, why) = if files.is_empty() {
        let engine = arguments.engine.engine.as_deref();
        let why = if engine.is_some() { "--engine" } else { "default; --engine NAME or a file chooses another" };
        (SymptomAnswer::new(best, engine)?, why.to_owned())
    } else {
        let Some((project, engine)) = loaded(files, arguments)? else { return Ok(Exit::Input) };
        let why = if arguments.engine.engine.is_some() { "--engine".to_owned() } else { format!("of {}", files[0]) };
        (SymptomAnswer::for_project(best, &project, &engine)?, why)
    };
    if arguments.json {
        let mut json = found.json();
        json["others"] = others.iter().map(|symptom| symptom.name).collect();
        json["parameter"] = page.map_or(serde_json::Value::Null, |page| page.json());
        say!("{json:#}");
        return Ok(Exit::Done);
    }
    print(&found, &why)?;
    if !others.is_empty() {
        let commands = others.iter().take(3).map(|symptom| command_of(symptom));
        say!("also: {}", commands.collect::<Vec<_>>().join(", "));
    }
    if let Some(page) = page {
        say!("parameter of that name: `stiction explain {}`", page.path);
    }
    also_plugin(entry)?;
    Ok(Exit::Done)
}

fn also_plugin(entry: Option<&PluginEntry>) -> Result<(), Failure> {
    if let Some((_, file)) = entry.and_then(|entry| entry.files.first()) {
        say!("plugin of that name: `stiction explain {file}`");
    }
    Ok(())
}

fn command_of(symptom: &Symptom) -> String {
    format!("`stiction explain {}`", symptom.name)
}

fn print(answer: &SymptomAnswer, why: &str) -> Result<(), Failure> {
    let symptom = answer.symptom;
    wrapped("", &format!("{}: {}", symptom.name, symptom.answer))?;
    for cause in symptom.causes {
        wrapped("  ", &format!("- {cause}"))?;
    }
    say!("parameters under {} ({why})", answer.engine);
    let width = answer.acting.iter().map(|p| p.path.chars().count()).max().unwrap_or(0);
    for parameter in &answer.acting {
        say!("  {:<width$}  {}", parameter.path, cut(&about(parameter), WIDTH - width - 4));
    }
    if answer.acting.is_empty() {
        say!("  none acts");
    }
    if !answer.ignored.is_empty() {
        let names: Vec<&str> = answer.ignored.iter().map(|p| p.path.as_str()).collect();
        wrapped("  ", &format!("without effect here: {}", names.join(", ")))?;
    }
    demonstration(answer)?;
    say!("recipe: {}; see also {}", symptom.recipe(), symptom.pages.join(", "));
    Ok(())
}

fn demonstration(answer: &SymptomAnswer) -> Result<(), Failure> {
    let shown: &Demonstration = answer.demonstration;
    let under = match answer.is_shown_by_engine() {
        true => String::new(),
        false => format!(" (under {}: not shown by {})", shown.engine_for(answer.engine), answer.engine),
    };
    let unit = if shown.measure.unit().is_empty() { String::new() } else { format!(" {}", shown.measure.unit()) };
    say!("try{under}: {}", shown.measured);
    let [before, after] = shown.numbers(answer.engine).unwrap_or(["-"; 2]);
    for (name, stage, number) in [("before", Stage::Before, before), ("after", Stage::After, after)] {
        say!("  {name:<6} {number}{unit}: {}", shown.command(answer.engine, stage));
    }
    Ok(())
}

/// Use, then values of the file or the default, then the meaning.
fn about(parameter: &ParameterInUse) -> String {
    let how = match (parameter.how, parameter.reason) {
        (How::Used, "") => "used".to_owned(),
        (how, _) => how.word().to_owned(),
    };
    let unit = if matches!(parameter.unit, "" | "1") {
        String::new()
    } else {
        format!(" {}", parameter.unit.replace('|', " or "))
    };
    if parameter.values.is_empty() {
        let default = match parameter.default {
            "" => String::new(),
            default => format!(" (default {default}{unit})"),
        };
        return format!("{how}{default}: {}", parameter.meaning);
    }
    let value = |v: &PresentValue| {
        let count = if v.count > 1 { format!(" {} times", v.count) } else { String::new() };
        let ignored = if v.ignored.is_empty() { String::new() } else { format!(", ignored: {}", v.ignored) };
        format!("{}{unit} ({}{count}{ignored})", v.value, v.origin)
    };
    let mut shown: Vec<String> = parameter.values.iter().take(MOST_VALUES).map(value).collect();
    let more: usize = parameter.values.iter().skip(MOST_VALUES).map(|v| v.count).sum();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    format!("{how}: {}", shown.join("; "))
}

/// At most so many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// Prints text in lines of [`WIDTH`] columns, the later ones indented by two more.
fn wrapped(indent: &str, text: &str) -> Result<(), Failure> {
    let mut line = indent.to_owned();
    for word in text.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            say!("{line}");
            line = format!("{indent}  {word}");
        } else {
            if line.len() > indent.len() {
                line.push(' ');
            }
            line += word;
        }
    }
    say!("{line}");
    Ok(())
}
