//! One answer of upstream per family of commands, with the same foreign words in every place.

use serde_json::{Value, json};

/// A call, and what upstream says to it.
pub struct Family {
    pub args: Vec<&'static str>,
    pub result: Value,
    /// Upstream is asked directly, not in rows.
    pub plain: bool,
}

fn in_row(args: &[&'static str], result: Value) -> Family {
    Family { args: args.to_vec(), result, plain: false }
}

fn plain(args: &[&'static str], result: Value) -> Family {
    Family { args: args.to_vec(), result, plain: true }
}

impl Family {
    /// The rule that makes the stand-in say it.
    pub fn rule(&self) -> Value {
        let words: Vec<&str> =
            self.args.iter().copied().take_while(|word| !word.starts_with("--")).take(2).collect();
        match self.plain {
            true => json!({
                "match": { "argv": words },
                "stdout": { "success": true, "data": self.result },
            }),
            false => json!({ "match": { "row": words }, "result": self.result }),
        }
    }
}

/// Every family. `words` stand wherever a page, a server or a file may put its own words; lists
/// have `count` items.
pub fn families(words: &str, count: usize) -> Vec<Family> {
    let mut all = listings(words, count);
    all.extend(readings_and_acts(words, count));
    all.extend(without_a_page(words, count));
    all
}

fn listings(words: &str, count: usize) -> Vec<Family> {
    let many = |one: Value| Value::Array(vec![one; count]);
    let url = format!("https://shop.test/{words}");
    let tab = json!({ "active": true, "label": words, "tabId": "t1", "title": words, "type": "page", "url": url });
    let request = json!({
        "requestId": "1.1", "method": words, "resourceType": words, "status": 500, "url": url,
        "mimeType": words, "headers": { "x-one": words }, "responseHeaders": { "x-two": words },
        "postData": words, "responseBody": words,
    });
    let rule = json!({
        "help": words, "helpUrl": url, "id": words, "impact": words, "nodeCount": 1,
        "nodes": [{ "html": words, "target": [words], "failureSummary": words }],
    });
    let cookie =
        json!({ "name": words, "domain": words, "path": words, "sameSite": words, "value": "v" });
    let mut storage = serde_json::Map::new();
    for n in 0..count {
        storage.insert(format!("k{n} {words}"), json!(words));
    }
    vec![
        in_row(&["tab", "list"], json!({ "tabs": many(tab.clone()) })),
        in_row(&["tab", "t1"], tab),
        in_row(&["network", "requests"], json!({ "requests": many(request.clone()) })),
        in_row(&["network", "request", "1.1"], request),
        in_row(&["network", "route", "**/x"], json!({ "routed": words })),
        in_row(&["console"], json!({ "messages": many(json!({ "type": words, "text": words })) })),
        in_row(&["errors"], json!({ "errors": many(json!({ "text": words, "url": url })) })),
        in_row(&["cookies"], json!({ "cookies": many(cookie) })),
        in_row(&["storage", "local"], json!({ "data": storage })),
        in_row(&["storage", "session"], json!({ "key": words, "value": words })),
        in_row(
            &["dialog", "status"],
            json!({ "hasDialog": true, "type": words, "message": words, "defaultPrompt": words }),
        ),
        in_row(&["frame", "#f"], json!({ "frame": words })),
        in_row(
            &["stream", "status"],
            json!({ "connected": true, "enabled": true, "port": 9, "note": words }),
        ),
        in_row(
            &["vitals"],
            json!({ "url": url, "lcp": { "element": words, "startTime": 1 }, "ttfb": 1 }),
        ),
        in_row(
            &["a11y"],
            json!({ "url": url, "counts": {}, "violations": many(rule.clone()), "incomplete": many(rule) }),
        ),
        in_row(&["react", "tree"], json!({ "tree": vec![words; count].join("\n") })),
        in_row(&["react", "inspect", "1"], json!({ "text": words, "source": [words, 1, 2] })),
        in_row(
            &["read"],
            json!({ "content": vec![words; count].join("\n"), "finalUrl": url, "url": url }),
        ),
        in_row(
            &["diff", "snapshot"],
            json!({ "additions": 1, "changed": true, "diff": vec![words; count].join("\n"), "removals": 0 }),
        ),
        in_row(
            &["diff", "url", "https://a.test", "https://b.test"],
            json!({ "diff": { "additions": 1 }, "snapshot1": words, "snapshot2": words, "url1": url, "url2": url }),
        ),
        in_row(
            &["webmcp", "list"],
            json!({ "tools": many(json!({ "name": words, "description": words })) }),
        ),
        in_row(
            &["webmcp", "invoke", "x"],
            json!({ "answer": words, "list": many(json!({ "deep": { "er": [words] } })) }),
        ),
        in_row(&["clipboard", "read"], json!({ "text": words })),
        in_row(&["inspect"], json!({ "opened": true, "url": url })),
    ]
}

fn readings_and_acts(words: &str, count: usize) -> Vec<Family> {
    let url = format!("https://shop.test/{words}");
    vec![
        in_row(&["get", "text", "main"], json!({ "origin": url, "text": words })),
        in_row(&["get", "title"], json!({ "title": words })),
        in_row(
            &["get", "html", "main"],
            json!({ "origin": url, "html": vec![words; count].join("\n") }),
        ),
        in_row(&["get", "attr", "main", "x"], json!({ "origin": url, "value": words })),
        in_row(&["is", "visible", "main"], json!({ "origin": url, "visible": words })),
        in_row(&["find", "text", "x", "text"], json!({ "text": words })),
        in_row(&["find", "role", "button", "click"], json!({ "clicked": words })),
        in_row(&["click", "#a"], json!({ "clicked": words, "newTab": true, "url": url })),
        in_row(&["fill", "#a", "x"], json!({ "filled": words })),
        in_row(&["select", "#a", "x"], json!({ "selected": [words] })),
        in_row(&["press", "Enter"], json!({ "pressed": words })),
        in_row(&["wait", "--text", "x"], json!({ "text": words, "waited": "text" })),
        in_row(&["wait", "--url", "x"], json!({ "url": url })),
        in_row(
            &["open", "https://shop.test/"],
            json!({ "targetId": "T", "title": words, "url": url }),
        ),
        in_row(&["reload"], json!({ "url": url })),
        in_row(&["pushstate", "/x"], json!({ "url": url })),
        in_row(
            &["set", "device", "iPhone 12"],
            json!({ "device": words, "width": 1, "height": 2 }),
        ),
        in_row(&["connect", "9333"], json!({ "launched": true, "note": words })),
        in_row(
            &["state", "load", "x.json"],
            json!({ "loaded": true, "path": words, "skippedOrigins": [words] }),
        ),
        in_row(&["snapshot", "-i"], snapshot(words, count)),
    ]
}

fn without_a_page(words: &str, count: usize) -> Vec<Family> {
    let many = |one: Value| Value::Array(vec![one; count]);
    let url = format!("https://shop.test/{words}");
    vec![
        plain(
            &["auth", "list"],
            json!({ "profiles": many(json!({ "name": words, "url": url, "username": words })) }),
        ),
        plain(
            &["state", "list"],
            json!({ "directory": words, "files": many(json!({ "filename": words, "size": 1, "path": words })) }),
        ),
        plain(
            &["state", "show", "x"],
            json!({ "state": { "cookies": [{ "name": words, "value": "v" }] }, "summary": words }),
        ),
        plain(&["session", "list"], json!({ "sessions": many(json!(words)) })),
        plain(
            &["session", "info"],
            json!({ "active": true, "session": words, "runtimeError": words, "runtime": { "engine": words } }),
        ),
        plain(&["skills", "list"], many(json!({ "name": words, "description": words }))),
        plain(
            &["skills", "get", "core"],
            json!([{ "name": words, "content": vec![words; count].join("\n") }]),
        ),
        plain(&["profiles"], many(json!({ "directory": words, "name": words }))),
        plain(
            &["doctor"],
            json!({ "checks": many(json!({ "status": "warn", "message": words, "fix": words })), "summary": { "warn": count } }),
        ),
        plain(&["dashboard", "start"], json!({ "port": 1, "access_urls": [words] })),
        plain(
            &["plugin", "list"],
            json!({ "plugins": many(json!({ "name": words, "command": words })) }),
        ),
        plain(&["chat", "hello"], json!({ "response": vec![words; count].join("\n") })),
    ]
}

/// A tree of buttons that are called like that.
pub fn snapshot(words: &str, count: usize) -> Value {
    let refs: serde_json::Map<String, Value> = (1..=count)
        .map(|n| (format!("e{n}"), json!({ "role": "button", "name": format!("{words} {n}") })))
        .collect();
    let tree: Vec<String> = (1..=count)
        .map(|n| format!("- button {} [ref=e{n}]", json!(format!("{words} {n}"))))
        .collect();
    json!({ "origin": "https://shop.test/", "refs": refs, "snapshot": tree.join("\n") })
}
