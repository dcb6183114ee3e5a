//! Managed and named sessions through the whole walk, on the stand-in.

use agent_browser_native::call::Keep;
use agent_browser_native::session::lease::{LeaseOwner, Leases, now_seconds};
use agent_browser_native::session::reap::reap;
use serde_json::json;

use crate::support::engine::TestEngine;
use crate::support::env::{TestEnv, soon};

const URL: &str = "http://shop.test/";

async fn opened() -> TestEngine {
    TestEngine::showing(URL).await
}

// SES-01, SES-03, SES-53, SES-55, PLAN-01, PLAN-02, DEC-13, RES-04
#[tokio::test]
async fn calls_without_a_session_share_one_browser() {
    let tool = TestEngine::new(TestEnv::new());
    let first = tool.call(&["open", URL]).await;
    let second = tool.call(&["get", "title"]).await;
    assert_eq!(first.details["managedSessionOutcome"]["status"], "created");
    assert_eq!(second.details["managedSessionOutcome"]["status"], "unchanged");
    assert_eq!(first.details["sessionName"], second.details["sessionName"]);
    assert_eq!(second.details["usedImplicitSession"], true);
    let name = second.details["sessionName"].as_str().unwrap();
    assert_eq!(
        second.details["effectiveArgs"],
        json!(["--json", "--session", name, "get", "title"])
    );
    let argv = tool.asked()[1].argv.clone();
    assert_eq!(argv[..3], ["--json", "--session", name], "{argv:?}");
    assert_eq!(argv.iter().position(|word| word == "batch"), Some(argv.len() - 3), "{argv:?}");
    assert_eq!(second.text, "Fake page");
    assert_eq!(second.details["args"], json!(["get", "title"]));
    assert_eq!(second.details["command"], "get");
    assert_eq!(second.details["sessionMode"], "auto");
    let fresh = tool.send(json!({ "args": ["open", URL], "sessionMode": "fresh" })).await;
    assert_eq!(fresh.details["sessionMode"], "fresh");
}

// SES-05, SES-06, SES-09, SES-54, IN-MODE-03
#[tokio::test]
async fn a_fresh_browser_takes_over_and_the_old_one_is_closed() {
    let tool = opened().await;
    let fresh = tool.send(json!({ "args": ["open", URL], "sessionMode": "fresh" })).await;
    let outcome = &fresh.details["managedSessionOutcome"];
    assert_eq!(outcome["status"], "replaced");
    let old = outcome["replacedSessionName"].as_str().unwrap().to_owned();
    assert_eq!(outcome["currentSessionName"], format!("{old}-f1"));
    tool.engine.settle().await;
    let closes = tool.asked().into_iter().filter(|asked| asked.has("close"));
    let closed: Vec<_> = closes.filter(|asked| asked.has(&old)).collect();
    assert_eq!(closed.len(), 1);
    let after = tool.call(&["get", "title"]).await;
    assert_eq!(after.details["sessionName"], format!("{old}-f1"));
}

// SES-20, SES-21, SES-22, SES-56, PAGE-23
#[tokio::test]
async fn after_a_close_the_next_call_gets_a_new_name() {
    let tool = opened().await;
    let named = tool.call(&["get", "title"]).await.details["sessionName"].clone();
    let closed = tool.call(&["quit"]).await;
    assert_eq!(closed.text, "Closed the browser.");
    assert_eq!(closed.details["managedSessionOutcome"]["status"], "closed");
    let stale = tool.call(&["click", "@e3"]).await;
    assert_eq!(stale.category(), "stale-ref");
    let again = tool.call(&["open", URL]).await;
    assert_ne!(again.details["sessionName"], named);
    let empty = TestEngine::new(TestEnv::new());
    assert_eq!(empty.call(&["close"]).await.text, "No browser was open; nothing to close.");
}

