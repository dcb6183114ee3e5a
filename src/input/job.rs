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
mod tests {
    use super::*;

    fn rows(step: Value) -> Vec<Vec<String>> {
        Job::decode(&json!({"steps": [step]})).unwrap().compile().rows.unwrap()
    }

    fn refused(job: Value) -> String {
        Job::decode(&job).unwrap_err().message.plain()
    }

    // IN-JOB-02, IN-JOB-03, IN-JOB-04, IN-JOB-05, IN-JOB-07, IN-JOB-08
    #[test]
    fn steps_become_rows_of_one_batch() {
        let job =
            json!({"steps": [{"action": "open", "url": "http://a.test/", "loadState": "load"}]});
        let compiled = Job::decode(&job).unwrap().compile();
        assert_eq!(compiled.args, ["batch", "--bail"]);
        assert_eq!(
            compiled.rows.unwrap(),
            [vec!["open", "http://a.test/"], vec!["wait", "--load", "load"]]
        );
        assert_eq!(compiled.echo[0].1["failFast"], true);
        let slow = json!({"steps": [{"action": "snapshot"}], "failFast": false});
        assert_eq!(Job::decode(&slow).unwrap().compile().args, ["batch"]);
    }

    // IN-JOB-09, IN-JOB-10, IN-JOB-15, IN-JOB-16, IN-JOB-17, IN-JOB-19, IN-JOB-20, IN-JOB-21, IN-JOB-06
    #[test]
    fn every_action_has_its_row() {
        let one = |step| rows(step).remove(0);
        assert_eq!(one(json!({"action": "click", "selector": "@e1"})), ["click", "@e1"]);
        assert_eq!(
            one(json!({"action": "click", "locator": "role", "role": "button", "name": "Go"})),
            ["find", "role", "button", "click", "--name", "Go"]
        );
        assert_eq!(
            one(json!({"action": "fill", "selector": "#a", "text": "b"})),
            ["fill", "#a", "b"]
        );
        assert_eq!(
            one(json!({"action": "select", "selector": "#a", "value": "b"})),
            ["select", "#a", "b"]
        );
        assert_eq!(
            one(json!({"action": "select", "selector": "#a", "values": ["b", "c d"]})),
            ["select", "#a", "b", "c d"]
        );
        let nothing = json!({"steps": [{"action": "select", "selector": "#a"}]});
        assert!(refused(nothing).contains("job.steps[0]"));
        assert_eq!(one(json!({"action": "wait", "milliseconds": 5})), ["wait", "5"]);
        assert_eq!(one(json!({"action": "assertText", "text": "x"})), ["wait", "--text", "x"]);
        assert_eq!(
            one(json!({"action": "waitForDownload", "path": "x"})),
            ["wait", "--download", "x"]
        );
        assert_eq!(one(json!({"action": "screenshot", "path": "x.png"})), ["screenshot", "x.png"]);
        assert_eq!(one(json!({"action": "snapshot"})), ["snapshot", "-i"]);
    }

    // IN-JOB-23, IN-JOB-22
    #[test]
    fn no_step_gets_a_row_that_nobody_asked_for_and_selectors_stay_as_they_are() {
        let steps = json!([{"action": "click", "selector": "@e7"}, {"action": "click", "selector": "a > b[x='1']"}]);
        let rows = Job::decode(&json!({ "steps": steps })).unwrap().compile().rows.unwrap();
        assert_eq!(rows, [["click", "@e7"], ["click", "a > b[x='1']"]]);
    }

    // HAZ-21, IN-JOB-11, IN-JOB-12, IN-JOB-13, DEC-44
    #[test]
    fn typing_sends_keystrokes_and_other_characters_as_text() {
        let typed =
            rows(json!({"action": "type", "selector": "#q", "text": "a é", "press": "Enter"}));
        let expected = [
            vec!["focus", "#q"],
            vec!["press", "a"],
            vec!["press", "Space"],
            vec!["keyboard", "type", "é"],
            vec!["press", "Enter"],
        ];
        assert_eq!(typed, expected);
        let slow = rows(json!({"action": "type", "text": "ab", "delayMs": 30}));
        assert_eq!(slow, [vec!["press", "a"], vec!["wait", "30"], vec!["press", "b"]]);
        let long = rows(json!({"action": "type", "text": "x".repeat(300)}));
        assert_eq!(long.len(), 1);
        let limit = json!({"steps": [{"action": "type", "text": "x".repeat(201), "delayMs": 1}]});
        assert!(refused(limit).contains("201 characters"));
    }

