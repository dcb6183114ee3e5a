//! What became of the session: outcomes, namespaces, probes, refs and files that outlive a process.

use agent_browser_native::call::Keep;
use agent_browser_native::session::fact::Fact;
use serde_json::json;

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

async fn opened() -> TestEngine {
    TestEngine::showing(URL).await
}

fn ids(said: &Said) -> Vec<&str> {
    let next = said.details["nextActions"].as_array().unwrap();
    next.iter().map(|next| next["id"].as_str().unwrap()).collect()
}

// SES-52
#[tokio::test]
async fn an_outcome_has_all_its_fields() {
    let tool = opened().await;
    let fresh = tool.send(json!({ "args": ["open", URL], "sessionMode": "fresh" })).await;
    let outcome = fresh.details["managedSessionOutcome"].as_object().unwrap();
    let keys: Vec<&str> = outcome.keys().map(String::as_str).collect();
    for key in [
        "status",
        "sessionMode",
        "attemptedSessionName",
        "previousSessionName",
        "currentSessionName",
        "replacedSessionName",
        "activeBefore",
        "activeAfter",
        "succeeded",
        "summary",
    ] {
        assert!(keys.contains(&key), "{key} is not in {keys:?}");
    }
    assert_eq!(keys.len(), 10, "{keys:?}");
    assert_eq!(outcome["sessionMode"], "fresh");
    assert_eq!(outcome["attemptedSessionName"], outcome["currentSessionName"]);
    assert_eq!(outcome["previousSessionName"], outcome["replacedSessionName"]);
    assert_eq!((&outcome["activeBefore"], &outcome["activeAfter"]), (&json!(true), &json!(true)));
    let same = tool.call(&["get", "title"]).await;
    assert!(same.details["managedSessionOutcome"].get("replacedSessionName").is_none());
}

// SES-62, SES-07, NEXT-47, NEXT-48, NEXT-49, NEXT-50
#[tokio::test]
async fn a_fresh_launch_that_failed_offers_what_may_help() {
    let failing = json!([{ "match": { "argv": ["batch"], "contains": "/nowhere/chrome" },
        "stdout": { "error": "Failed to launch Chrome at \"/nowhere/chrome\": No such file or directory (os error 2)", "success": false },
        "exitCode": 1 }]);
    let args = json!(["--executable-path", "/nowhere/chrome", "open", URL]);
    let call = json!({ "args": args, "sessionMode": "fresh" });
    let tool = TestEngine::new(TestEnv::new().script(&failing));
    tool.call(&["open", URL]).await;
    let said = tool.send(call.clone()).await;
    let expected = [
        "run-agent-browser-doctor",
        "verify-current-managed-session",
        "snapshot-current-managed-session",
        "retry-fresh-managed-session",
    ];
    assert_eq!(ids(&said), expected, "{}", said.text);
    assert_eq!(said.details["nextActions"][3]["params"], call);
    let current = said.details["managedSessionOutcome"]["currentSessionName"].as_str().unwrap();
    let payload = |at: usize| said.details["nextActions"][at]["params"]["args"].clone();
    assert_eq!(payload(1), json!(["--session", current, "get", "url"]));
    assert_eq!(payload(2), json!(["--session", current, "snapshot", "-i"]));
    assert_eq!(said.next(), [json!({ "args": ["doctor"] })], "routine ones stay in details");
    // Without an earlier browser there is none to verify.
    let tool = TestEngine::new(TestEnv::new().script(&failing));
    let said = tool.send(call).await;
    assert_eq!(ids(&said), ["run-agent-browser-doctor", "retry-fresh-managed-session"]);
}

