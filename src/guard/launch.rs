//! Launch flags on a running managed session (PLAN-10, DEC-22): upstream would replace the browser
//! without a word, and the page would be gone.

use serde_json::json;

use super::GuardContext;
use crate::command::{Argv, Global, LaunchScope, StdinRule};
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::NextAction;
use crate::session::fact::LaunchRecord;
use crate::session::key::hex_of;
use crate::session::target::Target;

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let Target::Managed { key, fresh: false, .. } = context.target else { return Ok(()) };
    let elsewhere = context.current.is_some_and(|current| current != key);
    let running = context.session.filter(|session| session.running);
    let conflict = match running {
        // The session that runs is in another namespace; this call would replace it.
        _ if elsewhere => context.argv.global("--namespace"),
        Some(session) => {
            let given = context.argv.globals.iter().filter(|global| !global.is_session_choice());
            let mut scoped = given.filter(|global| global.spec.scope != LaunchScope::None);
            scoped.find(|global| !is_as_launched(global, &session.launch))
        }
        None => None,
    };
    let Some(global) = conflict else { return Ok(()) };
    let mut args = context.argv.to_tokens();
    args.retain(|token| token != "--json");
    let line = Line::ours("nothing was done, ")
        .quote(global.spelling.clone())
        .and(" belongs to the launch of a browser, and one is running: upstream would replace it and lose the page.");
    let params = json!({ "args": args, "sessionMode": "fresh" });
    let mut hint = json!({
        "reason": "launch-scoped flag on a running managed session",
        "recommendedSessionMode": "fresh",
        "exampleArgs": args,
    });
    let refusal = Refusal::invalid(line);
    if reads_stdin(context.argv) {
        // Rows and scripts are long, and a password is not repeated: the caller has them.
        let again = "Send the same call with sessionMode \"fresh\".";
        return Err(refusal.hint(again).detail("sessionRecoveryHint", hint));
    }
    hint["exampleParams"].clone_from(&params);
    let (id, reason) = ("retry-with-fresh-session", "launch a new browser with it");
    let next = NextAction::params_of(id, reason, params);
    Err(refusal.detail("sessionRecoveryHint", hint).next(next))
}

/// The words alone are not the call.
fn reads_stdin(argv: &Argv) -> bool {
    match argv.traits().stdin {
        StdinRule::Never => false,
        StdinRule::EvalScript => argv.has_own_flag("--stdin"),
        StdinRule::BatchRows => argv.batch_strings().is_empty(),
        StdinRule::AuthPassword => true,
    }
}

/// The flag says what the session was launched with: the same value, or the default for a flag that
/// was not given.
fn is_as_launched(global: &Global, launch: &LaunchRecord) -> bool {
    let mut flags = launch.launch_flags.iter();
    if global.takes_effect() {
        let mark = value_mark(global.value.as_deref());
        flags.any(|(name, value)| name == global.spec.name && *value == mark)
    } else {
        flags.all(|(name, _)| name != global.spec.name)
    }
}

/// A hash of a flag's value, so that equal values can be told without keeping them.
#[must_use]
pub fn value_mark(value: Option<&str>) -> String {
    value.map_or_else(String::new, |value| hex_of(value.as_bytes(), 16))
}
