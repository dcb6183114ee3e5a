//! Launch options: refused on a running browser, carried by the launch, and by nothing else.

use std::os::unix::fs::PermissionsExt;

use agent_browser_native::call::Keep;
use agent_browser_native::command::{FLAGS, FlagKind, FlagSpec, LaunchScope};
use agent_browser_native::session::fact::Fact;
use agent_browser_native::session::state::State;
use serde_json::json;

use crate::support::engine::{Asked, Said, TestEngine};
use crate::support::env::{TestEnv, fake_upstream};

const URL: &str = "http://shop.test/";

fn launch_scoped() -> impl Iterator<Item = &'static FlagSpec> {
    FLAGS.iter().filter(|flag| flag.scope != LaunchScope::None)
}

/// The flag with a value that changes something.
fn sample(flag: &FlagSpec, value: &str) -> Vec<String> {
    let mut tokens = vec![flag.name.to_owned()];
    match flag.kind {
        FlagKind::Switch if flag.default_on => tokens.push("false".to_owned()),
        FlagKind::Switch => {}
        FlagKind::OptionalValue => tokens = vec![format!("{}={value}", flag.name)],
        FlagKind::Value if flag.path => tokens.push(format!("/tmp/{value}")),
        FlagKind::Value => tokens.push(value.to_owned()),
    }
    tokens
}

/// The test's own file as the value of the flag that needs one.
fn with_file(env: &TestEnv, mut tokens: Vec<String>) -> Vec<String> {
    if tokens[0] == "--init-script" {
        let script = env.path("work/init.js");
        std::fs::write(&script, "1").unwrap();
        tokens[1] = script.to_str().unwrap().to_owned();
    }
    tokens
}

async fn opened(env: TestEnv) -> TestEngine {
    let tool = TestEngine::new(env);
    assert!(!tool.call(&["open", URL]).await.is_error);
    tool
}

// PLAN-08, PLAN-09, PLAN-10, PLAN-13, DEC-22, HAZ-02, SES-65
#[tokio::test]
async fn every_launch_flag_on_a_running_browser_is_refused_and_the_page_stays() {
    let tool = opened(TestEnv::new()).await;
    let before = tool.asked().len();
    for flag in launch_scoped() {
        let given = with_file(&tool.env, sample(flag, "other"));
        for place in ["in front", "behind"] {
            let mut args = given.clone();
            let at = if place == "in front" { args.len() } else { 0 };
            args.insert(at, "snapshot".to_owned());
            let said = tool.send(json!({ "args": args })).await;
            assert_eq!(said.category(), "validation-error", "{args:?}: {}", said.text);
            assert!(said.first().contains(flag.name), "{args:?}: {}", said.text);
            let mut ready = given.clone();
            if flag.secret {
                ready[1] = "[REDACTED]".to_owned();
            }
            ready.push("snapshot".to_owned());
            let fresh = json!({ "args": ready, "sessionMode": "fresh" });
            let hint = &said.details["sessionRecoveryHint"];
            assert_eq!(hint["recommendedSessionMode"], "fresh", "{args:?}");
            assert_eq!(hint["exampleArgs"], fresh["args"], "{args:?}");
            assert_eq!(hint["exampleParams"], fresh, "{args:?}");
            // A call that a secret was taken out of is not ready; the words say what to send.
            assert_eq!(said.next(), Vec::from_iter((!flag.secret).then_some(fresh)), "{args:?}");
            assert!(said.text.contains("fresh"), "{args:?}: {}", said.text);
        }
    }
    assert_eq!(tool.asked().len(), before, "nothing was started");
    assert_eq!(tool.call(&["get", "url"]).await.text, URL);
}

