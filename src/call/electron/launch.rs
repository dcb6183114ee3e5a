//! `launch`: find, judge, start, attach, hand over. What fails before the app is attached leaves
//! nothing; behind that the app is known and can be cleaned up.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::super::{CallContext, Engine, Trace, managed};
use super::Errand;
use super::attach::{attach, hand_off};
use crate::electron::cleanup::{BUDGET, Budget, CleanupStep, Done, end_app, profile_of};
use crate::electron::discover::{Roots, Unresolved, resolve};
use crate::electron::launch::{
    Diagnostics, NotReady, Ready, Start, app_process, make_profile, start, wait_ready,
};
use crate::electron::lease::AppLease;
use crate::electron::{App, policy};
use crate::error::{Checked, Refusal};
use crate::input::electron::{AppTarget, Launch};
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::present::electron as present;
use crate::session::electron::{CleanupState, ElectronRecord};
use crate::session::fact::Fact;
use crate::session::target::{SessionMode, Target, managed_target};

pub(super) async fn run(
    engine: &Engine,
    launch: &Launch,
    context: &CallContext,
    trace: &mut Trace,
) -> Checked<Outcome> {
    trace.mode = SessionMode::Fresh;
    refuse_cancelled(context)?;
    let app = find_app(engine, launch)?;
    if let Some(blocked) = policy::judge(&app, &launch.allow, &launch.deny) {
        return Err(present::policy_refusal(&app.name, blocked.list, blocked.entry.as_deref()));
    }
    let target = managed_target(&engine.state(), &engine.base_name, None, SessionMode::Fresh);
    // Without an upstream that may be used no app is started for nothing.
    let errand = Errand::new(engine, &["tab", "list"], target.clone(), SessionMode::Fresh)?;
    let first = errand.run(engine, context, Duration::from_millis(launch.timeout_ms));
    engine.usable_upstream(&first).await?;
    refuse_cancelled(context)?;
    trace.target = Some(target.clone());
    let mut lease = begin(engine, &app, launch, &target)?;
    let limit = Duration::from_millis(launch.timeout_ms);
    let ready = match wait_ready(&lease, launch.target_type, limit, &context.cancel).await {
        Ok(ready) => ready,
        Err((why, diagnostics)) => {
            return Ok(not_ready(engine, &lease, why, &diagnostics, trace).await);
        }
    };
    let attached = match answers(engine, &mut lease, &ready) {
        Ok(()) => attach(engine, &ready, &target, context, trace).await,
        Err(refusal) => Err(refusal),
    };
    match attached {
        Ok(Ok(())) => {}
        Ok(Err(outcome)) => return Ok(not_attached(engine, &lease, *outcome, trace).await),
        Err(refusal) => {
            end_failed(engine, &lease, trace).await;
            return Err(refusal);
        }
    }
    engine.learn(trace, [Fact::ElectronLaunched { record: lease.record.clone() }]);
    let handed = hand_off(engine, launch.handoff, &target, context, trace).await?;
    let mut outcome = present::launched(
        &lease.record,
        &ready,
        launch.handoff,
        present::Read {
            tabs: handed.tabs.as_ref().map(|answer| &answer.data),
            page: handed.brought.page.as_ref(),
            view: handed.brought.view,
            no_refs: handed.no_refs,
            unread: handed.unread,
        },
    );
    managed::report(&first, trace, &mut outcome);
    Ok(outcome)
}

fn refuse_cancelled(context: &CallContext) -> Checked<()> {
    if context.cancel.is_cancelled() {
        return Err(Refusal::new(FailureCategory::Aborted, "cancelled; nothing was started."));
    }
    Ok(())
}

fn find_app(engine: &Engine, launch: &Launch) -> Checked<App> {
    let roots = Roots::of(&engine.options.env);
    resolve(&launch.target, &roots, &engine.options.cwd)
        .map_err(|why| unresolved(&launch.target, why))
}

fn unresolved(target: &AppTarget, why: Unresolved) -> Box<Refusal> {
    let (field, value) = target.field();
    let nothing = "; nothing was started.";
    let refusal = match why {
        Unresolved::NotAnApp(path, why) => {
            let path = path.to_string_lossy().into_owned();
            let line = Line::ours(format!("electron.{field} ")).path(path);
            Refusal::invalid(line.and(" ").and(why.words()).and(nothing))
        }
        Unresolved::Unknown => {
            let line = Line::ours("no installed Electron app is called ").quote(value).and(nothing);
            let query = json!({ "electron": { "action": "list" } });
            let list = NextAction::params_of("list-electron-apps", "see what is installed", query);
            Refusal::invalid(line).next(list)
        }
        Unresolved::Ambiguous(paths) => {
            let mut line = Line::ours("several installed apps are called ").quote(value);
            for path in paths.iter().take(5) {
                line = line.and(", ").path(path.to_string_lossy().into_owned());
            }
            Refusal::invalid(line.and(" ; name one by executablePath. Nothing was started."))
        }
        Unresolved::NoDiscovery => Refusal::invalid(format!(
            "apps cannot be found by {field} on this platform; use executablePath or appPath. \
             Nothing was started."
        )),
    };
    refusal.detail("electron", present::failed_details("failed", json!({})))
}

