//! A client for the MCP door over stdio, as small as a host can be.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// Longer than any call of a test takes.
const LIMIT: Duration = Duration::from_secs(120);

#[derive(Default)]
struct Waiting {
    by_id: HashMap<u64, Sender<Value>>,
    /// Messages without a number of ours: notifications, and answers to unreadable lines.
    others: Vec<Value>,
    /// What is answered to `roots/list`, and how often it was asked.
    roots: Vec<String>,
    asked_for_roots: usize,
}

/// Closed when the test takes it away.
type Input = Arc<Mutex<Option<ChildStdin>>>;

/// A running server and the connection to it.
pub struct Mcp {
    pub child: Child,
    stdin: Input,
    waiting: Arc<Mutex<Waiting>>,
    next_id: u64,
}

/// An answer that is still to come.
pub struct Pending {
    pub id: u64,
    answer: Receiver<Value>,
}

impl Pending {
    /// The whole JSON-RPC answer.
    pub fn message(&self) -> Value {
        self.answer.recv_timeout(LIMIT).expect("the server answers")
    }

    /// The answer of a tool call.
    pub fn answer(&self) -> Answer {
        let message = self.message();
        assert!(message.get("error").is_none(), "{message}");
        Answer { result: message["result"].clone() }
    }

    /// No answer comes within this time.
    pub fn is_silent_for(&self, time: Duration) -> bool {
        matches!(self.answer.recv_timeout(time), Err(RecvTimeoutError::Timeout))
    }
}

/// What a tool call gave.
#[derive(Clone, Debug)]
pub struct Answer {
    result: Value,
}

impl Answer {
    /// What the model reads: the text blocks, nothing else.
    pub fn text(&self) -> String {
        let blocks = self.result["content"].as_array().unwrap();
        let texts = blocks.iter().filter_map(|block| block["text"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    pub fn is_error(&self) -> bool {
        self.result["isError"] == true
    }

    /// How many images the model gets.
    pub fn images(&self) -> usize {
        let blocks = self.result["content"].as_array().unwrap();
        blocks.iter().filter(|block| block["type"] == "image").count()
    }

    /// What the model does not see.
    pub fn details(&self) -> &Value {
        &self.result["_meta"]["agent-browser-native/details"]
    }

    /// The text of a call that had to succeed.
    pub fn ok(&self) -> String {
        assert!(!self.is_error(), "{}", self.text());
        self.text()
    }
}

impl Mcp {
    /// Starts the command (`… mcp`) and shakes hands.
    pub fn start(command: &mut Command) -> Self {
        let mut mcp = Self::connect(command);
        mcp.shake_hands(&json!({}));
        mcp
    }

    /// A client that has directories of its own, as `file:` addresses.
    pub fn start_with_roots(command: &mut Command, roots: &[&str]) -> Self {
        let mut mcp = Self::connect(command);
        mcp.set_roots(roots);
        mcp.shake_hands(&json!({ "roots": { "listChanged": true } }));
        mcp
    }

    fn shake_hands(&mut self, capabilities: &Value) {
        let hello = self.request("initialize", &initialize(capabilities)).message();
        assert_eq!(hello["result"]["serverInfo"]["name"], "agent-browser-native", "{hello}");
        self.notify("notifications/initialized", &json!({}));
    }

    fn set_roots(&self, roots: &[&str]) {
        self.waiting.lock().unwrap().roots = roots.iter().map(ToString::to_string).collect();
    }

    /// Tells the server that the roots are others now.
    pub fn change_roots(&mut self, roots: &[&str]) {
        self.set_roots(roots);
        self.notify("notifications/roots/list_changed", &json!({}));
    }

    /// How often the server has asked for the roots.
    pub fn asked_for_roots(&self) -> usize {
        self.waiting.lock().unwrap().asked_for_roots
    }

    /// Starts the command without a word.
    pub fn connect(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdin: Input = Arc::new(Mutex::new(child.stdin.take()));
        let stdout = child.stdout.take().unwrap();
        let waiting = Arc::new(Mutex::new(Waiting::default()));
        let (reading, answering) = (Arc::clone(&waiting), Arc::clone(&stdin));
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                take(serde_json::from_str(&line).unwrap(), &reading, &answering);
            }
        });
        Self { child, stdin, waiting, next_id: 0 }
    }

