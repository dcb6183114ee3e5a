//! `outputPath` (DEC-49): the whole result, before anything of it is left out.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::super::paths::real;
use super::{Engine, Trace};
use crate::artifact::output::{check, is_alias, write as write_file};
use crate::error::Refusal;
use crate::line::Line;
use crate::outcome::{FailureCategory, Outcome, Verdict};
use crate::present::text::print;
use crate::redact::Redactor;

/// Writes the result of a success; a path that cannot take it turns the call into a failure.
pub(super) fn write(engine: &Engine, outcome: &mut Outcome, trace: &Trace, redactor: &Redactor) {
    let Some(given) = trace.output.as_deref().filter(|_| !outcome.verdict.is_failure()) else {
        return;
    };
    let bytes = whole(outcome, redactor);
    let written = check(&engine.options.cwd, given, real)
        .map_err(str::to_owned)
        .and_then(|path| no_artifact(path, outcome))
        .and_then(|path| match write_file(&path, &bytes) {
            Ok(()) => Ok(path),
            Err(error) => Err(error.to_string()),
        });
    match written {
        Ok(path) => {
            let size = bytes.len();
            outcome.details.insert("outputFile".into(), json!({ "path": path, "bytes": size }));
            let line = Line::ours("Output saved: ").path(path.to_string_lossy());
            outcome.answer.push(line.and(format!(" ({size} bytes)")));
        }
        Err(reason) => refuse(outcome, given, reason),
    }
}

/// The result is not lost: it stays in `details`.
fn refuse(outcome: &mut Outcome, given: &str, reason: String) {
    let line = refused_line(given, &reason);
    outcome.verdict = Verdict::Failure(FailureCategory::ValidationError);
    outcome.details.insert("validationError".into(), line.plain().into());
    outcome.details.insert("outputFile".into(), json!({ "path": given, "error": reason }));
    outcome.answer.insert(0, line.and(" The command itself has run:"));
}

fn refused_line(given: &str, reason: &str) -> Line {
    Line::ours("outputPath ").path(given).and(" cannot take the result: ").quote(reason).and(".")
}

fn no_artifact(path: PathBuf, outcome: &Outcome) -> Result<PathBuf, String> {
    let files: Vec<PathBuf> = outcome.files.iter().map(|file| file.path.clone()).collect();
    match is_alias(&path, &files) {
        true => Err("it is the file that the command itself has saved".to_owned()),
        false => Ok(path),
    }
}

/// `details.data` as JSON, or the text when there is no structured data (IN-OUT-02).
fn whole(outcome: &Outcome, redactor: &Redactor) -> Vec<u8> {
    let mut bytes = match outcome.details.get("data").filter(|data| !data.is_null()) {
        Some(data) => serde_json::to_vec_pretty(&redactor.safe_json(data)).unwrap_or_default(),
        None => print(&outcome.answer, redactor).into_string().into_bytes(),
    };
    bytes.push(b'\n');
    bytes
}

impl Engine {
    /// Refuses an `outputPath` that cannot work before anything has run.
    pub(in crate::call) fn check_output(&self, given: Option<&str>) -> crate::error::Checked<()> {
        let Some(given) = given else { return Ok(()) };
        match check(&self.options.cwd, given, real) {
            Ok(_) => Ok(()),
            Err(reason) => {
                let line = Line::ours("nothing was done. ").append(&refused_line(given, reason));
                let error: Value = json!({ "path": given, "error": reason });
                Err(Refusal::invalid(line).detail("outputFile", error))
            }
        }
    }
}
