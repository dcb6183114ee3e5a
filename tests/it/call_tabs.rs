//! Restored tabs that take the focus, and blank pages where a page was.

use std::fs;

use agent_browser_native::session::fact::Fact;
use serde_json::{Value, json};

use crate::support::engine::{Said, TestEngine};
use crate::support::env::TestEnv;

const URL: &str = "http://shop.test/";

fn tab(id: u32, active: bool) -> Value {
    json!({ "active": active, "label": null, "tabId": format!("t{id}"), "targetId": format!("FAKE{id}"),
        "title": "Fake page", "type": "page", "url": URL })
}

/// A browser that has brought another tab back; `stolen` = that one has the focus.
async fn restored(flags: &[&str], stolen: bool) -> (TestEngine, Said) {
    let rules = json!([{ "match": { "row": ["tab", "list"] }, "times": 1,
        "result": { "tabs": [tab(1, !stolen), tab(2, stolen)] } }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    let args: Vec<&str> = flags.iter().copied().chain(["open", URL]).collect();
    let said = tool.call(&args).await;
    assert!(!said.is_error, "{}", said.text);
    (tool, said)
}

/// Changes the stand-in's page behind our back.
fn meddle(tool: &TestEngine, change: impl FnOnce(&mut Value)) {
    let files = tool.env.files("s");
    let page = files.iter().find(|path| path.extension().is_some_and(|ending| ending == "fake"));
    let page = page.unwrap();
    let mut state: Value = serde_json::from_slice(&fs::read(page).unwrap()).unwrap();
    change(&mut state);
    fs::write(page, state.to_string()).unwrap();
}

/// The tab was closed from outside, and upstream has opened a blank one.
fn blank(state: &mut Value) {
    let tab = json!({ "id": "t9", "label": null, "url": "about:blank" });
    (state["url"], state["title"]) = (json!("about:blank"), json!(""));
    (state["active"], state["tabs"]) = (json!("t9"), json!([tab]));
}

fn first_row(tool: &TestEngine) -> Vec<String> {
    tool.asked().pop().unwrap().rows.into_iter().next().unwrap()
}

fn ids(said: &Said) -> Vec<String> {
    let next = said.details["nextActions"].as_array().unwrap();
    next.iter().map(|next| next["id"].as_str().unwrap().to_owned()).collect()
}

// PAGE-03, PLAN-13
#[tokio::test]
async fn a_restored_tab_with_the_focus_loses_it_to_the_opened_one() {
    for flags in [
        &["--profile", "Work"][..],
        &["--session-name", "work"],
        &["--state", "/tmp/s.json"],
        &["--restore=work"],
    ] {
        let (tool, said) = restored(flags, true).await;
        assert!(said.text.contains("A restored tab had the focus"), "{flags:?}: {}", said.text);
        assert_eq!(first_row(&tool), ["tab", "FAKE1"], "{flags:?}");
        assert_eq!(said.details["timing"]["upstreamProcesses"], 2);
        // The refs of the view belong to the opened tab.
        let id =
            said.text.lines().find_map(|line| line.split_once("button \"Save\" [ref=")).unwrap().1;
        let clicked = tool.call(&["click", &format!("@{}", id.trim_end_matches(']'))]).await;
        assert!(clicked.first().starts_with("Clicked"), "{}", clicked.text);
    }
    let (tool, said) = restored(&["--profile", "Work"], false).await;
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
    assert!(!said.text.contains("restored"));
    drop(tool);
}

// PAGE-04, PAGE-05, PAGE-07, DEC-95
#[tokio::test]
async fn commands_without_a_ref_select_their_tab_in_the_same_process() {
    let pinned: &[&[&str]] = &[
        &["get", "title"],
        &["click", "#a"],
        &["eval", "1"],
        &["screenshot", "a.png"],
        &["wait", "10"],
        &["storage", "local"],
        &["scroll", "down"],
        &["snapshot", "-i"],
    ];
    for args in pinned {
        let (tool, _) = restored(&["--profile", "Work"], false).await;
        let said = tool.call(args).await;
        assert!(!said.is_error, "{args:?}: {}", said.text);
        assert_eq!(first_row(&tool), ["tab", "FAKE1"], "{args:?}");
        assert_eq!(said.details["timing"]["upstreamProcesses"], 1, "{args:?}");
        assert!(!said.details["effectiveArgs"].to_string().contains("FAKE1"), "{args:?}");
    }
    let free: &[&[&str]] =
        &[&["open", URL], &["tab", "list"], &["network", "requests"], &["console"]];
    for args in free {
        let (tool, _) = restored(&["--profile", "Work"], false).await;
        tool.call(args).await;
        assert_ne!(first_row(&tool), ["tab", "FAKE1"], "{args:?}");
    }
}

// DEC-95
#[tokio::test]
async fn a_pin_never_stands_in_front_of_a_ref_and_voids_the_stored_ones() {
    let (tool, _) = restored(&["--profile", "Work"], false).await;
    let clicked = tool.call(&["click", "@e3"]).await;
    assert!(clicked.first().starts_with("Clicked @e3"), "{}", clicked.text);
    assert!(!tool.asked().pop().unwrap().commands().contains(&"tab"));
    let rows = json!([["get", "title"], ["get", "text", "@e3"]]).to_string();
    tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert!(!tool.asked().pop().unwrap().commands().contains(&"tab"));
    let rows = json!([["get", "title"], ["get", "url"]]).to_string();
    let said = tool.send(json!({ "args": ["batch"], "stdin": rows })).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(first_row(&tool), ["tab", "FAKE1"]);
    let stale = tool.call(&["click", "@e3"]).await;
    assert_eq!(stale.category(), "stale-ref");
    assert!(stale.first().contains("another tab"), "{}", stale.text);
    assert!(!tool.call(&["snapshot", "-i"]).await.is_error);
}

// PAGE-03, PAGE-04, DEC-95
#[tokio::test]
async fn a_batch_that_launches_with_one_tab_has_no_tab_to_select_later() {
    for (tabs, pinned) in
        [(json!([tab(1, true)]), false), (json!([tab(1, true), tab(2, false)]), true)]
    {
        let rules = json!([{ "match": { "row": ["tab", "list"] }, "result": { "tabs": tabs } }]);
        for session in [&[][..], &["--session", "mine"]] {
            let tool = TestEngine::new(TestEnv::new().script(&rules));
            let rows = json!([["open", URL], ["snapshot", "-i"], ["click", "@e3"]]).to_string();
            let args = [session, &["--profile", "Work", "batch"]].concat();
            let said = tool.send(json!({ "args": args, "stdin": rows })).await;
            assert!(!said.is_error, "{}", said.text);
            let said = tool.call(&[session, &["get", "title"]].concat()).await;
            assert!(!said.is_error, "{}", said.text);
            assert_eq!(first_row(&tool)[0] == "tab", pinned, "{session:?}");
        }
    }
}

/// The facts that a host with a transcript gives back.
fn facts(said: &Said) -> Vec<Fact> {
    serde_json::from_value(said.details["facts"].clone()).unwrap()
}

// PAGE-04, PAGE-05, PAGE-06
#[tokio::test]
async fn a_branch_whose_tab_lies_behind_another_one_selects_it_once() {
    let tool = TestEngine::with(TestEnv::new(), |options| options.door = "pi");
    let earlier = facts(&tool.call(&["open", URL]).await);
    let later = facts(&tool.call(&["tab", "new", "http://other.test/"]).await);
    tool.engine.restore(&earlier);
    let said = tool.call(&["get", "title"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(first_row(&tool), ["tab", "FAKE1"], "the tab of this branch");
    assert_eq!(said.details["timing"]["upstreamProcesses"], 1);
    for args in [&["get", "title"][..], &["click", "#a"]] {
        tool.call(args).await;
        assert_ne!(first_row(&tool), ["tab", "FAKE1"], "it is in front by now");
    }
    let all = [earlier, later].concat();
    tool.engine.restore(&all);
    let last = facts(&tool.call(&["get", "title"]).await);
    assert_eq!(first_row(&tool), ["tab", "FAKE2"]);
    // Nothing has happened since: the state is the browser's.
    tool.engine.restore(&[all, last].concat());
    tool.call(&["get", "title"]).await;
    assert_ne!(first_row(&tool), ["tab", "FAKE2"]);
}

// PAGE-04, DEC-102
#[tokio::test]
async fn a_branch_whose_page_was_left_on_another_one_is_told_so() {
    let tool = TestEngine::with(TestEnv::new(), |options| options.door = "pi");
    let earlier = facts(&tool.call(&["open", URL]).await);
    tool.call(&["open", "http://other.test/"]).await;
    tool.engine.restore(&earlier);
    let said = tool.call(&["get", "title"]).await;
    assert!(said.text.contains("The page is another one since the last call"), "{}", said.text);
    assert!(said.text.contains("http://other.test/"), "{}", said.text);
    assert!(!tool.call(&["get", "title"]).await.text.contains("another one"));
}

// PAGE-06
#[tokio::test]
async fn routine_sessions_are_asked_for_no_tabs() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    for args in [&["get", "title"][..], &["click", "#a"], &["snapshot", "-i"]] {
        tool.call(args).await;
    }
    assert!(tool.asked().iter().all(|asked| !asked.commands().contains(&"tab")));
    // A profile that has brought nothing back has no tab to lose the focus to.
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["--profile", "Work", "open", URL]).await;
    tool.call(&["get", "title"]).await;
    assert!(!tool.asked().pop().unwrap().commands().contains(&"tab"));
}

// PAGE-05, PAGE-09, NEXT-63
#[tokio::test]
async fn a_tab_that_is_gone_is_not_replaced_by_another_one() {
    let (tool, _) = restored(&["--profile", "Work"], false).await;
    meddle(&tool, |state| state["tabs"] = json!([{ "id": "t2", "label": null, "url": URL }]));
    for args in [&["get", "title"][..], &["wait", "10"], &["batch", "get title", "get url"]] {
        let said = tool.call(args).await;
        assert!(said.is_error, "{args:?}: {}", said.text);
        assert!(said.text.contains(&format!("The tab of {URL} is gone.")), "{}", said.text);
    }
    let said = tool.call(&["diff", "snapshot"]).await;
    assert!(said.first().contains(&format!("The tab of {URL} is gone.")), "{}", said.text);
    assert_eq!(said.category(), "tab-drift");
    let said = tool.call(&["click", "#a"]).await;
    assert_eq!(said.category(), "tab-drift");
    assert!(said.first().contains("nothing was clicked"), "{}", said.text);
    assert_eq!(ids(&said), ["list-tabs-for-tab-drift-recovery", "reopen-lost-page"]);
}

// PAGE-09, PAGE-10, DEC-95, NEXT-63
#[tokio::test]
async fn a_ref_of_a_tab_in_the_background_offers_the_way_back() {
    for session in [&[][..], &["--namespace", "work", "--session", "mine"]] {
        let tool = TestEngine::new(TestEnv::new());
        let words = |more: &[&str]| session.iter().chain(more).map(ToString::to_string).collect();
        let call = |more: &[&str]| {
            let args: Vec<String> = words(more);
            tool.send(json!({ "args": args }))
        };
        call(&["open", URL]).await;
        meddle(&tool, |state| {
            let two = json!({ "id": "t2", "label": null, "url": "http://other.test/" });
            state["tabs"].as_array_mut().unwrap().push(two);
            (state["active"], state["url"]) = (json!("t2"), json!("http://other.test/"));
            state["documents"] = json!(77);
        });
        let said = call(&["click", "@e3"]).await;
        assert_eq!(said.category(), "tab-drift", "{}", said.text);
        // The refs come last: those of the wrong tab would be no help.
        let next = [&["tab", "list"][..], &["tab", "t1"], &["snapshot", "-i"]];
        assert_eq!(said.next(), next.map(|more| json!({ "args": words(more) })));
        let expected = [
            "list-tabs-for-tab-drift-recovery",
            "select-intended-tab-after-drift",
            "snapshot-after-tab-recovery",
        ];
        assert_eq!(ids(&said), expected);
        assert!(!call(&["tab", "t1"]).await.is_error);
        let fresh = call(&["snapshot", "-i"]).await;
        let id = fresh.details["refSnapshot"]["refIds"][0].as_str().unwrap().to_owned();
        assert!(!call(&["click", &format!("@{id}")]).await.is_error);
    }
}

// PAGE-08, PAGE-25, PAGE-26, HAZ-03, HAZ-17, RES-40, DIAG-TAB-01, NEXT-71
#[tokio::test]
async fn nothing_is_done_on_a_blank_page_where_a_page_was() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    meddle(&tool, blank);
    let said = tool.call(&["click", "#a"]).await;
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
    assert!(said.first().contains("nothing was clicked. A blank page has taken the place of"));
    assert!(said.first().ends_with(URL), "{}", said.text);
    assert_eq!(ids(&said), ["reopen-lost-page", "list-tabs-for-about-blank-recovery"]);
    assert_eq!(said.next()[0], json!({ "args": ["open", URL] }));
    assert_eq!(said.details["refSnapshotInvalidation"]["reason"], "no-active-page");
    let ran = tool.asked().into_iter().any(|asked| asked.commands().contains(&"click"));
    assert!(ran, "the row was sent");
    // The known page stays known, and its refs stay void until a snapshot.
    let stale = tool.call(&["click", "@e3"]).await;
    assert_eq!(stale.category(), "stale-ref");
    let again = tool.call(&["fill", "#a", "x"]).await;
    assert_eq!(again.next()[0], json!({ "args": ["open", URL] }));
    assert!(!tool.call(&["open", URL]).await.is_error);
    assert!(!tool.call(&["click", "@e7"]).await.is_error);
}

// NEXT-01, NEXT-06
#[tokio::test]
async fn an_address_with_a_secret_is_no_next_call() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", &format!("{URL}?token=abcdef123456")]).await;
    meddle(&tool, blank);
    let said = tool.call(&["click", "#a"]).await;
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
    assert_eq!(ids(&said), ["list-tabs-for-about-blank-recovery"]);
    assert_eq!(said.next(), [json!({ "args": ["tab", "list"] })]);
    assert!(said.text.contains("secret in its address, which is not repeated"), "{}", said.text);
}

