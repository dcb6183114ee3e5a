//! Every rule against a session that it refuses something of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{GuardContext, check_all};
use crate::command::{Class, parse};
use crate::error::Refusal;
use crate::line::Line;
use crate::outcome::NextPayload;
use crate::plan::Step;
use crate::session::fact::{Dialog, Invalidation, LaunchRecord, Page, Tracer};
use crate::session::key::SessionKey;
use crate::session::refs::{RefInfo, RefSnapshot};
use crate::session::state::SessionState;
use crate::session::target::Target;

/// A call with one step for each of its rows, and what is known when it comes.
struct Case {
    call: Vec<String>,
    rows: Vec<Vec<String>>,
    session: SessionState,
    target: Target,
    current: Option<SessionKey>,
    allowed: BTreeSet<Class>,
    unsaved: Vec<PathBuf>,
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

impl Case {
    fn call(words: &[&str]) -> Self {
        Self {
            call: owned(words),
            rows: vec![owned(words)],
            session: SessionState::default(),
            target: Target::Named(SessionKey::named("s")),
            current: None,
            allowed: Class::ALL.into_iter().collect(),
            unsaved: Vec::new(),
        }
    }

    fn batch(rows: &[&[&str]]) -> Self {
        Self { rows: rows.iter().map(|row| owned(row)).collect(), ..Self::call(&["batch"]) }
    }

    fn with(mut self, session: SessionState) -> Self {
        self.session = session;
        self
    }

    fn refusal(&self) -> Option<Refusal> {
        let argv = parse(&self.call).unwrap();
        let step = |row: &Vec<String>| {
            let argv = parse(row).unwrap();
            Step { words: argv.words.clone(), argv }
        };
        let steps: Vec<Step> = self.rows.iter().map(step).collect();
        let context = GuardContext {
            argv: &argv,
            steps: &steps,
            target: &self.target,
            current: self.current.as_ref(),
            session: Some(&self.session),
            allowed: &self.allowed,
            unsaved: &self.unsaved,
            paths: &[],
            confinement: None,
        };
        check_all(&context).err().map(|refusal| *refusal)
    }

    fn passes(&self) -> bool {
        self.refusal().is_none()
    }

    /// `category: sentence`
    fn said(&self) -> String {
        let refusal = self.refusal().unwrap();
        format!("{}: {}", refusal.category.name(), refusal.message.plain())
    }

