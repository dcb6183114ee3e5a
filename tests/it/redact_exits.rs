//! A secret in every input place × every kind of answer × every exit: text, details, files, journal,
//! and the streams of the program.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;
use crate::support::families::families;

/// Looks like two ordinary words, so that only its place tells that it is a secret.
const SECRET: &str = "velvet-otter canary";

/// A call that carries the secret, and the row by which upstream knows it.
struct Place {
    name: &'static str,
    params: Value,
    row: &'static [&'static str],
}

fn place(name: &'static str, row: &'static [&'static str], args: &[&str]) -> Place {
    Place { name, params: json!({ "args": args }), row }
}

/// Every place of an input that holds a secret.
fn places() -> Vec<Place> {
    let headers = format!("{{\"Authorization\":\"Bearer {SECRET}\",\"X-Note\":\"{SECRET}\"}}");
    let url = format!("https://ann:{SECRET}@shop.test/cb?access_token={SECRET}&page=2");
    let url = url.replace(' ', "%20");
    vec![
        place("cookie value", &["cookies", "set"], &["cookies", "set", "sid", SECRET]),
        place("local storage", &["storage", "local"], &["storage", "local", "set", "k", SECRET]),
        place(
            "session storage",
            &["storage", "session"],
            &["storage", "session", "set", "k", SECRET],
        ),
        place("credentials", &["set", "credentials"], &["set", "credentials", "ann", SECRET]),
        place("headers", &["set", "headers"], &["set", "headers", &headers]),
        place(
            "body of a route",
            &["network", "route"],
            &["network", "route", "**/x", "--body", SECRET],
        ),
        place(
            "body in the word of its flag",
            &["network", "route"],
            &["network", "route", "**/x", &format!("--body={SECRET}")],
        ),
        place("filled password", &["fill"], &["fill", "#pw", SECRET]),
        place("filled nowhere", &["fill"], &["fill", "#nope", SECRET]),
        place("found password", &["find"], &["find", "label", "Password", "fill", SECRET]),
        place("typed password", &["type"], &["type", "#pw", SECRET]),
        place("keyboard", &["keyboard"], &["keyboard", "type", SECRET]),
        place("address", &["open"], &["open", &url]),
        Place {
            name: "rows of a batch",
            params: json!({ "args": ["batch"], "stdin":
                json!([["get", "title"], ["cookies", "set", "sid", SECRET], ["fill", "#pw", SECRET]]).to_string() }),
            row: &["cookies", "set"],
        },
        Place {
            name: "semantic fill",
            params: json!({ "semanticAction": { "action": "fill", "locator": "label", "value": "Password", "text": SECRET } }),
            row: &["find"],
        },
        Place {
            name: "job fill",
            params: json!({ "job": { "steps": [{ "action": "fill", "selector": "#pw", "text": SECRET }] } }),
            row: &["fill"],
        },
        Place {
            name: "global headers",
            params: json!({ "args": ["--headers", headers, "open", "https://shop.test/"], "sessionMode": "fresh" }),
            row: &["open"],
        },
        Place {
            name: "proxy",
            params: json!({ "args": ["--proxy", format!("http://ann:{SECRET}@127.0.0.1:9"), "open", "https://shop.test/"],
                "sessionMode": "fresh" }),
            row: &["open"],
        },
    ]
}

/// The page says that the field is a password.
fn password_field() -> Value {
    json!({
        "match": { "row": ["eval"] },
        "value": {
            "doc": "1", "url": "https://shop.test/", "title": "t", "frames": [], "armed": true, "status": 200,
            "dialogs": [], "effect": { "changed": true, "reached": true },
            "fill": { "verdict": "equal", "secret": true }, "typed": { "known": true, "secret": true },
        },
    })
}

/// Every kind of answer, each with the secret in all of its places.
fn answers(row: &[&str]) -> Vec<(&'static str, Value)> {
    let echo = json!({
        "value": SECRET, "text": SECRET, "message": format!("got {SECRET} now"), "clicked": SECRET, "url": format!("https://shop.test/?q={SECRET}"),
        "list": [SECRET, { "deep": SECRET }], SECRET: 1,
    });
    let when = json!({ "row": row });
    let whole = json!({ "argv": ["batch"] });
    vec![
        ("success", json!({ "match": when, "result": echo })),
        (
            "warning",
            json!({ "match": when, "result": echo, "warning": format!("beware of {SECRET}") }),
        ),
        (
            "error",
            json!({ "match": when, "error": format!("Evaluation error: Error: cannot take {SECRET}\n    at {SECRET}:1") }),
        ),
        (
            "miss",
            json!({ "match": when, "error": format!("Element not found: {SECRET}. Verify the selector, role, or name is correct") }),
        ),
        (
            "coded error",
            json!({ "match": when, "error": SECRET, "code": "page_wedged", "result": { "lastUrl": SECRET, "replaced": true } }),
        ),
        (
            "confirmation",
            json!({ "match": when, "result": { "action": SECRET, "confirmation_id": "r1", "confirmation_required": true } }),
        ),
        ("plain text", json!({ "match": whole, "stdout": format!("usage: {SECRET}\n") })),
        (
            "broken json",
            json!({ "match": whole, "stdout": format!("{{\"success\":tr {SECRET}"), "stderr": SECRET, "exitCode": 1 }),
        ),
        (
            "nothing",
            json!({ "match": whole, "stdout": "", "stderr": format!("✗ {SECRET}\n"), "exitCode": 1 }),
        ),
        (
            "one failure",
            json!({ "match": whole, "stdout": { "success": false, "error": format!("no: {SECRET}") }, "exitCode": 1 }),
        ),
        (
            "huge",
            json!({ "match": when, "result": { "text": format!("{SECRET} is what it says\n").repeat(3_000), "value": format!("{SECRET} ").repeat(9_000) } }),
        ),
    ]
}

/// Files that the stand-in writes itself.
fn is_of_the_stand_in(path: &std::path::Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    name.starts_with("script-") || name == "log.jsonl" || name.ends_with(".fake")
}

/// Every spelling of the secret that an exit may show.
fn spellings() -> Vec<String> {
    let percent = SECRET.replace(' ', "%20");
    let plus = SECRET.replace(' ', "+");
    use base64::Engine as _;
    let base64 = base64::engine::general_purpose::STANDARD.encode(SECRET);
    vec![SECRET.to_owned(), percent, plus, base64]
}

/// Where a spelling of the secret is found: in one of the exits, or in a file that is left.
fn leaks(what: &str, env: &TestEnv, exits: &[(&str, &str)]) -> Vec<String> {
    let mut found = Vec::new();
    let files: Vec<PathBuf> = ["state", "temp", "work", "out"]
        .into_iter()
        .filter(|name| env.path(name).is_dir())
        .flat_map(|name| env.files(name))
        .filter(|path| !is_of_the_stand_in(path))
        .collect();
    let files = files.iter().map(|path| (path.display().to_string(), fs::read(path).unwrap()));
    let exits = exits.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    for (exit, bytes) in exits.chain(files) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let inside = decoded(&text);
        let leaky = |secret: &String| text.contains(secret) || inside.contains(secret);
        if spellings().iter().any(leaky) {
            found.push(format!("{what}: {exit}\n{text}"));
        }
    }
    found
}

