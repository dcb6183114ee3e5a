//! Generated parts that are made from the program's own lists and types.

use std::collections::BTreeSet;
use std::path::PathBuf;

use agent_browser_native::command::baseline::SAMPLES;
use agent_browser_native::command::{Class, CommandSpec, FLAGS, FlagKind, LaunchScope, commands};
use agent_browser_native::config::keys::{KEYS, Kind};
use agent_browser_native::config::variables::VARIABLES;
use agent_browser_native::input::schema;
use agent_browser_native::outcome::{FailureCategory, SuccessCategory};
use agent_browser_native::run::version::TESTED_VERSION;
use agent_browser_native::search::query;
use serde_json::Value;

use crate::rust_source::regex;
use crate::{Result, root};

/// A table row; bars inside cells are escaped.
fn row(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn head(cells: &[&str]) -> String {
    row(cells) + &row(&cells.iter().map(|_| "---").collect::<Vec<_>>())
}

fn code(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let quoted: Vec<String> =
        words.into_iter().map(|word| format!("`{}`", word.as_ref())).collect();
    quoted.join(" ")
}

/// One table for each permission class.
pub(super) fn command_table() -> Result<String> {
    let mut text = String::new();
    for class in Class::ALL {
        let mut rows: Vec<&CommandSpec> = commands().filter(|spec| spec.class == class).collect();
        rows.sort_by_key(|spec| spec.name);
        if rows.is_empty() {
            continue;
        }
        text.push_str(&format!("\n### Class `{}`\n\n", class.name()));
        text.push_str(&head(&["command", "what it does", "subcommands", "own flags"]));
        for spec in rows {
            let subs: BTreeSet<&str> = spec
                .subcommands
                .iter()
                .filter_map(|sub| sub.path.first())
                .flat_map(|path| path.split('|'))
                .filter(|word| *word != "*")
                .collect();
            let flags = spec.own_flags.iter().filter_map(|flag| flag.names.first());
            text.push_str(&row(&[&code(spec.words()), spec.doc, &code(subs), &code(flags)]));
        }
    }
    Ok(text)
}

/// Global flags.
pub(super) fn flag_table() -> Result<String> {
    let mut text = head(&["flag", "value", "on a running session", "what it does"]);
    for flag in FLAGS {
        let names = code(std::iter::once(flag.name).chain(flag.aliases.iter().copied()));
        let value = match flag.kind {
            FlagKind::Switch => "none",
            FlagKind::Value => "one",
            FlagKind::OptionalValue => "one or none",
        };
        let scope = match flag.scope {
            LaunchScope::None => "page is kept",
            LaunchScope::Browser | LaunchScope::Daemon => "refused: needs `fresh`",
        };
        text.push_str(&row(&[&names, value, scope, flag.doc]));
    }
    Ok(text)
}

/// Permission classes with the number of their commands.
pub(super) fn class_table() -> Result<String> {
    let mut text = head(&["class", "commands"]);
    for class in Class::ALL {
        let mut names: Vec<&str> =
            commands().filter(|spec| spec.class == class).map(|spec| spec.name).collect();
        names.sort_unstable();
        let names =
            if names.is_empty() { "subcommands and flags only".to_owned() } else { code(names) };
        text.push_str(&row(&[&code([class.name()]), &names]));
    }
    Ok(text)
}

/// Commands that check refs, and commands behind which refs no longer hold.
pub(super) fn ref_table() -> Result<String> {
    let names = |wanted: fn(&CommandSpec) -> bool| {
        let mut names: Vec<&str> =
            commands().filter(|spec| wanted(spec)).map(|spec| spec.name).collect();
        names.sort_unstable();
        code(names)
    };
    let mut text = head(&["rule", "commands"]);
    text.push_str(&row(&[
        "a ref is checked before it acts",
        &names(|spec| spec.caps.guards_refs && spec.caps.acts),
    ]));
    text.push_str(&row(&[
        "a ref is checked before it reads",
        &names(|spec| spec.caps.guards_refs && !spec.caps.acts),
    ]));
    text.push_str(&row(&[
        "refs of later rows of the same batch are void",
        &names(|spec| spec.caps.invalidates_batch_refs),
    ]));
    Ok(text)
}

/// Settings.
pub(super) fn key_table() -> Result<String> {
    let mut text = head(&["key", "value", "default", "what it does"]);
    for key in KEYS {
        let value = match key.kind {
            Kind::Switch => "`true` or `false`".to_owned(),
            Kind::Word(words) => code(words),
            Kind::Text => "a text".to_owned(),
            Kind::Credential => "a literal, `$NAME`, `${NAME}` or `!command`".to_owned(),
        };
        text.push_str(&row(&[&code([key.name]), &value, &code([key.default]), key.about]));
    }
    Ok(text)
}

/// Environment variables.
pub(super) fn variable_table() -> Result<String> {
    let mut text = head(&["variable", "what it does"]);
    VARIABLES.iter().for_each(|one| text.push_str(&row(&[&code([one.name]), one.about])));
    Ok(text)
}

/// Fields of the tool, from its schema.
pub(super) fn field_table() -> Result<String> {
    Ok(fields(&schema::input_schema()))
}

/// Fields of the search tool.
pub(super) fn search_field_table() -> Result<String> {
    Ok(fields(&query::input_schema()))
}

fn fields(schema: &Value) -> String {
    let mut text = head(&["field", "type", "meaning"]);
    add_fields(schema, "", &mut text);
    text
}

fn add_fields(schema: &Value, path: &str, text: &mut String) {
    let Some(properties) = schema["properties"].as_object() else { return };
    for (name, field) in properties {
        let name = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        text.push_str(&row(&[
            &code([&name]),
            &type_of(field),
            field["description"].as_str().unwrap_or(""),
        ]));
        add_fields(field, &name, text);
        add_fields(&field["items"], &format!("{name}[]"), text);
    }
}

fn type_of(field: &Value) -> String {
    if let Some(words) = field["enum"].as_array() {
        return code(words.iter().filter_map(Value::as_str));
    }
    let name = field["type"].as_str().unwrap_or("any");
    match (name, field["minimum"].as_u64(), field["maximum"].as_u64()) {
        ("array", ..) => format!("list of {}", field["items"]["type"].as_str().unwrap_or("any")),
        (name, Some(low), Some(high)) => format!("{name} {low}..={high}"),
        (name, ..) => name.to_owned(),
    }
}

/// Failure categories with what they mean; a new category without a sentence is an error.
pub(super) fn category_table() -> Result<String> {
    let mut text = head(&["failure category", "what it means"]);
    for category in FailureCategory::ALL {
        let name = category.name();
        let about = match name {
            "aborted" => "the host or the user gave the call up",
            "cleanup-failed" => "something that should have been ended or removed is still there",
            "confirmation-required" => "an action policy wants a word from the user first",
            "download-not-verified" => "the file is not where it should be",
            "missing-binary" => "agent-browser is missing, too old or cannot be started",
            "parse-failure" => "an answer was not understood, so nothing is claimed",
            "policy-blocked" => {
                "a permission, a path rule or a setting forbids it; nothing was done"
            }
            "qa-failure" => "the page does not pass the checks",
            "selector-not-found" => "no element matches",
            "selector-unsupported" => "the selector is of a dialect that upstream does not speak",
            "stale-ref" => "the ref belongs to a page or element that is gone; nothing was done",
            "tab-drift" => "another tab or page is in front than the session's own",
            "tab-gone" => "the tab was closed",
            "timeout" => "the time was over; the text says whether the browser is free again",
            "upstream-error" => "upstream or the page did not do it, or nobody can say that it did",
            "validation-error" => "the call is wrong; the sentence names the field",
            other => return Err(format!("category {other} has no sentence in the contract").into()),
        };
        text.push_str(&row(&[&code([name]), about]));
    }
    let success = [
        SuccessCategory::Completed,
        SuccessCategory::ArtifactSaved,
        SuccessCategory::ArtifactUnverified,
        SuccessCategory::ArtifactPending,
        SuccessCategory::Inspection,
    ];
    text.push_str(&format!(
        "\nSuccess categories: {}.\n",
        code(success.map(SuccessCategory::name))
    ));
    Ok(text)
}

/// Ids of next actions, as the source names them.
pub(super) fn next_action_list() -> Result<String> {
    let call = regex(
        r#"NextAction::(?:args|params_of|artifact)\(\s*(?:&format!\()?"([a-z][a-z0-9-]*-[a-z0-9-]*)""#,
    );
    let mut ids = BTreeSet::new();
    for path in rust_files(root().join("src"))? {
        let text = std::fs::read_to_string(path)?;
        ids.extend(
            call.captures_iter(&text).filter_map(|found| Some(found.get(1)?.as_str().to_owned())),
        );
    }
    if ids.len() < 20 {
        return Err("the ids of next actions are not where they were".into());
    }
    Ok(ids.iter().map(|id| format!("- `{id}`\n")).collect())
}

fn rust_files(folder: PathBuf) -> Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    Ok(found)
}

/// The capability baseline.
pub(super) fn baseline() -> Result<String> {
    let mut text = format!("Target: `agent-browser {TESTED_VERSION}`.\n\n");
    text.push_str(&head(&["help text", "must name"]));
    for sample in SAMPLES {
        text.push_str(&row(&[&code([sample.shown()]), &code(sample.tokens)]));
    }
    Ok(text)
}
