//! Screenshots and other files: a file is only claimed when it is there, fresh and not empty.

use serde_json::{Value, json};

use super::Shown;
use super::words::{list, plain_word, text};
use crate::file_fact::{FileFact, FileKind, FileState};
use crate::line::Line;
use crate::outcome::{ImageRef, NextAction, NextPayload, Outcome, SuccessCategory, Verdict};

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    !shown.files.is_empty() || shown.command() == "screenshot"
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let data = &shown.answer.data;
    if data.get("changed").and_then(Value::as_bool) == Some(false) {
        let line = "Screenshot left out: the picture is the same as the one before.";
        return Outcome::success(vec![line.into()]).with_detail("data", data.clone());
    }
    let mut outcome = Outcome::success(Vec::new()).with_detail("data", data.clone());
    for file in shown.files {
        outcome.answer.extend(file_lines(file, shown));
    }
    if outcome.answer.is_empty() {
        outcome.answer.push("agent-browser reports success but names no file.".into());
    }
    outcome.answer.extend(legend(data));
    attach(shown, &mut outcome);
    outcome
}

/// Headline and paths of one file (PRES-SHOT-01, PRES-DL-01, PRES-FILE-01).
pub(super) fn file_lines(file: &FileFact, shown: &Shown<'_>) -> Vec<Line> {
    let path = file.path.to_string_lossy().into_owned();
    let completed = file.kind == FileKind::Download && file.state == FileState::Verified;
    let mut lines = Vec::new();
    if completed {
        lines.push(Line::ours("Download completed: ").path(&path));
    }
    lines.push(headline(file));
    if completed {
        // Its first line names the path.
        return lines;
    }
    if let Some(requested) = &file.requested {
        lines.push(Line::ours("Requested path: ").path(requested));
    }
    lines.push(
        Line::ours("Absolute path: ")
            .path(path)
            .and(format!(" ({}; cwd ", file.state.word()))
            .path(shown.cwd.to_string_lossy())
            .and("; session ")
            .word(shown.session_label)
            .and(")"),
    );
    lines
}

fn headline(file: &FileFact) -> Line {
    let what = file.kind.title();
    match file.state {
        FileState::Verified => {
            let size = file.size;
            let shape = file.dimensions.map_or_else(String::new, |(w, h)| format!("{w}x{h}, "));
            let copied = match file.copied_from {
                Some(_) => "; copied from upstream's temporary file",
                None => "",
            };
            let what = if file.kind == FileKind::Download { "File" } else { what };
            Line::ours(format!("{what} saved and verified: {}, ", plain_media(&file.media_type)))
                .and(format!("{shape}{size} bytes{copied}."))
        }
        FileState::Missing => {
            Line::ours(format!("{what}: agent-browser reports success, but the file is not there."))
        }
        FileState::Stale => Line::ours(format!(
            "{what}: the file is older than this call, so it was not written now."
        )),
        FileState::Empty => Line::ours(format!("{what}: the file is there but empty.")),
        FileState::Pending => Line::ours(format!("{what}: not written yet.")),
    }
}

/// Media types hold a slash, which no other word of ours does.
fn plain_media(media_type: &str) -> String {
    media_type.chars().filter(|c| c.is_ascii_alphanumeric() || "/.+-".contains(*c)).collect()
}

/// The numbers of an annotated picture: `1 @e1 heading "Links"`.
fn legend(data: &Value) -> Vec<Line> {
    let marks = list(data, "annotations");
    if marks.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::ours("Labels in the picture:")];
    let rows = marks.iter().map(|mark| {
        let number = mark.get("number").and_then(Value::as_u64).unwrap_or_default();
        let (found, role) = (plain_word(text(mark, "ref")), plain_word(text(mark, "role")));
        Line::Tree(format!("- {number} {role} {} [ref={found}]", json!(text(mark, "name"))))
    });
    lines.extend(super::words::first_rows(rows.collect(), 60, "label"));
    lines
}

/// Category, `artifacts`, `artifactVerification`, the saved path, the image and what to do next.
pub(super) fn attach(shown: &Shown<'_>, outcome: &mut Outcome) {
    if shown.files.is_empty() {
        return;
    }
    let files = shown.files;
    outcome.files.extend(files.iter().cloned());
    outcome.verdict = Verdict::Success(category(files));
    let rows: Vec<Value> = files.iter().map(|file| row(file, shown)).collect();
    outcome.details.insert("artifacts".into(), Value::Array(rows));
    outcome.details.insert("artifactVerification".into(), verification(files));
    let saves = matches!(shown.command(), "download" | "pdf" | "wait");
    if let Some(file) = files.first().filter(|_| saves) {
        outcome.details.insert("savedFilePath".into(), file.path.to_string_lossy().into());
        outcome.details.insert("savedFile".into(), row(file, shown));
    }
    outcome.next.extend(files.iter().map(next));
    if shown.command() == "screenshot" {
        for file in files.iter().filter(|file| file.state == FileState::Verified) {
            outcome.images.push(ImageRef { path: file.path.clone() });
            outcome.details.insert("imagePath".into(), file.path.to_string_lossy().into());
        }
    }
}

