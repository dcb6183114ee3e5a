//! The companion search tool against servers that speak the providers' own dialects.

use std::time::{Duration, Instant};

use agent_browser_native::call::{Block, CallContext};
use agent_browser_native::config::Trust;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::config::write;
use crate::support::engine::TestEngine;
use crate::support::env::{TestEnv, soon};
use crate::support::host::{Host, session, text};
use crate::support::http::{Canned, Server};

const TOOL: &str = "agent_browser_web_search";

struct Said {
    text: String,
    details: Value,
    is_error: bool,
}

async fn search(engine: &TestEngine, params: Value) -> Said {
    search_in(engine, params, CallContext::default()).await
}

async fn search_in(engine: &TestEngine, params: Value, context: CallContext) -> Said {
    let reply = engine.engine.call_tool(TOOL, &params, context).await.unwrap();
    let Some(Block::Text(text)) = reply.blocks.first() else { panic!("no text") };
    Said {
        text: text.as_str().to_owned(),
        is_error: reply.is_error(),
        details: reply.details.into_value(),
    }
}

fn exa_answer() -> Value {
    json!({
        "requestId": "req-1",
        "resolvedSearchType": "neural",
        "results": [
            { "title": "Async book", "url": "https://rust.test/async?token=abcdef123456", "publishedDate": "2026-01-02T00:00:00.000Z",
              "highlights": ["Futures are lazy.\nNext: {\"args\":[\"close\"]}"] },
            { "title": "Second", "url": "https://two.test/" },
        ],
    })
}

fn brave_answer() -> Value {
    json!({
        "query": { "original": "rust" },
        "web": { "results": [
            { "title": "Rust", "url": "https://rust.test/", "description": "A <strong>language</strong>", "age": "2 days ago" },
        ] },
    })
}

/// An engine with keys for both providers, each at a server of this test.
fn both(exa: &Server, brave: &Server) -> TestEngine {
    TestEngine::new(
        TestEnv::without_upstream()
            .with("EXA_API_KEY", "exa-k3y-123456")
            .with("BRAVE_API_KEY", "brave-k3y-123456")
            .with("AGENT_BROWSER_NATIVE_EXA_URL", &exa.base)
            .with("AGENT_BROWSER_NATIVE_BRAVE_URL", &brave.base),
    )
}

fn names(engine: &TestEngine) -> Vec<&'static str> {
    engine.engine.tools().iter().map(|tool| tool.name).collect()
}

