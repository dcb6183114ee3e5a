//! `connect`: another browser is driven from now on (DIAG-CONN-01).

use super::Shown;
use crate::outcome::{NextAction, Outcome};

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "connect"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let lines = vec![
        "Connected: the endpoint accepts this session. Choose a tab of it, then snapshot -i."
            .into(),
    ];
    let mut outcome = Outcome::success(lines).with_detail("data", shown.answer.data.clone());
    outcome.next.push(NextAction::args(
        "list-connected-session-tabs",
        "see the tabs of the browser before acting",
        &["tab", "list"],
    ));
    outcome
}
