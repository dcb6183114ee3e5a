//! What is different about the session of a desktop app (DIAG-EHLTH, DIAG-EFRESH, DIAG-ETEXT).
//! Unlike the other diagnostics these need no row: they look at the commands, and at what `call` has
//! seen of the app.

use serde_json::{Value, json};

use crate::line::Line;
use crate::outcome::{FailureCategory, Finding, NextAction};
use crate::plan::Step;
use crate::present::electron::next_for_gone;
use crate::session::electron::ElectronRecord;

/// Tags that hold the whole of an app, or most of it.
const BROAD: [&str; 9] = ["*", "html", "body", "main", "div", "section", "#root", "#app", ":root"];
/// The same as a role.
const BROAD_ROLES: [&str; 4] = ["application", "main", "document", "presentation"];

/// The app of a session, and where its page is.
#[derive(Clone, Debug)]
pub struct AppContext<'a> {
    /// The launch.
    pub record: &'a ElectronRecord,
    /// The address of its page, where it is known.
    pub url: String,
    /// The page was seen to change, or nobody looked; a change of the document says by itself that
    /// refs are void.
    pub changed: bool,
}

/// The app has died, or its page is gone.
#[must_use]
pub fn health(
    context: &AppContext<'_>,
    pid_alive: bool,
    port_alive: bool,
    reason: &'static str,
) -> Finding {
    let record = context.record;
    let line = Line::ours("the command was sent, but the app ").quote(&record.app_name);
    let lead = if reason == "blank-target" {
        line.and(" shows a blank page now, and its effect is not known.")
    } else {
        line.and(format!(" ({}) has ended, and its effect is not known.", record.launch_id))
    };
    Finding {
        key: "electronPostCommandHealth",
        details: gone_details(record, pid_alive, port_alive, reason),
        lead: Some(lead),
        next: next_for_gone(&record.launch_id),
        failure: Some(FailureCategory::TabDrift),
        ..Finding::default()
    }
}

/// `details.electronPostCommandHealth`.
#[must_use]
pub fn gone_details(
    record: &ElectronRecord,
    pid_alive: bool,
    port_alive: bool,
    reason: &'static str,
) -> Value {
    let ids: Vec<String> =
        next_for_gone(&record.launch_id).into_iter().map(|next| next.id).collect();
    json!({
        "reason": reason,
        "launchId": record.launch_id,
        "appName": record.app_name,
        "sessionName": record.session_name,
        "launchStatus": {
            "pid": record.pid, "pidAlive": pid_alive, "port": record.port, "portAlive": port_alive,
        },
        "nextActionIds": ids,
    })
}

/// What a success on the session of an app should be read with.
#[must_use]
pub fn soft(steps: &[Step], context: &AppContext<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = freshness(steps, context).into_iter().collect();
    findings.extend(text_scope(steps, context));
    findings
}

/// Apps render anew without a change of their address: a ref may be stale after any act.
fn freshness(steps: &[Step], context: &AppContext<'_>) -> Option<Finding> {
    let acts = |step: &&Step| step.argv.traits().caps.acts && !step.argv.ref_operands().is_empty();
    let step = steps.iter().find(acts)?;
    let summary = "the app may have rendered anew without a new address; take a snapshot before \
                   using refs again";
    let line = "Apps render anew often: snapshot -i before the next @ref.";
    let next = NextAction::args(
        "refresh-electron-refs-after-rerender",
        "get current refs of the app",
        &["snapshot", "-i"],
    );
    Some(Finding {
        key: "electronRefFreshness",
        details: json!({
            "command": step.argv.name(),
            "summary": summary,
            "launchId": context.record.launch_id,
            "sessionName": context.record.session_name,
            "url": context.url,
        }),
        lines: if context.changed { vec![line.into()] } else { Vec::new() },
        next: vec![next.routine()],
        ..Finding::default()
    })
}

/// `get text` of a selector that holds the whole app.
fn text_scope(steps: &[Step], context: &AppContext<'_>) -> Option<Finding> {
    let mut warnings: Vec<Value> = Vec::new();
    let mut selectors: Vec<&str> = Vec::new();
    for step in steps {
        let operands = step.argv.operands();
        if let ("get", ["text", selector, ..]) = (step.argv.name(), operands.as_slice())
            && is_broad(selector)
        {
            selectors.push(selector);
            warnings.push(json!({
                "selector": selector,
                "summary": "this selector may hold the whole app shell, not the text that is meant",
                "electronContext": {
                    "launchId": context.record.launch_id,
                    "sessionName": context.record.session_name,
                    "url": context.url,
                },
            }));
        }
    }
    let mut line = Line::ours("Broad Electron get text selector warning: ");
    for (index, selector) in selectors.iter().take(3).enumerate() {
        line = line.and(if index == 0 { "" } else { ", " }).quote(*selector);
    }
    let line = line.and(" may hold the whole app; choose a ref or a narrower selector.");
    let next: Vec<NextAction> = (1..=warnings.len())
        .map(|number| {
            let id = match number {
                1 => "snapshot-for-electron-text-scope".to_owned(),
                more => format!("snapshot-for-electron-text-scope-{more}"),
            };
            let action = NextAction::args(&id, "find what to read", &["snapshot", "-i"]);
            if number == 1 { action } else { action.routine() }
        })
        .collect();
    let (key, details) = match warnings.len() {
        0 => return None,
        1 => ("electronGetTextScopeWarning", warnings.pop()?),
        _ => ("electronGetTextScopeWarnings", Value::Array(warnings)),
    };
    Some(Finding { key, details, lines: vec![line], next, ..Finding::default() })
}

