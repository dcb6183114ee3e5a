//! One upstream process and its answers, each with its owner.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use serde_json::json;

use super::run::Run;
use super::{Trace, busy, library};
use crate::diagnose::category::has_no_browser;
use crate::envelope::{Answer, Envelope, parse};
use crate::error::{Checked, Refusal};
use crate::guard::file_behind;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::plan::{Owner, Plan, RowKind};
use crate::present::failure;
use crate::probe::library::is_call;
use crate::run::ready::Ready;
use crate::run::{Completed, End, Invocation, RunError, run, run_rows};
use crate::session::key::hex_of;
use crate::session::lease::socket_exists;
use crate::session::target::Target;
use crate::session::turn;

/// What is left of such an output says nothing for sure.
pub(super) const TOO_LONG: &str = "more output than is kept";
/// Less time than this is not worth a process.
const SHORTEST: Duration = Duration::from_millis(200);

/// Answers with their owners; under `--bail` the last ones may be missing.
pub(super) type Rows = Vec<(Owner, Answer)>;

/// What one process answered.
#[derive(Debug)]
pub(super) enum Ran {
    Rows(Rows),
    Failed(Failed),
}

/// A process failed as a whole; nothing can be said of single rows.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) outcome: Box<Outcome>,
    /// It was ended by the limit or by the host: what it began goes on in the daemon (HAZ-07).
    pub(super) cut: bool,
}

impl From<Outcome> for Failed {
    fn from(outcome: Outcome) -> Self {
        Self { outcome: Box::new(outcome), cut: false }
    }
}

/// Why a question of ours has no answer.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The time was over in front of it or meanwhile, or the host has given up.
    Late,
    /// Upstream failed.
    Failed(Box<Outcome>),
}

/// A question of ours in a process of its own, within what is left of the call's limit. A failure of
/// it fails nothing; what it means for later calls is kept and said. Where options of the session hold
/// scripts back, none is sent: it would take the place of the act that waits for its confirmation
/// (DEC-92).
pub(super) async fn ask(run_: &Run<'_>, plan: &Plan, trace: &mut Trace) -> Result<Rows, NoAnswer> {
    if run_.clock.left() < SHORTEST || run_.context.cancel.is_cancelled() {
        return Err(NoAnswer::Late);
    }
    if is_lost(run_) || trace.closed {
        return Err(no_answer("the browser of this session is gone."));
    }
    let mut plan = Cow::Borrowed(plan);
    if !run_.may_run_scripts() {
        plan.to_mut().rows.retain(|row| row.argv.first().is_none_or(|word| word != "eval"));
        if plan.rows.is_empty() {
            return Err(no_answer("options of this session hold scripts back."));
        }
    }
    match rows(run_, &plan, false, trace).await {
        Ok(Ran::Rows(answers)) => {
            busy::is_free(run_, trace);
            Ok(answers)
        }
        Ok(Ran::Failed(failed)) if failed.cut => {
            busy::goes_on(run_, trace);
            Err(NoAnswer::Late)
        }
        Ok(Ran::Failed(failed)) => Err(NoAnswer::Failed(failed.outcome)),
        Err(refusal) => Err(NoAnswer::Failed(Box::new(refusal.into_outcome()))),
    }
}

fn no_answer(line: &'static str) -> NoAnswer {
    let refusal = Refusal::new(FailureCategory::UpstreamError, line);
    NoAnswer::Failed(Box::new(refusal.into_outcome()))
}

/// This call has found its browser gone: what is left of it is being closed.
fn is_lost(run_: &Run<'_>) -> bool {
    let state = run_.engine.state();
    let session = run_.target.key().and_then(|key| state.session(key));
    run_.is_running() && session.is_some_and(|session| !session.running)
}

/// Runs the rows of a plan on the call's session, within what is left of the call's limit.
pub(super) async fn rows(
    run_: &Run<'_>,
    plan: &Plan,
    launching: bool,
    trace: &mut Trace,
) -> Checked<Ran> {
    rows_within(run_, plan, launching, run_.clock.left(), trace).await
}

