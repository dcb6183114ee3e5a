//! The side-by-side table, and the sentences that go with it.

use std::fmt::Write as _;
use std::time::Duration;

use super::figures::{Samples, milliseconds};
use super::peers;

/// What every server does in a round; the last one on a page of its own.
pub(super) const STEPS: [&str; 6] =
    ["open", "snapshot", "click", "fill", "title", "snapshot of 1,000 controls"];

/// Figures may differ so much from run to run.
const NOISE: f64 = 1.1;

const VIEW: &str =
    "the answer holds the page's controls, which a caller of the others has to ask for next";

/// Why ours may be behind `agent-browser mcp` in a row.
const REASONS: &[(&str, &str)] = &[
    ("first open, browser start included, ms", VIEW),
    ("open, ms", VIEW),
    ("open, bytes", VIEW),
    ("snapshot, bytes", "a first line says how many refs there are, and on which page"),
    (
        "click, ms",
        "the page is asked whether the ref still means the same element, and what the click did; \
         the others do not look",
    ),
    ("idle, kB", "guards, presenters, redaction and the page scripts are in the program"),
    (
        "after the work, kB",
        "refs and facts of the session are kept, so that stale refs are refused",
    ),
];

/// One server.
pub(super) struct Figures {
    pub(super) name: String,
    pub(super) tools: usize,
    pub(super) tools_bytes: usize,
    pub(super) cold_start: Samples,
    pub(super) first_open: Duration,
    pub(super) idle_kb: u64,
    pub(super) used_kb: u64,
    /// Times, and the bytes of the last answer, in the order of `STEPS`.
    pub(super) steps: Vec<(Samples, usize)>,
}

pub(super) struct Peers {
    /// Ours first, then `agent-browser mcp`.
    pub(super) servers: Vec<Figures>,
    pub(super) browser: String,
    pub(super) load: String,
}

/// A row of the table: less is better everywhere.
struct Row {
    name: String,
    cells: Vec<f64>,
    whole: bool,
}

impl Figures {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            tools: 0,
            tools_bytes: 0,
            cold_start: Samples::default(),
            first_open: Duration::ZERO,
            idle_kb: 0,
            used_kb: 0,
            steps: STEPS.iter().map(|_| (Samples::default(), 0)).collect(),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "sizes far below 2^52")]
fn number(value: usize) -> f64 {
    value as f64
}

impl Peers {
    fn rows(&self) -> Vec<Row> {
        let row = |name: &str, whole: bool, cell: &dyn Fn(&Figures) -> f64| Row {
            name: name.to_owned(),
            cells: self.servers.iter().map(cell).collect(),
            whole,
        };
        let kb = |value: u64| number(usize::try_from(value).unwrap_or(usize::MAX));
        let mut rows = vec![
            row("tools", true, &|server| number(server.tools)),
            row("tools/list, bytes", true, &|server| number(server.tools_bytes)),
            row("cold start to tools/list, ms", false, &|server| {
                milliseconds(server.cold_start.median())
            }),
            row("first open, browser start included, ms", false, &|server| {
                milliseconds(server.first_open)
            }),
            row("idle, kB", true, &|server| kb(server.idle_kb)),
            row("after the work, kB", true, &|server| kb(server.used_kb)),
        ];
        for (at, step) in STEPS.iter().enumerate() {
            let of = |server: &Figures| server.steps.get(at).cloned().unwrap_or_default();
            rows.push(row(&format!("{step}, ms"), false, &|server| {
                milliseconds(of(server).0.median())
            }));
            rows.push(row(&format!("{step}, bytes"), true, &|server| number(of(server).1)));
        }
        rows
    }

    pub(super) fn table(&self) -> String {
        let names: Vec<&str> = self.servers.iter().map(|server| server.name.as_str()).collect();
        let mut text =
            format!("| | {} |\n|---|{}\n", names.join(" | "), "--:|".repeat(names.len()));
        for row in self.rows() {
            let cell = |value: &f64| {
                if row.whole { format!("{value:.0}") } else { format!("{value:.1}") }
            };
            let cells: Vec<String> = row.cells.iter().map(cell).collect();
            let _ = writeln!(text, "| {} | {} |", row.name, cells.join(" | "));
        }
        text
    }

    /// Rows in which ours is behind `agent-browser mcp`, with their reasons.
    fn behind(&self) -> Vec<(String, Option<&'static str>)> {
        let rows = self.rows().into_iter();
        let worse = rows.filter(|row| match row.cells.as_slice() {
            [ours, upstream, ..] => *ours > upstream * NOISE,
            _ => false,
        });
        worse
            .map(|row| {
                let reason = REASONS.iter().find(|(name, _)| *name == row.name);
                (row.name, reason.map(|(_, why)| *why))
            })
            .collect()
    }

    /// Rows that need a sentence and have none.
    pub(super) fn unexplained(&self) -> Vec<String> {
        let behind = self.behind().into_iter().filter(|(_, reason)| reason.is_none());
        behind.map(|(row, _)| format!("behind agent-browser mcp without a reason: {row}")).collect()
    }

    pub(super) fn page(&self) -> String {
        let mut behind = String::new();
        for (row, reason) in self.behind() {
            let _ = writeln!(behind, "- {row}: {}.", reason.unwrap_or("not explained yet"));
        }
        if behind.is_empty() {
            behind.push_str("- none\n");
        }
        format!(
            include_str!("page.md"),
            machine = peers::machine(),
            browser = self.browser,
            load = self.load,
            table = self.table().trim_end(),
            behind = behind.trim_end(),
        )
    }
}
