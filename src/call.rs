//! One call, from the caller's object to the reply: the only module that names every stage.
//!
//! `input` → `command` → `session` → `guard` → `plan` → `diagnose` → `run` → `envelope` →
//! `diagnose` → `session` → `present` → `redact` → `artifact`.

mod answers;
mod baseline;
mod batch;
mod blank;
mod busy;
mod close;
mod companion;
mod dialogs;
mod download;
mod electron;
mod execute;
mod facts;
mod finish;
mod gated;
mod host;
mod insert;
mod job_end;
mod launch;
mod library;
mod look;
mod lookup;
mod lost;
mod lost_steps;
mod managed;
mod newer;
mod overlay;
mod paths;
mod place;
mod plain;
mod prepare;
mod progress;
mod queue;
mod recover;
mod refused;
mod reply;
mod restored;
mod run;
mod scroll;
mod segment;
mod semantic;
mod single;
mod stale;
mod starting;
mod tab_list;
mod tabs;
mod told;
mod trace;
mod turned;
mod user_agent;
mod wait;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::{Mutex as AsyncMutex, Notify, RwLock};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::artifact::spill::{DEFAULT_BUDGET, SpillDir};
use crate::command::Class;
use crate::config::Trust;
use crate::electron::lease::AppLeases;
use crate::error::Checked;
use crate::guard::prompt::PromptNeeds;
use crate::guard::{GuardContext, check_all};
use crate::input::qa::Qa;
use crate::input::{Input, Mode, decode};
use crate::outcome::{FailureCategory, Outcome};
use crate::run::env::DEFAULT_TIMEOUT;
use crate::run::memory::give_back_soon;
use crate::run::ready::Ready;
use crate::run::upstream::Upstream;
use crate::run::{ParentEnv, Places};
use crate::session::artifact::Scope;
use crate::session::fact::Fact;
use crate::session::journal::Journal;
use crate::session::key::{SessionKey, base_name, hex_of};
use crate::session::lease::Leases;
use crate::session::lock::Lanes;
use crate::session::state::{SessionState, State};
use crate::session::target::Target;

use prepare::Request;
use trace::Trace;

pub use companion::ToolCard;
pub use host::HandedOver;
pub use reply::{Block, Reply};

/// Who keeps the browsers of this engine alive (DEC-106).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// This process: they are closed when it ends.
    ThisProcess,
    /// Their idle timeout: they live on between invocations.
    IdleTimeout,
}

/// What a door decides once.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// `mcp`, `cli` or `pi`: first part of session names.
    pub door: &'static str,
    /// The host's session.
    pub host_id: String,
    /// The host's directory.
    pub cwd: PathBuf,
    /// The environment of this process.
    pub env: ParentEnv,
    /// Private directories.
    pub places: Places,
    /// Permission classes.
    pub allowed: BTreeSet<Class>,
    /// Show the page behind a navigation (DEC-70).
    pub view: bool,
    /// Who keeps the browsers alive.
    pub keep: Keep,
    /// Directories besides its own that calls may touch; `None` lets them touch every path
    /// (DEC-101).
    pub confine: Option<Vec<PathBuf>>,
    /// Start upstream's process for the next call ahead of it.
    pub prepares: bool,
    /// Words behind the category of a failure: `isError: true`.
    pub failure_notice: &'static str,
    /// How far the directory's own settings are believed (DEC-84).
    pub trust: Trust,
}

impl EngineOptions {
    /// The host's session goes on in later processes, so what is kept for it must too.
    fn outlives_process(&self) -> bool {
        self.keep == Keep::IdleTimeout || self.door == "pi"
    }
}

/// What a door says about one call.
#[derive(Clone, Debug, Default)]
pub struct CallContext {
    /// Cancelled when the host gives up.
    pub cancel: CancellationToken,
    /// The host hears that a long call goes on.
    pub reports_progress: bool,
    /// When the host sent it; without it the call begins when the engine gets it.
    pub began: Option<Instant>,
    /// Its time was over before the calls of other processes in front of it were.
    pub late: bool,
}

/// The tool behind every door.
#[derive(Debug)]
pub struct Engine {
    options: EngineOptions,
    base_name: String,
    state: Mutex<State>,
    lanes: Lanes,
    /// Where there is a host session to restore later.
    journal: Option<Journal>,
    leases: Leases,
    apps: AppLeases,
    spill: SpillDir,
    baselines: baseline::Baselines,
    upstream: AsyncMutex<Option<Arc<Upstream>>>,
    /// Counts the branches of the host's session: a call that began before a switch does not
    /// touch what is known now (SES-42).
    branch: AtomicU64,
    /// What the latest prompt asks for, where the host tells it.
    prompt: Mutex<PromptNeeds>,
    /// Launch flags as they were given, for a relaunch after a loss; never written to disk.
    launch_tokens: Mutex<std::collections::HashMap<SessionKey, Vec<String>>>,
    libraries: library::Libraries,
    ready: Ready,
    /// Directories that the host calls its own.
    client_roots: Mutex<Vec<PathBuf>>,
    /// Closes that no answer waits for.
    background: TaskTracker,
    /// Tells the calls that are under way to give up: the host leaves.
    leaving: Notify,
    /// Held by every call; whoever gets it alone knows that none is under way.
    under_way: RwLock<()>,
}

