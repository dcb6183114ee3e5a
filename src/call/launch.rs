//! The invocation of a process on a session: options, environment, lease (HAZ-02, DEC-106).

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::execute::could_not_run;
use super::single::Run;
use super::{Engine, Keep};
use crate::command::{Argv, Global};
use crate::error::{Checked, Refusal};
use crate::guard::value_mark;
use crate::outcome::FailureCategory;
use crate::run::places::{private_dir, socket_dir_of, socket_path_fits};
use crate::run::proc::ProcId;
use crate::run::upstream::{Upstream, resolve};
use crate::run::{ChildEnv, Invocation};
use crate::session::fact::LaunchRecord;
use crate::session::key::SessionKey;
use crate::session::lease::{self, Lease, LeaseOwner, now_seconds};
use crate::session::target::Target;

/// Idle timeout of managed sessions: the backstop when nobody closes them (SES-10).
pub(super) const IDLE_SECONDS: u64 = 15 * 60;

/// The process that runs `tokens` on the call's session.
pub(super) async fn invocation(
    run: &Run<'_>,
    tokens: Vec<String>,
    stdin: Vec<u8>,
    launching: bool,
    deadline: Duration,
) -> Checked<Invocation> {
    let upstream = run.engine.usable_upstream(run).await?;
    let mut argv = vec!["--json".to_owned()];
    argv.extend(run.target.tokens());
    argv.extend(session_tokens(run, launching));
    argv.extend(tokens);
    let places = &run.engine.options.places;
    private_dir(&places.socket_dir).map_err(|error| no_private_dir(&places.socket_dir, &error))?;
    if let Some(key) = run.target.key() {
        let dir = socket_dir_of(&places.socket_dir, key.namespace.as_deref());
        socket_path_fits(&dir, &key.name).map_err(|error| Refusal::invalid(format!("{error}.")))?;
    }
    Ok(Invocation {
        exe: upstream.exe.clone(),
        argv,
        stdin,
        env: environment(run, launching),
        cwd: run.engine.options.cwd.clone(),
        deadline,
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
            let mut tokens = daemon_tokens(argv);
            let remembered = run.engine.remembered_launch(key);
            let given = tokens_of(argv.other_globals().into_iter().chain(argv.launch_globals()));
            tokens.extend(if given.is_empty() { remembered } else { given });
            tokens
        }
        Target::Managed { .. } => {
            let kept = run.session.as_ref().map(|session| session.launch.daemon_tokens.clone());
            let mut tokens = kept.unwrap_or_default();
            tokens.extend(tokens_of(argv.other_globals()));
            tokens
        }
        Target::Named(_) | Target::None | Target::ThrowAway(_) => {
            let globals = argv.other_globals().into_iter();
            tokens_of(globals.chain(argv.launch_globals()).chain(argv.daemon_globals()))
        }
    }
}

/// Daemon-level options of a managed session: ours, and those of its launching call.
fn daemon_tokens(argv: &Argv) -> Vec<String> {
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

fn environment(run: &Run<'_>, launching: bool) -> ChildEnv {
    let env = &run.engine.options.env;
    let socket_dir = &run.engine.options.places.socket_dir;
    match run.target {
        Target::Managed { .. } if launching => env.launching(socket_dir),
        Target::Managed { .. } | Target::ThrowAway(_) => env.following(socket_dir),
        Target::Named(_) | Target::None => env.plain(socket_dir),
    }
}

/// Options under which an `eval` row may be held back or denied (DEC-92).
pub(super) fn gates_scripts(argv: &Argv) -> bool {
    let confirmed = argv.global("--confirm-actions").and_then(|global| global.value.as_deref());
    confirmed.is_some_and(|actions| actions.split(',').any(|action| action.trim() == "evaluate"))
        || argv.global("--action-policy").is_some()
}

/// What the session's record keeps about its launch.
pub(super) fn launch_record(argv: &Argv) -> LaunchRecord {
    let scoped = argv.launch_globals().into_iter().chain(argv.daemon_globals());
    LaunchRecord {
        daemon_tokens: daemon_tokens(argv),
        launch_flags: scoped
            .map(|global| (global.spec.name.to_owned(), value_mark(global.value.as_deref())))
            .collect(),
        launch_hash: None,
        gates_scripts: gates_scripts(argv),
    }
}

impl Engine {
    /// The upstream that browser-backed calls may use.
    pub(super) async fn usable_upstream(&self, run: &Run<'_>) -> Checked<Arc<Upstream>> {
        let upstream = self.any_upstream(run).await?;
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

    /// Writes the lease before the first process of a session is started.
    pub(super) async fn write_lease(&self, run: &Run<'_>, key: &SessionKey) -> Checked<()> {
        let upstream = self.usable_upstream(run).await?;
        let lease = Lease {
            key: key.clone(),
            socket_dir: self.options.places.socket_dir.clone(),
            owner: self.lease_owner(),
            exe: upstream.exe.clone(),
            daemon_tokens: daemon_tokens(&run.request.argv),
            daemon: None,
            browsers: Vec::new(),
            profile: None,
            cdp_url: None,
        };
        self.leases
            .write(&lease)
            .map_err(|error| no_private_dir(&self.options.places.state_root, &error))
    }

    pub(super) fn lease_owner(&self) -> LeaseOwner {
        match (self.options.keep, ProcId::current()) {
            (Keep::ThisProcess, Some(me)) => LeaseOwner::Process(me.into()),
            _ => LeaseOwner::KeptUntil(now_seconds() + IDLE_SECONDS),
        }
    }

    /// Completes the lease from the process table, or moves its end on.
    pub(super) fn renew_lease(&self, key: &SessionKey, launched: bool, cdp_url: Option<String>) {
        let socket_dir = &self.options.places.socket_dir;
        let kept = self.options.keep == Keep::IdleTimeout;
        if !launched && !kept {
            return;
        }
        let Some(mut lease) = self.leases.read(socket_dir, key) else { return };
        lease.owner = self.lease_owner();
        if launched {
            lease::complete(&mut lease);
            lease.cdp_url = cdp_url;
        }
        // The session runs; a lease that cannot be renewed ends with its idle timeout.
        let _ = self.leases.write(&lease);
    }
}
