//! `job`: a flow of steps in one call (IN-JOB).

use serde_json::{Value, json};

use super::fields::{Fields, wrong};
use super::schema::{flag, number, object, plain, strings};
use super::semantic::{self, SemanticAction};
use super::{Compiled, CompiledStep};
use crate::error::{Checked, Refusal};

const ACTIONS: [&str; 11] = [
    "open",
    "click",
    "fill",
    "type",
    "select",
    "wait",
    "assertText",
    "assertUrl",
    "waitForDownload",
    "snapshot",
    "screenshot",
];
/// How a flow holds a command that is no action of a job.
const OTHERS: &str = "Agent-browser hint: other commands (check, press, hover) are rows of \
     {\"args\":[\"batch\",\"--bail\"],\"stdin\":\"[[\\\"press\\\",\\\"Escape\\\"]]\"}.";
/// Load states of `open` and `qa`.
pub(super) const LOAD_STATES: [&str; 3] = ["domcontentloaded", "load", "networkidle"];
const STEP_LIMIT: usize = 100;
/// Rows of a job or of a caller's batch.
pub const ROW_LIMIT: usize = 1_000;
const TYPED_LIMIT: usize = 200;
const TEXT_LIMIT: usize = 10_000;

pub(super) const FIELDS: [&str; 2] = ["steps", "failFast"];

/// Fields of one step, over all actions.
pub(super) const STEP_FIELDS: [&str; 14] = [
    "action",
    "url",
    "loadState",
    "selector",
    "locator",
    "value",
    "role",
    "name",
    "text",
    "values",
    "delayMs",
    "press",
    "milliseconds",
    "path",
];

/// The decoded job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    steps: Vec<CompiledStep>,
    fail_fast: bool,
}

impl Job {
    /// Decodes and compiles the object.
    ///
    /// # Errors
    /// A `validation-error` that names the step and the field.
    pub fn decode(value: &Value) -> Checked<Self> {
        let fields = Fields::of("job", value, &FIELDS)?;
        let Some(Value::Array(items)) = fields.get("steps") else {
            return Err(match fields.get("steps") {
                None => Refusal::invalid("job.steps is missing."),
                Some(other) => wrong("job.steps", "a list of steps", other),
            });
        };
        if items.is_empty() || items.len() > STEP_LIMIT {
            return Err(Refusal::invalid(format!("job.steps must hold 1 to {STEP_LIMIT} steps.")));
        }
        let steps = items
            .iter()
            .enumerate()
            .map(|(index, item)| step(&format!("job.steps[{index}]"), item));
        let steps = steps.collect::<Checked<Vec<CompiledStep>>>()?;
        let rows: usize = steps.iter().map(|step| step.rows.len()).sum();
        if rows > ROW_LIMIT {
            return Err(Refusal::invalid(format!(
                "the job needs {rows} rows, the limit is {ROW_LIMIT}."
            )));
        }
        Ok(Self { steps, fail_fast: fields.flag("failFast")?.unwrap_or(true) })
    }

    /// The batch.
    #[must_use]
    pub fn compile(&self) -> Compiled {
        compiled(&self.steps, self.fail_fast, "compiledJob")
    }
}

/// A batch from steps, with its echo.
pub(super) fn compiled(steps: &[CompiledStep], fail_fast: bool, key: &'static str) -> Compiled {
    let mut args = vec!["batch".to_owned()];
    if fail_fast {
        args.push("--bail".to_owned());
    }
    let rows: Vec<Vec<String>> = steps.iter().flat_map(|step| step.rows.iter().cloned()).collect();
    let shown: Vec<Value> = steps
        .iter()
        .map(|step| json!({ "action": step.action, "args": step.rows.first() }))
        .collect();
    let echo = json!({ "args": args, "stdin": rows, "steps": shown, "failFast": fail_fast });
    Compiled { args, rows: Some(rows), echo: vec![(key, echo)], steps: steps.to_vec() }
}

pub(super) fn schema() -> Value {
    let step = object(
        "action open{url,loadState} click fill{as semanticAction} select{selector,values} type{text,selector,delayMs,press} \
         wait{milliseconds} assertText{text} assertUrl{url} waitForDownload{path} snapshot screenshot{path}",
        json!({
            "action": plain(), "url": plain(), "loadState": plain(), "selector": plain(),
            "locator": plain(), "value": plain(), "role": plain(), "name": plain(), "text": plain(),
            "values": strings(""), "delayMs": number(""), "press": plain(),
            "milliseconds": number(""), "path": plain(),
        }),
        &["action"],
    );
    object(
        "Several steps in one call",
        json!({ "steps": { "type": "array", "items": step }, "failFast": flag("") }),
        &["steps"],
    )
}

/// A step of this form is taken.
pub(super) fn accepts(value: &Value) -> bool {
    step("", value).is_ok()
}

