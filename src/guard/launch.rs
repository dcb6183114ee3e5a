//! Launch flags on a running managed session (PLAN-10, DEC-22): upstream would replace the browser
//! without a word, and the page would be gone.

use serde_json::json;

use super::GuardContext;
use crate::error::{Checked, Refusal};
use crate::outcome::NextAction;
use crate::present::section::Line;
use crate::session::key::hex_of;
use crate::session::target::Target;

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let Target::Managed { fresh: false, .. } = context.target else { return Ok(()) };
    let Some(session) = context.session.filter(|session| session.running) else { return Ok(()) };
    let scoped = context.argv.launch_globals().into_iter().chain(context.argv.daemon_globals());
    let conflict = scoped.into_iter().find(|global| {
        let mark = (global.spec.name.to_owned(), value_mark(global.value.as_deref()));
        !session.launch.launch_flags.contains(&mark)
    });
    let Some(global) = conflict else { return Ok(()) };
    let mut args = context.argv.to_tokens();
    args.retain(|token| token != "--json");
    let params = json!({ "args": args, "sessionMode": "fresh" });
    let line = Line::ours("nothing was done, ")
        .quote(global.spelling.clone())
        .and(" belongs to the launch of a browser, and one is running: upstream would replace it and lose the page.");
    let hint = json!({
        "reason": "launch-scoped flag on a running managed session",
        "recommendedSessionMode": "fresh",
        "exampleArgs": args,
        "exampleParams": params,
    });
    Err(Refusal::invalid(line).detail("sessionRecoveryHint", hint).next(NextAction::params_of(
        "retry-with-fresh-session",
        "launch a new browser with it",
        params,
    )))
}

/// A hash of a flag's value, so that equal values can be told without keeping them.
#[must_use]
pub fn value_mark(value: Option<&str>) -> String {
    value.map_or_else(String::new, |value| hex_of(value.as_bytes(), 16))
}
