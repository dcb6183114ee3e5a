//! Every recorded success of the real upstream, as the model reads it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agent_browser_native::command::Argv;
use agent_browser_native::diagnose::AfterRow;
use agent_browser_native::diagnose::effect::Effect;
use agent_browser_native::envelope::{Answer, Envelope, parse};
use agent_browser_native::file_fact::{FileFact, FileKind, FileState};
use agent_browser_native::outcome::{
    FailureCategory, NextAction, Outcome, SuccessCategory, Verdict,
};
use agent_browser_native::plan::Step;
use agent_browser_native::present::our_starts::begins_like_ours;
use agent_browser_native::present::text::print;
use agent_browser_native::present::{PRESENTERS, Shown, present, snapshot};
use agent_browser_native::redact::Redactor;
use serde_json::{Value, json};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/upstream/0.41.0");
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/present/recorded.txt");

/// A recording, ready to be presented.
struct Recorded {
    step: Step,
    answer: Answer,
    files: Vec<FileFact>,
}

fn recorded(name: &str) -> Recorded {
    read(&Path::new(FOLDER).join(format!("{name}.json"))).unwrap_or_else(|| panic!("{name}"))
}

/// `None` for failures, batches and plain text.
fn read(path: &Path) -> Option<Recorded> {
    let recording: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let argv: Vec<String> = serde_json::from_value(recording["argv"].clone()).unwrap();
    if !recording["stdout"].is_object() {
        return None;
    }
    let Envelope::One(answer) = parse(recording["stdout"].to_string().as_bytes()) else {
        return None;
    };
    let tokens: Vec<String> = argv.into_iter().filter(|word| word != "--json").collect();
    let parsed = agent_browser_native::command::parse(&tokens).ok()?;
    if !answer.success || parsed.is_inspection() {
        return None;
    }
    let argv = Argv::of_words(&parsed.words);
    let step = Step { words: argv.words.clone(), argv };
    let files = files_of(&step, &answer);
    Some(Recorded { step, answer: *answer, files })
}

/// The files that a real call would have found on disk.
fn files_of(step: &Step, answer: &Answer) -> Vec<FileFact> {
    let cwd = Path::new("/home/ann");
    let started = std::time::SystemTime::now();
    let mut files =
        agent_browser_native::artifact::saved::files_of(step, answer, None, cwd, started);
    for file in &mut files {
        if file.state != FileState::Pending {
            file.state = FileState::Verified;
            file.size = 48_213;
            file.media_type = match file.kind {
                FileKind::Screenshot | FileKind::DiffImage | FileKind::ContactSheet => "image/png",
                FileKind::Pdf => "application/pdf",
                _ => "application/octet-stream",
            }
            .to_owned();
        }
    }
    files
}

fn shown(recorded: &Recorded) -> Outcome {
    present(&Shown {
        step: &recorded.step,
        answer: &recorded.answer,
        taken: snapshot::parse(&recorded.answer.data).as_ref(),
        before: None,
        after: &AfterRow::Silent,
        effect: Effect::Unknown,
        page: None,
        view: None,
        new_tab: None,
        session: None,
        files: &recorded.files,
        cwd: Path::new("/home/ann"),
        session_label: "default",
    })
}

fn text(outcome: &Outcome) -> String {
    print(&outcome.answer, &Redactor::new([])).into_string()
}

/// The visible text of one recording.
fn check(name: &str, expected: &str) {
    assert_eq!(text(&shown(&recorded(name))), expected, "{name}");
}

fn every_recording() -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    for folder in fs::read_dir(FOLDER).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "json") {
                let name = path.strip_prefix(FOLDER).unwrap().with_extension("");
                found.insert(name.to_str().unwrap().to_owned(), path);
            }
        }
    }
    found
}

