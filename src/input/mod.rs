//! What the caller sent: exactly one mode and its modifiers. Pure; errors name the field and the
//! remedy.

pub mod electron;
pub(crate) mod fields;
pub mod job;
pub mod network_lookup;
pub mod qa;
mod qa_page;
mod repair;
mod sample;
pub mod schema;
pub mod semantic;
pub mod source_lookup;

use serde_json::{Map, Value, json};

use crate::error::{Checked, Refusal};
use crate::line::{Line, Span};
use crate::session::target::SessionMode;

use electron::Electron;
use fields::with_call;
use job::Job;
use network_lookup::NetworkLookup;
use qa::Qa;
use semantic::SemanticAction;
use source_lookup::SourceLookup;

/// Largest input object, in bytes of its strings.
const INPUT_LIMIT: usize = 5_000_000;
/// Longest list of arguments.
const ARGS_LIMIT: usize = 2_000;
/// Longest `timeoutMs` (DEC-03).
const TIMEOUT_LIMIT: u64 = 600_000;

/// One call, decoded.
///
/// ```
/// use agent_browser_native::input::{Mode, decode};
/// let input = decode(&serde_json::json!({ "args": ["get", "title"] })).unwrap();
/// assert_eq!(input.mode, Mode::Args(vec!["get".into(), "title".into()]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The one mode.
    pub mode: Mode,
    /// Text for `eval --stdin`, `batch` and `auth save --password-stdin`.
    pub stdin: Option<String>,
    /// How the managed session is used.
    pub session_mode: SessionMode,
    /// The caller's own limit.
    pub timeout_ms: Option<u64>,
    /// A file that gets the whole result of a success (DEC-49).
    pub output_path: Option<String>,
}

/// The modes. One variant, one plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Upstream's own command line.
    Args(Vec<String>),
    /// An act on what a control is called.
    Semantic(SemanticAction),
    /// A flow of steps.
    Job(Job),
    /// A check of a page.
    Qa(Qa),
    /// A search for the file of an element or component.
    Source(SourceLookup),
    /// A search for the code of a failed request.
    Network(NetworkLookup),
    /// A desktop app.
    Electron(Electron),
}

/// What a mode compiles to: a command line that upstream already has (IN-GEN-05).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compiled {
    /// The command line.
    pub args: Vec<String>,
    /// Rows of a batch.
    pub rows: Option<Vec<Vec<String>>>,
    /// Fields of `details` that echo the plan (IN-GEN-06).
    pub echo: Vec<(&'static str, Value)>,
    /// The caller's steps, where a step is more than one row.
    pub steps: Vec<CompiledStep>,
}

/// A step of the caller and its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledStep {
    /// The step's action.
    pub action: &'static str,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

impl CompiledStep {
    /// The characters of a typed text, each the key of a row: read in turn they are the text (DEC-68).
    pub fn typed_keys(&self) -> impl Iterator<Item = &str> {
        let rows = self.rows.iter().filter(|_| self.action == "type");
        rows.filter_map(|row| match row.as_slice() {
            [press, key] if press == "press" && (key.len() == 1 || key == "Space") => {
                Some(key.as_str())
            }
            _ => None,
        })
    }
}

impl Mode {
    /// The command line of this mode.
    #[must_use]
    pub fn compile(&self) -> Compiled {
        match self {
            Self::Args(args) => Compiled { args: args.clone(), ..Compiled::default() },
            Self::Semantic(action) => action.compile(),
            Self::Job(job) => job.compile(),
            Self::Qa(qa) => qa.compile(),
            Self::Source(lookup) => lookup.compile(),
            Self::Network(lookup) => lookup.compile(),
            Self::Electron(electron) => electron.compile(),
        }
    }

    /// The scripts of its rows are ours and only read: they need no permission of the caller's.
    #[must_use]
    pub fn has_own_scripts(&self) -> bool {
        matches!(self, Self::Job(_) | Self::Qa(_) | Self::Source(_) | Self::Network(_))
    }
}

