//! Our MCP server with several calls under way at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Result;
use crate::process::{Conversation, Listener, Speaker};
use crate::world::call_message;

/// No call may take longer: without a progress token the tool's own limit is 50 s.
const ANSWER_LIMIT: Duration = Duration::from_secs(55);
/// How soon a server that nobody talks to any more has ended.
const END_LIMIT: Duration = Duration::from_secs(10);

type Waiting = Arc<Mutex<HashMap<u64, Sender<(Value, String)>>>>;

/// A running server.
pub(super) struct Door {
    pid: u32,
    speaker: Mutex<Speaker>,
    waiting: Waiting,
    next_id: AtomicU64,
}

/// A call that is under way.
pub(super) struct Pending {
    pub(super) id: u64,
    begun: Instant,
    answer: Receiver<(Value, String)>,
}

/// What a call gave.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// What the model reads.
    pub(super) text: String,
    /// Missing when the call succeeded.
    pub(super) category: Option<String>,
    pub(super) details: Value,
    /// The whole message, to look for what must not be in it.
    pub(super) raw: String,
    pub(super) time: Duration,
}

impl Door {
    /// Takes over a connection that has shaken hands.
    pub(super) fn over(talk: Conversation) -> Self {
        let (speaker, listener) = talk.split();
        let waiting = Waiting::default();
        let heard = Arc::clone(&waiting);
        thread::spawn(move || listen(listener, &heard));
        let next_id = AtomicU64::new(100);
        Self { pid: speaker.pid(), speaker: Mutex::new(speaker), waiting, next_id }
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    /// Sends a call without waiting for it.
    pub(super) fn begin(&self, arguments: &Value) -> Result<Pending> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = channel();
        held(&self.waiting).insert(id, sender);
        let pending = Pending { id, begun: Instant::now(), answer };
        held(&self.speaker).write(&format!("{}\n", call_message(id, arguments)))?;
        Ok(pending)
    }

    /// Sends a call and waits for its answer.
    pub(super) fn call(&self, arguments: &Value) -> Result<Answer> {
        self.begin(arguments)?.wait(ANSWER_LIMIT)?.ok_or_else(|| "no answer within 55 s".into())
    }

    /// Tells the server that nobody waits for this call any more.
    pub(super) fn cancel(&self, pending: &Pending) -> Result<()> {
        let params =
            json!({ "requestId": pending.id, "reason": "the caller has changed its mind" });
        let method = "notifications/cancelled";
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        held(&self.speaker).write(&format!("{message}\n"))?;
        held(&self.waiting).remove(&pending.id);
        Ok(())
    }

    /// Closes its input; false when it did not end by itself.
    pub(super) fn end(&self) -> Result<bool> {
        held(&self.speaker).end_within(END_LIMIT)
    }

    pub(super) fn kill(&self) -> Result<()> {
        held(&self.speaker).kill()
    }
}

impl Pending {
    /// The answer, unless none comes in that time.
    pub(super) fn wait(&self, limit: Duration) -> Result<Option<Answer>> {
        match self.answer.recv_timeout(limit) {
            Ok((message, raw)) => Answer::of(&message, raw, self.begun.elapsed()).map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("the server has ended".into()),
        }
    }
}

impl Answer {
    fn of(message: &Value, raw: String, time: Duration) -> Result<Self> {
        let result = &message["result"];
        let blocks = result["content"].as_array().ok_or_else(|| format!("no content: {raw}"))?;
        let texts = blocks.iter().filter_map(|block| block["text"].as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        let details = result["_meta"]["agent-browser-native/details"].clone();
        let named = details["failureCategory"].as_str().unwrap_or("none").to_owned();
        let category = (result["isError"] == true).then_some(named);
        Ok(Self { text, category, details, raw, time })
    }
}

fn listen(mut listener: Listener, waiting: &Waiting) {
    while let Ok(line) = listener.read_line() {
        // Notifications have no number, and answers to cancelled calls have nobody who waits.
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        let sender = message["id"].as_u64().and_then(|id| held(waiting).remove(&id));
        if let Some(sender) = sender {
            // The caller may have given up.
            drop(sender.send((message, line)));
        }
    }
    held(waiting).clear();
}

/// A panic elsewhere leaves nothing half done behind these locks.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