// RES-01, PRES-SCAL-01, PRES-STATE-02, PRES-REACT-01, PRES-CHAT-01
#[test]
fn every_recorded_success_reads_as_it_did_when_somebody_last_looked() {
    let mut all = String::new();
    for (name, path) in every_recording() {
        if let Some(recorded) = read(&path) {
            let outcome = shown(&recorded);
            all.push_str(&format!(
                "== {name}: {}\n{}\n",
                recorded.step.words.join(" "),
                text(&outcome)
            ));
        }
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(Path::new(GOLDEN).parent().unwrap()).unwrap();
        fs::write(GOLDEN, &all).unwrap();
    }
    let golden = fs::read_to_string(GOLDEN).unwrap_or_default();
    assert!(all == golden, "run with UPDATE_GOLDEN=1 and read what changed");
}

// issue: no visible line is raw JSON
#[test]
fn no_visible_line_is_raw_json() {
    for (name, path) in every_recording() {
        let Some(recorded) = read(&path) else { continue };
        let value = matches!(recorded.step.argv.name(), "get" | "is" | "eval");
        let value = value || name.starts_with("network/request");
        for line in text(&shown(&recorded)).lines().filter(|_| !value) {
            let body = line.trim();
            let json = body.starts_with(['{', '[']) && serde_json::from_str::<Value>(body).is_ok();
            assert!(!json, "{name}: {line}");
        }
    }
}

/// visible-text rule 3: a bare value that begins like a line of ours is indented.
#[test]
fn every_line_of_ours_is_known_to_the_printer() {
    for (name, path) in every_recording() {
        let Some(recorded) = read(&path) else { continue };
        if matches!(recorded.step.argv.name(), "get" | "is" | "eval" | "find") {
            continue;
        }
        let outcome = shown(&recorded);
        for line in text(&outcome).lines().filter(|_| !outcome.verdict.is_failure()) {
            let ours = !line.starts_with("  ") && !line.trim_start().starts_with("- ");
            assert!(!ours || begins_like_ours(line), "{name}: {line}");
        }
    }
}

#[test]
fn ids_of_presenters_are_unique_and_the_last_one_takes_everything() {
    let ids: std::collections::BTreeSet<&str> = PRESENTERS.iter().map(|one| one.id).collect();
    assert_eq!(ids.len(), PRESENTERS.len());
    assert_eq!(PRESENTERS.last().unwrap().id, "generic");
}

// PRES-TAB-01
#[test]
fn tabs_are_listed_by_their_stable_ids() {
    check(
        "tab/list-several",
        "Tabs: 3 open.\n\
         t1 \"Sign in\" http://127.0.0.1:8000/form.html\n\
         t2 http://127.0.0.1:8000/links.html\n\
         t3 (active, label=docs) \"Inner\" http://127.0.0.1:8000/inner.html",
    );
    check("tab/by-id", "Tab t1 is active: \"Sign in\" http://127.0.0.1:8000/form.html");
}

// HAZ-09
#[test]
fn an_answer_that_tells_of_an_open_dialog_says_how_to_answer_it() {
    let outcome = shown(&recorded("tab/list-while-dialog-open"));
    assert!(
        text(&outcome)
            .ends_with("A confirm dialog is open: \"Delete everything?\" The page waits for it.")
    );
    assert_eq!(ids(&outcome), ["accept-open-dialog", "dismiss-open-dialog"]);
    check("dialog/accept", "Dialog accepted.");
    check("dialog/dismiss", "Dialog dismissed.");
}

// DIAG-WAIT-01
#[test]
fn a_wait_says_what_was_met_and_time_alone_proves_nothing() {
    check("wait/milliseconds", "Waited 50 ms.");
    check("wait/selector", "Waited: \"#email\" is visible.");
    check("wait/text", "Waited: the text \"Welcome\" is visible.");
    check("wait/url", "Waited: the page is http://127.0.0.1:8000/form.html");
    check("wait/load", "Waited: load state \"networkidle\" reached.");
}