// SES-04, SES-51, IN-MODE-04, RES-07, DEC-30, HAZ-02
#[tokio::test]
async fn a_session_that_the_caller_named_stays_the_callers() {
    let tool = TestEngine::new(TestEnv::new());
    let params = json!({ "args": ["--session", "mine", "open", URL], "sessionMode": "fresh" });
    let said = tool.send(params).await;
    assert_eq!(said.details["sessionName"], "mine");
    assert_eq!(said.details["usedImplicitSession"], false);
    assert!(said.details.get("managedSessionOutcome").is_none());
    let asked = tool.asked();
    assert!(!asked[0].has("--idle-timeout"), "{:?}", asked[0].argv);
    tool.engine.shutdown().await;
    assert!(!tool.asked().iter().any(|asked| asked.has("close")));
}

// SES-23, SES-50
#[tokio::test]
async fn naming_the_managed_session_in_a_close_closes_it() {
    let tool = opened().await;
    let name =
        tool.call(&["get", "title"]).await.details["sessionName"].as_str().unwrap().to_owned();
    let closed = tool.call(&["--session", &name, "close"]).await;
    assert_eq!(closed.details["managedSessionOutcome"]["status"], "closed");
}

// SES-10, HAZ-02, PLAN-50
#[tokio::test]
async fn launch_options_go_to_the_launch_and_daemon_options_to_every_call() {
    let env = TestEnv::new().with("AGENT_BROWSER_USER_AGENT", "probe/1");
    let tool = TestEngine::new(env);
    tool.call(&["--profile", "/tmp/p", "open", URL]).await;
    tool.call(&["get", "title"]).await;
    tool.call(&["close"]).await;
    let asked = tool.asked();
    let (launch, later) = asked.split_first().unwrap();
    assert!(launch.has("--profile") && launch.has("--idle-timeout"));
    assert!(launch.entry["env"].to_string().contains("probe/1"), "{}", launch.entry["env"]);
    for call in later {
        assert!(!call.has("--profile") && call.has("--idle-timeout"), "{:?}", call.argv);
        assert!(!call.entry["env"].to_string().contains("probe/1"));
    }
}

// PLAN-10, SES-65, RES-43, DEC-22
#[tokio::test]
async fn a_launch_flag_on_a_running_browser_is_refused_with_a_ready_call() {
    let tool = opened().await;
    let before = tool.asked().len();
    let said = tool.call(&["--profile", "Work", "open", URL]).await;
    assert_eq!(said.category(), "validation-error");
    assert_eq!(tool.asked().len(), before, "nothing was started");
    let fresh = json!({ "args": ["--profile", "Work", "open", URL], "sessionMode": "fresh" });
    assert_eq!(said.next(), vec![fresh.clone()]);
    let hint = json!({
        "reason": "launch-scoped flag on a running managed session",
        "recommendedSessionMode": "fresh", "exampleArgs": fresh["args"], "exampleParams": fresh,
    });
    assert_eq!(said.details["sessionRecoveryHint"], hint);
    let done = tool.send(fresh).await;
    assert!(!done.is_error);
    // The same value again is no conflict.
    assert!(!tool.call(&["--profile", "Work", "get", "title"]).await.is_error);
}

// SES-07, SES-57, SES-58, SES-59, SES-60, SES-61, RES-47, RED-22
#[tokio::test]
async fn a_fresh_launch_that_fails_says_which_browser_is_current() {
    let rule = json!([{ "match": { "argv": ["batch"], "ends": "-f1" }, "exitCode": 1,
        "stdout": { "error": "No Chrome user data directory found. Cannot resolve profile name.", "success": false } }]);
    let tool = TestEngine::new(TestEnv::new().script(&rule));
    tool.call(&["open", URL]).await;
    let said = tool
        .send(json!({ "args": ["--profile", "Work", "open", URL], "sessionMode": "fresh" }))
        .await;
    assert!(said.is_error);
    assert_eq!(said.details["managedSessionOutcome"]["status"], "preserved");
    let lines: Vec<&str> = said.text.lines().collect();
    let [.., outcome, recovery] = lines.as_slice() else { panic!("{}", said.text) };
    assert!(
        outcome.starts_with("Managed session outcome: the new browser did not start"),
        "{outcome}"
    );
    assert!(recovery.starts_with("Recovery: "), "{recovery}");
    assert!(!said.text.contains("-f1"));
    assert_eq!(tool.call(&["get", "title"]).await.text, "Fake page");
    let alone = TestEngine::new(
        TestEnv::new().script(&json!([{ "match": { "argv": ["batch"] }, "exitCode": 1,
        "stdout": { "error": "Failed to launch Chrome", "success": false } }])),
    );
    let said = alone.call(&["open", URL]).await;
    assert_eq!(said.details["managedSessionOutcome"]["status"], "abandoned");
    assert!(!said.text.contains("Managed session outcome"), "auto failures carry only the struct");
}