/// The batch of a lookup: every row is tried, whatever became of those before it.
fn lookup_batch(
    key: &'static str,
    [namespace, session]: [Option<&str>; 2],
    steps: &[CompiledStep],
    query: &Map<String, Value>,
) -> Compiled {
    let mut args = Vec::new();
    for (flag, name) in [("--namespace", namespace), ("--session", session)] {
        args.extend(name.into_iter().flat_map(|name| [flag.to_owned(), name.to_owned()]));
    }
    let batch = job::compiled(steps, false, key);
    args.extend(batch.args);
    let mut echo = batch.echo.into_iter().next().map(|(_, echo)| echo).unwrap_or_default();
    if let Some(fields) = echo.as_object_mut() {
        fields.remove("failFast");
        fields.insert("args".into(), json!(args));
        fields.insert("query".into(), json!(query));
    }
    Compiled { args, rows: batch.rows, echo: vec![(key, echo)], steps: batch.steps }
}

/// The modes, of which a call has exactly one.
const MODES: [&str; 7] =
    ["args", "semanticAction", "job", "qa", "sourceLookup", "networkSourceLookup", "electron"];
/// Fields beside the mode.
const MODIFIERS: [&str; 4] = ["stdin", "sessionMode", "timeoutMs", "outputPath"];

/// Decodes the input object of a call.
///
/// # Errors
/// A `validation-error` that names the field. It offers the caller's own call where that can be
/// mended; an example of ours is shown as one, because a `Next` is a call to send.
pub fn decode(params: &Value) -> Checked<Input> {
    read(params).map_err(|refusal| match repair::of(params) {
        _ if !refusal.next.is_empty() => refusal,
        Some(repaired) if !repaired.types() => with_call(refusal, repaired.call),
        repaired => {
            let changes = repaired.map(repair::Repaired::told);
            let refusal = match changes {
                Some(changes) => refusal.hint(format!("Write: {changes}.")),
                None => refusal,
            };
            refusal.hint(Line::ours("Example: ").push(Span::Json(sample::of(params).to_string())))
        }
    })
}

fn read(params: &Value) -> Checked<Input> {
    let Value::Object(fields) = params else {
        return Err(invalid("The input must be an object", params));
    };
    check_size(fields)?;
    let known = || MODES.iter().chain(&MODIFIERS);
    if let Some(unknown) = fields.keys().find(|key| known().all(|field| field != key)) {
        let names: Vec<&str> = known().copied().collect();
        let line = Line::ours("Unknown field ").quote(unknown).and(". The fields are ");
        return Err(Refusal::invalid(line.and(names.join(", "))));
    }
    let session_mode = session_mode(fields)?;
    let stdin = text(fields, "stdin")?;
    let given: Vec<&str> =
        MODES.into_iter().filter(|mode| present(fields, mode).is_some()).collect();
    let mode = match given.as_slice() {
        [] => return Err(Refusal::invalid(no_mode())),
        [one] => mode(one, fields, session_mode)?,
        [one, other, ..] => {
            let sentence = format!("{one} and {other} are two modes; a call has exactly one.");
            return Err(Refusal::invalid(sentence));
        }
    };
    if stdin.is_some() && !matches!(mode, Mode::Args(_)) {
        let sentence = format!("stdin belongs to args, not to {}.", given.concat());
        return Err(Refusal::invalid(sentence));
    }
    if matches!(mode, Mode::Electron(_)) && present(fields, "timeoutMs").is_some() {
        return Err(Refusal::invalid(
            "timeoutMs is for browser commands; with electron the limit is electron.timeoutMs.",
        ));
    }
    let output_path = text(fields, "outputPath")?;
    Ok(Input { mode, stdin, session_mode, timeout_ms: timeout(fields)?, output_path })
}

fn no_mode() -> String {
    format!("The field args is missing (or one of {}).", MODES[1..].join(", "))
}

fn mode(name: &str, fields: &Map<String, Value>, session_mode: SessionMode) -> Checked<Mode> {
    let value = fields.get(name).unwrap_or(&Value::Null);
    Ok(match name {
        "semanticAction" => Mode::Semantic(SemanticAction::decode(name, value)?),
        "job" => Mode::Job(Job::decode(value)?),
        "qa" => Mode::Qa(Qa::decode(value, session_mode)?),
        "sourceLookup" => Mode::Source(SourceLookup::decode(value)?),
        "networkSourceLookup" => Mode::Network(NetworkLookup::decode(value)?),
        "electron" => Mode::Electron(Electron::decode(value, session_mode)?),
        _ => Mode::Args(args(fields)?),
    })
}

