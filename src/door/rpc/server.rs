//! Reads requests, runs calls side by side, and keeps one engine for every session of the host.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::bash_check;
use super::calls::Calls;
use super::protocol::{
    BashCheckResult, CANCEL, CallParams, CancelParams, Door, InitializeResult, METHODS,
    PromptResult, Request, RestoreResult, SessionParams, ShutdownReason, ShutdownResult, ToolInfo,
};
use super::wire::{Failure, Out, to_value};
use crate::call::{Engine, EngineOptions, Keep, ToolCard};
use crate::command::Class;
use crate::config::{Config, Trust};
use crate::door::lines::{Incoming, LineReader};
use crate::guard::prompt::recognise;
use crate::playbook::TIER_A;
use crate::redact::Redactor;
use crate::run::{ParentEnv, Places};
use crate::session::fact::Fact;
use crate::session::reap::keep_reaping;

/// How long calls may take to notice that the host leaves.
const CALL_GRACE: Duration = Duration::from_millis(1_500);
/// How long browsers may take to close that no answer waited for.
const CLOSE_GRACE: Duration = Duration::from_secs(5);

/// What is wrong with JSON that is no message of this protocol.
const NO_MESSAGE: &str = "a message is an object with \"jsonrpc\": \"2.0\"";

/// What the door gets from the program.
#[derive(Clone, Debug)]
pub struct Options {
    /// The environment of this process.
    pub env: ParentEnv,
    /// Private directories.
    pub places: Places,
}

/// Serves a host until it closes its end or `stop` is cancelled.
pub async fn serve<R, W>(options: Options, input: R, output: W, stop: CancellationToken)
where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let mut server = Server {
        options,
        calls: Calls::new(Out::new(output)),
        door: None,
        engines: HashMap::new(),
        current: None,
        left: false,
    };
    let mut reader = LineReader::new(input);
    loop {
        let incoming = tokio::select! {
            incoming = reader.next() => incoming,
            () = stop.cancelled() => Incoming::End,
        };
        match incoming {
            Incoming::End => break,
            Incoming::Unreadable(reason) => {
                server.calls.out().error(&Value::Null, &Failure::parse(reason)).await;
            }
            Incoming::Value(message) => server.take(message).await,
        }
    }
    if !server.left {
        server.leave(ShutdownReason::Quit).await;
    }
}

/// An engine and what the host said about its session.
struct Session {
    engine: Arc<Engine>,
    trusted: bool,
}

/// A session of the host: its id and its directory.
type SessionId = (String, PathBuf);