// HAZ-08
#[test]
fn a_promise_of_false_is_no_met_wait() {
    let outcome = shown(&recorded("wait/fn-promise-of-false"));
    assert_eq!(outcome.verdict, Verdict::Failure(FailureCategory::Timeout));
    assert!(text(&outcome).starts_with("the wait was not met"));
}

// HAZ-10
#[test]
fn a_confirmed_action_that_failed_is_a_failure() {
    let outcome = shown(&recorded("confirm/approved-but-failed"));
    assert_eq!(outcome.verdict, Verdict::Failure(FailureCategory::SelectorNotFound));
    check("confirm/approved", "Confirmed: the action \"click\" was carried out.");
    check("deny/denied", "Denied: the action \"click\" was dropped.");
}

// RES-53, RES-54
#[test]
fn a_pending_confirmation_is_a_page_change_of_its_own() {
    let outcome = shown(&recorded("click/confirmation-required"));
    assert_eq!(outcome.details["pageChangeSummary"]["changeType"], "confirmation");
    assert_eq!(
        outcome.details["pageChangeSummary"]["nextActionIds"],
        json!(["approve-confirmation", "deny-confirmation"])
    );
}

// PRES-RECD-01, ART-29, DEC-61, RES-12, HAZ-18
#[test]
fn a_recording_that_has_begun_is_pending_and_names_the_file_to_come() {
    let outcome = shown(&recorded("record/start"));
    assert_eq!(
        text(&outcome),
        "Recording started; the file is written on record stop.\n\
         Requested path: /home/ann/out/first.webm\n\
         Absolute path: /home/ann/out/first.webm (written on record stop; cwd /home/ann; session default)"
    );
    assert_eq!(outcome.verdict, Verdict::Success(SuccessCategory::ArtifactPending));
    let row = &outcome.details["artifacts"][0];
    assert_eq!(
        (&row["recordingState"], &row["willExistOnStop"], &row["exists"]),
        (&json!("openRecording"), &json!(true), &json!(false))
    );
    assert_eq!(outcome.details["artifactVerification"]["pendingCount"], 1);
    assert_eq!(ids(&outcome), ["stop-pending-recording"]);
}

// PRES-RECD-01, ART-30
#[test]
fn a_restart_names_the_recording_that_it_finished() {
    let outcome = shown(&recorded("record/restart"));
    assert!(
        text(&outcome)
            .starts_with("Previous recording saved: /home/ann/out/first.webm\nRecording started;")
    );
    let states = outcome.details["artifacts"].as_array().unwrap();
    let states: Vec<&Value> = states.iter().map(|row| &row["status"]).collect();
    assert_eq!(states, ["saved", "pending"]);
    let stopped = shown(&recorded("record/stop-contact-sheet"));
    assert_eq!(stopped.verdict, Verdict::Success(SuccessCategory::ArtifactSaved));
    assert_eq!(stopped.files.len(), 2);
}

// PRES-DL-01, PRES-FILE-01, ART-02, ART-03
#[test]
fn a_download_says_completed_and_keeps_its_path_in_details() {
    let outcome = shown(&recorded("download/link"));
    assert!(text(&outcome).starts_with("Download completed: /home/ann/out/report.csv\n"));
    assert_eq!(text(&outcome).matches("report.csv").count(), 1, "one path is enough");
    assert_eq!(outcome.details["savedFilePath"], "/home/ann/out/report.csv");
    assert_eq!(outcome.details["savedFile"]["kind"], "download");
    assert_eq!(outcome.details["pageChangeSummary"]["changeType"], "artifact");
    assert_eq!(outcome.details["pageChangeSummary"]["artifactCount"], 1);
    assert_eq!(outcome.details["pageChangeSummary"]["savedFilePath"], "/home/ann/out/report.csv");
}

