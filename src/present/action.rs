//! Acting commands: what was done, to what, and what was seen to happen.

use serde_json::{Value, json};

use super::Shown;
use super::found;
use super::navigation::is_error_page;
use super::snapshot_view;
use super::words::counted;
use crate::command::verbs::verb;
use crate::diagnose::AfterRow;
use crate::diagnose::effect::Effect;
use crate::guard::describe_ref;
use crate::line::{Line, cut, tame};
use crate::outcome::{NextAction, Outcome};
use crate::plan::about::number;
use crate::plan::found::action;
use crate::probe::report::{Fresh, HeldForm, PageReport};
use crate::session::dialog;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "find" || verb(shown.command()).is_some()
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    told(shown, first_line(shown))
}

/// What was seen behind something that was done.
pub(super) fn behind(shown: &Shown<'_>, done: &'static str) -> Outcome {
    told(shown, effect_tail(shown, Line::ours(done)))
}

fn told(shown: &Shown<'_>, first: Line) -> Outcome {
    let mut lines = vec![first];
    lines.extend(fresh_controls(shown));
    lines.extend(snapshot_view::view_lines(shown));
    let mut outcome = Outcome::success(lines);
    outcome.details.insert("data".into(), shown.answer.data.clone());
    if let Some(page) = shown.page.or_else(|| shown.after.page()) {
        let summary = json!({ "title": page.title, "url": page.url });
        outcome.details.insert("navigationSummary".into(), summary);
    }
    if shown.effect == Effect::DialogOpen {
        outcome.next.extend(dialog::answers());
    }
    if shown.effect == Effect::Navigated && arrived(shown).is_none() {
        outcome.next.extend(while_loading(shown));
    }
    outcome
}

fn first_line(shown: &Shown<'_>) -> Line {
    let line = done_to_what(shown);
    match shown.command() {
        "fill" => fill_tail(shown, line),
        "find" if action(shown.step) == "fill" => fill_tail(shown, line),
        "select" => effect_tail(shown, select_tail(shown, line)),
        _ => effect_tail(shown, line),
    }
}

/// `Clicked @e5 button "Sign in"`
fn done_to_what(shown: &Shown<'_>) -> Line {
    let command = shown.command();
    if command == "find" {
        return found::line(shown);
    }
    let done = verb(command).map_or("Done:", |verb| verb.done);
    let operands = shown.step.argv.operands();
    let line = Line::ours(done);
    match (command, operands.as_slice()) {
        ("press" | "keydown" | "keyup" | "scroll" | "swipe", keys) => {
            let words: Vec<&str> = keys.to_vec();
            if words.is_empty() { line } else { line.and(" ").quote(words.join(" ")) }
        }
        ("keyboard", _) => line,
        ("mouse", [verb, ..]) => Line::ours(match *verb {
            "down" => "Mouse button pressed",
            "up" => "Mouse button released",
            "wheel" => "Turned the mouse wheel",
            _ => "Moved the mouse",
        }),
        ("select", [target, values @ ..]) if !values.is_empty() => Line::ours("Selected ")
            .quote(values.join(", "))
            .and(" in ")
            .append(&target_label(shown, target)),
        ("upload", [target, files @ ..]) => {
            let count = counted(files.len(), "file");
            Line::ours(format!("Attached {count} to ")).append(&target_label(shown, target))
        }
        ("pushstate", _) => line.and(" ").url(shown.answer.text("url").unwrap_or_default()),
        ("drag", [from, to, ..]) => line
            .and(" ")
            .append(&target_label(shown, from))
            .and(" to ")
            .append(&target_label(shown, to)),
        (_, [target, ..]) => line.and(" ").append(&target_label(shown, target)),
        (_, []) => line,
    }
}

/// A ref with its role and name from the stored snapshot, or the selector in quotes.
pub(super) fn target_label(shown: &Shown<'_>, target: &str) -> Line {
    match (number(target), shown.refs()) {
        (Some(id), Some(refs)) => describe_ref(id, refs),
        (Some(id), None) => Line::ours(format!("@e{id}")),
        (None, _) => Line::ours("").quote(target),
    }
}

/// What became of the choice, where that is more than it says itself.
fn select_tail(shown: &Shown<'_>, line: Line) -> Line {
    let read = shown.after.page().and_then(|page| page.answers.get("selected"));
    let text = |key: &str| read.and_then(|read| read.get(key)).and_then(Value::as_str);
    match text("verdict") {
        Some("set-back") => {
            line.and("; it shows ").quote(text("shows").unwrap_or_default()).and(" again")
        }
        Some(_) if read.and_then(|read| read.get("disabled")) == Some(&Value::Bool(true)) => {
            line.and(", which is disabled")
        }
        Some(_) => line,
        // Another page cannot be asked what the list on this one shows.
        None if shown.effect == Effect::Navigated => line,
        None => line.and("; not verified"),
    }
}