/// RES-11, RES-12, DEC-61: what is not verified decides, then what is saved, then what is pending.
pub(super) fn category(files: &[FileFact]) -> SuccessCategory {
    let any = |state: &[FileState]| files.iter().any(|file| state.contains(&file.state));
    if any(&[FileState::Missing, FileState::Stale, FileState::Empty]) {
        SuccessCategory::ArtifactUnverified
    } else if any(&[FileState::Pending]) {
        SuccessCategory::ArtifactPending
    } else if any(&[FileState::Verified]) {
        SuccessCategory::ArtifactSaved
    } else {
        SuccessCategory::Completed
    }
}

/// ART-02
fn row(file: &FileFact, shown: &Shown<'_>) -> Value {
    let pending = file.state == FileState::Pending;
    let mut row = json!({
        "path": file.path,
        "absolutePath": file.path,
        "requestedPath": file.requested,
        "kind": file.kind.kind(),
        "artifactType": file.kind.artifact_type(),
        "mediaType": file.media_type,
        "extension": file.path.extension().map(|ending| ending.to_string_lossy()),
        "exists": !matches!(file.state, FileState::Missing | FileState::Pending),
        "sizeBytes": file.size,
        "status": file.state.status(),
        "cwd": shown.cwd,
        "session": shown.session_label,
    });
    if let Some(fields) = row.as_object_mut() {
        if let Some(temp) = &file.copied_from {
            fields.insert("tempPath".into(), temp.to_string_lossy().into());
            fields.insert("status".into(), "repaired".into());
        }
        if pending {
            fields.insert("pending".into(), true.into());
            fields.insert("recordingState".into(), "openRecording".into());
            fields.insert("willExistOnStop".into(), true.into());
        }
    }
    row
}

/// ART-05
pub(super) fn verification(files: &[FileFact]) -> Value {
    let entries = files.iter().map(|file| {
        json!({
            "path": file.path,
            "absolutePath": file.path,
            "requestedPath": file.requested,
            "kind": file.kind.kind(),
            "mediaType": file.media_type,
            "exists": !matches!(file.state, FileState::Missing | FileState::Pending),
            "sizeBytes": file.size,
            "state": file.state.state(),
            "status": file.state.status(),
            "limitation": file.state.limitation(),
        })
    });
    verification_of(entries.collect())
}

/// `artifactVerification` of all files of a result, whoever has written them (ART-04).
#[must_use]
pub fn verification_of(entries: Vec<Value>) -> Value {
    let of = |state: &str| {
        let is = |entry: &&Value| entry.get("state").and_then(Value::as_str) == Some(state);
        entries.iter().filter(is).count()
    };
    json!({
        "verified": of("verified") == entries.len(),
        "verifiedCount": of("verified"),
        "missingCount": of("missing"),
        "pendingCount": of("pending"),
        "unverifiedCount": of("unverified"),
        "artifacts": entries,
    })
}

pub(super) fn next(file: &FileFact) -> NextAction {
    let path = file.path.to_string_lossy().into_owned();
    let at_path = |id: &str, reason: &str| NextAction {
        id: id.to_owned(),
        reason: reason.to_owned(),
        safety: None,
        payload: NextPayload::ArtifactPath(path.clone()),
        visible: false,
    };
    match (file.state, file.kind) {
        (FileState::Verified, _) => at_path("use-saved-artifact", "the file is there"),
        (FileState::Pending, _) => NextAction::args(
            "stop-pending-recording",
            "the file is written when the recording stops",
            &["record", "stop"],
        )
        .routine(),
        (FileState::Missing, FileKind::Download) => wait_for_download(&path),
        _ => at_path("verify-artifact-path", "do not trust the file before it was seen"),
    }
}

/// NEXT-60
pub(super) fn wait_for_download(path: &str) -> NextAction {
    NextAction::args(
        "wait-for-download",
        "the file may still be on its way",
        &["wait", "--download", path],
    )
}

/// The same without a path.
pub(super) fn wait_for_any_download() -> NextAction {
    NextAction::args(
        "wait-for-download",
        "the file may still be on its way",
        &["wait", "--download"],
    )
}