/// What stands in a text as Base64: our own scripts hold what was filled in.
fn decoded(text: &str) -> String {
    use base64::Engine as _;
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    let words = text.split(|c: char| !is_base64(c)).filter(|word| word.len() >= 24);
    let bytes =
        words.filter_map(|word| base64::engine::general_purpose::STANDARD.decode(word).ok());
    bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned() + "\n").collect()
}

/// The exits of a call through the engine.
fn leaks_of(what: &str, engine: &TestEngine, said: &Said) -> Vec<String> {
    let details = said.details.to_string();
    leaks(what, &engine.env, &[("text", &said.text), ("details", &details)])
}

/// Runs the built program to its end with this input: both of its streams.
fn streams(env: &TestEnv, args: &[&str], input: &str) -> (String, String) {
    let mut command = env.program(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

fn check(found: Vec<String>) {
    let some: Vec<String> =
        found.iter().map(|leak| leak.chars().take(1_500).collect()).take(15).collect();
    assert!(found.is_empty(), "{} leaks, such as\n{}", found.len(), some.join("\n\n"));
}

// RED-01, RED-02, RED-04, RED-05, RED-06, RED-07, RED-09, RED-10, RED-11, RED-12, RED-13, RED-14,
// RED-16, RED-18, RES-05, DEC-68, design §5
#[tokio::test]
async fn a_secret_of_the_call_leaves_through_no_exit() {
    let mut found = Vec::new();
    for place in places() {
        for (answer, rule) in answers(place.row) {
            let env = TestEnv::new().script(&json!([rule, password_field()]));
            let env = env.with("AGENT_BROWSER_NATIVE_DEBUG", "1");
            let engine = TestEngine::with(env, |options| options.view = false);
            let mut params = place.params.clone();
            params["outputPath"] = json!("out/result.json");
            let said = engine.send(params).await;
            found.extend(leaks_of(&format!("{}, {answer}", place.name), &engine, &said));
        }
    }
    check(found);
}

// RED-01, RED-02, RED-12, DEC-68, design §5
#[test]
fn a_secret_of_the_call_leaves_through_no_exit_of_the_program() {
    let mut found = Vec::new();
    for (number, place) in places().into_iter().enumerate() {
        for (at, (answer, rule)) in answers(place.row).into_iter().enumerate() {
            let env = TestEnv::new().script(&json!([rule, password_field()]));
            let env = env.with("AGENT_BROWSER_NATIVE_DEBUG", "1");
            // Half of the calls by their argument, half by stdin, both with and without details.
            let call = place.params.to_string();
            let whole = if (number + at) % 2 == 0 { "--json" } else { "--no-view" };
            let (stdout, stderr) = match at % 2 {
                0 => streams(&env, &["call", &call, whole], ""),
                _ => streams(&env, &["call", "-", whole], &call),
            };
            assert!(!stdout.is_empty(), "{}, {answer}: {stderr}", place.name);
            let exits = [("stdout", stdout.as_str()), ("stderr", &stderr)];
            found.extend(leaks(&format!("{}, {answer}", place.name), &env, &exits));
            assert!(
                env.files("state").iter().any(|path| path.to_string_lossy().contains("journal"))
            );
        }
    }
    check(found);
}

// RED-01, RED-02, design §5
#[test]
fn no_door_repeats_what_it_does_not_understand() {
    let call = json!({ "args": ["cookies", "set", "sid", SECRET] });
    let tool = json!({ "name": "agent_browser", "arguments": call });
    let mut found = Vec::new();
    for (door, method) in [("mcp", "tools/call"), ("rpc", "call")] {
        let request = |id: u64, method: &str, params: &Value| {
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
        };
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" },
            "door": "pi", "sessionId": "s", "cwd": "/", "trusted": false, "facts": [] });
        let lines = [
            request(1, "initialize", &hello),
            format!("{{\"jsonrpc\":\"2.0\", {SECRET}"),
            SECRET.to_owned(),
            request(2, method, &tool),
            request(
                3,
                method,
                &json!({ "name": "agent_browser", "arguments": { "stdin": SECRET } }),
            ),
            request(4, method, &json!([SECRET])),
            request(5, "no/such", &tool),
        ];
        let env = TestEnv::new();
        let (stdout, stderr) = streams(&env, &[door], &(lines.join("\n") + "\n"));
        assert!(!stdout.is_empty(), "{stderr}");
        let exits = [("stdout", stdout.as_str()), ("stderr", &stderr)];
        found.extend(leaks(door, &env, &exits));
    }
    for call in [format!("{{\"args\":[\"fill\",\"{SECRET}"), SECRET.to_owned()] {
        let env = TestEnv::new();
        let (stdout, stderr) = streams(&env, &["call", "-"], &call);
        assert!(stderr.contains("is not JSON"), "{stderr}");
        found.extend(leaks("call", &env, &[("stdout", &stdout), ("stderr", &stderr)]));
    }
    check(found);
}

