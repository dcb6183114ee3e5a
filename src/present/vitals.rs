//! `vitals`: the numbers of one page load.

use serde_json::Value;

use super::Shown;
use super::words::{counted, list, number, text};
use crate::line::Line;
use crate::outcome::Outcome;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "vitals"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    let at = |path: &str| {
        let (object, key) = path.rsplit_once('/').unwrap_or(("", path));
        number(data.pointer(object).unwrap_or(&Value::Null), key)
    };
    let ms =
        |value: Option<String>| value.map_or_else(|| "none".to_owned(), |ms| format!("{ms} ms"));
    let largest = match text(data.get("lcp").unwrap_or(&Value::Null), "element") {
        "" => Line::ours(""),
        element => Line::ours(" (").word(element).and(")"),
    };
    let inp = at("inp").or_else(|| at("/inp/value"));
    let mut lines = vec![
        Line::ours("Web vitals of ").url(text(data, "url")),
        Line::ours(format!(
            "TTFB {}, FCP {}, LCP {}",
            ms(at("ttfb")),
            ms(at("fcp")),
            ms(at("/lcp/startTime")),
        ))
        .append(&largest)
        .and(format!(
            ", CLS {}, INP {}",
            at("/cls/score").unwrap_or_else(|| "none".to_owned()),
            ms(inp),
        )),
    ];
    let hydrated = list(data, "hydratedComponents").len();
    if hydrated > 0 {
        lines.push(Line::ours(format!("Hydrated: {}.", counted(hydrated, "component"))));
    }
    Outcome::success(lines).with_detail("data", data.clone())
}
