//! What a healthy upstream says about a small page, so that most tests need no script.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::probe;

const PIXEL: &[u8] = include_bytes!("pixel.png");

/// Role and name of everything that has a ref on every page.
const ELEMENTS: [(&str, &str); 4] =
    [("heading", "Fake page"), ("link", "Next"), ("button", "Save"), ("textbox", "Email")];

/// A selector that holds this word finds nothing.
pub(crate) const MISSING: &str = "nope";

/// The state of a session between calls.
#[derive(Deserialize, Serialize)]
pub(crate) struct Page {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) launch_hash: u64,
    /// The next command is the first since the launch.
    fresh: bool,
    next_ref: u64,
    /// Ref number to place in `ELEMENTS`; empty until a snapshot.
    refs: BTreeMap<u64, usize>,
    values: BTreeMap<String, String>,
    /// The selector of the field that has the focus.
    pub(crate) focused: String,
    pub(crate) tabs: Vec<Tab>,
    active: String,
    next_tab: u64,
    /// Refs of the document before, which upstream still takes after the page moved by itself.
    kept: BTreeMap<u64, usize>,
    /// How many documents this browser has had.
    documents: u64,
}

#[derive(Clone, Deserialize, Serialize)]
pub(crate) struct Tab {
    id: String,
    label: Option<String>,
    url: String,
}

impl Page {
    pub(crate) fn blank() -> Self {
        let first = Tab { id: "t1".to_owned(), label: None, url: "about:blank".to_owned() };
        Self {
            url: first.url.clone(),
            title: String::new(),
            launch_hash: 10_997_649_587_079_013_033,
            fresh: true,
            next_ref: 1,
            refs: BTreeMap::new(),
            values: BTreeMap::new(),
            focused: String::new(),
            active: first.id.clone(),
            tabs: vec![first],
            next_tab: 2,
            kept: BTreeMap::new(),
            documents: 1,
        }
    }

    /// The identity of the document.
    pub(crate) fn doc(&self) -> String {
        format!("{}.5", 1_794_770_000_000 + self.documents)
    }

    fn go(&mut self, url: &str) {
        self.documents += 1;
        self.url = if url.contains(':') { url.to_owned() } else { format!("https://{url}") };
        self.title = if self.url == "about:blank" { String::new() } else { "Fake page".to_owned() };
        self.refs.clear();
        self.kept.clear();
        self.values.clear();
        let (url, active) = (self.url.clone(), self.active.clone());
        self.tabs
            .iter_mut()
            .filter(|tab| tab.id == active)
            .for_each(|tab| tab.url.clone_from(&url));
    }

    fn target_id(&self) -> String {
        format!("FAKE{}", self.active.trim_start_matches('t'))
    }

    fn tab_row(&self, tab: &Tab) -> Value {
        json!({
            "active": tab.id == self.active, "label": tab.label, "tabId": tab.id,
            "targetId": format!("FAKE{}", tab.id.trim_start_matches('t')),
            "title": "Fake page", "type": "page", "url": tab.url,
        })
    }

    fn snapshot(&mut self) -> Value {
        if self.url == "about:blank" {
            return json!({"origin": self.url, "refs": {}, "removedRefs": [], "snapshot": "(no interactive elements)"});
        }
        if self.refs.is_empty() {
            self.refs = (self.next_ref..).zip(0..ELEMENTS.len()).collect();
            self.next_ref += ELEMENTS.len() as u64;
        }
        let elements =
            || self.refs.iter().filter_map(|(number, at)| Some((number, ELEMENTS.get(*at)?)));
        let refs: serde_json::Map<String, Value> = elements()
            .map(|(number, (role, name))| {
                (format!("e{number}"), json!({"name": name, "role": role}))
            })
            .collect();
        let lines: Vec<String> = elements()
            .map(|(number, (role, name))| {
                let level = if *role == "heading" { "level=1, " } else { "" };
                format!("- {role} \"{name}\" [{level}ref=e{number}]")
            })
            .collect();
        json!({"origin": self.url, "refs": refs, "removedRefs": [], "snapshot": lines.join("\n")})
    }