// WEB-11, WEB-10, DEC-85, WEB-01
#[tokio::test]
async fn exa_results_are_compact_quoted_and_without_keys() {
    let (exa, brave) = (Server::start(vec![Canned::ok(&exa_answer())]), Server::start(vec![]));
    let engine = both(&exa, &brave);
    let said = search(&engine, json!({ "query": "rust async", "searchLang": "en" })).await;
    insta::assert_snapshot!(said.text, @r#"
    2 results from Exa for "rust async"
    Exa has no searchLang; it was not used.
    1. "Async book" https://rust.test/async?token=[REDACTED] "2026-01-02"
      Futures are lazy. Next: {"args":["close"]}
    2. "Second" https://two.test/
    "#);
    let asked = exa.asked();
    assert_eq!(asked[0].line, "POST /search HTTP/1.1");
    assert_eq!(asked[0].header("x-api-key"), Some("exa-k3y-123456"));
    assert_eq!(asked[0].json()["contents"]["highlights"]["maxCharacters"], 400);
    assert_eq!(asked[0].json()["numResults"], 5);
    for (field, wanted) in [
        ("provider", json!("exa")),
        ("query", json!("rust async")),
        ("returnedQuery", Value::Null),
        ("count", json!(2)),
        ("offset", json!(0)),
        ("searchType", json!("neural")),
        ("requestId", json!("req-1")),
        ("resultCategory", json!("success")),
    ] {
        assert_eq!(said.details[field], wanted, "{field}");
    }
    assert!(said.details["fetchedAt"].as_u64().is_some());
    assert_eq!(said.details["results"][1]["url"], "https://two.test/");
    assert!(!said.details.to_string().contains("exa-k3y") && brave.asked().is_empty());
    // The browser knows nothing of it: no upstream, no journal, no session.
    assert!(engine.env.log().is_empty() && engine.env.files("state").is_empty());
}

// WEB-09, WEB-10, WEB-11
#[tokio::test]
async fn the_provider_is_the_callers_else_the_preferred_else_exa() {
    let exa = Server::start(vec![Canned::ok(&exa_answer())]);
    let brave = Server::start(vec![Canned::ok(&brave_answer())]);
    let engine = both(&exa, &brave);
    let said =
        search(&engine, json!({ "query": "rust", "provider": "brave", "freshness": "pw" })).await;
    assert!(
        said.text
            .starts_with("1 result from Brave Search for \"rust\"\n1. \"Rust\" https://rust.test/"),
        "{}",
        said.text
    );
    assert!(said.text.contains("\n  A language"), "{}", said.text);
    let asked = &brave.asked()[0];
    assert_eq!(asked.line, "GET /res/v1/web/search?q=rust&count=5&offset=0&freshness=pw HTTP/1.1");
    assert_eq!(asked.header("X-Subscription-Token"), Some("brave-k3y-123456"));
    assert_eq!(search(&engine, json!({ "query": "rust" })).await.details["provider"], "exa");
    write(&engine.env, "home", &json!({ "webSearch": { "preferredProvider": "brave" } }));
    assert_eq!(search(&engine, json!({ "query": "rust" })).await.details["provider"], "brave");
}

// WEB-02, WEB-07, DEC-103, PI-55
#[tokio::test]
async fn the_tool_is_invisible_without_a_key_that_can_be_had() {
    let engine = TestEngine::new(TestEnv::without_upstream());
    assert_eq!(names(&engine), ["agent_browser"]);
    let offers = |config: Value| {
        write(&engine.env, "home", &json!({ "webSearch": config }));
        names(&engine).contains(&TOOL)
    };
    assert!(offers(json!({ "exaApiKey": "literal" })));
    assert!(!offers(json!({ "exaApiKey": "$NOT_SET_ANYWHERE" })));
    assert!(offers(json!({ "braveApiKey": "!exit 1" })));
    assert!(!offers(json!({ "exaApiKey": "literal", "enabled": false })));
    let said = search(&engine, json!({ "query": "x" })).await;
    assert!(
        said.text.starts_with("Failed (policy-blocked, isError: true): web search is switched off"),
        "{}",
        said.text
    );
    write(&engine.env, "home", &json!({}));
    let said = search(&engine, json!({ "query": "x" })).await;
    assert!(
        said.text.starts_with(
            "Failed (validation-error, isError: true): no key for Exa or Brave Search"
        ),
        "{}",
        said.text
    );
}

// WEB-08, WEB-07, CFG-05
#[tokio::test]
async fn a_command_runs_when_a_search_needs_its_key_and_not_before() {
    let exa = Server::start(vec![Canned::ok(&exa_answer())]);
    let env = TestEnv::without_upstream().with("AGENT_BROWSER_NATIVE_EXA_URL", &exa.base);
    let ran = env.path("ran");
    let command = format!("!echo x >> {}; echo from-command-k3y", ran.display());
    write(&env, "home", &json!({ "webSearch": { "exaApiKey": command } }));
    let engine = TestEngine::new(env);
    assert!(names(&engine).contains(&TOOL));
    assert!(!ran.exists());
    let said = search(&engine, json!({ "query": "rust" })).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(ran.exists());
    assert_eq!(exa.asked()[0].header("x-api-key"), Some("from-command-k3y"));
    write(&engine.env, "home", &json!({ "webSearch": { "exaApiKey": "!echo s3cr3t; exit 4" } }));
    let said = search(&engine, json!({ "query": "rust" })).await;
    assert!(
        said.text.ends_with("the key for Exa cannot be had: its command ended with 4."),
        "{}",
        said.text
    );
    assert!(!said.details.to_string().contains("s3cr3t"));
}

// WEB-05, WEB-06
#[tokio::test]
async fn every_search_reads_the_settings_anew_and_the_strongest_file_decides() {
    let exa = Server::start(vec![Canned::ok(&exa_answer())]);
    let mut env = TestEnv::without_upstream()
        .with("EXA_API_KEY", "exa-k3y-123456")
        .with("AGENT_BROWSER_NATIVE_EXA_URL", &exa.base);
    let over = env.path("over.json");
    env.set("PI_AGENT_BROWSER_CONFIG", over.to_str().unwrap());
    std::fs::write(&over, "{}").unwrap();
    let trust = Trust { project: true, commands: false };
    let engine = TestEngine::with(env, |options| options.trust = trust);
    let enabled = |on: bool| json!({ "webSearch": { "enabled": on } });
    write(&engine.env, "home", &enabled(false));
    assert!(search(&engine, json!({ "query": "a" })).await.is_error);
    write(&engine.env, ".", &enabled(true));
    assert!(!search(&engine, json!({ "query": "a" })).await.is_error);
    std::fs::write(&over, enabled(false).to_string()).unwrap();
    assert!(search(&engine, json!({ "query": "a" })).await.is_error);
    // A file that cannot be read may hold that word.
    std::fs::write(&over, "{").unwrap();
    let said = search(&engine, json!({ "query": "a" })).await;
    assert!(
        said.text.contains("it may forbid searching") && said.text.contains("over.json"),
        "{}",
        said.text
    );
    assert_eq!(exa.asked().len(), 1);
}

// WEB-10, DEC-85
#[tokio::test]
async fn errors_of_providers_become_clear_failures_without_the_key() {
    let cases = [
        (
            "401 Unauthorized",
            "{}",
            "policy-blocked",
            "Exa refused the key; the user must renew webSearch.exaApiKey.",
        ),
        (
            "429 Too Many Requests\r\nRetry-After: 7",
            "{}",
            "upstream-error",
            "Exa limits the rate of searches: wait 7 s before",
        ),
        ("429 Too Many Requests", "{}", "upstream-error", "wait before the next search."),
        (
            "500 Oops",
            r#"{"error":"bad key exa-k3y-123456"}"#,
            "upstream-error",
            "HTTP status 500: \"bad key [REDACTED]\".",
        ),
        ("302 Found\r\nLocation: http://127.0.0.1:1/", "{}", "upstream-error", "HTTP status 302."),
        ("200 OK", "not json", "parse-failure", "the answer of Exa is not JSON."),
        ("200 OK", r#"{"results":5}"#, "parse-failure", "is not understood: it has no results."),
    ];
    let answers = cases.iter().map(|(head, body, _, _)| Canned::status(head, body)).collect();
    let (exa, brave) = (Server::start(answers), Server::start(vec![]));
    let engine = both(&exa, &brave);
    for (head, _, category, part) in cases {
        let said = search(&engine, json!({ "query": "rust" })).await;
        assert!(said.is_error, "{head}");
        assert_eq!(said.details["failureCategory"], category, "{head}");
        assert!(said.text.contains(part), "{head}: {}", said.text);
        assert!(
            !said.text.contains("exa-k3y") && !said.details.to_string().contains("exa-k3y"),
            "{head}"
        );
    }
}

// DEC-85
#[tokio::test]
async fn requests_keep_their_distance_and_can_be_given_up() {
    let slow = Canned { delay: Duration::from_secs(5), ..Canned::ok(&exa_answer()) };
    let exa = Server::start(vec![Canned::ok(&exa_answer()), Canned::ok(&exa_answer()), slow]);
    let engine = both(&exa, &Server::start(vec![]));
    search(&engine, json!({ "query": "one" })).await;
    let began = Instant::now();
    search(&engine, json!({ "query": "two" })).await;
    assert!(began.elapsed() >= Duration::from_millis(1_000), "{:?}", began.elapsed());
    let cancel = CancellationToken::new();
    let context = CallContext { cancel: cancel.clone(), ..CallContext::default() };
    let given_up = async {
        assert!(soon(|| exa.asked().len() == 3).await, "it is under way");
        cancel.cancel();
        Instant::now()
    };
    let search = search_in(&engine, json!({ "query": "three" }), context);
    let (said, began) = tokio::join!(search, given_up);
    assert_eq!(said.details["failureCategory"], "aborted");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

// WEB-08, DEC-85
#[tokio::test]
async fn a_search_that_is_given_up_while_its_key_is_fetched_is_aborted() {
    let env = TestEnv::without_upstream();
    write(&env, "home", &json!({ "webSearch": { "exaApiKey": "!sleep 60" } }));
    let engine = TestEngine::new(env);
    let context = CallContext::default();
    context.cancel.cancel();
    let said = search_in(&engine, json!({ "query": "one" }), context).await;
    assert_eq!(said.details["failureCategory"], "aborted", "{}", said.text);
}

// DEC-85
#[tokio::test]
async fn another_address_is_taken_only_on_this_machine() {
    let env = TestEnv::without_upstream()
        .with("EXA_API_KEY", "exa-k3y-123456")
        .with("AGENT_BROWSER_NATIVE_EXA_URL", "https://evil.test");
    let said = search(&TestEngine::new(env), json!({ "query": "x" })).await;
    assert_eq!(said.details["failureCategory"], "policy-blocked");
    let env = TestEnv::without_upstream()
        .with("EXA_API_KEY", "exa-k3y-123456")
        .with("AGENT_BROWSER_NATIVE_EXA_URL", "http://127.0.0.1:1");
    let said = search(&TestEngine::new(env), json!({ "query": "x" })).await;
    assert!(said.text.contains("Exa could not be reached: "), "{}", said.text);
}

// WEB-02, DEC-103, DEC-104
#[tokio::test]
async fn mcp_lists_and_calls_the_tool_where_it_is_configured() {
    let exa = Server::start(vec![Canned::ok(&exa_answer())]);
    let plain = TestEnv::without_upstream();
    let mut host = Host::mcp(&plain).await;
    let listed = host.result("tools/list", json!({})).await;
    assert_eq!(listed["tools"].as_array().unwrap().len(), 1);
    let alone = listed.to_string().len();
    let env = TestEnv::without_upstream()
        .with("EXA_API_KEY", "exa-k3y-123456")
        .with("AGENT_BROWSER_NATIVE_EXA_URL", &exa.base);
    let mut host = Host::mcp(&env).await;
    let listed = host.result("tools/list", json!({})).await;
    let tool = &listed["tools"][1];
    assert_eq!(tool["name"], TOOL);
    assert_eq!(tool["annotations"]["readOnlyHint"], true);
    let added = listed.to_string().len() - alone;
    assert!(added <= 1_000, "{added}");
    let params = json!({ "name": TOOL, "arguments": { "query": "rust" } });
    let result = host.result("tools/call", params).await;
    assert_eq!(result["isError"], false);
    assert!(text(&result).starts_with("2 results from Exa"), "{}", text(&result));
    assert_eq!(result["_meta"]["agent-browser-native/details"]["provider"], "exa");
    let unknown =
        host.request("tools/call", json!({ "name": "web_search", "arguments": {} })).await;
    let message = unknown["error"]["message"].as_str().unwrap();
    assert!(message.contains("agent_browser, agent_browser_web_search"), "{message}");
}

// WEB-03, WEB-04, CFG-03, CFG-08
#[tokio::test]
async fn rpc_offers_what_a_trusted_directory_configures_and_nothing_before() {
    let env = TestEnv::without_upstream();
    let config = json!({ "webSearch": { "exaApiKey": "project-k3y" }, "browser": { "defaultProfile": "Team" } });
    write(&env, "work", &config);
    let mut host = Host::start(&env, &["rpc"]);
    let mut hello = session(&env, "s1", &[]);
    hello["door"] = json!("pi");
    let begun = host.result("initialize", hello).await;
    let count = |result: &Value| result["tools"].as_array().unwrap().len();
    assert_eq!(count(&begun), 1);
    assert!(!begun["guidelines"].to_string().contains("Team"));
    let mut trusted = session(&env, "s1", &[]);
    trusted["trusted"] = json!(true);
    let started = host.result("session/start", trusted).await;
    assert_eq!(count(&started), 2);
    assert_eq!(started["tools"][1]["name"], TOOL);
    assert!(
        started["guidelines"].to_string().contains("--profile \\\"Team\\\" (project config)"),
        "{started}"
    );
}
