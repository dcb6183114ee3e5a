//! Calls under way: side by side, each with its progress and its way to be given up.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncWrite;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::protocol::{CallResult, Content, UPDATE, UpdateParams};
use super::wire::{Failure, Out, to_value};
use crate::call::{Block, CallContext, Engine, Reply};
use crate::redact::Redactor;

/// How often a long call reports that it goes on.
const PROGRESS_EVERY: Duration = Duration::from_secs(2);
/// Calls at a time; a host that sends more has lost count.
const CALL_LIMIT: usize = 256;

type Running = Arc<Mutex<HashMap<String, CancellationToken>>>;

/// The calls of one host.
pub(super) struct Calls<W> {
    out: Out<W>,
    running: Running,
    tasks: JoinSet<()>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Calls<W> {
    pub(super) fn new(out: Out<W>) -> Self {
        Self { out, running: Running::default(), tasks: JoinSet::new() }
    }

    pub(super) fn out(&self) -> &Out<W> {
        &self.out
    }

    /// Starts a call; its answer is written when it is there.
    pub(super) fn begin(
        &mut self,
        id: &Value,
        engine: Arc<Engine>,
        tool: String,
        params: Value,
    ) -> Result<(), Failure> {
        while self.tasks.try_join_next().is_some() {}
        let cancel = CancellationToken::new();
        {
            let mut running = locked(&self.running);
            if running.len() >= CALL_LIMIT {
                return Err(Failure::request("too many calls at a time"));
            }
            if running.contains_key(&id.to_string()) {
                return Err(Failure::request("a call with this id is under way"));
            }
            running.insert(id.to_string(), cancel.clone());
        }
        let call =
            OneCall { id: id.clone(), out: self.out.clone(), running: Arc::clone(&self.running) };
        self.tasks.spawn(async move { call.run(&engine, &tool, &params, cancel).await });
        Ok(())
    }

    /// Gives a call up; its answer says so.
    pub(super) fn cancel(&self, id: &Value) {
        if let Some(token) = locked(&self.running).get(&id.to_string()) {
            token.cancel();
        }
    }

    /// Gives all calls up and waits for their answers, for a while.
    pub(super) async fn give_up(&mut self, limit: Duration) {
        locked(&self.running).values().for_each(CancellationToken::cancel);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(limit, all).await;
        self.tasks.abort_all();
    }
}

struct OneCall<W> {
    id: Value,
    out: Out<W>,
    running: Running,
}

impl<W: AsyncWrite + Unpin + Send + 'static> OneCall<W> {
    async fn run(self, engine: &Engine, tool: &str, params: &Value, cancel: CancellationToken) {
        let context = CallContext { cancel, reports_progress: true, ..CallContext::default() };
        let reply = tokio::select! {
            reply = engine.call_tool(tool, params, context) => reply,
            never = self.report_progress() => match never {},
        };
        locked(&self.running).remove(&self.id.to_string());
        let Some(reply) = reply else {
            let names: Vec<&str> = engine.tools().iter().map(|tool| tool.name).collect();
            let text = format!("there is no tool of this name; there is {}", names.join(", "));
            return self.out.error(&self.id, &Failure::params(&text)).await;
        };
        match to_value(&result_of(reply)) {
            Ok(result) => self.out.result(&self.id, result).await,
            Err(failure) => self.out.error(&self.id, &failure).await,
        }
    }

    async fn report_progress(&self) -> std::convert::Infallible {
        let mut seconds = 0;
        loop {
            tokio::time::sleep(PROGRESS_EVERY).await;
            seconds += PROGRESS_EVERY.as_secs();
            let text = Redactor::new([]).safe_text(&format!("still working, {seconds} s"));
            let params =
                UpdateParams { id: self.id.clone(), content: vec![Content::Text { text }] };
            if let Ok(params) = to_value(&params) {
                self.out.notify(UPDATE, params).await;
            }
        }
    }
}

fn locked(running: &Running) -> MutexGuard<'_, HashMap<String, CancellationToken>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

fn result_of(reply: Reply) -> CallResult {
    let is_error = reply.is_error();
    let blocks = reply.blocks.into_iter().map(|block| match block {
        Block::Text(text) => Content::Text { text },
        Block::Image { base64, mime, .. } => Content::Image { data: base64, mime_type: mime },
    });
    CallResult { content: blocks.collect(), details: reply.details, is_error }
}