// HAZ-03, DEC-65
#[tokio::test]
async fn a_browser_that_upstream_replaced_is_a_lost_page() {
    // Each of the three alone is news enough.
    for lifecycle in [
        json!({ "launched": true }),
        json!({ "restartedBackground": true }),
        json!({ "effectiveLaunch": { "launchHash": 1 } }),
    ] {
        let rule = json!([{ "match": { "row": ["get", "url"] }, "result": { "url": "about:blank",
            "lifecycle": lifecycle } }]);
        let tool = TestEngine::new(TestEnv::new().script(&rule));
        tool.call(&["open", URL]).await;
        let said = tool.call(&["get", "url"]).await;
        assert_eq!(said.category(), "tab-drift", "{lifecycle}");
        assert_eq!(said.next(), vec![json!({ "args": ["open", URL] })], "{lifecycle}");
        tool.engine.settle().await;
        let stale = tool.call(&["click", "@e3"]).await;
        assert!(stale.text.contains("a browser that is gone"), "{lifecycle}: {}", stale.text);
    }
}

// HAZ-03, HAZ-06: a question would start a browser beside the close of the lost one.
#[tokio::test]
async fn a_call_whose_browser_ended_asks_the_page_nothing_more() {
    let cover = "Element '#a' is covered by <div#wall> at its click point, so the input would land on that element instead.";
    let went = "CDP error (Runtime.evaluate): Inspected target navigated or closed";
    let settles = json!({ "row": ["eval"], "contains": "readyState === 'complete'" });
    let ended = "CDP connection closed";
    let rules = json!([
        { "match": { "row": ["wait", "--text"] }, "error": "Wait timed out after 5000ms" },
        { "match": { "row": ["click", "#a"] }, "times": 1, "error": cover },
        { "match": { "row": ["click", "#a"] }, "error": ended },
        { "match": settles, "times": 1, "error": went },
        { "match": settles, "error": ended },
    ]);
    // What each of them lacks at its end, and would ask the page for.
    for (lacks, params) in [
        ("a view", json!({ "args": ["batch", "click @e2", "click #a"] })),
        ("its text", json!({ "args": ["batch", "wait --text never", "click #a"] })),
        ("a picture", json!({ "qa": { "url": URL, "screenshotPath": "late.png" } })),
    ] {
        let tool = TestEngine::new(TestEnv::new().script(&rules));
        tool.call(&["open", URL]).await;
        let said = tool.send(params).await;
        assert!(said.text.contains("The browser ended while this ran"), "{lacks}: {}", said.text);
        tool.engine.settle().await;
        let (closes, asked): (Vec<_>, Vec<_>) =
            tool.asked().into_iter().partition(|asked| asked.has("close"));
        // The start, and the two processes of the call.
        assert_eq!((closes.len(), asked.len()), (1, 3), "{lacks}: {}", said.text);
    }
}

// HAZ-03
#[tokio::test]
async fn a_missing_socket_is_noticed_before_anything_runs() {
    let tool = opened().await;
    let name =
        tool.call(&["get", "title"]).await.details["sessionName"].as_str().unwrap().to_owned();
    let socket = tool.env.places().socket_dir.join(format!("{name}.sock"));
    std::fs::remove_file(&socket).unwrap();
    let before = tool.asked().len();
    let said = tool.call(&["get", "title"]).await;
    assert_eq!(said.category(), "tab-drift");
    assert!(said.first().contains("nothing was done"), "{}", said.first());
    assert_eq!(tool.asked().len(), before);
    let again = tool.call(&["open", URL]).await;
    assert!(again.text.starts_with("Opened"), "{}", again.text);
}

