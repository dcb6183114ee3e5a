//! Failures: one clear sentence each, by their category (RES-13).

use serde_json::Value;

use super::{control, hints};
use crate::command::verbs::nothing_was_done_by;
use crate::diagnose::category::{classify, has_no_browser, threw};
use crate::diagnose::overlay::named_cover;
use crate::envelope::Answer;
use crate::error::Refusal;
use crate::guard::{dialog, refresh_refs, selectors};
use crate::line::{Line, is_plain_word, tame};
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::plan::Step;
use crate::session::dialog::from_warning;

/// The outcome of a command that upstream answered with a failure.
#[must_use]
pub fn of_answer(answer: &Answer, step: &Step, label: &Line) -> Outcome {
    let command = step.argv.command().map_or("", |command| command.name);
    let text = answer.error.as_deref().unwrap_or("no reason given");
    if let Some(open) = from_warning(text).filter(|_| !threw(answer, step)) {
        return dialog::refusal(command, &open).into_outcome();
    }
    let category = classify(answer, step);
    let refusal = match category {
        // The locator matched several elements; no ref of the caller was stale.
        FailureCategory::StaleRef if command == "find" && text.contains("several") => {
            ambiguous(step)
        }
        FailureCategory::StaleRef => stale(command, label, text),
        FailureCategory::SelectorNotFound => missed(step, text),
        FailureCategory::SelectorUnsupported => {
            selectors::refusal(step, step.argv.foreign_selector().unwrap_or_default())
        }
        FailureCategory::Timeout => timed_out(answer, step, text),
        FailureCategory::DownloadNotVerified => no_download(step, text),
        FailureCategory::TabGone => tab_gone(step, text),
        _ if threw(answer, step) => said(category, text),
        _ => other(category, step, label, text),
    };
    let mut outcome = refusal.into_outcome();
    outcome.no_browser = has_no_browser(answer);
    outcome.details.insert("error".into(), text.into());
    if let Some(code) = &answer.code {
        outcome.details.insert("errorCode".into(), code.clone().into());
    }
    if let Value::Object(_) = answer.data {
        outcome.details.insert("data".into(), answer.data.clone());
    }
    outcome
}

fn stale(command: &str, label: &Line, text: &str) -> Box<Refusal> {
    let reason = if text.contains("several") {
        " was removed from the page, and several elements match it now"
    } else if text.contains("Unknown ref") {
        " was removed or re-created since the snapshot, or is hidden"
    } else {
        " was removed from the page or is hidden"
    };
    crate::guard::stale_refusal(command, label, reason, None)
}

/// `the role "option" and the name "Bonn"`
fn role_and_name(line: Line, step: &Step) -> Line {
    let line = line.and("the role ").quote(step.argv.words.get(2).map_or("", String::as_str));
    match step.argv.own_value("--name").map(|found| found.value) {
        Some(name) => line.and(" and the name ").quote(name).and("."),
        None => line.and("."),
    }
}

fn ambiguous(step: &Step) -> Box<Refusal> {
    let line = Line::ours(format!("{}, ", nothing_was_done_by(&step.argv.words)));
    let line = role_and_name(line.and("several elements have "), step);
    Refusal::new(FailureCategory::SelectorNotFound, line).next(refresh_refs())
}

fn missed(step: &Step, text: &str) -> Box<Refusal> {
    let line = Line::ours(format!("{}, ", nothing_was_done_by(&step.argv.words)));
    let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
    let line = match words.as_slice() {
        ["find", "role", ..] => role_and_name(line.and("no element has "), step),
        ["find", "first" | "last", selector, ..] => {
            line.and("no element matches ").quote(*selector).and(".")
        }
        ["find", "nth", index, selector, ..] => line
            .and(format!("there is no match {} (from 0) of ", tame(index)))
            .quote(*selector)
            .and("."),
        ["find", locator, value, ..] => {
            line.and(format!("no element has the {} ", tame(locator))).quote(*value).and(".")
        }
        [_, ..] => {
            let selector = text.split_once("Element not found: ").map(|(_, rest)| rest);
            let selector =
                selector.and_then(|rest| rest.rsplit_once(". Verify")).map(|(name, _)| name);
            let scope = step.argv.own_value("--selector").map(|scope| scope.value);
            let first = step.argv.operands().first().copied();
            let named = selector.filter(|name| !name.is_empty()).or(scope).or(first);
            let named = named.unwrap_or_default();
            line.and("no element matches ").quote(named).and(".")
        }
        [] => line.and("no element matches."),
    };
    let mut refusal = Refusal::new(FailureCategory::SelectorNotFound, line);
    if let Some((_, seen)) = text.split_once("Names seen: ") {
        refusal = refusal.hint(names_seen(seen));
    }
    refusal.next(refresh_refs())
}

