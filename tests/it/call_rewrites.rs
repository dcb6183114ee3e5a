//! Commands that ours completes: page filters, direct downloads, comparisons, the browser's name.

use std::fs;

use agent_browser_native::call::Keep;
use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;

const LOCAL: &str = "http://127.0.0.1:8080/shop";

async fn opened_at(url: &str, rules: Value) -> TestEngine {
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let said = tool.call(&["open", url]).await;
    assert!(!said.is_error, "{}", said.text);
    tool
}

fn requests() -> Value {
    let row = |url: &str, id: &str| json!({ "url": url, "method": "GET", "requestId": id, "resourceType": "Fetch", "status": 200 });
    let rows = [
        row("http://127.0.0.1:8080/shop", "1.1"),
        row("http://127.0.0.1:8080/api/price", "1.2"),
        row("http://127.0.0.1:9090/other", "1.3"),
        row("https://cdn.test/lib.js", "1.4"),
    ];
    json!([{ "match": { "row": ["network", "requests"] }, "result": { "requests": rows } }])
}

// PLAN-21, PLAN-22, DIAG-NETF-01, DIAG-NETF-02
#[tokio::test]
async fn requests_are_filtered_by_the_active_page_in_the_same_process() {
    for (flag, kept, word) in [
        ("--current-page", 2, "origin"),
        ("--current-origin", 2, "origin"),
        ("--current-url", 1, "url"),
    ] {
        let tool = opened_at(LOCAL, requests()).await;
        let said = tool.call(&["network", "requests", flag, "--type", "fetch"]).await;
        let counts = &said.details["networkRequestsPageFilter"];
        assert_eq!(
            *counts,
            json!({ "filter": word, "applied": true, "page": LOCAL, "total": 4, "matched": kept,
                "excluded": 4 - kept })
        );
        assert_eq!(said.details["data"]["requests"].as_array().unwrap().len(), kept);
        assert!(!said.text.contains("cdn.test"), "{}", said.text);
        assert!(said.text.contains(&format!("{kept} of 4 requests belong to the active page")));
        let asked = tool.asked().pop().unwrap();
        assert_eq!(asked.rows[0], ["network", "requests", "--type", "fetch"]);
        assert_eq!(asked.commands(), ["network", "eval"]);
        assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
    }
    let tool = opened_at(LOCAL, requests()).await;
    let said = tool.call(&["network", "requests"]).await;
    assert!(
        said.text.contains("cdn.test") && said.details.get("networkRequestsPageFilter").is_none()
    );
    let said = tool.call(&["batch", "network requests --current-url"]).await;
    assert!(said.text.contains("1 of 4 requests belong"), "{}", said.text);
}

// HAZ-12
#[tokio::test]
async fn requests_without_a_status_are_told_apart_by_the_page() {
    let row = |url: &str| json!({ "url": url, "method": "GET", "requestId": url, "resourceType": "Fetch" });
    let rules = json!([
        { "match": { "row": ["network", "requests"] },
          "result": { "requests": [row("http://127.0.0.1:8080/gone"), row("http://127.0.0.1:8080/slow")] } },
        { "match": { "row": ["eval"], "contains": "\"resources\":true" },
          "value": { "url": LOCAL, "resources": ["http://127.0.0.1:8080/gone"] } },
    ]);
    let tool = opened_at(LOCAL, rules).await;
    let said = tool.call(&["network", "requests"]).await;
    assert!(said.text.contains("Network failure summary: 1 actionable"), "{}", said.text);
    assert!(said.text.contains("1 pending"), "{}", said.text);
}

fn anchor(answer: Value) -> Value {
    json!([{ "match": { "row": ["eval"], "contains": "anchorDownload(ask)" }, "value": answer }])
}

fn file() -> Value {
    json!({ "url": "http://127.0.0.1:8080/a.csv", "type": "text/csv", "size": 5, "base64": "Ynl0ZXM=" })
}