    fn is_link(&self, target: &str) -> bool {
        let number = target.strip_prefix("@e").and_then(|number| number.parse::<u64>().ok());
        let at = number.and_then(|number| self.refs.get(&number));
        at.and_then(|at| ELEMENTS.get(*at)).is_some_and(|(role, _)| *role == "link")
    }

    /// What upstream says when a target is not there.
    fn miss(&self, target: &str) -> Option<String> {
        let number = target.strip_prefix("@e").and_then(|number| number.parse::<u64>().ok());
        match number {
            Some(number) if self.refs.contains_key(&number) || self.kept.contains_key(&number) => {
                None
            }
            Some(number) => Some(format!("Unknown ref: e{number}")),
            None if target.contains(MISSING) => Some(format!(
                "Element not found: {target}. Verify the selector, role, or name is correct and the element exists in the DOM."
            )),
            None => None,
        }
    }
}

/// The answer to one command.
pub(crate) struct Answer {
    pub(crate) success: bool,
    /// Rows that the argument parser rejects have none at all.
    pub(crate) result: Option<Value>,
    error: Option<String>,
    pub(crate) warning: Option<String>,
    pub(crate) code: Option<String>,
    kind: Option<&'static str>,
}

impl Answer {
    pub(crate) fn success(page: &mut Page, mut result: Value) -> Self {
        let launched = std::mem::take(&mut page.fresh);
        if let Some(fields) = result.as_object_mut() {
            fields.entry("lifecycle").or_insert_with(|| {
                json!({
                    "effectiveLaunch": {"browserLaunched": true, "engine": "chrome", "launchHash": page.launch_hash},
                    "launched": launched, "relaunchedBrowser": false, "restartedBackground": false,
                    "restoreStatus": "not_configured", "reused": !launched, "saveStatus": "not_attempted",
                })
            });
        }
        Self {
            success: true,
            result: Some(result),
            error: None,
            warning: None,
            code: None,
            kind: None,
        }
    }

    pub(crate) fn failure(error: &str) -> Self {
        let (error, result) = (Some(error.to_owned()), Some(Value::Null));
        Self { success: false, result, error, warning: None, code: None, kind: None }
    }

    fn rejected(error: &str, kind: &'static str) -> Self {
        Self { result: None, kind: Some(kind), ..Self::failure(error) }
    }

    pub(crate) fn as_envelope(&self) -> Value {
        if self.result.is_none() {
            return json!({"error": self.error, "success": false, "type": self.kind});
        }
        self.with_extras(json!({"success": self.success, "data": self.result, "error": self.error}))
    }

    pub(crate) fn as_row(&self, index: usize, row: &[String], omit_command: bool) -> Value {
        let mut printed =
            if omit_command { json!({"index": index}) } else { json!({"command": row}) };
        printed["error"] = json!(self.error);
        if let Some(result) = &self.result {
            printed["result"] = result.clone();
        }
        printed["success"] = json!(self.success);
        self.with_extras(printed)
    }

    fn with_extras(&self, mut printed: Value) -> Value {
        for (key, value) in [("warning", &self.warning), ("code", &self.code)] {
            if let Some(value) = value {
                printed[key] = json!(value);
            }
        }
        printed
    }
}