// SES-26, SES-27, SES-30, DEC-106
#[tokio::test]
async fn shutdown_closes_what_this_process_owns_and_nothing_else() {
    let tool = opened().await;
    tool.call(&["--session", "other", "open", URL]).await;
    tool.engine.shutdown().await;
    let closes: Vec<_> = tool.asked().into_iter().filter(|asked| asked.has("close")).collect();
    assert_eq!(closes.len(), 1);
    assert!(!closes[0].has("other"));
    let leases = tool.env.path("state").join("leases");
    let left = std::fs::read_dir(leases).map_or(0, Iterator::count);
    assert_eq!(left, 0);
}

// IN-ARGS-06
#[tokio::test]
async fn open_without_an_address_stays_on_the_page() {
    let tool = opened().await;
    let said = tool.call(&["open"]).await;
    assert!(said.first().ends_with(URL), "{}", said.text);
    assert!(!tool.asked().last().unwrap().commands().contains(&"open"));
}

/// When the stand-in was asked to do something, in milliseconds.
fn time_of(tool: &TestEngine, word: &str) -> u64 {
    let of_word = |entry: &serde_json::Value| entry["stdin"].to_string().contains(word);
    tool.env.log().into_iter().find(of_word).unwrap()["timeMs"].as_u64().unwrap()
}

