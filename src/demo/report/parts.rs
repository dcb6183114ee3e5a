//! Pieces of the report.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::demo::html::escaped;
use crate::demo::side::Exchange;

/// One step of the order on both sides.
pub(super) struct Step<'a> {
    pub(super) title: &'static str,
    pub(super) raw: &'a [Exchange],
    pub(super) ours: &'a [Exchange],
}

/// What the report says about one call, beside what it answered.
#[derive(Default)]
pub(super) struct Note {
    /// Whether the answer was the right one, where that matters.
    pub(super) right: Option<bool>,
    /// What happened behind it.
    pub(super) event: Option<&'static str>,
}

/// Calls with their answers and notes.
pub(super) fn transcript(calls: &[Exchange], note_of: impl Fn(usize, &Exchange) -> Note) -> String {
    let mut parts = Vec::new();
    for (at, exchange) in calls.iter().enumerate() {
        let note = note_of(at, exchange);
        let class = match note.right {
            Some(true) => " class=\"right\"",
            Some(false) => " class=\"wrong\"",
            None => "",
        };
        parts.push(format!(
            "<div class=\"call\"><code>{}</code><span class=\"cost\">{} ms &middot; {} B</span></div>\n<pre{class}>{}</pre>",
            escaped(&exchange.call),
            exchange.ms,
            exchange.bytes(),
            escaped(&exchange.answer)
        ));
        if let Some(event) = note.event {
            parts.push(format!("<p class=\"event\">{}</p>", escaped(event)));
        }
    }
    parts.join("\n")
}

/// A picture inside the file.
pub(super) fn picture(png: &[u8], caption: &str, id: &str) -> String {
    format!(
        "<figure><img id=\"picture-{id}\" alt=\"{caption}\" src=\"data:image/png;base64,{}\"><figcaption>{caption}</figcaption></figure>",
        STANDARD.encode(png)
    )
}

/// The calls of both sides, step by step. Both sides name the same steps in the same order.
pub(super) fn steps<'a>(raw: &'a [Exchange], ours: &'a [Exchange]) -> Vec<Step<'a>> {
    let titles = ours.iter().filter_map(|exchange| exchange.step);
    titles
        .map(|title| Step { title, raw: calls_of(raw, title), ours: calls_of(ours, title) })
        .collect()
}

/// From the call that begins a step to the one before the next step.
fn calls_of<'a>(calls: &'a [Exchange], title: &str) -> &'a [Exchange] {
    let Some(start) = calls.iter().position(|call| call.step == Some(title)) else { return &[] };
    let rest = calls.get(start + 1..).unwrap_or_default();
    let length = rest.iter().position(|call| call.step.is_some()).unwrap_or(rest.len());
    calls.get(start..=start + length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(step: Option<&'static str>, call: &str) -> Exchange {
        Exchange { step, call: call.to_owned(), answer: String::new(), failed: false, ms: 1 }
    }

    #[test]
    fn calls_belong_to_the_step_that_began_last() {
        let raw = [exchange(Some("1 A"), "a"), exchange(None, "b"), exchange(Some("2 B"), "c")];
        let ours = [exchange(Some("1 A"), "x"), exchange(Some("2 B"), "y"), exchange(None, "z")];
        let pairs = steps(&raw, &ours);
        let counts: Vec<(usize, usize)> =
            pairs.iter().map(|step| (step.raw.len(), step.ours.len())).collect();
        assert_eq!(counts, [(2, 1), (1, 2)]);
    }
}
