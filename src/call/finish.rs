//! Outcome → reply: `details`, one redaction, bounds, spill, images, journal line.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::{Block, Engine, Reply, Trace};
use crate::artifact::image::inline;
use crate::outcome::{NextAction, Outcome, Spill, Verdict};
use crate::present::budget::cut;
use crate::present::one_sentence;
use crate::present::section::{Line, Span};
use crate::present::text::print;
use crate::redact::{Redactor, SafeJson, SafeText};
use crate::session::carry::carried;
use crate::session::fact::Fact;
use crate::session::journal::Entry;
use crate::session::lease::now_seconds;
use crate::session::target::Target;

/// All text blocks of a result (DEC-104).
const CONTENT_BYTES: usize = 12_000;
/// `details` as JSON.
const DETAILS_BYTES: usize = 32 * 1024;
/// The part of them that a host with a transcript gives back to restore a session.
const FACT_BYTES: usize = 16 * 1024;
/// Lines `Next:` at most.
const VISIBLE_NEXT: usize = 3;

/// The reply of a call, and its journal line.
pub(super) fn reply(
    engine: &Engine,
    mut outcome: Outcome,
    trace: Trace,
    started: Instant,
) -> Reply {
    let redactor = Redactor::new(trace.secrets.iter().cloned());
    for note in &trace.notes {
        outcome.answer.push(Line::ours(note.clone()));
    }
    let mut blocks = Vec::new();
    let images: Vec<Block> =
        outcome.images.iter().filter_map(|image| image_block(&image.path)).collect();
    add_scaled_notes(&mut outcome, &images);
    let spilled = spill(engine, &mut outcome, &redactor);
    let details = details(engine, &outcome, &trace, &redactor, started);
    let text = if trace.wants_json {
        json_text(engine, &outcome, &redactor)
    } else {
        print(&all_lines(engine, &outcome, &trace, &redactor), &redactor)
    };
    let text = bounded(engine, text, spilled);
    let bytes = text.len();
    blocks.push(Block::Text(text));
    if !trace.wants_json {
        blocks.extend(images);
    }
    let failure = match outcome.verdict {
        Verdict::Failure(category) => Some(category),
        Verdict::Success(_) => None,
    };
    journal(engine, &trace, &outcome, bytes, started);
    Reply { blocks, details, is_error: failure.is_some(), failure, is_json: trace.wants_json }
}

/// The lines in their order: answer, findings, `Next`, managed session (visible-text rule 6).
fn all_lines(engine: &Engine, outcome: &Outcome, trace: &Trace, redactor: &Redactor) -> Vec<Line> {
    let mut lines = outcome.answer.clone();
    if let Verdict::Failure(category) = outcome.verdict {
        let prefix = format!("Failed ({}, {}): ", category.name(), engine.options.failure_notice);
        let first = if lines.is_empty() { Line::ours("no reason given.") } else { lines.remove(0) };
        let head = match first {
            Line::Spans(_) => vec![Line::ours(prefix).append(&first)],
            other => vec![Line::ours(prefix.trim_end().to_owned()), other],
        };
        lines.splice(0..0, head);
    }
    for finding in &outcome.findings {
        lines.extend(finding.lines.iter().cloned());
    }
    let named = match trace.target.as_ref() {
        Some(target @ Target::Named(_)) => target.tokens(),
        _ => Vec::new(),
    };
    let visible = all_next(outcome).filter(|action| action.visible).take(VISIBLE_NEXT);
    for action in visible {
        if let Some(params) = action.params() {
            let params = redactor.json(&crate::outcome::prefixed(params, &named));
            lines.push(Line::ours("Next: ").push(Span::Json(params.to_string())));
        }
    }
    lines.extend(outcome.managed.iter().cloned());
    lines
}

fn all_next(outcome: &Outcome) -> impl Iterator<Item = &NextAction> {
    outcome.next.iter().chain(outcome.findings.iter().flat_map(|finding| &finding.next))
}

fn details(
    engine: &Engine,
    outcome: &Outcome,
    trace: &Trace,
    redactor: &Redactor,
    started: Instant,
) -> SafeJson {
    let mut fields = Map::new();
    fields.insert("args".into(), json!(redactor.argv(&trace.args, &[])));
    if !trace.effective.is_empty() {
        fields.insert("effectiveArgs".into(), json!(redactor.argv(&trace.effective, &[])));
    }
    fields.insert("command".into(), json!(trace.command));
    fields.insert("sessionMode".into(), trace.mode.name().into());
    session_fields(trace, &mut fields);
    match outcome.verdict {
        Verdict::Success(category) => {
            fields.insert("resultCategory".into(), "success".into());
            fields.insert("successCategory".into(), category.name().into());
        }
        Verdict::Failure(category) => {
            fields.insert("resultCategory".into(), "failure".into());
            fields.insert("failureCategory".into(), category.name().into());
        }
    }
    for (key, echo) in &trace.echo {
        fields.insert((*key).to_owned(), echo.clone());
    }
    fields.extend(outcome.details.clone());
    if let Some(compact) = &outcome.compact {
        fields.insert("data".into(), compact.clone());
    }
    fields.entry("summary").or_insert_with(|| one_sentence(outcome).into());
    let prefix = trace.target.as_ref().map(Target::tokens).unwrap_or_default();
    let next: Vec<Value> = all_next(outcome).map(|action| action.to_details(&prefix)).collect();
    if !next.is_empty() {
        fields.insert("nextActions".into(), Value::Array(next));
    }
    if let Some(rows) = Engine::debug_rows(trace) {
        fields.insert("upstreamRows".into(), rows);
    }
    fields.insert("facts".into(), carried_facts(trace));
    fields.insert(
        "timing".into(),
        json!({
            "totalMs": millis(started.elapsed()),
            "upstreamMs": millis(trace.upstream_time),
            "upstreamProcesses": trace.processes,
        }),
    );
    bound_details(engine, fields, redactor)
}