// PAGE-12, NEXT-52, DIAG-CONN-02
#[tokio::test]
async fn reading_a_blank_page_where_a_page_was_is_a_failure() {
    for (args, list) in [
        (&["snapshot", "-i"][..], "list-tabs-after-no-active-page"),
        (&["get", "text", "#a"], "list-tabs-for-about-blank-recovery"),
        (&["get", "url"], "list-tabs-for-about-blank-recovery"),
        (&["get", "title"], "list-tabs-for-about-blank-recovery"),
        (&["eval", "1"], "list-tabs-for-about-blank-recovery"),
    ] {
        let tool = TestEngine::new(TestEnv::new());
        tool.call(&["open", URL]).await;
        meddle(&tool, blank);
        let said = tool.call(args).await;
        assert_eq!(said.category(), "tab-drift", "{args:?}: {}", said.text);
        assert!(said.first().contains("the command ran on a blank page, not on"), "{}", said.text);
        assert_eq!(ids(&said), ["reopen-lost-page", list], "{args:?}");
        assert_eq!(said.next()[1], json!({ "args": ["tab", "list"] }), "{args:?}");
    }
}

// PAGE-08, HAZ-03
#[tokio::test]
async fn an_element_that_is_not_found_on_a_blank_page_is_a_lost_page() {
    let miss = "Element not found: h1. Verify the selector, role, or name is correct and the element exists in the DOM.";
    let rules = json!([{ "match": { "row": ["get", "text"] }, "error": miss }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", URL]).await;
    assert_eq!(tool.call(&["get", "text", "h1"]).await.category(), "selector-not-found");
    meddle(&tool, blank);
    let said = tool.call(&["get", "text", "h1"]).await;
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
    assert!(said.first().contains("the command ran on a blank page, not on"), "{}", said.text);
}

// HAZ-03
#[tokio::test]
async fn a_page_whose_title_was_never_read_can_be_lost_too() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    let loading = tool.call(&["tab", "new", "http://shop.test/next"]).await;
    assert!(!loading.is_error, "{}", loading.text);
    meddle(&tool, blank);
    let said = tool.call(&["get", "title"]).await;
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
}

// HAZ-03
#[tokio::test]
async fn a_named_browser_that_is_older_than_the_door_can_be_lost_too() {
    let first = TestEngine::new(TestEnv::new());
    first.call(&["--session", "mine", "open", URL]).await;
    let tool = TestEngine::new(first.into_env());
    assert_eq!(tool.call(&["--session", "mine", "get", "title"]).await.text, "Fake page");
    assert_eq!(tool.asked().last().unwrap().commands(), ["get", "eval"], "where is it?");
    tool.call(&["--session", "mine", "get", "title"]).await;
    assert_eq!(tool.asked().last().unwrap().commands(), ["get"], "that is known now");
    meddle(&tool, blank);
    let said = tool.call(&["--session", "mine", "get", "title"]).await;
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
    assert!(said.first().contains("the command ran on a blank page, not on"), "{}", said.text);
}

// PAGE-08, DIAG-TAB-01
#[tokio::test]
async fn a_known_tab_behind_a_blank_one_is_selected_again() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    meddle(&tool, |state| {
        let known = state["tabs"][0].clone();
        blank(state);
        state["tabs"].as_array_mut().unwrap().push(known);
    });
    let said = tool.call(&["get", "text", "#a"]).await;
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
    assert!(said.text.contains("Its tab is open and active again"), "{}", said.text);
    assert_eq!(ids(&said), ["snapshot-after-tab-recovery"]);
    assert_eq!(tool.call(&["get", "url"]).await.text, URL);
}