    /// The number of a request that the test writes itself.
    pub fn expect_answer(&mut self) -> Pending {
        self.next_id += 1;
        let id = self.next_id;
        let (sender, answer) = channel();
        self.waiting.lock().unwrap().by_id.insert(id, sender);
        Pending { id, answer }
    }

    /// Sends a request; the answer comes when it comes.
    pub fn request(&mut self, method: &str, params: &Value) -> Pending {
        let pending = self.expect_answer();
        let id = pending.id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(format!("{request}\n").as_bytes());
        pending
    }

    pub fn notify(&mut self, method: &str, params: &Value) {
        let note = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.send(format!("{note}\n").as_bytes());
    }

    /// Bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        let mut stdin = self.stdin.lock().unwrap();
        let stdin = stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// Gives a tool call of any shape to the server and does not wait.
    pub fn begin(&mut self, arguments: &Value) -> Pending {
        self.request("tools/call", &json!({ "name": "agent_browser", "arguments": arguments }))
    }

    /// A tool call of any shape.
    pub fn call_with(&mut self, arguments: &Value) -> Answer {
        self.begin(arguments).answer()
    }

    /// A tool call with `args`.
    pub fn call(&mut self, args: &[&str]) -> Answer {
        self.call_with(&json!({ "args": args }))
    }

    /// A tool call with `args` that has to succeed: its text.
    pub fn ok(&mut self, args: &[&str]) -> String {
        self.call(args).ok()
    }

    /// A tool call with `args` that has to fail: its text.
    pub fn fails(&mut self, args: &[&str]) -> String {
        let answer = self.call(args);
        assert!(answer.is_error(), "{args:?}: {}", answer.text());
        answer.text()
    }

    pub fn cancel(&mut self, pending: &Pending) {
        self.notify("notifications/cancelled", &json!({ "requestId": pending.id }));
    }

    /// Messages that answer no request.
    pub fn others(&self) -> Vec<Value> {
        self.waiting.lock().unwrap().others.clone()
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Closes stdin and waits for the end.
    pub fn end(mut self) -> ExitStatus {
        drop(self.stdin.lock().unwrap().take());
        self.child.wait().unwrap()
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        drop(self.stdin.lock().unwrap().take());
        let _ended_already = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// A message of the server goes to whoever waits for it; its question for roots is answered.
fn take(message: Value, waiting: &Mutex<Waiting>, stdin: &Input) {
    let mut waiting = waiting.lock().unwrap();
    if message["method"] == "roots/list" {
        waiting.asked_for_roots += 1;
        let roots: Vec<Value> = waiting.roots.iter().map(|uri| json!({ "uri": uri })).collect();
        let result = json!({ "roots": roots });
        let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
        if let Some(stdin) = stdin.lock().unwrap().as_mut() {
            let _gone = stdin.write_all(format!("{answer}\n").as_bytes());
        }
        return;
    }
    let id = message["id"].as_u64().filter(|_| message.get("method").is_none());
    match id.and_then(|id| waiting.by_id.remove(&id)) {
        Some(waits) => drop(waits.send(message)),
        None => waiting.others.push(message),
    }
}

fn initialize(capabilities: &Value) -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": capabilities,
        "clientInfo": { "name": "tests", "version": "1" },
    })
}

/// The number behind `- button "Sign in" [… ref=e5]`: how a reader of the text finds a ref.
pub fn ref_in(text: &str, role: &str, name: &str) -> Option<String> {
    let wanted = format!("- {role} \"{name}\"");
    let line = text.lines().find(|line| line.trim_start().starts_with(&wanted))?;
    let (_, rest) = line.split_once("ref=")?;
    let digits: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    Some(format!("@{digits}"))
}