// PLAN-15, PLAN-27, DEC-22
#[tokio::test]
async fn flags_that_change_nothing_are_no_conflict() {
    let tool = opened(TestEnv::new()).await;
    for args in [
        &["--auto-connect", "false", "get", "url"][..],
        &["--headed", "false", "get", "url"],
        &["--hide-scrollbars", "true", "get", "url"],
        &["--debug", "false", "get", "url"],
        &["--pin-tab", "get", "url"],
        &["--no-pin-tab", "get", "url"],
        &["--color-scheme", "dark", "get", "url"],
        &["--headers", "{\"a\":\"b\"}", "get", "url"],
    ] {
        assert_eq!(tool.call(args).await.text, URL, "{args:?}");
    }
    let asked = tool.asked();
    // What the session was launched with anyway is left out; the rest reaches upstream.
    assert!(!asked.iter().any(|asked| asked.has("--auto-connect") || asked.has("--headed")));
    assert!(asked.iter().any(|asked| asked.has("--color-scheme")));
    // A browser with a window would be replaced by one without.
    let params = json!({ "args": ["--headed", "open", URL], "sessionMode": "fresh" });
    assert!(!tool.send(params).await.is_error);
    assert_eq!(
        tool.call(&["--headed", "false", "get", "url"]).await.category(),
        "validation-error"
    );
    assert_eq!(tool.call(&["--headed", "get", "url"]).await.text, URL);
}

// HAZ-02, DEC-22, PLAN-10
#[tokio::test]
async fn an_equal_value_is_no_conflict_and_is_left_out_of_the_call() {
    for flag in launch_scoped() {
        let tool = TestEngine::new(TestEnv::new());
        let given = with_file(&tool.env, sample(flag, "same"));
        let args = |words: &[&str]| {
            let words = words.iter().map(ToString::to_string);
            json!({ "args": given.iter().cloned().chain(words).collect::<Vec<_>>() })
        };
        let said = tool.send(args(&["open", URL])).await;
        assert!(!said.is_error, "{given:?}: {}", said.text);
        let said = tool.send(args(&["get", "url"])).await;
        assert_eq!(said.text, URL, "{given:?}");
        let asked = tool.asked();
        let [launch, later] = asked.as_slice() else { panic!("{asked:?}") };
        let carries = |asked: &Asked| given.iter().all(|token| asked.has(token));
        assert!(carries(launch), "{given:?}: {:?}", launch.argv);
        let stays = flag.scope == LaunchScope::Daemon || flag.name == "--namespace";
        assert_eq!(carries(later), stays, "{given:?}: {:?}", later.argv);
    }
}

// HAZ-02, PLAN-50
#[tokio::test]
async fn probes_views_and_close_carry_daemon_options_and_no_launch_option() {
    let env = TestEnv::new()
        .with("AGENT_BROWSER_USER_AGENT", "probe/1")
        .with("AGENT_BROWSER_ARGS", "--first")
        .with("HTTP_PROXY", "http://127.0.0.1:9")
        .with("AGENT_BROWSER_DEFAULT_TIMEOUT", "60000");
    let tool = TestEngine::new(env);
    let state = tool.env.path("work/s.json");
    let state = state.to_str().unwrap();
    let launch = ["--state", state, "--user-agent", "x", "--no-auto-dialog", "open", URL];
    assert!(!tool.call(&launch).await.is_error);
    // A click that navigates is followed by a process of its own for tab and view.
    assert!(tool.call(&["click", "@e2"]).await.first().contains("Now on"));
    tool.call(&["wait", "10"]).await;
    tool.call(&["batch", "get title", "get url"]).await;
    tool.call(&["close"]).await;
    let asked = tool.asked();
    let (first, later) = asked.split_first().unwrap();
    assert!(first.has("--state") && first.has("--user-agent"), "{:?}", first.argv);
    for variable in ["AGENT_BROWSER_USER_AGENT", "AGENT_BROWSER_ARGS", "HTTP_PROXY"] {
        assert!(first.entry["env"].get(variable).is_some(), "{variable}");
    }
    assert!(later.iter().any(|asked| asked.rows.iter().any(|row| row[0] == "tab")));
    assert!(later.iter().any(|asked| asked.has("close")));
    for call in later {
        assert!(!call.has("--state") && !call.has("--user-agent"), "{:?}", call.argv);
        for variable in ["AGENT_BROWSER_USER_AGENT", "AGENT_BROWSER_ARGS", "HTTP_PROXY"] {
            assert!(call.entry["env"].get(variable).is_none(), "{variable}: {:?}", call.argv);
        }
    }
    for call in &asked {
        assert!(call.has("--no-auto-dialog") && call.has("--idle-timeout"), "{:?}", call.argv);
        assert_eq!(call.entry["env"]["AGENT_BROWSER_DEFAULT_TIMEOUT"], "25000", "{:?}", call.argv);
    }
}

