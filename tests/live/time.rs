//! Limits, cancels and calls side by side.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::Mcp;
use crate::support::pages::{Pages, Route};
use crate::support::process::Process;

const PAGE: &str = "<title>Here</title><h1>Here</h1>";

fn pages() -> Pages {
    let pages = Pages::with(PAGE);
    pages.set("/never", Route::Never);
    pages
}

fn timed<T>(what: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let answer = what();
    (answer, started.elapsed())
}

// HAZ-07, HAZ-23
#[test]
fn live_a_limit_is_kept_and_the_next_call_works() {
    let (pages, bed) = (pages(), Bed::new());
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    assert!(raw.runs_longer_than(Duration::from_secs(2), &["open", &pages.url("/never")]));
    let hangs = raw.runs_longer_than(Duration::from_secs(5), &["get", "title"]);
    assert!(hangs, "raw: the call behind a killed one waits for it");

    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let never = pages.url("/never");
    for args in [&["open", &never][..], &["tab", "new", &never]] {
        let call = json!({ "args": args, "timeoutMs": 2_000 });
        let (answer, took) = timed(|| mcp.call_with(&call));
        let text = answer.text();
        assert!(text.starts_with("Failed (timeout, isError: true): "), "{args:?}: {text}");
        assert!(took < Duration::from_secs(3), "{args:?}: {took:?}");
        let (answer, took) = timed(|| mcp.ok(&["open", &pages.url("/")]));
        assert!(answer.contains("Opened \"Here\""), "{args:?}: {answer}");
        assert!(took < Duration::from_secs(4), "{args:?}: {took:?}");
    }
    let call = json!({ "args": ["wait", "#nope"], "timeoutMs": 1_000 });
    let (answer, took) = timed(|| mcp.call_with(&call));
    assert!(answer.is_error() && took < Duration::from_secs(2), "{took:?}: {}", answer.text());
    let (title, took) = timed(|| mcp.ok(&["get", "title"]));
    assert!(title == "Here" && took < Duration::from_secs(3), "{took:?}: {title}");
}

// HAZ-07 (2): the browser's address is known however the session began.
#[test]
fn live_a_session_whose_first_call_was_cut_or_failed_is_freed_all_the_same() {
    let (pages, never) = (pages(), "/never");
    let open = |path: &str| json!({ "action": "open", "url": pages.url(path) });
    let job = json!({ "job": { "steps": [open("/"), open(never)] }, "timeoutMs": 6_000 });
    let cut = json!({ "args": ["open", pages.url(never)], "timeoutMs": 5_000 });
    let named =
        json!({ "args": ["--session", "mine", "open", pages.url(never)], "timeoutMs": 5_000 });
    let failed = json!({ "args": ["open", "http://127.0.0.1:1/"] });
    let again = json!({ "args": ["open", pages.url(never)], "timeoutMs": 1_000 });
    for first in [&[job][..], &[cut], &[failed, again], &[named]] {
        let bed = Bed::new();
        let mut mcp = Mcp::start(bed.program().arg("mcp"));
        for call in first {
            assert!(mcp.call_with(call).is_error(), "{call}");
        }
        let named = first[0].to_string().contains("mine");
        let session: &[&str] = if named { &["--session", "mine"] } else { &[] };
        let url = pages.url("/");
        let (answer, took) = timed(|| mcp.ok(&[session, &["open", &url]].concat()));
        assert!(answer.contains("Opened \"Here\""), "{first:?}: {answer}");
        assert!(took < Duration::from_secs(4), "{first:?}: {took:?}");
        mcp.ok(&[session, &["close"]].concat());
    }
}

// HAZ-07 (2): a call that does not replace the page gives the navigation 3 s, then ends it.
#[test]
fn live_a_read_behind_a_pending_navigation_waits_for_it_a_while_and_works() {
    let (pages, bed) = (pages(), Bed::new());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let cut = json!({ "args": ["open", pages.url("/never")], "timeoutMs": 1_000 });
    assert!(mcp.call_with(&cut).is_error());
    let (title, took) = timed(|| mcp.ok(&["get", "title"]));
    assert_eq!(title, "Here", "the old page is still there");
    assert!(took > Duration::from_millis(2_500) && took < Duration::from_secs(8), "{took:?}");
    assert_eq!(mcp.ok(&["get", "title"]), "Here");
}

// DEC-80, HAZ-07
#[test]
fn live_a_cancelled_call_ends_and_the_next_one_works() {
    let (pages, bed) = (pages(), Bed::new());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let pending = mcp.begin(&json!({ "args": ["open", pages.url("/never")] }));
    assert!(pending.is_silent_for(Duration::from_millis(700)));
    mcp.cancel(&pending);
    let (answer, took) = timed(|| mcp.ok(&["open", &pages.url("/")]));
    assert!(answer.contains("Opened \"Here\""), "{answer}");
    assert!(took < Duration::from_secs(5), "{took:?}");
    // The protocol wants no answer to a cancelled request.
    assert!(pending.is_silent_for(Duration::from_millis(100)));
}