/// A selector without a condition that could narrow it, or one for a role that an app has once.
fn is_broad(selector: &str) -> bool {
    let plain: String = selector.to_ascii_lowercase().replace(['"', '\'', ' '], "");
    BROAD.contains(&plain.as_str())
        || BROAD_ROLES.iter().any(|role| {
            let of_role = plain.strip_suffix(&format!("[role={role}]"));
            of_role.is_some_and(|tag| tag.is_empty() || BROAD.contains(&tag))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;

    fn step(words: &[&str]) -> Step {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        Step { argv: parse(&words).unwrap(), words }
    }

    fn record() -> ElectronRecord {
        ElectronRecord {
            launch_id: "electron-1".into(),
            app_name: "Notes".into(),
            session_name: "mcp-x-f1".into(),
            ..ElectronRecord::default()
        }
    }

    fn found(steps: &[Step]) -> Vec<Finding> {
        let record = record();
        soft(steps, &AppContext { record: &record, url: "app://main/".into(), changed: true })
    }

    // DIAG-ETEXT-01, DIAG-ETEXT-02, NEXT-36
    #[test]
    fn text_of_a_whole_app_is_warned_of() {
        for broad in ["body", "html", "main", "div", "[role=application]", "div[role=\"main\"]"] {
            let findings = found(&[step(&["get", "text", broad])]);
            assert_eq!(findings[0].key, "electronGetTextScopeWarning", "{broad}");
            let details = &findings[0].details;
            assert_eq!(details["selector"], broad);
            assert_eq!(details["electronContext"]["launchId"], "electron-1");
            assert_eq!(details["electronContext"]["sessionName"], "mcp-x-f1");
            assert_eq!(details["electronContext"]["url"], "app://main/");
            let line = findings[0].lines[0].plain();
            assert!(line.starts_with("Broad Electron get text selector warning"), "{line}");
            let prefix = ["--session".to_owned(), "mcp-x-f1".to_owned()];
            let action = findings[0].next[0].to_details(&prefix);
            assert_eq!(action["id"], "snapshot-for-electron-text-scope");
            let args = json!(["--session", "mcp-x-f1", "snapshot", "-i"]);
            assert_eq!(action["params"], json!({ "args": args }));
        }
        for narrow in ["@e5", "#title", "main .title", "div.note", "[role=dialog]"] {
            assert!(found(&[step(&["get", "text", narrow])]).is_empty(), "{narrow}");
        }
        assert!(found(&[step(&["get", "html", "body"])]).is_empty());
        let two = [step(&["get", "text", "body"]), step(&["get", "text", "main"])];
        let findings = found(&two);
        assert_eq!(findings[0].key, "electronGetTextScopeWarnings");
        assert_eq!(findings[0].details.as_array().unwrap().len(), 2);
        let ids: Vec<&str> = findings[0].next.iter().map(|next| next.id.as_str()).collect();
        let first = "snapshot-for-electron-text-scope";
        assert_eq!(ids, [first.to_owned(), format!("{first}-2")]);
    }

    // DIAG-EFRESH-01, NEXT-39, PAGE-28
    #[test]
    fn an_act_by_ref_warns_of_stale_refs_and_reading_does_not() {
        let findings = found(&[step(&["click", "@e3"])]);
        assert_eq!(findings[0].key, "electronRefFreshness");
        assert_eq!(findings[0].failure, None);
        assert_eq!(findings[0].next[0].id, "refresh-electron-refs-after-rerender");
        assert!(found(&[step(&["get", "text", "@e3"])]).is_empty());
        assert!(found(&[step(&["click", "#save"])]).is_empty());
    }

    // DIAG-EHLTH-01, DIAG-EHLTH-02
    #[test]
    fn a_dead_app_is_a_failure_with_three_ways_on() {
        let record = record();
        let context = AppContext { record: &record, url: String::new(), changed: false };
        let finding = health(&context, false, false, "process-gone");
        assert_eq!(finding.failure, Some(FailureCategory::TabDrift));
        let ids: Vec<&str> = finding.next.iter().map(|next| next.id.as_str()).collect();
        assert_eq!(
            ids,
            ["status-electron-launch", "probe-electron-launch", "cleanup-electron-launch"]
        );
        assert_eq!(finding.details["nextActionIds"][2], "cleanup-electron-launch");
        assert_eq!(finding.details["launchStatus"]["pidAlive"], false);
        let lead = finding.lead.unwrap().plain();
        assert!(lead.contains("\"Notes\" (electron-1) has ended"), "{lead}");
        let blank = health(&context, true, true, "blank-target").lead.unwrap().plain();
        assert!(blank.contains("blank page"), "{blank}");
    }
}