// HAZ-02, PLAN-52, PLAN-11
#[tokio::test]
async fn a_named_session_gets_no_option_of_ours() {
    let env = TestEnv::new()
        .with("AGENT_BROWSER_DEFAULT_TIMEOUT", "60000")
        .with("AGENT_BROWSER_USER_AGENT", "probe/1");
    let tool = TestEngine::new(env);
    tool.call(&["--session", "mine", "--profile", "/tmp/p", "open", URL]).await;
    tool.call(&["--session", "mine", "get", "title"]).await;
    tool.call(&["--session", "mine", "close"]).await;
    let asked = tool.asked();
    assert!(asked[0].has("--profile") && !asked[1].has("--profile"));
    for call in &asked {
        assert!(!call.has("--idle-timeout"), "{:?}", call.argv);
        assert_eq!(call.entry["env"]["AGENT_BROWSER_DEFAULT_TIMEOUT"], "60000");
        assert_eq!(call.entry["env"]["AGENT_BROWSER_USER_AGENT"], "probe/1");
    }
}

// PLAN-11, HAZ-03
#[tokio::test]
async fn a_named_session_whose_browser_was_replaced_says_so() {
    let replaced = json!({ "launched": false, "effectiveLaunch": { "launchHash": 7 } });
    let rules = json!([
        { "match": { "row": ["get", "title"] }, "times": 2,
          "result": { "title": "", "lifecycle": replaced } },
        { "match": { "row": ["get", "text"] }, "result": { "text": "x",
          "lifecycle": { "effectiveLaunch": { "launchHash": 8 } } } },
    ]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["--session", "mine", "open", URL]).await;
    let said = tool.call(&["--session", "mine", "--user-agent", "x", "get", "title"]).await;
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
    assert_eq!(said.next(), vec![json!({ "args": ["--session", "mine", "open", URL] })]);
    let stale = tool.call(&["--session", "mine", "click", "@e3"]).await;
    assert!(stale.first().contains("a browser that is gone"), "{}", stale.text);
    // The new browser is the session's browser now, and its loss would be noticed as well.
    let said = tool.call(&["--session", "mine", "get", "title"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(
        tool.call(&["--session", "mine", "get", "text", "#a"]).await.category(),
        "tab-drift"
    );
}

// HAZ-02, HAZ-03
#[tokio::test]
async fn a_launch_after_a_loss_repeats_the_options_of_the_first() {
    let tool = TestEngine::new(TestEnv::new());
    let first = ["--profile", "/tmp/p", "--debug", "open", URL];
    let name = tool.call(&first).await.details["sessionName"].as_str().unwrap().to_owned();
    let socket = tool.env.places().socket_dir.join(format!("{name}.sock"));
    std::fs::remove_file(socket).unwrap();
    assert_eq!(tool.call(&["get", "title"]).await.category(), "tab-drift");
    assert!(!tool.call(&["--color-scheme", "dark", "open", URL]).await.is_error);
    let again = tool.asked().pop().unwrap();
    assert!(again.has("--profile") && again.has("--debug") && again.has("--color-scheme"));
    assert_eq!(tool.call(&["--profile", "/tmp/p", "get", "url"]).await.text, URL);
}

// HAZ-02, HAZ-03
#[tokio::test]
async fn every_process_of_a_launch_after_a_loss_has_the_options_of_that_launch() {
    let tool = opened(TestEnv::new()).await;
    let socket = tool.env.files("s").into_iter();
    let socket = socket.filter(|path| path.extension().is_some_and(|ending| ending == "sock"));
    socket.for_each(|path| std::fs::remove_file(path).unwrap());
    assert_eq!(tool.call(&["get", "title"]).await.category(), "tab-drift");
    tool.engine.settle().await;
    let before = tool.asked().len();
    let rows = json!([["open", URL], ["snapshot", "-i"], ["click", "@e3"]]).to_string();
    let said = tool.send(json!({ "args": ["--debug", "batch"], "stdin": rows })).await;
    assert!(!said.is_error, "{}", said.text);
    let asked = tool.asked().split_off(before);
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|asked| asked.has("--debug")), "{asked:?}");
}

