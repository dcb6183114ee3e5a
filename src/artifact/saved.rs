//! Which files a successful command names, as they are on disk now.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::inspect;
use crate::envelope::Answer;
use crate::file_fact::{FileFact, FileKind, FileState};
use crate::plan::Step;
use crate::plan::rewrite::absolute;

/// The files that a command saved, or will save when a recording stops (ART-01). A close ends the
/// recording that is `open`, and its file is whole then.
#[must_use]
pub fn files_of(
    step: &Step,
    answer: &Answer,
    open: Option<&str>,
    cwd: &Path,
    started: SystemTime,
) -> Vec<FileFact> {
    if step.argv.is_close() {
        let ended = open.map(|path| inspect(Path::new(path), FileKind::Recording, None, started));
        return ended.into_iter().collect();
    }
    let Saves { kind, pending } = match saves(step) {
        Some(saves) => saves,
        None => return Vec::new(),
    };
    let operand = step.argv.output_path().filter(|_| kind != FileKind::DiffImage);
    let requested = operand.as_ref().map(|operand| operand.value.to_owned());
    let wanted = operand.map(|operand| absolute(cwd, operand.value));
    let told = |key: &str| answer.text(key).map(|path| absolute(cwd, path));
    let mut files = Vec::new();
    if let Some(earlier) = told("previousPath") {
        files.push(inspect(&earlier, FileKind::Recording, None, started));
    }
    let main = match kind {
        FileKind::DiffImage => told("diffPath"),
        _ => wanted.clone().or_else(|| told("path")),
    };
    if let Some(path) = main {
        let copied_from = told("path").filter(|told| !pending && repaired(&path, told, started));
        let mut file = inspect(&path, kind, requested, started);
        file.copied_from = copied_from;
        files.push(if pending { FileFact { state: FileState::Pending, ..file } } else { file });
    }
    if let Some(sheet) = told("contactSheetPath") {
        let file = inspect(&sheet, FileKind::ContactSheet, None, started);
        files.push(if pending { FileFact { state: FileState::Pending, ..file } } else { file });
    }
    files
}

struct Saves {
    kind: FileKind,
    pending: bool,
}

/// Commands with a file. A `screenshot --if-changed` that changed nothing has none.
fn saves(step: &Step) -> Option<Saves> {
    let verb = step.argv.words.get(1).map_or("", String::as_str);
    let (kind, pending) = match (step.argv.name(), verb) {
        ("screenshot", _) => (FileKind::Screenshot, false),
        ("pdf", _) => (FileKind::Pdf, false),
        ("download", _) => (FileKind::Download, false),
        ("wait", _) if step.argv.has_own_flag("--download") => (FileKind::Download, false),
        ("state", "save") => (FileKind::State, false),
        ("trace", "stop") => (FileKind::Trace, false),
        ("profiler", "stop") => (FileKind::Profile, false),
        ("network", "har") if step.argv.words.get(2).is_some_and(|word| word == "stop") => {
            (FileKind::Har, false)
        }
        ("diff", "screenshot") => (FileKind::DiffImage, false),
        ("record", "start" | "restart") => (FileKind::Recording, true),
        ("record", "stop") => (FileKind::Recording, false),
        _ => return None,
    };
    Some(Saves { kind, pending })
}

/// Upstream wrote to a place of its own: the file is copied to where the caller wanted it (PLAN-61).
fn repaired(wanted: &PathBuf, told: &PathBuf, started: SystemTime) -> bool {
    let is_there = |path: &Path| {
        inspect(path, FileKind::Screenshot, None, started).state == FileState::Verified
    };
    told != wanted
        && !is_there(wanted)
        && is_there(told)
        && super::create_parent(wanted).and_then(|()| std::fs::copy(told, wanted)).is_ok()
}
