//! A call that ran out of time may sit behind a dialog of the page (PLAN-57, DIAG-DIALOG-02).

use serde_json::json;

use super::run::Run;
use crate::outcome::{NextAction, Outcome};
use crate::plan::Step;
use crate::plan::timeouts::{asks_the_user, script_of};

/// Offers to look at a dialog, to dismiss it, and to go on elsewhere.
pub(super) fn after_timeout(run: &Run<'_>, outcome: &mut Outcome) {
    let steps = &run.request.steps;
    let asks = steps.iter().any(asks);
    if !asks && !steps.iter().any(|step| matches!(step.argv.name(), "click" | "tap" | "find")) {
        return;
    }
    let status = ["dialog", "status"];
    let mut offers = vec![
        NextAction::args("inspect-dialog-after-timeout", "a dialog may block the page", &status),
        NextAction::args(
            "dismiss-dialog-after-timeout",
            "answer it with no",
            &["dialog", "dismiss"],
        )
        .with_safety("dismissing cancels what the page asked about"),
    ];
    let page = run.session.as_ref().and_then(|session| session.page.as_ref());
    let url = page.map(|page| page.url.as_str()).filter(|url| !url.is_empty());
    let fresh = NextAction::params_of(
        "recover-fresh-session-after-dialog-timeout",
        "go on in a new browser; the old page is left",
        json!({ "args": ["open", url.unwrap_or("about:blank")], "sessionMode": "fresh" }),
    );
    if asks && run.target.is_managed() {
        // Everything on this session queues behind the script, the dialog commands too.
        offers.insert(0, fresh);
        offers.append(&mut outcome.next);
        outcome.next = offers;
    } else {
        outcome.next.append(&mut offers);
        if run.target.is_managed() {
            outcome.next.push(fresh);
        }
    }
}

/// A dialog command, or a script that opens a dialog.
fn asks(step: &Step) -> bool {
    match step.argv.name() {
        "dialog" => true,
        "eval" => asks_the_user(&script_of(step)),
        _ => false,
    }
}
