//! One HTTPS request, bounded in time and size.

use std::io::Read;
use std::time::Duration;

use serde_json::Value;

use super::provider::Request;

/// No answer of a search is longer.
const ANSWER_LIMIT: u64 = 4 * 1024 * 1024;

/// What came back.
pub(super) struct Answer {
    /// The HTTP status.
    pub(super) status: u16,
    /// Seconds that the server asks to wait.
    pub(super) retry_after: Option<u64>,
    /// The body as JSON, where it is JSON.
    pub(super) body: Option<Value>,
}

/// Why nothing came back.
pub(super) enum NoAnswer {
    /// It took too long.
    Timeout,
    /// The server could not be reached or broke off.
    Network(String),
}

/// Sends a request and waits for its answer. Blocks: call it on a thread of its own.
pub(super) fn fetch(request: &Request, limit: Duration) -> Result<Answer, NoAnswer> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(limit))
        .http_status_as_error(false)
        // A redirect would carry the key to another address.
        .max_redirects(0)
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        .build()
        .into();
    let answer = match &request.body {
        Some(body) => {
            let mut post = agent.post(&request.url).header("content-type", "application/json");
            for (name, value) in &request.headers {
                post = post.header(*name, value);
            }
            post.header("accept", "application/json").send(body.to_string())
        }
        None => {
            let mut get = agent.get(&request.url);
            for (name, value) in &request.headers {
                get = get.header(*name, value);
            }
            get.header("accept", "application/json").call()
        }
    };
    let mut answer = answer.map_err(no_answer)?;
    let status = answer.status().as_u16();
    let retry_after = answer.headers().get("retry-after");
    let retry_after = retry_after.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let mut bytes = Vec::new();
    let read = answer.body_mut().as_reader().take(ANSWER_LIMIT).read_to_end(&mut bytes);
    read.map_err(|error| match error.kind() {
        std::io::ErrorKind::TimedOut => NoAnswer::Timeout,
        _ => NoAnswer::Network(error.to_string()),
    })?;
    Ok(Answer { status, retry_after, body: serde_json::from_slice(&bytes).ok() })
}

fn no_answer(error: ureq::Error) -> NoAnswer {
    match error {
        ureq::Error::Timeout(_) => NoAnswer::Timeout,
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => NoAnswer::Timeout,
        other => NoAnswer::Network(other.to_string()),
    }
}
