//! Answers on the wire: one line each, never torn by another.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;

use crate::door::BROKEN_CALL;
use crate::redact::{Redactor, SafeText};

/// Why a request has no result: a JSON-RPC error.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    code: i32,
    message: SafeText,
}

impl Failure {
    fn new(code: i32, message: &str) -> Self {
        Self { code, message: Redactor::new([]).safe_text(message) }
    }

    pub(super) fn parse(reason: &str) -> Self {
        Self::new(-32_700, &format!("Parse error: {reason}"))
    }

    pub(super) fn request(reason: &str) -> Self {
        Self::new(-32_600, &format!("Invalid request: {reason}"))
    }

    pub(super) fn method(known: &str) -> Self {
        Self::new(-32_601, &format!("Unknown method. The methods are {known}"))
    }

    pub(super) fn params(reason: &str) -> Self {
        Self::new(-32_602, &format!("Invalid params: {reason}"))
    }

    pub(super) fn not_initialized() -> Self {
        Self::new(-32_002, "The first request must be initialize")
    }

    /// A call that panicked.
    pub(super) fn broken() -> Self {
        Self::new(-32_603, BROKEN_CALL)
    }

    fn internal() -> Self {
        Self::new(-32_603, "The result could not be written as JSON")
    }
}

/// A result as JSON.
pub(super) fn to_value(result: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(result).map_err(|_| Failure::internal())
}

/// The host's end. Clones write to the same stream.
pub(super) struct Out<W> {
    stream: Arc<Mutex<W>>,
}

impl<W> Clone for Out<W> {
    fn clone(&self) -> Self {
        Self { stream: Arc::clone(&self.stream) }
    }
}

impl<W: AsyncWrite + Unpin> Out<W> {
    pub(super) fn new(stream: W) -> Self {
        Self { stream: Arc::new(Mutex::new(stream)) }
    }

    pub(super) async fn result(&self, id: &Value, result: Value) {
        self.line(&json!({ "jsonrpc": "2.0", "id": id, "result": result })).await;
    }

    pub(super) async fn error(&self, id: &Value, failure: &Failure) {
        let error = json!({ "code": failure.code, "message": failure.message });
        self.line(&json!({ "jsonrpc": "2.0", "id": id, "error": error })).await;
    }

    pub(super) async fn notify(&self, method: &str, params: Value) {
        self.line(&json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    async fn line(&self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        let mut stream = self.stream.lock().await;
        // A host that does not listen any more closes its other end too, and that ends the door.
        if stream.write_all(line.as_bytes()).await.is_ok() {
            let _ = stream.flush().await;
        }
    }
}
