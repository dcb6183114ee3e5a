//! The invocation of a process on a session: options, environment, lease (HAZ-02, DEC-106).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::execute::could_not_run;
use super::run::Run;
use super::{Engine, Keep, user_agent};
use crate::command::{Argv, Global, LaunchScope, flag};
use crate::error::{Checked, Refusal};
use crate::guard::value_mark;
use crate::outcome::FailureCategory;
use crate::run::env::{DEFAULT_TIMEOUT, is_daemon_variable};
use crate::run::places::{private_dir, socket_dir_of, socket_path_fits};
use crate::run::proc::ProcId;
use crate::run::upstream::{Upstream, resolve};
use crate::run::{ChildEnv, Invocation};
use crate::session::fact::LaunchRecord;
use crate::session::key::{SessionKey, hex_of};
use crate::session::lease::{self, IDLE_SECONDS, Lease, LeaseOwner, idle_seconds, now_seconds};
use crate::session::reap::SESSION_MARK;
use crate::session::target::Target;

/// Browsers make sockets below their temporary directory, with names of up to 40 characters.
const TEMP_PATH_LIMIT: usize = 60;

/// The process that runs `tokens` on the call's session.
pub(super) async fn invocation(
    run: &Run<'_>,
    tokens: Vec<String>,
    stdin: Vec<u8>,
    launching: bool,
    limit: Duration,
) -> Checked<Invocation> {
    let started = Instant::now();
    let upstream = run.engine.usable_upstream(run).await?;
    // After an upgrade the old copy goes on serving the sessions that it started.
    let frozen = record(run).filter(|_| run.target.is_managed() && !launching);
    let frozen = frozen.and_then(|launch| launch.exe).filter(|exe| exe.is_file());
    if let (Target::Managed { key, .. }, false) = (run.target, launching) {
        // Nobody may take the browser for an idle one while the process runs.
        run.engine.renew_lease(key, false, None);
    }
    let mut argv = vec!["--json".to_owned()];
    argv.extend(run.target.tokens());
    argv.extend(session_tokens(run, launching));
    if launching {
        argv.extend(run.within(user_agent::tokens(run)).await?);
    }
    argv.extend(tokens);
    let places = &run.engine.options.places;
    private_dir(&places.socket_dir).map_err(|error| no_private_dir(&places.socket_dir, &error))?;
    if let Some(key) = run.target.key() {
        let dir = socket_dir_of(&places.socket_dir, key.namespace.as_deref());
        socket_path_fits(&dir, &key.name).map_err(|error| Refusal::invalid(format!("{error}.")))?;
    }
    Ok(Invocation {
        exe: frozen.unwrap_or_else(|| upstream.exe.clone()),
        argv,
        stdin,
        env: environment(run, launching),
        cwd: run.engine.options.cwd.clone(),
        deadline: limit.saturating_sub(started.elapsed()),
    })
}

fn no_private_dir(path: &Path, error: &std::io::Error) -> Box<Refusal> {
    let sentence = format!(
        "nothing was started, {} cannot be used as a private directory: {error}.",
        path.display()
    );
    Refusal::new(FailureCategory::UpstreamError, sentence)
}

/// Options between the session and the command.
fn session_tokens(run: &Run<'_>, launching: bool) -> Vec<String> {
    let argv = &run.request.argv;
    match run.target {
        Target::Managed { key, .. } if launching => {
            let mut tokens = daemon_tokens(run);
            let given = tokens_of(argv.launch_globals());
            let remembered = relaunched(run).map(|_| run.engine.remembered_launch(key));
            tokens.extend(remembered.unwrap_or(given));
            tokens.extend(tokens_of(argv.other_globals()));
            tokens
        }
        Target::Managed { .. } => {
            let kept = record(run).map(|launch| launch.daemon_tokens);
            // The launching call itself may need a second process, before there is a record.
            let mut tokens = kept.unwrap_or_else(|| daemon_tokens(run));
            // A launch flag that passed the guard says what the session was launched with.
            let others = argv.other_globals().into_iter();
            tokens.extend(tokens_of(others.filter(|g| g.spec.scope == LaunchScope::None)));
            tokens
        }
        Target::ThrowAway(_) => {
            // Nothing is launched; what the daemon gets, its close repeats (DEC-99).
            let mut tokens = daemon_tokens(run);
            let others = argv.other_globals().into_iter();
            tokens.extend(tokens_of(others.filter(|g| g.spec.scope == LaunchScope::None)));
            tokens
        }
        Target::Named(_) | Target::None => {
            let globals = argv.other_globals().into_iter();
            tokens_of(globals.chain(argv.launch_globals()).chain(argv.daemon_globals()))
        }
    }
}

