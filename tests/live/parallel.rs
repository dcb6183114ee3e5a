//! Several connections in one directory, and several callers on one connection.

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;

fn is_full() -> bool {
    std::env::var_os("ABN_FULL").is_some()
}

// SES-01, SES-02, DEC-10
#[test]
fn live_connections_in_one_directory_never_share_a_browser() {
    let (bed, pages) = (Bed::new(), Pages::with("<title>Start</title>"));
    let (connections, calls): (u32, u32) = if is_full() { (8, 50) } else { (3, 8) };
    for number in 0..connections {
        let page = format!(
            "<title>Page {number}</title><button onclick=\"n=(window.n||0)+1\">Go</button>"
        );
        pages.html(&format!("/{number}"), &page);
    }
    std::thread::scope(|scope| {
        for number in 0..connections {
            let (bed, url) = (&bed, pages.url(&format!("/{number}")));
            scope.spawn(move || {
                let mut mcp = Mcp::start(bed.program().arg("mcp"));
                let opened = mcp.ok(&["open", &url]);
                let go = ref_in(&opened, "button", "Go").unwrap();
                for call in 0..calls {
                    if call % 3 == 0 {
                        mcp.ok(&["click", &go]);
                    } else {
                        assert_eq!(mcp.ok(&["get", "title"]).trim(), format!("Page {number}"));
                    }
                }
                let clicks = mcp.ok(&["eval", "window.n"]);
                assert_eq!(clicks.trim(), calls.div_ceil(3).to_string());
                mcp.end();
            });
        }
    });
    bed.assert_nothing_left(None);
}

// DEC-102, HAZ-01
#[test]
fn live_two_callers_on_one_connection_are_told_when_the_page_is_not_theirs() {
    let (bed, pages) = (Bed::new(), Pages::with("<title>Start</title>"));
    pages.html("/a", "<title>A</title><button onclick=\"document.title='A hit'\">Save</button>");
    pages.html("/b", "<title>B</title><button onclick=\"document.title='B hit'\">Save</button>");
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let rounds = if is_full() { 25 } else { 3 };
    for _ in 0..rounds {
        let first = mcp.ok(&["open", &pages.url("/a")]);
        let mine = ref_in(&first, "button", "Save").unwrap();
        let second = mcp.ok(&["open", &pages.url("/b")]);
        let theirs = ref_in(&second, "button", "Save").unwrap();
        let refused = mcp.fails(&["click", &mine]);
        assert!(
            refused.contains("belongs to") && refused.contains("the page is now \"B\""),
            "{refused}"
        );
        assert_eq!(mcp.ok(&["get", "title"]).trim(), "B", "nothing was clicked");
        mcp.ok(&["click", &theirs]);
        // The page moves by itself: the next act without a ref says so.
        mcp.ok(&["eval", &format!("setTimeout(() => location.assign('{}'), 50)", pages.url("/a"))]);
        std::thread::sleep(std::time::Duration::from_millis(400));
        let pressed = mcp.ok(&["press", "Tab"]);
        assert!(pressed.contains("the page had become another one: \"A\""), "{pressed}");
        assert!(pressed.contains("--session NAME"), "{pressed}");
    }
    mcp.end();
}
