//! Tokens → a checked request: command, steps, and where they run.

use std::path::Path;

use crate::command::{
    Argv, CheckInput, Sessionless, StdinRule, check_all as check_argv, parse, parse_row, split_command_string,
};
use crate::error::{Checked, Refusal};
use crate::input::Input;
use crate::plan::Step;
use crate::plan::rewrite::row_words;
use crate::present::section::Line;

/// A request that may be planned.
#[derive(Debug)]
pub(super) struct Request {
    /// The caller's command line.
    pub(super) argv: Argv,
    /// One step, or the rows of a batch.
    pub(super) steps: Vec<Step>,
    /// Set for `batch`.
    pub(super) batch: Option<BatchShape>,
    /// Whether it needs a browser session.
    pub(super) sessionless: Sessionless,
    /// Text for upstream's stdin, where the command runs plainly.
    pub(super) stdin: Option<String>,
}

/// How the caller wants its batch to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchShape {
    /// `--bail`: stop after the first failed step.
    pub(super) bail: bool,
}

impl Request {
    /// The command runs as it is, not in rows (DEC-93).
    pub(super) fn is_plain(&self) -> bool {
        self.argv.is_inspection() || (self.batch.is_none() && !self.argv.traits().in_rows)
    }

    /// Exact values that must not appear in any output.
    pub(super) fn secrets(&self) -> Vec<String> {
        let mut secrets: Vec<String> = Vec::new();
        for step in &self.steps {
            let indexes = step.argv.secret_indexes();
            secrets.extend(indexes.iter().filter_map(|index| step.argv.words.get(*index)).cloned());
        }
        let globals = self.argv.globals.iter().filter(|global| global.spec.secret);
        secrets.extend(globals.filter_map(|global| global.value.clone()));
        if self.argv.traits().stdin == StdinRule::AuthPassword {
            secrets.extend(self.stdin.as_ref().map(|text| text.trim_end().to_owned()));
        }
        secrets
    }

    /// Positions in the caller's `args` that hold secrets.
    pub(super) fn secret_args(&self) -> Vec<usize> {
        if self.batch.is_some() { Vec::new() } else { self.argv.secret_token_indexes() }
    }
}

/// Parses and checks the caller's tokens.
pub(super) fn request(tokens: &[String], input: &Input, cwd: &Path) -> Checked<Request> {
    let argv = parse(tokens).map_err(crate::command::ArgvError::refusal)?;
    let checked = check_argv(CheckInput { argv, stdin: input.stdin.clone() })?;
    let (argv, stdin) = (checked.argv, checked.stdin);
    let sessionless = argv.sessionless();
    let is_batch = !argv.is_inspection() && argv.command().is_some_and(|command| command.name == "batch");
    let (steps, batch) = if is_batch {
        let rows = batch_rows(&argv, stdin.as_deref())?;
        let steps = rows.into_iter().enumerate().map(|(index, row)| batch_step(index, &row, cwd));
        let shape = BatchShape { bail: argv.has_own_flag("--bail") };
        (steps.collect::<Checked<Vec<Step>>>()?, Some(shape))
    } else {
        let words = row_words(&argv, stdin.as_deref(), cwd);
        (vec![Step { argv: argv.clone(), words }], None)
    };
    Ok(Request { argv, steps, batch, sessionless, stdin })
}

fn batch_step(index: usize, row: &[String], cwd: &Path) -> Checked<Step> {
    let named = |mut refusal: Box<Refusal>| {
        refusal.message = Line::ours(format!("row {} of the batch: ", index + 1)).append(&refusal.message);
        refusal
    };
    let argv = parse_row(row).map_err(|error| named(error.refusal()))?;
    let checked = check_argv(CheckInput { argv, stdin: None }).map_err(named)?;
    let words = row_words(&checked.argv, checked.stdin.as_deref(), cwd);
    Ok(Step { argv: checked.argv, words })
}

/// The caller's rows, from stdin or from command strings (DEC-98).
fn batch_rows(argv: &Argv, stdin: Option<&str>) -> Checked<Vec<Vec<String>>> {
    let strings = argv.operands();
    match (stdin, strings.is_empty()) {
        (Some(_), false) => Err(Refusal::invalid(
            "batch takes its rows from stdin or as command strings in args, not from both.",
        )),
        (Some(text), true) => rows_of_json(text),
        (None, false) => {
            let rows = strings.iter().map(|text| split_command_string(text));
            rows.collect::<Result<_, _>>().map_err(crate::command::ArgvError::refusal)
        }
        (None, true) => Err(missing_rows()),
    }
}

fn missing_rows() -> Box<Refusal> {
    Refusal::invalid("batch needs its rows in stdin, for example [[\"get\",\"title\"],[\"get\",\"url\"]].")
}

fn rows_of_json(text: &str) -> Checked<Vec<Vec<String>>> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        Refusal::invalid(format!("stdin of batch is not JSON (line {}, column {}). ", error.line(), error.column()))
            .hint("It must be a list of lists of strings, for example [[\"get\",\"title\"],[\"get\",\"url\"]].")
    })?;
    let Some(rows) = value.as_array() else { return Err(missing_rows()) };
    if rows.is_empty() {
        return Err(Refusal::invalid("the batch has no rows; nothing was done."));
    }
    rows.iter().enumerate().map(|(index, row)| row_of(index, row)).collect()
}

fn row_of(index: usize, row: &serde_json::Value) -> Checked<Vec<String>> {
    let bad = || Refusal::invalid(format!("row {} of the batch must be a list of strings.", index + 1));
    let items = row.as_array().ok_or_else(bad)?;
    if items.is_empty() {
        return Err(Refusal::invalid(format!("row {} of the batch is empty.", index + 1)));
    }
    items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(bad)).collect()
}
