//! `details`: everything beside the visible text, within its bound (DEC-104).

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::kept::Keeper;
use super::{Trace, all_next, millis};
use crate::outcome::Outcome;
use crate::present::one_sentence;
use crate::redact::{MASK, Redactor, SafeJson};
use crate::session::carry::carried;
use crate::session::target::Target;

/// `details` as JSON.
const DETAILS_BYTES: usize = 32 * 1024;
/// What the manifest, the spill paths and the timing may need of it.
const RESERVE_BYTES: usize = 5 * 1024;
/// What the facts of most calls need of it.
const USUAL_FACT_BYTES: usize = 8 * 1024;
/// The part of them that a host with a transcript gives back to restore a session.
const FACT_BYTES: usize = 16 * 1024;
/// Entries of the manifest that are tried in turn; the latest one may be this call's own.
const MANIFEST_STEPS: [usize; 4] = [40, 20, 5, 1];
/// Longest strings that are tried in turn, in characters.
const STRING_STEPS: [usize; 4] = [4_000, 1_000, 300, 80];
/// Longest list that is left when nothing else has helped.
const LIST_ITEMS: usize = 20;

/// The fields, redacted.
pub(super) fn fields(outcome: &Outcome, trace: &Trace, redactor: &Redactor) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("args".into(), json!(redactor.argv(&trace.args)));
    if !trace.effective.is_empty() {
        fields.insert("effectiveArgs".into(), json!(redactor.argv(&trace.effective)));
    }
    fields.insert("command".into(), json!(trace.command));
    fields.insert("sessionMode".into(), trace.mode.name().into());
    session_fields(trace, &mut fields);
    fields.extend(outcome.verdict.to_details());
    for (key, echo) in &trace.echo {
        fields.insert((*key).to_owned(), echo.clone());
    }
    for (key, value) in &outcome.details {
        let value = match (key.as_str(), &outcome.compact) {
            ("data", Some(compact)) => compact,
            _ => value,
        };
        fields.insert(key.clone(), value.clone());
    }
    fields.entry("summary").or_insert_with(|| one_sentence(outcome).into());
    let prefix = trace.target.as_ref().map(Target::tokens).unwrap_or_default();
    let next: Vec<Value> = all_next(outcome).map(|action| action.to_details(&prefix)).collect();
    if !next.is_empty() {
        // The failed step offers what the whole call offers (RES-65).
        let failed =
            fields.get_mut("batchFailure").and_then(|failure| failure.get_mut("failedStep"));
        if let Some(step) = failed.and_then(Value::as_object_mut) {
            step.insert("nextActions".into(), Value::Array(next.clone()));
        }
        fields.insert("nextActions".into(), Value::Array(next));
    }
    if let Some(rows) = trace.debug_rows() {
        fields.insert("upstreamRows".into(), rows);
    }
    for (key, value) in &mut fields {
        if key != "data" || outcome.details.contains_key("batchSteps") {
            mask_typed(value, &Typed { words: &trace.typed, keys: &trace.typed_keys });
        }
        *value = redactor.json(value);
    }
    fields
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

/// What was typed into fields that nobody has seen.
struct Typed<'a> {
    words: &'a [String],
    /// The characters of texts that are typed key by key.
    keys: &'a BTreeSet<String>,
}

impl Typed<'_> {
    fn has(&self, text: &str) -> bool {
        self.words.iter().any(|word| word == text)
    }
}

