//! What to do about the requests of a page: exactly one of them is offered (NEXT-64 to NEXT-69).

use serde_json::json;

use super::request::{Fate, Request};
use crate::address::plain_path;
use crate::outcome::NextAction;
use crate::present::Shown;

pub(super) fn actions(requests: &[Request], shown: &Shown<'_>) -> Vec<NextAction> {
    let Some(chosen) = chosen(requests) else { return Vec::new() };
    let mut next = Vec::new();
    if chosen.fate == Fate::Actionable {
        next.push(NextAction::params_of(
            "trace-actionable-network-source",
            "find the code that made the request",
            json!({ "networkSourceLookup": { "requestId": chosen.id } }),
        ));
    }
    let id = match chosen.fate {
        Fate::Actionable => "inspect-actionable-network-request",
        Fate::Benign => "inspect-benign-network-request",
        _ => "inspect-network-request",
    };
    let inspect = NextAction::args(
        id,
        "headers and body of this request",
        &["network", "request", &chosen.id],
    );
    next.push(if chosen.fate == Fate::Actionable { inspect } else { inspect.routine() });
    if let Some(path) = plain_path(&chosen.url).filter(|_| !is_filtered(shown)) {
        next.push(
            NextAction::args(
                "filter-network-requests-by-path",
                "only requests like this one",
                &["network", "requests", "--filter", &path],
            )
            .routine(),
        );
    }
    next.push(
        NextAction::args(
            "clear-network-requests-before-repro",
            "start with an empty list, then repeat what failed",
            &["network", "requests", "--clear"],
        )
        .routine(),
    );
    next.push(
        NextAction::args(
            "start-network-har-capture",
            "record the requests with their bodies",
            &["network", "har", "start"],
        )
        .routine(),
    );
    next
}

/// One request with a safe id: what failed and matters, then what a program asked for (NEXT-69).
fn chosen(requests: &[Request]) -> Option<&Request> {
    let rank = |request: &Request| match request.fate {
        Fate::Actionable => 0,
        _ if request.is_api() && request.fate != Fate::Benign => 1,
        Fate::Benign => 2,
        _ => 3,
    };
    let safe = requests.iter().filter(|request| !request.id.is_empty());
    safe.min_by_key(|request| rank(request))
}

fn is_filtered(shown: &Shown<'_>) -> bool {
    shown.step.argv.own_value("--filter").is_some()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn id_of(rows: &Value) -> Option<String> {
        let rows = rows.as_array().unwrap();
        let requests: Vec<Request> = rows.iter().map(|row| Request::read(row, None)).collect();
        chosen(&requests).map(|request| request.id.clone())
    }

    // NEXT-69
    #[test]
    fn the_request_that_matters_most_is_the_one_that_is_offered() {
        let row = |id: &str, status: u16, kind: &str, path: &str| {
            json!({ "requestId": id, "status": status, "resourceType": kind,
                "url": format!("https://shop.test{path}") })
        };
        let script = row("1.1", 200, "Script", "/a.js");
        let icon = row("1.2", 404, "Image", "/favicon.ico");
        let api = row("1.3", 200, "Fetch", "/api/cart");
        let broken = row("1.4", 500, "Document", "/");
        let unsafe_id = row("1 5", 500, "Fetch", "/api");
        assert_eq!(id_of(&json!([script, icon, api, broken])), Some("1.4".into()));
        assert_eq!(id_of(&json!([script, icon, api])), Some("1.3".into()));
        assert_eq!(id_of(&json!([script, icon])), Some("1.2".into()));
        assert_eq!(id_of(&json!([script, unsafe_id])), Some("1.1".into()));
        assert_eq!(id_of(&json!([])), None);
    }
}