/// Upstream's list of quoted names, each name quoted by itself; elements without one are left out.
fn names_seen(list: &str) -> Line {
    let mut line = Line::ours("Names seen: ");
    let mut rest = list;
    let mut first = true;
    while let Some(found) = rest.find('"') {
        let (_, quoted) = rest.split_at(found);
        let mut names = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
        let Some(Ok(name)) = names.next() else { break };
        rest = quoted.get(names.byte_offset()..).unwrap_or_default();
        if !name.trim().is_empty() {
            line = if first { line.quote(name.trim()) } else { line.and(", ").quote(name.trim()) };
            first = false;
        }
    }
    if first { line.and("none") } else { line }
}

/// The page has stopped, and upstream may have put a blank tab in its place (HAZ-17, HAZ-03).
fn wedged(answer: &Answer, text: &str) -> Box<Refusal> {
    if answer.data.get("replaced").and_then(Value::as_bool) != Some(true) {
        let line = Line::ours("the page has stopped responding. ").quote(first_line(text));
        let look = ["snapshot", "-i"];
        let look = NextAction::args("inspect-after-timeout", "see what the page shows", &look);
        return Refusal::new(FailureCategory::Timeout, line).next(look);
    }
    let line = Line::ours("the page has stopped responding. It is lost (earlier refs are void). ");
    let refusal = Refusal::new(FailureCategory::Timeout, line.quote(first_line(text)));
    match answer.text("lastUrl").filter(|url| !url.is_empty() && *url != "about:blank") {
        Some(url) => refusal.next(reopen(url)),
        None => refusal,
    }
}

/// The call that brings a lost page back (HAZ-03).
#[must_use]
pub fn reopen(url: &str) -> NextAction {
    NextAction::args("reopen-lost-page", "open the last page again", &["open", url])
}

fn timed_out(answer: &Answer, step: &Step, text: &str) -> Box<Refusal> {
    if answer.code.as_deref() == Some("page_wedged") {
        return wedged(answer, text);
    }
    let line = match text.split_once("Wait timed out after ") {
        Some((_, limit)) => {
            let line =
                Line::ours(format!("the wait was not met within {}", digits_and_unit(limit)));
            match super::wait::missing(step) {
                Some(what) => line.and(": ").append(&what).and("."),
                None => line.and("."),
            }
        }
        None => Line::ours("no answer in time; the command may have taken effect. ")
            .quote(first_line(text)),
    };
    let id = match step.argv.name() == "wait" && step.argv.own_value("--text").is_some() {
        true => "inspect-after-text-assertion-failure",
        false => "inspect-after-timeout",
    };
    let look = NextAction::args(id, "see what the page shows", &["snapshot", "-i"]);
    let refusal = Refusal::new(FailureCategory::Timeout, line).next(look);
    // Only a wait can be repeated without doing anything twice.
    match step.argv.name() {
        "wait" => refusal.next(
            NextAction::args("retry-timeout-step", "wait once more", &step.argv.words).routine(),
        ),
        _ => refusal,
    }
}

/// The tab that the session works in was closed.
fn tab_gone(step: &Step, text: &str) -> Box<Refusal> {
    let line = Line::ours(format!("{}, the tab is gone. ", nothing_was_done_by(&step.argv.words)));
    Refusal::new(FailureCategory::TabGone, line.quote(first_line(text)))
        .next(NextAction::args(
            "list-tabs-after-tab-gone",
            "see which tabs are open",
            &["tab", "list"],
        ))
        .next(NextAction::args("open-tab-after-tab-gone", "work in a new tab", &["tab", "new"]))
}