fn session_fields(trace: &Trace, fields: &mut Map<String, Value>) {
    match trace.target.as_ref() {
        Some(Target::Named(key)) => {
            fields.insert("sessionName".into(), key.name.clone().into());
            fields.insert("usedImplicitSession".into(), false.into());
        }
        Some(Target::Managed { key, .. }) => {
            fields.insert("sessionName".into(), key.name.clone().into());
            fields.insert("usedImplicitSession".into(), true.into());
        }
        Some(Target::None | Target::ThrowAway(_)) | None => {}
    }
}

fn carried_facts(trace: &Trace) -> Value {
    serde_json::to_value(carried(&trace.facts, FACT_BYTES)).unwrap_or_default()
}

/// Keeps `details` below their bound: the largest replaceable fields go to a file.
fn bound_details(engine: &Engine, mut fields: Map<String, Value>, redactor: &Redactor) -> SafeJson {
    for key in ["data", "batchSteps", "upstreamRows", "stdout", "facts"] {
        let whole = redactor.safe_json(&Value::Object(fields.clone()));
        if whole.to_text().len() <= DETAILS_BYTES {
            return whole;
        }
        let Some(value) = fields.get(key) else { continue };
        let text = redactor.safe_json(value).to_text();
        if text.len() < 1_000 {
            continue;
        }
        let size = text.len();
        let kept = engine.spill.keep(key, &text);
        let stand_in = match kept {
            Ok(path) => json!({ "compacted": true, "bytes": size, "fullOutputPath": path }),
            Err(error) => {
                json!({ "compacted": true, "bytes": size, "spillError": error.to_string() })
            }
        };
        fields.insert(key.into(), stand_in);
    }
    redactor.safe_json(&Value::Object(fields))
}

/// Puts the whole output into a private file and its path behind the answer.
fn spill(engine: &Engine, outcome: &mut Outcome, redactor: &Redactor) -> bool {
    let Some(Spill { stem, text, label }) = outcome.spill.take() else { return false };
    let safe = redactor.safe_text(&text);
    match engine.spill.keep(stem, &safe) {
        Ok(path) => {
            let shown = path.to_string_lossy().into_owned();
            outcome.answer.push(Line::ours(format!("{label} ")).path(shown.clone()));
            outcome.details.insert("fullOutputPath".into(), shown.into());
        }
        Err(error) => {
            outcome
                .answer
                .push(Line::ours(format!("{label} none, the file could not be written: {error}")));
        }
    }
    true
}

/// The whole visible text within its bound; what is cut goes to a file.
fn bounded(engine: &Engine, text: SafeText, spilled: bool) -> SafeText {
    if text.len() <= CONTENT_BYTES {
        return text;
    }
    let kept = if spilled { None } else { engine.spill.keep("answer", &text).ok() };
    let (mut short, note) = cut(text, CONTENT_BYTES - 300);
    if let Some(note) = note {
        let line = Line::ours(note.to_string());
        let line = match kept {
            Some(path) => line.and(" The whole answer: ").path(path.to_string_lossy()),
            None => line,
        };
        short.push_fixed("\n");
        short.push(&print(&[line], &Redactor::new([])));
    }
    short
}

/// Caller `--json`: one JSON document and nothing else (DEC-105).
fn json_text(engine: &Engine, outcome: &Outcome, redactor: &Redactor) -> SafeText {
    let data = outcome.details.get("data").cloned().unwrap_or(Value::Null);
    let error = outcome.details.get("error").or_else(|| outcome.details.get("validationError"));
    let document = |data: Value| {
        redactor.safe_json(&json!({
            "success": !outcome.verdict.is_failure(),
            "data": data,
            "error": error.cloned().unwrap_or(Value::Null),
        }))
    };
    let whole = document(data.clone()).to_text();
    if whole.len() <= CONTENT_BYTES {
        return whole;
    }
    let path = engine.spill.keep("data", &redactor.safe_json(&data).to_text()).ok();
    document(json!({ "compacted": true, "fullOutputPath": path })).to_text()
}

fn image_block(path: &std::path::Path) -> Option<Block> {
    let image = inline(path)?;
    Some(Block::Image {
        base64: image.base64,
        mime: image.mime,
        path: path.to_owned(),
        scaled: image.scaled,
    })
}

fn add_scaled_notes(outcome: &mut Outcome, images: &[Block]) {
    for block in images {
        if let Block::Image { scaled: Some((width, height)), .. } = block {
            outcome.answer.push(Line::ours(format!("Inline image scaled to {width}x{height}.")));
        }
    }
}

fn journal(engine: &Engine, trace: &Trace, outcome: &Outcome, bytes: usize, started: Instant) {
    let verdict = match outcome.verdict {
        Verdict::Success(category) => category.name(),
        Verdict::Failure(category) => category.name(),
    };
    let sub = trace.subcommand.as_deref().map_or_else(String::new, |word| format!(" {word}"));
    let entry = Entry {
        at: now_seconds(),
        what: format!("{}{sub}", trace.command.unwrap_or("-")),
        verdict: verdict.to_owned(),
        bytes,
        ms: millis(started.elapsed()),
        facts: trace.facts.iter().cloned().map(Fact::for_journal).collect(),
    };
    // A call does not fail because its journal line could not be written.
    let _ = engine.journal.append(&entry);
}

fn millis(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