impl Engine {
    /// An engine for one host session. Starts nothing.
    #[must_use]
    pub fn new(options: EngineOptions) -> Self {
        let base_name = base_name(options.door, &options.cwd, &options.host_id);
        let journal =
            options.outlives_process().then(|| Journal::at(&options.places.state_root, &base_name));
        let leases = Leases::below(&options.places.state_root);
        let apps = AppLeases::below(&options.places.state_root);
        let spill = spill_dir(&options, &base_name);
        let baselines = baseline::Baselines::new(options.outlives_process().then(|| spill.path()));
        let background = TaskTracker::new();
        // Only so does a wait for them end; more may be started all the same.
        background.close();
        Self {
            options,
            base_name,
            state: Mutex::default(),
            lanes: Lanes::default(),
            journal,
            leases,
            apps,
            spill,
            baselines,
            upstream: AsyncMutex::default(),
            branch: AtomicU64::new(0),
            prompt: Mutex::default(),
            launch_tokens: Mutex::default(),
            libraries: library::Libraries::default(),
            ready: Ready::default(),
            client_roots: Mutex::default(),
            background,
            leaving: Notify::new(),
            under_way: RwLock::default(),
        }
    }

    /// The name of its first managed session.
    #[must_use]
    pub fn base_name(&self) -> &str {
        &self.base_name
    }

    /// Waits until what the calls left to do in the background is done.
    pub async fn settle(&self) {
        self.background.wait().await;
    }

    /// Calls may only touch certain directories (DEC-101).
    #[must_use]
    pub fn is_confined(&self) -> bool {
        self.options.confine.is_some()
    }

    /// Takes over the directories that the host calls its own (DEC-101).
    pub fn set_client_roots(&self, roots: Vec<PathBuf>) {
        *self.client_roots.lock().unwrap_or_else(PoisonError::into_inner) = roots;
    }

