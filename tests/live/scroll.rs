//! Scrolling: what upstream reports as done and does not do.

use crate::support::bed::Bed;
use crate::support::mcp::Mcp;
use crate::support::pages::Pages;

const LONG: &str =
    "<title>Long</title><style>#box{height:200px;overflow:auto}#flat{height:50px}</style>
<div id=box role=list><div style='height:1400px'>inside</div></div><div id=flat>flat</div>
<div style='height:5000px'>outside</div>";

const PANE: &str = "<title>Pane</title><style>html,body{height:100%;margin:0;overflow:hidden}
#p{height:100%;overflow:auto}</style><div id=p><div style='height:5000px'>x</div></div>";

fn number(mcp: &mut Mcp, script: &str) -> i64 {
    mcp.ok(&["eval", script]).parse().unwrap()
}

// PLAN-67, PLAN-68, DEC-25, DIAG-SCROLL-07, DIAG-SCROLL-08
#[test]
fn live_containers_and_ends_of_the_page_are_really_scrolled() {
    let pages = Pages::with(LONG);
    let bed = Bed::new();
    // Raw upstream takes these calls and moves nothing.
    let raw = bed.raw();
    raw.data(&["open", &pages.url("/")]);
    for args in [&["scroll", "#box", "down", "100"][..], &["scroll", "to", "end"]] {
        raw.data(args);
        assert_eq!(raw.eval("scrollY + document.querySelector('#box').scrollTop"), 0);
    }
    raw.close();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let said = mcp.ok(&["scroll", "#box", "down", "100"]);
    assert_eq!(said, "Scrolled \"#box\" down by 100 px, now at 100 of 1200.");
    assert_eq!(number(&mut mcp, "document.querySelector('#box').scrollTop"), 100);
    mcp.ok(&["scroll", "#box", "down", "50%"]);
    assert_eq!(number(&mut mcp, "document.querySelector('#box').scrollTop"), 200);
    mcp.ok(&["scroll", "up", "150", "--selector", "#box"]);
    assert_eq!(number(&mut mcp, "document.querySelector('#box').scrollTop"), 50);
    let said = mcp.ok(&["scroll", "to", "end"]);
    assert!(said.starts_with("Scrolled to the end of the page, now at "), "{said}");
    assert_eq!(
        number(
            &mut mcp,
            "Math.round(scrollY + innerHeight - document.documentElement.scrollHeight)"
        ),
        0
    );
    assert_eq!(mcp.ok(&["scroll", "to", "end"]), "The page was at its end already.");
    mcp.ok(&["scroll", "to", "top"]);
    assert_eq!(number(&mut mcp, "scrollY"), 0);
    let said = mcp.ok(&["scroll", "#flat", "down", "400"]);
    assert!(said.contains("The container itself does not scroll"), "{said}");
    assert_eq!(number(&mut mcp, "scrollY"), 400);
    let said = mcp.fails(&["scroll", "#nope", "down"]);
    assert!(said.contains("nothing was scrolled, no element matches \"#nope\"."), "{said}");
}

// DIAG-SCROLL-01: a variable of the page stands in the place of the browser's own.
#[test]
fn live_a_page_with_a_variable_called_scroll_y_is_seen_to_move() {
    let page = format!("{LONG}<script>let scrollY = 0; var length = 3</script><input id=q>");
    let pages = Pages::with(&page);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let said = mcp.ok(&["scroll", "down", "700"]);
    assert!(!said.contains("no observed movement"), "{said}");
    assert_eq!(number(&mut mcp, "document.scrollingElement.scrollTop"), 700);
    let said = mcp.ok(&["fill", "#q", "rope"]);
    assert!(said.ends_with("value verified."), "{said}");
}

/// A pane that draws what it shows when it hears of a scroll, as long lists do.
const DRAWN: &str = "<title>Drawn</title><div id=rows style='height:100px;overflow:auto'>\
<div style='height:90000px'></div></div><p id=shown></p>\
<script>rows.onscroll = () => { setTimeout(() => { shown.textContent = `from ${rows.scrollTop}`; }); };</script>";

// DEC-25: the next call meets the page as the scroll left it.
#[test]
fn live_a_scroll_is_over_when_the_page_has_drawn_what_came_into_view() {
    let pages = Pages::with(DRAWN);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    for round in 1..=10 {
        mcp.ok(&["scroll", "down", "500", "--selector", "#rows"]);
        assert_eq!(mcp.ok(&["get", "text", "#shown"]), format!("from {}", round * 500));
    }
}

// PLAN-69, DEC-06, DIAG-SCROLL-03, DIAG-SCROLL-06
#[test]
fn live_a_scroll_without_movement_is_told_from_a_smooth_one() {
    let pages = Pages::with(LONG);
    let smooth = format!("<style>html{{scroll-behavior:smooth}}</style>{LONG}");
    pages.html("/smooth", &smooth);
    pages.html("/pane", PANE);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/smooth")]);
    assert_eq!(mcp.ok(&["scroll", "down", "800"]), "Scrolled \"down 800\".");
    mcp.ok(&["open", &pages.url("/")]);
    assert_eq!(mcp.ok(&["scroll", "down", "800"]), "Scrolled \"down 800\".");
    mcp.ok(&["scroll", "to", "end"]);
    let said = mcp.ok(&["scroll", "down", "800"]);
    assert!(
        said.starts_with("Scroll completed with no observed movement\nScroll diagnostic: "),
        "{said}"
    );
    // Upstream scrolls the window, and here an inner pane would have to move.
    mcp.ok(&["open", &pages.url("/pane")]);
    let said = mcp.call(&["scroll", "down"]);
    assert!(said.ok().starts_with("Scroll completed with no observed movement"), "{}", said.text());
    let containers = &said.details()["scrollNoop"]["before"]["containers"];
    assert_eq!(containers.as_array().unwrap().len(), 1, "{containers}");
    let said = mcp.ok(&["scroll", "down", "300", "--selector", "#p"]);
    assert!(said.starts_with("Scrolled \"#p\" down by 300 px, now at 300 of 4"), "{said}");
}
