//! From a page to its code: a real React development build, its modules served one by one.

use std::fs;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::real_pages::{modules, script};
use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};

const PAGE: &str = "<!doctype html><title>Shop</title><div id=root></div>
<div data-source-file=src/Legacy.ts data-source-line=7><p id=legacy>old</p></div>
<script src=/react.js></script><script type=module src=/src/main.jsx></script>";

const FILES: [(&str, &str); 4] = [
    (
        "src/main.jsx",
        "import { Counter } from './Counter.jsx';
ReactDOM.createRoot(document.getElementById('root'))
  .render(React.createElement(Counter, { label: 'Add' }));
fetch('/api/price/42').catch(() => {});
",
    ),
    (
        "src/Counter.jsx",
        "import { Total } from './Total.jsx';
const { createElement, useState } = React;

export function Counter({ label }) {
  const [count, setCount] = useState(0);
  return createElement('section', null,
    createElement('button', { onClick: () => setCount(count + 1) }, label),
    createElement(Total, { count }));
}
",
    ),
    (
        "src/Total.jsx",
        "const { createElement } = React;

export const Total = ({ count }) => {
  return createElement('output', { id: 'total' }, 'Total ', count);
};
",
    ),
    ("src/Legacy.ts", "export {};\n\n\n\n\n\n// the seventh\n"),
];

/// React's development build for a page without a bundler, installed once from the lock file.
fn react() -> &'static str {
    static BUILT: OnceLock<String> = OnceLock::new();
    BUILT.get_or_init(|| {
        let modules = modules();
        let mut script = String::from(
            "(() => { const process = { env: { NODE_ENV: 'development' } }; const made = {}, cache = {};\n\
             const require = (name) => { if (!cache[name]) { const module = cache[name] = { exports: {} };\n\
             made[name](module, module.exports, require); } return cache[name].exports; };\n",
        );
        for (name, file) in [
            ("react", "react/cjs/react.development.js"),
            ("scheduler", "scheduler/cjs/scheduler.development.js"),
            ("react-dom", "react-dom/cjs/react-dom.development.js"),
            ("react-dom/client", "react-dom/cjs/react-dom-client.development.js"),
        ] {
            let text = fs::read_to_string(modules.join(file)).unwrap();
            script += &format!("made['{name}'] = function (module, exports, require) {{ {text}\n}};\n");
        }
        script + "window.React = require('react'); window.ReactDOM = require('react-dom/client'); })();"
    })
}

/// The app on loopback, and its sources in the working directory of the tool.
fn shop(bed: &Bed) -> Pages {
    let pages = Pages::with(PAGE);
    pages.set("/react.js", script(react()));
    pages.set("/api/price/42", Route::status(500, "no"));
    for (name, text) in FILES {
        pages.set(&format!("/{name}"), script(text));
        let path = bed.path("work").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    pages
}

/// Confidence, file and line of the best candidate.
fn best(details: &Value, mode: &str) -> String {
    let one = &details[mode]["candidates"][0];
    format!(
        "{} {}:{} {}",
        one["confidence"].as_str().unwrap_or("none"),
        one["file"].as_str().unwrap_or("none"),
        one["line"],
        one["source"].as_str().unwrap_or("none")
    )
}

// IN-SRC-04, SRC-06, IN-SRC-05, SRC-07, IN-SRC-03, SRC-05, IN-SRC-10
#[test]
fn live_react_leads_from_an_element_and_a_component_to_their_files() {
    let bed = Bed::new();
    let pages = shop(&bed);
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let opened = mcp.ok(&["--enable", "react-devtools", "open", &pages.url("/")]);
    let button = ref_in(&opened, "button", "Add").unwrap();
    let mut look = |query: Value| {
        let answer = mcp.call_with(&json!({ "sourceLookup": query }));
        assert!(!answer.is_error(), "{}", answer.text());
        println!("{}\n", answer.text());
        answer
    };
    let total = look(json!({ "selector": "#total" }));
    assert_eq!(best(total.details(), "sourceLookup"), "high src/Total.jsx:4 react-inspect");
    let by_ref = look(json!({ "selector": button }));
    assert_eq!(best(by_ref.details(), "sourceLookup"), "high src/Counter.jsx:7 react-inspect");
    let legacy = look(json!({ "selector": "#legacy" }));
    assert_eq!(best(legacy.details(), "sourceLookup"), "medium src/Legacy.ts:7 dom-attribute");
    let named = look(json!({ "componentName": "Counter" }));
    assert_eq!(best(named.details(), "sourceLookup"), "high src/Counter.jsx:4 workspace-search");
    let inspected = look(json!({ "reactFiberId": 2 }));
    assert_eq!(best(inspected.details(), "sourceLookup"), "high src/Counter.jsx:4 react-inspect");
    // Looking changed nothing: the ref of the first answer still works.
    assert!(mcp.ok(&["click", &button]).contains("Page changed"));
}

// IN-SRC-10, SRC-10, SRC-11, IN-SRC-11
#[test]
fn live_without_developer_tools_the_element_still_knows_its_file() {
    let bed = Bed::new();
    let pages = shop(&bed);
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let total = mcp.call_with(&json!({ "sourceLookup": { "selector": "#total" } }));
    assert_eq!(best(total.details(), "sourceLookup"), "high src/Total.jsx:4 react-inspect");
    let failed = mcp.call_with(&json!({ "sourceLookup": { "componentName": "Nobody" } }));
    assert!(failed.is_error());
    assert_eq!(failed.details()["sourceLookup"]["status"], "unsupported");
    let text = failed.text();
    assert!(text.contains("Next: {\"args\":[\"--enable\",\"react-devtools\",\"open\","), "{text}");
}

// IN-NET-05, IN-NET-07, NET-02, NET-09, NET-10
#[test]
fn live_a_failed_request_leads_to_the_line_that_sends_it() {
    let bed = Bed::new();
    let pages = shop(&bed);
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&[
        "wait",
        "--fn",
        "performance.getEntriesByType('resource').some((e) => e.name.includes('/api/'))",
    ]);
    let refused = mcp.call_with(&json!({ "networkSourceLookup": { "filter": "/api/" } }));
    println!("{}", refused.ok());
    assert_eq!(
        best(refused.details(), "networkSourceLookup"),
        "high src/main.jsx:4 workspace-search"
    );
    let found = &refused.details()["networkSourceLookup"];
    let id = found["failedRequests"][0]["requestId"].as_str().unwrap().to_owned();
    assert_eq!(found["failedRequests"][0]["status"], 500);
    let by_id = mcp.call_with(&json!({ "networkSourceLookup": { "requestId": id } }));
    assert_eq!(by_id.details()["networkSourceLookup"]["status"], "failed-requests-found");
    let scripts = mcp.call_with(&json!({ "networkSourceLookup": { "filter": "/src/" } }));
    assert_eq!(scripts.details()["networkSourceLookup"]["status"], "no-failed-requests");
    assert_eq!(mcp.ok(&["get", "title"]), "Shop");
}