/// The same within a limit of its own: behind the call's limit, or far below it.
pub(super) async fn rows_within(
    run_: &Run<'_>,
    plan: &Plan,
    launching: bool,
    limit: Duration,
    trace: &mut Trace,
) -> Checked<Ran> {
    let started = Instant::now();
    let libraries = &run_.engine.libraries;
    // A later process of the same call may meet a document that nobody has seen yet.
    let kept = trace.processes == 0 && libraries.is_kept(run_);
    let ran = once(run_, plan, kept, launching, limit, trace).await?;
    libraries.learn(run_, plan, &ran);
    if !(kept && library::is_missing(plan, &ran)) {
        return Ok(ran);
    }
    let left = limit.saturating_sub(started.elapsed());
    let ran = once(run_, plan, false, launching, left, trace).await?;
    libraries.learn(run_, plan, &ran);
    Ok(ran)
}

async fn once(
    run_: &Run<'_>,
    plan: &Plan,
    kept: bool,
    launching: bool,
    limit: Duration,
    trace: &mut Trace,
) -> Checked<Ran> {
    let (tokens, stdin) = (plan.tokens(), plan.stdin(kept));
    let invocation = super::launch::invocation(run_, tokens, stdin, launching, limit).await?;
    let before = trace.upstream_time;
    // A launch has options that no later call has.
    let next = (!launching).then(|| run_.engine.ready.next(&invocation));
    let completed = counted(run_, invocation, Some(&run_.engine.ready), trace).await?;
    trace.next = next.filter(|_| completed.end == End::Exited);
    if run_.engine.options.env.switch("AGENT_BROWSER_NATIVE_DEBUG") {
        // Upstream tells no time of single rows: it is that of their process.
        let ms = u64::try_from((trace.upstream_time - before).as_millis()).unwrap_or(u64::MAX);
        trace.rows.extend(plan.rows.iter().map(
            |row| json!({ "owner": row.owner.kind.name(), "row": shown(&row.argv), "processMs": ms }),
        ));
    }
    let ran = read_rows(run_, plan, &completed);
    trace.closed |= has_closed(run_, &ran);
    if run_.engine.is_confined() {
        trace.file_origins.extend(file_origins(&ran));
    }
    Ok(ran)
}

/// A `close` of the caller's has run: a further question would start a browser without a lease.
fn has_closed(run_: &Run<'_>, ran: &Ran) -> bool {
    let Ran::Rows(answers) = ran else { return false };
    let closes = |step: usize| run_.request.steps.get(step).is_some_and(|one| one.argv.is_close());
    answers
        .iter()
        .any(|(owner, answer)| owner.kind == RowKind::Main && answer.success && closes(owner.step))
}

/// The files that the caller's own commands have read from.
fn file_origins(ran: &Ran) -> Vec<String> {
    let Ran::Rows(answers) = ran else { return Vec::new() };
    let mains = answers.iter().filter(|(owner, _)| owner.kind == RowKind::Main);
    let origins = mains.filter_map(|(_, answer)| answer.text("origin"));
    origins.filter(|origin| file_behind(origin).is_some()).map(str::to_owned).collect()
}

/// A row for people: an encoded script, which may hold typed text in a form that nobody can redact, is
/// only named.
fn shown(row: &[String]) -> Vec<String> {
    match row {
        [command, flag, script] if is_call(row) || (command == "eval" && flag == "-b") => {
            vec![command.clone(), format!("(script of {} bytes)", script.len())]
        }
        _ => row.to_vec(),
    }
}

/// Starts one process and counts it.
pub(super) async fn process(
    run_: &Run<'_>,
    invocation: Invocation,
    trace: &mut Trace,
) -> Checked<Completed> {
    counted(run_, invocation, None, trace).await
}

/// The same; for rows with the processes that wait for some.
async fn counted(
    run_: &Run<'_>,
    mut invocation: Invocation,
    ready: Option<&Ready>,
    trace: &mut Trace,
) -> Checked<Completed> {
    let started = Instant::now();
    let first = run_.within(first_call_turn(run_)).await?;
    invocation.deadline = invocation.deadline.saturating_sub(started.elapsed());
    trace.processes += 1;
    let cancel = &run_.context.cancel;
    let running = async {
        match ready {
            Some(ready) => run_rows(invocation, ready, cancel).await,
            None => run(invocation, cancel).await,
        }
    };
    tokio::pin!(running);
    let completed = match trace.nudge_after.take() {
        None => running.await,
        Some(patience) => tokio::select! {
            completed = &mut running => completed,
            () = tokio::time::sleep(patience) => {
                if let Some(key) = run_.target.key() {
                    run_.engine.stop_loading(key).await;
                }
                running.await
            }
        },
    };
    drop(first);
    trace.upstream_time += started.elapsed();
    let completed = completed.map_err(|error| could_not_run(&error))?;
    trace.longest_answer = trace.longest_answer.max(completed.stdout.len());
    Ok(completed)
}