fn step(path: &str, value: &Value) -> Checked<CompiledStep> {
    let fields = Fields::of(path, value, &STEP_FIELDS)?;
    let action = fields.choice("action", &ACTIONS).map_err(|refusal| refusal.hint(OTHERS))?;
    let action = action.ok_or_else(|| Refusal::invalid(format!("{path}.action is missing.")))?;
    only(&fields, action)?;
    let rows = match action {
        "open" => open_rows(&fields)?,
        "click" | "fill" | "select" => vec![SemanticAction::decode(path, value)?.words()],
        "type" => type_rows(&fields)?,
        "wait" => {
            let ms = fields.number("milliseconds", 1, 600_000)?;
            let ms =
                ms.ok_or_else(|| Refusal::invalid(format!("{path}.milliseconds is missing.")))?;
            vec![words(&["wait", &ms.to_string()])]
        }
        "assertText" => vec![words(&["wait", "--text", &fields.required("text")?])],
        "assertUrl" => vec![url_assertion(&fields.required("url")?)],
        "waitForDownload" => vec![words(&["wait", "--download", &fields.required("path")?])],
        "snapshot" => vec![words(&["snapshot", "-i"])],
        _ => vec![words(&["screenshot", &fields.required("path")?])],
    };
    Ok(CompiledStep { action, rows })
}

/// Fields that a step's action does not know are refused, never ignored.
fn only(fields: &Fields<'_>, action: &str) -> Checked<()> {
    let allowed: &[&str] = match action {
        "open" => &["url", "loadState"],
        "click" | "fill" | "select" => &semantic::FIELDS,
        "type" => &["selector", "text", "delayMs", "press"],
        "wait" => &["milliseconds"],
        "assertText" => &["text"],
        "assertUrl" => &["url"],
        "waitForDownload" | "screenshot" => &["path"],
        _ => &[],
    };
    let unknown = STEP_FIELDS
        .iter()
        .find(|field| **field != "action" && fields.has(field) && !allowed.contains(field));
    match unknown {
        None => Ok(()),
        Some(field) => {
            Err(Refusal::invalid(format!("{} does not belong to {action}.", fields.name(field))))
        }
    }
}

fn open_rows(fields: &Fields<'_>) -> Checked<Vec<Vec<String>>> {
    let mut rows = vec![words(&["open", &fields.required("url")?])];
    if let Some(state) = fields.choice("loadState", &LOAD_STATES)? {
        rows.push(words(&["wait", "--load", state]));
    }
    Ok(rows)
}

/// Printable ASCII as real keystrokes, everything else as typed text (HAZ-21, DEC-44).
fn type_rows(fields: &Fields<'_>) -> Checked<Vec<Vec<String>>> {
    let text = fields.required("text")?;
    let delay = fields.number("delayMs", 1, 2_000)?;
    let length = text.chars().count();
    let limit = if delay.is_some() { TYPED_LIMIT } else { TEXT_LIMIT };
    if length > limit {
        let name = fields.name("text");
        return Err(Refusal::invalid(format!(
            "{name} has {length} characters, the limit here is {limit}."
        )));
    }
    let mut rows = Vec::new();
    if let Some(selector) = fields.text("selector")? {
        rows.push(words(&["focus", &selector]));
    }
    if length > TYPED_LIMIT {
        rows.push(words(&["keyboard", "type", &text]));
    } else {
        for (index, character) in text.chars().enumerate() {
            if let Some(delay) = delay.filter(|_| index > 0) {
                rows.push(words(&["wait", &delay.to_string()]));
            }
            rows.push(match character {
                '\n' => words(&["press", "Enter"]),
                ' ' => words(&["press", "Space"]),
                '!'..='~' => words(&["press", &character.to_string()]),
                other => words(&["keyboard", "type", &other.to_string()]),
            });
        }
    }
    if let Some(key) = fields.text("press")? {
        rows.push(words(&["press", &key]));
    }
    Ok(rows)
}

/// Absolute URLs are compared exactly; globs and parts stay upstream's (HAZ-20).
pub(super) fn url_assertion(url: &str) -> Vec<String> {
    // `localhost:3000/home` has a scheme too, and none that is meant.
    let absolute = url::Url::parse(url)
        .is_ok_and(|parsed| parsed.has_host() || matches!(parsed.scheme(), "file" | "about"));
    if !absolute || url.contains('*') {
        return words(&["wait", "--url", url]);
    }
    let wanted = Value::String(url.to_owned());
    let bare = if url.contains('#') { "location.href" } else { "location.href.split('#')[0]" };
    words(&["wait", "--fn", &format!("({SAME_URL})({bare}, {wanted})")])
}

/// Equal but for a slash at the end.
const SAME_URL: &str = "(a, b) => a === b || a === b + '/' || a + '/' === b";

/// The address in a condition of [`url_assertion`].
#[must_use]
pub fn asserted_url(condition: &str) -> Option<String> {
    let rest = condition.strip_prefix('(')?.strip_prefix(SAME_URL)?;
    let (_, wanted) = rest.strip_suffix(')')?.split_once(", ")?;
    serde_json::from_str(wanted).ok()
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
#[path = "job_tests.rs"]
mod tests;
