//! The stand-in for upstream behaves as the tests that use it believe.

use std::fs;
use std::os::unix::fs::FileTypeExt;

use agent_browser_native::run::Invocation;
use agent_browser_native::run::proc::{ProcId, descendants};
use serde_json::{Value, json};

use crate::support::env::{TestEnv, run, soon};

async fn batch(env: &TestEnv, flags: &[&str], rows: Value) -> (Value, i32) {
    let argv = [&["--json", "--session", "S", "batch"], flags].concat();
    let done =
        run(Invocation { stdin: rows.to_string().into_bytes(), ..env.fake(&argv) }).await.unwrap();
    (serde_json::from_slice(&done.stdout).unwrap(), done.exit_code)
}

async fn ask(env: &TestEnv, words: &[&str]) -> Value {
    let argv = [&["--json", "--session", "S"], words].concat();
    let done = run(env.fake(&argv)).await.unwrap();
    serde_json::from_slice(&done.stdout).unwrap()
}

// RUN-11, DEC-90
#[tokio::test]
async fn rows_come_back_with_upstreams_keys() {
    let env = TestEnv::new();
    let rows =
        json!([["open", "http://127.0.0.1/a"], ["click", "#nope"], ["bogus"], ["get", "url"]]);
    let (answer, code) = batch(&env, &[], rows.clone()).await;
    assert_eq!(code, 1);
    assert_eq!(answer[0]["command"], json!(["open", "http://127.0.0.1/a"]));
    assert_eq!(answer[0]["result"]["lifecycle"]["launched"], true);
    assert_eq!((&answer[1]["success"], &answer[1]["result"]), (&json!(false), &Value::Null));
    assert!(answer[2].get("result").is_none());
    assert_eq!(answer[3]["result"]["url"], "http://127.0.0.1/a");
    assert_eq!(answer[3]["result"]["lifecycle"]["launched"], false);

    let (bailed, _) = batch(&env, &["--bail", "--omit-command"], rows).await;
    assert_eq!(bailed.as_array().unwrap().len(), 2);
    assert_eq!((&bailed[1]["index"], bailed[1].get("command")), (&json!(1), None));
}

// DEC-90
#[tokio::test]
async fn page_lives_between_calls_and_refs_die_with_a_navigation() {
    let env = TestEnv::new();
    ask(&env, &["open", "http://127.0.0.1/a"]).await;
    let snapshot = ask(&env, &["snapshot", "-i"]).await;
    assert_eq!(snapshot["data"]["refs"]["e3"], json!({"name": "Save", "role": "button"}));
    assert_eq!(ask(&env, &["click", "@e3"]).await["data"]["clicked"], "@e3");
    ask(&env, &["open", "http://127.0.0.1/b"]).await;
    assert_eq!(ask(&env, &["click", "@e3"]).await["error"], "Unknown ref: e3");
    assert!(ask(&env, &["snapshot", "-i"]).await["data"]["refs"].get("e7").is_some());
    assert_eq!(ask(&env, &["tab", "list"]).await["data"]["tabs"][0]["url"], "http://127.0.0.1/b");
}

// DEC-90
#[tokio::test]
async fn scripted_rows_come_in_order_and_only_as_often_as_told() {
    let env = TestEnv::new().script(&json!([
        {"match": {"row": ["eval"], "contains": "one"}, "value": 1, "times": 1},
        {"match": {"row": ["eval"]}, "error": "Evaluation error: Error: boom", "code": "odd"},
    ]));
    let rows = json!([["eval", "one"], ["eval", "one"]]);
    let (answer, _) = batch(&env, &[], rows).await;
    assert_eq!(answer[0]["result"]["result"], 1);
    assert_eq!(
        (&answer[1]["error"], &answer[1]["code"]),
        (&json!("Evaluation error: Error: boom"), &json!("odd"))
    );
    let wrong = TestEnv::new().script(&json!([{"mtach": {}}]));
    assert_eq!(run(wrong.fake(&["get", "title"])).await.unwrap().exit_code, 97);
}

// DEC-90
#[tokio::test]
async fn session_files_appear_with_the_browser_and_go_with_close() {
    let env = TestEnv::new();
    assert_eq!(ask(&env, &["session", "info"]).await["data"]["active"], false);
    ask(&env, &["get", "title"]).await;
    assert!(fs::metadata(env.path("s/S.sock")).unwrap().file_type().is_socket());
    assert_eq!(fs::read_to_string(env.path("s/S.pid")).unwrap(), std::process::id().to_string());
    assert_eq!(ask(&env, &["session", "info"]).await["data"]["pid"], std::process::id());
    ask(&env, &["close"]).await;
    assert_eq!(env.files("s"), [env.path("s/S.target")]);
}

// DEC-106
#[tokio::test]
async fn daemon_and_browser_are_real_processes_on_request() {
    let env = TestEnv::new().with("FAKE_UPSTREAM_DAEMON", "1");
    ask(&env, &["get", "title"]).await;
    let daemon: u32 = fs::read_to_string(env.path("s/S.pid")).unwrap().parse().unwrap();
    let daemon = ProcId::of(daemon).unwrap();
    assert!(soon(|| descendants(&[daemon]).len() == 1).await);
    let browser = descendants(&[daemon])[0];
    assert!(
        soon(|| browser
            .command_line()
            .is_some_and(|line| line.concat().contains("--user-data-dir=")))
        .await
    );
    ask(&env, &["close"]).await;
    assert!(soon(|| !daemon.is_alive() && !browser.is_alive()).await);
}

// DEC-90
#[tokio::test]
async fn screenshot_is_a_real_image() {
    let env = TestEnv::new();
    let path = env.path("work/shot.png");
    let answer = ask(&env, &["screenshot", path.to_str().unwrap()]).await;
    assert_eq!(answer["data"]["path"], path.to_str().unwrap());
    let image = image::load_from_memory(&fs::read(path).unwrap()).unwrap();
    assert_eq!((image.width(), image.height()), (8, 6));
}
