//! A `fill` that inserts its text into a prepared field, and when upstream's own has to do it.

use super::answers::{find, sort_out};
use super::execute::Ran;
use super::refused::refused_in_front;
use super::run::Run;
use crate::command::flags::flag;
use crate::envelope::Answer;
use crate::plan::rows::Context;
use crate::plan::{RowKind, Step};
use crate::probe::HAND_OVER_MARKER;
use crate::run::config_files::launch_by_config;

/// Options that hold back or deny single actions, by name.
const GATES: [&str; 2] = ["--confirm-actions", "--action-policy"];

impl Run<'_> {
    /// A `fill` may become an insertion: nobody has asked to confirm or to deny a `fill`.
    pub(super) fn may_insert(&self) -> bool {
        let options = &self.engine.options;
        let gated = GATES.iter().any(|name| self.is_given(name) || self.was_launched_with(name));
        self.may_run_scripts() && !gated && !launch_by_config(&options.env, &options.cwd)
    }

    /// A daemon-level option of the call that launched the session.
    fn was_launched_with(&self, name: &str) -> bool {
        let Some(session) = &self.session else { return false };
        let variable = flag(name).and_then(|flag| flag.variable).unwrap_or_default();
        session.launch.daemon_tokens.iter().any(|token| token == name)
            || session.launch.daemon_vars.contains_key(&format!("AGENT_BROWSER_{variable}"))
    }
}

/// The field could not be prepared, or what it held stayed: a script of the page may have taken the
/// selection away. A `fill` replaces everything, so that it can be done again.
pub(super) fn needs_upstream(context: &Context<'_>, ran: &Ran) -> bool {
    let Ran::Rows(answers) = ran else { return false };
    if let Some((_, answer)) = refused_in_front(answers) {
        return answer.error.as_deref().is_some_and(|error| error.contains(HAND_OVER_MARKER));
    }
    let inserted = context.inserts
        && find(answers, RowKind::Main).is_some_and(|answer| answer.data.get("inserted").is_some());
    let after = sort_out(answers).after;
    let fill = after.page().and_then(|page| page.fill.as_ref());
    inserted
        && fill
            .is_some_and(|fill| matches!(fill.verdict.as_str(), "unchanged" | "added") && !fill.set)
}

/// The answer in the words of the caller's command.
pub(super) fn speak_of_fill(step: &Step, own: &mut Answer) {
    let Some(fields) = own.data.as_object_mut().filter(|_| step.argv.name() == "fill") else {
        return;
    };
    if fields.remove("inserted").is_some() {
        fields.insert("filled".into(), step.argv.target().map_or("", |target| target.value).into());
    }
}
