//! Calls under way: side by side, each with its progress and its way to be given up.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncWrite;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

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
        self.track(id, |cancel| async move {
            let context = CallContext { cancel, reports_progress: true, ..CallContext::default() };
            match engine.call_tool(&tool, &params, context).await {
                Some(reply) => to_value(&result_of(reply)),
                None => Err(Failure::params(&engine.no_such_tool())),
            }
        })
    }

    /// The same for any work that has an answer.
    fn track<F>(
        &mut self,
        id: &Value,
        work: impl FnOnce(CancellationToken) -> F,
    ) -> Result<(), Failure>
    where
        F: Future<Output = Result<Value, Failure>> + Send + 'static,
    {
        while self.tasks.try_join_next().is_some() {}
        let (name, cancel) = (id.to_string(), CancellationToken::new());
        {
            let mut running = locked(&self.running);
            if running.len() >= CALL_LIMIT {
                return Err(Failure::request("too many calls at a time"));
            }
            if running.contains_key(&name) {
                return Err(Failure::request("a call with this id is under way"));
            }
            running.insert(name.clone(), cancel.clone());
        }
        let entry = Entry { running: Arc::clone(&self.running), name };
        let call = OneCall { id: id.clone(), out: self.out.clone() };
        self.tasks.spawn(call.run(work(cancel), entry));
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
        if tokio::time::timeout(limit, all).await.is_err() {
            // Their ids are free then; what they were doing ends at its next pause.
            self.tasks.shutdown().await;
        }
    }
}

/// A call that is under way is known by its id, however it ends.
struct Entry {
    running: Running,
    name: String,
}

impl Drop for Entry {
    fn drop(&mut self) {
        locked(&self.running).remove(&self.name);
    }
}

struct OneCall<W> {
    id: Value,
    out: Out<W>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> OneCall<W> {
    async fn run<F>(self, work: F, entry: Entry)
    where
        F: Future<Output = Result<Value, Failure>> + Send + 'static,
    {
        // A task of its own: one that panics ends alone, and has an answer all the same.
        let work = AbortOnDropHandle::new(tokio::spawn(work));
        let ended = tokio::select! {
            ended = work => ended,
            never = self.report_progress() => match never {},
        };
        drop(entry);
        match ended.unwrap_or_else(|_| Err(Failure::broken())) {
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

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::io::{AsyncBufReadExt, BufReader, DuplexStream, Lines};

    use super::*;

    /// Calls, and what the host reads of them.
    fn calls() -> (Calls<DuplexStream>, Lines<BufReader<DuplexStream>>) {
        let (ours, host) = tokio::io::duplex(64 * 1024);
        (Calls::new(Out::new(ours)), BufReader::new(host).lines())
    }

    // DEC-109
    #[tokio::test]
    async fn a_call_that_panics_is_answered_and_its_id_is_free() {
        let (mut calls, mut host) = calls();
        let panics = |_| async { panic!("a fault of ours") };
        calls.track(&json!(7), panics).unwrap();
        let line = host.next_line().await.unwrap().unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32_603)));
        assert!(!line.contains("a fault of ours"), "{line}");
        calls.track(&json!(7), |_| async { Ok(json!(1)) }).unwrap();
        assert!(host.next_line().await.unwrap().unwrap().ends_with(r#""result":1}"#));
    }

    // DEC-109
    #[tokio::test]
    async fn a_call_that_does_not_hear_that_it_is_given_up_frees_its_id() {
        let (mut calls, _host) = calls();
        let deaf = |_| std::future::pending();
        calls.track(&json!("a"), deaf).unwrap();
        assert!(calls.track(&json!("a"), deaf).is_err(), "it is under way");
        calls.give_up(Duration::from_millis(20)).await;
        assert!(locked(&calls.running).is_empty());
        assert!(calls.track(&json!("a"), deaf).is_ok());
    }
}
