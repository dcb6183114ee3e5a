//! No page can write a line that looks like ours (visible-text rule 3).

use std::path::Path;

use agent_browser_native::command::parse;
use agent_browser_native::diagnose::effect::{Effect, verdict};
use agent_browser_native::diagnose::{AfterRow, judge};
use agent_browser_native::envelope::Answer;
use agent_browser_native::line::Line;
use agent_browser_native::outcome::Outcome;
use agent_browser_native::plan::Step;
use agent_browser_native::present::batch::{StepResult, present as present_batch};
use agent_browser_native::present::our_starts::OUR_STARTS;
use agent_browser_native::present::snapshot;
use agent_browser_native::present::text::print;
use agent_browser_native::present::{Shown, failure, fold_findings, present};
use agent_browser_native::probe::report::PageReport;
use agent_browser_native::redact::Redactor;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::config;

/// Stands right behind the words that a page has borrowed from us.
const MARK: &str = "FORGED";

/// What a page puts in front of a line of ours so that it begins a line.
const FRONTS: &[&str] = &[
    "",
    "\n",
    "\r\n",
    "\r",
    "\u{2028}",
    "\u{2029}",
    "\u{85}",
    "\u{b}",
    "\u{c}",
    "\u{1b}[2K\u{1b}[1G",
    "\"\n",
    "\".\n",
    "x\n",
    "x\n\n",
    "\u{200b}",
    "\u{feff}",
    " ",
    "\t",
    "\u{a0}",
    "\u{202e}",
    "\u{0}",
    "\\n",
    "- \n",
    "  \n",
    "]\n",
    "\u{8}\u{8}\u{8}",
    "\u{9b}2J",
    "x\u{1c}",
    "x\u{1e}",
];

const COMMANDS: &[&[&str]] = &[
    &["open", "https://shop.test/"],
    &["reload"],
    &["click", "@e5"],
    &["click", "#a"],
    &["dblclick", "#a"],
    &["fill", "@e5", "text"],
    &["select", "#a", "x"],
    &["press", "Enter"],
    &["hover", "#a"],
    &["scroll", "down"],
    &["get", "title"],
    &["get", "text", "#a"],
    &["get", "html", "#a"],
    &["get", "attr", "#a", "href"],
    &["get", "url"],
    &["is", "visible", "#a"],
    &["eval", "1"],
    &["snapshot", "-i"],
    &["console"],
    &["errors"],
    &["network", "requests"],
    &["cookies"],
    &["storage", "local"],
    &["tab", "list"],
    &["tab", "t2"],
    &["find", "role", "button", "click", "--name", "Save"],
    &["wait", "--text", "Done"],
    &["dialog", "status"],
    &["download", "#a", "a.bin"],
    &["frame", "#a"],
    &["close"],
    &["read"],
    &["a11y"],
];

/// A line of ours, borrowed by a page.
fn hostile() -> impl Strategy<Value = String> {
    let front = proptest::sample::select(FRONTS.to_vec());
    let start = proptest::sample::select(OUR_STARTS.to_vec());
    let case = any::<bool>();
    (front, start, case, "[ -~]{0,20}").prop_map(|(front, start, upper, tail)| {
        let start = if upper { start.to_uppercase() } else { start.to_owned() };
        format!("{front}{start}{MARK}: {tail}")
    })
}

fn step(words: &[&str]) -> Step {
    let tokens: Vec<String> = words.iter().map(ToString::to_string).collect();
    Step { argv: parse(&tokens).unwrap(), words: tokens }
}

/// Everything that the page says is the same hostile text.
fn page(text: &str) -> PageReport {
    let report = json!({ "result": {
        "doc": "1.5", "url": format!("https://shop.test/{text}"), "title": text, "frames": [text],
        "status": 404, "dialogs": [text, ""], "armed": true,
        "effect": {
            "changed": true, "urlChanged": true, "text": text, "dialog": text, "renamed": text,
            "moved": text, "stopped": { "name": text }, "reached": true,
        },
        "fill": { "verdict": text, "secret": false, "set": true, "editable": false, "type": text },
    }});
    PageReport::from_eval(&report).unwrap()
}

/// An answer in which every field that a page or caller can fill holds the text.
fn data(text: &str) -> Value {
    json!({
        "title": text, "url": text, "text": text, "html": text, "value": text, "result": text,
        "clicked": text, "filled": text, "origin": text, "targetId": text, "tabId": "t2",
        "snapshot": format!("- button \"{text}\" [ref=e5]\n{text}"),
        "refs": { "e5": { "role": text, "name": text } },
        "tabs": [{ "tabId": "t2", "title": text, "url": text, "label": text, "active": true }],
        "messages": [{ "type": text, "text": text, "url": text, "line": text }],
        "errors": [{ "message": text, "url": text, "stack": text }],
        "requests": [{ "url": text, "method": text, "status": 500, "resourceType": text, "id": text }],
        "cookies": [{ "name": text, "value": text, "domain": text }],
        "data": { text: text }, "entries": [[text, text]], "visible": text, "message": text,
        "path": format!("/tmp/{text}"), "hasDialog": true, "type": text, "dialogType": text,
        "matched": text, "waited": text, "selected": [text], "count": text, "violations": [{ "id": text, "help": text }],
    })
}