/// How the browser that runs now was launched: where this call has started it in the place of a lost
/// one, not how that one was.
fn record(run: &Run<'_>) -> Option<LaunchRecord> {
    let state = run.engine.state();
    let now = run.target.key().and_then(|key| state.session(key));
    let session = now.or(run.session.as_ref())?;
    session.running.then(|| session.launch.clone())
}

/// The record of a session that is launched again after a loss by a call without launch options:
/// it gets those of its first launch.
fn relaunched<'a>(run: &'a Run<'_>) -> Option<&'a LaunchRecord> {
    let argv = &run.request.argv;
    let record = &run.session.as_ref()?.launch;
    let plain = argv.launch_globals().iter().all(|global| global.is_session_choice())
        && argv.daemon_globals().is_empty();
    (plain && !record.daemon_tokens.is_empty()).then_some(record)
}

/// Daemon-level options of a managed session: ours, and those of its launching call.
fn daemon_tokens(run: &Run<'_>) -> Vec<String> {
    if let Some(record) = relaunched(run) {
        return record.daemon_tokens.clone();
    }
    let argv = &run.request.argv;
    let own = tokens_of(argv.daemon_globals());
    let mut tokens = Vec::new();
    if !own.iter().any(|token| token == "--idle-timeout") {
        tokens.extend(["--idle-timeout".to_owned(), format!("{IDLE_SECONDS}s")]);
    }
    tokens.extend(own);
    tokens
}

fn tokens_of<'a>(globals: impl IntoIterator<Item = &'a Global>) -> Vec<String> {
    globals
        .into_iter()
        .filter(|global| !global.is_session_choice())
        .flat_map(Global::tokens)
        .collect()
}

fn is_made(temp: &Path) -> bool {
    temp.parent().is_some_and(|root| private_dir(root).is_ok()) && private_dir(temp).is_ok()
}

fn environment(run: &Run<'_>, launching: bool) -> ChildEnv {
    let env = &run.engine.options.env;
    let socket_dir = &run.engine.options.places.socket_dir;
    match run.target {
        Target::Managed { .. } if launching => {
            // What the daemon gets must be what later calls repeat.
            let env = env.launching(socket_dir).without(is_daemon_variable).with(&daemon_vars(run));
            marked(run, env)
        }
        Target::Managed { .. } => {
            let vars = session_vars(run);
            marked(run, env.following(socket_dir).without(is_daemon_variable).with(&vars))
        }
        Target::ThrowAway(_) => {
            let env = env.following(socket_dir).without(is_daemon_variable);
            marked(run, env.with(&daemon_vars(run)))
        }
        Target::Named(_) | Target::None => env.plain(socket_dir),
    }
}

/// With the marks of the session, by which the reaper finds what has been started for it: upstream
/// starts a daemon and a browser again behind any call that finds them gone.
fn marked(run: &Run<'_>, env: ChildEnv) -> ChildEnv {
    let Some(key) = run.target.key() else { return env };
    let env = env.and(SESSION_MARK, key.name.clone());
    match run.engine.browser_temp(key).filter(|temp| is_made(temp)) {
        Some(temp) => env.and("TMPDIR", temp),
        None => env,
    }
}

