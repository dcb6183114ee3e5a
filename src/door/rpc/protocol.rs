//! The messages of the door. `pi/src/protocol.ts` is generated from these types by a test.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::redact::{SafeJson, SafeText};

#[cfg(test)]
use ts_rs::TS;

/// Every request that a host may send.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "method", content = "params")]
pub enum Request {
    /// The first message: who calls, and what its branch already knows.
    #[serde(rename = "initialize")]
    Initialize(InitializeParams),
    /// One call of a tool. Calls run side by side.
    #[serde(rename = "call")]
    Call(CallParams),
    /// The host is in this session now: what is known is replaced by what its branch knows.
    #[serde(rename = "session/start")]
    SessionStart(SessionParams),
    /// The same after a step to another branch of the transcript.
    #[serde(rename = "session/tree")]
    SessionTree(SessionParams),
    /// The host leaves the session.
    #[serde(rename = "session/shutdown")]
    SessionShutdown(ShutdownParams),
    /// The latest prompt of the user.
    #[serde(rename = "prompt")]
    Prompt(PromptParams),
    /// May this shell command run?
    #[serde(rename = "bash/check")]
    BashCheck(BashCheckParams),
}

/// Names of the requests.
pub(super) const METHODS: [&str; 7] = [
    "initialize",
    "call",
    "session/start",
    "session/tree",
    "session/shutdown",
    "prompt",
    "bash/check",
];

/// The notification that gives up a request.
pub(super) const CANCEL: &str = "$/cancel";
/// The notification that a request goes on.
pub(super) const UPDATE: &str = "$/update";

/// Which host this is: the first part of session names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "lowercase")]
pub enum Door {
    /// The coding agent pi.
    Pi,
}

impl Door {
    /// The word in session names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pi => "pi",
        }
    }
}

/// Parameters of `initialize`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InitializeParams {
    /// Which host this is.
    pub door: Door,
    /// The host's session.
    pub session_id: String,
    /// Its directory; relative paths belong to it.
    pub cwd: String,
    /// The host trusts the directory's own settings.
    pub trusted: bool,
    /// The `details` of this tool's results on the branch, oldest first.
    #[cfg_attr(test, ts(type = "unknown[]"))]
    pub facts: Vec<Value>,
}

/// Parameters of `session/start` and `session/tree`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionParams {
    /// The host's session.
    pub session_id: String,
    /// Its directory; relative paths belong to it.
    pub cwd: String,
    /// The host trusts the directory's own settings.
    pub trusted: bool,
    /// The `details` of this tool's results on the branch, oldest first.
    #[cfg_attr(test, ts(type = "unknown[]"))]
    pub facts: Vec<Value>,
}

/// Parameters of `call`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallParams {
    /// Name of the tool.
    pub tool: String,
    /// Its input.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub params: Value,
    /// The host's session.
    pub session_id: String,
    /// Its directory.
    pub cwd: String,
}

/// Why the host leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the host's own words")]
pub enum ShutdownReason {
    Quit,
    Reload,
    New,
    Resume,
    Fork,
}

/// Parameters of `session/shutdown`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct ShutdownParams {
    /// Why; after `quit` no browser of ours is left.
    pub reason: ShutdownReason,
}

/// Parameters of `prompt`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct PromptParams {
    /// What the user wrote.
    pub text: String,
}

/// Parameters of `bash/check`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct BashCheckParams {
    /// The whole command line.
    pub command: String,
}

/// Parameters of `$/cancel`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct CancelParams {
    /// The request that nobody waits for any more.
    #[cfg_attr(test, ts(type = "number | string"))]
    pub id: Value,
}

/// Result of `initialize`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct InitializeResult {
    /// The tools to register.
    pub tools: Vec<ToolInfo>,
    /// Sentences for the system prompt.
    pub guidelines: Vec<String>,
    /// Version of the program.
    #[cfg_attr(test, ts(type = "string"))]
    pub version: &'static str,
}

/// A tool as the host registers it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ToolInfo {
    /// Name for the model.
    #[cfg_attr(test, ts(type = "string"))]
    pub name: &'static str,
    /// Name for people.
    #[cfg_attr(test, ts(type = "string"))]
    pub label: &'static str,
    /// What it is for and how a call looks.
    pub description: String,
    /// One line for a list of tools.
    #[cfg_attr(test, ts(type = "string"))]
    pub snippet: &'static str,
    /// JSON Schema of the input.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub parameters: Value,
}