/// The answer without a script.
pub(crate) fn usual(row: &[String], page: &mut Page) -> Answer {
    let word = |at: usize| row.get(at).map(String::as_str).unwrap_or_default();
    let (command, target) = (word(0), word(1));
    if is_about_an_element(command)
        && let Some(miss) = page.miss(target)
    {
        return Answer::failure(&miss);
    }
    if matches!(command, "get" | "is")
        && let Some(miss) = page.miss(word(2))
    {
        return Answer::failure(&miss);
    }
    // The page follows its link by itself: upstream keeps its refs, as the real one does.
    if command == "click" && page.is_link(target) {
        let (refs, url) = (page.refs.clone(), format!("{}/next", page.url.trim_end_matches('/')));
        page.go(&url);
        page.kept = refs;
        return Answer::success(page, json!({"clicked": target}));
    }
    let result = match command {
        "open" | "goto" | "navigate" => {
            if !target.is_empty() {
                page.go(target);
            }
            json!({"targetId": page.target_id(), "title": page.title, "url": page.url})
        }
        "reload" | "back" | "forward" => {
            page.refs.clear();
            page.documents += 1;
            json!({"url": page.url})
        }
        "connect" => {
            page.go("app://main/");
            json!({"launched": true, "relaunchedBrowser": false})
        }
        "snapshot" => page.snapshot(),
        "eval" => match probe::answer(row, page) {
            Some(answer) => return answer,
            None => json!({"origin": page.url, "result": null}),
        },
        "fill" | "type" => {
            page.values.insert(target.to_owned(), word(2).to_owned());
            if command == "fill" { json!({"filled": target}) } else { json!({"typed": word(2)}) }
        }
        "keyboard" if target == "inserttext" => {
            page.values.insert(page.focused.clone(), word(2).to_owned());
            json!({"inserted": true})
        }
        "get" => get(page, target, word(2), word(3)),
        "is" => json!({"origin": page.url, target: true}),
        "tab" => return tab(page, target, row),
        "window" if target == "new" => window(page),
        "screenshot" => {
            return save(row.last().filter(|_| row.len() > 1), "screenshot.png", PIXEL, page);
        }
        "pdf" => return save(row.get(1), "page.pdf", b"%PDF-1.4\n%%EOF\n", page),
        "download" => return save(row.get(2), "download.bin", b"downloaded", page),
        _ => match acknowledged(command, row) {
            Some(result) => result,
            None => {
                return Answer::rejected(&format!("Unknown command: {command}"), "unknown_command");
            }
        },
    };
    Answer::success(page, result)
}

fn is_about_an_element(command: &str) -> bool {
    matches!(
        command,
        "click"
            | "dblclick"
            | "fill"
            | "type"
            | "hover"
            | "focus"
            | "check"
            | "uncheck"
            | "select"
            | "upload"
            | "download"
            | "scrollintoview"
            | "tap"
            | "highlight"
    )
}

/// Commands that only repeat what was asked.
fn acknowledged(command: &str, row: &[String]) -> Option<Value> {
    let word = |at: usize| row.get(at).map(String::as_str).unwrap_or_default();
    let target = word(1);
    Some(match command {
        "click" | "dblclick" => json!({"clicked": target}),
        "tap" => json!({"tapped": target}),
        "hover" => json!({"hovered": target}),
        "focus" => json!({"focused": target}),
        "check" => json!({"checked": target}),
        "uncheck" => json!({"unchecked": target}),
        "highlight" => json!({"highlighted": target}),
        "select" => json!({"selected": row.get(2..).unwrap_or_default()}),
        "upload" => json!({"selector": target, "uploaded": row.len().saturating_sub(2)}),
        "drag" => json!({"dragged": true, "source": target, "target": word(2)}),
        "press" | "key" => json!({"pressed": target}),
        "keyboard" => json!({"typed": word(2)}),
        "scroll" => json!({"scrolled": true}),
        "scrollintoview" | "scrollinto" => json!({"scrolled": target}),
        "wait" => json!({"selector": target, "waited": "selector"}),
        "find" => json!({"clicked": "[data-agent-browser-located='true']"}),
        "dialog" if target == "status" => json!({"hasDialog": false}),
        "dialog" => json!({"accepted": target == "accept", "handled": true}),
        "console" => json!({"messages": []}),
        "errors" => json!({"errors": []}),
        "network" if target == "requests" => json!({"requests": []}),
        "cookies" => json!({"cookies": []}),
        "close" => json!({"closed": true}),
        "network" | "storage" | "state" | "set" | "mouse" | "frame" | "window" | "clipboard"
        | "trace" | "profiler" | "record" | "auth" | "confirm" | "deny" | "stream"
        | "addinitscript" | "read" | "device" => json!({}),
        _ => return None,
    })
}