// SES-23, SES-40
#[tokio::test]
async fn calls_that_name_the_managed_session_wait_for_it_too() {
    let rules = json!([{ "match": { "row": ["get", "title"] }, "delayMs": 600 }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", URL]).await;
    let name = tool.engine.base_name().to_owned();
    let named = async {
        assert!(soon(|| tool.asked().iter().any(|asked| asked.says("title"))).await);
        tool.call(&["--session", &name, "get", "count", "a"]).await
    };
    let (slow, _) = tokio::join!(tool.call(&["get", "title"]), named);
    assert_eq!(slow.text, "Fake page");
    let between = time_of(&tool, "count") - time_of(&tool, "title");
    assert!(between >= 550, "the second one began after {between} ms");
}

// SES-40, DEC-99
#[tokio::test]
async fn a_throw_away_session_is_closed_before_the_next_call_uses_it() {
    let rules = json!([{ "match": { "argv": ["auth"] }, "delayMs": 300 }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tokio::join!(tool.call(&["auth", "list"]), tool.call(&["auth", "list"]));
    tool.engine.settle().await;
    let asked = tool.asked();
    let order: Vec<&str> = asked.iter().map(|asked| asked.argv.last().unwrap().as_str()).collect();
    assert_eq!(order, ["list", "close", "list", "close"]);
}

// DEC-99, HAZ-02
#[tokio::test]
async fn a_throw_away_session_launches_nothing_and_its_close_repeats_its_options() {
    let tool = TestEngine::new(TestEnv::new().with("AGENT_BROWSER_PROFILE", "/tmp/p"));
    tool.call(&["--headed", "--proxy", "http://127.0.0.1:9", "auth", "list"]).await;
    tool.engine.settle().await;
    let asked = tool.asked();
    assert_eq!(asked.len(), 2, "{asked:?}");
    for call in &asked {
        assert!(!call.has("--headed") && !call.has("--proxy"), "{:?}", call.argv);
        assert!(call.has("--idle-timeout"), "{:?}", call.argv);
        assert!(!call.entry["env"].to_string().contains("/tmp/p"), "{}", call.entry["env"]);
    }
    let mark = &asked[0].entry["env"]["AGENT_BROWSER_NATIVE_SESSION"];
    assert!(mark.as_str().unwrap().ends_with("-x"), "the reaper finds its daemon by it");
}

// DEC-30
#[tokio::test]
async fn fresh_means_nothing_to_a_command_without_a_session() {
    let tool = opened().await;
    let name = tool.call(&["get", "title"]).await.details["sessionName"].clone();
    let said = tool.send(json!({ "args": ["profiles"], "sessionMode": "fresh" })).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(said.details.get("managedSessionOutcome").is_none());
    assert_eq!(tool.call(&["get", "title"]).await.details["sessionName"], name);
    assert!(!tool.asked().iter().any(|asked| asked.has("close")));
}

// DEC-106, SES-10
#[tokio::test]
async fn a_browser_is_kept_as_long_as_its_daemon_may_idle() {
    let tool = TestEngine::with(TestEnv::new(), |options| options.keep = Keep::IdleTimeout);
    let began = now_seconds();
    let kept = || match Leases::below(&tool.env.places().state_root).all().pop().unwrap().owner {
        LeaseOwner::KeptUntil(until) => until,
        LeaseOwner::Process(owner) => panic!("{owner:?}"),
    };
    tool.call(&["--idle-timeout", "2h", "open", URL]).await;
    assert!(kept() >= began + 7_200, "{}", kept() - began);
    tool.call(&["get", "title"]).await;
    assert!(kept() >= began + 7_200, "{}", kept() - began);
    tool.call(&["close"]).await;
}

// SES-30, DEC-106
#[tokio::test]
async fn a_host_that_leaves_gives_up_its_calls_before_it_closes_browsers() {
    let stuck = json!([{ "match": { "contains": "--version" }, "hang": true }]);
    let tool = TestEngine::new(TestEnv::new().script(&stuck));
    let started = std::time::Instant::now();
    let leaves = async {
        assert!(soon(|| !tool.env.log().is_empty()).await);
        tool.engine.shutdown().await;
        started.elapsed()
    };
    let (said, left) = tokio::join!(tool.call(&["open", URL]), leaves);
    assert!(said.is_error, "{}", said.text);
    assert!(left < std::time::Duration::from_secs(20), "{left:?}");
    assert!(tool.asked().is_empty(), "no browser was started behind its back");
    let leases = Leases::below(&tool.env.places().state_root).all();
    assert!(leases.is_empty(), "{leases:?}");
    // The same engine may be used again: the host came back.
    tool.env.rescript(&json!([]));
    assert!(!tool.call(&["open", URL]).await.is_error);
    tool.engine.shutdown().await;
}

// DEC-106
#[tokio::test]
async fn a_browser_in_use_is_not_reaped_although_its_time_is_over() {
    let slow = json!([{ "match": { "row": ["get", "title"] }, "delayMs": 1_500 }]);
    let env = TestEnv::new().script(&slow);
    let tool = TestEngine::with(env, |options| options.keep = Keep::IdleTimeout);
    tool.call(&["open", URL]).await;
    let leases = Leases::below(&tool.env.places().state_root);
    let mut lease = leases.all().pop().unwrap();
    lease.owner = LeaseOwner::KeptUntil(now_seconds() - 1);
    leases.write(&lease).unwrap();
    let other = async {
        assert!(soon(|| tool.asked().len() == 2).await);
        reap(&tool.env.places(), &tool.env.parent(), &tool.env.path("work"), false).await
    };
    let (said, reaped) = tokio::join!(tool.call(&["get", "title"]), other);
    assert!(reaped.is_empty(), "{reaped:?}");
    assert_eq!(said.text, "Fake page");
    tool.call(&["close"]).await;
}

// SES-35, DEC-10
#[tokio::test]
async fn only_a_host_session_that_can_come_back_has_a_journal() {
    let keeps = |door, keep| async move {
        let tool = TestEngine::with(TestEnv::new(), |options| {
            (options.door, options.keep) = (door, keep);
        });
        tool.call(&["open", URL]).await;
        tool.engine.shutdown().await;
        tool.env.path("state/journal").exists()
    };
    assert!(!keeps("mcp", Keep::ThisProcess).await, "its name is of this process");
    assert!(keeps("cli", Keep::IdleTimeout).await);
    assert!(keeps("pi", Keep::ThisProcess).await);
}

// DEC-13
#[tokio::test]
async fn effective_args_of_a_batch_hold_the_callers_flags() {
    let tool = TestEngine::new(TestEnv::new());
    let rows = json!([["get", "title"]]).to_string();
    let said = tool.send(json!({ "args": ["--headed", "batch", "--bail"], "stdin": rows })).await;
    let name = tool.engine.base_name();
    assert_eq!(
        said.details["effectiveArgs"],
        json!(["--json", "--session", name, "--headed", "batch", "--bail"])
    );
}