fn args(fields: &Map<String, Value>) -> Checked<Vec<String>> {
    let value = fields.get("args").unwrap_or(&Value::Null);
    let Value::Array(items) = value else {
        return Err(invalid("args must be a list of strings", value));
    };
    if items.is_empty() {
        return Err(Refusal::invalid("args is empty: it needs a command."));
    }
    if items.len() > ARGS_LIMIT {
        let count = items.len();
        let sentence =
            format!("args has {count} tokens, the limit is {ARGS_LIMIT}. Use batch with stdin.");
        return Err(Refusal::invalid(sentence));
    }
    let mut tokens = Vec::with_capacity(items.len());
    for (position, item) in items.iter().enumerate() {
        let Value::String(token) = item else {
            return Err(invalid(&format!("args[{position}] must be a string"), item));
        };
        sendable(token, &format!("args[{position}]"))?;
        tokens.push(token.clone());
    }
    Ok(tokens)
}

fn text(fields: &Map<String, Value>, name: &str) -> Checked<Option<String>> {
    match present(fields, name) {
        None => Ok(None),
        Some(Value::String(text)) => {
            sendable(text, name)?;
            Ok(Some(text.clone()))
        }
        Some(other) => Err(invalid(&format!("{name} must be a string"), other)),
    }
}

fn session_mode(fields: &Map<String, Value>) -> Checked<SessionMode> {
    match present(fields, "sessionMode") {
        None => Ok(SessionMode::Auto),
        Some(Value::String(word)) if word == "auto" => Ok(SessionMode::Auto),
        Some(Value::String(word)) if word == "fresh" => Ok(SessionMode::Fresh),
        Some(other) => Err(invalid("sessionMode must be \"auto\" or \"fresh\"", other)),
    }
}

fn timeout(fields: &Map<String, Value>) -> Checked<Option<u64>> {
    match present(fields, "timeoutMs") {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(ms) if (1..=TIMEOUT_LIMIT).contains(&ms) => Ok(Some(ms)),
            _ => Err(invalid("timeoutMs must be a whole number from 1 to 600000", value)),
        },
    }
}

/// A field that is there and not null: some hosts send null for what the model left out.
fn present<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    fields.get(name).filter(|value| !value.is_null())
}

fn check_size(fields: &Map<String, Value>) -> Checked<()> {
    let sizes = fields.iter().map(|(name, value)| (name, size_of(value)));
    let total: usize = sizes.clone().map(|(_, size)| size).sum();
    if total <= INPUT_LIMIT {
        return Ok(());
    }
    let largest = sizes.max_by_key(|(_, size)| *size).map(|(name, _)| name.as_str());
    let line = Line::ours(format!(
        "The input holds {total} bytes, the limit is {INPUT_LIMIT}. The field "
    ))
    .quote(largest.unwrap_or_default())
    .and(" is the largest: send less, or put the data into a file that the page can load.");
    Err(Refusal::invalid(line))
}

fn size_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size_of).sum(),
        Value::Object(fields) => fields.iter().map(|(key, value)| key.len() + size_of(value)).sum(),
        _ => 8,
    }
}

/// A NUL cannot be sent to a process. The doors turn half a surrogate pair and invalid UTF-8 into a
/// NUL, so that the field that holds it can be named here.
fn sendable(text: &str, field: &str) -> Checked<()> {
    if !text.contains('\0') {
        return Ok(());
    }
    let sentence = format!(
        "{field} holds a character that cannot be sent (NUL, half of a surrogate pair or invalid UTF-8). \
         Remove it."
    );
    Err(Refusal::invalid(sentence))
}