// RES-11, ART-04, ART-08, NEXT-59, NEXT-60, DEC-63
#[test]
fn a_file_that_is_not_there_is_never_claimed() {
    let with = |name: &str, state: FileState| {
        let mut recorded = recorded(name);
        recorded.files[0].state = state;
        shown(&recorded)
    };
    let outcome = with("wait/download", FileState::Missing);
    assert_eq!(outcome.verdict, Verdict::Success(SuccessCategory::ArtifactUnverified));
    assert!(
        text(&outcome)
            .starts_with("Download: agent-browser reports success, but the file is not there.")
    );
    let counts = |outcome: &Outcome| {
        let told = &outcome.details["artifactVerification"];
        let count = |key: &str| told[key].as_u64().unwrap();
        let counts =
            ["verifiedCount", "missingCount", "pendingCount", "unverifiedCount"].map(count);
        (told["verified"].as_bool().unwrap(), counts)
    };
    assert_eq!(counts(&outcome), (false, [0, 1, 0, 0]));
    assert_eq!(ids(&outcome), ["wait-for-download"]);
    assert_eq!(
        outcome.next[0].params().unwrap()["args"],
        json!(["wait", "--download", "/home/ann/out/waited.csv"])
    );
    let outcome = with("pdf/path", FileState::Missing);
    assert_eq!(ids(&outcome), ["verify-artifact-path"]);
    assert_eq!(outcome.next[0].reason, "do not trust the file before it was seen");
    let outcome = with("screenshot/path", FileState::Stale);
    assert_eq!(outcome.verdict, Verdict::Success(SuccessCategory::ArtifactUnverified));
    assert_eq!(counts(&outcome), (false, [0, 0, 0, 1]));
    assert!(outcome.images.is_empty());
    let outcome = with("screenshot/path", FileState::Verified);
    assert_eq!(counts(&outcome), (true, [1, 0, 0, 0]));
}

// PRES-DIFF-01
#[test]
fn a_compared_picture_is_an_artifact_and_no_inline_image() {
    let outcome = shown(&recorded("diff/screenshot-output"));
    assert!(text(&outcome).starts_with(
        "Diff: 17080 of 810240 pixels differ (2.108 %).\nDiff image saved and verified: "
    ));
    assert!(outcome.images.is_empty());
    assert!(!outcome.details.contains_key("imagePath"));
    check("diff/screenshot-same", "Diff: the pictures match (810240 pixels).");
}

// PRES-STATE-01
#[test]
fn a_loaded_state_is_named_but_is_no_artifact() {
    let outcome = shown(&recorded("state/load"));
    assert!(text(&outcome).starts_with("Loaded state from /home/ann/out/saved.json"));
    assert!(!outcome.details.contains_key("artifacts"));
    assert!(shown(&recorded("state/save")).details.contains_key("artifacts"));
}

// PRES-NET-01, PRES-NET-02, PRES-NET-03, NEXT-64, NEXT-67, NEXT-68
#[test]
fn failed_requests_come_first_with_what_they_mean() {
    let recorded = requests(json!([
        { "requestId": "1.1", "method": "GET", "resourceType": "Script", "status": 200, "url": "https://shop.test/a.js" },
        { "requestId": "1.2", "method": "GET", "resourceType": "Image", "status": 404, "url": "https://shop.test/favicon.ico" },
        { "requestId": "1.3", "method": "POST", "resourceType": "Fetch", "status": 500, "url": "https://shop.test/api/price?token=x" },
    ]));
    let outcome = shown(&recorded);
    assert_eq!(
        text(&outcome),
        "Network failure summary: 1 actionable, 1 benign low-impact (2 total).\n\
         Requests: 3.\n\
         \x20 500 POST fetch id 1.3 https://shop.test/api/price?token=[REDACTED] \
         [actionable: document, script, API, or non-benign request failure]\n\
         \x20 404 GET image id 1.2 https://shop.test/favicon.ico [benign: low-impact browser icon asset]\n\
         \x20 200 GET script id 1.1 https://shop.test/a.js"
    );
    let visible: Vec<&NextAction> = outcome.next.iter().filter(|action| action.visible).collect();
    let last = visible.last().unwrap();
    assert_eq!(last.id, "inspect-actionable-network-request");
    assert_eq!(last.params().unwrap()["args"], json!(["network", "request", "1.3"]));
    let all = ids(&outcome);
    for id in ["clear-network-requests-before-repro", "start-network-har-capture"] {
        assert!(all.contains(&id), "{id}");
    }
}