// PAGE-08
#[tokio::test]
async fn a_blank_page_on_purpose_is_no_loss() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    tool.call(&["open", "about:blank"]).await;
    for args in [&["get", "url"][..], &["eval", "1"], &["click", "#a"], &["get", "title"]] {
        let said = tool.call(args).await;
        assert!(!said.is_error, "{args:?}: {}", said.text);
    }
}

// HAZ-02
#[tokio::test]
async fn launch_options_in_upstreams_config_make_readers_look_at_the_page() {
    let tool = TestEngine::new(TestEnv::new());
    tool.call(&["open", URL]).await;
    tool.call(&["get", "title"]).await;
    assert_eq!(tool.asked().pop().unwrap().commands(), ["get"]);
    fs::create_dir_all(tool.env.path("home/.agent-browser")).unwrap();
    let config = tool.env.path("home/.agent-browser/config.json");
    fs::write(&config, "{\"screenshotDir\":\"/tmp\"}").unwrap();
    tool.call(&["get", "title"]).await;
    assert_eq!(tool.asked().pop().unwrap().commands(), ["get"]);
    fs::write(&config, "{\"userAgent\":\"x\"}").unwrap();
    assert_eq!(tool.call(&["get", "title"]).await.text, "Fake page");
    assert_eq!(tool.asked().pop().unwrap().commands(), ["get", "eval"]);
    meddle(&tool, blank);
    let said = tool.call(&["console"]).await;
    assert_eq!(said.category(), "tab-drift", "{}", said.text);
}

