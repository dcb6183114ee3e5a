//! A host that speaks JSON-RPC with the program, one message a line.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::env::TestEnv;

/// No answer of a test takes longer.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Host {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    next_id: u64,
    /// Messages without an id that came meanwhile.
    pub notes: Vec<Value>,
    /// Answers to requests that nobody has asked for yet.
    early: Vec<Value>,
}

impl Host {
    pub fn start(env: &TestEnv, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agent-browser-native"))
            .args(arguments)
            .env_clear()
            .envs(env.vars())
            .current_dir(env.path("work"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, input, output, next_id: 1, notes: Vec::new(), early: Vec::new() }
    }

    /// The MCP door, through its handshake.
    pub async fn mcp(env: &TestEnv) -> Self {
        let mut host = Self::start(env, &["mcp"]);
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        host.request("initialize", hello).await;
        host.notify("notifications/initialized", json!({})).await;
        host
    }

    /// The rpc door, in a session without a past.
    pub async fn rpc(env: &TestEnv) -> Self {
        let mut host = Self::start(env, &["rpc"]);
        let mut hello = session(env, "s1", &[]);
        hello["door"] = json!("pi");
        host.result("initialize", hello).await;
        host
    }

    pub fn pid(&self) -> u32 {
        self.child.id().unwrap()
    }

    pub async fn line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        input.flush().await.unwrap();
    }

    pub async fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.line(&message.to_string()).await;
    }

    /// Sends a request and goes on; the answer is read with `answer`.
    pub async fn send(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.line(&message.to_string()).await;
        id
    }

    /// The answer to a request, whatever comes before it.
    pub async fn answer(&mut self, id: u64) -> Value {
        if let Some(at) = self.early.iter().position(|message| message["id"] == id) {
            return self.early.remove(at);
        }
        loop {
            let message = self.read().await;
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            if message.get("id").is_some_and(|id| !id.is_null()) {
                self.early.push(message);
            } else {
                self.notes.push(message);
            }
        }
    }

    pub async fn read(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.output.next_line()).await;
        let line = line.expect("an answer in time").unwrap().expect("an answer before the end");
        serde_json::from_str(&line).unwrap()
    }

    pub async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        self.answer(id).await
    }

    /// The result of a request that must succeed.
    pub async fn result(&mut self, method: &str, params: Value) -> Value {
        let answer = self.request(method, params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// A call through the rpc door.
    pub async fn call(&mut self, env: &TestEnv, params: Value) -> Value {
        self.result("call", call(env, "s1", params)).await
    }

    /// Closes its end and waits until the program is gone.
    pub async fn end(mut self) -> i32 {
        drop(self.input.take());
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        ended.expect("an end in time").unwrap().code().unwrap()
    }
}

/// An environment in which every session has processes of its own, as with the real upstream.
pub fn world() -> TestEnv {
    TestEnv::new().with("FAKE_UPSTREAM_DAEMON", "1")
}

/// Parameters of `session/start` and its like.
pub fn session(env: &TestEnv, id: &str, facts: &[Value]) -> Value {
    json!({ "sessionId": id, "cwd": work(env), "trusted": false, "facts": facts })
}

/// Parameters of `call`.
pub fn call(env: &TestEnv, id: &str, params: Value) -> Value {
    json!({ "tool": "agent_browser", "params": params, "sessionId": id, "cwd": work(env) })
}

/// Text blocks of a result, joined.
pub fn text(result: &Value) -> String {
    let blocks = result["content"].as_array().unwrap();
    let texts = blocks.iter().filter_map(|block| block["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn work(env: &TestEnv) -> String {
    Path::new(&env.path("work")).to_str().unwrap().to_owned()
}