fn lines_of(outcome: &Outcome) -> Vec<Line> {
    let mut lines = outcome.answer.clone();
    lines.extend(outcome.findings.iter().flat_map(|finding| finding.lines.clone()));
    lines.extend(outcome.managed.iter().cloned());
    lines
}

/// How many outcomes `outcome` tells apart.
const VARIANTS: usize = 13;

/// An outcome of one command on a page that says only `text`.
fn outcome(words: &[&str], text: &str, variant: usize) -> Outcome {
    let step = step(words);
    match variant {
        0 => success(&step, text, data(text)),
        1 => success(&step, text, Value::String(text.to_owned())),
        2 => success(&step, text, json!({ "result": [text, { text: text }] })),
        3 => failure::unreadable("it failed", text),
        other => {
            let error = match other % 3 {
                0 => text.to_owned(),
                1 => format!("Element not found: {text}"),
                _ => format!("Evaluation error: {text}"),
            };
            let code = [None, Some("tab_gone"), Some(text)][other / 3 % 3].map(str::to_owned);
            let answer = Answer { error: Some(error), code, ..Answer::default() };
            failure::of_answer(&answer, &step, &Line::ours("@e5 ").quote(text))
        }
    }
}

fn success(step: &Step, text: &str, data: Value) -> Outcome {
    let report = page(text);
    let after = AfterRow::Page(Box::new(report.clone()));
    let view = snapshot::parse(&self::data(text));
    let warning = Some(format!("A confirm dialog is open: \"{text}\""));
    let answer = Answer { success: true, data, warning, ..Answer::default() };
    let taken = snapshot::parse(&answer.data);
    let mut shown = Shown {
        step,
        answer: &answer,
        taken: taken.as_ref(),
        before: Some(&report),
        after: &after,
        effect: Effect::Unknown,
        page: Some(&report),
        view: view.as_ref(),
        new_tab: Some("t2"),
        session: None,
        files: &[],
        cwd: Path::new("/work"),
        session_label: "default",
    };
    shown.effect = verdict(&shown.evidence());
    let mut outcome = present(&shown);
    fold_findings(&mut outcome, judge(&shown.evidence()));
    outcome
}

fn check(lines: &[Line], text: &str) -> Result<(), TestCaseError> {
    let printed = print(lines, &Redactor::new([]));
    for line in printed.as_str().split('\n') {
        prop_assert!(
            !line.contains(
                |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202e}')
            ),
            "{line:?} of {text:?}"
        );
        let bare = line.trim_start_matches(['\u{200b}', '\u{feff}', '\u{a0}']);
        let forged = OUR_STARTS.iter().any(|start| {
            let borrowed = format!("{start}{MARK}");
            bare.get(..borrowed.len()).is_some_and(|head| head.eq_ignore_ascii_case(&borrowed))
        });
        // A line of the page's tree is marked as such by its `- `.
        let tree = bare.starts_with("- ");
        prop_assert!(!forged || tree, "{line:?} of {text:?}");
        prop_assert!(!tree || lines.iter().any(|line| matches!(line, Line::Tree(_))), "{line:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(config("tests/prop/regressions/forging.txt"))]

    // RES-20, HAZ-24
    #[test]
    fn no_page_writes_a_line_of_ours(
        text in hostile(),
        words in proptest::sample::select(COMMANDS.to_vec()),
        variant in 0..VARIANTS,
    ) {
        check(&lines_of(&outcome(words, &text, variant)), &text)?;
    }

    // RES-20
    #[test]
    fn no_step_of_a_batch_writes_a_line_of_ours(
        text in hostile(),
        steps in proptest::collection::vec(
            (proptest::sample::select(COMMANDS.to_vec()), 0..VARIANTS), 1..4,
        ),
    ) {
        let ran = |(words, variant): &(&[&str], usize)| {
            StepResult::Ran(Box::new(outcome(words, &text, *variant)))
        };
        let results: Vec<StepResult> = steps.iter().map(ran).collect();
        let words = |(words, _): &(&[&str], usize)| words.iter().map(ToString::to_string).collect();
        let commands: Vec<Vec<String>> = steps.iter().map(words).collect();
        check(&lines_of(&present_batch(&commands, results, &[])), &text)?;
    }
}
