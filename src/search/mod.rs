//! The companion tool `agent_browser_web_search`: one path, an adapter for each provider (WEB-10).
//!
//! It knows no browser, no session and no page (WEB-01).

mod brave;
mod exa;
mod http;
pub mod provider;
pub mod query;
mod show;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::address::is_loopback;
use crate::config::Config;
use crate::config::keys::ProviderId;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::{FailureCategory, Outcome};
use crate::run::ParentEnv;
use http::{Answer, NoAnswer};
use provider::{Provider, adapter};
use query::Query;

/// How long a search may take.
const LIMIT: Duration = Duration::from_secs(15);
/// The same for Exa's deep search.
const DEEP_LIMIT: Duration = Duration::from_secs(45);
/// The least time between the beginnings of two requests (DEC-85).
const PACE: Duration = Duration::from_millis(1_100);

/// When the last request of this process began: the limit belongs to the key, not to a session.
static LAST: Mutex<Option<Instant>> = Mutex::const_new(None);

/// What a search needs from its host.
pub struct World<'a> {
    /// The settings, read for this search (WEB-05).
    pub config: &'a Config,
    /// The environment.
    pub env: &'a ParentEnv,
    /// The directory, for credential commands.
    pub cwd: &'a Path,
    /// Cancelled when the host gives up.
    pub cancel: &'a CancellationToken,
    /// Seconds since 1970.
    pub now: u64,
}

/// Searches. What it used as a key is added to `secrets`, also when it fails.
///
/// # Errors
/// Why there is no result.
pub async fn search(
    params: &Value,
    world: &World<'_>,
    secrets: &mut Vec<String>,
) -> Checked<Outcome> {
    let query = query::decode(params)?;
    let provider = choose(&query, world)?;
    let base = base_of(provider, world.env)?;
    let key = key_of(provider.id(), world).await?;
    secrets.push(key.clone());
    let limit = limit_of(&query);
    let request = provider.request(&base, &query, &key, world.now);
    let answer = tokio::select! {
        answer = send(request, limit) => answer?,
        () = world.cancel.cancelled() => {
            return Err(cancelled());
        }
    };
    let answer = judge(answer, provider.id(), limit)?;
    let found = provider.read(&answer, &query).map_err(|why| {
        let title = provider.id().title();
        Refusal::new(
            FailureCategory::ParseFailure,
            format!("the answer of {title} is not understood: {why}."),
        )
    })?;
    Ok(show::outcome(&query, provider, &found, world.now))
}

/// How long this search may take (DEC-85).
fn limit_of(query: &Query) -> Duration {
    if query.search_type == Some("deep") { DEEP_LIMIT } else { LIMIT }
}

