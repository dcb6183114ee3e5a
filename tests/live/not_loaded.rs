//! Pages that cannot be loaded, that load themselves again, that are none, and fields that are none.

use crate::support::bed::Bed;
use crate::support::mcp::Mcp;
use crate::support::pages::{Pages, Route};

const SHOP: &str = "<!doctype html><title>Shop</title><label>Name <input id=name></label>
<button id=save>Save</button> <a id=away href='/away'>Away</a>";

// HAZ-11
#[test]
fn live_the_browsers_own_error_page_is_no_success() {
    let (bed, pages) = (Bed::new(), Pages::with(SHOP));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let url = pages.url("/");
    mcp.ok(&["open", &url]);
    mcp.ok(&["set", "offline", "on"]);
    let again = mcp.fails(&["reload"]);
    println!("{again}\n");
    assert!(again.starts_with("Failed (upstream-error"), "{again}");
    assert!(again.contains(&format!("own error page: {url}\n")), "{again}");
    assert!(again.contains(&format!("Next: {{\"args\":[\"open\",\"{url}\"]}}")), "{again}");
    mcp.ok(&["set", "offline", "off"]);
    mcp.ok(&["open", &url]);
    mcp.ok(&["set", "offline", "on"]);
    let clicked = mcp.ok(&["click", "#away"]);
    println!("{clicked}\n");
    assert!(clicked.contains("The page behind it could not be loaded: "), "{clicked}");
    assert!(!clicked.contains("chrome-error"), "{clicked}");
    let again = mcp.fails(&["reload"]);
    println!("{again}\n");
    assert!(again.contains("own error page: \"127.0.0.1\""), "{again}");
}

// HAZ-11
#[test]
fn live_a_step_in_history_that_ends_on_the_browsers_own_error_page_fails() {
    let (bed, pages) = (Bed::new(), Pages::start());
    // Only so does the browser not keep the page as it was.
    let page = format!("{SHOP}<script>addEventListener('unload', () => {{}})</script>");
    for path in ["/", "/two"] {
        pages.set(path, Route::html(page.clone()).no_store());
    }
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    for step in ["back", "forward"] {
        mcp.ok(&["open", &pages.url("/")]);
        mcp.ok(&["open", &pages.url("/two")]);
        if step == "forward" {
            mcp.ok(&["back"]);
        }
        mcp.ok(&["set", "offline", "on"]);
        let said = mcp.fails(&[step]);
        println!("{said}\n");
        assert!(said.starts_with("Failed (upstream-error"), "{said}");
        assert!(said.contains("own error page: \"127.0.0.1\""), "{said}");
        let left = pages.url(if step == "back" { "/two" } else { "/" });
        let next = format!("Next: {{\"args\":[\"open\",\"{left}\"]}}");
        assert!(said.ends_with(&next), "{said}");
        mcp.ok(&["set", "offline", "off"]);
    }
}

// DEC-102
#[test]
fn live_a_page_that_loaded_itself_again_is_no_other_page() {
    let (bed, pages) = (Bed::new(), Pages::with(SHOP));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["fill", "#name", "Ann"]);
    mcp.ok(&["eval", "window.old = true; setTimeout(() => location.reload(), 50); 1"]);
    mcp.ok(&["wait", "--fn", "!window.old && document.readyState === 'complete'"]);
    let said = mcp.ok(&["find", "role", "button", "click", "--name", "Save"]);
    println!("{said}\n");
    assert!(said.contains("The page was loaded again before this call; what had"), "{said}");
    assert!(!said.contains("--session") && !said.contains("another one"), "{said}");
}

// HAZ-11
#[test]
fn live_an_address_that_sends_a_file_is_said_to_give_no_page() {
    let (bed, pages) = (Bed::new(), Pages::with(SHOP));
    pages.set("/file", Route::download("all.zip", b"PK zip"));
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let said = mcp.fails(&["open", &pages.url("/file")]);
    println!("{said}\n");
    assert!(said.contains("it may be a file that is downloaded"), "{said}");
}

// DEC-71
#[test]
fn live_a_button_that_opens_a_file_chooser_is_no_file_field() {
    let page = "<!doctype html><title>Files</title><input type=file hidden>
        <button onclick=\"document.querySelector('input').click()\">Upload</button>";
    let (bed, pages) = (Bed::new(), Pages::with(page));
    std::fs::write(bed.path("work/photo.txt"), "twelve bytes").unwrap();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let said = mcp.fails(&["upload", "button", "photo.txt"]);
    println!("{said}\n");
    assert!(said.contains("\"button\" is no file field."), "{said}");
    let line = said.lines().find_map(|line| line.strip_prefix("Next: ")).unwrap();
    let next: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(next["args"][1], "input[type=file]");
    let said = mcp.call_with(&next);
    println!("{}\n", said.text());
    assert!(said.ok().starts_with("Attached 1 file to \"input[type=file]\""), "{}", said.text());
}
