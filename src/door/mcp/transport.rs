//! stdio as MCP's transport: one JSON message a line, stdout belongs to the protocol.
//!
//! A line that cannot be read is answered, where rmcp's own transport would drop it silently: a
//! host that waits for an answer must not wait for ever.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::door::lines::{Incoming, LineReader};

const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;
const INVALID_PARAMS: i32 = -32_602;

/// Reads requests and writes answers, both line by line.
pub(super) struct StdioTransport<R, W> {
    reader: LineReader<R>,
    writer: Arc<Mutex<W>>,
    /// Answers of ours on their way. `receive` may be dropped at any await, and its line is read by
    /// then: the answer must not depend on it.
    answers: JoinSet<io::Result<()>>,
    over: CancellationToken,
}

/// A JSON-RPC error for a line that never became a request.
fn error_line(id: &Value, code: i32, message: &str) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }).to_string()
}

impl<R: AsyncBufRead + Unpin, W: AsyncWrite + Unpin> StdioTransport<R, W> {
    /// `over` is cancelled when the host has closed its end.
    pub(super) fn new(reader: R, writer: W, over: CancellationToken) -> Self {
        let writer = Arc::new(Mutex::new(writer));
        Self { reader: LineReader::new(reader), writer, answers: JoinSet::new(), over }
    }
}

impl<R, W: AsyncWrite + Unpin + Send + 'static> StdioTransport<R, W> {
    fn answer(&mut self, id: &Value, code: i32, message: &str) {
        while self.answers.try_join_next().is_some() {}
        let (writer, line) = (Arc::clone(&self.writer), error_line(id, code, message));
        self.answers.spawn(async move { write_line(&writer, line).await });
    }
}

/// rmcp takes a tool call of another shape for an unknown method, which would mislead the host.
fn wrong_arguments(request: &Value) -> Option<&'static str> {
    let is_call = request.get("method").is_some_and(|method| method == "tools/call");
    let arguments = request.get("params")?.get("arguments")?;
    (is_call && !arguments.is_object() && !arguments.is_null())
        .then_some("Invalid params: arguments must be an object")
}

async fn write_line<W: AsyncWrite + Unpin>(writer: &Mutex<W>, mut line: String) -> io::Result<()> {
    line.push('\n');
    let mut writer = writer.lock().await;
    writer.write_all(line.as_bytes()).await?;
    writer.flush().await
}

impl<R, W> Transport<RoleServer> for StdioTransport<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let writer = Arc::clone(&self.writer);
        async move {
            let line = serde_json::to_string(&item)?;
            write_line(&writer, line).await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match self.reader.next().await {
                Incoming::End => {
                    self.over.cancel();
                    return None;
                }
                Incoming::Unreadable(reason) => {
                    self.answer(&Value::Null, PARSE_ERROR, &format!("Parse error: {reason}"));
                }
                Incoming::Value(value) => {
                    let id = value.get("id").cloned().unwrap_or(Value::Null);
                    if let Some(message) = wrong_arguments(&value) {
                        self.answer(&id, INVALID_PARAMS, message);
                        continue;
                    }
                    match serde_json::from_value(value) {
                        Ok(message) => return Some(message),
                        Err(error) => {
                            let message = format!("Invalid request: {error}");
                            self.answer(&id, INVALID_REQUEST, &message);
                        }
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        while self.answers.join_next().await.is_some() {}
        self.writer.lock().await.flush().await
    }
}