/// Several first calls at once on one session leak daemons: sessions that other processes may
/// start too take turns until their socket is there (HAZ-06).
async fn first_call_turn(run_: &Run<'_>) -> Option<std::fs::File> {
    let Target::Named(key) = run_.target else { return None };
    let places = &run_.engine.options.places;
    if socket_exists(&places.socket_dir, key) {
        return None;
    }
    let name = format!("{}|{:?}|{}", places.socket_dir.display(), key.namespace, key.name);
    turn::take(places, &format!("first-{}", hex_of(name.as_bytes(), 24))).await
}

fn read_rows(run_: &Run<'_>, plan: &Plan, completed: &Completed) -> Ran {
    // The limit that the caller knows, not what was left of it for this process.
    if let Some(outcome) = cut_short(completed, run_.clock.limit) {
        return Ran::Failed(Failed { outcome: Box::new(outcome), cut: true });
    }
    if completed.stdout_truncated {
        return Ran::Failed(failure::unreadable(TOO_LONG, &completed.stderr).into());
    }
    match parse(&completed.stdout) {
        Envelope::Rows(answers) if answers.first().is_some_and(has_no_browser) => {
            Ran::Failed(refused(run_, answers.first(), completed).into())
        }
        Envelope::Rows(answers) => {
            let owned = answers.into_iter().filter_map(|answer| {
                let row = plan.rows.get(answer.index?)?;
                Some((row.owner, answer))
            });
            Ran::Rows(owned.collect())
        }
        Envelope::One(answer) if !answer.success => {
            Ran::Failed(refused(run_, Some(&answer), completed).into())
        }
        other => Ran::Failed(failure::unreadable(shape(&other), &completed.stderr).into()),
    }
}

/// Upstream has run none of the rows, and says why.
fn refused(run_: &Run<'_>, answer: Option<&Answer>, completed: &Completed) -> Outcome {
    match run_.request.steps.first().zip(answer) {
        Some((step, answer)) => failure::of_answer(answer, step, &Line::ours("the command")),
        None => failure::unreadable("it failed without rows", &completed.stderr),
    }
}

/// The name of a shape that was not expected.
pub(super) fn shape(envelope: &Envelope) -> &'static str {
    match envelope {
        Envelope::One(_) => "one answer where rows were expected",
        Envelope::Rows(_) => "rows where one answer was expected",
        Envelope::Text(_) => "plain text where JSON was expected",
        Envelope::Empty => "no output at all",
        Envelope::Malformed => "incomplete JSON",
    }
}

/// A process that was ended by its deadline or by the host.
pub(super) fn cut_short(completed: &Completed, deadline: Duration) -> Option<Outcome> {
    match completed.end {
        End::Exited => None,
        End::TimedOut => {
            let ms = deadline.as_millis();
            let line = Line::ours(format!(
                "stopped after {ms} ms. The running step may have taken effect."
            ));
            let mut outcome = Refusal::new(FailureCategory::Timeout, line)
                .next(NextAction::args(
                    "inspect-after-timeout",
                    "see what the page shows",
                    &["snapshot", "-i"],
                ))
                .into_outcome();
            outcome.details.insert("exitCode".into(), completed.exit_code.into());
            Some(outcome)
        }
        End::Cancelled => Some(
            Refusal::new(
                FailureCategory::Aborted,
                "cancelled. The running step may have taken effect.",
            )
            .into_outcome(),
        ),
    }
}

/// No process could be started.
pub(super) fn could_not_run(error: &RunError) -> Box<Refusal> {
    let category = match error {
        RunError::NotFound
        | RunError::Missing { .. }
        | RunError::NotExecutable { .. }
        | RunError::NoVersion { .. }
        | RunError::Spawn { .. } => FailureCategory::MissingBinary,
        RunError::Cancelled { .. } => FailureCategory::Aborted,
        RunError::BadDirectory { .. } | RunError::BadArgument { .. } => {
            FailureCategory::UpstreamError
        }
    };
    let sentence = error.to_string();
    // No full stop touches an address.
    let ends = sentence.rsplit(' ').next().is_some_and(|word| word.contains("://"));
    Refusal::new(category, if ends { sentence } else { sentence + "." })
}