// SES-08, SES-63, SES-64
#[tokio::test]
async fn a_check_that_fails_in_a_fresh_browser_leaves_that_browser_current() {
    let rules = json!([{ "match": { "row": ["console"] },
        "result": { "messages": [{ "type": "error", "text": "TypeError: price is undefined" }] } }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", URL]).await;
    let said = tool.send(json!({ "qa": { "url": URL }, "sessionMode": "fresh" })).await;
    assert_eq!(said.category(), "qa-failure", "{}", said.text);
    let outcome = &said.details["managedSessionOutcome"];
    assert_eq!((&outcome["status"], &outcome["succeeded"]), (&json!("replaced"), &json!(false)));
    assert!(
        said.text.contains("Managed session outcome: the new browser is current"),
        "{}",
        said.text
    );
    assert!(said.text.contains("Recovery: the failure above is about that step"), "{}", said.text);
    assert!(
        said.details.get("qaPreset").is_some() && said.details.get("failureCategory").is_some()
    );
    let after = tool.call(&["get", "title"]).await;
    assert_eq!(after.details["sessionName"], outcome["currentSessionName"]);
    // A later step of a batch that fails is no reason to go back either.
    let rows = json!([["open", URL], ["click", "#nope"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows, "sessionMode": "fresh" })).await;
    assert!(said.is_error);
    let outcome = &said.details["managedSessionOutcome"];
    assert_eq!((&outcome["status"], &outcome["succeeded"]), (&json!("replaced"), &json!(false)));
    assert!(said.details.get("batchFailure").is_some());
    let after = tool.call(&["get", "title"]).await;
    assert_eq!(after.details["sessionName"], outcome["currentSessionName"]);
}

// RUN-16, SES-12
#[tokio::test]
async fn questions_of_ours_stay_on_the_session_and_in_the_namespace_of_the_call() {
    let missed = json!([{ "match": { "row": ["find"] }, "error":
        "No element found by text 'Go'. Verify the selector, role, or name is correct and the element exists in the DOM." }]);
    let tool = TestEngine::new(TestEnv::new().script(&missed));
    for front in [&["--namespace", "team", "--session", "mine"][..], &["--namespace", "team"]] {
        let before = tool.asked().len();
        let with = |args: &[&str]| -> Vec<String> {
            front.iter().chain(args).map(ToString::to_string).collect()
        };
        let send = |args: &[&str]| json!({ "args": with(args) });
        tool.send(send(&["open", URL])).await;
        tool.send(send(&["find", "text", "Go", "click"])).await;
        tool.send(send(&["snapshot", "-i"])).await;
        let asked = &tool.asked()[before..];
        assert!(asked.len() > 3, "a question of our own was asked");
        let session = asked[0].argv.iter().skip_while(|word| *word != "--session").nth(1).unwrap();
        for asked in asked {
            let words: Vec<&str> = asked.argv.iter().map(String::as_str).collect();
            assert_eq!(
                words[..5],
                ["--json", "--namespace", "team", "--session", session],
                "{words:?}"
            );
        }
    }
    // The namespace is part of the session: the same call without it would go elsewhere.
    let said = tool.call(&["--session", "mine", "click", "@e3"]).await;
    assert_eq!(said.category(), "stale-ref", "{}", said.text);
}

// SES-13, PLAN-40
#[tokio::test]
async fn commands_without_a_browser_name_a_session_only_where_the_caller_did() {
    let tool = opened().await;
    let managed = tool.call(&["get", "title"]).await.details["sessionName"].clone();
    let id = tool.call(&["session", "id", "--scope", "worktree", "--prefix", "shop"]).await;
    assert!(!id.is_error, "{}", id.text);
    assert!(
        id.details.get("sessionName").is_none() && id.details.get("usedImplicitSession").is_none()
    );
    let asked = tool.asked().pop().unwrap();
    assert!(asked.argv.ends_with(
        &["session", "id", "--scope", "worktree", "--prefix", "shop"].map(str::to_owned)
    ));
    assert!(!asked.has("--session"));
    let named = tool.call(&["--session", "mine", "session", "info"]).await;
    assert_eq!(named.details["sessionName"], "mine");
    assert!(tool.asked().pop().unwrap().has("mine"));
    assert_eq!(tool.call(&["get", "title"]).await.details["sessionName"], managed);
}

// PLAN-25, IN-TIME-02
#[tokio::test]
async fn long_running_commands_pass_through_and_obey_the_limit() {
    for args in [
        &["chat", "hello"][..],
        &["chat"],
        &["dashboard", "start"],
        &["stream", "enable"],
        &["trace", "start"],
        &["profiler", "start"],
        &["record", "start", "a.webm"],
        &["inspect"],
        &["install"],
        &["upgrade"],
        &["doctor", "--fix"],
    ] {
        let words: Vec<&str> = args.iter().copied().take(1).collect();
        let rules = json!([{ "match": { "argv": words }, "hang": true }, { "match": { "row": words }, "hang": true }]);
        let tool = TestEngine::new(TestEnv::new().script(&rules));
        let started = std::time::Instant::now();
        let said = tool.send(json!({ "args": args, "timeoutMs": 400 })).await;
        assert_eq!(said.category(), "timeout", "{args:?}: {}", said.text);
        assert!(started.elapsed() < std::time::Duration::from_millis(2_500), "{args:?}");
        let sent = tool.asked().into_iter().any(|asked| {
            asked.argv.iter().any(|word| word == args[0]) || asked.commands().contains(&args[0])
        });
        assert!(sent, "{args:?} was sent");
    }
    // A flag that asks on a terminal is handed on; nobody answers, so the limit holds.
    let waits = json!([{ "match": { "argv": ["batch"] }, "hang": true }]);
    let tool = TestEngine::new(TestEnv::new().script(&waits));
    let args = ["--confirm-interactive", "--confirm-actions", "eval", "open", URL];
    let said = tool.send(json!({ "args": args, "timeoutMs": 400 })).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    assert!(tool.asked().iter().any(|asked| asked.has("--confirm-interactive")));
    // Those that work on a browser work on the managed one.
    let tool = opened().await;
    let managed = tool.call(&["get", "title"]).await.details["sessionName"].clone();
    for args in [
        &["stream", "enable"][..],
        &["trace", "start"],
        &["record", "start", "a.webm"],
        &["inspect"],
        &["chat", "hello"],
    ] {
        let said = tool.call(args).await;
        assert_eq!(said.details["sessionName"], managed, "{args:?}");
        assert!(tool.asked().pop().unwrap().has(managed.as_str().unwrap()), "{args:?}");
    }
    // Without a limit of the caller's the derived one holds.
    let rules = json!([{ "match": { "row": ["get", "html"] }, "hang": true }]);
    let env = TestEnv::new().script(&rules).with("PI_AGENT_BROWSER_PROCESS_TIMEOUT_MS", "500");
    let tool = TestEngine::new(env);
    tool.call(&["open", URL]).await;
    let said = tool.call(&["get", "html", "main"]).await;
    assert!(said.first().contains("stopped after 500 ms"), "{}", said.text);
}

// PLAN-59
#[tokio::test]
async fn a_close_of_ours_ends_at_its_own_limit() {
    let rules = json!([{ "match": { "argv": ["close"] }, "hang": true }]);
    let name = "PI_AGENT_BROWSER_IMPLICIT_SESSION_CLOSE_TIMEOUT_MS";
    let env = TestEnv::new().script(&rules).with(name, "300").with("FAKE_UPSTREAM_DAEMON", "1");
    let tool = TestEngine::new(env);
    tool.call(&["open", URL]).await;
    let started = std::time::Instant::now();
    tool.engine.shutdown().await;
    let time = started.elapsed();
    assert!(time >= std::time::Duration::from_millis(280), "{time:?}");
    assert!(time < std::time::Duration::from_millis(3_500), "{time:?}");
    assert!(tool.asked().iter().any(|asked| asked.has("close")));
}

// PLAN-64
#[tokio::test]
async fn labels_of_a_screenshot_are_asked_for_in_front_of_the_batch() {
    let tool = opened().await;
    for params in [
        json!({ "args": ["screenshot", "--annotate", "a.png"] }),
        json!({ "args": ["batch"], "stdin": json!([["screenshot", "--annotate", "b.png"]]).to_string() }),
    ] {
        let said = tool.send(params).await;
        assert!(!said.is_error, "{}", said.text);
        let asked = tool
            .asked()
            .into_iter()
            .rev()
            .find(|asked| asked.commands().contains(&"screenshot"))
            .unwrap();
        let place = |word: &str| asked.argv.iter().position(|token| token == word);
        assert!(
            place("--annotate") < place("batch") && place("--annotate").is_some(),
            "{:?}",
            asked.argv
        );
        assert!(asked.rows.iter().flatten().all(|word| word != "--annotate"), "{:?}", asked.rows);
    }
}

// PAGE-02, PRES-NET-05
#[tokio::test]
async fn addresses_of_requests_move_no_page_and_void_no_refs() {
    let request = json!({ "requestId": "1.1", "url": "https://api.test/v1", "method": "GET", "status": 200,
        "resourceType": "fetch" });
    let rules = json!([
        { "match": { "row": ["network", "request"] }, "result": request },
        { "match": { "row": ["network", "requests"] }, "result": { "requests": [request] } },
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", URL]).await;
    for args in [&["network", "request", "1.1"][..], &["network", "requests"]] {
        let said = tool.call(args).await;
        assert!(!said.is_error, "{}", said.text);
        assert!(said.text.contains("1.1"), "the id for further calls: {}", said.text);
        let facts: Vec<Fact> = serde_json::from_value(said.details["facts"].clone()).unwrap();
        assert!(!serde_json::to_string(&facts).unwrap().contains("api.test"), "{facts:?}");
    }
    let clicked = tool.call(&["click", "@e3"]).await;
    assert!(clicked.first().starts_with("Clicked @e3"), "{}", clicked.text);
}

// PAGE-13, RES-50
#[tokio::test]
async fn navigating_commands_tell_title_and_address_in_details() {
    let tool = opened().await;
    for args in [&["click", "#a"][..], &["back"], &["forward"], &["reload"]] {
        let said = tool.call(args).await;
        assert!(!said.is_error, "{args:?}: {}", said.text);
        let summary = &said.details["navigationSummary"];
        assert_eq!(summary["title"], "Fake page", "{args:?}: {}", said.details);
        assert_eq!(summary["url"], URL, "{args:?}");
    }
}

// PAGE-11
#[tokio::test]
async fn a_connection_is_no_page_yet() {
    let tool = TestEngine::new(TestEnv::new());
    let said = tool.call(&["--session", "mine", "connect", "9222"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(ids(&said).contains(&"list-connected-session-tabs"));
    assert_eq!(said.next()[0], json!({ "args": ["--session", "mine", "tab", "list"] }));
    assert!(said.text.contains("Choose a tab of it, then snapshot -i."), "{}", said.text);
    // No page and no refs are taken for granted.
    assert_eq!(tool.call(&["--session", "mine", "click", "@e1"]).await.category(), "stale-ref");
}

// PAGE-27
#[tokio::test]
async fn a_click_is_judged_by_the_stored_snapshot_and_takes_none_of_its_own() {
    let tool = opened().await;
    let said = tool.call(&["click", "@e3"]).await;
    assert!(said.first().starts_with("Clicked @e3 button \"Save\""), "{}", said.text);
    assert_eq!(tool.asked().pop().unwrap().commands(), ["eval", "click", "eval"]);
}

// PAGE-24
#[tokio::test]
async fn a_snapshot_that_a_diagnostic_took_gives_the_refs_of_the_session() {
    let missed = json!([{ "match": { "row": ["find"] }, "error":
        "No element found by text 'Save'. Verify the selector, role, or name is correct and the element exists in the DOM." }]);
    let tool = TestEngine::with(TestEnv::new().script(&missed), |options| options.view = false);
    tool.call(&["open", URL]).await;
    assert_eq!(tool.call(&["click", "@e3"]).await.category(), "stale-ref", "no snapshot yet");
    tool.call(&["find", "text", "Save", "click"]).await;
    let clicked = tool.call(&["click", "@e3"]).await;
    assert!(clicked.first().starts_with("Clicked @e3 button \"Save\""), "{}", clicked.text);
}

fn facts_of(said: &Said) -> Vec<Fact> {
    serde_json::from_value(said.details["facts"].clone()).unwrap()
}

// PAGE-22, DEC-64
#[tokio::test]
async fn refs_come_back_from_the_details_of_a_transcript() {
    let tool = TestEngine::new(TestEnv::new());
    let mut facts = Vec::new();
    let opened = tool.call(&["open", URL]).await;
    let snapshot = tool.call(&["snapshot", "-i"]).await;
    assert!(snapshot.details.get("refSnapshot").is_some());
    let title = tool.call(&["get", "title"]).await;
    assert!(title.details.get("refSnapshot").is_none(), "only where it changed");
    for said in [&opened, &snapshot, &title] {
        facts.extend(facts_of(said));
    }
    let line = snapshot.text.lines().find(|line| line.contains("button \"Save\"")).unwrap();
    let id = line.split_once("ref=").unwrap().1.trim_end_matches(']');
    let id = format!("@{id}");
    tool.engine.restore(&[]);
    assert_eq!(tool.call(&["click", &id]).await.category(), "stale-ref", "nothing is known");
    tool.engine.restore(&facts);
    let clicked = tool.call(&["click", &id]).await;
    assert!(clicked.first().starts_with(&format!("Clicked {id} button")), "{}", clicked.text);
}

// SES-39
#[tokio::test]
async fn kept_output_goes_with_the_process_or_stays_with_the_session_within_its_budget() {
    let long = json!([{ "match": { "row": ["get", "html"] }, "result": { "html": "<p>row</p>\n".repeat(3_000) } }]);
    let path_in = |said: &Said| {
        said.details["fullOutputPath"].as_str().map(std::path::PathBuf::from).unwrap()
    };
    // A server's own files go with it.
    let tool = TestEngine::new(TestEnv::new().script(&long));
    tool.call(&["open", URL]).await;
    let kept = path_in(&tool.call(&["get", "html", "main"]).await);
    assert!(kept.is_file());
    tool.engine.shutdown().await;
    assert!(!kept.exists(), "{}", kept.display());
    // Those of a session that a host keeps survive its process, the oldest leave for the newest.
    let env =
        TestEnv::new().script(&long).with("PI_AGENT_BROWSER_SESSION_ARTIFACT_MAX_BYTES", "100000");
    let tool = TestEngine::with(env, |options| {
        options.door = "pi";
        options.keep = Keep::ThisProcess;
    });
    tool.call(&["open", URL]).await;
    let mut paths = Vec::new();
    for _ in 0..6 {
        paths.push(path_in(&tool.call(&["get", "html", "main"]).await));
    }
    tool.engine.hand_over().await;
    assert!(!paths[0].exists(), "the oldest made room");
    assert!(paths[5].is_file(), "the newest stays");
    let there =
        paths.iter().filter_map(|path| path.metadata().ok()).map(|file| file.len()).sum::<u64>();
    assert!(there <= 100_000, "{there}");
}

// PLAN-55, PLAN-56, DIAG-DIALOG-01, IN-TIME-02
#[tokio::test]
async fn commands_that_may_hang_in_a_dialog_get_less_time() {
    use agent_browser_native::command::parse;
    use agent_browser_native::plan::Step;
    use agent_browser_native::plan::rewrite::row_words;
    use agent_browser_native::plan::timeouts::{Limits, watchdog};
    let limit = |args: &[&str], stdin: Option<&str>| {
        let words: Vec<String> = args.iter().map(ToString::to_string).collect();
        let argv = parse(&words).unwrap();
        let words = row_words(&argv, stdin, std::path::Path::new("/tmp"));
        let limits = Limits { own: None, default_ms: 45_000, silent_host: false };
        watchdog(&[Step { argv, words }], false, limits).unwrap().as_millis()
    };
    assert_eq!(limit(&["dialog", "accept"], None), 5_000);
    assert_eq!(limit(&["dialog", "status"], None), 5_000);
    assert_eq!(limit(&["eval", "confirm('Delete?')"], None), 8_000);
    assert_eq!(limit(&["eval", "--stdin"], Some("window.prompt('Name')")), 8_000);
    assert_eq!(limit(&["eval", "--stdin"], Some("document.title")), 45_000);
    assert_eq!(
        limit(&["click", "#a"], None),
        45_000,
        "a short limit would kill clicks that navigate"
    );
    assert_eq!(limit(&["wait", "60000"], None), 65_000);
    assert_eq!(limit(&["wait", "#a", "--timeout", "1000"], None), 45_000);
}

// RES-27, SES-57, SES-58, SES-61
#[tokio::test]
async fn a_fresh_call_without_an_upstream_says_what_became_of_the_session_and_nothing_else() {
    let fresh = json!({ "args": ["open", URL], "sessionMode": "fresh" });
    let tool = TestEngine::new(TestEnv::without_upstream());
    let said = tool.send(fresh.clone()).await;
    let lines: Vec<&str> = said.text.lines().collect();
    assert!(lines[0].starts_with("Failed (missing-binary, isError: true): "), "{}", said.text);
    assert!(lines[0].ends_with(" or see https://agent-browser.dev"), "{}", said.text);
    let rest = [
        "Managed session outcome: the new browser did not start, and no other is open.",
        "Recovery: install it, then send the call again.",
    ];
    assert_eq!(lines[1..], rest);
    assert_eq!(said.details["managedSessionOutcome"]["status"], "abandoned");
    // With a browser that runs already.
    let env = TestEnv::new();
    let upstream = env.path("bin/agent-browser");
    std::os::unix::fs::symlink(crate::support::env::fake_upstream(), &upstream).unwrap();
    let env = env.with("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", upstream.to_str().unwrap());
    let tool = TestEngine::new(env);
    tool.call(&["open", URL]).await;
    std::fs::remove_file(upstream).unwrap();
    let said = tool.send(fresh).await;
    assert_eq!(said.category(), "missing-binary");
    assert_eq!(said.details["managedSessionOutcome"]["status"], "preserved", "{}", said.text);
    let lines: Vec<&str> = said.text.lines().collect();
    assert_eq!(lines.len(), 3, "{}", said.text);
    assert!(lines[1].ends_with("the earlier one is still current."), "{}", said.text);
    // Only a fresh call has the lines.
    let auto = tool.call(&["get", "title"]).await;
    assert_eq!(auto.text.lines().count(), 1, "{}", auto.text);
}

// RES-26, SES-61
#[tokio::test]
async fn progress_of_a_timeout_stands_in_front_of_what_became_of_the_session() {
    let hangs = json!([{ "match": { "argv": ["batch"] }, "hang": true }]);
    let tool = TestEngine::new(TestEnv::new().script(&hangs));
    let steps = json!([{ "action": "open", "url": "http://shop.test/never" }]);
    let call = json!({ "job": { "steps": steps }, "sessionMode": "fresh", "timeoutMs": 300 });
    let said = tool.send(call).await;
    assert_eq!(said.category(), "timeout", "{}", said.text);
    let at = |words: &str| {
        let found = said.text.lines().position(|line| line.starts_with(words));
        found.unwrap_or_else(|| panic!("{words}: {}", said.text))
    };
    assert!(at("Timeout partial progress") < at("Managed session outcome"), "{}", said.text);
    assert_eq!(at("Recovery") + 1, said.text.lines().count(), "{}", said.text);
}

// PLAN-39
#[tokio::test]
async fn commands_without_a_session_answer_as_json_and_inspection_as_text() {
    let tool = TestEngine::new(TestEnv::new());
    for args in [&["profiles"][..], &["session", "list"], &["skills", "list"], &["state", "list"]] {
        tool.call(args).await;
        let asked = tool.asked().pop().unwrap();
        assert!(asked.has(args[0]) && asked.has("--json"), "{args:?}: {:?}", asked.argv);
        assert!(!asked.has("--session"), "{args:?}: {:?}", asked.argv);
    }
    for args in [&["--help"][..], &["click", "--help"]] {
        let said = tool.call(args).await;
        assert_eq!(said.category(), "inspection", "{}", said.text);
        assert!(serde_json::from_str::<serde_json::Value>(&said.text).is_err(), "{args:?}");
    }
}