// RES-23, DEC-105
#[tokio::test]
async fn a_secret_of_the_call_leaves_not_as_json_either() {
    let mut found = Vec::new();
    for place in places() {
        let Some(args) = place.params["args"].as_array().filter(|args| args[0] != "batch") else {
            continue;
        };
        let (_, rule) = answers(place.row).remove(0);
        let env = TestEnv::new().script(&json!([rule, password_field()]));
        let engine = TestEngine::with(env, |options| options.view = false);
        let mut params = place.params.clone();
        let all: Vec<Value> = [json!("--json")].into_iter().chain(args.iter().cloned()).collect();
        params["args"] = json!(all);
        let said = engine.send(params).await;
        found.extend(leaks_of(&format!("{} as json", place.name), &engine, &said));
    }
    check(found);
}

// RED-24, PRES-AUTH-01
#[tokio::test]
async fn a_password_on_stdin_is_a_secret_of_the_call() {
    let rule = json!({ "match": { "argv": ["auth"] },
        "stdout": { "success": true, "data": { "saved": "shop", "echo": SECRET } } });
    let engine = TestEngine::new(TestEnv::new().script(&json!([rule])));
    let args = [
        "auth",
        "save",
        "shop",
        "--url",
        "https://shop.test/",
        "--username",
        "ann",
        "--password-stdin",
    ];
    let said = engine.send(json!({ "args": args, "stdin": format!("{SECRET}\n") })).await;
    assert_eq!(said.text, "Saved auth profile \"shop\".");
    check(leaks_of("stdin", &engine, &said));
}

