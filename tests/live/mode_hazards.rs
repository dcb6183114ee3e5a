//! What raw upstream does beside what jobs and checks of the tool do, hazard by hazard.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};
use crate::support::soon;

fn ours(bed: &Bed) -> Mcp {
    Mcp::start(bed.program().arg("mcp"))
}

fn job(mcp: &mut Mcp, steps: &Value) -> String {
    mcp.call_with(&json!({ "job": { "steps": steps } })).text()
}

const KEYS: &str = "<!doctype html><title>Keys</title><input id=q><script>
window.heard = [];
for (const type of ['keydown', 'input', 'keyup'])
  q.addEventListener(type, (e) => heard.push(type + ':' + (e.key || e.data)));
</script>";

// HAZ-21, IN-JOB-11
#[test]
fn live_typed_text_is_heard_as_keys() {
    let (pages, bed) = (Pages::with(KEYS), Bed::new());
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    raw.data(&["focus", "#q"]);
    raw.data(&["keyboard", "type", "ab"]);
    raw.data(&["type", "#q", "c"]);
    assert_eq!(raw.eval("q.value"), "abc");
    let heard = raw.eval("heard.filter((one) => one.startsWith('key')).length");
    assert_eq!(heard, 0, "raw has become right: HAZ-21 can go");
    raw.close();
    let mut mcp = ours(&bed);
    mcp.ok(&["open", &pages.url("/")]);
    let typed = json!([{ "action": "type", "selector": "#q", "text": "a é" }]);
    let said = job(&mut mcp, &typed);
    assert!(said.starts_with("Job: all 1 steps done."), "{said}");
    assert_eq!(mcp.ok(&["get", "value", "#q"]), "a é");
    let heard = mcp.ok(&["eval", "heard.join(' ').replace(/: /g, ':_ ')"]);
    let keys: Vec<&str> = heard.trim().split(' ').filter(|one| one.starts_with("key")).collect();
    assert_eq!(keys, ["keydown:a", "keyup:a", "keydown:_", "keyup:_"], "{heard}");
}

// HAZ-20, IN-JOB-18
#[test]
fn live_an_address_is_not_met_by_one_that_only_holds_it() {
    let (pages, bed) = (Pages::start(), Bed::new());
    let home = pages.url("/home");
    let login = pages.url(&format!("/login?to={home}"));
    pages.html("/home", "<!doctype html><title>Home</title>");
    pages.html("/home/", "<!doctype html><title>Folder</title>");
    pages.html(
        "/login",
        "<!doctype html><title>Login</title><script>
         setTimeout(() => location.replace(new URLSearchParams(location.search).get('to') + location.hash), 1200);
         </script>",
    );
    let raw = bed.raw();
    raw.data(&["open", &login]);
    raw.data(&["wait", "--url", &home, "--timeout", "800"]);
    assert_eq!(raw.eval("document.title"), "Login", "raw: met before the login");
    raw.close();
    let mut mcp = ours(&bed);
    let steps = |open: &str, url: &str| json!([{ "action": "open", "url": open }, { "action": "assertUrl", "url": url }]);
    for (open, title) in [
        (login.clone(), "Home"),
        (format!("{login}#part"), "Home"),
        (pages.url("/home/"), "Folder"),
    ] {
        let said = job(&mut mcp, &steps(&open, &home));
        assert!(said.starts_with("Job: all 2 steps done."), "{open}: {said}");
        assert_eq!(mcp.ok(&["get", "title"]), title, "{open}");
    }
    // A fragment that is given counts.
    let late = mcp.call_with(
        &json!({ "job": { "steps": steps(&home, &format!("{home}#part")) }, "timeoutMs": 3_000 }),
    );
    assert!(late.is_error(), "{}", late.text());
}

const THROWS: &str = "<!doctype html><title>Old</title><script>
setTimeout(() => { throw new Error('old boom'); }, 0);
fetch('http://127.0.0.1:9/refused').catch(() => {});
fetch('/api/stream').catch(() => {});</script>";

