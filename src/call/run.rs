//! One call on its way: what every stage of it needs to know.

use std::ffi::OsStr;
use std::time::{Duration, Instant, SystemTime};

use super::answers::Brought;
use super::prepare::Request;
use super::{CallContext, Engine};
use crate::artifact::create_parent;
use crate::command::{Argv, flag};
use crate::diagnose::effect::Effect;
use crate::diagnose::{AfterRow, Evidence};
use crate::envelope::Answer;
use crate::error::{Checked, Refusal};
use crate::file_fact::FileFact;
use crate::guard::describe_ref;
use crate::input::Input;
use crate::line::{Line, tame};
use crate::outcome::FailureCategory;
use crate::plan::Step;
use crate::plan::about::number;
use crate::plan::rewrite::absolute;
use crate::plan::timeouts::watchdog;
use crate::present::Shown;
use crate::session::state::SessionState;
use crate::session::target::Target;

/// One call on its way.
pub(super) struct Run<'a> {
    pub(super) engine: &'a Engine,
    pub(super) request: &'a Request,
    pub(super) input: &'a Input,
    pub(super) target: &'a Target,
    pub(super) context: &'a CallContext,
    pub(super) session: Option<SessionState>,
    pub(super) clock: Clock,
}

impl Run<'_> {
    /// The browser of this session runs, as far as we know.
    pub(super) fn is_running(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.running)
    }

    /// The session is attached to an app that was launched here.
    pub(super) fn is_app(&self) -> bool {
        self.target.key().is_some_and(|key| self.engine.state().app_of(key).is_some())
    }

    /// What the rows around a command brought, for a judgement.
    pub(super) fn evidence<'a>(
        &'a self,
        step: &'a Step,
        main: &'a Answer,
        brought: &'a Brought,
    ) -> Evidence<'a> {
        let session = self.session.as_ref();
        Evidence {
            step,
            before: brought.before.as_ref(),
            main,
            after: &brought.after,
            refs: session.and_then(|session| session.refs.as_ref()),
            known: session.and_then(|session| session.page.as_ref()),
            routes: session.map_or(&[], |session| &session.routes),
        }
    }

    /// A command with its own answer and nothing around it.
    pub(super) fn shown<'a>(
        &'a self,
        step: &'a Step,
        answer: &'a Answer,
        files: &'a [FileFact],
    ) -> Shown<'a> {
        Shown {
            step,
            answer,
            before: None,
            after: &AfterRow::Silent,
            effect: Effect::Unknown,
            page: None,
            taken: None,
            view: None,
            new_tab: None,
            session: self.session.as_ref(),
            files,
            cwd: &self.engine.options.cwd,
            session_label: self.session_label(),
        }
    }

    /// The file that the session records to.
    pub(super) fn open_recording(&self) -> Option<&str> {
        self.session.as_ref()?.recording.as_deref()
    }

    /// `default`, or the name that the caller gave.
    pub(super) fn session_label(&self) -> &str {
        match self.target {
            Target::Named(key) => &key.name,
            _ => "default",
        }
    }

    /// No option of the session holds `eval` rows back (DEC-92).
    pub(super) fn may_run_scripts(&self) -> bool {
        // What is known by now: an earlier process of this call may have learned it.
        let key = self.target.key();
        let learned = key.is_some_and(|key| {
            let state = self.engine.state();
            state.session(key).is_some_and(|session| session.launch.gates_scripts)
        });
        !learned && !super::launch::gates_scripts(self)
    }

    /// The call has this global flag, or the variable that stands in for it, and it takes effect.
    pub(super) fn is_given(&self, name: &str) -> bool {
        match self.request.argv.global(name) {
            Some(global) => global.takes_effect(),
            None => self.variable_of(name).is_some(),
        }
    }

    /// The value of a global flag, or of the variable that stands in for it.
    pub(super) fn given(&self, name: &str) -> Option<&str> {
        match self.request.argv.global(name) {
            Some(global) => global.value.as_deref(),
            None => self.variable_of(name)?.to_str(),
        }
    }

    fn variable_of(&self, name: &str) -> Option<&OsStr> {
        self.engine.options.env.instead_of(flag(name)?)
    }

    /// Waits for something of ours, as long as the call's limit and its host let it.
    pub(super) async fn within<T>(&self, work: impl Future<Output = T>) -> Checked<T> {
        tokio::select! {
            biased;
            done = work => Ok(done),
            () = self.context.cancel.cancelled() => Err(Refusal::new(
                FailureCategory::Aborted,
                "cancelled before the command was sent.",
            )),
            () = tokio::time::sleep(self.clock.left()) => Err(Refusal::new(
                FailureCategory::Timeout,
                format!(
                    "stopped after {} ms, before the command was sent.",
                    self.clock.limit.as_millis()
                ),
            )),
        }
    }

    /// A ref with role and name, or the first operand in quotes.
    pub(super) fn label(&self, step: &Step) -> Line {
        let refs = self.session.as_ref().and_then(|session| session.refs.as_ref());
        let found = step.argv.ref_operands();
        match (found.first().and_then(|found| number(found.id)), refs) {
            (Some(id), Some(refs)) => describe_ref(id, refs),
            (Some(id), None) => Line::ours(format!("@e{id}")),
            (None, _) if step.argv.name() == "find" => located_label(step),
            (None, _) => {
                let operands = step.argv.operands();
                Line::ours("").quote(operands.first().copied().unwrap_or_default())
            }
        }
    }
}

