//! A miss by name (DIAG-REF, DIAG-CAND, DIAG-RICH): which current refs have exactly that name?
//!
//! Matching is exact on role and name, never by prefix. Nothing is tried; text that was to be filled
//! in is never repeated.

use serde_json::{Value, json};

use crate::line::Line;
use crate::outcome::{Finding, NextAction};
use crate::plan::Step;
use crate::present::snapshot::SnapshotData;

const AMBIGUOUS: &str =
    "Several controls have this name: look at the snapshot and choose only if it is clear.";
/// Controls that take a text key by key (DIAG-RICH-01).
const TYPED: [&str; 2] = ["searchbox", "textbox"];
const ONE: &str = "The match is by role and name only; make sure that it is the one you mean.";

/// What a `find` was looking for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    action: String,
    roles: Vec<String>,
    name: String,
}

impl Wanted {
    fn is_fill(&self) -> bool {
        self.action == "fill"
    }

    /// The same action on a ref: upstream's `find … text` is a `get text` there.
    fn on_ref(&self, id: u32) -> Vec<String> {
        let get = (self.action == "text").then_some("get");
        let words = get.into_iter().chain([self.action.as_str()]).map(ToOwned::to_owned);
        words.chain([format!("@e{id}")]).collect()
    }
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

/// The findings for a miss, from one fresh snapshot.
#[must_use]
pub fn judge(wanted: &Wanted, data: &SnapshotData) -> Vec<Finding> {
    let found = matches(wanted, data);
    if found.is_empty() {
        return Vec::new();
    }
    let mut findings = vec![visible_refs(wanted, &found)];
    if wanted.is_fill() && found.iter().all(|(_, role, _)| TYPED.contains(role)) {
        findings.push(rich_input(wanted, &found));
    }
    findings
}

fn visible_refs(wanted: &Wanted, found: &[Match<'_>]) -> Finding {
    let safety = if found.len() == 1 { ONE } else { AMBIGUOUS };
    // The text of a fill is not repeated (DIAG-REF-04).
    let ready = found.iter().filter(|_| !wanted.is_fill());
    let next = ready.enumerate().map(|(index, (id, ..))| {
        let key = match found.len() {
            1 => "try-current-visible-ref".to_owned(),
            _ => format!("try-current-visible-ref-{}", index + 1),
        };
        NextAction::args(&key, "the same action on a current ref", &wanted.on_ref(*id))
            .with_safety(safety)
    });
    let candidates: Vec<Value> = found
        .iter()
        .map(|(id, role, name)| {
            let mut candidate = json!({ "ref": format!("@e{id}"), "role": role, "name": name,
                "reason": "exact role and name" });
            if !wanted.is_fill() {
                candidate["args"] = json!(wanted.on_ref(*id));
            }
            candidate
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
        lines: vec![line, ways(found)],
        next,
        ..Finding::default()
    }
}

/// A plain field takes the text at once; where it stands in a frame, `find` does not see it.
fn ways(found: &[Match<'_>]) -> Line {
    match found {
        [(id, ..)] => Line::ours(format!(
            "A plain field takes fill @e{id} and the text. Otherwise focus or click it, then send the text \
             with keyboard type in a call of its own."
        )),
        _ => Line::ours(
            "Focus or click it, then send the text with keyboard type in a call of its own.",
        ),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;
    use crate::present::snapshot::parse as read;

    const TREE: [(&str, &str, &str); 9] = [
        ("e1", "button", "Save"),
        ("e2", "link", "Save"),
        ("e3", "heading", "Save"),
        ("e4", "button", "Save draft"),
        ("e5", "textbox", "Email"),
        ("e6", "searchbox", "Find"),
        ("e7", "textbox", "Find"),
        ("e8", "combobox", "Email"),
        ("e9", "button", "Email"),
    ];

    fn judged(words: &[&str]) -> Vec<Finding> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let step = Step { argv: parse(&words).unwrap(), words };
        let lines = TREE.map(|(id, role, name)| format!("- {role} \"{name}\" [ref={id}]"));
        let refs =
            TREE.map(|(id, role, name)| (id.to_owned(), json!({ "role": role, "name": name })));
        let refs: serde_json::Map<String, Value> = refs.into_iter().collect();
        let data = json!({ "origin": "http://a/", "refs": refs, "snapshot": lines.join("\n") });
        wanted(&step).map(|wanted| judge(&wanted, &read(&data).unwrap())).unwrap_or_default()
    }

    fn refs(words: &[&str]) -> Vec<String> {
        let all = judged(words);
        let found = all.iter().find(|finding| finding.key == "visibleRefFallback");
        let rows = found.map(|finding| finding.details["candidates"].as_array().unwrap().clone());
        rows.unwrap_or_default().iter().map(|row| row["ref"].as_str().unwrap().to_owned()).collect()
    }

    // DIAG-REF-02, IN-SEM-25
    #[test]
    fn only_a_control_of_that_kind_and_exactly_that_name_is_meant() {
        assert_eq!(refs(&["find", "text", "Save", "click"]), ["@e1", "@e2"], "no heading, no part");
        assert_eq!(refs(&["find", "text", "  Save ", "click"]), ["@e1", "@e2"]);
        assert_eq!(refs(&["find", "text", "Sav", "click"]), [""; 0]);
        assert_eq!(refs(&["find", "text", "save", "click"]), [""; 0]);
        assert_eq!(refs(&["find", "text", "Save", "hover"]), [""; 0]);
        assert_eq!(refs(&["find", "role", "button", "click", "--name", "Save"]), ["@e1"]);
        assert_eq!(refs(&["find", "role", "BUTTON", "click", "--name", "Save"]), ["@e1"]);
        assert_eq!(refs(&["find", "role", "button", "click"]), [""; 0], "a role needs its name");
        assert_eq!(refs(&["find", "role", "heading", "click", "--name", "Save"]), ["@e3"]);
        assert_eq!(refs(&["find", "label", "Email", "fill", "x"]), ["@e5"]);
        assert_eq!(refs(&["find", "label", "Find", "fill", "x"]), ["@e7"]);
        assert_eq!(refs(&["find", "placeholder", "Find", "fill", "x"]), ["@e6", "@e7"]);
        assert_eq!(refs(&["find", "placeholder", "Find", "click"]), [""; 0]);
        assert_eq!(refs(&["find", "testid", "Save", "click"]), [""; 0]);
    }

    // DIAG-REF-03, DIAG-REF-04, IN-SEM-24, IN-SEM-26
    #[test]
    fn of_a_fill_the_control_is_named_and_nothing_that_would_repeat_its_text() {
        let both = judged(&["find", "placeholder", "Find", "fill", "s3cret"]);
        let keys: Vec<&str> = both.iter().map(|finding| finding.key).collect();
        assert_eq!(keys, ["visibleRefFallback", "richInputRecovery"]);
        assert!(!format!("{both:?}").contains("s3cret"));
        let fallback = &both[0];
        let candidate = &fallback.details["candidates"][0];
        assert!(candidate.get("args").is_none() && candidate["reason"].is_string(), "{candidate}");
        assert!(fallback.next.is_empty());
        let click = judged(&["find", "text", "Save", "click"]).remove(0);
        assert_eq!(click.details["candidates"][1]["args"], json!(["click", "@e2"]));
        let ids: Vec<&str> = click.next.iter().map(|next| next.id.as_str()).collect();
        assert_eq!(ids, ["try-current-visible-ref-1", "try-current-visible-ref-2"]);
        let read = judged(&["find", "role", "button", "text", "--name", "Save"]).remove(0);
        assert_eq!(read.details["candidates"][0]["args"], json!(["get", "text", "@e1"]));
    }

    // DIAG-RICH-01
    #[test]
    fn only_a_field_that_takes_keys_is_recovered_by_keys() {
        for role in ["combobox", "button"] {
            let found = judged(&["find", "role", role, "fill", "x", "--name", "Email"]);
            let keys: Vec<&str> = found.iter().map(|finding| finding.key).collect();
            assert_eq!(keys, ["visibleRefFallback"], "{role}");
        }
        let found = judged(&["find", "role", "textbox", "fill", "s3cret", "--name", "Email"]);
        assert_eq!(found.len(), 2);
        let ways = found[1].lines[1].plain();
        assert!(ways.starts_with("A plain field takes fill @e5 and the text."), "{ways}");
        assert!(!format!("{found:?}").contains("s3cret"));
    }
}
