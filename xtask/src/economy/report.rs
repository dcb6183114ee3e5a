//! Turns and replayed tokens of every side, in a table.

use std::fmt::Write as _;

use super::solver::Run;
use super::tasks::Task;
use crate::bench::tokens;

/// Every task of one side.
pub(super) struct Side {
    pub(super) name: &'static str,
    pub(super) runs: Vec<Run>,
}

/// What stands in front of every input of a side.
pub(super) struct Guide {
    pub(super) name: &'static str,
    pub(super) bytes: usize,
}

/// What was measured.
pub struct Economy {
    pub(super) tasks: Vec<&'static Task>,
    pub(super) raw: Side,
    pub(super) ours: Side,
    pub(super) without_view: Side,
    /// Ours.
    pub(super) tool_list: Guide,
    /// What upstream gives an agent to read first.
    pub(super) guide: Guide,
    pub(super) versions: String,
}

/// Least saving, in turns and in tokens.
const SAVING: f64 = 0.25;

impl Side {
    fn turns(&self) -> usize {
        self.runs.iter().map(|run| run.turns.len()).sum()
    }

    fn replayed(&self, guide_bytes: usize) -> usize {
        let run = |run: &Run| tokens(run.replayed_bytes() + run.inputs() * guide_bytes);
        self.runs.iter().map(run).sum()
    }
}

impl Economy {
    /// One line per task that a side did not finish.
    #[must_use]
    pub fn unfinished(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for side in [&self.raw, &self.ours, &self.without_view] {
            for (task, run) in self.tasks.iter().zip(&side.runs) {
                if let Some(why) = &run.stopped {
                    lines.push(format!("{}, {}: {why}", task.name, side.name));
                }
            }
        }
        lines
    }

    /// What does not hold of the promises, in words.
    #[must_use]
    pub fn broken_promises(&self) -> Vec<String> {
        let mut broken = self.unfinished();
        let mut promise = |what: &str, ours: usize, raw: usize| {
            if saving(ours, raw) < SAVING {
                broken.push(format!("{what}: {ours} of {raw} is no saving of 25 %"));
            }
        };
        promise("turns", self.ours.turns(), self.raw.turns());
        promise("replayed answers", self.ours.replayed(0), self.raw.replayed(0));
        let (ours, raw) = (self.tool_list.bytes, self.guide.bytes);
        promise("replayed tokens", self.ours.replayed(ours), self.raw.replayed(raw));
        broken
    }

    /// The table of tasks, then the sums.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::from(
            "| task | where | turns: raw | ours | ours, no view | answers replayed, tokens: raw | \
             ours | ours, no view |\n|---|---|--:|--:|--:|--:|--:|--:|\n",
        );
        let sides = [&self.raw, &self.ours, &self.without_view];
        for (index, task) in self.tasks.iter().enumerate() {
            let runs: Vec<&Run> = sides.iter().filter_map(|side| side.runs.get(index)).collect();
            let cells = |cell: &dyn Fn(&Run) -> usize| {
                runs.iter().map(|run| cell(run).to_string()).collect::<Vec<_>>().join(" | ")
            };
            let turns = cells(&|run| run.turns.len());
            let replayed = cells(&|run| tokens(run.replayed_bytes()));
            let _ = writeln!(text, "| {} | {:?} | {turns} | {replayed} |", task.name, task.site);
        }
        let turns = sides.map(|side| side.turns().to_string()).join(" | ");
        let replayed = sides.map(|side| side.replayed(0).to_string()).join(" | ");
        let _ = writeln!(text, "| **all** | | {turns} | {replayed} |\n");
        text + &self.sums()
    }

    fn sums(&self) -> String {
        let mut text = String::from(
            "| side | every input begins with | turns | replayed tokens | ours saves turns | \
             ours saves tokens |\n|---|---|--:|--:|--:|--:|\n",
        );
        let list = self.tool_list.bytes;
        let nothing = Guide { name: "nothing, the commands are known by heart", bytes: 0 };
        let rows = [
            (&self.ours, &self.tool_list),
            (&self.without_view, &self.tool_list),
            (&self.raw, &self.guide),
            (&self.raw, &nothing),
        ];
        for (side, guide) in rows {
            let (turns, replayed) = (side.turns(), side.replayed(guide.bytes));
            let saved_turns = percent(self.ours.turns(), turns);
            let saved = percent(self.ours.replayed(list), replayed);
            let Guide { name: begins, bytes } = guide;
            let _ = writeln!(
                text,
                "| {} | {begins} ({bytes} bytes) | {turns} | {replayed} | {saved_turns} % | \
                 {saved} % |",
                side.name
            );
        }
        text
    }

    /// The page `docs/ECONOMY.md`.
    pub(super) fn page(&self) -> String {
        let list = self.tool_list.bytes;
        let answers = percent(self.ours.replayed(0), self.raw.replayed(0));
        let turns = percent(self.ours.turns(), self.raw.turns());
        let view_turns = percent(self.ours.turns(), self.without_view.turns());
        let view_tokens = percent(self.ours.replayed(list), self.without_view.replayed(list));
        let mut wishes = String::new();
        for task in &self.tasks {
            let _ = writeln!(wishes, "- **{}** ({:?}): {}", task.name, task.site, task.wish);
        }
        format!(
            include_str!("page.md"),
            versions = self.versions,
            turns = turns,
            answers = answers,
            view_turns = view_turns,
            view_tokens = view_tokens,
            table = self.table().trim_end(),
            wishes = wishes.trim_end(),
        )
    }

    /// Every call and answer of one task.
    pub(super) fn transcript(&self, name: &str) -> String {
        let mut text = String::new();
        for side in [&self.raw, &self.ours, &self.without_view] {
            for (task, run) in self.tasks.iter().zip(&side.runs) {
                if task.name != name {
                    continue;
                }
                let _ = writeln!(text, "==== {} ====", side.name);
                for turn in &run.turns {
                    let mark = if turn.failed { " (failed)" } else { "" };
                    let bytes = turn.text.len();
                    let _ = writeln!(text, "> {}{mark} [{bytes}]\n{}\n", turn.call, turn.text);
                }
            }
        }
        text
    }
}

fn percent(ours: usize, raw: usize) -> f64 {
    (saving(ours, raw) * 100.0).round()
}

fn saving(ours: usize, raw: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of tokens")]
    let ratio = ours as f64 / raw.max(1) as f64;
    1.0 - ratio
}
