//! Files of a reply: what was saved, what was too long, and what that means for the manifest.

use serde_json::{Map, Value, json};

use super::text::Draft;
use super::{Engine, Trace};
use crate::artifact::manifest::{CLEANUP_NOTE, DEFAULT_ENTRIES, Manifest};
use crate::file_fact::{FileFact, FileKind, FileState};
use crate::line::Line;
use crate::outcome::{Outcome, Spill};
use crate::present::files::verification_of;
use crate::redact::{Redactor, SafeText};
use crate::session::artifact::{Artifact, Scope};
use crate::session::fact::Fact;

/// Keeps what is too long, and remembers every file of the call.
pub(super) struct Keeper<'a> {
    engine: &'a Engine,
    pub(super) redactor: &'a Redactor,
    command: &'static str,
    news: News,
}

/// What a call did to the session's files.
#[derive(Default)]
pub(super) struct News {
    pub(super) facts: Vec<Fact>,
    /// Files that hold the rest of this result.
    pub(super) spilled: Vec<String>,
    /// The visible text names one of them.
    shown: bool,
    evicted: usize,
}

impl<'a> Keeper<'a> {
    pub(super) fn new(engine: &'a Engine, redactor: &'a Redactor, command: &'static str) -> Self {
        Self { engine, redactor, command, news: News::default() }
    }

    /// Files that the command saved; what is pending or not there adds no entry (ART-29).
    pub(super) fn files(&mut self, files: &[FileFact]) {
        for file in files.iter().filter(|file| file.state == FileState::Verified) {
            let artifact = Artifact {
                path: file.path.to_string_lossy().into_owned(),
                kind: file.kind.kind().to_owned(),
                command: self.command.to_owned(),
                scope: Scope::ExplicitPath,
                // A recording lies where its start said; its end names no path.
                requested: file.requested.is_some() || file.kind == FileKind::Recording,
                size: file.size,
                evicted: false,
            };
            self.news.facts.push(Fact::ArtifactSaved { artifact });
        }
    }

    /// Writes a private file and answers its path, or why there is none (ART-20).
    pub(super) fn keep(&mut self, stem: &str, text: &SafeText) -> Result<String, String> {
        let kept = self.engine.spill.keep(stem, text).map_err(|error| error.to_string())?;
        for path in kept.evicted {
            self.news.evicted += 1;
            let path = path.to_string_lossy().into_owned();
            self.news.facts.push(Fact::ArtifactEvicted { path });
        }
        let path = kept.path.to_string_lossy().into_owned();
        let artifact = Artifact {
            path: path.clone(),
            kind: "spill".to_owned(),
            command: self.command.to_owned(),
            scope: self.engine.spill.scope(),
            requested: false,
            size: kept.size,
            evicted: false,
        };
        self.news.facts.push(Fact::ArtifactSaved { artifact });
        self.news.spilled.push(path.clone());
        Ok(path)
    }

    /// Puts the whole output into a private file and its path behind the answer.
    pub(super) fn spill(&mut self, outcome: &mut Outcome) {
        for Spill { stem, text, label } in std::mem::take(&mut outcome.spills) {
            self.spill_one(stem, &text, &label, outcome);
        }
    }

    fn spill_one(&mut self, stem: &str, text: &str, label: &str, outcome: &mut Outcome) {
        let safe = self.redactor.safe_text(text);
        match self.keep(stem, &safe) {
            Ok(path) => {
                self.news.shown = true;
                outcome.answer.push(Line::ours(format!("{label} ")).path(path));
            }
            Err(error) => {
                let line = format!("{label} none, the file could not be written: {error}");
                outcome.answer.push(Line::ours(line));
                outcome.details.insert("spillError".into(), error.into());
            }
        }
    }

    /// The same for the visible text itself.
    pub(super) fn keep_answer(&mut self, text: &SafeText) -> Result<String, String> {
        let kept = self.keep("answer", text);
        self.news.shown |= kept.is_ok();
        kept
    }

    pub(super) fn into_news(self) -> News {
        self.news
    }
}

/// The manifest in `details`, and its line where it matters (ART-14), or the note of a close.
pub(super) fn describe(
    engine: &Engine,
    trace: &Trace,
    outcome: &Outcome,
    news: &News,
    fields: &mut Map<String, Value>,
    draft: &mut Draft,
) {
    spilled_paths(&news.spilled, fields);
    let closes = trace.command == Some("close") && !outcome.verdict.is_failure();
    if news.facts.is_empty() && !closes {
        return;
    }
    let window = engine.options.env.text("PI_AGENT_BROWSER_SESSION_ARTIFACT_MANIFEST_MAX_ENTRIES");
    let window = window.and_then(|text| text.parse().ok()).unwrap_or(DEFAULT_ENTRIES);
    let artifacts = engine.state().artifacts.clone();
    let manifest = Manifest::look(&artifacts, window);
    if manifest.is_empty() {
        return;
    }
    verify_spilled(&manifest, &news.spilled, fields);
    fields.insert("artifactManifest".into(), manifest.details(window));
    fields.insert("artifactRetentionSummary".into(), manifest.summary().into());
    if closes {
        fields.insert("artifactCleanup".into(), manifest.cleanup());
        draft.note(Line::ours(format!("Artifact lifecycle: {CLEANUP_NOTE}")));
    } else if news.shown || news.evicted > 0 {
        draft.note(Line::ours(manifest.summary()));
    }
    if news.evicted > 0 {
        draft.note(Line::ours(format!(
            "{} older output files were deleted to make room.",
            news.evicted
        )));
    }
}

/// `fullOutputPath`, and the plural where there are several (ART-15, RES-64).
fn spilled_paths(paths: &[String], fields: &mut Map<String, Value>) {
    if let Some(first) = paths.first() {
        fields.insert("fullOutputPath".into(), first.clone().into());
    }
    if paths.len() > 1 {
        fields.insert("fullOutputPaths".into(), json!(paths));
    }
}

/// Spill files stand in the verification of the result that points to them (ART-06).
fn verify_spilled(manifest: &Manifest<'_>, paths: &[String], fields: &mut Map<String, Value>) {
    let rows = manifest.spilled(paths);
    if rows.is_empty() {
        return;
    }
    let before = fields.get_mut("artifactVerification").and_then(|told| told.get_mut("artifacts"));
    let mut entries = match before.map(Value::take) {
        Some(Value::Array(entries)) => entries,
        _ => Vec::new(),
    };
    entries.extend(rows);
    fields.insert("artifactVerification".into(), verification_of(entries));
}
