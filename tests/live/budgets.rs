//! What the tool costs its reader and its machine.

use std::time::Duration;

use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;
use crate::support::process::Process;
use crate::support::soon;

// DEC-103, DEC-104
#[test]
fn tool_list_is_small_and_plain() {
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let list = mcp.request("tools/list", &json!({})).message();
    let line = list.to_string();
    println!("tools/list: {} bytes", line.len());
    assert!(line.len() <= 6_000, "{}", line.len());
    let tools = list["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 1);
    let description = tools[0]["description"].as_str().unwrap();
    assert!(description.chars().count() <= 2_000, "{}", description.chars().count());
    let schema = tools[0]["inputSchema"].to_string();
    for word in ["anyOf", "oneOf", "allOf", "$ref", "\"type\":["] {
        assert!(!schema.contains(word), "{word} in {schema}");
    }
    assert_eq!(tools[0]["_meta"]["anthropic/alwaysLoad"], true);
}

// design 3: idle resident memory
#[test]
fn live_idle_memory_is_small() {
    let pages = Pages::with("<title>Idle</title><button>Go</button>");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let fresh = Process::of(mcp.pid()).unwrap().own_memory_kb();
    mcp.ok(&["open", &pages.url("/")]);
    for _ in 0..20 {
        mcp.ok(&["snapshot", "-i"]);
    }
    let used = Process::of(mcp.pid()).unwrap().own_memory_kb();
    println!("{fresh} kB after the handshake, {used} kB after 21 calls");
    // `cargo xtask bench` measures a release build with the pages of its program.
    assert!(fresh <= 15_000 && used <= 20_000, "{fresh} kB, {used} kB");
}

// design 3: a server lives long, and one long answer must not make it large for good
#[test]
fn live_memory_of_a_long_answer_is_given_back() {
    let pages = Pages::with("<title>Busy</title>");
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let server = Process::of(mcp.pid()).unwrap();
    mcp.ok(&["open", &pages.url("/")]);
    let before = server.own_memory_kb();
    let asks =
        "(async () => { for (let n = 0; n < 600; n += 1) await fetch('/?' + n); return 1; })()";
    mcp.ok(&["eval", asks]);
    let text = mcp.ok(&["network", "requests"]);
    assert!(text.contains("earlier requests not shown"), "{text}");
    let used = server.own_memory_kb();
    let given_back = || server.own_memory_kb() < before + 2_000;
    assert!(soon(Duration::from_secs(5), given_back), "{before} kB, {used} kB behind the answer");
    println!(
        "{before} kB, {used} kB behind the answer, {} kB a moment later",
        server.own_memory_kb()
    );
}

// visible-text rule 8
#[test]
fn live_routine_answers_are_short() {
    let pages = Pages::with(
        "<title>Dashboard</title><label>Email <input></label>
         <button onclick=\"this.dataset.n=1\">Apply the coupon</button><button>Nothing</button>",
    );
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    for name in ["Apply the coupon", "Nothing"] {
        let clicked = mcp.ok(&["click", &ref_in(&page, "button", name).unwrap()]);
        assert!(clicked.len() <= 200, "{} bytes: {clicked}", clicked.len());
    }
    let email = ref_in(&page, "textbox", "Email").unwrap();
    let filled = mcp.ok(&["fill", &email, "ann@shop.test"]);
    assert!(filled.len() <= 100, "{} bytes: {filled}", filled.len());
    assert_eq!(mcp.ok(&["get", "title"]), "Dashboard");
    let refused = mcp.fails(&["click", "@e999"]);
    assert!(refused.len() <= 350, "{} bytes: {refused}", refused.len());
}
