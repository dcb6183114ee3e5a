//! `auth …`: which profiles there are, never what they hold (PRES-AUTH-01).

use serde_json::Value;

use super::Shown;
use super::words::{first_rows, is_true, list, text};
use crate::line::Line;
use crate::outcome::{NextAction, Outcome};
use crate::redact::Redactor;

/// Profiles in the answer.
const ROWS: usize = 60;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "auth"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = Redactor::new([]).json(&shown.answer.data);
    let mut outcome = Outcome::success(lines(&data));
    if is_true(&data, "loggedIn") {
        outcome.next.push(
            NextAction::args(
                "inspect-opened-page",
                "see what the login led to",
                &["snapshot", "-i"],
            )
            .routine(),
        );
    }
    outcome.with_detail("data", data)
}

fn lines(data: &Value) -> Vec<Line> {
    for (key, words) in [("saved", "Saved auth profile "), ("deleted", "Deleted auth profile ")] {
        if !text(data, key).is_empty() {
            return vec![Line::ours(words).quote(text(data, key)).and(".")];
        }
    }
    if is_true(data, "loggedIn") {
        return vec![Line::ours("Logged in with auth profile ").quote(text(data, "name")).and(".")];
    }
    if let Some(profile) = data.get("profile") {
        return vec![Line::ours("Auth profile: ").append(&profile_row(profile))];
    }
    let profiles = list(data, "profiles");
    let mut lines = vec![match profiles.len() {
        0 => Line::ours("Auth profiles: none."),
        count => Line::ours(format!("Auth profiles: {count}.")),
    }];
    let rows = profiles.iter().map(|profile| Line::ours("  ").append(&profile_row(profile)));
    lines.extend(first_rows(rows.collect(), ROWS, "profile"));
    lines
}

/// `"shop" for "ann" at https://…`
fn profile_row(profile: &Value) -> Line {
    let line = Line::ours("").quote(text(profile, "name"));
    let user = text(profile, "username");
    let line = if user.is_empty() { line } else { line.and(" for ").quote(user) };
    let url = text(profile, "url");
    if url.is_empty() { line } else { line.and(" at ").url(url) }
}
