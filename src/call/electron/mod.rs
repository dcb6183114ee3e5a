//! `electron`: the wrapper's own work around one launched app, serialised with the managed session.

mod after;
mod attach;
mod cleanup;
mod launch;
mod list;
mod owned;
mod probe;
mod scope;
mod status;

use std::time::Duration;

use super::prepare::{self, Request};
use super::run::{Clock, Run};
use super::{CallContext, Engine, Trace};
use crate::command::Class;
use crate::error::{Checked, Refusal};
use crate::input::electron::{AppTarget, Electron};
use crate::input::{Compiled, Input, Mode};
use crate::outcome::{FailureCategory, Outcome};
use crate::session::lock::Lane;
use crate::session::state::SessionState;
use crate::session::target::{SessionMode, Target};

pub(super) use after::{OFF_FOR_APPS, after_command, attached, refuse_when_gone};

/// Runs one action.
pub(super) async fn run(
    engine: &Engine,
    electron: &Electron,
    context: &CallContext,
    trace: &mut Trace,
) -> Checked<Outcome> {
    trace.command = Some("electron");
    permitted(engine, electron)?;
    // The limit of a launch is for its readiness alone.
    let own = match electron {
        Electron::Status(scope) | Electron::Cleanup(scope) => scope.timeout_ms,
        Electron::Probe(probe) => probe.timeout_ms,
        Electron::List(_) | Electron::Launch(_) => None,
    };
    let lane = match electron {
        Electron::List(_) => None,
        _ => Some(engine.enter(Lane::Managed, own, context, trace).await?),
    };
    let outcome = match electron {
        Electron::List(list) => Ok(list::run(engine, list)),
        Electron::Launch(launch) => launch::run(engine, launch, context, trace).await,
        Electron::Status(scope) => status::run(engine, scope, context, trace).await,
        Electron::Cleanup(scope) => cleanup::run(engine, scope, trace).await,
        Electron::Probe(probe) => probe::run(engine, probe, context, trace).await,
    };
    drop(lane);
    outcome
}

/// A launch acts; with arguments or a path of the caller it may run anything (DEC-100).
fn permitted(engine: &Engine, electron: &Electron) -> Checked<()> {
    let (class, what) = match electron {
        Electron::List(_) | Electron::Status(_) | Electron::Probe(_) => {
            (Class::Read, "this action")
        }
        Electron::Cleanup(_) => (Class::Act, "electron.cleanup"),
        Electron::Launch(launch) => match &launch.target {
            AppTarget::Path(_) => (Class::Process, "electron.appPath"),
            AppTarget::Executable(_) => (Class::Process, "electron.executablePath"),
            _ if !launch.app_args.is_empty() => (Class::Process, "electron.appArgs"),
            AppTarget::Name(_) | AppTarget::Bundle(_) => (Class::Act, "electron.launch"),
        },
    };
    if engine.options.allowed.contains(&class) {
        return Ok(());
    }
    let name = class.name();
    Err(Refusal::new(
        FailureCategory::PolicyBlocked,
        format!(
            "nothing was done, {what} needs the class {name}, which this server does not allow. \
             Whoever runs it can add --allow {name} to its command line."
        ),
    ))
}

/// A command of our own on a session, ready to be planned.
struct Errand {
    request: Request,
    input: Input,
    target: Target,
    session: Option<SessionState>,
}

impl Errand {
    fn new(engine: &Engine, words: &[&str], target: Target, mode: SessionMode) -> Checked<Self> {
        let args: Vec<String> = words.iter().map(ToString::to_string).collect();
        let input = Input {
            mode: Mode::Args(args.clone()),
            stdin: None,
            session_mode: mode,
            timeout_ms: None,
            output_path: None,
        };
        let compiled = Compiled { args, ..Compiled::default() };
        let request = prepare::request(&compiled, &input, &engine.options.cwd)?;
        let session = target.key().and_then(|key| engine.state().session(key).cloned());
        Ok(Self { request, input, target, session })
    }

    /// Within a limit that begins now.
    fn run<'a>(&'a self, engine: &'a Engine, context: &'a CallContext, limit: Duration) -> Run<'a> {
        Run {
            engine,
            request: &self.request,
            input: &self.input,
            target: &self.target,
            context,
            session: self.session.clone(),
            clock: Clock::start(limit),
        }
    }
}

/// Milliseconds as they stand in an input field.
fn millis(limit: Option<u64>, default: Duration) -> Duration {
    limit.map_or(default, Duration::from_millis)
}
