//! The figures beside their budgets: a table for people, JSON for programs.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::figures::{Samples, milliseconds, tokens};
use crate::Result;

/// How much dearer than raw upstream a call may be, at the median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Budget {
    /// Milliseconds on top.
    Added(f64),
    /// Times as long.
    Ratio(f64),
}

const COLD_START_MS: f64 = 15.0;
const RESIDENT_KB: u64 = 20_000;
const TOOLS_BYTES: usize = 6_000;

/// One kind of call.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// What our tool is called with.
    pub(super) arguments: Value,
    pub(super) raw: Samples,
    /// Raw upstream with empty questions in the places of ours.
    pub(super) bare_rows: Option<Samples>,
    pub(super) ours: Samples,
    /// What a shell user of upstream reads.
    pub(super) raw_bytes: usize,
    /// What the model reads.
    pub(super) bytes: usize,
    pub(super) processes: Option<usize>,
    pub(super) budget: Option<Budget>,
}

/// What the door costs without a call.
pub(super) struct Door {
    pub(super) cold_start_ms: f64,
    pub(super) tools_bytes: usize,
    pub(super) idle_kb: u64,
    pub(super) used_kb: u64,
}

pub(super) struct Report {
    pub(super) rows: Vec<Row>,
    pub(super) door: Door,
    pub(super) rounds: usize,
    pub(super) load: String,
}

impl Row {
    fn added(&self) -> f64 {
        milliseconds(self.ours.median()) - milliseconds(self.raw.median())
    }

    fn ratio(&self) -> f64 {
        let raw = self.raw.median().as_secs_f64();
        if raw == 0.0 { 0.0 } else { self.ours.median().as_secs_f64() / raw }
    }

    fn bare_ms(&self) -> String {
        let rows = self.bare_rows.as_ref();
        rows.map_or_else(|| "-".to_owned(), |rows| format!("{:.2}", milliseconds(rows.median())))
    }

    /// Upstream processes of one call.
    fn started(&self) -> String {
        self.processes.map_or_else(|| "-".to_owned(), |count| count.to_string())
    }

    /// The budget in words, and whether it is kept.
    fn judged(&self) -> (String, Option<bool>) {
        match self.budget {
            None => ("-".to_owned(), None),
            Some(Budget::Added(most)) => (format!("+{most} ms"), Some(self.added() <= most)),
            Some(Budget::Ratio(most)) => (format!("{most} x"), Some(self.ratio() <= most)),
        }
    }

    fn json(&self) -> Value {
        let (budget, ok) = self.judged();
        json!({
            "call": self.name,
            "rawMedianMs": milliseconds(self.raw.median()),
            "rawP90Ms": milliseconds(self.raw.p90()),
            "bareRowsMedianMs": self.bare_rows.as_ref().map(|rows| milliseconds(rows.median())),
            "oursMedianMs": milliseconds(self.ours.median()),
            "oursP90Ms": milliseconds(self.ours.p90()),
            "ratio": (self.ratio() * 1_000.0).round() / 1_000.0,
            "addedMs": (self.added() * 100.0).round() / 100.0,
            "upstreamProcesses": self.processes,
            "rawTextBytes": self.raw_bytes,
            "textBytes": self.bytes,
            "textTokens": tokens(self.bytes),
            "budget": budget,
            "withinBudget": ok,
        })
    }
}

impl Report {
    pub(super) fn save(&self, path: &Path) -> Result<()> {
        let door = &self.door;
        let value = json!({
            "rounds": self.rounds,
            "load": self.load,
            "calls": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
            "toolsListBytes": door.tools_bytes,
            "coldStartMs": door.cold_start_ms,
            "idleResidentKb": door.idle_kb,
            "usedResidentKb": door.used_kb,
            "withinBudget": self.within_budget(),
        });
        std::fs::write(path, format!("{value:#}\n"))?;
        Ok(())
    }

    pub(super) fn within_budget(&self) -> bool {
        self.rows.iter().all(|row| row.judged().1 != Some(false))
            && self.door_checks().iter().all(|(_, _, _, ok)| *ok)
    }

    fn door_checks(&self) -> Vec<(&'static str, String, String, bool)> {
        let door = &self.door;
        vec![
            (
                "cold start to tools/list",
                format!("{:.1} ms", door.cold_start_ms),
                format!("{COLD_START_MS} ms"),
                door.cold_start_ms <= COLD_START_MS,
            ),
            (
                "tools/list",
                format!("{} bytes, about {} tokens", door.tools_bytes, tokens(door.tools_bytes)),
                format!("{TOOLS_BYTES} bytes"),
                door.tools_bytes <= TOOLS_BYTES,
            ),
            (
                "idle resident memory",
                format!("{} kB", door.idle_kb),
                format!("{RESIDENT_KB} kB"),
                door.idle_kb <= RESIDENT_KB,
            ),
        ]
    }