// SES-35, HAZ-02
#[tokio::test]
async fn a_host_that_goes_back_to_a_replaced_session_launches_it_as_it_was() {
    let tool = TestEngine::with(TestEnv::new(), |options| options.door = "pi");
    let first = tool.call(&["--profile", "/tmp/p", "open", URL]).await;
    let fresh = tool.send(json!({ "args": ["open", URL], "sessionMode": "fresh" })).await;
    assert_ne!(fresh.details["sessionName"], first.details["sessionName"]);
    tool.engine.settle().await;
    let facts: Vec<Fact> = serde_json::from_value(first.details["facts"].clone()).unwrap();
    tool.engine.restore(&facts);
    let again = tool.call(&["open", URL]).await;
    assert_eq!(again.details["sessionName"], first.details["sessionName"], "{}", again.text);
    let launch = tool.asked().pop().unwrap();
    assert!(launch.has("--profile"), "{:?}", launch.argv);
}

/// An invocation of the `call` door: state from the journal, an environment of its own.
fn invocation(env: TestEnv) -> TestEngine {
    let tool = TestEngine::with(env, |options| {
        options.door = "cli";
        options.keep = Keep::IdleTimeout;
    });
    tool.engine.restore_from_journal();
    tool
}

// HAZ-02, DEC-106
#[tokio::test]
async fn later_invocations_keep_the_daemon_options_and_the_executable_of_the_first() {
    let env = TestEnv::new().with("AGENT_BROWSER_DEFAULT_TIMEOUT", "1000");
    let first = invocation(env);
    first.call(&["open", URL]).await;
    let mut env = first.into_env();
    env.set("AGENT_BROWSER_DEFAULT_TIMEOUT", "2000");
    env.set("AGENT_BROWSER_CONFIRM_ACTIONS", "click");
    let body = format!(
        "echo \"$@\" >> {}\nexec {} \"$@\"",
        env.path("upgraded").display(),
        fake_upstream().display()
    );
    let upgraded = env.tool("agent-browser-new", &body);
    assert_eq!(upgraded.metadata().unwrap().permissions().mode() & 0o111, 0o111);
    env.set("AGENT_BROWSER_NATIVE_UPSTREAM_PATH", upgraded.to_str().unwrap());
    let later = invocation(env);
    assert_eq!(later.call(&["get", "url"]).await.text, URL);
    later.call(&["close"]).await;
    for call in later.asked() {
        assert_eq!(call.entry["env"]["AGENT_BROWSER_DEFAULT_TIMEOUT"], "1000", "{:?}", call.argv);
        assert!(call.entry["env"].get("AGENT_BROWSER_CONFIRM_ACTIONS").is_none());
    }
    let asked = std::fs::read_to_string(later.env.path("upgraded")).unwrap();
    assert_eq!(asked.trim(), "--version", "the old copy serves the session");
}

// HAZ-02, HAZ-07
#[tokio::test]
async fn a_wait_without_a_limit_has_that_of_the_sessions_launch() {
    let unmet = json!([{ "match": { "row": ["wait"] }, "delayMs": 300, "error": "Wait timed out after 300ms" }]);
    let first =
        invocation(TestEnv::new().with("AGENT_BROWSER_DEFAULT_TIMEOUT", "300").script(&unmet));
    first.call(&["open", URL]).await;
    let mut env = first.into_env();
    env.set("AGENT_BROWSER_DEFAULT_TIMEOUT", "2000");
    let later = invocation(env);
    let waits = ["wait", "--text", "never"];
    for (session, limit) in [(&[][..], "300"), (&["--session", "mine"], "2000")] {
        let before = later.asked().len();
        let said = later.call(&[session, &waits].concat()).await;
        assert_eq!(said.category(), "timeout", "{}", said.text);
        assert!(said.text.contains(&format!("{limit} ms")), "{}", said.text);
        let row = later.asked().swap_remove(before).rows.remove(0);
        assert_eq!(row, ["wait", "--text", "never", "--timeout", limit]);
    }
}