/// Daemon-level variables of a managed session.
fn session_vars(run: &Run<'_>) -> BTreeMap<String, String> {
    record(run).map_or_else(|| daemon_vars(run), |launch| launch.daemon_vars)
}

/// What the caller's variable makes of upstream's own timeout: that of the session's launch, which its
/// daemon has.
pub(super) fn default_timeout(run: &Run<'_>) -> Option<u64> {
    let given = if run.target.is_managed() {
        session_vars(run).remove(DEFAULT_TIMEOUT)
    } else {
        run.engine.options.env.text(DEFAULT_TIMEOUT).map(str::to_owned)
    };
    given?.trim().parse().ok()
}

/// Daemon-level variables of a launch.
fn daemon_vars(run: &Run<'_>) -> BTreeMap<String, String> {
    match relaunched(run) {
        Some(record) => record.daemon_vars.clone(),
        None => run.engine.options.env.daemon_variables(),
    }
}

/// Options under which a row of ours, a script or a rest between two of them, may be held back or denied
/// (DEC-92).
pub(super) fn gates_scripts(run: &Run<'_>) -> bool {
    let confirmed = run.given("--confirm-actions");
    let is_ours = |action: &str| matches!(action.trim(), "evaluate" | "wait");
    confirmed.is_some_and(|actions| actions.split(',').any(is_ours))
        || run.is_given("--action-policy")
}

/// What the session's record keeps about its launch.
pub(super) fn launch_record(run: &Run<'_>, key: &SessionKey) -> LaunchRecord {
    let lease = run.engine.leases.read(&run.engine.options.places.socket_dir, key);
    let exe = lease.map(|lease| lease.exe);
    if let Some(record) = relaunched(run) {
        let mut launch = LaunchRecord { launch_hash: None, exe, ..record.clone() };
        let forgotten = forgotten_flags(run, key);
        launch.launch_flags.retain(|(name, _)| !forgotten.contains(name));
        return launch;
    }
    let argv = &run.request.argv;
    let scoped = argv.launch_globals().into_iter().chain(argv.daemon_globals());
    LaunchRecord {
        daemon_tokens: daemon_tokens(run),
        daemon_vars: daemon_vars(run),
        exe,
        launch_flags: scoped
            .map(|global| (global.spec.name.to_owned(), value_mark(global.value.as_deref())))
            .collect(),
        launch_hash: None,
        gates_scripts: !run.may_run_scripts(),
    }
}

/// Flags of the first launch that a launch after a loss cannot repeat: their values are kept in
/// memory only, and another process has started the session.
pub(super) fn forgotten_flags(run: &Run<'_>, key: &SessionKey) -> Vec<String> {
    let Some(record) = relaunched(run) else { return Vec::new() };
    if !run.engine.remembered_launch(key).is_empty() {
        return Vec::new();
    }
    let names = record.launch_flags.iter().map(|(name, _)| name.clone());
    names
        .filter(|name| flag(name).is_some_and(|spec| spec.scope == LaunchScope::Browser))
        .filter(|name| name != "--namespace")
        .collect()
}

/// Nobody's process: as long as its daemon lives without a call (DEC-106).
pub(super) fn kept(daemon_tokens: &[String]) -> LeaseOwner {
    LeaseOwner::KeptUntil(now_seconds().saturating_add(idle_seconds(daemon_tokens)))
}

impl Engine {
    /// The upstream that browser-backed calls may use. One that has to be asked may not answer: the
    /// call's limit and its host end that, here for all that need one (HAZ-23).
    pub(super) async fn usable_upstream(&self, run: &Run<'_>) -> Checked<Arc<Upstream>> {
        let upstream = run.within(self.any_upstream(run)).await??;
        let sessionless = matches!(run.target, Target::None);
        match upstream.refusal() {
            Some(reason) if !sessionless && !run.request.argv.is_close() => Err(Refusal::new(
                FailureCategory::MissingBinary,
                format!("nothing was started, {reason}."),
            )),
            _ => Ok(upstream),
        }
    }