/// The provider of this search: the caller's, else the preferred one of those with a key.
fn choose(query: &Query, world: &World<'_>) -> Checked<&'static dyn Provider> {
    let broken = world.config.broken();
    if let Some(problem) = broken.first() {
        let line = Line::ours("a config file cannot be used, and it may forbid searching. ");
        return Err(Refusal::new(FailureCategory::PolicyBlocked, line.path(problem.clone())));
    }
    if !world.config.search_enabled() {
        return Err(Refusal::new(
            FailureCategory::PolicyBlocked,
            "web search is switched off by webSearch.enabled in the configuration.",
        ));
    }
    let usable = world.config.providers(world.env);
    let chosen = match query.provider {
        Some(wanted) => usable.into_iter().find(|provider| *provider == wanted),
        None => usable.into_iter().next(),
    };
    chosen.and_then(adapter).ok_or_else(|| {
        let whose = query.provider.map_or("Exa or Brave Search", ProviderId::title);
        Refusal::invalid(format!(
            "no key for {whose} is configured; the user can run `agent-browser-native config set`."
        ))
    })
}

/// The address of a provider; another one only on this machine (DEC-85).
fn base_of(provider: &dyn Provider, env: &ParentEnv) -> Checked<String> {
    let variable = provider.base_variable();
    let Some(named) = env.text(variable) else { return Ok(provider.base().to_owned()) };
    if url::Url::parse(named).is_ok_and(|url| is_loopback(&url)) {
        return Ok(named.trim_end_matches('/').to_owned());
    }
    Err(Refusal::new(
        FailureCategory::PolicyBlocked,
        format!("{variable} may only name an address on this machine."),
    ))
}

async fn key_of(provider: ProviderId, world: &World<'_>) -> Checked<String> {
    let missing = |why: String| {
        Refusal::invalid(format!("the key for {} cannot be had: {why}.", provider.title()))
    };
    let Some(credential) = world.config.credential(provider, world.env) else {
        return Err(missing("none is configured".to_owned()));
    };
    let resolved = credential.source.resolve(world.env, world.cwd, world.cancel).await;
    resolved.map_err(|why| if world.cancel.is_cancelled() { cancelled() } else { missing(why) })
}

fn cancelled() -> Box<Refusal> {
    Refusal::new(FailureCategory::Aborted, "the search was cancelled.")
}

/// Waits for its turn, then for the answer.
async fn send(request: provider::Request, limit: Duration) -> Checked<Result<Answer, NoAnswer>> {
    {
        let mut last = LAST.lock().await;
        if let Some(rest) = last.and_then(|last| PACE.checked_sub(last.elapsed())) {
            tokio::time::sleep(rest).await;
        }
        *last = Some(Instant::now());
    }
    let request = Arc::new(request);
    let sent = tokio::task::spawn_blocking(move || http::fetch(&request, limit)).await;
    sent.map_err(|_| {
        Refusal::new(FailureCategory::UpstreamError, "the search could not be started.")
    })
}

/// The answer of a request that went well, or why it did not.
fn judge(
    answer: Result<Answer, NoAnswer>,
    provider: ProviderId,
    limit: Duration,
) -> Checked<Value> {
    let title = provider.title();
    let fail = |category, text: String| Err(Refusal::new(category, text));
    let answer = match answer {
        Ok(answer) => answer,
        Err(NoAnswer::Timeout) => {
            let seconds = limit.as_secs();
            return fail(
                FailureCategory::Timeout,
                format!("{title} did not answer within {seconds} s."),
            );
        }
        Err(NoAnswer::Network(why)) => {
            let line = Line::ours(format!("{title} could not be reached: ")).quote(why);
            return Err(Refusal::new(FailureCategory::UpstreamError, line));
        }
    };
    match (answer.status, answer.body) {
        (200..=299, Some(body)) => Ok(body),
        (200..=299, None) => {
            fail(FailureCategory::ParseFailure, format!("the answer of {title} is not JSON."))
        }
        (401 | 403, _) => {
            let key = provider.key();
            fail(
                FailureCategory::PolicyBlocked,
                format!("{title} refused the key; the user must renew {key}."),
            )
        }
        (429, _) => {
            let wait = answer.retry_after.map_or_else(
                || "wait before the next search".to_owned(),
                |seconds| format!("wait {seconds} s before the next search"),
            );
            let refusal = Refusal::new(
                FailureCategory::UpstreamError,
                format!("{title} limits the rate of searches: {wait}."),
            );
            Err(refusal.detail("retryAfterSeconds", json!(answer.retry_after)))
        }
        (status, body) => {
            let line = Line::ours(format!("{title} answered with HTTP status {status}"));
            let said = body.as_ref().and_then(said);
            let line = match said {
                Some(said) => line.and(": ").quote(said).and("."),
                None => line.and("."),
            };
            Err(Refusal::new(FailureCategory::UpstreamError, line).detail("httpStatus", status))
        }
    }
}

/// What the provider says about an error.
fn said(body: &Value) -> Option<String> {
    let places = ["/error/detail", "/error/message", "/error", "/message", "/detail"];
    places.iter().find_map(|place| body.pointer(place)?.as_str()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-85
    #[test]
    fn deep_searches_have_more_time() {
        let limit = |params: Value| limit_of(&query::decode(&params).unwrap()).as_secs();
        assert_eq!(limit(json!({"query": "x"})), 15);
        assert_eq!(limit(json!({"query": "x", "searchType": "fast"})), 15);
        assert_eq!(limit(json!({"query": "x", "searchType": "deep"})), 45);
    }

    // DEC-85
    #[test]
    fn silence_is_a_timeout_with_its_seconds() {
        let refusal = judge(Err(NoAnswer::Timeout), ProviderId::Brave, LIMIT).unwrap_err();
        assert_eq!(refusal.category, FailureCategory::Timeout);
        assert_eq!(refusal.message.plain(), "Brave Search did not answer within 15 s.");
    }
}
