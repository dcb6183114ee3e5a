//! An engine on the stand-in: calls in, visible text and details out.

use agent_browser_native::call::{Block, CallContext, Engine, EngineOptions, Keep};
use agent_browser_native::command::Class;
use agent_browser_native::config::Trust;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::env::TestEnv;

/// One door's engine and its environment.
pub struct TestEngine {
    pub env: TestEnv,
    pub engine: Engine,
}

/// What one call answered.
#[derive(Debug)]
pub struct Said {
    pub text: String,
    pub details: Value,
    pub is_error: bool,
}

impl Said {
    /// The first visible line.
    pub fn first(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }

    /// The exact calls that the text offers.
    pub fn next(&self) -> Vec<Value> {
        let lines = self.text.lines().filter_map(|line| line.strip_prefix("Next: "));
        lines.map(|json| serde_json::from_str(json).unwrap()).collect()
    }

    pub fn category(&self) -> &str {
        let key = if self.is_error { "failureCategory" } else { "successCategory" };
        self.details[key].as_str().unwrap()
    }
}

impl TestEngine {
    pub fn new(env: TestEnv) -> Self {
        Self::with(env, |_| {})
    }

    /// An engine whose browser shows a page.
    pub async fn showing(url: &str) -> Self {
        let tool = Self::new(TestEnv::new());
        let said = tool.call(&["open", url]).await;
        assert!(!said.is_error, "{}", said.text);
        tool
    }

    /// An engine whose options differ from the usual ones.
    pub fn with(env: TestEnv, change: impl FnOnce(&mut EngineOptions)) -> Self {
        let mut options = EngineOptions {
            door: "mcp",
            host_id: "host".to_owned(),
            cwd: env.path("."),
            env: env.parent(),
            places: env.places(),
            allowed: Class::ALL.into_iter().collect(),
            view: true,
            confine: None,
            keep: Keep::ThisProcess,
            prepares: false,
            failure_notice: "isError: true",
            trust: Trust::default(),
        };
        change(&mut options);
        Self { engine: Engine::new(options), env }
    }

    /// The environment, for the next process of the same host.
    pub fn into_env(self) -> TestEnv {
        self.env
    }

    pub async fn call(&self, args: &[&str]) -> Said {
        self.send(json!({ "args": args })).await
    }

    pub async fn send(&self, params: Value) -> Said {
        self.send_in(params, CallContext { reports_progress: true, ..CallContext::default() }).await
    }

    pub async fn send_in(&self, params: Value, context: CallContext) -> Said {
        let reply = self.engine.call(&params, context).await;
        let is_error = reply.is_error();
        let text = reply.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str().to_owned()),
            Block::Image { .. } => None,
        });
        let text = text.collect::<Vec<_>>().join("\n");
        Said { text, details: reply.details.into_value(), is_error }
    }

    /// Browser processes that the stand-in was asked to run: argv and rows of each.
    pub fn asked(&self) -> Vec<Asked> {
        let log = self.env.log().into_iter();
        let asked = log.map(|entry| Asked {
            argv: serde_json::from_value(entry["argv"].clone()).unwrap(),
            rows: up_to_first_look(
                serde_json::from_str(entry["stdin"].as_str().unwrap_or("[]")).unwrap_or_default(),
            ),
            entry,
        });
        asked.filter(|asked| !asked.argv.iter().any(|word| word == "--version")).collect()
    }
}

/// Rows without the rests and looks that only run while nothing is to be seen; the stand-in's first look
/// always sees something.
fn up_to_first_look(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let first = rows.iter().position(|row| script(row).contains("lookBehind("));
    let further = |row: &Vec<String>| {
        row.first().is_some_and(|word| word == "wait") || script(row).contains("lookAgain(")
    };
    if let Some(at) = first {
        assert!(rows[at + 1..].iter().all(further), "no other row stands behind a look");
        rows.truncate(at + 1);
    }
    rows
}

fn script(row: &[String]) -> String {
    let bytes = row.get(2).and_then(|encoded| STANDARD.decode(encoded).ok()).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// A call is on its way and does not end: something in front of it goes on.
pub async fn still_waits(call: &mut (impl Future<Output = Said> + Unpin)) {
    tokio::select! {
        said = call => panic!("it did not wait: {}", said.text),
        () = tokio::time::sleep(std::time::Duration::from_millis(50)) => {}
    }
}

/// One process of the stand-in.
#[derive(Debug)]
pub struct Asked {
    pub argv: Vec<String>,
    pub rows: Vec<Vec<String>>,
    pub entry: Value,
}

impl Asked {
    /// The first words of its rows.
    pub fn commands(&self) -> Vec<&str> {
        self.rows.iter().filter_map(|row| row.first()).map(String::as_str).collect()
    }

    pub fn has(&self, token: &str) -> bool {
        self.argv.iter().any(|word| word == token)
    }

    /// One of its rows has this word.
    pub fn says(&self, word: &str) -> bool {
        self.rows.iter().flatten().any(|said| said == word)
    }
}
