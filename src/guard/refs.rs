//! Refs before the spawn (PAGE-30, PAGE-31, HAZ-01): known, and of the document that is there.

use url::Url;

use super::GuardContext;
use crate::command::verbs::nothing_was;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction};
use crate::plan::about::number;
use crate::session::fact::{Invalidation, Page};
use crate::session::refs::RefSnapshot;
use crate::session::state::SessionState;

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let empty = SessionState::default();
    let session = context.session.unwrap_or(&empty);
    for step in context.steps {
        let command = step.argv.command().map_or("", |command| command.name);
        // Refs behind a snapshot row of the batch belong to that snapshot; they are checked when
        // the second process is planned (DEC-94).
        if command == "snapshot" {
            return Ok(());
        }
        for found in step.argv.ref_operands() {
            let Some(id) = number(found.id) else { continue };
            check_one(command, id, session)?;
        }
    }
    Ok(())
}

fn check_one(command: &str, id: u32, session: &SessionState) -> Checked<()> {
    let Some(refs) = &session.refs else {
        let reason = match session.invalidation {
            Some(Invalidation::PageLost) => " belongs to a browser that is gone",
            Some(Invalidation::NoActivePage) => " belongs to a page that is gone",
            Some(Invalidation::TabChanged) => " belongs to another tab",
            Some(Invalidation::SnapshotFailed) => " is void since the snapshot that failed",
            Some(Invalidation::DocumentChanged) | None => " is not in the latest snapshot",
        };
        return Err(stale_refusal(command, &Line::ours(format!("@e{id}")), reason, None));
    };
    if !refs.knows(id)
        && let Some(earlier) = session.earlier.as_ref().filter(|earlier| earlier.knows(id))
        && let Some(page) = &session.page
    {
        return Err(moved_refusal(command, &describe_ref(id, earlier), &earlier.url, page));
    }
    let label = describe_ref(id, refs);
    if !refs.knows(id) {
        return Err(stale_refusal(command, &label, " is not in the latest snapshot", None));
    }
    match &session.page {
        Some(page) if other_document(refs, page) => {
            Err(moved_refusal(command, &label, &refs.url, page))
        }
        _ => Ok(()),
    }
}

/// Identities decide; without them the addresses do (PAGE-30).
fn other_document(refs: &RefSnapshot, page: &Page) -> bool {
    if refs.doc.is_empty() || page.doc.is_empty() {
        return !refs.url.is_empty() && !page.url.is_empty() && !same_page(&refs.url, &page.url);
    }
    refs.doc != page.doc
}

/// The same address but for its fragment (PAGE-32).
fn same_page(one: &str, other: &str) -> bool {
    let place = |text: &str| match Url::parse(text.trim()) {
        Ok(mut url) => {
            url.set_fragment(None);
            url.into()
        }
        Err(_) => text.trim().split('#').next().unwrap_or_default().to_owned(),
    };
    place(one) == place(other)
}

/// `@e5 button "Sign in"`, from the stored snapshot.
#[must_use]
pub fn describe_ref(id: u32, refs: &RefSnapshot) -> Line {
    let line = Line::ours(format!("@e{id}"));
    match refs.refs.get(&id) {
        None => line,
        Some(info) => line.role(&info.role, &info.name),
    }
}

/// The `stale-ref` failure with its hint and ready call (visible-text sample 8).
#[must_use]
pub fn stale_refusal(
    command: &str,
    label: &Line,
    reason: &'static str,
    page: Option<&Page>,
) -> Box<Refusal> {
    stale_refusal_line(command, label, Line::ours(reason), page)
}

/// The ref belongs to the page of `url`, and `now` is another one or a later load of it.
#[must_use]
pub fn moved_refusal(command: &str, label: &Line, url: &str, now: &Page) -> Box<Refusal> {
    if url == now.url {
        let reason = Line::ours(" belongs to an earlier load of ").url(url);
        return stale_refusal_line(command, label, reason, None);
    }
    stale_refusal_line(command, label, Line::ours(" belongs to ").url(url), Some(now))
}

/// The same with a reason that quotes an address.
#[must_use]
pub fn stale_refusal_line(
    command: &str,
    label: &Line,
    reason: Line,
    page: Option<&Page>,
) -> Box<Refusal> {
    let mut line = Line::ours(format!("{}. ", nothing_was(command))).append(label).append(&reason);
    if let Some(page) = page {
        line = line.and(" but the page is now ");
        line = if page.title.is_empty() { line } else { line.quote(&page.title).and(" ") };
        line = line.url(&page.url);
    }
    Refusal::new(FailureCategory::StaleRef, line)
        .hint("Agent-browser hint: take a new snapshot, then use a current @ref or a find locator.")
        .next(refresh_refs())
}

/// `refresh-interactive-refs` (NEXT-12).
#[must_use]
pub fn refresh_refs() -> NextAction {
    NextAction::args(
        "refresh-interactive-refs",
        "get current refs before the action is retried",
        &["snapshot", "-i"],
    )
    .with_safety("Use a current @ref or a stable find locator; do not retry the old ref.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refs(url: &str, doc: &str) -> RefSnapshot {
        RefSnapshot { url: url.to_owned(), doc: doc.to_owned(), ..RefSnapshot::default() }
    }

    fn page(url: &str, doc: &str) -> Page {
        Page { url: url.to_owned(), doc: doc.to_owned(), ..Page::default() }
    }

    // PAGE-32, PAGE-30, RES-41
    #[test]
    fn without_identities_addresses_are_compared_but_for_their_fragment() {
        let here = refs("https://shop.test/a?page=1#top", "");
        for same in [
            "https://shop.test/a?page=1",
            "https://shop.test/a?page=1#end",
            " https://shop.test/a?page=1 ",
            "HTTPS://SHOP.test:443/a?page=1",
        ] {
            assert!(!other_document(&here, &page(same, "")), "{same}");
            assert!(!other_document(&here, &page(same, "17.5")), "{same}");
        }
        for other in ["https://shop.test/a?page=2", "https://shop.test/b?page=1", "about:blank"] {
            assert!(other_document(&here, &page(other, "")), "{other}");
        }
        assert!(!other_document(&here, &page("", "")), "nothing is known of the page");
        assert!(!other_document(&refs("not an address#a", ""), &page("not an address#b", "")));
        // Identities decide where both are known.
        assert!(!other_document(
            &refs("https://shop.test/a", "1"),
            &page("https://shop.test/b", "1")
        ));
        assert!(other_document(
            &refs("https://shop.test/a", "1"),
            &page("https://shop.test/a", "2")
        ));
    }
}