    /// Ids and calls of what is offered.
    fn offered(&self) -> Vec<(String, Value)> {
        let params = |payload| match payload {
            NextPayload::Params(params) => params,
            NextPayload::ArtifactPath(path) => path.into(),
        };
        let next = self.refusal().unwrap().next;
        next.into_iter().map(|next| (next.id, params(next.payload))).collect()
    }
}

fn snapshot() -> RefSnapshot {
    let info = |role: &str, name: &str| RefInfo {
        role: role.into(),
        name: name.into(),
        ..RefInfo::default()
    };
    let refs = [
        info("link", "Home"),
        info("button", "Save"),
        info("textbox", "Name"),
        info("checkbox", "Terms"),
        info("combobox", "Size"),
    ];
    RefSnapshot {
        refs: (1..).zip(refs).collect(),
        doc: "7".into(),
        url: "http://shop.test/a".into(),
        ..RefSnapshot::default()
    }
}

fn at(url: &str, doc: &str) -> Page {
    Page { url: url.into(), doc: doc.into(), ..Page::default() }
}

fn opened() -> SessionState {
    let page = Some(at("http://shop.test/a", "7"));
    SessionState { running: true, page, refs: Some(snapshot()), ..SessionState::default() }
}

// DEC-100
#[test]
fn only_commands_of_allowed_classes_run_alone_and_in_a_batch() {
    let eval = parse(&owned(&["eval", "1"])).unwrap().classes();
    for mut case in [Case::call(&["eval", "1"]), Case::batch(&[&["get", "url"], &["eval", "1"]])] {
        assert!(case.passes());
        case.allowed.retain(|class| !eval.contains(class));
        assert!(case.said().starts_with("policy-blocked: nothing was done, this server"));
    }
}

// DIAG-HINT-01, RES-13
#[test]
fn selectors_of_other_tools_are_refused_wherever_a_selector_stands() {
    for words in [
        &["scrollintoview", "text=Nope"][..],
        &["focus", "role=button"],
        &["get", "text", "a:contains(x)"],
        &["get", "count", "//a"],
        &["is", "visible", "a >> b"],
        &["wait", "button:has-text('x')"],
        &["screenshot", "text=X", "a.png"],
        &["snapshot", "-i", "-s", "text=X"],
        &["find", "first", "text=X", "click"],
        &["scroll", "down", "--selector=css=.a"],
    ] {
        let said = Case::call(words).said();
        assert!(said.starts_with("selector-unsupported: nothing was"), "{words:?}: {said}");
        assert!(said.ends_with(" is not CSS, xpath=... or an @ref."), "{words:?}: {said}");
    }
    let focus = Case::call(&["focus", "text=X"]);
    assert!(focus.said().contains("nothing was focused, the selector \"text=X\" is"));
    let hints = focus.refusal().unwrap().hints;
    assert!(hints[0].plain().contains("use find text|role|label ..., a CSS selector"));
    assert_eq!(focus.offered()[0].1, json!({ "args": ["snapshot", "-i"] }));
    let row = Case::batch(&[&["get", "url"], &["get", "text", "text=X"]]);
    assert!(row.said().contains("nothing was done, the selector \"text=X\" of step 2 is"));
    // Texts, paths and names are none.
    for words in [
        &["fill", "#a", "text=X >> //"][..],
        &["find", "text", "text=X", "click"],
        &["wait", "--text", "a >> b"],
        &["screenshot", "//tmp/a.png"],
        &["get", "text", "xpath=//a"],
        &["get", "text", "[title='a >> b']"],
    ] {
        assert!(Case::call(words).passes(), "{words:?}");
    }
}

// HAZ-10
#[test]
fn only_the_id_of_the_pending_action_is_confirmed_or_denied() {
    let waits = SessionState { confirmation: Some("r57".into()), ..opened() };
    for (word, id) in [("confirm", "approve-confirmation"), ("deny", "deny-confirmation")] {
        assert!(Case::call(&[word, "r57"]).with(waits.clone()).passes());
        let other = Case::call(&[word, "r99"]).with(waits.clone());
        assert!(other.said().contains("\"r99\" is not the action that waits"));
        assert_eq!(other.offered(), [(id.to_owned(), json!({ "args": [word, "r57"] }))]);
        assert!(Case::call(&[word, "r57"]).with(opened()).said().contains("no action waits"));
    }
    assert!(Case::call(&["get", "url"]).with(waits).passes());
}

// HAZ-09
#[test]
fn what_hangs_behind_a_dialog_is_refused_with_its_kind_and_words() {
    for (kind, shown) in [("prompt", "prompt"), ("confirm", "confirm"), ("beforeunload", "confirm")]
    {
        let dialog = Some(Dialog { kind: kind.into(), message: "sure?".into() });
        let blocked = SessionState { dialog, ..opened() };
        let said = Case::call(&["get", "title"]).with(blocked.clone()).said();
        let words = format!(". A {shown} dialog is open: \"sure?\" The page waits for it.");
        assert!(said.ends_with(&words), "{said}");
        assert!(Case::call(&["dialog", "accept"]).with(blocked).passes());
    }
    assert!(Case::call(&["get", "title"]).with(opened()).passes());
}

// GUARD-09, DEC-62
#[test]
fn a_recording_is_ended_by_the_command_that_began_it_alone() {
    for (tracer, own, other) in
        [(Tracer::Trace, "trace", "profiler"), (Tracer::Profiler, "profiler", "trace")]
    {
        let records = SessionState { tracer: Some(tracer), ..opened() };
        assert!(Case::call(&[own, "stop"]).with(records.clone()).passes());
        for words in [[own, "start"], [other, "start"], [other, "stop"]] {
            let case = Case::call(&words).with(records.clone());
            assert!(case.said().contains(&format!("believes that {own} is recording")));
            let stop = json!({ "args": [own, "stop"] });
            assert_eq!(case.offered(), [("stop-active-recording".to_owned(), stop)]);
        }
    }
    assert!(Case::call(&["trace", "start"]).with(opened()).passes());
}

// GUARD-09, DEC-62, HAZ-09
#[test]
fn rows_of_a_batch_are_judged_by_what_the_rows_before_them_leave() {
    let records = SessionState { tracer: Some(Tracer::Trace), ..opened() };
    let stop: &[&str] = &["trace", "stop"];
    let (own, other): (&[&str], &[&str]) = (&["trace", "start"], &["profiler", "start"]);
    assert!(Case::batch(&[stop, other]).with(records).passes());
    assert!(Case::batch(&[own, stop, other]).with(opened()).passes());
    for second in [own, other] {
        let case = Case::batch(&[&["get", "url"], own, second]).with(opened());
        assert!(
            case.said().contains("nothing was done: step 2 starts trace, so "),
            "{}",
            case.said()
        );
        assert_eq!(case.offered(), []);
    }
    let dialog = Some(Dialog { kind: "confirm".into(), message: "sure?".into() });
    let blocked = SessionState { dialog, ..opened() };
    let title: &[&str] = &["get", "title"];
    for answer in ["accept", "dismiss"] {
        assert!(Case::batch(&[&["dialog", answer], title]).with(blocked.clone()).passes());
        assert!(!Case::batch(&[title, &["dialog", answer]]).with(blocked.clone()).passes());
    }
    assert!(!Case::batch(&[&["dialog", "status"], title]).with(blocked).passes());
}

// SES-20
#[test]
fn a_row_behind_close_is_refused_with_the_places_of_both() {
    let (title, close, quit): (&[&str], &[&str], &[&str]) =
        (&["get", "title"], &["close"], &["quit"]);
    for (rows, places) in [
        (&[close, title][..], "Step 2 stands behind close (step 1),"),
        (&[title, quit, title, title], "Step 3 stands behind close (step 2),"),
        (&[title, title, title, close, close], "Step 5 stands behind close (step 4),"),
    ] {
        let said = Case::batch(rows).with(opened()).said();
        assert!(
            said.starts_with(&format!("validation-error: nothing was done. {places}")),
            "{said}"
        );
    }
    for rows in [&[close][..], &[title, quit], &[title, title, title]] {
        assert!(Case::batch(rows).with(opened()).passes(), "{rows:?}");
    }
}

fn managed(session: SessionState, words: &[&str]) -> Case {
    let key = SessionKey::named("m");
    let target = Target::Managed { key: key.clone(), ordinal: 0, fresh: false };
    Case { target, current: Some(key), ..Case::call(words).with(session) }
}

// PLAN-10, DEC-22
#[test]
fn a_launch_flag_passes_a_running_session_only_with_the_value_of_its_launch() {
    let flag = |name: &str, value: &str| (name.to_owned(), super::value_mark(Some(value)));
    let launch_flags = vec![flag("--proxy", "http://p.test"), ("--headed".into(), String::new())];
    let launch = LaunchRecord { launch_flags, ..LaunchRecord::default() };
    let running = SessionState { launch, ..opened() };
    for same in [
        &["--proxy", "http://p.test", "get", "url"][..],
        &["--headed", "get", "url"],
        &["--webgpu", "false", "get", "url"],
        &["--ignore-https-errors", "get", "url"],
        &["--json", "--session", "x", "get", "url"],
        &["get", "url"],
    ] {
        assert!(managed(running.clone(), same).passes(), "{same:?}");
    }
    for other in [
        &["--proxy", "http://q.test", "get", "url"][..],
        &["--headed", "false", "get", "url"],
        &["--webgpu", "get", "url"],
    ] {
        let case = managed(running.clone(), other);
        assert!(case.said().starts_with("validation-error: nothing was done, \"--"), "{other:?}");
        let call = json!({ "args": other, "sessionMode": "fresh" });
        assert_eq!(case.offered(), [("retry-with-fresh-session".to_owned(), call)]);
        let stopped = SessionState { running: false, ..running.clone() };
        assert!(managed(stopped, other).passes(), "nothing runs that could be replaced");
    }
    for from_stdin in [&["--webgpu", "eval", "--stdin"][..], &["--webgpu", "batch"]] {
        let refused = managed(running.clone(), from_stdin).refusal().unwrap();
        let hint = refused.hints.first().map(Line::plain);
        assert!(refused.next.is_empty(), "a call without its stdin would be refused");
        assert_eq!(hint.as_deref(), Some("Send the same call with sessionMode \"fresh\"."));
    }
    for whole in [&["--webgpu", "eval", "1"][..], &["--webgpu", "batch", "get url"]] {
        let offered = managed(running.clone(), whole).offered();
        assert_eq!(offered[0].1["args"], json!(whole));
    }
    let json_too = managed(running, &["--json", "--headed", "false", "get", "url"]).offered();
    assert_eq!(json_too[0].1["args"], json!(["--headed", "false", "get", "url"]));
}

// PLAN-10, DEC-22
#[test]
fn a_namespace_that_would_replace_the_running_session_is_refused() {
    let mut case = managed(SessionState::default(), &["--namespace", "n", "get", "url"]);
    assert!(case.passes());
    case.current = Some(SessionKey::named("other"));
    assert!(case.said().contains("\"--namespace\" belongs to the launch"));
}

// GUARD-04
#[test]
fn a_close_waits_for_the_files_of_the_prompt() {
    let unsaved = || vec![PathBuf::from("/w/a.png"), PathBuf::from("/w/run.webm")];
    let mut close = Case { unsaved: unsaved(), ..Case::call(&["close"]).with(opened()) };
    assert!(close.said().ends_with("not saved yet: /w/a.png"), "{}", close.said());
    assert_eq!(close.offered(), []);
    close.session.recording = Some("/w/other.webm".into());
    assert_eq!(close.offered(), []);
    close.session.recording = Some("/w/run.webm".into());
    let stop = json!({ "args": ["record", "stop"] });
    assert_eq!(close.offered(), [("stop-pending-recording".to_owned(), stop)]);
    assert!(Case { unsaved: unsaved(), ..Case::call(&["get", "url"]).with(opened()) }.passes());
}

// PAGE-30, PAGE-31, HAZ-01
#[test]
fn a_ref_is_refused_unless_the_latest_snapshot_of_this_document_had_it() {
    assert!(Case::call(&["click", "@e2"]).with(opened()).passes());
    assert!(Case::call(&["click", "#save"]).passes());
    let said = |session| Case::call(&["click", "@e2"]).with(session).said();
    let unknown = Case::call(&["click", "@e99"]).with(opened()).said();
    assert_eq!(unknown, "stale-ref: nothing was clicked. @e99 is not in the latest snapshot");
    let elsewhere = SessionState { page: Some(at("http://shop.test/b", "8")), ..opened() };
    assert_eq!(
        said(elsewhere),
        "stale-ref: nothing was clicked. @e2 button \"Save\" belongs to http://shop.test/a \
         but the page is now http://shop.test/b"
    );
    let reloaded = SessionState { page: Some(at("http://shop.test/a", "8")), ..opened() };
    assert!(said(reloaded).ends_with(" belongs to an earlier load of http://shop.test/a"));
    let earlier = SessionState {
        refs: Some(RefSnapshot { refs: BTreeMap::new(), ..snapshot() }),
        earlier: Some(RefSnapshot { url: "http://shop.test/0".into(), ..snapshot() }),
        ..opened()
    };
    assert!(said(earlier).contains("@e2 button \"Save\" belongs to http://shop.test/0 but"));
    let both = SessionState { earlier: Some(snapshot()), ..opened() };
    assert!(Case::call(&["click", "@e2"]).with(both).passes());
}

// PAGE-26, HAZ-03, HAZ-17
#[test]
fn a_refusal_says_why_there_are_no_refs() {
    for (invalidation, reason) in [
        (None, "is not in the latest snapshot"),
        (Some(Invalidation::DocumentChanged), "is not in the latest snapshot"),
        (Some(Invalidation::PageLost), "belongs to a browser that is gone"),
        (Some(Invalidation::NoActivePage), "belongs to a page that is gone"),
        (Some(Invalidation::TabChanged), "belongs to another tab"),
        (Some(Invalidation::SnapshotFailed), "is void since the snapshot that failed"),
    ] {
        let session = SessionState { refs: None, invalidation, ..opened() };
        let said = Case::call(&["click", "@e2"]).with(session).said();
        assert_eq!(said, format!("stale-ref: nothing was clicked. @e2 {reason}"));
    }
}

// DEC-94
#[test]
fn refs_behind_a_snapshot_row_belong_to_that_snapshot() {
    let rows: [&[&str]; 2] = [&["snapshot", "-i"], &["click", "@e99"]];
    assert!(Case::batch(&rows).with(opened()).passes());
    assert!(!Case::batch(&[&["get", "url"], &["click", "@e99"]]).with(opened()).passes());
}

// PAGE-40, PAGE-41, PAGE-42
#[test]
fn an_acting_ref_behind_a_step_that_may_change_the_page_is_refused_with_the_rows_to_send() {
    let rows: [&[&str]; 3] = [&["get", "url"], &["click", "@e1"], &["click", "@e2"]];
    let case = Case::batch(&rows).with(opened());
    assert_eq!(
        case.said(),
        "stale-ref: nothing was done. Step 3 uses @e2 button \"Save\", but step 2 (click) may \
         change the page first."
    );
    let hint = case.refusal().unwrap().hints[0].plain();
    assert!(hint.contains("row in front of step 3, or"), "{hint}");
    let stdin = r#"[["get","url"],["click","@e1"],["snapshot","-i"],["click","@e2"]]"#;
    let offered = case.offered();
    let retry = json!({ "args": ["batch", "--bail"], "stdin": stdin });
    assert_eq!(offered[0], ("retry-with-snapshot-rows".to_owned(), retry));
    assert_eq!(offered[1].0, "refresh-interactive-refs");
    let rows: [&[&str]; 3] = [&["click", "@e1"], &["click", "@e2"], &["click", "@e1"]];
    let hint = Case::batch(&rows).with(opened()).refusal().unwrap().hints[0].plain();
    assert!(hint.contains("row in front of steps 2, 3, or"), "{hint}");
    let between: [&[&str]; 3] = [&["click", "@e1"], &["snapshot", "-i"], &["click", "@e2"]];
    assert!(Case::batch(&between).with(opened()).passes());
    assert!(Case::batch(&[&["get", "url"], &["click", "@e2"]]).with(opened()).passes());
    assert!(Case::batch(&[&["click", "@e1"], &["get", "text", "@e2"]]).with(opened()).passes());
}

#[test]
fn a_refused_batch_is_not_repeated_where_it_types_or_is_long() {
    let typed: [&[&str]; 3] = [&["fill", "@e3", "Ann"], &["click", "@e1"], &["click", "@e2"]];
    let long = "x".repeat(800);
    let many: [&[&str]; 3] = [&["get", "text", &long], &["click", "@e1"], &["click", "@e2"]];
    for rows in [typed, many] {
        let offered = Case::batch(&rows).with(opened()).offered();
        let ids: Vec<&str> = offered.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["refresh-interactive-refs"]);
    }
}

// PAGE-44, PAGE-45, PAGE-46
#[test]
fn form_controls_of_the_snapshot_do_not_void_the_refs_behind_them() {
    for control in [
        &["check", "@e4"][..],
        &["uncheck", "@e4"],
        &["click", "@e4"],
        &["tap", "@e4"],
        &["select", "@e5", "M"],
    ] {
        assert!(Case::batch(&[control, &["click", "@e2"]]).with(opened()).passes(), "{control:?}");
    }
    for other in
        [&["click", "@e1"][..], &["click", "@e5"], &["select", "@e4", "M"], &["press", "x"]]
    {
        assert!(!Case::batch(&[other, &["click", "@e2"]]).with(opened()).passes(), "{other:?}");
    }
}