// SES-06, DEC-67
#[tokio::test]
async fn a_session_that_was_replaced_leaves_no_snapshot_behind() {
    let tool = invocation(TestEnv::new());
    tool.call(&["open", URL]).await;
    let kept = |tool: &TestEngine| {
        let files = tool.env.files("state").into_iter();
        files.filter(|path| path.to_string_lossy().contains("last-snapshot-")).collect::<Vec<_>>()
    };
    let first = kept(&tool);
    assert_eq!(first.len(), 1);
    let said = tool.send(json!({ "args": ["open", URL], "sessionMode": "fresh" })).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(kept(&tool).len(), 1);
    assert_ne!(kept(&tool), first);
}

// HAZ-02
#[tokio::test]
async fn a_launch_that_cannot_repeat_its_flags_says_which() {
    let first = invocation(TestEnv::new());
    let said = first.call(&["--profile", "/tmp/p", "open", URL]).await;
    let name = said.details["sessionName"].as_str().unwrap().to_owned();
    let env = first.into_env();
    std::fs::remove_file(env.places().socket_dir.join(format!("{name}.sock"))).unwrap();
    let later = invocation(env);
    let said = later.call(&["open", URL]).await;
    assert!(said.text.contains("It was started without --profile"), "{}", said.text);
    assert_eq!(
        later.call(&["--profile", "/tmp/p", "get", "url"]).await.category(),
        "validation-error"
    );
}

/// The browser of a state goes, and comes back with the next `open`: what that says.
async fn lost_and_opened(tool: &TestEngine, known: &State) -> Said {
    tool.engine.settle().await;
    tool.engine.restore(&known.as_facts());
    let key = known.managed_running().unwrap();
    let _gone = std::fs::remove_file(tool.env.path("s").join(format!("{}.sock", key.name)));
    let said = tool.call(&["open", URL]).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(said.details["sessionName"], key.name);
    said
}

// HAZ-02: values of launch flags may be secrets and take room, so they go with their session.
#[tokio::test]
async fn launch_flags_are_kept_as_long_as_somebody_may_launch_their_session_again() {
    let close = json!({ "args": ["close"] });
    let fresh = json!({ "args": ["open", URL], "sessionMode": "fresh" });
    for (door, end, kept) in [
        ("mcp", None, true),
        ("mcp", Some(&close), false),
        ("mcp", Some(&fresh), false),
        // Its host may go back to where the session was open.
        ("pi", Some(&close), true),
        ("pi", Some(&fresh), true),
    ] {
        let tool = TestEngine::with(TestEnv::new(), |options| options.door = door);
        tool.call(&["--user-agent", "mine", "open", URL]).await;
        let known = tool.engine.known();
        if let Some(end) = end {
            assert!(!tool.send(end.clone()).await.is_error);
        }
        let said = lost_and_opened(&tool, &known).await;
        let repeated = tool.asked().last().unwrap().has("--user-agent");
        let forgotten = said.text.contains("It was started without --user-agent");
        assert_eq!((repeated, forgotten), (kept, !kept), "{door} {end:?}: {}", said.text);
    }
}

// HAZ-15, DEC-106: upstream starts a browser again behind any call, so each carries the session's mark.
#[tokio::test]
async fn every_process_of_a_managed_session_is_marked_with_it() {
    let tool = opened(TestEnv::new()).await;
    tool.call(&["get", "title"]).await;
    tool.call(&["click", "#a"]).await;
    let asked = tool.asked();
    assert!(asked.len() >= 3);
    for call in &asked {
        let session = call.argv.iter().skip_while(|word| *word != "--session").nth(1);
        assert_eq!(
            call.entry["env"]["AGENT_BROWSER_NATIVE_SESSION"].as_str(),
            session.map(|s| &**s)
        );
        assert!(session.is_some(), "{:?}", call.argv);
    }
}