// PRES-NET-04, HAZ-12
#[test]
fn inline_pictures_are_hidden_and_open_requests_are_named() {
    let recorded = requests(json!([
        { "requestId": "1.1", "method": "GET", "resourceType": "Image", "url": "data:image/png;base64,AA" },
        { "requestId": "1.2", "method": "GET", "resourceType": "Fetch", "url": "https://shop.test/slow" },
    ]));
    let outcome = shown(&recorded);
    assert_eq!(
        text(&outcome),
        "Requests: 2; 1 without a status yet (pending, aborted or refused), 1 data:image hidden.\n\
         \x20 no answer GET fetch id 1.2 https://shop.test/slow [no status yet]"
    );
    assert_eq!(outcome.details["data"]["requests"].as_array().unwrap().len(), 2);
}

// PRES-NET-05, RED-04, RED-05
#[test]
fn one_request_shows_headers_and_bodies_without_their_secrets() {
    let outcome = text(&shown(&recorded("network/request-post")));
    assert!(outcome.contains("Authorization: [REDACTED]"));
    assert!(outcome.contains("{\"user\":\"ann\",\"password\":\"[REDACTED]\"}"));
    assert!(!outcome.contains("not-a-real"));
}

// PRES-COOK-01, RED-02
#[test]
fn no_cookie_shows_its_value() {
    let outcome = shown(&recorded("cookies/several"));
    assert_eq!(
        text(&outcome),
        "Cookies: 2 (values are never shown).\n\
         \x20 sid, on 127.0.0.1/, session, httpOnly, sameSite Lax\n\
         \x20 theme, on 127.0.0.1/, session"
    );
    let details = outcome.details["data"].to_string();
    assert!(!details.contains("not-a-real-session") && !details.contains("dark"));
}

// PRES-STOR-01, RED-03
#[test]
fn plain_storage_values_are_shown_and_secrets_are_not() {
    let mut recorded = recorded("storage/all");
    recorded.answer.data =
        json!({ "data": { "theme": "dark", "auth_token": "abc", "blob": "3f9c2a77b1d04e6f" } });
    let outcome = shown(&recorded);
    assert_eq!(
        text(&outcome),
        "Local storage: 3 entries.\n  theme: dark\n  auth_token: [REDACTED]\n  blob: [REDACTED]"
    );
    assert_eq!(outcome.details["data"]["data"]["blob"], "[REDACTED]");
}

// PRES-AUTH-01
#[test]
fn profiles_of_auth_are_named_without_what_they_hold() {
    let mut recorded = recorded("auth/show");
    recorded.answer.data["profile"]["password"] = json!("hunter2-hunter2");
    let outcome = shown(&recorded);
    assert_eq!(
        text(&outcome),
        "Auth profile: \"shop\" for \"ann\" at http://127.0.0.1:8000/form.html"
    );
    assert!(!outcome.details["data"].to_string().contains("hunter2"));
}