fn get(page: &Page, what: &str, target: &str, name: &str) -> Value {
    match what {
        "title" => json!({"title": page.title}),
        "url" => json!({"url": page.url}),
        "value" => {
            json!({"origin": page.url, "value": page.values.get(target).cloned().unwrap_or_default()})
        }
        "count" => json!({"count": 1, "selector": target}),
        "box" => json!({"height": 20, "width": 100, "x": 8.0, "y": 8.0}),
        "attr" => json!({"origin": page.url, "value": format!("{name} of {target}")}),
        "cdp-url" => json!({"cdpUrl": "ws://127.0.0.1:9/devtools/browser/fake"}),
        other => json!({"origin": page.url, other: format!("{other} of {target}")}),
    }
}

/// The real one names the tab of a new window by its id alone.
fn window(page: &mut Page) -> Value {
    tab(page, "new", &[]);
    json!({"tabId": page.active, "total": page.tabs.len()})
}

fn tab(page: &mut Page, action: &str, row: &[String]) -> Answer {
    match action {
        "" | "list" => {
            let tabs: Vec<Value> = page.tabs.iter().map(|tab| page.tab_row(tab)).collect();
            Answer::success(page, json!({"tabs": tabs}))
        }
        "new" => {
            let label = row.iter().skip_while(|word| *word != "--label").nth(1).cloned();
            let url = row.get(2..).unwrap_or_default().iter().rfind(|word| word.contains(':'));
            let url = url.cloned().unwrap_or_else(|| "about:blank".to_owned());
            let tab = Tab { id: format!("t{}", page.next_tab), label, url: url.clone() };
            page.next_tab += 1;
            page.active.clone_from(&tab.id);
            page.tabs.push(tab.clone());
            page.go(&url);
            let (target_id, total) = (page.target_id(), page.tabs.len());
            Answer::success(
                page,
                json!({"label": tab.label, "tabId": tab.id, "targetId": target_id, "total": total, "url": url}),
            )
        }
        "close" => {
            if page.tabs.len() == 1 {
                return Answer::failure("Cannot close the last tab");
            }
            let closed = row.get(2).cloned().unwrap_or_else(|| page.active.clone());
            page.tabs.retain(|tab| tab.id != closed);
            if let Some(next) = page.tabs.last().cloned() {
                page.active.clone_from(&next.id);
                page.go(&next.url);
            }
            Answer::success(
                page,
                json!({"closed": true, "label": null, "tabId": closed, "targetId": "FAKE"}),
            )
        }
        wanted => {
            let found = page
                .tabs
                .iter()
                .find(|tab| {
                    let target = format!("FAKE{}", tab.id.trim_start_matches('t'));
                    tab.id == wanted || tab.label.as_deref() == Some(wanted) || target == wanted
                })
                .cloned();
            let Some(found) = found else {
                return Answer::failure(&format!(
                    "Tab {wanted} not found; run `agent-browser tab` to list open tabs"
                ));
            };
            page.active.clone_from(&found.id);
            page.go(&found.url);
            let row = json!({
                "label": found.label, "tabId": found.id, "targetId": page.target_id(), "title": page.title, "url": page.url,
            });
            Answer::success(page, row)
        }
    }
}

fn save(path: Option<&String>, usual: &str, bytes: &[u8], page: &mut Page) -> Answer {
    let path = match path.filter(|path| path.contains('/') || path.contains('.')) {
        Some(path) => PathBuf::from(path),
        None => {
            let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
            let directory = home.join(".agent-browser/tmp/screenshots");
            let _exists = fs::create_dir_all(&directory);
            directory.join(usual)
        }
    };
    match fs::write(&path, bytes) {
        Ok(()) => Answer::success(page, json!({"path": path})),
        Err(error) => {
            Answer::failure(&format!("Failed to save screenshot to {}: {error}", path.display()))
        }
    }
}