fn fill_tail(shown: &Shown<'_>, line: Line) -> Line {
    let fill = shown.after.page().and_then(|page| page.fill.as_ref());
    match fill.map(|fill| (fill.verdict.as_str(), fill.set)) {
        Some(("equal", true)) => line.and("; value set by script and verified."),
        Some(("equal", false)) => line.and("; value verified."),
        Some(("reformatted", _)) => line.and("; value verified (reformatted by the page)."),
        Some(("added", _)) => line.and("; added to what it held before."),
        Some(("differs", _)) => line.and("; value differs from what was sent."),
        _ => line.and("; value not verified."),
    }
}

/// `textbox "Email"` behind a blank, by words of the page.
fn control(line: Line, role: &str, name: &str) -> Line {
    let line = if tame(role).is_empty() { line.and(" the field") } else { line };
    line.role(role, name)
}

fn held_tail(line: Line, held: &HeldForm) -> Line {
    let line = control(line.and("; not submitted:"), &held.role, &held.name);
    let line = line.and(": ").quote(&held.message);
    match held.more {
        0 => line,
        more => line.and(format!(" and {}", counted(more as usize, "more field"))),
    }
}

/// A navigation that led to no document: pages and servers do not tell which of the two it was.
const STAYED: &str = " A download was started, or the address gave no page.";

fn effect_tail(shown: &Shown<'_>, line: Line) -> Line {
    let line = verdict_tail(shown, line);
    let watched = matches!(shown.effect, Effect::NoChange(_) | Effect::Changed { .. });
    let effect = shown.after.page().and_then(|page| page.effect.as_ref()).filter(|_| watched);
    let Some(effect) = effect else { return line };
    let line = if effect.disabled { line.and(" The control is marked as disabled.") } else { line };
    match &effect.pending {
        _ if effect.download => line.and(" A download was started."),
        _ if effect.stayed => line.and(STAYED),
        Some(request) => line
            .and(format!(" Still pending: {} ", tame(&request.method)))
            .quote(&request.path)
            .and("."),
        None if effect.busy => line.and(" A part of it is still busy."),
        None if effect.frame_asked => {
            line.and(" A frame is still loading, or its address gave no page.")
        }
        None => line,
    }
}

fn verdict_tail(shown: &Shown<'_>, line: Line) -> Line {
    let line = if shown.effect == Effect::DialogOpen { line } else { said_tail(shown, line) };
    match &shown.effect {
        Effect::DialogOpen => dialog_tail(shown, line),
        Effect::Navigated => navigated_tail(shown, line),
        Effect::Download => line.and(". A download was started."),
        Effect::Stayed => line.and(format!(".{STAYED}")),
        Effect::Unwatched => {
            line.and(". It stands in a frame of another site, so the effect could not be seen.")
        }
        Effect::Focused(None) => line.and("; it has the focus."),
        Effect::Focused(Some(other)) => {
            control(line.and(";"), &other.role, &other.name).and(" has the focus.")
        }
        Effect::Held(held) => held_tail(line, held),
        Effect::NoChange(ms) => line.and(format!(". No change seen within {ms} ms.")),
        Effect::Changed { dialog: Some(name), .. } if !name.is_empty() => {
            line.and(". Page changed; dialog ").quote(name).and(" opened.")
        }
        Effect::Changed { text: Some(text), .. } => {
            line.and(". Page changed; alert ").quote(text).and(".")
        }
        Effect::Changed { .. } => match url_change(shown) {
            Some(url) => line.and(". Page changed, now ").url(url),
            None => line.and(". Page changed."),
        },
        Effect::Unknown => match shown.answer.text("url").filter(|_| opens_tab(shown)) {
            Some(url) => line.and(". A new tab is active: ").url(url),
            // An address ends its line, without a full stop.
            None if shown.command() == "pushstate" => line,
            None => line.and("."),
        },
    }
}

/// What dialogs said that upstream has answered by itself: alerts, and the question of a page with
/// unsaved changes. Of any other it warns.
fn said_tail(shown: &Shown<'_>, line: Line) -> Line {
    let pages = [shown.page, shown.after.page()];
    let said = pages.into_iter().flatten().find_map(|page| page.said.as_ref());
    let left = shown.effect == Effect::Navigated;
    let unsaved = left && said.is_some_and(|said| said.unsaved);
    let alerts = said.map_or(&[][..], |said| &said.alerts);
    let mut line = line;
    for (at, text) in alerts.iter().enumerate() {
        let joint = if at == 0 { ". An alert was shown and closed: " } else { ", then " };
        line = line.and(joint).quote(text);
    }
    if unsaved {
        line = line.and(". The page asked to keep unsaved changes and was left all the same");
    }
    let opened = shown.answer.data.get("dialogOpened").is_some_and(|open| open == true);
    if !opened || shown.answer.warning.is_some() || unsaved || !alerts.is_empty() {
        line
    } else if left {
        line.and(". An alert, or a question about unsaved changes, was answered with yes")
    } else {
        line.and(". An alert was shown and closed")
    }
}

