//! `diff snapshot` without a baseline: upstream would compare with nothing, ours compares with the
//! snapshot that the caller saw last (HAZ-12).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::answers::{Brought, find, sort_out};
use super::execute::rows;
use super::refused::came_to_command;
use super::run::Run;
use super::single::judged;
use super::{Engine, Trace, tabs};
use crate::command::Argv;
use crate::envelope::Answer;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::{NextAction, Outcome};
use crate::plan::rows::{Context, single};
use crate::plan::{RowKind, Step};
use crate::present::line_diff::compare;
use crate::present::snapshot;
use crate::redact::{Redactor, SafeJson};
use crate::run::places::{private_dir, write_private};
use crate::session::key::{SessionKey, hex_of};

/// A longer snapshot is not kept.
const MOST_BYTES: usize = 4_000_000;

/// The snapshot that a session's caller saw last.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// Options of the `snapshot` command.
    options: Vec<String>,
    url: String,
    text: String,
}

/// The last snapshots of all sessions: with the process, or in files where the host's session
/// outlives it. Redacted in both: a later call does not know the secrets of this one.
#[derive(Debug)]
pub(super) enum Baselines {
    Memory(Mutex<HashMap<SessionKey, SafeJson>>),
    Files(PathBuf),
}

impl Baselines {
    pub(super) fn new(files: Option<&Path>) -> Self {
        files.map_or_else(|| Self::Memory(Mutex::default()), |dir| Self::Files(dir.to_owned()))
    }

    fn keep(&self, key: &SessionKey, kept: SafeJson) {
        match self {
            Self::Memory(all) => {
                all.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), kept);
            }
            Self::Files(dir) => {
                // Without it the next comparison says that there is nothing to compare with.
                let _ = private_dir(dir).and_then(|()| {
                    write_private(&file_of(dir, key), kept.to_text().as_str().as_bytes())
                });
            }
        }
    }

    fn of(&self, key: &SessionKey) -> Option<Kept> {
        match self {
            Self::Memory(all) => {
                let all = all.lock().unwrap_or_else(PoisonError::into_inner);
                Kept::deserialize(all.get(key)?.as_value()).ok()
            }
            Self::Files(dir) => {
                let bytes = std::fs::read(file_of(dir, key)).ok()?;
                serde_json::from_slice(&bytes).ok()
            }
        }
    }

    pub(super) fn forget(&self, key: &SessionKey) {
        match self {
            Self::Memory(all) => {
                all.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
            }
            Self::Files(dir) => {
                // A file that is not there is what is wanted.
                let _ = std::fs::remove_file(file_of(dir, key));
            }
        }
    }
}

fn file_of(dir: &Path, key: &SessionKey) -> PathBuf {
    let name = format!("{:?} {}", key.namespace, key.name);
    dir.join(format!("last-snapshot-{}.json", hex_of(name.as_bytes(), 12)))
}

/// Keeps what a snapshot showed.
pub(super) fn keep(
    run: &Run<'_>,
    options: Vec<String>,
    data: &snapshot::SnapshotData,
    trace: &Trace,
) {
    let Some(key) = run.target.key() else { return };
    if data.text.len() > MOST_BYTES {
        return;
    }
    let kept = Kept { options, url: data.origin.clone(), text: data.text.clone() };
    if let Ok(kept) = serde_json::to_value(&kept) {
        let redactor = Redactor::new(trace.secrets.iter().cloned());
        run.engine.baselines.keep(key, redactor.safe_json(&kept));
    }
}

/// The outcome of a comparison with the last snapshot; `None` for any other command.
pub(super) async fn compared(
    run: &Run<'_>,
    step: &Step,
    launching: bool,
    trace: &mut Trace,
) -> Checked<Option<Outcome>> {
    if !is_without_baseline(step) {
        return Ok(None);
    }
    let kept = run.target.key().filter(|_| !launching).and_then(|key| run.engine.baselines.of(key));
    let kept = kept.ok_or_else(|| nothing_kept(step))?;
    let asked = forms(step.argv.words.get(2..).unwrap_or_default());
    if !asked.is_empty() && asked != forms(&kept.options) {
        return Err(other_form(step));
    }
    let words: Vec<String> =
        std::iter::once("snapshot".to_owned()).chain(kept.options.iter().cloned()).collect();
    let look = Step { argv: Argv::of_words(&words), words };
    let context = Context { scripts: run.may_run_scripts(), ..Context::default() };
    let plan = tabs::pinned(run, run.session.as_ref(), single(&look, &context));
    let ran = rows(run, &plan, false, trace).await?;
    let answers = match came_to_command(run, step, ran, false, trace).await {
        Ok(answers) => answers,
        Err(outcome) => return Ok(Some(outcome)),
    };
    let main = find(&answers, RowKind::Main).cloned().unwrap_or_default();
    let Some(data) = snapshot::parse(&main.data).filter(|_| main.success) else {
        return judged(run, step, &main, Brought::default(), trace).await.map(Some);
    };
    let redactor = Redactor::new(trace.secrets.iter().cloned());
    let now = redactor.json(&serde_json::json!(data.text));
    let mut difference = compare(&kept.text, now.as_str().unwrap_or_default());
    if let Some(fields) = difference.as_object_mut() {
        fields.insert("baseline".into(), "last-snapshot".into());
        fields.insert("baselineUrl".into(), kept.url.into());
    }
    let answer = Answer { success: true, data: difference, ..main };
    let refs = (kept.options == ["-i"]).then_some(data);
    let brought = Brought { view: refs, ..sort_out(&answers) };
    judged(run, step, &answer, brought, trace).await.map(Some)
}

fn is_without_baseline(step: &Step) -> bool {
    let operands = step.argv.operands();
    step.argv.name() == "diff"
        && operands.first() == Some(&"snapshot")
        && step.argv.own_value("--baseline").is_none()
}

/// Options that change the form of a tree, in one spelling and order.
fn forms(options: &[String]) -> Vec<String> {
    let long = |word: &String| match word.as_str() {
        "-c" => "--compact".to_owned(),
        "-d" => "--depth".to_owned(),
        "-s" => "--selector".to_owned(),
        _ => word.clone(),
    };
    options.iter().map(long).collect()
}

fn nothing_kept(step: &Step) -> Box<Refusal> {
    let line =
        "nothing was compared, this session has no earlier snapshot. Take one, act, then compare.";
    Refusal::invalid(line).next(take_one(step))
}

fn other_form(step: &Step) -> Box<Refusal> {
    let line = Line::ours("nothing was compared, the last snapshot was taken with other options.");
    Refusal::invalid(line).next(take_one(step))
}

/// The snapshot that a later comparison with the same options needs.
fn take_one(step: &Step) -> NextAction {
    let asked = step.argv.words.get(2..).unwrap_or_default();
    let mut args = vec!["snapshot".to_owned()];
    args.extend(if asked.is_empty() { vec!["-i".to_owned()] } else { asked.to_vec() });
    NextAction::args("refresh-interactive-refs", "something to compare with later", &args)
}

impl Engine {
    /// Nothing is kept for a closed session, and no process waits for its next call.
    pub(super) fn forget_closed(&self, key: &SessionKey) {
        self.ready.clear();
        self.baselines.forget(key);
        // A host with a transcript may go back to the session, and launches it as it was.
        if !self.options.outlives_process() {
            self.forget_launch(key);
        }
        self.libraries.forget(key);
    }
}
