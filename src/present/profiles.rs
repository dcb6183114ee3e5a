//! `profiles`: Chrome profiles of this machine (PRES-PROF-01).

use serde_json::Value;

use super::Shown;
use super::words::{first_rows, list, text};
use crate::line::Line;
use crate::outcome::Outcome;

/// Profiles in the answer.
const ROWS: usize = 40;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "profiles"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let profiles = data.as_array().map_or_else(|| list(data, "profiles"), Vec::as_slice);
    let mut lines = vec![Line::ours(match profiles.len() {
        0 => "Chrome profiles: none.".to_owned(),
        count => format!("Chrome profiles: {count} (use --profile DIRECTORY)."),
    })];
    lines.extend(first_rows(profiles.iter().map(profile).collect(), ROWS, "profile"));
    Outcome::success(lines).with_detail("data", data.clone())
}

/// `"Profile 1" named "Work"`
fn profile(profile: &Value) -> Line {
    let line = Line::ours("  ").quote(text(profile, "directory"));
    match text(profile, "name") {
        "" => line,
        name => line.and(" named ").quote(name),
    }
}
