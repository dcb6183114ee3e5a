//! Representative tasks, as the calls that a careful model sends.

use serde_json::{Value, json};

/// One task.
pub(super) struct Scenario {
    /// Its name in the table.
    pub(super) name: &'static str,
    /// Rules for the stand-in.
    pub(super) script: Value,
    /// Files of the workspace.
    pub(super) files: &'static [(&'static str, &'static str)],
    /// Name of a desktop app that is installed.
    pub(super) app: Option<&'static str>,
    /// The calls, in their order.
    pub(super) calls: Vec<Step>,
}

/// One call of a task.
pub(super) enum Step {
    /// A call as it is.
    Send(Value),
    /// The first call that the last answer offers.
    FollowNext,
    /// An action on the app that was launched.
    OnLaunch(&'static str),
}

const URL: &str = "http://shop.test/";
/// No app of that name is installed anywhere.
const APP: &str = "Fixturebook";

/// Every task; a new layer gets one of its own beside the single calls that it replaces.
#[must_use]
pub(super) fn scenarios() -> Vec<Scenario> {
    let mut all = workflows();
    all.extend(lookups());
    all.extend(desktop_apps());
    all.extend(failures());
    all
}

fn args(words: &[&str]) -> Step {
    Step::Send(json!({ "args": words }))
}

fn plain(name: &'static str, calls: Vec<Step>) -> Scenario {
    scripted(name, json!([]), calls)
}

fn scripted(name: &'static str, script: Value, calls: Vec<Step>) -> Scenario {
    Scenario { name, script, calls, files: &[], app: None }
}

fn workflows() -> Vec<Scenario> {
    let rows = json!([["fill", "@e4", "ann@shop.test"], ["click", "@e3"]]).to_string();
    let steps = json!([
        { "action": "open", "url": URL },
        { "action": "assertText", "text": "Fake" },
        { "action": "screenshot", "path": "a.png" },
    ]);
    vec![
        plain(
            "read-page",
            vec![args(&["open", URL]), args(&["get", "text", "body"]), args(&["close"])],
        ),
        plain(
            "form-single-calls",
            vec![
                args(&["open", URL]),
                args(&["fill", "@e4", "ann@shop.test"]),
                args(&["click", "@e3"]),
            ],
        ),
        plain(
            "form-batch",
            vec![
                args(&["open", URL]),
                Step::Send(json!({ "args": ["batch", "--bail"], "stdin": rows })),
            ],
        ),
        plain(
            "open-assert-screenshot-single-calls",
            vec![
                args(&["open", URL]),
                args(&["wait", "--text", "Fake"]),
                args(&["screenshot", "a.png"]),
            ],
        ),
        plain("job-open-assert-screenshot", vec![Step::Send(json!({ "job": { "steps": steps } }))]),
        scripted(
            "qa-open-diagnostics",
            quiet_network(),
            vec![Step::Send(json!({ "qa": { "url": URL, "expectedText": ["Fake"] } }))],
        ),
        plain(
            "stale-ref-recovery",
            vec![
                args(&["open", URL]),
                args(&["click", "@e99"]),
                Step::FollowNext,
                args(&["click", "@e3"]),
            ],
        ),
        plain(
            "artifacts",
            vec![
                args(&["open", URL]),
                args(&["screenshot", "shots/a.png"]),
                args(&["pdf", "a.pdf"]),
            ],
        ),
    ]
}

/// From the page to the code.
fn lookups() -> Vec<Scenario> {
    let hints = json!({ "matches": 1, "record": null, "attributes": [
        { "up": 0, "file": "src/Counter.jsx", "line": "1", "column": null }] });
    let failed = json!({ "requestId": "1.2", "method": "GET", "resourceType": "Fetch", "status": 500,
        "url": "http://shop.test/api/price" });
    let looked = |name, rule: Value, files, call: Value| Scenario {
        files,
        ..scripted(name, json!([rule]), vec![args(&["open", URL]), Step::Send(call)])
    };
    vec![
        looked(
            "source-lookup-visible-element",
            json!({ "match": { "row": ["eval"], "contains": "data-component-file" }, "value": hints }),
            &[("src/Counter.jsx", "export function Counter() {}\n")],
            json!({ "sourceLookup": { "selector": "#save" } }),
        ),
        looked(
            "network-source-lookup-failed-request",
            json!({ "match": { "row": ["network", "requests"] }, "result": { "requests": [failed] } }),
            &[("src/price.js", "\nfetch('/api/price');\n")],
            json!({ "networkSourceLookup": { "requestId": "1.2" } }),
        ),
    ]
}

/// A desktop app from its start to its end, and what it shows in one call instead of three.
fn desktop_apps() -> Vec<Scenario> {
    let launch = |handoff: &str| {
        Step::Send(
            json!({ "electron": { "action": "launch", "appName": APP, "handoff": handoff } }),
        )
    };
    let with_app = |name, calls| Scenario { app: Some(APP), ..plain(name, calls) };
    vec![
        with_app(
            "electron-lifecycle",
            vec![
                Step::Send(json!({ "electron": { "action": "list", "query": APP } })),
                launch("snapshot"),
                args(&["click", "@e3"]),
                Step::OnLaunch("status"),
                Step::OnLaunch("cleanup"),
            ],
        ),
        with_app(
            "electron-look-single-calls",
            vec![
                launch("connect"),
                args(&["tab", "list"]),
                args(&["get", "url"]),
                args(&["snapshot", "-i"]),
                Step::OnLaunch("cleanup"),
            ],
        ),
        with_app(
            "electron-probe",
            vec![launch("connect"), Step::OnLaunch("probe"), Step::OnLaunch("cleanup")],
        ),
    ]
}

fn quiet_network() -> Value {
    json!([
        { "match": { "row": ["network", "requests"] }, "result": { "requests": [
            { "requestId": "1.1", "method": "GET", "resourceType": "Document", "url": URL, "status": 200 }] } },
        { "match": { "row": ["eval"], "contains": "getEntriesByType('resource')" }, "value": [] },
    ])
}

/// Calls that must fail, each with another category.
fn failures() -> Vec<Scenario> {
    let one = |name: &'static str, rule: Value, call: Step| {
        scripted(name, json!([rule]), vec![args(&["open", URL]), call])
    };
    let miss = "No element found by text 'Pay'. Verify the selector, role, or name is correct and the \
                element exists in the DOM.";
    let gone = json!({ "match": { "row": ["click"] }, "error": "The pinned tab was closed", "code": "tab_gone" });
    vec![
        plain("fails-validation-error", vec![Step::Send(json!({ "arg": ["open"] }))]),
        plain("fails-policy-blocked", vec![args(&["mcp"])]),
        one(
            "fails-selector-unsupported",
            json!({ "match": { "row": ["click"] }, "error": "Element not found: text=Pay" }),
            args(&["click", "text=Pay"]),
        ),
        one(
            "fails-selector-not-found",
            json!({ "match": { "row": ["find"] }, "error": miss }),
            args(&["find", "text", "Pay", "click"]),
        ),
        one("fails-tab-gone", gone, args(&["click", "#pay"])),
        one(
            "fails-upstream-error",
            json!({ "match": { "row": ["click"] }, "error": "Something broke" }),
            args(&["click", "#pay"]),
        ),
        scripted(
            "fails-parse-failure",
            json!([{ "match": { "argv": ["batch"] }, "stdout": "not an answer" }]),
            vec![args(&["open", URL])],
        ),
    ]
}