/// What has come into the page since the last snapshot, so that the next call needs no new one:
/// `find role` takes these words.
fn fresh_controls(shown: &Shown<'_>) -> Option<Line> {
    let fresh = shown.after.page()?.effect.as_ref()?.fresh.as_ref()?;
    let earlier = fresh.earlier.as_deref().filter(|earlier| !earlier.found.is_empty());
    let line = match (fresh.found.is_empty(), earlier) {
        (true, None) => return None,
        (true, Some(earlier)) => {
            fresh_list(Line::ours("New controls since the snapshot, before this act:"), earlier)
        }
        (false, earlier) => {
            let line = fresh_list(Line::ours("New controls:"), fresh);
            let before = "; since the snapshot, before this act:";
            earlier.into_iter().fold(line, |line, earlier| fresh_list(line.and(before), earlier))
        }
    };
    shown.view.is_none().then_some(line)
}

fn fresh_list(line: Line, fresh: &Fresh) -> Line {
    const NAME_CHARS: usize = 40;
    let mut line = line;
    for (at, control) in fresh.found.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        line = line.and(comma).role(&control.role, &cut(&control.name, NAME_CHARS));
    }
    let more = fresh.more;
    if more > 0 { line.and(format!(" and {more} more (snapshot -i)")) } else { line }
}

/// The page that the act led to, where it has come.
fn arrived<'a>(shown: &'a Shown<'_>) -> Option<&'a PageReport> {
    shown.page.or_else(|| shown.after.page())
}

/// Most commands wait for a page that is on its way, however long: this one ends by itself, and the
/// last page can be opened again.
fn while_loading(shown: &Shown<'_>) -> Vec<NextAction> {
    let wait = NextAction::args(
        "wait-for-page-that-loads",
        "until the page has come",
        &["wait", "--load", "domcontentloaded"],
    );
    let last = shown.session.and_then(|session| session.page.as_ref());
    let back = last.map(|page| {
        let args = ["open", &page.url];
        NextAction::args("reopen-page-before-loading", "give the new page up", &args)
    });
    [wait].into_iter().chain(back).collect()
}

fn opens_tab(shown: &Shown<'_>) -> bool {
    shown.answer.data.get("newTab").and_then(serde_json::Value::as_bool) == Some(true)
}

fn url_change<'a>(shown: &'a Shown<'_>) -> Option<&'a str> {
    let page = shown.after.page()?;
    page.effect.as_ref()?.url_changed.then_some(page.url.as_str())
}

fn dialog_tail(shown: &Shown<'_>, line: Line) -> Line {
    let warning = shown.answer.warning.as_deref().unwrap_or_default();
    let open = dialog::from_warning(warning).unwrap_or_default();
    dialog::sentence(line.and(". "), &open)
}

fn navigated_tail(shown: &Shown<'_>, line: Line) -> Line {
    let closed = *shown.after == AfterRow::Closed;
    let Some(page) = arrived(shown) else {
        return line.and(match closed {
            true => ". Its tab closed (earlier refs are void).",
            false => ". The page is still loading (earlier refs are void).",
        });
    };
    if is_error_page(&page.url) {
        let line = line.and(". The page behind it could not be loaded: ").quote(&page.title);
        return line.and(" (earlier refs are void).");
    }
    let line = match shown.new_tab {
        Some(tab) if closed => line.and(format!(". Its tab closed; tab {} is active: ", tame(tab))),
        Some(tab) => line.and(format!(". New tab {} is active: ", tame(tab))),
        None => line.and(". Now on "),
    };
    let line = if page.title.is_empty() { line } else { line.quote(&page.title).and(" ") };
    let line = line.url(&page.url);
    let line = if page.status >= 400 { line.and(format!(" (HTTP {})", page.status)) } else { line };
    if shown.new_tab.is_some() { line } else { line.and(" (earlier refs are void).") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::text::print;
    use crate::probe::report::FreshControl;
    use crate::redact::Redactor;

    // RED-12, DEC-68
    #[test]
    fn the_cut_name_of_a_new_control_shows_no_beginning_of_a_secret() {
        let token = format!("gh{}_{}", "p", "a1B2c3D4".repeat(5));
        for at in 0..40 {
            let name = format!("{} {token} end", "x".repeat(at));
            let found = vec![FreshControl { role: "button".to_owned(), name }];
            let printed = {
                let fresh = Fresh { found, ..Fresh::default() };
                print(&[fresh_list(Line::ours("New controls:"), &fresh)], &Redactor::new([]))
            };
            assert!(!printed.as_str().contains("a1B2"), "{at} {}", printed.as_str());
        }
    }
}