/// Nothing came down, or not in time (RES-15, NEXT-60).
fn no_download(step: &Step, text: &str) -> Box<Refusal> {
    let line = Line::ours("no download was seen to complete. ").quote(first_line(text));
    let refusal = Refusal::new(FailureCategory::DownloadNotVerified, line);
    match step.argv.output_path() {
        // It has waited already.
        _ if step.argv.name() == "wait" => refusal.next(refresh_refs()),
        Some(path) => refusal.next(super::files::wait_for_download(path.value)),
        None => refusal.next(super::files::wait_for_any_download()),
    }
}

/// A button that opens a file chooser is none; its field is often hidden beside it.
fn no_file_field(category: FailureCategory, step: &Step, line: Line) -> Box<Refusal> {
    const FIELD: &str = "input[type=file]";
    let refusal = Refusal::new(category, line.and(" is no file field."));
    let operands = step.argv.operands();
    if operands.first() == Some(&FIELD) {
        return refusal.next(refresh_refs());
    }
    let files = operands.into_iter().skip(1);
    let args: Vec<&str> = ["upload", FIELD].into_iter().chain(files).collect();
    let next =
        NextAction::args("use-file-field", "the page's own file field, if it has one", &args);
    refusal.next(next.with_safety("The first file field of the page; check that it is meant."))
}

fn digits_and_unit(limit: &str) -> String {
    let digits: String = limit.chars().take_while(char::is_ascii_digit).collect();
    format!("{digits} ms")
}

fn other(category: FailureCategory, step: &Step, label: &Line, text: &str) -> Box<Refusal> {
    let nothing = nothing_was_done_by(&step.argv.words);
    let line = Line::ours(format!("{nothing}, ")).append(label);
    let reason = [("is not visible", " is not visible."), ("is disabled", " is disabled.")];
    if let Some((needle, reason)) = reason.iter().find(|(needle, _)| text.contains(needle)) {
        let hidden = needle.ends_with("visible");
        let next = control::turned_by_script(step, role_in(label)).filter(|_| hidden);
        let refusal = Refusal::new(category, line.and(*reason));
        return refusal.next(next.unwrap_or_else(refresh_refs));
    }
    if let Some((wanted, options)) = text.split_once(". Available options: ") {
        return control::no_option(category, label, wanted, options);
    }
    if text.contains("is outside the viewport") {
        return outside(category, step, line);
    }
    if let Some(cover) = named_cover(text) {
        return covered(category, step, label, line.and(" is covered by ").quote(cover));
    }
    if text.contains("Could not compute box model") {
        let advice = match is_option(step, label) {
            true => " takes no room on the page. An option is chosen with select.",
            false => " takes no room on the page.",
        };
        let next = control::turned_by_script(step, role_in(label)).unwrap_or_else(refresh_refs);
        return Refusal::new(category, line.and(advice)).next(next);
    }
    if let Some((_, rest)) = text.split_once("No accessibility node found for selector '") {
        let selector = first_line(rest).trim_end_matches('\'');
        let line = Line::ours("the first match of ").quote(selector);
        return Refusal::new(
            category,
            line.and(" is hidden, or holds nothing that a snapshot shows."),
        );
    }
    if text.contains("Node is not a file input element") {
        return no_file_field(category, step, line);
    }
    if step.argv.name() == "record" && text.contains("ffmpeg not found") {
        return no_recorder(category);
    }
    if let Some((_, reason)) = text.split_once("Navigation failed: ") {
        return hints::did_not_open(category, step, first_line(reason));
    }
    if let Some(refusal) = hints::no_profile(category, step, text) {
        return refusal;
    }
    if text.starts_with("Auto-launch failed: Chrome not found.") {
        let line = "no browser was found on this machine, neither Chromium nor Chrome.";
        let hint = "Agent-browser hint: `agent-browser-native setup` in a shell installs one.";
        return Refusal::new(category, line).hint(hint);
    }
    said(category, text)
}