    /// The document for `docs`.
    pub(super) fn page(&self, machine: &str, browser: &str) -> String {
        let mut table =
            "| call | raw | rows | ours | ratio | added | budget | | processes | raw bytes | bytes |\n\
                         |---|--:|--:|--:|--:|--:|--:|---|--:|--:|--:|\n"
                .to_owned();
        for row in &self.rows {
            let (budget, ok) = row.judged();
            let (raw, ours) = (milliseconds(row.raw.median()), milliseconds(row.ours.median()));
            let _ = writeln!(
                table,
                "| {} | {raw:.1} | {} | {ours:.1} | {:.2} | {:.1} | {budget} | {} | {} | {} | {} |",
                row.name,
                row.bare_ms(),
                row.ratio(),
                row.added(),
                mark(ok),
                row.started(),
                row.raw_bytes,
                row.bytes,
            );
        }
        let mut door = "| | | budget | |\n|---|--:|--:|---|\n".to_owned();
        for (name, figure, budget, ok) in self.door_checks() {
            let _ = writeln!(door, "| {name} | {figure} | {budget} | {} |", mark(Some(ok)));
        }
        let _ = writeln!(door, "| memory after the calls | {} kB | | |", self.door.used_kb);
        format!(
            include_str!("latency.md"),
            machine = machine,
            browser = browser,
            load = self.load.split_whitespace().next().unwrap_or_default(),
            rounds = self.rounds,
            table = table.trim_end(),
            door = door.trim_end(),
        )
    }

    pub(super) fn table(&self) -> String {
        let mut text = format!(
            "\n{:<22}{:>9}{:>9}{:>9}{:>9}{:>9}{:>8}{:>9}{:>6}{:>10}{:>8}{:>8}  {:<9}\n",
            "call",
            "raw ms",
            "p90",
            "rows ms",
            "ours ms",
            "p90",
            "ratio",
            "added",
            "proc",
            "raw bytes",
            "bytes",
            "tokens",
            "budget"
        );
        for row in &self.rows {
            let (budget, ok) = row.judged();
            let _ = writeln!(
                text,
                "{:<22}{:>9.2}{:>9.2}{:>9}{:>9.2}{:>9.2}{:>8.2}{:>9.2}{:>6}{:>10}{:>8}{:>8}  {:<9}{}",
                row.name,
                milliseconds(row.raw.median()),
                milliseconds(row.raw.p90()),
                row.bare_ms(),
                milliseconds(row.ours.median()),
                milliseconds(row.ours.p90()),
                row.ratio(),
                row.added(),
                row.started(),
                row.raw_bytes,
                row.bytes,
                tokens(row.bytes),
                budget,
                mark(ok),
            );
        }
        text.push_str(
            "\nrows ms: raw upstream with an empty question in each place where ours asks one.\n\n",
        );
        let used = format!("{} kB", self.door.used_kb);
        for (name, figure, budget, ok) in self.door_checks() {
            let _ = writeln!(text, "{name:<34}{figure:<32}{budget:<12}{}", mark(Some(ok)));
        }
        let _ = writeln!(text, "{:<34}{used}", "resident memory after the calls");
        text
    }
}

fn mark(ok: Option<bool>) -> &'static str {
    match ok {
        None => "",
        Some(true) => "ok",
        Some(false) => "OVER",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn row(raw: u64, ours: u64, budget: Budget) -> Row {
        let mut row = Row {
            name: "click",
            arguments: Value::Null,
            raw: Samples::default(),
            bare_rows: None,
            ours: Samples::default(),
            raw_bytes: 0,
            bytes: 0,
            processes: Some(1),
            budget: Some(budget),
        };
        row.raw.push(Duration::from_millis(raw));
        row.ours.push(Duration::from_millis(ours));
        row
    }

    #[test]
    fn budgets_are_judged_at_the_median() {
        assert_eq!(row(10, 13, Budget::Added(3.0)).judged().1, Some(true));
        assert_eq!(row(10, 14, Budget::Added(3.0)).judged().1, Some(false));
        assert_eq!(row(10, 15, Budget::Ratio(1.5)).judged().1, Some(true));
        assert_eq!(row(10, 16, Budget::Ratio(1.5)).judged().1, Some(false));
    }
}