// PRES-SESS-01, PRES-PROF-01, PRES-DOC-01, PRES-STRM-01, PRES-DASH-01, PRES-SKILL-01
#[test]
fn local_families_are_short_field_lists() {
    check("session/list", "Sessions: 1 running.\n  S");
    check("session/info-running", "Session S: running, pid 4242, browser open, pages 1, chrome.");
    check(
        "stream/status",
        "Stream: enabled, connected, port 9000, ws://127.0.0.1:9000 (JSON messages, frames as base64 JPEG)",
    );
    check("dashboard/stop-none", "Dashboard: \"not running\", nothing to stop.");
    assert!(
        text(&shown(&recorded("doctor/offline")))
            .starts_with("Doctor: 7 passed, 1 warnings, 0 failed.\n")
    );
    assert!(
        text(&shown(&recorded("skills/list")))
            .starts_with("Skills: 9 (skills get NAME shows one).\n")
    );
    let mut recorded = recorded("session/name");
    recorded.step.argv = Argv::of_words(&["profiles"]);
    recorded.answer.data = json!([{ "directory": "Profile 1", "name": "Work" }]);
    assert_eq!(
        text(&shown(&recorded)),
        "Chrome profiles: 1 (use --profile DIRECTORY).\n  \"Profile 1\" named \"Work\""
    );
}

// PRES-LOG-01
#[test]
fn many_messages_are_counted_and_the_latest_are_shown() {
    check(
        "console/messages",
        "Console: 3 messages (1 error, 1 warning).\n  log: a log {a: 1}\n  warning: a warning\n  error: an error",
    );
    let mut recorded = recorded("console/messages");
    let messages: Vec<Value> =
        (0..200).map(|n| json!({ "type": "log", "text": format!("line {}", n / 2) })).collect();
    recorded.answer.data = json!({ "messages": messages });
    let outcome = shown(&recorded);
    let printed = text(&outcome);
    assert!(printed.starts_with("Console: 200 messages.\n20 earlier messages are left out.\n"));
    assert!(printed.ends_with("  log: line 99 (x2)"));
    assert_eq!(outcome.spills[0].text.lines().count(), 100);
}

// RES-52, RES-59, NEXT-10
#[test]
fn an_opened_page_is_summed_up() {
    let outcome = shown(&recorded("open/page"));
    let summary = &outcome.details["pageChangeSummary"];
    assert_eq!(
        *summary,
        json!({
            "changeType": "navigation", "command": "open", "summary": "Opened Sign in",
            "title": "Sign in", "url": "http://127.0.0.1:8000/form.html",
            "nextActionIds": ["inspect-opened-page"],
        })
    );
}

// RES-54, RES-55, RES-56, NEXT-11
#[test]
fn only_commands_that_change_the_page_have_a_summary_of_the_change() {
    let kind = |name: &str| {
        let outcome = shown(&recorded(name));
        outcome.details.get("pageChangeSummary").map(|summary| summary["changeType"].clone())
    };
    for name in [
        "click/by-selector",
        "fill/by-selector",
        "check/by-selector",
        "press/enter",
        "dialog/accept",
    ] {
        assert_eq!(kind(name), Some(json!("mutation")), "{name}");
    }
    for name in
        ["get/title", "get/url", "snapshot/interactive", "tab/list", "cookies/get", "eval/number"]
    {
        assert_eq!(kind(name), None, "{name}");
    }
    assert_eq!(kind("tab/by-id"), Some(json!("navigation")));
    assert_eq!(kind("screenshot/path"), Some(json!("artifact")));
    assert_eq!(ids(&shown(&recorded("click/by-selector"))), ["inspect-after-mutation"]);
}

// NEXT-51, DIAG-CONN-01
#[test]
fn a_connection_offers_the_list_of_its_tabs() {
    let mut recorded = recorded("session/name");
    recorded.step.argv = Argv::of_words(&["connect", "9333"]);
    recorded.answer.data = json!({ "launched": true, "relaunchedBrowser": false });
    assert_eq!(ids(&shown(&recorded)).first(), Some(&"list-connected-session-tabs"));
}

fn requests(rows: Value) -> Recorded {
    let mut recorded = recorded("network/requests");
    recorded.answer.data = json!({ "requests": rows });
    recorded
}

fn ids(outcome: &Outcome) -> Vec<&str> {
    outcome.next.iter().map(|action| action.id.as_str()).collect()
}
