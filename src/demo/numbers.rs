//! The table of the demo: measured, never promised.

use super::order::Field;
use super::{BYTES_PER_TOKEN, Comparison, Half};

/// Whether a number is a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Plain,
    Good,
    Bad,
}

/// One cell of the table.
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) mark: Mark,
}

/// One line of the table.
pub(super) struct Row {
    pub(super) what: &'static str,
    /// How it was measured, where that is not plain.
    pub(super) note: &'static str,
    pub(super) raw: Cell,
    pub(super) ours: Cell,
}

impl Cell {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), mark: Mark::Plain }
    }

    fn judged(text: impl Into<String>, good: bool) -> Self {
        Self { text: text.into(), mark: if good { Mark::Good } else { Mark::Bad } }
    }
}

pub(super) fn rows(comparison: &Comparison) -> Vec<Row> {
    let both = |what, note, value: &dyn Fn(&Half) -> Cell| Row {
        what,
        note,
        raw: value(&comparison.raw),
        ours: value(&comparison.ours),
    };
    vec![
        both("Stale ref: what the click did", "as the server saw it", &|half| {
            let text = if half.story.deleted { "deleted all" } else { "refused" };
            Cell::judged(text, !half.story.deleted)
        }),
        both("Order: fields that came out wrong", "as the shop received them", &|half| {
            let wrong = half.flow.received.iter().filter(|field| !Field::is_right(field)).count();
            Cell::judged(format!("{wrong} of {}", half.flow.received.len()), wrong == 0)
        }),
        both("Order: calls", "a snapshot only where no answer had shown the page", &|half| {
            Cell::plain(half.calls().to_string())
        }),
        both("Order: bytes that the model reads", "text of all answers", &|half| {
            Cell::plain(grouped(half.bytes()))
        }),
        both("Order: tokens that the model reads", "estimated as bytes / 4", &|half| {
            Cell::plain(format!("~{}", grouped(half.bytes() / BYTES_PER_TOKEN)))
        }),
        both("Order: time in calls", "one run, browser already open", &|half| {
            Cell::plain(format!("{} ms", grouped(usize::try_from(half.ms()).unwrap_or(usize::MAX))))
        }),
        both(
            "MCP tool list, in every conversation",
            "answer to tools/list: agent-browser's own MCP server against ours",
            &|half| Cell::plain(format!("{} bytes", grouped(half.tool_list_bytes))),
        ),
        both("Processes behind an open page", "background process and browser", &|half| {
            Cell::plain(half.left.running.to_string())
        }),
        both("Left after kill -9 of the host", "0.7 s later", &|half| {
            Cell::plain(half.left.after_kill.to_string())
        }),
        both("Left after the next start", "nobody asked for a clean-up", &|half| {
            let left = half.left.after_next_start;
            let text = match half.left.cleaned_in {
                Some(time) => format!("{left} (after {} ms)", time.as_millis()),
                None => left.to_string(),
            };
            Cell::judged(text, left == 0)
        }),
    ]
}

/// `82326` → `82,326`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::tests::comparison;

    #[test]
    fn long_numbers_are_grouped() {
        let shown: Vec<String> = [0, 999, 1_000, 82_326, 1_234_567].map(grouped).into();
        assert_eq!(shown, ["0", "999", "1,000", "82,326", "1,234,567"]);
    }

    #[test]
    fn what_went_wrong_is_marked_and_mere_numbers_are_not() {
        let rows = rows(&comparison());
        let marks = |row: &Row| (row.raw.mark, row.ours.mark);
        assert_eq!(rows.first().map(marks), Some((Mark::Bad, Mark::Good)));
        assert_eq!(rows.get(2).map(marks), Some((Mark::Plain, Mark::Plain)));
    }
}
