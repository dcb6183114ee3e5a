//! Downloads, request lists and comparisons that upstream alone gets wrong or does slowly.

use std::fs;

use crate::support::bed::Bed;
use crate::support::mcp::Mcp;
use crate::support::pages::{Pages, Route};

// PLAN-65, PLAN-66, DEC-26
#[test]
fn live_a_link_on_this_machine_is_saved_without_a_click() {
    let pages = Pages::with(
        "<title>Files</title><a id=plain href=/report.txt>Report</a> <a class=two href=/a>a</a>
        <a class=two href=/b>b</a> <a id=moved href=/moved>Moved</a> <a id=blob>Blob</a>
        <script>blob.href = URL.createObjectURL(new Blob(['from a blob'])); blob.download = 'b.txt'</script>",
    );
    // Shown in the browser, not downloaded: upstream would wait 30 s for a download in vain.
    pages.set("/report.txt", Route::html("line one"));
    pages.set("/moved", Route::redirect("/report.txt"));
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    for (selector, name) in [("#plain", "out/report.txt"), ("#moved", "moved.txt")] {
        let said = mcp.call(&["download", selector, name]);
        assert!(said.ok().contains("Download completed: "), "{}", said.text());
        assert_eq!(said.details()["timing"]["upstreamProcesses"], 1);
        assert_eq!(fs::read(bed.path("work").join(name)).unwrap(), b"line one");
    }
    assert_eq!(mcp.ok(&["get", "title"]), "Files");
    // A link that is no address of this machine is clicked.
    let said = mcp.call(&["download", "#blob", "b.txt"]);
    assert!(said.ok().contains("Download completed: "), "{}", said.text());
    assert_eq!(fs::read(bed.path("work/b.txt")).unwrap(), b"from a blob");
}

// PLAN-21, PLAN-22, HAZ-12, DIAG-NETF-01
#[test]
fn live_requests_of_the_page_and_those_that_failed_or_wait() {
    let pages = Pages::with("<title>Old</title><script>fetch('/old')</script>");
    let other = Pages::with("<title>Other</title>");
    let script = format!(
        "<title>New</title><script>fetch('/api'); fetch('{}').catch(() => 0);
         fetch('http://127.0.0.1:9/refused').catch(() => 0); fetch('/slow')</script>",
        other.url("/x")
    );
    pages.html("/new", &script);
    pages.set("/slow", Route::slow(std::time::Duration::from_secs(5), "late"));
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["open", &pages.url("/new")]);
    mcp.ok(&["wait", "500"]);
    let all = mcp.ok(&["network", "requests"]);
    assert!(all.contains("/refused") && all.contains(&other.url("/x")), "{all}");
    assert!(all.contains("1 pending"), "{all}");
    let page = mcp.call(&["network", "requests", "--current-page"]);
    assert!(!page.ok().contains("/refused") && page.text().contains("/api"), "{}", page.text());
    let counts = &page.details()["networkRequestsPageFilter"];
    assert!(counts["excluded"].as_u64().unwrap() >= 2, "{counts}");
    let document = mcp.call(&["network", "requests", "--current-url"]);
    assert_eq!(
        document.details()["networkRequestsPageFilter"]["matched"],
        1,
        "{}",
        document.text()
    );
}

// HAZ-12
#[test]
fn live_a_comparison_shows_what_the_act_has_changed() {
    let pages = Pages::with(
        "<title>Cart</title><h1>Cart</h1><p>Some words</p><a href=/x>Terms</a>
         <button onclick=\"this.textContent='Saved'\">Save</button>",
    );
    let bed = Bed::new();
    // Raw upstream remembers no snapshot: everything is new.
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    raw.data(&["snapshot", "-i"]);
    assert_eq!(raw.data(&["diff", "snapshot"])["unchanged"], 0);
    raw.close();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["click", "button"]);
    let said = mcp.ok(&["diff", "snapshot"]);
    assert!(said.starts_with("Diff: 1 lines added, 1 removed, 2 unchanged"), "{said}");
    let line = said.lines().find(|line| line.contains("+- button \"Saved\" [ref=e")).unwrap();
    let found = line.split("ref=").nth(1).unwrap().trim_end_matches(']');
    mcp.ok(&["click", &format!("@{found}")]);
    mcp.ok(&["snapshot"]);
    assert_eq!(mcp.ok(&["diff", "snapshot"]), "Diff: nothing differs.");
}