/// Text that was typed into a field nobody has seen may be a password: it is masked wherever an
/// argument list repeats it, a single key only where it is pressed (DEC-68).
fn mask_typed(value: &mut Value, typed: &Typed<'_>) {
    if typed.words.is_empty() && typed.keys.is_empty() {
        return;
    }
    match value {
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let presses = items.first().is_some_and(|word| word == "press");
            let pressed = |text: &str| presses && typed.keys.contains(text);
            for item in items {
                if item.as_str().is_some_and(|text| typed.has(text) || pressed(text)) {
                    *item = MASK.into();
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| mask_typed(item, typed)),
        Value::Object(fields) => {
            for (key, field) in fields {
                match (key.as_str(), field.as_str().map(serde_json::from_str::<Value>)) {
                    // The rows of a job, as the JSON text that was sent.
                    ("stdin", Some(Ok(mut rows))) => {
                        mask_typed(&mut rows, typed);
                        *field = rows.to_string().into();
                    }
                    ("text" | "value", _) if is_typed(field, typed) => *field = MASK.into(),
                    _ => mask_typed(field, typed),
                }
            }
        }
        _ => {}
    }
}

fn is_typed(field: &Value, typed: &Typed<'_>) -> bool {
    field.as_str().is_some_and(|text| typed.has(text))
}

/// Puts the largest replaceable fields into files until the rest fits.
pub(super) fn spill_large(fields: &mut Map<String, Value>, keeper: &mut Keeper<'_>) {
    for key in ["data", "batchSteps", "upstreamRows", "stdout"] {
        if size(fields) <= DETAILS_BYTES - USUAL_FACT_BYTES - RESERVE_BYTES {
            return;
        }
        let Some(value) = fields.get(key) else { continue };
        let text = keeper.redactor.safe_json(value).to_text();
        if text.len() < 1_000 {
            continue;
        }
        let size = text.len();
        let stand_in = match keeper.keep(key, &text) {
            Ok(path) => json!({ "compacted": true, "bytes": size, "fullOutputPath": path }),
            Err(error) => json!({ "compacted": true, "bytes": size, "spillError": error }),
        };
        fields.insert(key.into(), stand_in);
    }
}

/// What every result ends with: facts for the host's transcript, and its cost (DEC-67).
pub(super) fn finish(fields: &mut Map<String, Value>, trace: &Trace, started: Instant) {
    let room = DETAILS_BYTES.saturating_sub(size(fields) + RESERVE_BYTES).min(FACT_BYTES);
    let facts = carried(&trace.facts, room);
    fields.insert("facts".into(), serde_json::to_value(facts).unwrap_or_default());
    fields.insert(
        "timing".into(),
        json!({
            "totalMs": millis(started.elapsed()),
            "upstreamMs": millis(trace.upstream_time),
            "upstreamProcesses": trace.processes,
        }),
    );
}

fn size(fields: &Map<String, Value>) -> usize {
    serde_json::to_string(fields).map_or(0, |text| text.len())
}

/// The gate, and the last word on the bound: manifest entries, refs, long strings, long lists.
pub(super) fn bounded(mut fields: Map<String, Value>, redactor: &Redactor) -> SafeJson {
    let fits = |fields: &Map<String, Value>| {
        let safe = redactor.safe_json(&Value::Object(fields.clone()));
        (safe.to_text().len() <= DETAILS_BYTES).then_some(safe)
    };
    if let Some(safe) = fits(&fields) {
        return safe;
    }
    for limit in MANIFEST_STEPS {
        shorten_manifest(&mut fields, limit);
        if let Some(safe) = fits(&fields) {
            return safe;
        }
    }
    // An exact call that is not whole is of no use.
    drop_long_actions(&mut fields);
    for limit in STRING_STEPS {
        fields.iter_mut().for_each(|(key, value)| {
            if key != "facts" || limit < 300 {
                cut_strings(value, limit);
            }
        });
        if let Some(safe) = fits(&fields) {
            return safe;
        }
    }
    fields.iter_mut().for_each(|(_, value)| cut_lists(value));
    fields.insert("detailsCut".into(), true.into());
    if let Some(safe) = fits(&fields) {
        return safe;
    }
    let base = [
        "command",
        "sessionMode",
        "sessionName",
        "resultCategory",
        "successCategory",
        "failureCategory",
        "summary",
        "fullOutputPath",
        "detailsCut",
        "timing",
    ];
    fields.retain(|key, _| base.contains(&key.as_str()));
    redactor.safe_json(&Value::Object(fields))
}

fn shorten_manifest(fields: &mut Map<String, Value>, limit: usize) {
    let Some(manifest) = fields.get_mut("artifactManifest") else { return };
    let Some(Value::Array(entries)) = manifest.get_mut("entries") else { return };
    let hidden = entries.len().saturating_sub(limit);
    entries.drain(..hidden);
    let before = manifest.get("omittedEntries").and_then(Value::as_u64).unwrap_or_default();
    if let (Some(fields), 1..) = (manifest.as_object_mut(), hidden) {
        fields.insert("omittedEntries".into(), (before + hidden as u64).into());
    }
}

fn drop_long_actions(fields: &mut Map<String, Value>) {
    if let Some(Value::Array(actions)) = fields.get_mut("nextActions") {
        actions.retain(|action| action.to_string().len() <= 2_000);
    }
}

fn cut_strings(value: &mut Value, limit: usize) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(limit) {
                let left_out = text.len() - end;
                text.truncate(end);
                text.push_str(&format!("... [{left_out} bytes cut]"));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| cut_strings(item, limit)),
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(_, field)| cut_strings(field, limit));
        }
        _ => {}
    }
}

fn cut_lists(value: &mut Value) {
    match value {
        Value::Array(items) => {
            let hidden = items.len().saturating_sub(LIST_ITEMS);
            items.truncate(LIST_ITEMS);
            if hidden > 0 {
                items.push(format!("... [{hidden} more items cut]").into());
            }
            items.iter_mut().for_each(cut_lists);
        }
        Value::Object(fields) => {
            let names: Vec<String> = fields.keys().skip(LIST_ITEMS * 3).cloned().collect();
            names.iter().for_each(|name| {
                fields.remove(name);
            });
            fields.iter_mut().for_each(|(_, field)| cut_lists(field));
        }
        _ => {}
    }
}
