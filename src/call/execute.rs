//! One upstream process and its answers, each with its owner.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::library;
use super::run::Run;
use super::{Engine, Trace};
use crate::envelope::{Answer, Envelope, parse};
use crate::error::{Checked, Refusal};
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::plan::{Owner, Plan};
use crate::present::failure;
use crate::present::section::Line;
use crate::probe::library::is_call;
use crate::run::{Completed, End, Invocation, RunError, run};
use crate::session::key::hex_of;
use crate::session::lease::socket_exists;
use crate::session::target::Target;
use crate::session::turn;

/// What one process answered.
#[derive(Debug)]
pub(super) enum Ran {
    /// Rows with their owners; under `--bail` the last ones may be missing.
    Rows(Vec<(Owner, Answer)>),
    /// The process as a whole failed; nothing can be said of single rows.
    Failed(Box<Outcome>),
}

/// Runs the rows of a plan on the call's session.
pub(super) async fn rows(
    run_: &Run<'_>,
    plan: &Plan,
    launching: bool,
    deadline: Duration,
    trace: &mut Trace,
) -> Checked<Ran> {
    let libraries = &run_.engine.libraries;
    // A later process of the same call may meet a document that nobody has seen yet.
    let kept = trace.processes == 0 && libraries.is_kept(run_);
    let ran = once(run_, plan, kept, launching, deadline, trace).await?;
    libraries.learn(run_, plan, &ran);
    if !(kept && library::is_missing(&ran)) {
        return Ok(ran);
    }
    let ran = once(run_, plan, false, launching, deadline, trace).await?;
    libraries.learn(run_, plan, &ran);
    Ok(ran)
}

async fn once(
    run_: &Run<'_>,
    plan: &Plan,
    kept: bool,
    launching: bool,
    deadline: Duration,
    trace: &mut Trace,
) -> Checked<Ran> {
    let (tokens, stdin) = (plan.tokens(), plan.stdin(kept));
    let invocation = super::launch::invocation(run_, tokens, stdin, launching, deadline).await?;
    let before = trace.upstream_time;
    let completed = process(run_, invocation, trace).await?;
    if run_.engine.options.env.switch("AGENT_BROWSER_NATIVE_DEBUG") {
        // Upstream tells no time of single rows: it is that of their process.
        let ms = u64::try_from((trace.upstream_time - before).as_millis()).unwrap_or(u64::MAX);
        trace.rows.extend(plan.rows.iter().map(
            |row| json!({ "owner": row.owner.kind.name(), "row": shown(&row.argv), "processMs": ms }),
        ));
    }
    Ok(read_rows(run_, plan, &completed, deadline))
}

/// A row for people: a script of ours, which may hold typed text in a form that nobody can redact, is
/// only named.
fn shown(row: &[String]) -> Vec<String> {
    match row {
        [command, _, script] if is_call(row) => {
            vec![command.clone(), format!("our script, {} bytes", script.len())]
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
    trace.processes += 1;
    let started = Instant::now();
    let first = first_call_turn(run_).await;
    let running = run(invocation, &run_.context.cancel);
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
    trace.client_killed |= completed.end != End::Exited;
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

fn read_rows(run_: &Run<'_>, plan: &Plan, completed: &Completed, deadline: Duration) -> Ran {
    // The limit that the caller knows, not what was left of it for this process.
    let limit = run_.deadline().unwrap_or(deadline);
    if let Some(outcome) = cut_short(completed, limit) {
        return Ran::Failed(Box::new(outcome));
    }
    match parse(&completed.stdout) {
        Envelope::Rows(answers) => {
            let owned = answers.into_iter().filter_map(|answer| {
                let row = plan.rows.get(answer.index?)?;
                Some((row.owner, answer))
            });
            Ran::Rows(owned.collect())
        }
        Envelope::One(answer) if !answer.success => {
            let step = run_.request.steps.first();
            let label = Line::ours("the command");
            Ran::Failed(Box::new(match step {
                Some(step) => failure::of_answer(&answer, step, &label),
                None => failure::unreadable("it failed without rows", &completed.stderr),
            }))
        }
        other => Ran::Failed(Box::new(failure::unreadable(shape(&other), &completed.stderr))),
    }
}

/// The name of a shape that was not expected.
pub(super) fn shape(envelope: &Envelope) -> &'static str {
    match envelope {
        Envelope::One(_) => "one answer where rows were expected",
        Envelope::Rows(_) => "rows where one answer was expected",
        Envelope::Text(_) => "plain text where JSON was expected",
        Envelope::Empty => "no output at all",
        Envelope::Malformed(_) => "incomplete JSON",
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
    let category = if error.is_missing_binary() {
        FailureCategory::MissingBinary
    } else {
        FailureCategory::UpstreamError
    };
    let sentence = error.to_string();
    // No full stop touches an address.
    let ends = sentence.rsplit(' ').next().is_some_and(|word| word.contains("://"));
    Refusal::new(category, if ends { sentence } else { sentence + "." })
}

impl Engine {
    /// The row answers as they are for `details.upstreamRows`.
    pub(super) fn debug_rows(trace: &Trace) -> Option<Value> {
        (!trace.rows.is_empty()).then(|| Value::Array(trace.rows.clone()))
    }
}