// HAZ-07, HAZ-23
#[test]
fn live_a_stopped_daemon_is_told_and_the_session_goes_on_or_starts_anew() {
    let (pages, bed) = (pages(), Bed::new());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let daemons = bed.daemons(mcp.pid());
    assert_eq!(daemons.len(), 1, "{daemons:?}");
    let limited = json!({ "args": ["get", "title"], "timeoutMs": 1_000 });

    daemons.iter().for_each(|daemon| daemon.kill(Signal::STOP));
    let (cut, took) = timed(|| mcp.call_with(&limited));
    assert!(cut.text().starts_with("Failed (timeout, isError: true): "), "{}", cut.text());
    assert!(took < Duration::from_secs(2), "{took:?}");
    daemons.iter().for_each(|daemon| daemon.kill(Signal::CONT));
    let (title, took) = timed(|| mcp.ok(&["get", "title"]));
    assert!(took < Duration::from_secs(4) && title == "Here", "{took:?}: {title}");

    daemons.iter().for_each(|daemon| daemon.kill(Signal::STOP));
    mcp.call_with(&limited);
    let (gone, took) = timed(|| mcp.fails(&["get", "title"]));
    assert!(gone.starts_with("Failed (tab-drift, isError: true): nothing was done."), "{gone}");
    assert!(gone.contains("did not answer any more and was ended."), "{gone}");
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert!(!daemons.iter().any(Process::is_alive), "a stopped daemon is not left");
    let offered = gone.lines().find_map(|line| line.strip_prefix("Next: ")).unwrap();
    let opened = mcp.call_with(&serde_json::from_str(offered).unwrap());
    assert!(opened.ok().contains("Opened \"Here\""), "{}", opened.text());
    assert_eq!(mcp.ok(&["get", "title"]), "Here");
    mcp.end();
    bed.assert_nothing_left(None);
}

// HAZ-06, SES-40
#[test]
fn live_first_calls_at_once_share_one_browser() {
    let (pages, bed) = (pages(), Bed::new());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let call = json!({ "args": ["open", pages.url("/")] });
    let pending: Vec<_> = (0..4).map(|_| mcp.begin(&call)).collect();
    for one in pending {
        assert!(one.answer().ok().contains("Opened \"Here\""));
    }
    assert_eq!(bed.browsers().len(), 1, "{:#?}", bed.browsers());
    mcp.end();
    bed.assert_nothing_left(None);
}

// HAZ-06, DEC-106
#[test]
fn live_first_invocations_at_once_share_one_browser() {
    let (pages, bed) = (pages(), Bed::new());
    let url = pages.url("/");
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..3).map(|_| scope.spawn(|| bed.call(&["open", &url]))).collect();
        for call in calls {
            let (code, text) = call.join().unwrap();
            assert_eq!(code, 0, "{text}");
        }
    });
    assert_eq!(bed.browsers().len(), 1, "{:#?}", bed.browsers());
    assert_eq!(bed.call(&["close"]).0, 0);
    bed.assert_nothing_left(None);
}

// SES-41
#[test]
fn live_sessions_do_not_wait_for_each_other() {
    let (pages, bed) = (pages(), Bed::new());
    pages.set("/slow", Route::slow(Duration::from_secs(4), PAGE));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["--session", "other", "open", &pages.url("/")]);
    let slow = mcp.begin(&json!({ "args": ["open", pages.url("/slow")] }));
    let (title, took) = timed(|| mcp.ok(&["--session", "other", "get", "title"]));
    assert!(title == "Here" && took < Duration::from_secs(2), "{took:?}: {title}");
    assert!(slow.answer().ok().contains("Opened \"Here\""));
    mcp.ok(&["--session", "other", "close"]);
}

// HAZ-17, HAZ-07 (3)
#[test]
fn live_behind_a_page_that_hangs_the_next_call_is_told_at_once_and_a_new_browser_works() {
    let (pages, bed) = (pages(), Bed::new());
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let (cut, took) =
        timed(|| mcp.call_with(&json!({ "args": ["eval", "for(;;){}"], "timeoutMs": 1_000 })));
    assert!(cut.text().starts_with("Failed (timeout, isError: true): "), "{}", cut.text());
    assert!(took < Duration::from_secs(2), "{took:?}");
    let (told, took) =
        timed(|| mcp.call_with(&json!({ "args": ["get", "title"], "timeoutMs": 2_000 })));
    assert!(told.text().contains("nothing was done, an earlier command still runs"), "{told:?}");
    assert!(took < Duration::from_secs(1), "{took:?}");
    let text = told.text();
    let fresh = text.lines().find_map(|line| line.strip_prefix("Next: ")).unwrap();
    mcp.call_with(&serde_json::from_str(fresh).unwrap()).ok();
    let (again, took) = timed(|| mcp.ok(&["open", &pages.url("/")]));
    assert!(again.contains("Opened \"Here\""), "{again}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}
