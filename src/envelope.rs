//! Upstream's stdout → a typed [`Envelope`]. Every shape of 0.41.0 is understood by its keys;
//! anything else is a value too, and is never shown raw (HAZ-14).

use serde_json::{Map, Value};

/// What upstream printed.
///
/// ```
/// use agent_browser_native::envelope::{Envelope, parse};
/// let envelope = parse(br#"{"success":true,"data":{"title":"Home"},"error":null}"#);
/// let Envelope::One(answer) = envelope else { panic!("one answer") };
/// assert_eq!(answer.data["title"], "Home");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Envelope {
    /// One answer.
    One(Box<Answer>),
    /// The rows of a batch, in order; with `--bail` the last ones may be missing.
    Rows(Vec<Answer>),
    /// Plain text: help, version.
    Text(String),
    /// Nothing at all.
    Empty,
    /// The beginning of JSON, but no whole of it.
    Malformed,
}

/// One success or failure of upstream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Position of the row in a batch.
    pub index: Option<usize>,
    /// Upstream's own verdict.
    pub success: bool,
    /// `data`, or `result` of a row, without `lifecycle`.
    pub data: Value,
    /// What upstream says about its daemon and browser.
    pub lifecycle: Option<Lifecycle>,
    /// Error text.
    pub error: Option<String>,
    /// Machine code of an error, for example `tab_gone`.
    pub code: Option<String>,
    /// `type` of an argument error.
    pub kind: Option<String>,
    /// Warning beside a success or failure.
    pub warning: Option<String>,
}

/// The `lifecycle` block (upstream-0.41 §3.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lifecycle {
    /// This very command started the browser.
    pub launched: bool,
    /// The daemon was restarted by this call.
    pub restarted_background: bool,
    /// Identity of the launch options.
    pub launch_hash: Option<u64>,
    /// What became of `--restore`.
    pub restore_status: String,
}

/// Parses all of stdout.
#[must_use]
pub fn parse(stdout: &[u8]) -> Envelope {
    let text = String::from_utf8_lossy(stdout);
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Envelope::Empty;
    }
    match serde_json::from_str::<Value>(trimmed) {
        Ok(Value::Array(items)) if items.iter().all(is_row) => {
            let rows = items.into_iter().enumerate();
            Envelope::Rows(rows.map(|(position, item)| Answer::from_row(item, position)).collect())
        }
        Ok(value) => Envelope::One(Box::new(Answer::from_value(value))),
        Err(_) if trimmed.starts_with(['{', '[']) => Envelope::Malformed,
        Err(_) => Envelope::Text(text.trim_end().to_owned()),
    }
}

fn is_row(item: &Value) -> bool {
    item.get("success").is_some_and(Value::is_boolean)
        && (item.get("index").is_some() || item.get("command").is_some())
}

impl Answer {
    fn from_value(value: Value) -> Self {
        match value {
            Value::Object(fields) if fields.get("success").is_some_and(Value::is_boolean) => {
                Self::from_fields(fields)
            }
            // `plugin list` and the like answer without an envelope.
            other => Self { success: true, data: other, ..Self::default() },
        }
    }

    fn from_row(value: Value, position: usize) -> Self {
        let Value::Object(fields) = value else { return Self::default() };
        let index =
            fields.get("index").and_then(Value::as_u64).and_then(|i| usize::try_from(i).ok());
        let mut answer = Self::from_fields(fields);
        answer.index = Some(index.unwrap_or(position));
        answer
    }

    fn from_fields(mut fields: Map<String, Value>) -> Self {
        let success = fields.get("success").and_then(Value::as_bool).unwrap_or(false);
        let mut text = |key: &str| match fields.remove(key) {
            Some(Value::String(text)) => Some(text),
            Some(Value::Null) | None => None,
            Some(other) => Some(other.to_string()),
        };
        let (error, code) = (text("error"), text("code"));
        let (kind, warning) = (text("type"), text("warning"));
        let data = match fields.remove("data").or_else(|| fields.remove("result")) {
            Some(data) => data,
            // `doctor` and others put their fields beside `success`.
            None if success => {
                fields.remove("success");
                fields.remove("command");
                fields.remove("index");
                Value::Object(fields)
            }
            None => Value::Null,
        };
        let (data, lifecycle) = split_lifecycle(data);
        Self { index: None, success, data, lifecycle, error, code, kind, warning }
    }