/// Result of `session/start` and `session/tree`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct RestoreResult {
    /// Facts that were folded.
    pub restored: usize,
    /// Facts that this version does not understand.
    pub unreadable: usize,
    /// The tools of this session: its directory may configure another one (WEB-04).
    pub tools: Vec<ToolInfo>,
    /// Sentences for the system prompt.
    pub guidelines: Vec<String>,
}

/// Result of `session/shutdown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ShutdownResult {
    /// Browsers that were closed.
    pub closed: usize,
    /// Browsers that stay for whoever takes the session up again.
    pub kept: usize,
}

/// Result of `prompt`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct PromptResult {
    /// Files that must be saved before the browser is closed, as the prompt wrote them.
    #[cfg_attr(test, ts(type = "string[]"))]
    pub required_files: Vec<SafeText>,
}

/// Result of `bash/check`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct BashCheckResult {
    /// The command should not run.
    pub block: bool,
    /// Why, with the call of the tool that does the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "string"))]
    pub reason: Option<SafeText>,
}

/// Result of `call`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct CallResult {
    /// What the model reads and sees.
    pub content: Vec<Content>,
    /// Everything else, for the transcript.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub details: SafeJson,
    /// The call failed.
    pub is_error: bool,
}

/// One piece of content.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        #[cfg_attr(test, ts(type = "string"))]
        text: SafeText,
    },
    /// An image.
    Image {
        /// Base64.
        data: String,
        /// Media type.
        #[cfg_attr(test, ts(type = "string"))]
        mime_type: &'static str,
    },
}

/// Parameters of `$/update`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct UpdateParams {
    /// The request that goes on.
    #[cfg_attr(test, ts(type = "number | string"))]
    pub id: Value,
    /// What can be shown meanwhile.
    pub content: Vec<Content>,
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// What every request answers.
    #[derive(TS)]
    #[expect(dead_code, reason = "only its declaration is used")]
    struct Results {
        #[ts(rename = "initialize")]
        initialize: InitializeResult,
        #[ts(rename = "call")]
        call: CallResult,
        #[ts(rename = "session/start")]
        session_start: RestoreResult,
        #[ts(rename = "session/tree")]
        session_tree: RestoreResult,
        #[ts(rename = "session/shutdown")]
        session_shutdown: ShutdownResult,
        #[ts(rename = "prompt")]
        prompt: PromptResult,
        #[ts(rename = "bash/check")]
        bash_check: BashCheckResult,
    }

    fn declaration<T: TS>(config: &ts_rs::Config) -> String {
        let docs = T::docs().unwrap_or_default();
        let text = format!("{docs}export {}", T::decl(config));
        // Comments of one line on one line, and no blanks at line ends.
        let text = text.replace("/**\n * ", "/** ").replace("\n */", " */");
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    fn generated() -> String {
        let config = ts_rs::Config::new().with_large_int("number");
        let all = [
            declaration::<Request>(&config),
            declaration::<Results>(&config),
            declaration::<Door>(&config),
            declaration::<InitializeParams>(&config),
            declaration::<SessionParams>(&config),
            declaration::<CallParams>(&config),
            declaration::<ShutdownReason>(&config),
            declaration::<ShutdownParams>(&config),
            declaration::<PromptParams>(&config),
            declaration::<BashCheckParams>(&config),
            declaration::<CancelParams>(&config),
            declaration::<InitializeResult>(&config),
            declaration::<ToolInfo>(&config),
            declaration::<RestoreResult>(&config),
            declaration::<ShutdownResult>(&config),
            declaration::<PromptResult>(&config),
            declaration::<BashCheckResult>(&config),
            declaration::<CallResult>(&config),
            declaration::<Content>(&config),
            declaration::<UpdateParams>(&config),
        ];
        format!(
            "// Made from src/door/rpc/protocol.rs. Do not edit; run\n\
             // UPDATE_PROTOCOL=1 cargo test --lib protocol\n\n{}",
            all.join("\n")
        )
    }

    // DEC-109
    #[test]
    #[allow(clippy::disallowed_methods, reason = "a switch of the developer")]
    fn typescript_types_are_fresh() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pi/src/protocol.ts");
        let wanted = generated();
        if std::env::var_os("UPDATE_PROTOCOL").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &wanted).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(found, wanted, "run UPDATE_PROTOCOL=1 cargo test --lib protocol");
    }

    // DEC-109
    #[test]
    fn every_method_is_a_request() {
        for method in METHODS {
            let message = serde_json::json!({ "method": method, "params": {} });
            let error = serde_json::from_value::<Request>(message).err();
            assert!(
                error.is_some_and(|error| error.to_string().contains("missing field")),
                "{method}"
            );
        }
    }
}
