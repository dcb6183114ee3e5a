//! Hazards of upstream's own command line and life: each one shown with raw upstream, and its absence
//! with the tool.

use std::time::Duration;

use rustix::process::Signal;

use crate::support::bed::Bed;
use crate::support::mcp::Mcp;
use crate::support::pages::Pages;
use crate::support::soon;

const CART: &str = "<title>Cart</title><button id=x onclick=\"document.title='Paid'\">Pay</button>";

fn ours(bed: &Bed) -> Mcp {
    Mcp::start(bed.program().arg("mcp"))
}

/// The browser that upstream finds here.
fn browser_path(pages: &Pages) -> String {
    let bed = Bed::new();
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    let command = bed.browsers().remove(0).command;
    raw.close();
    command.split(' ').next().unwrap().to_owned()
}

fn kill_browsers(bed: &Bed) {
    let browsers = bed.browsers();
    browsers.iter().for_each(|browser| browser.kill(Signal::KILL));
    assert!(soon(Duration::from_secs(5), || browsers.iter().all(|one| !one.is_alive())));
}

// HAZ-02
#[test]
fn live_a_killed_browser_is_not_hidden_by_a_launch_variable() {
    let pages = Pages::with(CART);
    let bed = Bed::new().with("AGENT_BROWSER_EXECUTABLE_PATH", &browser_path(&pages));
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    kill_browsers(&bed);
    let data = raw.data(&["get", "title"]);
    assert_eq!(data["title"], "", "raw: a blank page is a success");
    assert_eq!(data["lifecycle"]["launched"], false, "raw: and nothing was started: {data}");
    raw.close();

    let mut mcp = ours(&bed);
    mcp.ok(&["open", &pages.url("/")]);
    kill_browsers(&bed);
    let lost = mcp.fails(&["get", "title"]);
    assert!(lost.starts_with("Failed (tab-drift, isError: true): "), "{lost}");
}

// HAZ-08
#[test]
fn live_a_wait_for_a_state_leaves_the_page_where_it_is() {
    let (pages, bed) = (Pages::with(CART), Bed::new());
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    assert_eq!(raw.run(&["wait", "#x", "--state", "hidden"])["success"], false);
    assert_eq!(raw.data(&["get", "title"])["title"], "", "raw: the page is lost");
    raw.close();

    let mut mcp = ours(&bed);
    mcp.ok(&["open", &pages.url("/")]);
    let answer = mcp.call(&["wait", "#x", "--state", "hidden"]);
    let text = answer.text();
    assert!(text.starts_with("Failed (validation-error") && text.contains("--fn"), "{text}");
    assert_eq!(answer.details()["timing"]["upstreamProcesses"], 0);
    assert_eq!(mcp.ok(&["get", "title"]), "Cart");
}

// HAZ-10
#[test]
fn live_only_the_pending_action_is_confirmed() {
    let (pages, bed) = (Pages::with(CART), Bed::new());
    let raw = bed.raw();
    let gated = |words: &[&str]| {
        let words: Vec<&str> =
            ["--confirm-actions", "click"].iter().chain(words).copied().collect();
        raw.data(&words)
    };
    gated(&["open", &pages.url("/")]);
    assert_eq!(gated(&["click", "#x"])["confirmation_required"], true, "raw: a success");
    gated(&["confirm", "anything"]);
    assert_eq!(gated(&["get", "title"])["title"], "Paid", "raw: any id runs the click");
    gated(&["close"]);

    let mut mcp = ours(&bed);
    mcp.ok(&["--confirm-actions", "click", "open", &pages.url("/")]);
    let waits = mcp.fails(&["click", "#x"]);
    assert!(waits.starts_with("Failed (confirmation-required"), "{waits}");
    let other = mcp.call(&["confirm", "anything"]);
    assert!(other.text().contains("\"anything\" is not the action that waits"), "{}", other.text());
    assert_eq!(other.details()["timing"]["upstreamProcesses"], 0);
    assert_eq!(mcp.ok(&["get", "title"]), "Cart");
    let (_, rest) = waits.split_once("Pending confirmation id: ").expect(&waits);
    let id = rest.split_whitespace().next().unwrap();
    mcp.ok(&["confirm", id]);
    assert_eq!(mcp.ok(&["get", "title"]), "Paid");
}