/// Values that are secrets by their form or their name, in any answer.
fn known_forms() -> Vec<(&'static str, String)> {
    let token = "gh".to_owned() + "p_16C7e42F292c6912E7710c838347Ae178B4a";
    let jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
    vec![
        ("token", token),
        ("jwt", jwt.to_owned()),
        ("aws", "AKIA".to_owned() + "IOSFODNN7EXAMPLE"),
        ("bearer", "Authorization: Bearer abcdef0123456789abcdef".to_owned()),
    ]
}

// DEC-68, RED-04, RED-20, DOC-19
#[tokio::test]
async fn known_secret_forms_leave_no_family_of_answers() {
    let mut found = Vec::new();
    for (name, secret) in known_forms() {
        let families = families(&format!("see {secret} here"), 2);
        let rules: Vec<Value> = families.iter().map(|family| family.rule()).collect();
        let engine =
            TestEngine::with(TestEnv::new().script(&json!(rules)), |options| options.view = false);
        let bare = secret.rsplit(' ').next().unwrap();
        let mut masked = 0;
        for family in &families {
            let said = engine.call(&family.args).await;
            masked += usize::from(said.text.contains("[REDACTED]"));
            for exit in [said.text, said.details.to_string()] {
                if exit.contains(bare) {
                    found.push(format!("{name} {:?}\n{exit}", family.args));
                }
            }
        }
        // Only what would have been shown can be masked.
        assert!(masked * 4 > families.len() * 3, "{name}: {masked} of {}", families.len());
        for path in engine.env.files("state").into_iter().chain(engine.env.files("temp")) {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            if text.contains(bare) {
                found.push(format!("{name} {}\n{text}", path.display()));
            }
        }
    }
    check(found);
}

// DEC-68
#[tokio::test]
async fn text_in_a_known_field_stays_readable_and_in_an_unknown_one_does_not() {
    let engine = TestEngine::new(TestEnv::new());
    engine.call(&["open", "https://shop.test/"]).await;
    let known = engine.call(&["fill", "#email", "ann@shop.test"]).await;
    assert_eq!(known.details["args"], json!(["fill", "#email", "ann@shop.test"]));
    let missed = engine.call(&["fill", "#nope", "ann@shop.test"]).await;
    assert_eq!(missed.details["args"], json!(["fill", "#nope", "[REDACTED]"]));
    let effective = missed.details["effectiveArgs"].as_array().unwrap();
    assert_eq!(effective.last().unwrap(), "[REDACTED]");
    let rows = json!([["fill", "#email", "ann@shop.test"], ["fill", "#nope", "open sesame"]]);
    let said = engine.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
    assert_eq!(said.details["batchSteps"][0]["command"][2], "ann@shop.test");
    assert_eq!(said.details["batchSteps"][1]["command"][2], "[REDACTED]");
    assert_eq!(said.details["batchFailure"]["failedStep"]["command"][2], "[REDACTED]");
}

// RED-17
#[tokio::test]
async fn a_selector_with_a_secret_is_not_asked_about_and_not_repeated() {
    let token = "gh".to_owned() + "p_16C7e42F292c6912E7710c838347Ae178B4a";
    let selector = format!("a[href*='{token}']");
    let texts =
        json!([{ "selector": selector, "matchCount": 3, "visibleCount": 3, "firstVisible": true }]);
    let press = json!({ "reached": 0, "elsewhere": 3, "taken": false });
    let page = json!({ "match": { "row": ["eval"], "contains": "after(ask)" }, "value": {
        "doc": "1794770000002.5", "url": "https://shop.test/", "title": "t", "armed": true,
        "answers": { "texts": texts, "press": press }, "effect": {} } });
    let engine = TestEngine::new(TestEnv::new().script(&json!([page])));
    engine.call(&["open", "https://shop.test/"]).await;
    let read = engine.call(&["get", "text", &selector]).await;
    assert!(!read.is_error, "{}", read.text);
    assert_eq!(engine.asked().pop().unwrap().commands(), ["get"], "no question rides along");
    assert_eq!(read.details["selectorTextVisibility"], Value::Null);
    let other = engine.call(&["get", "text", ".price"]).await;
    assert!(other.text.contains("Selector text visibility warning"), "{}", other.text);
    assert!(!other.text.contains(&token), "{}", other.text);
    let clicked = engine.call(&["click", &selector]).await;
    assert_eq!(
        clicked.details["clickDispatch"]["target"],
        json!({ "kind": "selector", "selector": "a[href*='[REDACTED]']" })
    );
    for said in [read, clicked] {
        assert!(!said.text.contains(&token) && !said.details.to_string().contains(&token));
    }
}
