use serde_json::json;

use super::super::tests::{places, workspace_of};
use super::*;

fn workspace() -> tempfile::TempDir {
    workspace_of(&[
        ("src/price.js", "export const load = () =>\n  fetch('/api/price');\n"),
        ("src/routes.ts", "const PRICE = \"/api/price\";\n"),
        ("src/orders.ts", "const load = (id) => axios.get(`/api/orders/${id}`);\n"),
        ("app/api/price/route.ts", "export function GET() {}\n"),
        ("src/other.js", "fetch('/nothing');\n"),
    ])
}

fn row(id: &str, path: &str, status: Option<u64>) -> Value {
    let mut row = json!({ "requestId": id, "method": "GET", "resourceType": "Fetch",
        "url": format!("http://shop.test{path}") });
    if let Some(status) = status {
        row["status"] = status.into();
    }
    row
}

fn seen(query: Value, rows: &[Value], finished: &[&str]) -> Seen {
    let lookup = NetworkLookup::decode(&query).unwrap();
    let finished = finished.iter().map(ToString::to_string).collect();
    Seen::read(&lookup, &[(json!({ "requests": rows }), Some(finished))])
}

// IN-NET-07, NET-02, NET-08, IN-NET-06, NET-09
#[test]
fn a_failed_request_is_found_where_its_path_stands() {
    let seen = seen(json!({"filter": "/api"}), &[row("1.1", "/api/price?token=x", Some(500))], &[]);
    let report = seen.conclude(workspace().path(), 2_000);
    assert_eq!(report.status, "failed-requests-found");
    assert_eq!(
        places(&report),
        ["high src/price.js:2", "medium src/routes.ts:1", "low app/api/price/route.ts"]
    );
    assert!(report.candidates.iter().all(|one| one.source == Source::WorkspaceSearch));
    let url = report.candidates[0].request_url.as_deref();
    assert_eq!(url, Some("http://shop.test/api/price?token=x"));
}

// IN-NET-06, NET-09
#[test]
fn an_id_in_a_path_does_not_hide_its_template() {
    let seen = seen(json!({"filter": "/orders"}), &[row("1.1", "/api/orders/42", Some(404))], &[]);
    let report = seen.conclude(workspace().path(), 2_000);
    assert_eq!(places(&report), ["medium src/orders.ts:1"]);
    assert_eq!(fixed_part("/api/v2/users/7f3a91bc/x"), Some("/api/v2/users/".to_owned()));
    assert_eq!(fixed_part("/api/orders"), None);
    let many: Vec<Value> =
        (0..12).map(|n| row(&format!("1.{n}"), &format!("/api/part{n}/x"), Some(500))).collect();
    let seen = super::tests::seen(json!({"filter": "/api"}), &many, &[]);
    assert_eq!(seen.needles().len(), 8);
    assert_eq!(seen.failed.len(), 12);
}

// IN-NET-05, NET-05, NET-06, NET-07
#[test]
fn failed_is_a_status_from_400_on_or_an_end_without_an_answer() {
    let rows = [
        row("1.1", "/api/ok", Some(200)),
        row("1.2", "/api/bad", Some(400)),
        row("1.3", "/api/refused", None),
        row("1.4", "/api/open", None),
        row("1.5", "/else", Some(500)),
    ];
    let seen = seen(json!({"filter": "/api/"}), &rows, &["http://shop.test/api/refused"]);
    assert_eq!(
        json!(seen.failed_details()),
        json!([
            { "requestId": "1.2", "url": "http://shop.test/api/bad", "method": "GET", "status": 400 },
            { "requestId": "1.3", "url": "http://shop.test/api/refused", "method": "GET",
              "error": "no answer: refused, aborted or blocked" },
        ])
    );
    // The other direction: the pattern is longer than the address.
    let lookup = json!({"url": "http://shop.test/else?page=2"});
    assert_eq!(super::tests::seen(lookup, &rows, &[]).failed.len(), 1);
}

// IN-NET-07, IN-NET-08, NET-11
#[test]
fn nothing_failed_and_nothing_found_are_two_things() {
    let root = workspace();
    let open = seen(json!({"filter": "/api"}), &[row("1.1", "/api/price", None)], &[]);
    let report = open.conclude(root.path(), 2_000);
    assert_eq!((report.status, report.candidates.len()), ("no-failed-requests", 0));
    assert!(report.limitations[0].contains("without an answer yet"));
    let gone = seen(json!({"filter": "/zz"}), &[row("1.1", "/zz/unknown", Some(500))], &[]);
    assert_eq!(gone.conclude(root.path(), 2_000).status, "no-candidates");
}

// NET-08
#[test]
fn who_began_a_request_is_taken_from_the_row_itself() {
    let mut failed = row("1.1", "/zz", Some(500));
    failed["initiator"] = json!({ "type": "script", "stack": { "callFrames": [
        { "url": "http://shop.test/src/other.js", "lineNumber": 0, "columnNumber": 3 } ] } });
    failed["stack"] = json!("Error\n at load (http://shop.test/assets/app-1.js:9:1)");
    let seen = seen(json!({"filter": "/zz"}), &[failed], &[]);
    let report = seen.conclude(workspace().path(), 2_000);
    assert_eq!(places(&report), ["high src/other.js:1", "low http://shop.test/assets/app-1.js:9"]);
    assert!(report.candidates.iter().all(|one| one.source == Source::Initiator));
}

// NET-08, NET-09
#[test]
fn code_that_puts_the_address_together_stands_before_a_stand_in_for_the_server() {
    let root = workspace_of(&[
        ("vite.config.js", "if (q.url === '/bookings' && q.method === 'POST') fetch(x)\n"),
        ("src/client.test.js", "fetch('/api/bookings')\n"),
        (
            "src/lib/client.js",
            "const BASE = '/api'\nconst resource = (name) => `${BASE}/${name}`\n\
             export const list = () => fetch(resource('bookings'))\n\
             export const add = (x) => fetch(resource('bookings'), { method: 'POST' })\n",
        ),
    ]);
    let mut failed = row("1.1", "/api/bookings", Some(422));
    failed["method"] = "POST".into();
    let report = seen(json!({"filter": "bookings"}), &[failed], &[]).conclude(root.path(), 2_000);
    assert_eq!(
        places(&report),
        [
            "medium src/lib/client.js:4",
            "medium src/lib/client.js:3",
            "low vite.config.js:1",
            "low src/client.test.js:1",
        ]
    );
    let mut begun = row("1.1", "/zz", Some(500));
    begun["initiator"] = json!({ "url": "http://shop.test/src/lib/client.js", "lineNumber": 87 });
    let report = seen(json!({"filter": "/zz"}), &[begun], &[]).conclude(root.path(), 2_000);
    assert_eq!(places(&report), ["high src/lib/client.js"], "the file has no line 88");
}