// HAZ-13
#[test]
fn live_a_session_name_leads_nowhere_else() {
    let (pages, bed) = (Pages::with(CART), Bed::new());
    let raw = bed.raw_as("../up");
    raw.data(&["open", &pages.url("/")]);
    assert!(bed.path("up.sock").exists(), "raw: its files lie outside of the socket directory");
    raw.close();

    let mut mcp = ours(&bed);
    for name in ["../up", "a b", "", ".up", "-up"] {
        let answer = mcp.call(&["--session", name, "open", &pages.url("/")]);
        assert!(answer.text().starts_with("Failed (validation-error"), "{name}: {}", answer.text());
        assert_eq!(answer.details()["timing"]["upstreamProcesses"], 0, "{name}");
    }
    assert!(bed.browsers().is_empty());
}

// HAZ-14
#[test]
fn live_a_flag_without_its_value_swallows_no_command() {
    let (pages, bed) = (Pages::with(CART), Bed::new());
    let url = pages.url("/");
    let raw = bed.raw();
    let answer = raw.run(&["--session", "open", &url]);
    let error = answer["error"].as_str().unwrap();
    assert!(error.contains("Unknown command: http"), "raw takes `open` for the name: {error}");
    raw.data(&["open", &url]);
    assert_eq!(raw.data(&["get", "title", "--session"])["title"], "Cart", "raw ignores it");
    raw.close();

    let mut mcp = ours(&bed);
    for args in [&["--session", "open", &url][..], &["get", "title", "--session"]] {
        let answer = mcp.call(args);
        assert!(answer.text().starts_with("Failed (validation-error"), "{}", answer.text());
        assert_eq!(answer.details()["timing"]["upstreamProcesses"], 0, "{args:?}");
    }
}

// HAZ-18
#[test]
fn live_a_recording_without_ffmpeg_fails_at_once_and_names_what_is_missing() {
    let pages = Pages::with(CART);
    let mut bed = Bed::new().with("AGENT_BROWSER_EXECUTABLE_PATH", &browser_path(&pages));
    let nowhere = bed.path("bin").to_str().unwrap().to_owned();
    bed.set("PATH", nowhere);
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    let answer = raw.run(&["record", "start", "run.webm"]);
    assert!(answer["error"].as_str().unwrap().contains("ffmpeg not found"), "{answer}");
    raw.close();

    let mut mcp = ours(&bed);
    mcp.ok(&["open", &pages.url("/")]);
    let failed = mcp.fails(&["record", "start", "run.webm"]);
    let warning = "Recording dependency warning: ffmpeg not found on PATH";
    assert!(failed.contains(warning), "{failed}");
    assert_eq!(mcp.ok(&["get", "title"]), "Cart");
}

// HAZ-06
#[test]
fn live_first_calls_at_once_leave_one_browser() {
    let (pages, bed) = (Pages::with(CART), Bed::new());
    let url = pages.url("/");
    let raw = bed.raw();
    // Who loses is a matter of luck: calls that fail, or a browser that nobody owns.
    let mut seen = Vec::new();
    let broken = |(failed, browsers): &(usize, usize)| *failed > 0 || *browsers > 1;
    while seen.len() < 12 && !seen.iter().any(broken) {
        let failed = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..6).map(|_| scope.spawn(|| raw.run(&["open", &url]))).collect();
            let answers = calls.into_iter().map(|call| call.join().unwrap());
            answers.filter(|answer| answer["success"] != true).count()
        });
        seen.push((failed, bed.browsers().len()));
        raw.close();
        for process in bed.processes() {
            process.kill(Signal::KILL);
        }
        assert!(soon(Duration::from_secs(5), || bed.processes().is_empty()));
    }
    println!("raw, six first calls at once, failed calls and browsers: {seen:?}");
    assert!(seen.iter().any(broken), "raw has become right: HAZ-06 can go");

    let failed = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| bed.call(&["--session", "mine", "open", &url])))
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).filter(|(code, _)| *code != 0).count()
    });
    assert_eq!((failed, bed.browsers().len()), (0, 1));
    assert_eq!(bed.call(&["--session", "mine", "close"]).0, 0);
}
