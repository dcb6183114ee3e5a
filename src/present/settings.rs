//! `set …`: what the browser pretends from now on.

use super::Shown;
use super::words::{is_true, number, text};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "set"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    Outcome::success(vec![line(shown)]).with_detail("data", shown.answer.data.clone())
}

fn line(shown: &Shown<'_>) -> Line {
    let data = &shown.answer.data;
    let value = |key: &str| number(data, key).unwrap_or_default();
    let size = || {
        let mobile = if is_true(data, "mobile") { ", mobile" } else { "" };
        format!(
            "{}x{}, scale {}{mobile}",
            value("width"),
            value("height"),
            value("deviceScaleFactor")
        )
    };
    match shown.step.argv.words.get(1).map_or("", String::as_str) {
        "viewport" => Line::ours(format!("Viewport: {}.", size())),
        "device" => {
            Line::ours("Device: ").quote(text(data, "device")).and(format!(", {}.", size()))
        }
        "geo" | "geolocation" => {
            Line::ours(format!("Location: {}, {}.", value("latitude"), value("longitude")))
        }
        "offline" if is_true(data, "offline") => {
            "Offline: on; no request leaves the browser.".into()
        }
        "offline" => "Offline: off.".into(),
        "headers" => "Extra headers set.".into(),
        "credentials" | "auth" => "Credentials set.".into(),
        "media" => "Media preference set.".into(),
        _ => "Setting changed.".into(),
    }
}
