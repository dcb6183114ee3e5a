//! How long a call may take (DEC-02, DEC-03, DEC-103).

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::Step;
use crate::error::{Checked, Refusal};

/// Watchdog of an ordinary call; below about 40 s it would hide upstream's own answers.
pub const DEFAULT_MS: u64 = 45_000;
/// A dialog command answers at once or never.
const DIALOG_MS: u64 = 5_000;
/// A script that asks the user answers after 30 s, which nobody wants to wait for.
const DIALOG_SCRIPT_MS: u64 = 8_000;
/// What a call gets on top of its own explicit wait.
const WAIT_MARGIN_MS: u64 = 5_000;
/// What each row of a batch gets.
const ROW_MS: u64 = 2_000;
/// The longest derived limit.
const LIMIT_MS: u64 = 600_000;
/// Hosts that get no progress give up after a minute.
const SILENT_HOST_MS: u64 = 50_000;

/// What decides the limit of a call.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The caller's `timeoutMs`.
    pub own: Option<u64>,
    /// The default watchdog, `PI_AGENT_BROWSER_PROCESS_TIMEOUT_MS` or 45 s.
    pub default_ms: u64,
    /// The host hears nothing before the end of the call.
    pub silent_host: bool,
}

impl Limits {
    /// How long the call may take in all, the wait for its turn included; nothing where the host hears
    /// that it goes on.
    #[must_use]
    pub fn in_all(&self) -> Option<Duration> {
        let silent = self.silent_host.then_some(SILENT_HOST_MS);
        self.own.or(silent).map(Duration::from_millis)
    }
}

/// The watchdog of a call.
///
/// # Errors
/// A plan whose explicit waits are longer than a silent host waits.
pub fn watchdog(steps: &[Step], is_batch: bool, limits: Limits) -> Checked<Duration> {
    if let Some(own) = limits.own {
        return Ok(Duration::from_millis(own));
    }
    let waits = steps.iter().filter_map(|step| step.argv.explicit_wait_ms());
    let waits = waits.fold(0, u64::saturating_add);
    if limits.silent_host && waits > SILENT_HOST_MS {
        return Err(too_long_for_silent_host(waits));
    }
    let derived = if is_batch {
        let rows = ROW_MS.saturating_mul(steps.len() as u64);
        limits.default_ms.saturating_add(waits).saturating_add(rows)
    } else {
        steps.first().map_or(limits.default_ms, |step| single(step, waits, limits.default_ms))
    };
    let cap = if limits.silent_host { SILENT_HOST_MS } else { LIMIT_MS };
    Ok(Duration::from_millis(derived.min(cap)))
}

fn single(step: &Step, wait: u64, default_ms: u64) -> u64 {
    match step.argv.command().map(|command| command.name) {
        Some("dialog") => DIALOG_MS.min(default_ms),
        Some("eval") if asks_the_user(&script_of(step)) => DIALOG_SCRIPT_MS.min(default_ms),
        _ if wait > 0 => default_ms.max(wait.saturating_add(WAIT_MARGIN_MS)),
        _ => default_ms,
    }
}

/// The script of an `eval`, wherever the caller wrote it.
#[must_use]
pub fn script_of(step: &Step) -> String {
    let encoded =
        step.words.iter().skip_while(|word| !matches!(word.as_str(), "-b" | "--base64")).nth(1);
    let decoded = encoded.and_then(|text| STANDARD.decode(text).ok());
    match decoded {
        Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        None => step.argv.words.join(" "),
    }
}

/// A script that looks as if it opened a `confirm` or `prompt` (PLAN-56).
#[must_use]
pub fn asks_the_user(script: &str) -> bool {
    ["confirm(", "prompt("].iter().any(|call| script.contains(call))
}

fn too_long_for_silent_host(waits: u64) -> Box<Refusal> {
    let seconds = waits / 1_000;
    Refusal::invalid(format!(
        "The explicit waits add up to {seconds} s, and this host gives up after a minute without progress \
         messages; nothing was started. Split the call, or set timeoutMs."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Argv;

    fn ms(rows: &[&[&str]], is_batch: bool, own: Option<u64>, silent_host: bool) -> Option<u64> {
        let steps: Vec<Step> = rows
            .iter()
            .map(|words| {
                let argv = Argv::of_words(words);
                Step { words: argv.words.clone(), argv }
            })
            .collect();
        let limits = Limits { own, default_ms: DEFAULT_MS, silent_host };
        let limit = watchdog(&steps, is_batch, limits).ok()?;
        u64::try_from(limit.as_millis()).ok()
    }

    // IN-TIME-02, DEC-02, DEC-103
    #[test]
    fn the_limit_of_a_call_is_derived_from_its_command_unless_the_caller_sets_it() {
        let one = |words: &[&str]| ms(&[words], false, None, false);
        assert_eq!(one(&["get", "title"]), Some(45_000));
        assert_eq!(one(&["wait", "--text", "x", "--timeout", "60000"]), Some(65_000));
        assert_eq!(one(&["wait", "--text", "x", "--timeout", "900"]), Some(45_000));
        assert_eq!(one(&["dialog", "accept"]), Some(5_000));
        assert_eq!(one(&["eval", "confirm('sure?')"]), Some(8_000));
        let rows: [&[&str]; 3] = [&["open", "x"], &["wait", "3000"], &["get", "title"]];
        assert_eq!(ms(&rows, true, None, false), Some(45_000 + 3_000 + 3 * 2_000));
        assert_eq!(ms(&rows, true, Some(700), false), Some(700));
        assert_eq!(ms(&rows, true, None, true), Some(50_000), "a host that hears nothing");
        assert_eq!(ms(&[&["wait", "70000"]], false, None, true), None, "refused up front");
        assert_eq!(ms(&[&["wait", "900000"]], false, None, false), Some(600_000));
    }

    // IN-TIME-02, DEC-103
    #[test]
    fn waits_that_no_number_holds_get_the_longest_limit() {
        let endless: &[&str] = &["wait", "99999999999999999999"];
        assert_eq!(ms(&[endless], false, None, false), Some(600_000));
        assert_eq!(ms(&[endless, endless], true, None, false), Some(600_000));
        assert_eq!(ms(&[endless, endless], true, None, true), None, "refused up front");
    }

    // HAZ-23, DEC-103
    #[test]
    fn the_wait_for_a_turn_counts_where_the_caller_or_the_host_gives_up() {
        let in_all = |own, silent_host| {
            Limits { own, default_ms: DEFAULT_MS, silent_host }
                .in_all()
                .map(|limit| limit.as_millis())
        };
        assert_eq!(in_all(Some(400), true), Some(400));
        assert_eq!(in_all(None, true), Some(50_000));
        assert_eq!(in_all(None, false), None, "the host hears that the call goes on");
    }
}
