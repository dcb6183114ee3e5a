//! A client of the built program's MCP door: JSON lines in, JSON lines out.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::env::TestEnv;

const PATIENCE: Duration = Duration::from_secs(20);

/// A running server and the lines it writes.
pub struct McpClient {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    last_id: u64,
    /// What the client answers to `roots/list`; `None` = it has no roots.
    roots: Option<Vec<String>>,
    /// How often it was asked.
    pub asked_for_roots: usize,
}

impl McpClient {
    /// Starts the server in the test's directory `work` and shakes hands.
    pub fn start(env: &TestEnv, flags: &[&str], roots: Option<&[&str]>) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agent-browser-native"))
            .arg("mcp")
            .args(flags)
            .current_dir(env.path("work"))
            .env_clear()
            .envs(env.vars())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (send, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let _gone = send.send(serde_json::from_str(&line).unwrap());
            }
        });
        let stdin = child.stdin.take();
        let roots = roots.map(|roots| roots.iter().map(ToString::to_string).collect());
        let mut client = Self { child, stdin, lines, last_id: 0, roots, asked_for_roots: 0 };
        client.shake_hands();
        client
    }

    fn shake_hands(&mut self) {
        let capabilities = match self.roots {
            Some(_) => json!({ "roots": { "listChanged": true } }),
            None => json!({}),
        };
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": client,
        });
        self.request("initialize", params);
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    }

    /// The `result` of a request; requests of the server are answered meanwhile.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.lines.recv_timeout(PATIENCE).expect("an answer in time");
            if message["method"] == "roots/list" {
                self.answer_roots(&message);
            } else if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    fn answer_roots(&mut self, message: &Value) {
        self.asked_for_roots += 1;
        let uris = self.roots.clone().unwrap_or_default();
        let roots: Vec<Value> = uris.iter().map(|uri| json!({ "uri": uri })).collect();
        let result = json!({ "roots": roots });
        self.write(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
    }

    /// Tells the server that the roots are others now.
    pub fn change_roots(&mut self, roots: &[&str]) {
        self.roots = Some(roots.iter().map(ToString::to_string).collect());
        let method = "notifications/roots/list_changed";
        self.write(&json!({ "jsonrpc": "2.0", "method": method }));
    }

    /// Visible text of a tool call.
    pub fn call(&mut self, args: &[&str]) -> String {
        let params = json!({ "name": "agent_browser", "arguments": { "args": args } });
        let result = self.request("tools/call", params);
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    fn write(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{message}\n").as_bytes()).unwrap();
    }
}

impl Drop for McpClient {
    fn drop(&mut self) {
        // The server ends by itself when its input ends.
        self.stdin = None;
        let _ended = self.child.wait();
    }
}
