//! Many connections in one directory, and many random calls: nobody meets another's browser, and what
//! is written down is what is known.

use std::collections::BTreeSet;

use agent_browser_native::call::Keep;
use agent_browser_native::session::fact::Fact;
use agent_browser_native::session::journal::Journal;
use agent_browser_native::session::state::State;
use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;
use crate::support::mcp::Mcp;

fn is_full() -> bool {
    std::env::var_os("ABN_FULL").is_some()
}

// SES-01, SES-02, DEC-10
#[test]
fn connections_in_one_directory_never_meet() {
    let (connections, calls) = if is_full() { (64, 50) } else { (16, 8) };
    let env = TestEnv::new();
    std::thread::scope(|scope| {
        for number in 0..connections {
            let env = &env;
            scope.spawn(move || {
                let mut mcp = Mcp::start(&mut env.program(&["mcp"]));
                let url = format!("http://shop.test/{number}");
                assert!(mcp.ok(&["open", &url]).contains(&url));
                for call in 0..calls {
                    match call % 3 {
                        0 => assert!(mcp.ok(&["snapshot", "-i"]).contains(&url)),
                        1 => assert_eq!(mcp.ok(&["get", "url"]), url),
                        _ => drop(mcp.ok(&["fill", "#a", &number.to_string()])),
                    }
                }
                mcp.end();
            });
        }
    });
    let mut sessions = BTreeSet::new();
    let mut opened = BTreeSet::new();
    for entry in env.log() {
        let argv: Vec<String> = serde_json::from_value(entry["argv"].clone()).unwrap();
        let Some(session) = argv.iter().skip_while(|word| *word != "--session").nth(1) else {
            continue;
        };
        sessions.insert(session.clone());
        let rows = entry["stdin"].as_str().unwrap_or_default();
        if let Some((_, rest)) = rows.split_once("[\"open\",\"") {
            let url = rest.split('"').next().unwrap().to_owned();
            assert!(opened.insert((session.clone(), url)), "a session opens its page once");
        }
    }
    assert_eq!((sessions.len(), opened.len()), (connections, connections));
}

/// Calls of any kind, good and bad.
fn some_call(dice: u32) -> Value {
    let url = format!("http://shop.test/{}", dice % 5);
    let id = format!("@e{}", dice % 23);
    match dice % 19 {
        0 => json!({ "args": ["open", url] }),
        1 => json!({ "args": ["open", url], "sessionMode": "fresh" }),
        2 => json!({ "args": ["close"] }),
        3 => json!({ "args": ["snapshot", "-i"] }),
        4 | 5 => json!({ "args": ["click", id] }),
        6 => json!({ "args": ["fill", id, "Ann"] }),
        7 => json!({ "args": ["back"] }),
        8 => json!({ "args": ["tab", "new", url] }),
        9 => json!({ "args": ["tab", format!("t{}", dice % 3 + 1)] }),
        10 => json!({ "args": ["--session", "mine", "open", url] }),
        11 => json!({ "args": ["--session", "mine", "click", id] }),
        12 => json!({ "args": ["trace", "start"] }),
        13 => json!({ "args": ["screenshot", format!("{}.png", dice % 4)] }),
        14 => {
            json!({ "args": ["batch"], "stdin": json!([["snapshot", "-i"], ["click", id]]).to_string() })
        }
        15 => {
            json!({ "job": { "steps": [{ "action": "open", "url": url }, { "action": "snapshot" }] } })
        }
        16 => json!({ "args": ["find", "role", "button", "click", "--name", "Save"] }),
        17 => json!({ "args": ["--session", "mine", "close"] }),
        _ => json!({ "args": ["get", "title"] }),
    }
}

// SES-35, PI-34
#[tokio::test]
async fn journal_transcript_and_memory_agree_after_any_calls() {
    let rounds = if is_full() { 60 } else { 8 };
    for _ in 0..rounds {
        let seed = getrandom::u32().unwrap();
        let tool = TestEngine::with(TestEnv::new(), |options| options.keep = Keep::IdleTimeout);
        let mut transcript: Vec<Fact> = Vec::new();
        let mut dice = seed;
        for call in 0..25 {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let params = some_call(dice >> 8);
            let said = tool.send(params.clone()).await;
            transcript.extend(
                serde_json::from_value::<Vec<Fact>>(said.details["facts"].clone()).unwrap(),
            );
            let known = tool.engine.known();
            let journal = Journal::at(&tool.env.places().state_root, tool.engine.base_name());
            assert_eq!(journal.load().0, known, "seed {seed}, call {call}: {params}");
            assert_eq!(State::replay(&transcript), known, "seed {seed}, call {call}: {params}");
        }
        tool.engine.settle().await;
    }
}
