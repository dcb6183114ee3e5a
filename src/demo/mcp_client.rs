//! A host of an MCP server, as small as one can be.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::DemoError;
use crate::run::held::Held;
use crate::run::proc::ProcId;
use crate::run::{ChildEnv, Invocation};

/// How long an answer may take; the first call starts a browser.
const ANSWER_LIMIT: Duration = Duration::from_secs(45);
/// Lines that may stand before an answer.
const OTHER_LINES: usize = 100;

/// A greeted server.
pub(super) struct McpServer {
    held: Held,
    name: PathBuf,
}

impl McpServer {
    /// Starts `exe mcp` and greets it as a host does.
    pub(super) async fn start(exe: &Path, env: ChildEnv, cwd: &Path) -> Result<Self, DemoError> {
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "demo", "version": env!("CARGO_PKG_VERSION") },
        });
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let invocation = Invocation {
            exe: exe.to_owned(),
            argv: vec!["mcp".to_owned()],
            stdin: line_of(0, "initialize", &hello).into_bytes(),
            env,
            cwd: cwd.to_owned(),
            deadline: ANSWER_LIMIT,
        };
        let held = Held::start(&invocation).await?;
        let mut server = Self { held, name: exe.to_owned() };
        server.answer_to(0).await?;
        server.held.send(format!("{ready}\n").as_bytes()).await;
        Ok(server)
    }

    /// Its process.
    pub(super) fn id(&self) -> Result<ProcId, DemoError> {
        self.held.id().ok_or_else(|| self.silent())
    }

    /// One request; the whole line of the answer.
    pub(super) async fn request(
        &mut self,
        method: &str,
        params: &Value,
    ) -> Result<String, DemoError> {
        self.held.send(line_of(1, method, params).as_bytes()).await;
        self.answer_to(1).await
    }

    async fn answer_to(&mut self, id: u64) -> Result<String, DemoError> {
        for _ in 0..OTHER_LINES {
            let line = self.held.line(ANSWER_LIMIT).await.ok_or_else(|| self.silent())?;
            let answer: Option<Value> = serde_json::from_str(&line).ok();
            if answer.is_some_and(|answer| answer.get("id") == Some(&id.into())) {
                return Ok(line);
            }
        }
        Err(self.silent())
    }

    /// Closes its standard input and waits for its end.
    pub(super) async fn end(self, limit: Duration) {
        self.held.end(limit).await;
    }

    fn silent(&self) -> DemoError {
        DemoError::NoServer { name: self.name.clone() }
    }
}

fn line_of(id: u64, method: &str, params: &Value) -> String {
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    format!("{request}\n")
}

/// Bytes of the tool list that a host puts into every conversation.
pub(super) async fn tool_list_bytes(
    exe: &Path,
    env: ChildEnv,
    cwd: &Path,
) -> Result<usize, DemoError> {
    let mut server = McpServer::start(exe, env, cwd).await?;
    let tools = server.request("tools/list", &json!({})).await?;
    server.end(Duration::from_secs(5)).await;
    Ok(tools.len())
}