fn invalid(rule: &str, found: &Value) -> Box<Refusal> {
    let kind = match found {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    let shown: String = found.to_string().chars().take(60).collect();
    let line = Line::ours(format!("{rule}, not {kind} (")).quote(shown).and(").");
    Refusal::invalid(line)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(params: Value) -> String {
        let refusal = decode(&params).unwrap_err();
        assert_eq!(refusal.category.name(), "validation-error");
        refusal.message.plain()
    }

    // IN-GEN-03, IN-GEN-07, IN-ARGS-01
    #[test]
    fn bad_input_is_refused_by_the_name_of_its_field() {
        assert!(refused(json!({})).starts_with("The field args is missing"));
        assert_eq!(refused(json!({"args": []})), "args is empty: it needs a command.");
        assert!(
            refused(json!({"args": "open x"}))
                .starts_with("args must be a list of strings, not a string")
        );
        assert!(
            refused(json!({"args": ["get", 1]}))
                .starts_with("args[1] must be a string, not a number")
        );
        assert!(refused(json!({"args": ["get"], "argz": 1})).contains("Unknown field \"argz\""));
        assert!(refused(json!(["get"])).starts_with("The input must be an object, not a list"));
        assert!(
            refused(json!({"args": ["get"], "stdin": 1})).starts_with("stdin must be a string")
        );
        assert!(refused(json!({"args": ["a\0b"]})).starts_with("args[0] holds a character"));
        assert!(
            refused(json!({"args": ["x"], "stdin": "y".repeat(6_000_000)})).contains("\"stdin\"")
        );
        assert!(refused(json!({"args": vec!["x"; 3000]})).contains("3000 tokens"));
    }

    // IN-GEN-03, IN-SEM-01, IN-JOB-02, IN-QA-04, IN-STDIN-03
    #[test]
    fn a_call_has_exactly_one_mode_and_stdin_belongs_to_args() {
        let two = json!({"args": ["get"], "qa": {"url": "http://a/"}});
        assert!(refused(two).contains("args and qa are two modes"));
        let stdin = json!({"job": {"steps": [{"action": "snapshot"}]}, "stdin": "x"});
        assert!(refused(stdin).contains("stdin belongs to args, not to job"));
        assert!(decode(&json!({"qa": {"url": "http://a/"}})).is_ok());
    }

    // IN-GEN-03, IN-SEM-01, IN-JOB-01, IN-QA-04, IN-SRC-01, IN-NET-01, IN-ELEC-02
    #[test]
    fn no_two_modes_go_together() {
        let modes = [
            ("args", json!(["get", "title"])),
            ("semanticAction", json!({"action": "click", "selector": "#a"})),
            ("job", json!({"steps": [{"action": "snapshot"}]})),
            ("qa", json!({"url": "http://a/"})),
            ("sourceLookup", json!({"selector": "#a"})),
            ("networkSourceLookup", json!({"filter": "/a"})),
            ("electron", json!({"action": "list"})),
        ];
        for (at, (one, value)) in modes.iter().enumerate() {
            assert!(decode(&json!({ *one: value })).is_ok(), "{one}");
            for (other, second) in &modes[at + 1..] {
                let said = refused(json!({ *one: value, *other: second }));
                assert!(said.contains("are two modes"), "{one} {other}: {said}");
            }
        }
    }

    // IN-ELEC-01, IN-ELEC-02, IN-ELEC-19, ELEC-01, ELEC-07, DEC-03
    #[test]
    fn electron_stands_alone_and_brings_its_own_limit() {
        let list = json!({"action": "list"});
        let two = json!({"electron": list, "args": ["get"]});
        assert!(refused(two).contains("args and electron are two modes"));
        let stdin = json!({"electron": list, "stdin": "x"});
        assert!(refused(stdin).contains("stdin belongs to args, not to electron"));
        let limit = json!({"electron": {"action": "probe"}, "timeoutMs": 5_000});
        assert!(refused(limit).contains("electron.timeoutMs"));
        let own = json!({"electron": {"action": "probe", "timeoutMs": 5_000}});
        assert!(decode(&own).is_ok());
    }

    // DEC-03, IN-TIME-01
    #[test]
    fn timeout_is_a_whole_number_within_its_limits() {
        for bad in [json!(0), json!(600_001), json!(1.5), json!("5"), json!(-1)] {
            assert!(
                refused(json!({"args": ["get"], "timeoutMs": bad}))
                    .starts_with("timeoutMs must be")
            );
        }
        let input = decode(&json!({"args": ["get"], "timeoutMs": 600_000})).unwrap();
        assert_eq!(input.timeout_ms, Some(600_000));
    }

    // IN-MODE-01
    #[test]
    fn session_mode_is_auto_unless_fresh_is_asked_for() {
        let mode =
            |value| decode(&json!({"args": ["get"], "sessionMode": value})).map(|i| i.session_mode);
        assert_eq!(mode(json!(null)).unwrap(), SessionMode::Auto);
        assert_eq!(mode(json!("auto")).unwrap(), SessionMode::Auto);
        assert_eq!(mode(json!("fresh")).unwrap(), SessionMode::Fresh);
        assert!(mode(json!("new")).is_err());
    }
}