    /// The text of a string field of `data`.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.data.get(key).and_then(Value::as_str)
    }

    /// A confirmation is asked for: a success in which nothing happened (HAZ-10).
    #[must_use]
    pub fn confirmation_id(&self) -> Option<&str> {
        let wanted = self.data.get("confirmation_required").and_then(Value::as_bool) == Some(true);
        wanted.then(|| self.text("confirmation_id").unwrap_or_default())
    }
}

fn split_lifecycle(mut data: Value) -> (Value, Option<Lifecycle>) {
    let block = data.as_object_mut().and_then(|fields| fields.remove("lifecycle"));
    let Some(block) = block else { return (data, None) };
    let flag = |key: &str| block.get(key).and_then(Value::as_bool).unwrap_or(false);
    let word = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let lifecycle = Lifecycle {
        launched: flag("launched"),
        restarted_background: flag("restartedBackground"),
        launch_hash: block.pointer("/effectiveLaunch/launchHash").and_then(Value::as_u64),
        restore_status: word("restoreStatus"),
    };
    (data, Some(lifecycle))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn one(text: &str) -> Answer {
        match parse(text.as_bytes()) {
            Envelope::One(answer) => *answer,
            other => panic!("expected one answer, got {other:?}"),
        }
    }

    // RUN-11, RES-20
    #[test]
    fn all_object_shapes_of_upstream_become_one_answer() {
        let success = one(r#"{"success":true,"data":{"a":1},"error":null,"warning":"w"}"#);
        assert!(success.success && success.error.is_none());
        assert_eq!((success.data, success.warning.as_deref()), (json!({"a":1}), Some("w")));

        let failure = one(r#"{"success":false,"data":null,"error":"gone","code":"tab_gone"}"#);
        assert_eq!(
            (failure.error.as_deref(), failure.code.as_deref()),
            (Some("gone"), Some("tab_gone"))
        );

        let argument =
            one(r#"{"error":"Unknown command: x","success":false,"type":"unknown_command"}"#);
        assert_eq!(argument.kind.as_deref(), Some("unknown_command"));

        assert_eq!(one(r#"{"data":{"sessions":[]},"success":true}"#).data, json!({"sessions":[]}));
        assert_eq!(one(r#"{"plugins":[]}"#).data, json!({"plugins":[]}));
        assert_eq!(one(r#"{"checks":[],"success":true}"#).data, json!({"checks":[]}));
    }

    // RES-20, DEC-65
    #[test]
    fn batch_rows_keep_their_index_and_lose_their_lifecycle() {
        let text = r#"[{"index":0,"success":true,"error":null,"result":{"title":"T","lifecycle":
            {"launched":true,"effectiveLaunch":{"launchHash":10997649587079013033}}}},
            {"index":2,"success":false,"error":"no"}]"#;
        let Envelope::Rows(rows) = parse(text.as_bytes()) else { panic!("rows") };
        assert_eq!(rows[0].data, json!({"title":"T"}));
        let lifecycle = rows[0].lifecycle.clone().unwrap();
        assert_eq!(
            (lifecycle.launched, lifecycle.launch_hash),
            (true, Some(10_997_649_587_079_013_033))
        );
        assert_eq!((rows[1].index, rows[1].success), (Some(2), false));
    }

    // HAZ-14
    #[test]
    fn text_nothing_and_broken_json_are_values() {
        assert_eq!(parse(b""), Envelope::Empty);
        assert_eq!(parse(b"agent-browser 0.41.0\n"), Envelope::Text("agent-browser 0.41.0".into()));
        assert_eq!(parse(b"{\"success\":tr"), Envelope::Malformed);
        assert_eq!(parse(b"[]"), Envelope::Rows(vec![]));
        assert!(matches!(parse(b"[1,2]"), Envelope::One(answer) if answer.success));
        assert!(matches!(parse(b"\xff\xfe"), Envelope::Text(_)));
    }

    // HAZ-10
    #[test]
    fn a_confirmation_is_not_a_plain_success() {
        let asked = one(r#"{"success":true,"data":{"action":"click","confirmation_id":"r5",
            "confirmation_required":true},"error":null}"#);
        assert_eq!(asked.confirmation_id(), Some("r5"));
        assert_eq!(one(r#"{"success":true,"data":{"clicked":"x"}}"#).confirmation_id(), None);
    }
}
