//! Requests, routes, console and page errors.

use crate::record::case::{Case, Words, case, on};

const CLEAR: Words = &["network", "requests", "--clear"];
const FETCH: &[Words] = &[CLEAR, &["click", "#fetch"], &["wait", "--text", "Loaded 200"]];
const FAIL: &[Words] = &[CLEAR, &["click", "#fail"], &["wait", "--text", "Loaded 500"]];

pub(in crate::record) const CASES: &[Case] = &[
    on("console.html", "console/messages", &["console"]),
    case("console/clear", &["console", "--clear"]),
    case("console/empty", &["console"]),
    on("console.html", "errors/none", &["errors"]),
    on("console.html", "errors/thrown", &["errors"]).before(&[&["click", "#throw"]]),
    case("errors/clear-does-not-clear", &["errors", "--clear"]),
    on("console.html", "network/requests", &["network", "requests"]).before(FETCH),
    case("network/requests-filter", &["network", "requests", "--filter", "api"]),
    case("network/requests-none", &["network", "requests", "--filter", "nothing-like-this"]),
    on("console.html", "network/requests-status-500", &["network", "requests"]).before(FAIL),
    on("console.html", "network/requests-refused", &["network", "requests"])
        .before(&[CLEAR, &["eval", "fetch('{closed}/x').catch(() => 'refused')"]]),
    case("network/clear", CLEAR),
    on("console.html", "network/request", &["network", "request", "{captured}"])
        .before(&[
            CLEAR,
            &["click", "#fetch"],
            &["wait", "--text", "Loaded 200"],
            &["network", "requests"],
        ])
        .capture("requestId"),
    on("console.html", "network/request-post", &["network", "request", "{captured}"])
        .before(&[
            CLEAR,
            &[
                "eval",
                "fetch('/api/json?token=not-a-real-token', { method: 'POST', headers: { Authorization: \
                 'Bearer not-a-real-token', 'content-type': 'application/json' }, body: '{\"user\":\"ann\",\
                 \"password\":\"not-a-real-password\"}' }).then((answer) => answer.status)",
            ],
            &["network", "requests"],
        ])
        .capture("requestId"),
    case("network/request-unknown", &["network", "request", "0.0"]),
    on("console.html", "network/route-body", &["network", "route", "**/api/json", "--body", "{}"]),
    case("network/route-abort", &["network", "route", "**/status/*", "--abort"]),
    on("console.html", "network/requests-aborted", &["network", "requests"])
        .before(&[CLEAR, &["eval", "fetch('/status/500').catch(() => 'aborted')"]]),
    case(
        "network/route-resource-type",
        &["network", "route", "**/*.png", "--abort", "--resource-type", "image"],
    ),
    case("network/unroute", &["network", "unroute"]),
    case("network/har-start", &["network", "har", "start"]),
    case("network/har-stop", &["network", "har", "stop", "{out}/a.har"])
        .before(&[&["open", "{u}/blank.html"]]),
    case("network/har-stop-missing-folder", &["network", "har", "stop", "{out}/no/such/a.har"])
        .before(&[&["network", "har", "start"]]),
];