// PLAN-65, DEC-26, DEC-27, ART-28
#[tokio::test]
async fn a_link_on_this_machine_is_read_in_the_page_and_saved() {
    let tool = opened_at(LOCAL, anchor(file())).await;
    let said = tool.call(&["download", "#csv", "got/a.csv"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(said.text.contains("Download completed: "), "{}", said.text);
    assert_eq!(fs::read(tool.env.path("got/a.csv")).unwrap(), b"bytes");
    assert!(!said.details.to_string().contains("Ynl0ZXM="), "the content is not repeated");
    assert_eq!(tool.asked().pop().unwrap().commands(), ["eval"]);
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
}

async fn by_upstream(tool: &TestEngine, args: &[&str]) -> Said {
    let said = tool.call(args).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(fs::read(tool.env.path("a.bin")).unwrap(), b"downloaded");
    said
}

// PLAN-66, DEC-26
#[tokio::test]
async fn everything_else_is_upstreams_download() {
    let download = ["download", "#csv", "a.bin"];
    for left in ["link", "response", "size", "error"] {
        let tool = opened_at(LOCAL, anchor(json!({ "left": left }))).await;
        by_upstream(&tool, &download).await;
    }
    // Not even asked: another machine, a ref, a profile.
    let tool = opened_at("http://shop.test/", anchor(file())).await;
    let said = by_upstream(&tool, &download).await;
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
    let tool = opened_at(LOCAL, anchor(file())).await;
    by_upstream(&tool, &["download", "@e2", "a.bin"]).await;
    let tool = TestEngine::new(TestEnv::new().script(&anchor(file())));
    tool.call(&["--profile", "/tmp/p", "open", LOCAL]).await;
    by_upstream(&tool, &download).await;
}

// HAZ-12
#[tokio::test]
async fn a_comparison_without_baseline_is_made_with_the_last_snapshot() {
    // In a process that goes on, and in a file where the next call has another one.
    for keep in [Keep::ThisProcess, Keep::IdleTimeout] {
        compares_with_the_last_snapshot(keep).await;
    }
}

// HAZ-12, RED-20
#[tokio::test]
async fn a_comparison_shows_no_secret_of_the_call_before() {
    let button = |name: &str| {
        json!({ "origin": LOCAL, "refs": { "e1": { "role": "button", "name": name } },
            "removedRefs": [], "snapshot": format!("- button \"{name}\" [ref=e1]") })
    };
    let rules = json!([
        { "match": { "row": ["snapshot", "-i"] }, "times": 1, "result": button("plum-tree-9") },
        { "match": { "row": ["snapshot", "-i"] }, "result": button("Saved") },
    ]);
    for keep in [Keep::ThisProcess, Keep::IdleTimeout] {
        let env = TestEnv::new().script(&rules);
        let tool = TestEngine::with(env, |options| options.keep = keep);
        let opened = tool
            .call(&["--headers", "{\"Authorization\":\"Bearer plum-tree-9\"}", "open", LOCAL])
            .await;
        assert!(!opened.text.contains("plum-tree-9"), "{}", opened.text);
        let said = tool.call(&["diff", "snapshot"]).await;
        assert!(said.first().starts_with("Diff: 1 lines added, 1 removed"), "{}", said.text);
        assert!(!said.text.contains("plum-tree-9"), "{}", said.text);
        assert!(!said.details.to_string().contains("plum-tree-9"), "{}", said.details);
    }
}

async fn compares_with_the_last_snapshot(keep: Keep) {
    let button = |name: &str| {
        json!({ "origin": LOCAL, "refs": { "e1": { "role": "button", "name": name } },
            "removedRefs": [], "snapshot": format!("- button \"{name}\" [ref=e1]\n- link \"Home\" [ref=e2]") })
    };
    let rules = json!([
        { "match": { "row": ["snapshot", "-i"] }, "times": 1, "result": button("Save") },
        { "match": { "row": ["snapshot", "-i"] }, "result": button("Saved") },
    ]);
    let tool = TestEngine::with(TestEnv::new().script(&rules), |options| options.keep = keep);
    let early = tool.call(&["diff", "snapshot"]).await;
    assert_eq!(early.category(), "validation-error", "{}", early.text);
    tool.call(&["open", LOCAL]).await;
    let said = tool.call(&["diff", "snapshot"]).await;
    assert!(
        said.first().starts_with("Diff: 1 lines added, 1 removed, 1 unchanged"),
        "{}",
        said.text
    );
    assert!(said.text.contains("+- button \"Saved\" [ref=e1]"), "{}", said.text);
    assert!(said.text.contains("-- button \"Save\""), "{}", said.text);
    assert_eq!(said.details["data"]["baseline"], "last-snapshot");
    // The lines have been seen now.
    assert_eq!(tool.call(&["diff", "snapshot"]).await.text, "Diff: nothing differs.");
    let other = tool.call(&["diff", "snapshot", "-c"]).await;
    assert_eq!(other.next(), vec![json!({ "args": ["snapshot", "-c"] })]);
    let baseline = tool.env.path("b.txt");
    fs::write(&baseline, "x").unwrap();
    tool.call(&["diff", "snapshot", "--baseline", "b.txt"]).await;
    let row = tool.asked().pop().unwrap().rows.pop().unwrap();
    assert_eq!(row, ["diff", "snapshot", "--baseline", baseline.to_str().unwrap()]);
    tool.call(&["close"]).await;
    tool.call(&["get", "title"]).await;
    assert!(tool.call(&["diff", "snapshot"]).await.is_error, "a new browser has no last snapshot");
}

// HAZ-18, DIAG-REC-02
#[tokio::test]
async fn a_recording_without_ffmpeg_fails_with_the_warning() {
    let error = "ffmpeg not found or failed to execute: No such file or directory (os error 2). \
                 Install ffmpeg to enable recording.";
    let rules = json!([{ "match": { "row": ["record", "start"] }, "error": error }]);
    let tool = opened_at(LOCAL, rules).await;
    let said = tool.call(&["record", "start", "a.webm"]).await;
    assert_eq!(said.category(), "upstream-error");
    assert!(said.first().contains("nothing was recorded"), "{}", said.text);
    assert!(said.text.contains("Recording dependency warning: ffmpeg not found on PATH"));
    let warning = &said.details["recordingDependencyWarning"];
    assert_eq!(warning["reason"], "ffmpeg-missing-for-recording");
    assert_eq!(
        (&warning["dependency"], &warning["command"]),
        (&json!("ffmpeg"), &json!("record start"))
    );
    assert!(warning["message"].is_string() && warning["recommendations"].is_array());
}

fn with_browser() -> TestEnv {
    let env = TestEnv::new();
    let browser = env.tool("google-chrome", "echo Google Chrome 156.0.7100.2");
    env.with("AGENT_BROWSER_EXECUTABLE_PATH", browser.to_str().unwrap())
}

fn named(tool: &TestEngine) -> Option<String> {
    let launch = tool.asked().into_iter().next().unwrap();
    let at = launch.argv.iter().position(|word| word == "--user-agent")?;
    launch.argv.get(at + 1).cloned()
}

// PLAN-23, DEC-28
#[tokio::test]
async fn a_headless_launch_to_a_chat_site_says_what_a_window_would_say() {
    for url in ["https://chatgpt.com/", "https://chat.com/x", "chat.openai.com"] {
        let tool = TestEngine::new(with_browser());
        tool.call(&["open", url]).await;
        let name = named(&tool).unwrap();
        assert!(name.ends_with("Chrome/156.0.0.0 Safari/537.36"), "{name}");
        tool.call(&["get", "title"]).await;
        assert!(!tool.asked().pop().unwrap().has("--user-agent"), "only the launch");
    }
    let tool = TestEngine::new(with_browser());
    tool.call(&["open", "https://shop.test/"]).await;
    assert_eq!(named(&tool), None);
    tool.call(&["open", "https://chatgpt.com/"]).await;
    assert!(!tool.asked().pop().unwrap().has("--user-agent"), "the browser runs already");
}

// PLAN-24
#[tokio::test]
async fn a_caller_who_chose_keeps_the_choice() {
    for flags in [
        &["--user-agent", "mine"][..],
        &["--headed"],
        &["--cdp", "9222"],
        &["--auto-connect"],
        &["--provider", "kernel"],
        &["--args", "--user-agent=mine"],
    ] {
        let tool = TestEngine::new(with_browser());
        let args: Vec<&str> =
            flags.iter().copied().chain(["open", "https://chatgpt.com/"]).collect();
        tool.call(&args).await;
        assert!(named(&tool).is_none_or(|name| name == "mine"), "{flags:?}");
    }
    let tool = TestEngine::new(with_browser().with("AGENT_BROWSER_HEADED", "true"));
    tool.call(&["open", "https://chatgpt.com/"]).await;
    assert_eq!(named(&tool), None);
    let tool = TestEngine::new(with_browser());
    tool.call(&["--session", "mine", "open", "https://chatgpt.com/"]).await;
    assert_eq!(named(&tool), None, "a session of the caller gets nothing of ours");
}

// PLAN-26, CFG-08
#[tokio::test]
async fn configured_defaults_are_never_put_into_a_launch() {
    let tool = TestEngine::new(TestEnv::new());
    let config =
        json!({ "browser": { "defaultProfile": "Work", "executablePath": "/opt/chrome" } });
    for place in ["home/.pi/config/pi-agent-browser-native", ".pi/config/pi-agent-browser-native"] {
        fs::create_dir_all(tool.env.path(place)).unwrap();
        fs::write(tool.env.path(place).join("config.json"), config.to_string()).unwrap();
    }
    tool.call(&["open", LOCAL]).await;
    let launch = tool.asked().remove(0);
    assert!(!launch.has("--profile") && !launch.has("--executable-path"), "{:?}", launch.argv);
    assert!(launch.entry["env"].get("AGENT_BROWSER_PROFILE").is_none());
    assert!(launch.entry["env"].get("AGENT_BROWSER_EXECUTABLE_PATH").is_none());
}

// IN-ARGS-03, HAZ-09
#[tokio::test]
async fn a_find_without_an_action_is_sent_and_judged_as_a_click() {
    let tool = opened_at(LOCAL, json!([])).await;
    let rows = |args: &[&str]| {
        let args = json!(args);
        let (tool, args) = (&tool, args);
        async move {
            let said = tool.send(json!({ "args": args })).await;
            assert!(said.first().starts_with("Clicked"), "{}", said.text);
            assert_eq!(said.details["args"], args, "as it was sent");
            tool.asked().pop().unwrap().rows
        }
    };
    let with_action = rows(&["find", "text", "Delete", "click"]).await;
    assert_eq!(rows(&["find", "text", "Delete"]).await, with_action);
    assert!(with_action.contains(&["find", "text", "Delete", "text"].map(str::to_owned).to_vec()));
    let batch = |row: Value| {
        let params =
            json!({ "args": ["batch"], "stdin": json!([row, ["get", "title"]]).to_string() });
        let tool = &tool;
        async move {
            let said = tool.send(params).await;
            assert!(!said.is_error, "{}", said.text);
            tool.asked().pop().unwrap().rows
        }
    };
    let with_action = batch(json!(["find", "nth", "1", ".row", "click"])).await;
    assert_eq!(batch(json!(["find", "nth", "1", ".row"])).await, with_action);
}

// HAZ-16, HAZ-09
#[tokio::test]
async fn an_exact_find_that_is_covered_for_a_moment_is_tried_again() {
    let exact = "Evaluation error: Error: agent-browser-native:exact-match-behind:";
    let cover = "Element '[data-agent-browser-found]' is covered by <div#toast> at its click point, so the input would land on that element instead.";
    let rules = json!([
        { "match": { "row": ["eval"], "contains": "askInFront" }, "error": exact, "times": 1 },
        { "match": { "row": ["click"] }, "error": cover, "times": 1 },
    ]);
    let tool = opened_at(LOCAL, rules).await;
    let said = tool.call(&["find", "text", "Delete", "click"]).await;
    assert!(said.first().starts_with("Clicked"), "{}", said.text);
    let exactly = ["find", "text", "Delete", "text", "--exact"].map(str::to_owned).to_vec();
    let tries = tool.asked().into_iter().filter(|asked| asked.rows.contains(&exactly));
    assert_eq!(tries.count(), 2, "the second time once nothing moves");
}