    // DEC-44
    #[test]
    fn what_a_step_and_a_job_may_hold_is_limited() {
        let typed = |count: usize, delay: Option<u64>| {
            let step = json!({"action": "type", "text": "x".repeat(count), "delayMs": delay});
            Job::decode(&json!({"steps": [step]})).map(|job| job.compile().rows.unwrap().len())
        };
        assert_eq!(typed(10_000, None).unwrap(), 1);
        assert!(typed(10_001, None).unwrap_err().message.plain().contains("10001 characters"));
        assert_eq!(typed(200, Some(2_000)).unwrap(), 399);
        for delay in [0, 2_001] {
            let said = typed(2, Some(delay)).unwrap_err().message.plain();
            assert!(said.starts_with("job.steps[0].delayMs must be a whole number from 1 to 2000"));
        }
        assert_eq!(rows(json!({"action": "wait", "milliseconds": 600_000})), [["wait", "600000"]]);
        let long = json!({"steps": [{"action": "wait", "milliseconds": 600_001}]});
        assert!(refused(long).contains("from 1 to 600000"));
        let slow = json!({"action": "type", "text": "x".repeat(200), "delayMs": 1});
        let job = |count: usize, more: usize| {
            let mut steps = vec![slow.clone(); count];
            steps.extend(vec![json!({"action": "snapshot"}); more]);
            json!({ "steps": steps })
        };
        let full = Job::decode(&job(2, 98)).unwrap().compile().rows.unwrap().len();
        assert_eq!(full, 896);
        assert_eq!(refused(job(3, 0)), "the job needs 1197 rows, the limit is 1000.");
    }

    // HAZ-20, IN-JOB-18
    #[test]
    fn an_absolute_url_is_compared_as_a_whole() {
        let exact = url_assertion("http://shop.test/home");
        assert_eq!(exact[1], "--fn");
        assert!(exact[2].contains("\"http://shop.test/home\""));
        assert_eq!(asserted_url(&exact[2]).as_deref(), Some("http://shop.test/home"));
        assert_eq!(asserted_url("location.href === 'x'"), None);
        assert_eq!(url_assertion("**/home?x=1"), ["wait", "--url", "**/home?x=1"]);
        for part in ["/home", "localhost:3000/home", "file:///**/a.html"] {
            assert_eq!(url_assertion(part), ["wait", "--url", part]);
        }
        for whole in ["file:///home/ann/a.html", "about:blank", "http://[::1]:80/a#b"] {
            assert_eq!(asserted_url(&url_assertion(whole)[2]).as_deref(), Some(whole));
        }
        for url in ["**/a?b=1&c=*", "http://shop.test/home"] {
            assert_eq!(rows(json!({"action": "assertUrl", "url": url})), [url_assertion(url)]);
        }
    }

    // IN-JOB-01, IN-JOB-06
    #[test]
    fn wrong_steps_are_refused_by_their_place() {
        assert_eq!(refused(json!({})), "job.steps is missing.");
        assert!(refused(json!({"steps": []})).contains("1 to 100 steps"));
        let many = vec![json!({"action": "snapshot"}); 101];
        assert!(refused(json!({"steps": many})).contains("1 to 100 steps"));
        assert!(
            refused(json!({"steps": [{"action": "hover"}]}))
                .starts_with("job.steps[0].action must be one of")
        );
        assert!(
            refused(json!({"steps": [{"action": "open"}]})).contains("job.steps[0].url is missing")
        );
        let extra = json!({"steps": [{"action": "snapshot", "url": "x"}]});
        assert!(refused(extra).contains("job.steps[0].url does not belong to snapshot"));
        assert!(
            refused(json!({"steps": [{"action": "wait", "milliseconds": 0}]}))
                .contains("from 1 to 600000")
        );
    }
}