    fn client_roots(&self) -> Vec<PathBuf> {
        self.client_roots.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A copy of everything that is known now.
    #[must_use]
    pub fn known(&self) -> State {
        self.state().clone()
    }

    /// Restores what earlier invocations of the same host session have learned.
    pub fn restore_from_journal(&self) {
        *self.state() = self.journalled();
    }

    /// What the journal tells; a long one is shortened.
    fn journalled(&self) -> State {
        let Some(journal) = &self.journal else { return State::default() };
        let (state, lines) = journal.load();
        // A journal that cannot be shortened still tells the truth.
        let _ = journal.compact(&state, lines);
        state
    }

    /// The whole walk.
    pub async fn call(&self, params: &Value, context: CallContext) -> Reply {
        let started = Instant::now();
        let leaving = self.leaving.notified();
        let under_way = self.under_way.read().await;
        let context = CallContext {
            cancel: context.cancel.child_token(),
            began: context.began.or(Some(started)),
            ..context
        };
        let mut trace = Trace { branch: self.branch(), ..Trace::default() };
        let walked = {
            // It is large: whoever holds several calls should not have to hold it on the stack.
            let mut walk = Box::pin(self.walk(params, &context, &mut trace));
            tokio::pin!(leaving);
            tokio::select! {
                walked = &mut walk => walked,
                () = leaving => {
                    context.cancel.cancel();
                    walk.await
                }
            }
        };
        if let Some(next) = trace.next.take().filter(|_| self.options.prepares) {
            self.ready.prepare(next);
        }
        let outcome = walked.unwrap_or_else(|refusal| refusal.into_outcome());
        let longest_answer = trace.longest_answer;
        let reply = finish::reply(self, outcome, trace, started);
        give_back_soon(longest_answer);
        drop(under_way);
        reply
    }

    async fn walk(
        &self,
        params: &Value,
        context: &CallContext,
        trace: &mut Trace,
    ) -> Checked<Outcome> {
        let input = decode(params)?;
        if context.late {
            let limit = input.timeout_ms.map(Duration::from_millis);
            return Err(queue::out_of_time(limit.unwrap_or_default()));
        }
        self.check_output(input.output_path.as_deref())?;
        trace.output.clone_from(&input.output_path);
        let compiled = input.mode.compile();
        trace.mode = input.session_mode;
        trace.args.clone_from(&compiled.args);
        if let Mode::Electron(electron) = &input.mode {
            trace.echo = compiled.echo;
            return electron::run(self, electron, context, trace).await;
        }
        let mut request = prepare::request(&compiled, &input, &self.options.cwd)?;
        let own_limit =
            input.timeout_ms.is_some() || self.options.env.get(DEFAULT_TIMEOUT).is_some();
        if matches!(input.mode, Mode::Job(_)) && !own_limit {
            request.limit_assertions();
        }
        trace.describe(&request);
        trace.echo = compiled.echo;
        let held = match self.lane_of(&request) {
            Some(lane) => Some(self.enter(lane, input.timeout_ms, context, trace).await?),
            None => None,
        };
        let (target, session) = self.target_of(&request, &input);
        trace.target = Some(target.clone());
        if session.as_ref().is_some_and(|session| session.running) {
            request.stay_on_page();
        }
        if let Mode::Qa(preset) = &input.mode
            && session.as_ref().is_some_and(|session| session.connected)
        {
            let preset = Qa { any_scheme: true, ..preset.clone() };
            request = prepare::request(&preset.compile(), &input, &self.options.cwd)?;
        }
        if let Mode::Semantic(action) = &input.mode
            && let Some(words) = semantic::on_current_ref(action, session.as_ref())
        {
            request.replace_words(words, &self.options.cwd)?;
        }
        let outcome = self.run_request(&request, &input, &target, session, context, trace).await;
        drop(held);
        match &input.mode {
            Mode::Semantic(action) => semantic::with_retry(action, outcome),
            _ => outcome,
        }
    }

    async fn run_request(
        &self,
        request: &Request,
        input: &Input,
        target: &Target,
        session: Option<SessionState>,
        context: &CallContext,
        trace: &mut Trace,
    ) -> Checked<Outcome> {
        let mut paths = paths::facts(self, request, session.as_ref());
        paths.extend(input.output_path.as_ref().map(|given| paths::output(self, given)));
        let confinement = self.confinement();
        let current = self.state().managed_running().cloned();
        check_all(&GuardContext {
            paths: &paths,
            confinement: confinement.as_deref(),
            current: current.as_ref(),
            argv: &request.argv,
            steps: &request.steps,
            target,
            session: session.as_ref(),
            allowed: &self.allowed_in(&input.mode),
            unsaved: &self.unsaved(),
        })?;
        electron::refuse_when_gone(self, request, target).await?;
        let clock = run::Clock::of(self, request, input, context)?;
        let run = run::Run { engine: self, request, input, target, context, session, clock };
        let ran = if request.is_plain() {
            plain::run(&run, trace).await
        } else if request.batch.is_some() {
            batch::run(&run, trace).await
        } else {
            single::run(&run, trace).await
        };
        let mut outcome = match ran {
            Err(refusal) if refusal.category == FailureCategory::MissingBinary => {
                let mut outcome = refusal.into_outcome();
                managed::report(&run, trace, &mut outcome);
                return Ok(outcome);
            }
            ran => ran?,
        };
        if let Some(blocked) = paths::strayed(self, confinement.as_deref(), &outcome, trace) {
            outcome = blocked;
        }
        electron::attached(&run, trace, &outcome);
        electron::after_command(&run, trace, &mut outcome).await;
        managed::report(&run, trace, &mut outcome);
        Ok(outcome)
    }

    /// Permission classes of a call: a caller who may not send scripts may still use modes whose
    /// scripts are ours (DEC-100).
    fn allowed_in(&self, mode: &Mode) -> BTreeSet<Class> {
        let mut allowed = self.options.allowed.clone();
        if mode.has_own_scripts() {
            allowed.insert(Class::Eval);
        }
        allowed
    }

    /// Applies facts to the live state and keeps them for the journal.
    fn learn(&self, trace: &mut Trace, facts: impl IntoIterator<Item = Fact>) {
        let mut state = self.state();
        let current = self.is_current(trace);
        for fact in facts {
            if current {
                state.apply(&fact);
            }
            trace.facts.push(fact);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where output goes that is too long to show: with the session where a host keeps one, else with
/// this process (ART-15, ART-18).
fn spill_dir(options: &EngineOptions, base_name: &str) -> SpillDir {
    let name = hex_of(base_name.as_bytes(), 16);
    let budget = options.env.text("PI_AGENT_BROWSER_SESSION_ARTIFACT_MAX_BYTES");
    let budget = budget.and_then(|text| text.parse().ok()).unwrap_or(DEFAULT_BUDGET);
    let places = &options.places;
    if !options.outlives_process() {
        let dir = places.temp_root.join(format!("{name}-{}", std::process::id()));
        return SpillDir::new(dir, budget, Scope::ProcessTemp);
    }
    let dir = places.state_root.join("artifacts").join(name);
    SpillDir::new(dir, budget, Scope::PersistentSession)
}