struct Server<W> {
    options: Options,
    calls: Calls<W>,
    door: Option<Door>,
    engines: HashMap<SessionId, Session>,
    current: Option<SessionId>,
    /// The host has said why it leaves, and nothing has started since.
    left: bool,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Server<W> {
    /// One message. Everything but a call is done before the next message is read, so that a call
    /// behind a change of branch sees the new branch.
    async fn take(&mut self, message: Value) {
        if !message.is_object() {
            let failure = Failure::request(NO_MESSAGE);
            return self.calls.out().error(&Value::Null, &failure).await;
        }
        let id = message.get("id").cloned();
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(id) = id else {
            // A notification gets no answer, not even a wrong one.
            if method == CANCEL
                && let Some(params) = message.get("params")
                && let Ok(params) = serde_json::from_value::<CancelParams>(params.clone())
            {
                self.calls.cancel(&params.id);
            }
            return;
        };
        let answer = match read_request(message, &id, &method) {
            Ok(Request::Call(params)) => match self.begin_call(&id, params) {
                Ok(()) => return,
                Err(failure) => Err(failure),
            },
            Ok(request) => self.answer(request).await,
            Err(failure) => Err(failure),
        };
        match answer {
            Ok(result) => self.calls.out().result(&id, result).await,
            Err(failure) => self.calls.out().error(&id, &failure).await,
        }
    }

    async fn answer(&mut self, request: Request) -> Result<Value, Failure> {
        match request {
            Request::Initialize(params) => {
                self.door = Some(params.door);
                let first = self.engines.is_empty();
                let started = self.start(SessionParams {
                    session_id: params.session_id,
                    cwd: params.cwd,
                    trusted: params.trusted,
                    facts: params.facts,
                })?;
                if first {
                    self.reap_in_background();
                }
                to_value(&InitializeResult {
                    tools: started.tools,
                    guidelines: started.guidelines,
                    version: env!("CARGO_PKG_VERSION"),
                })
            }
            Request::SessionStart(params) | Request::SessionTree(params) => {
                to_value(&self.start(params)?)
            }
            Request::SessionShutdown(params) => to_value(&self.leave(params.reason).await),
            Request::Prompt(params) => self.heed(&params.text),
            Request::BashCheck(params) => to_value(&self.check_bash(&params.command)),
            // `take` has dealt with it.
            Request::Call(_) => Err(Failure::request("a call cannot be answered here")),
        }
    }

    /// The host is in this session: what is known is what its branch knows.
    fn start(&mut self, params: SessionParams) -> Result<RestoreResult, Failure> {
        let id = session_id(params.session_id, &params.cwd)?;
        let engine = self.engine(&id, params.trusted)?;
        let (facts, unreadable) = facts_of(&params.facts);
        engine.restore(&facts);
        self.current = Some(id);
        self.left = false;
        Ok(RestoreResult {
            restored: facts.len(),
            unreadable,
            tools: engine.tools().into_iter().map(tool_info).collect(),
            guidelines: guidelines(&engine.config()),
        })
    }

    fn begin_call(&mut self, id: &Value, params: CallParams) -> Result<(), Failure> {
        let session = session_id(params.session_id, &params.cwd)?;
        let trusted = self.engines.get(&session).is_some_and(|known| known.trusted);
        let engine = self.engine(&session, trusted)?;
        self.left = false;
        self.calls.begin(id, engine, params.tool, params.params)
    }

    /// The engine of a session; another trust makes another engine.
    fn engine(&mut self, id: &SessionId, trusted: bool) -> Result<Arc<Engine>, Failure> {
        let door = self.door.ok_or_else(Failure::not_initialized)?;
        if let Some(known) = self.engines.get(id).filter(|known| known.trusted == trusted) {
            return Ok(Arc::clone(&known.engine));
        }
        let trust = Trust::by_host(&self.options.env, trusted);
        let config = Config::load(&self.options.env, &id.1, trust);
        let engine = Arc::new(Engine::new(EngineOptions {
            door: door.name(),
            host_id: id.0.clone(),
            cwd: id.1.clone(),
            env: self.options.env.clone(),
            places: self.options.places.clone(),
            allowed: BTreeSet::from(Class::ALL),
            view: config.view(),
            keep: Keep::ThisProcess,
            prepares: true,
            failure_notice: "Pi tool isError: true",
            trust,
            // The host vouches for the paths of its own agent (DEC-101).
            confine: None,
        }));
        self.engines.insert(id.clone(), Session { engine: Arc::clone(&engine), trusted });
        Ok(engine)
    }

    fn current(&self) -> Option<&Arc<Engine>> {
        let session = self.engines.get(self.current.as_ref()?)?;
        Some(&session.engine)
    }

    /// The host leaves: calls are given up, browsers are closed or kept (DEC-106).
    async fn leave(&mut self, reason: ShutdownReason) -> ShutdownResult {
        self.left = true;
        self.calls.give_up(CALL_GRACE).await;
        let Some(engine) = self.current() else { return ShutdownResult { closed: 0, kept: 0 } };
        let done = match reason {
            ShutdownReason::Quit => engine.shutdown().await,
            ShutdownReason::Reload
            | ShutdownReason::New
            | ShutdownReason::Resume
            | ShutdownReason::Fork => engine.hand_over().await,
        };
        for session in self.engines.values() {
            // What takes longer is reaped by the next process of ours.
            let _ = tokio::time::timeout(CLOSE_GRACE, session.engine.settle()).await;
        }
        ShutdownResult { closed: done.closed, kept: done.kept }
    }

    fn heed(&self, prompt: &str) -> Result<Value, Failure> {
        let engine = self.current().ok_or_else(Failure::not_initialized)?;
        engine.heed_prompt(prompt);
        let needs = recognise(prompt);
        let redactor = Redactor::new([]);
        let files = needs.screenshots.iter().chain(&needs.recordings);
        to_value(&PromptResult { required_files: files.map(|f| redactor.safe_text(f)).collect() })
    }

    fn check_bash(&self, command: &str) -> BashCheckResult {
        let off = self.options.env.switch("PI_AGENT_BROWSER_ALLOW_DIRECT_BASH");
        let reason = if off { None } else { bash_check::reason(command) };
        BashCheckResult { block: reason.is_some(), reason }
    }

    fn reap_in_background(&self) {
        let (env, places) = (self.options.env.clone(), self.options.places.clone());
        let cwd = places.state_root.clone();
        // It ends with the process.
        tokio::spawn(keep_reaping(places, env, cwd, CancellationToken::new()));
    }
}

fn read_request(message: Value, id: &Value, method: &str) -> Result<Request, Failure> {
    if message.get("jsonrpc") != Some(&Value::String("2.0".to_owned())) {
        return Err(Failure::request(NO_MESSAGE));
    }
    if !id.is_string() && !id.is_number() {
        return Err(Failure::request("the id of a request is a number or a string"));
    }
    if !METHODS.contains(&method) {
        return Err(Failure::method(&METHODS.join(", ")));
    }
    serde_json::from_value(message).map_err(|error| Failure::params(&error.to_string()))
}

/// The directory as the other doors spell it, so that two spellings are one session.
fn session_id(id: String, cwd: &str) -> Result<SessionId, Failure> {
    let path = PathBuf::from(cwd);
    let canonical = path.canonicalize().ok().filter(|found| path.is_absolute() && found.is_dir());
    let cwd = canonical.ok_or_else(|| Failure::params("cwd is not an absolute directory"))?;
    Ok((id, cwd))
}

/// The facts in the `details` of earlier results, and how many could not be read.
fn facts_of(details: &[Value]) -> (Vec<Fact>, usize) {
    let lists = details.iter().filter_map(|details| details.get("facts")?.as_array());
    let mut facts = Vec::new();
    let mut unreadable = 0;
    for fact in lists.flatten() {
        match serde_json::from_value(fact.clone()) {
            Ok(fact) => facts.push(fact),
            Err(_) => unreadable += 1,
        }
    }
    (facts, unreadable)
}

fn tool_info(card: ToolCard) -> ToolInfo {
    ToolInfo {
        name: card.name,
        label: card.label,
        description: card.description,
        snippet: card.snippet,
        parameters: card.schema,
    }
}

/// The always-on sentences, where to read more (DOC-05), and the user's advice (CFG-08).
fn guidelines(config: &Config) -> Vec<String> {
    let program = std::env::current_exe().ok();
    let reference = program.map(|program| {
        format!(
            "agent_browser reference, to read when needed: `{} docs [SECTION]`.",
            program.display()
        )
    });
    let fixed = TIER_A.iter().map(|line| (*line).to_owned());
    fixed.chain(reference).chain(config.guidance()).collect()
}
