//! A miss by name (DIAG-REF, DIAG-CAND, DIAG-RICH): which current refs have exactly that name?
//!
//! Matching is exact on role and name, never by prefix. Nothing is tried; text that was to be filled
//! in is never repeated.

use serde_json::{Value, json};

use crate::outcome::{Finding, NextAction};
use crate::plan::Step;
use crate::present::section::Line;
use crate::present::snapshot::SnapshotData;

const AMBIGUOUS: &str =
    "Several controls have this name: look at the snapshot and choose only if it is clear.";
const ONE: &str = "The match is by role and name only; make sure that it is the one you mean.";

/// What a `find` was looking for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    action: String,
    roles: Vec<String>,
    name: String,
}

/// What a missed `find` was looking for, where a current ref could stand for it.
#[must_use]
pub fn wanted(step: &Step) -> Option<Wanted> {
    let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
    let ["find", locator, value, action, ..] = words.as_slice() else { return None };
    let roles: &[&str] = match (*locator, *action) {
        ("role", _) => &[value],
        ("text", "click") => &["button", "link"],
        ("label", "fill") => &["textbox"],
        ("placeholder", "fill") => &["searchbox", "textbox"],
        _ => return None,
    };
    let name = match *locator {
        "role" => step.argv.own_value("--name")?.value,
        _ => value,
    };
    Some(Wanted {
        action: (*action).to_owned(),
        roles: roles.iter().map(ToString::to_string).collect(),
        name: name.to_owned(),
    })
}

/// A match: number, role and name.
type Match<'a> = (u32, &'a str, &'a str);

fn matches<'a>(wanted: &Wanted, data: &'a SnapshotData) -> Vec<Match<'a>> {
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = flat(&wanted.name);
    let found = data.refs.iter().filter(|(_, info)| {
        wanted.roles.iter().any(|role| role.eq_ignore_ascii_case(&info.role))
            && flat(&info.name) == name
    });
    found.take(5).map(|(id, info)| (*id, info.role.as_str(), info.name.as_str())).collect()
}

/// The finding for a miss, from one fresh snapshot.
#[must_use]
pub fn judge(wanted: &Wanted, data: &SnapshotData) -> Option<Finding> {
    let found = matches(wanted, data);
    if found.is_empty() {
        return None;
    }
    Some(if wanted.action == "fill" {
        rich_input(wanted, &found)
    } else {
        visible_refs(wanted, &found)
    })
}

fn visible_refs(wanted: &Wanted, found: &[Match<'_>]) -> Finding {
    let safety = if found.len() == 1 { ONE } else { AMBIGUOUS };
    let next = found.iter().enumerate().map(|(index, (id, ..))| {
        let key = match found.len() {
            1 => "try-current-visible-ref".to_owned(),
            _ => format!("try-current-visible-ref-{}", index + 1),
        };
        NextAction::args(
            &key,
            "the same action on a current ref",
            &[wanted.action.clone(), format!("@e{id}")],
        )
        .with_safety(safety)
    });
    let candidates: Vec<Value> = found
        .iter()
        .map(|(id, role, name)| {
            json!({
                "ref": format!("@e{id}"), "role": role, "name": name,
                "args": [wanted.action, format!("@e{id}")], "reason": "exact role and name",
            })
        })
        .collect();
    Finding {
        key: "visibleRefFallback",
        details: json!({ "candidates": candidates, "summary": summary(found), "target": wanted.name }),
        lines: vec![counted("Current snapshot ref fallback", found)],
        next: next.collect(),
        ..Finding::default()
    }
}

fn rich_input(wanted: &Wanted, found: &[Match<'_>]) -> Finding {
    let many = found.len() > 1;
    let mut next = Vec::new();
    for (index, (id, ..)) in found.iter().enumerate() {
        for verb in ["focus", "click"] {
            let suffix = if many { format!("-{}", index + 1) } else { String::new() };
            let key = format!("{verb}-current-editable-ref{suffix}");
            let safety = if many { AMBIGUOUS } else { ONE };
            next.push(
                NextAction::args(
                    &key,
                    "then send the text in a call of its own",
                    &[verb.to_owned(), format!("@e{id}")],
                )
                .with_safety(safety),
            );
        }
    }
    let candidates: Vec<Value> = found
        .iter()
        .map(|(id, role, name)| json!({
            "ref": format!("@e{id}"), "role": role, "name": name, "focusArgs": ["focus", format!("@e{id}")],
            "clickArgs": ["click", format!("@e{id}")], "reason": "exact role and name",
        }))
        .collect();
    let ids: Vec<&str> = next.iter().map(|action| action.id.as_str()).collect();
    let line = counted("Rich input recovery", found);
    Finding {
        key: "richInputRecovery",
        details: json!({
            "candidates": candidates, "nextActionIds": ids, "summary": summary(found), "target": wanted.name,
            "inputMethodHint": "focus or click it, then keyboard inserttext or keyboard type in a call of its own",
        }),
        lines: vec![
            line,
            Line::ours(
                "Focus or click it, then send the text with keyboard type in a call of its own.",
            ),
        ],
        next,
        ..Finding::default()
    }
}

fn summary(found: &[Match<'_>]) -> String {
    format!("{} exact match(es) in the current snapshot", found.len())
}

/// `Current snapshot ref fallback: 1 exact match, @e5 button "Log in".`
fn counted(head: &'static str, found: &[Match<'_>]) -> Line {
    let plural = if found.len() == 1 { "exact match" } else { "exact matches" };
    let mut line = Line::ours(format!("{head}: {} {plural}", found.len()));
    for (id, role, name) in found {
        line = line.and(format!(", @e{id}")).role(role, name);
    }
    line.and(".")
}

/// Candidates for a semantic click by text (DIAG-CAND-01): a button or a link of that name.
#[must_use]
pub fn candidates(step: &Step) -> Option<Finding> {
    let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
    let ["find", "text", value, "click", ..] = words.as_slice() else { return None };
    let next = ["button", "link"].map(|role| {
        let id = format!("try-{role}-name-candidate");
        NextAction::args(
            &id,
            "the same name by role",
            &["find", "role", role, "click", "--name", value],
        )
        .with_safety("A guess: the page may have no such control, or another one of that name.")
    });
    Some(Finding {
        key: "",
        lines: vec![Line::ours(
            "Agent-browser candidate fallbacks: a button or a link of that name (not tried).",
        )],
        next: next.to_vec(),
        ..Finding::default()
    })
}