    async fn any_upstream(&self, run: &Run<'_>) -> Checked<Arc<Upstream>> {
        let mut known = self.upstream.lock().await;
        if let Some(upstream) = known.as_ref().filter(|upstream| upstream.is_unchanged()) {
            return Ok(Arc::clone(upstream));
        }
        let found = resolve(&self.options.env, &self.options.places, &run.context.cancel).await;
        let found = Arc::new(found.map_err(|error| could_not_run(&error))?);
        *known = Some(Arc::clone(&found));
        Ok(found)
    }

    /// Looks at the executable again before its next use.
    pub(super) async fn forget_upstream(&self) {
        *self.upstream.lock().await = None;
    }

    fn remembered_launch(&self, key: &SessionKey) -> Vec<String> {
        let tokens = self.launch_tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.get(key).cloned().unwrap_or_default()
    }

    /// Keeps the launch flags in memory, for a relaunch after a loss.
    pub(super) fn remember_launch(&self, key: &SessionKey, argv: &Argv) {
        let given = tokens_of(argv.launch_globals());
        if !given.is_empty() {
            let mut tokens = self.launch_tokens.lock().unwrap_or_else(PoisonError::into_inner);
            tokens.insert(key.clone(), given);
        }
    }

    /// Forgets the flags of a session that nobody launches again.
    pub(super) fn forget_launch(&self, key: &SessionKey) {
        self.launch_tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }

    /// Writes the lease before the first process of a session is started.
    pub(super) async fn write_lease(&self, run: &Run<'_>, key: &SessionKey) -> Checked<()> {
        // The last browser of that name may still be closing: a start meanwhile would be cut off.
        run.within(self.settle()).await?;
        let upstream = self.usable_upstream(run).await?;
        let daemon_tokens = daemon_tokens(run);
        let lease = Lease {
            key: key.clone(),
            socket_dir: self.options.places.socket_dir.clone(),
            owner: self.lease_owner(&daemon_tokens),
            exe: upstream.exe.clone(),
            daemon_tokens,
            daemon_vars: daemon_vars(run),
            daemon: None,
            browsers: Vec::new(),
            profile: None,
            temp: self.browser_temp(key),
            cdp_url: None,
        };
        self.leases
            .write(&lease)
            .map_err(|error| no_private_dir(&self.options.places.state_root, &error))
    }

    /// The temporary directory of one browser: whatever it leaves behind lies where the lease says.
    /// It is made once the lease is written, so that a kill in between leaves nothing unknown. None
    /// where the path is too long for the sockets that browsers make in it.
    fn browser_temp(&self, key: &SessionKey) -> Option<PathBuf> {
        let temp = self.options.places.temp_root.join(hex_of(key.name.as_bytes(), 12));
        (temp.as_os_str().len() <= TEMP_PATH_LIMIT).then_some(temp)
    }

    /// Who keeps a session alive whose daemon was started with these tokens.
    pub(super) fn lease_owner(&self, daemon_tokens: &[String]) -> LeaseOwner {
        match (self.options.keep, ProcId::current()) {
            (Keep::ThisProcess, Some(me)) => LeaseOwner::Process(me),
            _ => kept(daemon_tokens),
        }
    }

    /// Completes the lease from the process table, or moves its end on.
    pub(super) fn renew_lease(&self, key: &SessionKey, launched: bool, cdp_url: Option<String>) {
        let socket_dir = &self.options.places.socket_dir;
        let kept = self.options.keep == Keep::IdleTimeout;
        if !launched && !kept {
            return;
        }
        self.renew_app(key);
        let Some(mut lease) = self.leases.read(socket_dir, key) else { return };
        lease.owner = self.lease_owner(&lease.daemon_tokens);
        if launched {
            lease::complete(&mut lease);
            lease.cdp_url = cdp_url;
        }
        // The session runs; a lease that cannot be renewed ends with its idle timeout.
        let _ = self.leases.write(&lease);
    }
}