/// Writes the lease, starts the app, and completes the lease.
fn begin(engine: &Engine, app: &App, launch: &Launch, target: &Target) -> Checked<AppLease> {
    let digits = getrandom::u64().map_err(|error| cannot_start(&error.to_string()))?;
    let launch_id = format!("electron-{:012x}", digits >> 16);
    let user_data_dir = profile_of(&engine.options.places, &launch_id);
    let record = ElectronRecord {
        launch_id: launch_id.clone(),
        app_name: app.name.clone(),
        bundle_id: app.bundle_id.clone(),
        app_path: app.app_path.to_string_lossy().into_owned(),
        executable_path: app.executable.to_string_lossy().into_owned(),
        user_data_dir: user_data_dir.to_string_lossy().into_owned(),
        session_name: target.key().map(|key| key.name.clone()).unwrap_or_default(),
        created_at_ms: now_ms(),
        ..ElectronRecord::default()
    };
    let mut lease = AppLease { owner: engine.lease_owner(&[]), record };
    engine.apps.write(&lease).map_err(|error| cannot_start(&error.to_string()))?;
    let what = Start {
        app,
        args: &launch.app_args,
        user_data_dir: &user_data_dir,
        launch_id: &launch_id,
        env: &engine.options.env,
    };
    let started = make_profile(&user_data_dir)
        .map_err(|error| error.to_string())
        .and_then(|()| start(&what).map_err(|error| error.to_string()));
    match started {
        Ok(process) => {
            if let Some(process) = process {
                (lease.record.pid, lease.record.pid_start) = (process.pid, process.start);
            }
            // The mark in its environment proves the app where this could not be written.
            let _ = engine.apps.write(&lease);
            Ok(lease)
        }
        Err(error) => {
            let _ = std::fs::remove_dir_all(&user_data_dir);
            engine.apps.remove(&launch_id);
            Err(cannot_start(&error))
        }
    }
}

fn cannot_start(why: &str) -> Box<Refusal> {
    Refusal::new(FailureCategory::UpstreamError, format!("the app was not started: {why}."))
        .detail("electron", present::failed_details("failed", json!({})))
}

fn now_ms() -> u64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(passed.as_millis()).unwrap_or(u64::MAX)
}

/// The lease of an app that answers: its port, and the process that is really it.
fn answers(engine: &Engine, lease: &mut AppLease, ready: &Ready) -> Checked<()> {
    if let Some(process) = app_process(lease) {
        (lease.record.pid, lease.record.pid_start) = (process.pid, process.start);
    }
    lease.record.port = ready.port;
    let browser = ready.version.get("webSocketDebuggerUrl").and_then(Value::as_str);
    let chosen = ready.chosen.as_ref().and_then(|target| target.socket.clone());
    lease.record.web_socket_debugger_url = chosen.or_else(|| browser.map(str::to_owned));
    engine.apps.write(lease).map_err(|error| cannot_start(&error.to_string()))
}

/// Ends what a failed launch has started.
async fn end_failed(engine: &Engine, lease: &AppLease, trace: &mut Trace) -> Vec<CleanupStep> {
    let mut lease = lease.clone();
    let steps = end_app(&lease, Budget::new(BUDGET)).await;
    if steps.iter().all(|step| step.done == Done::Succeeded) {
        engine.apps.remove(&lease.record.launch_id);
    } else {
        // It stays known, so that it can be cleaned up later.
        lease.record.cleanup_state = CleanupState::Failed;
        let _ = engine.apps.write(&lease);
        engine.learn(trace, [Fact::ElectronLaunched { record: lease.record }]);
    }
    steps
}

async fn not_ready(
    engine: &Engine,
    lease: &AppLease,
    why: NotReady,
    diagnostics: &Diagnostics,
    trace: &mut Trace,
) -> Outcome {
    let steps = end_failed(engine, lease, trace).await;
    present::not_ready(&lease.record, why, diagnostics, &steps)
}

async fn not_attached(
    engine: &Engine,
    lease: &AppLease,
    mut outcome: Outcome,
    trace: &mut Trace,
) -> Outcome {
    let steps = end_failed(engine, lease, trace).await;
    present::add_failed_attach(&mut outcome, &lease.record, &steps);
    outcome
}
