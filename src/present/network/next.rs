//! What to do about the requests of a page: exactly one of them is offered (NEXT-64 to NEXT-69).

use serde_json::json;
use url::Url;

use super::request::{Fate, Request};
use crate::outcome::NextAction;
use crate::present::Shown;
use crate::redact::Redactor;

/// Longest path that a filter repeats.
const PATH_CHARS: usize = 80;

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

/// The path of an address, when it says nothing that must be hidden (NEXT-06, NEXT-66).
#[must_use]
pub fn plain_path(url: &str) -> Option<String> {
    let path = Url::parse(url).ok().filter(Url::has_host)?.path().to_owned();
    let short = path.len() > 1 && path.chars().count() <= PATH_CHARS;
    let opaque = path.split('/').any(|part| part.len() > 20 && has_letters_and_digits(part));
    (short && !opaque && Redactor::new([]).text(&path) == path).then_some(path)
}

fn has_letters_and_digits(part: &str) -> bool {
    part.contains(|c: char| c.is_ascii_digit()) && part.contains(|c: char| c.is_ascii_alphabetic())
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

    // NEXT-66, NEXT-06, RED-15
    #[test]
    fn a_path_that_hides_something_or_is_long_is_not_repeated() {
        assert_eq!(plain_path("https://shop.test/api/cart?token=x"), Some("/api/cart".into()));
        assert_eq!(plain_path("https://shop.test/"), None);
        assert_eq!(plain_path("data:image/png;base64,AA"), None);
        assert_eq!(plain_path("https://shop.test/reset/3f9c2a77b1d04e6f88aa01bc"), None);
        assert_eq!(plain_path(&format!("https://shop.test/{}", "a".repeat(90))), None);
    }
}
