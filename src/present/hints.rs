//! What helps when a page does not open or a profile is not found.

use url::Url;

use crate::address::is_loopback;
use crate::error::Refusal;
use crate::line::{Line, cut};
use crate::outcome::{FailureCategory, NextAction};
use crate::plan::Step;

/// Errors of a server that is not there, or not for this browser.
const UNREACHED: [&str; 7] = [
    "ERR_EMPTY_RESPONSE",
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_CONNECTION_CLOSED",
    "ERR_CONNECTION_TIMED_OUT",
    "ERR_CONNECTION_FAILED",
    "ERR_ADDRESS_UNREACHABLE",
];

/// A navigation that failed (RUN-17, DIAG-LOCAL-01, DIAG-LOCAL-02).
pub(super) fn did_not_open(category: FailureCategory, step: &Step, reason: &str) -> Box<Refusal> {
    let line = Line::ours("the page did not open: ").quote(reason).and(".");
    let refusal = Refusal::new(category, line);
    let operands = step.argv.operands();
    let Some(address) = operands.first().filter(|_| step.argv.is_open_like()) else {
        return refusal;
    };
    if reason.contains("ERR_ABORTED") {
        return refusal.hint(
            "Agent-browser hint: the address gave no page; it may be a file that is downloaded. \
             To save it, open a page with a link to it and send download <link> <path>.",
        );
    }
    let has_scheme = address.contains("://");
    if !has_scheme && reason.contains("ERR_SSL") {
        let with_scheme = |word: &String| match word == address {
            true => format!("http://{word}"),
            false => word.clone(),
        };
        let words: Vec<String> = step.argv.words.iter().map(with_scheme).collect();
        return refusal
            .hint(
                "Agent-browser hint: without a scheme https:// is used; write http:// in front of it.",
            )
            .next(NextAction::args("open-with-http", "the same without encryption", &words));
    }
    if !is_on_loopback(address) || !UNREACHED.iter().any(|error| reason.contains(error)) {
        return refusal;
    }
    refusal
        .hint(
            "Agent-browser hint: the browser may not reach that server. Check that it runs, or use an \
             address that the browser's machine reaches.",
        )
        .hint(
            "A file:// page does for static fixtures only: no headers, and other rules for MIME types, \
             CORS, storage and debugging.",
        )
}

/// A profile name that cannot be resolved (DIAG-PROF-01); `None` for any other text.
pub(super) fn no_profile(
    category: FailureCategory,
    step: &Step,
    text: &str,
) -> Option<Box<Refusal>> {
    let known = text.split_once("Available profiles:").map(|(_, list)| list);
    if known.is_none() && !text.contains("Cannot resolve profile name") {
        return None;
    }
    let name = step.argv.global("--profile").and_then(|global| global.value.as_deref());
    let line =
        Line::ours("nothing was started, Chrome has no profile ").quote(name.unwrap_or_default());
    let mut refusal = Refusal::new(category, line.and("."));
    for profile in
        known.into_iter().flat_map(str::lines).filter(|line| line.starts_with("  ")).take(8)
    {
        refusal = refusal.hint(Line::Foreign(cut(profile.trim(), 120)));
    }
    let refusal = refusal
        .hint(
            "Agent-browser hint: use a name that profiles lists (Default is not always there) or the full \
             path of a directory; a browser other than Chrome needs --executable-path too.",
        )
        .next(NextAction::args("list-chrome-profiles", "see which profiles there are", &["profiles"]))
        .next(NextAction::args("run-agent-browser-doctor", "check the installation", &["doctor"]));
    Some(refusal)
}

/// `localhost`, `127.0.0.1` and their kin, with or without a scheme in front.
fn is_on_loopback(address: &str) -> bool {
    let whole =
        if address.contains("://") { address.to_owned() } else { format!("http://{address}") };
    Url::parse(&whole).is_ok_and(|url| is_loopback(&url))
}