// DEC-71, RES-01
#[tokio::test]
async fn a_step_back_whose_answer_was_lost_on_the_way_is_no_failure() {
    let lost = "CDP error (Runtime.evaluate): Inspected target navigated or closed";
    let rules = json!([{ "match": { "row": ["back"] }, "error": lost }]);
    let tool = TestEngine::new(TestEnv::new().script(&rules));
    tool.call(&["open", "http://shop.test/"]).await;
    let said = tool.call(&["back"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert!(
        said.first().starts_with("Went back to \"Fake page\" http://shop.test/"),
        "{}",
        said.text
    );
    assert_eq!(said.details["timing"]["upstreamProcesses"], 2);
}

// PAGE-05, DEC-95
#[tokio::test]
async fn the_tab_is_selected_in_front_of_the_first_step_that_works_on_one() {
    let pin = ["tab", "FAKE1"].map(str::to_owned).to_vec();
    for (rows, at) in [
        (json!([["network", "requests", "--clear"], ["click", "#buy"]]), Some(1)),
        (json!([["tab", "list"], ["console"], ["get", "title"]]), Some(2)),
        (json!([["get", "title"], ["click", "#buy"]]), Some(0)),
        (json!([["console"], ["open", URL], ["click", "#buy"]]), None),
        (json!([["tab", "new"], ["get", "title"]]), None),
        (json!([["network", "requests"], ["console"]]), None),
    ] {
        let (tool, _) = restored(&["--profile", "Work"], false).await;
        let said = tool.send(json!({ "args": ["batch"], "stdin": rows.to_string() })).await;
        assert!(!said.is_error, "{rows}: {}", said.text);
        let sent = tool.asked().pop().unwrap().rows;
        assert_eq!(sent.iter().position(|row| *row == pin), at, "{rows}: {sent:?}");
    }
    // Where its tab is gone, nothing is done there, and what came before is told.
    let (tool, _) = restored(&["--profile", "Work"], false).await;
    meddle(&tool, |state| state["tabs"] = json!([{ "id": "t2", "label": null, "url": URL }]));
    let said = tool.call(&["batch", "network requests", "click #buy"]).await;
    assert!(said.text.contains(&format!("The tab of {URL} is gone.")), "{}", said.text);
    let first = &said.details["batchSteps"][0];
    assert_eq!(first["resultCategory"], "success", "{}", said.text);
}

// PAGE-08, HAZ-03
#[tokio::test]
async fn the_page_of_a_new_window_is_the_sessions_page() {
    for args in [&["window", "new"][..], &["batch", "window new"]] {
        let tool = TestEngine::showing(URL).await;
        let said = tool.call(args).await;
        assert!(!said.is_error, "{}", said.text);
        let said = tool.call(&["get", "url"]).await;
        assert_eq!((said.is_error, said.text.trim()), (false, "about:blank"), "{args:?}");
        let stale = tool.call(&["click", "@e3"]).await;
        assert_eq!(stale.category(), "stale-ref", "{}", stale.text);
        // A page that is opened there is in the tab of that window.
        tool.call(&["open", "http://other.test/"]).await;
        meddle(&tool, blank);
        let lost = tool.call(&["get", "title"]).await;
        assert!(lost.first().contains("http://other.test/"), "{}", lost.text);
    }
}

// HAZ-01
#[tokio::test]
async fn a_ref_that_is_waited_for_belongs_to_the_document_that_it_was_seen_in() {
    let tool = TestEngine::showing(URL).await;
    let said = tool.call(&["wait", "@e3"]).await;
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(tool.asked().pop().unwrap().commands(), ["eval", "wait"]);
    meddle(&tool, |state| state["documents"] = json!(77));
    let said = tool.call(&["wait", "@e3"]).await;
    assert_eq!(said.category(), "stale-ref", "{}", said.text);
}
