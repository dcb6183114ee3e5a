//! Tokens → a checked request: command, steps, and where they run.

use std::collections::BTreeSet;
use std::path::Path;

use crate::command::{
    Argv, ArgvError, Facts, Sessionless, StdinRule, check, in_row, parse, parse_row, repair_eval,
    rows_from_json, split_command_string,
};
use crate::error::{Checked, Refusal};
use crate::input::job::ROW_LIMIT;
use crate::input::{Compiled, CompiledStep, Input};
use crate::plan::Step;
use crate::plan::found::with_action;
use crate::plan::rewrite::{absolute, row_words};
use crate::redact::secrets_in;

/// How long an assertion of a job waits.
const ASSERT_MS: u32 = 10_000;

/// A request that may be planned.
#[derive(Clone, Debug)]
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
    /// Keys that spell a text of a job.
    pub(super) typed_keys: BTreeSet<String>,
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

    /// The same request with another command behind the caller's flags.
    pub(super) fn replace_words(&mut self, words: Vec<String>, cwd: &Path) -> Checked<()> {
        let mut argv = parse(&words).map_err(ArgvError::refusal)?;
        argv.globals.clone_from(&self.argv.globals);
        let words = row_words(&argv, None, cwd);
        self.steps = vec![Step { argv: argv.clone(), words }];
        self.argv = argv;
        Ok(())
    }

    /// `open` without an address on a running browser stays on the page (IN-ARGS-06). Upstream would
    /// replace a browser that was launched with options, so it is asked for the address instead.
    pub(super) fn stay_on_page(&mut self) {
        let stays = |step: &&mut Step| step.argv.is_open_like() && step.argv.operands().is_empty();
        for step in self.steps.iter_mut().filter(stays) {
            step.words = vec!["get".to_owned(), "url".to_owned()];
        }
    }

    /// Assertions of a job end earlier than upstream would end them: what has not come within this
    /// time seldom comes at all.
    pub(super) fn limit_assertions(&mut self) {
        for step in &mut self.steps {
            let argv = &step.argv;
            let asserts =
                ["--text", "--url", "--fn"].iter().any(|flag| argv.own_value(flag).is_some());
            if argv.name() == "wait" && asserts && argv.own_value("--timeout").is_none() {
                step.words.extend(["--timeout".to_owned(), ASSERT_MS.to_string()]);
            }
        }
    }

    /// Exact values that must not appear in any output.
    pub(super) fn secrets(&self) -> Vec<String> {
        let mut secrets: Vec<String> = Vec::new();
        for step in &self.steps {
            secrets.extend(step.argv.secret_values().into_iter().map(str::to_owned));
            secrets.extend(step.argv.words.iter().flat_map(|word| secrets_in(word)));
        }
        let values = self.argv.globals.iter().filter_map(|global| global.value.as_ref());
        secrets.extend(values.flat_map(|value| secrets_in(value)));
        let globals = self.argv.globals.iter().filter(|global| global.spec.secret);
        secrets.extend(globals.filter_map(|global| global.value.clone()));
        if self.argv.traits().stdin == StdinRule::AuthPassword {
            secrets.extend(self.stdin.as_ref().map(|text| text.trim_end().to_owned()));
        }
        secrets
    }
}

/// Parses and checks the caller's tokens.
pub(super) fn request(compiled: &Compiled, input: &Input, cwd: &Path) -> Checked<Request> {
    let argv = with_absolute_flags(parse(&compiled.args).map_err(ArgvError::refusal)?, cwd);
    let rows = compiled.rows.as_ref().and_then(|rows| serde_json::to_string(rows).ok());
    let (argv, stdin) = checked(argv, rows.or_else(|| input.stdin.clone()))?;
    let sessionless = argv.sessionless();
    let (steps, batch) = if argv.name() == "batch" && !argv.is_inspection() {
        let rows = batch_rows(&argv, stdin.as_deref())?;
        let steps = rows
            .iter()
            .enumerate()
            .map(|(index, row)| batch_step(row, cwd).map_err(|refusal| in_row(refusal, index + 1)));
        let shape = BatchShape { bail: argv.has_own_flag("--bail") };
        (steps.collect::<Checked<Vec<Step>>>()?, Some(shape))
    } else {
        let words = row_words(&argv, stdin.as_deref(), cwd);
        (vec![Step { argv: argv.clone(), words }], None)
    };
    let keys = compiled.steps.iter().flat_map(CompiledStep::typed_keys);
    let typed_keys = keys.map(str::to_owned).collect();
    Ok(Request { argv, steps, batch, sessionless, stdin, typed_keys })
}

/// Paths of flags belong to the host's directory, wherever the session was started (HAZ-05).
fn with_absolute_flags(mut argv: Argv, cwd: &Path) -> Argv {
    for global in &mut argv.globals {
        if let Some(path) = global.path().filter(|path| !path.is_empty()) {
            let path = absolute(cwd, path);
            global.value = Some(path.to_string_lossy().into_owned());
        }
    }
    argv
}

/// Repairs a misplaced script and writes the action that `find` leaves out, then asks every check of
/// the command line.
fn checked(argv: Argv, stdin: Option<String>) -> Checked<(Argv, Option<String>)> {
    let (argv, stdin) = match repair_eval(&argv, stdin.is_some())? {
        Some(repaired) => (repaired.argv, Some(repaired.stdin)),
        None => (argv, stdin),
    };
    let argv = with_action(argv);
    check(&Facts { argv: &argv, has_stdin: stdin.is_some() })?;
    Ok((argv, stdin))
}

fn batch_step(row: &[String], cwd: &Path) -> Checked<Step> {
    let argv = parse_row(row).map_err(ArgvError::refusal)?;
    let (argv, stdin) = checked(argv, None)?;
    let words = row_words(&argv, stdin.as_deref(), cwd);
    Ok(Step { argv, words })
}

/// The caller's rows, from stdin or from command strings (DEC-98); a call with both is refused by now.
fn batch_rows(argv: &Argv, stdin: Option<&str>) -> Checked<Vec<Vec<String>>> {
    let rows: Vec<Vec<String>> = match stdin {
        Some(text) => rows_from_json(text)?,
        None => {
            let strings = argv.batch_strings();
            let rows = strings.iter().map(|text| split_command_string(text));
            rows.collect::<Result<_, _>>().map_err(ArgvError::refusal)?
        }
    };
    if rows.is_empty() {
        return Err(Refusal::invalid(
            "the batch has no rows. Send them in stdin, for example [[\"get\",\"title\"],[\"get\",\"url\"]].",
        ));
    }
    if rows.len() > ROW_LIMIT {
        let count = rows.len();
        return Err(Refusal::invalid(format!(
            "the batch has {count} rows, the limit is {ROW_LIMIT}; nothing was done. Send it in parts."
        )));
    }
    Ok(rows)
}
