//! Requests that a `network route` was to answer and that failed or hang all the same (DIAG-ROUTE).

use serde_json::{Value, json};

use super::Evidence;
use crate::line::Line;
use crate::outcome::{Finding, NextAction};
use crate::plan::about::asks_for_requests;
use crate::present::network::request::{Fate, Request, read};
use crate::session::fact::Route;

/// Requests that `details` names.
const MOST_ROWS: usize = 10;

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    if !asks_for_requests(evidence.step) || evidence.routes.is_empty() {
        return None;
    }
    let finished = evidence.after.page().and_then(|page| page.resources.as_deref());
    let requests = read(&evidence.main.data, finished);
    let unanswered: Vec<(&Route, &Request)> = requests
        .iter()
        .filter(|request| request.is_api() && is_open_or_failed(request.fate))
        .filter_map(|request| Some((route_of(&request.url, evidence.routes)?, request)))
        .collect();
    let (route, first) = unanswered.first()?;
    let rows: Vec<Value> = unanswered.iter().take(MOST_ROWS).map(row).collect();
    let count = unanswered.len();
    let requests = if count == 1 { "request".to_owned() } else { format!("{count} requests") };
    let line = Line::ours("Route diagnostic: the route ")
        .quote(&route.pattern)
        .and(format!(" has not answered its {requests}: "))
        .and(match first.fate {
            Fate::Actionable | Fate::Benign => "failed",
            _ => "no status",
        })
        .and(". A mock for another origin fails without CORS headers; try a page of the same origin.");
    let mut next = Vec::new();
    if !first.id.is_empty() {
        next.push(NextAction::args(
            "inspect-routed-network-request",
            "headers and body of this request",
            &["network", "request", &first.id],
        ));
    }
    next.push(
        NextAction::args(
            "start-network-har-capture-for-route-mock",
            "record the requests with their bodies, then repeat",
            &["network", "har", "start"],
        )
        .routine(),
    );
    Some(Finding {
        key: "networkRouteDiagnostics",
        details: json!({ "unansweredCount": count, "requests": rows }),
        lines: vec![line],
        next,
        ..Finding::default()
    })
}

fn is_open_or_failed(fate: Fate) -> bool {
    matches!(fate, Fate::Actionable | Fate::Pending | Fate::NoStatus)
}

fn row((route, request): &(&Route, &Request)) -> Value {
    let state = match request.fate {
        Fate::Pending => "pending",
        Fate::NoStatus => "no-status",
        _ => "failed",
    };
    json!({
        "pattern": route.pattern, "requestId": request.id, "status": request.status, "state": state,
    })
}

/// The latest route that takes this address and was meant to answer it.
fn route_of<'a>(url: &str, routes: &'a [Route]) -> Option<&'a Route> {
    let route = routes.iter().rev().find(|route| takes(&route.pattern, url))?;
    (!route.aborts).then_some(route)
}

/// `*` stands for anything; a pattern without one for any address that contains it.
fn takes(pattern: &str, url: &str) -> bool {
    if !pattern.contains('*') {
        return url.contains(pattern);
    }
    let mut parts = pattern.split('*').filter(|part| !part.is_empty()).peekable();
    let mut rest = url;
    if !pattern.starts_with('*') {
        let Some(first) = parts.next() else { return true };
        match rest.strip_prefix(first) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() && !pattern.ends_with('*') {
            return rest.ends_with(part);
        }
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    // DIAG-ROUTE-01
    #[test]
    fn patterns_take_addresses_as_globs() {
        let url = "http://shop.test/api/cart?id=1";
        for pattern in [
            "**/api/*",
            "**/api/**",
            "*cart*",
            "http://shop.test/*",
            "/api/cart",
            "*",
            "**/api/cart?id=1",
        ] {
            assert!(takes(pattern, url), "{pattern}");
        }
        for pattern in ["**/api", "https://*", "**/users/*", "*cart", "/api/users"] {
            assert!(!takes(pattern, url), "{pattern}");
        }
    }

    // DIAG-ROUTE-01
    #[test]
    fn a_route_that_aborts_has_done_its_work() {
        let route = |pattern: &str, aborts| Route { pattern: pattern.into(), aborts };
        let routes = [route("**/api/*", false), route("**/api/ads*", true)];
        assert!(route_of("http://a/api/ads1", &routes).is_none());
        assert_eq!(route_of("http://a/api/x", &routes).unwrap().pattern, "**/api/*");
    }
}
