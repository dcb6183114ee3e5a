//! `cookies`: names and where they count, never a value (PRES-COOK-01).

use serde_json::Value;

use super::Shown;
use super::words::{first_rows, is_true, list, one_row, row, text};
use crate::line::Line;
use crate::outcome::Outcome;
use crate::redact::Redactor;

/// Cookies in the answer.
const ROWS: usize = 60;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "cookies"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = Redactor::new([]).json_cookies(&shown.answer.data);
    let lines = if is_true(&data, "set") {
        vec![set(shown)]
    } else if is_true(&data, "cleared") {
        vec!["Cookies cleared.".into()]
    } else {
        let cookies = list(&data, "cookies");
        let mut lines =
            vec![Line::ours(format!("Cookies: {} (values are never shown).", cookies.len()))];
        if cookies.is_empty() {
            lines = vec!["Cookies: none for this page.".into()];
        }
        lines.extend(first_rows(cookies.iter().map(cookie_row).collect(), ROWS, "cookie"));
        lines
    };
    Outcome::success(lines).with_detail("data", data)
}

fn set(shown: &Shown<'_>) -> Line {
    match shown.step.argv.words.get(2) {
        Some(name) if !name.starts_with("--") => Line::ours("Cookie set: ").quote(name).and("."),
        _ => "Cookies set.".into(),
    }
}

fn cookie_row(cookie: &Value) -> Line {
    let mut words = vec![
        one_row(text(cookie, "name")),
        format!("on {}{}", one_row(text(cookie, "domain")), one_row(text(cookie, "path"))),
    ];
    let life = if is_true(cookie, "session") { "session" } else { "kept" };
    words.push(life.to_owned());
    for (key, word) in [("httpOnly", "httpOnly"), ("secure", "secure")] {
        if is_true(cookie, key) {
            words.push(word.to_owned());
        }
    }
    let site = text(cookie, "sameSite");
    if !site.is_empty() {
        words.push(format!("sameSite {}", one_row(site)));
    }
    row(words.join(", "))
}