// HAZ-12, QA-10, IN-QA-18
#[test]
fn live_what_upstream_cannot_clear_or_tell_apart_is_told_apart() {
    let (pages, bed) = (Pages::with(THROWS), Bed::new());
    pages.set("/api/stream", Route::Never);
    pages.html("/new", "<!doctype html><title>New</title><link rel=icon href='data:,'>");
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    raw.data(&["wait", "500"]);
    raw.data(&["errors", "--clear"]);
    raw.data(&["open", &pages.url("/new")]);
    let errors = raw.data(&["errors"])["errors"].clone();
    assert!(errors.to_string().contains("old boom"), "raw has become right: {errors}");
    let rows = raw.data(&["network", "requests"])["requests"].clone();
    let status = |end: &str| {
        let mut rows = rows.as_array().unwrap().iter();
        let row = rows.find(|row| row["url"].as_str().unwrap().ends_with(end));
        row.unwrap_or_else(|| panic!("{rows:?}"))["status"].clone()
    };
    assert_eq!(
        (status("/refused"), status("/api/stream")),
        (Value::Null, Value::Null),
        "raw: what failed and what is pending look the same"
    );
    raw.close();
    let mut mcp = ours(&bed);
    let first = mcp.call_with(&json!({ "qa": { "url": pages.url("/") } }));
    let told = first.details()["qaPreset"].clone();
    assert_eq!(told["failedChecks"][0], "1 actionable failed request", "{}", first.text());
    assert!(told["warnings"].to_string().contains("1 request(s) still pending"), "{told}");
    let second = mcp.call_with(&json!({ "qa": { "url": pages.url("/new") } }));
    assert!(second.ok().starts_with("QA preset passed"), "{}", second.text());
}

const DIALOG: &str = "<!doctype html><title>Shop</title><button id=save>Save</button>
<div role=dialog aria-label=Newsletter style='position:fixed;bottom:0'><button>Close</button></div>";

// HAZ-16
#[test]
fn live_a_dialog_that_has_no_ref_is_named_all_the_same() {
    let (pages, bed) = (Pages::with(DIALOG), Bed::new());
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    let refs = raw.data(&["snapshot", "-i"])["refs"].clone();
    let mut roles = refs.as_object().unwrap().values().map(|one| one["role"].as_str().unwrap());
    assert!(roles.all(|role| role != "dialog"), "raw has become right: {refs}");
    let clicked = raw.data(&["click", "#save"]);
    assert!(!clicked.to_string().contains("Newsletter"), "raw: nothing names it: {clicked}");
    raw.close();
    let mut mcp = ours(&bed);
    let page = mcp.ok(&["open", &pages.url("/")]);
    let said = mcp.ok(&["click", &ref_in(&page, "button", "Save").unwrap()]);
    let line =
        "Possible overlay blockers: the dialog \"Newsletter\" is open; to close it perhaps @e";
    assert!(said.contains(line), "{said}");
}

const TWINS: &str = "<!doctype html><title>Twins</title>
<button hidden onclick=\"document.title='hidden'\">Save</button>
<button onclick=\"document.title+='!'\">Save</button>";

// DEC-41, IN-SEM-21, HAZ-03
#[test]
fn live_a_role_and_name_is_looked_for_where_no_refs_are_current() {
    let (pages, bed) = (Pages::with(TWINS), Bed::new());
    let mut mcp = ours(&bed);
    let action = json!({ "action": "click", "locator": "role", "role": "button", "name": "Save" });
    let action = json!({ "semanticAction": action });
    mcp.ok(&["open", &pages.url("/")]);
    mcp.fails(&["snapshot", "-i", "-s", ".nosuch"]);
    for (processes, title) in [(2, "Twins!"), (1, "Twins!!")] {
        let said = mcp.call_with(&action);
        assert!(said.ok().starts_with("Clicked @e"), "{}", said.text());
        assert_eq!(said.details()["timing"]["upstreamProcesses"], processes, "{}", said.text());
        assert_eq!(mcp.ok(&["get", "title"]), title);
    }
    // The look never starts a browser in the place of one that went.
    mcp.fails(&["snapshot", "-i", "-s", ".nosuch"]);
    bed.browsers().iter().for_each(|browser| browser.kill(Signal::KILL));
    assert!(soon(Duration::from_secs(5), || bed.browsers().is_empty()));
    let lost = mcp.call_with(&action);
    assert!(lost.text().starts_with("Failed (tab-drift, isError: true): "), "{}", lost.text());
    assert!(lost.text().contains(&format!("Next: {{\"args\":[\"open\",\"{}\"]}}", pages.url("/"))));
    assert!(soon(Duration::from_secs(5), || bed.browsers().is_empty()), "{:?}", bed.browsers());
}
