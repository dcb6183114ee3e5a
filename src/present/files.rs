//! Screenshots and other files: a file is only claimed when it is there, fresh and not empty.

use serde_json::{Value, json};

use super::Shown;
use super::file_fact::{FileFact, FileState};
use super::section::Line;
use crate::outcome::{ImageRef, NextAction, NextPayload, Outcome, SuccessCategory, Verdict};

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    !shown.files.is_empty()
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let Some(file) = shown.files.first() else { return Outcome::success(Vec::new()) };
    let mut lines = vec![headline(shown.command(), file)];
    if let Some(requested) = &file.requested {
        lines.push(Line::ours("Requested path: ").path(requested));
    }
    lines.push(
        Line::ours("Absolute path: ")
            .path(file.path.to_string_lossy())
            .and(format!(" ({}; cwd ", file.state.word()))
            .path(shown.cwd.to_string_lossy())
            .and("; session ")
            .and(session_word(shown.session_label))
            .and(")"),
    );
    let mut outcome = Outcome::success(lines);
    outcome.verdict = Verdict::Success(match file.state {
        FileState::Verified => SuccessCategory::ArtifactSaved,
        FileState::Missing | FileState::Stale | FileState::Empty => {
            SuccessCategory::ArtifactUnverified
        }
    });
    outcome.details.insert("data".into(), shown.answer.data.clone());
    outcome.details.insert("artifacts".into(), json!([row(file, shown)]));
    outcome.details.insert("artifactVerification".into(), verification(file));
    outcome.next.push(next(file));
    if shown.command() == "screenshot" && file.state == FileState::Verified {
        outcome.images.push(ImageRef { path: file.path.clone() });
        outcome.details.insert("imagePath".into(), file.path.to_string_lossy().into());
    }
    outcome
}

fn session_word(label: &str) -> String {
    label.chars().filter(|c| c.is_ascii_alphanumeric() || "._-".contains(*c)).collect()
}

fn headline(command: &str, file: &FileFact) -> Line {
    let what = match command {
        "screenshot" => "Screenshot",
        "pdf" => "PDF",
        "download" | "wait" => "Download",
        "state" => "State file",
        _ => "File",
    };
    match file.state {
        FileState::Verified => {
            let size = file.size;
            let shape = file.dimensions.map_or_else(String::new, |(w, h)| format!("{w}x{h}, "));
            Line::ours(format!(
                "{what} saved and verified: {}, {shape}{size} bytes.",
                file.media_type
            ))
        }
        FileState::Missing => {
            Line::ours(format!("{what}: agent-browser reports success, but the file is not there."))
        }
        FileState::Stale => Line::ours(format!(
            "{what}: the file is older than this call, so it was not written now."
        )),
        FileState::Empty => Line::ours(format!("{what}: the file is there but empty.")),
    }
}

fn row(file: &FileFact, shown: &Shown<'_>) -> Value {
    json!({
        "path": file.path,
        "absolutePath": file.path,
        "requestedPath": file.requested,
        "kind": if shown.command() == "screenshot" { "image" } else { "file" },
        "artifactType": shown.command(),
        "mediaType": file.media_type,
        "exists": file.state != FileState::Missing,
        "sizeBytes": file.size,
        "status": file.state.status(),
        "cwd": shown.cwd,
        "session": shown.session_label,
    })
}

fn verification(file: &FileFact) -> Value {
    let verified = file.state == FileState::Verified;
    let missing = file.state == FileState::Missing;
    json!({
        "verified": verified,
        "verifiedCount": u8::from(verified),
        "missingCount": u8::from(missing),
        "pendingCount": 0,
        "unverifiedCount": u8::from(!verified && !missing),
        "artifacts": [{
            "path": file.path,
            "absolutePath": file.path,
            "requestedPath": file.requested,
            "exists": !missing,
            "sizeBytes": file.size,
            "state": file.state.state(),
            "status": file.state.status(),
        }],
    })
}

fn next(file: &FileFact) -> NextAction {
    let path = file.path.to_string_lossy().into_owned();
    let (id, reason) = match file.state {
        FileState::Verified => ("use-saved-artifact", "the file is there"),
        _ => ("verify-artifact-path", "do not trust the file before it was seen"),
    };
    NextAction {
        id: id.to_owned(),
        reason: reason.to_owned(),
        safety: None,
        payload: NextPayload::ArtifactPath(path),
        visible: false,
    }
}