/// It can be reached once it is scrolled to.
fn outside(category: FailureCategory, step: &Step, line: Line) -> Box<Refusal> {
    let refusal = Refusal::new(category, line.and(" lies outside the viewport."));
    let refusal = match step.argv.target() {
        Some(target) => refusal.next(NextAction::args(
            "scroll-target-into-view",
            "bring it into view, then send the call again",
            &["scrollintoview", target.value],
        )),
        None => refusal,
    };
    refusal.next(refresh_refs())
}

/// What covers the field of an editor is often a part of that editor: there the focus helps.
fn covered(category: FailureCategory, step: &Step, label: &Line, line: Line) -> Box<Refusal> {
    let is_field = matches!(role_in(label).as_deref(), Some("textbox" | "searchbox"));
    let target = step.argv.target().filter(|_| is_field && step.argv.name() != "focus");
    let Some(target) = target else {
        let line = line.and(". Close or use that one first.");
        return Refusal::new(category, line).next(refresh_refs());
    };
    let line = line.and(". Close or use that one first; if it is a part of the field, focus it.");
    Refusal::new(category, line)
        .next(NextAction::args(
            "focus-covered-field",
            "then send the text with keyboard type in a call of its own",
            &["focus", target.value],
        ))
        .next(refresh_refs())
}

/// The role in `@e5 textbox "Name"`.
fn role_in(label: &Line) -> Option<String> {
    let plain = label.plain();
    let mut words = plain.split_whitespace();
    words.next().filter(|first| first.starts_with('@'))?;
    words.next().map(str::to_owned)
}

/// An option of a closed list has no box of its own to click.
fn is_option(step: &Step, label: &Line) -> bool {
    let words: Vec<&str> = step.argv.words.iter().map(String::as_str).collect();
    let found = matches!(words.as_slice(), ["find", "role", "option", ..]);
    let target = step.argv.target().is_some_and(|target| target.value.contains("option"));
    found || target || role_in(label).as_deref() == Some("option")
}

/// Upstream's own words.
fn said(category: FailureCategory, text: &str) -> Box<Refusal> {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut refusal = Refusal::new(category, Line::ours("agent-browser says ").quote(first));
    for line in lines.filter(|line| !line.trim().is_empty()).take(6) {
        refusal = refusal.hint(Line::Row(line.trim_end().to_owned()));
    }
    refusal
}

/// Upstream needs `ffmpeg` from the start of a recording on (HAZ-18, DIAG-REC-02).
fn no_recorder(category: FailureCategory) -> Box<Refusal> {
    let warning = "Recording dependency warning: ffmpeg not found on PATH";
    let details = serde_json::json!({
        "reason": "ffmpeg-missing-for-recording",
        "dependency": "ffmpeg",
        "command": "record start",
        "message": warning,
        "recommendations": [
            "Install ffmpeg with the package manager of this system.",
            "Then start a new browser (sessionMode fresh): a running one keeps its PATH.",
        ],
    });
    Refusal::new(category, "nothing was recorded, recordings need the program ffmpeg.")
        .hint(warning)
        .hint("Install ffmpeg, then start a new browser: a running one keeps its PATH.")
        .detail("recordingDependencyWarning", details)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// `confirmation-required`: nothing has happened yet (HAZ-10, PRES-CONF-01).
#[must_use]
pub fn confirmation(id: &str, action: &str) -> Outcome {
    let refusal = Refusal::new(
        FailureCategory::ConfirmationRequired,
        Line::ours("nothing was done yet, the action ")
            .quote(action)
            .and(" waits for a confirmation."),
    )
    .hint(Line::ours("Pending confirmation id: ").word(id));
    if !is_plain_word(id) {
        return refusal.into_outcome();
    }
    refusal
        .next(NextAction::args("approve-confirmation", "let it happen", &["confirm", id]))
        .next(NextAction::args("deny-confirmation", "cancel it", &["deny", id]))
        .into_outcome()
}

/// Output that no shape explains (RES-13 `parse-failure`).
#[must_use]
pub fn unreadable(reason: &str, stderr: &str) -> Outcome {
    let mut refusal = Refusal::new(
        FailureCategory::ParseFailure,
        format!("agent-browser answered in a form that is not understood: {reason}."),
    )
    .detail("parseError", reason);
    for line in stderr.lines().take(3) {
        refusal = refusal.hint(Line::Row(line.to_owned()));
    }
    refusal.into_outcome()
}