/// `the first element by role "button" and name "Save"`: upstream takes the first match, hidden or not.
fn located_label(step: &Step) -> Line {
    let word = |at: usize| step.argv.words.get(at).map_or("", String::as_str);
    let line = Line::ours(format!("the first element by {} ", tame(word(1)))).quote(word(2));
    match step.argv.own_value("--name").filter(|_| word(1) == "role") {
        Some(name) => line.and(" and name ").quote(name.value),
        None => line,
    }
}

/// When a call began and how long it may take: one limit for all that is done for it (HAZ-23).
#[derive(Clone, Copy)]
pub(super) struct Clock {
    instant: Instant,
    /// When it began.
    pub(super) time: SystemTime,
    /// The limit that the caller knows.
    pub(super) limit: Duration,
}

impl Clock {
    /// Starts now.
    pub(super) fn start(limit: Duration) -> Self {
        Self { instant: Instant::now(), time: SystemTime::now(), limit }
    }

    /// The watchdog of a request whose turn has come. A limit of the caller's has run since the call
    /// began, and so has the patience of a silent host.
    pub(super) fn of(
        engine: &Engine,
        request: &Request,
        input: &Input,
        context: &CallContext,
    ) -> Checked<Self> {
        let limits = engine.limits(input.timeout_ms, context);
        let limit = watchdog(&request.steps, request.batch.is_some(), limits)?;
        if limits.own.is_some() {
            return Ok(Self { instant: context.began(), ..Self::start(limit) });
        }
        let left = limits.in_all().map(|whole| whole.saturating_sub(context.began().elapsed()));
        Ok(Self::start(left.map_or(limit, |left| limit.min(left))))
    }

    /// What is left of the limit.
    pub(super) fn left(self) -> Duration {
        self.limit.saturating_sub(self.instant.elapsed())
    }
}

/// The logical command, not the fused rows (DEC-13, DEC-66).
pub(super) fn effective(run: &Run<'_>, argv: &Argv) -> Vec<String> {
    let mut tokens = vec!["--json".to_owned()];
    tokens.extend(run.target.tokens());
    tokens.extend(
        run.request
            .argv
            .globals
            .iter()
            .filter(|global| !global.is_session_choice())
            .flat_map(crate::command::Global::tokens),
    );
    tokens.extend(argv.words.iter().cloned());
    tokens
}

/// Directories for files that the command will save (DEC-27).
pub(super) fn make_parents(step: &Step, cwd: &std::path::Path) {
    if let Some(operand) = step.argv.output_path() {
        // Upstream's own error names the path when this was not possible.
        let _ = create_parent(&absolute(cwd, operand.value));
    }
}
