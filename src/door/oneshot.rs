//! The one-shot door: one call from a shell, a script or CI (DEC-81).

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::call::{Block, CallContext, Engine, Reply};
use crate::door::lines::LINE_LIMIT;
use crate::outcome::FailureCategory;

/// Exit code of a reply: 0 passed, 1 the act or check failed, 2 bad usage, 3 could not run.
#[must_use]
pub fn exit_code(failure: Option<FailureCategory>) -> u8 {
    match failure {
        None => 0,
        Some(FailureCategory::ValidationError) => 2,
        Some(
            FailureCategory::MissingBinary
            | FailureCategory::Timeout
            | FailureCategory::Aborted
            | FailureCategory::ParseFailure,
        ) => 3,
        Some(_) => 1,
    }
}

/// The same of a whole reply. A browser that did not start is a call that could not run.
fn code_of(reply: &Reply) -> u8 {
    match reply.failure {
        Some(FailureCategory::UpstreamError) if reply.no_browser => {
            exit_code(Some(FailureCategory::MissingBinary))
        }
        failure => exit_code(failure),
    }
}

/// Reads the call: an argument, or stdin for `-` and nothing.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read_params(argument: Option<&str>, stdin: impl std::io::Read) -> Result<Value, String> {
    let text = match argument {
        Some(text) if text != "-" => text.to_owned(),
        _ => read_bounded(stdin)?,
    };
    let sample = r#"for example '{"args":["open","https://example.com"]}'"#;
    if text.trim().is_empty() {
        return Err(format!("The call is missing: give a JSON object, {sample}"));
    }
    serde_json::from_str(&text).map_err(|error| {
        format!("The call is not JSON (line {}, column {}), {sample}", error.line(), error.column())
    })
}

/// One line of stdin, without its end: a value that must not stand in a command line.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read_line(stdin: impl std::io::Read) -> Result<String, String> {
    let text = read_bounded(stdin)?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

fn read_bounded(stdin: impl std::io::Read) -> Result<String, String> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let limit = LINE_LIMIT as u64;
    stdin
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("stdin cannot be read: {error}"))?;
    if bytes.len() as u64 > limit {
        return Err("The call is longer than 16 MiB".to_owned());
    }
    String::from_utf8(bytes).map_err(|_| "The call is not UTF-8".to_owned())
}

/// One call from the command line.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// Its input.
    pub params: &'a Value,
    /// Print content, details and verdict as JSON.
    pub as_json: bool,
}

/// Bad usage.
const USAGE: u8 = 2;

/// Runs one call and prints the answer.
///
/// # Errors
/// When stdout is closed.
pub async fn run(
    engine: &Engine,
    call: Call<'_>,
    context: CallContext,
    mut out: impl std::io::Write,
) -> std::io::Result<ExitCode> {
    let Some(reply) = engine.call_tool(call.tool, call.params, context).await else {
        use std::io::Write as _;
        // Without stderr there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "agent-browser-native: {}.", engine.no_such_tool());
        return Ok(ExitCode::from(USAGE));
    };
    let code = code_of(&reply);
    if call.as_json {
        writeln!(out, "{}", as_document(reply))?;
    } else {
        for block in &reply.blocks {
            match block {
                Block::Text(text) => writeln!(out, "{}", text.as_str())?,
                // A terminal cannot show it.
                Block::Image { path, .. } => writeln!(out, "[image: {}]", path.as_str())?,
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::from(code))
}

fn as_document(reply: Reply) -> Value {
    let is_error = reply.is_error();
    let content: Vec<Value> = reply
        .blocks
        .into_iter()
        .map(|block| match block {
            Block::Text(text) => json!({ "type": "text", "text": text.as_str() }),
            Block::Image { mime, path, .. } => {
                json!({ "type": "image", "mimeType": mime, "path": path.as_str() })
            }
        })
        .collect();
    json!({ "content": content, "details": reply.details.into_value(), "isError": is_error })
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-81
    #[test]
    fn exit_codes_tell_a_failed_act_from_bad_usage_and_from_no_run() {
        assert_eq!(exit_code(None), 0);
        assert_eq!(exit_code(Some(FailureCategory::StaleRef)), 1);
        assert_eq!(exit_code(Some(FailureCategory::QaFailure)), 1);
        assert_eq!(exit_code(Some(FailureCategory::ValidationError)), 2);
        assert_eq!(exit_code(Some(FailureCategory::MissingBinary)), 3);
        assert_eq!(exit_code(Some(FailureCategory::Timeout)), 3);
    }

    #[test]
    fn the_call_comes_from_the_argument_or_from_stdin() {
        let call = json!({"args": ["get", "title"]});
        assert_eq!(read_params(Some(&call.to_string()), std::io::empty()), Ok(call.clone()));
        assert_eq!(read_params(Some("-"), call.to_string().as_bytes()), Ok(call.clone()));
        assert_eq!(read_params(None, call.to_string().as_bytes()), Ok(call));
        assert!(
            read_params(Some("{"), std::io::empty())
                .unwrap_err()
                .contains("not JSON (line 1, column 1)")
        );
        assert!(
            read_params(None, std::io::empty()).unwrap_err().starts_with("The call is missing")
        );
        assert!(read_params(None, &b"\xff"[..]).unwrap_err().contains("not UTF-8"));
    }
}
