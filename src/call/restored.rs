//! Saved state that was to be loaded or saved: said where that did not happen (DEC-65).

use super::Trace;
use super::run::Run;
use crate::envelope::Answer;
use crate::line::tame;
use crate::plan::Owner;

/// Flags that ask for state to be loaded.
const LOADS: [&str; 3] = ["--restore", "--session-name", "--state"];
/// Flags that ask for state to be saved at the end.
const SAVES: [&str; 2] = ["--restore", "--session-name"];

/// What became of the saved state that this call asked for. A variable asks for it where the browser is
/// started; any row may tell.
pub(super) fn say(run: &Run<'_>, answers: &[(Owner, Answer)], launching: bool, trace: &mut Trace) {
    let told = || answers.iter().filter_map(|(_, answer)| answer.lifecycle.as_ref());
    let starts = launching || told().any(|lifecycle| lifecycle.launched);
    let is_own = |name: &&str| run.request.argv.global(name).is_some();
    let asks = LOADS.iter().any(is_own) || (starts && LOADS.iter().any(|name| run.is_given(name)));
    if !asks {
        return;
    }
    let quiet = ["", "loaded", "not_configured"];
    let mut news = told().map(|lifecycle| lifecycle.restore_status.as_str());
    let Some(status) = news.find(|status| !quiet.contains(status)) else { return };
    let line = match status {
        "missing" => "No saved state was found, so none was loaded.".to_owned(),
        other => format!("The saved state was not loaded: \"{}\".", tame(other)),
    };
    if !trace.notes.contains(&line) {
        trace.notes.push(line);
    }
}

/// The session was to save its state when it ends.
pub(super) fn saves(run: &Run<'_>) -> bool {
    let launch = run.session.as_ref().map(|session| &session.launch);
    let launched_with = |name: &&str| {
        launch.is_some_and(|launch| launch.launch_flags.iter().any(|(flag, _)| flag == name))
    };
    SAVES.iter().any(|name| launched_with(name) || run.is_given(name))
}
