//! `open`, `back`, `forward`, `reload`: where the page is now, and what it shows.

use serde_json::json;

use super::Shown;
use super::snapshot_view;
use crate::command::verbs::verb;
use crate::diagnose::AfterRow;
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction, Outcome};
use crate::plan::about::navigates;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    navigates(shown.step)
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let (url, title) = place(shown);
    if is_error_page(url) {
        return not_loaded(shown, title);
    }
    let status = shown.page.map_or(0, |page| page.status);
    let done = match no_such_page(shown) {
        Some(sentence) => sentence,
        None => verb(shown.command()).map_or("Opened", |verb| verb.done),
    };
    let line = if url.is_empty() {
        Line::ours("The browser is ready; no address was given.")
    } else {
        let line = Line::ours(done).and(" ");
        let line = if title.is_empty() { line } else { line.quote(title).and(" ") };
        line.url(url)
    };
    let mut lines = vec![with_status(line, shown)];
    lines.extend(snapshot_view::view_lines(shown));
    let mut outcome = Outcome::success(lines);
    outcome.details.insert("data".into(), shown.answer.data.clone());
    outcome.details.insert("navigationSummary".into(), json!({ "title": title, "url": url }));
    if status >= 400 {
        outcome.details.insert("httpStatus".into(), status.into());
    }
    let what = if title.is_empty() { url } else { title };
    outcome.details.insert("summary".into(), format!("{done} {what}").into());
    outcome.next.push(
        NextAction::args("inspect-opened-page", "see the page's controls", &["snapshot", "-i"])
            .routine(),
    );
    outcome
}

/// The browser's own page in the place of one that could not be loaded.
pub(super) fn is_error_page(url: &str) -> bool {
    url.starts_with("chrome-error:")
}

/// Upstream calls it done when the browser shows its own error page (HAZ-11).
fn not_loaded(shown: &Shown<'_>, title: &str) -> Outcome {
    let known = shown.session.and_then(|session| session.page.as_ref());
    let known = known.map(|page| page.url.as_str()).filter(|url| !is_error_page(url));
    // A page that is loaded again is the known one; history does not tell where it leads.
    let address = known.filter(|_| shown.command() == "reload");
    let line = Line::ours("the page could not be loaded, the browser shows its own error page: ");
    let line = match address {
        Some(url) => line.url(url),
        None => line.quote(title),
    };
    let mut outcome = Outcome::failure(FailureCategory::UpstreamError, vec![line]);
    outcome.details.insert("data".into(), shown.answer.data.clone());
    let reason = match address {
        Some(_) => "try the address again",
        None => "the page in front of this step",
    };
    let open = known.map(|url| NextAction::args("reopen-lost-page", reason, &["open", url]));
    outcome.next.extend(open);
    outcome
}

/// A tab without an earlier page stays where it is, and upstream calls that done.
fn no_such_page(shown: &Shown<'_>) -> Option<&'static str> {
    let sentence = match shown.command() {
        "back" => "This tab has no earlier page. Still on",
        "forward" => "This tab has no later page. Still on",
        _ => return None,
    };
    let (now, known) = (shown.page?, shown.session?.page.as_ref()?);
    let left = matches!(shown.after, AfterRow::Navigated);
    let same = !left && !now.doc.is_empty() && now.doc == known.doc && now.url == known.url;
    same.then_some(sentence)
}

/// A page that the server calls an error says so (HAZ-11).
pub(super) fn with_status(line: Line, shown: &Shown<'_>) -> Line {
    match shown.page.map_or(0, |page| page.status) {
        status @ 400.. => line.and(format!(" (HTTP {status})")),
        _ => line,
    }
}

/// Address and title: the look row knows best, upstream's answer is the fallback.
fn place<'a>(shown: &'a Shown<'_>) -> (&'a str, &'a str) {
    match shown.page {
        Some(page) if shown.answer.text("url").is_some() => (&page.url, &page.title),
        _ => (
            shown.answer.text("url").unwrap_or_default(),
            shown.answer.text("title").unwrap_or_default(),
        ),
    }
}
