//! Input that reaches the page.

use crate::record::case::{Case, case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "click/by-ref", &["click", "@e2"]).fresh().before(&[&["snapshot", "-i"]]),
    on("form.html", "fill/by-ref", &["fill", "@e7", "a@example.test"])
        .fresh()
        .before(&[&["snapshot", "-i"]]),
    on("form.html", "click/by-selector", &["click", "#count"]).fresh(),
    on("links.html", "click/link", &["click", "#form"]),
    on("links.html", "click/link-in-new-tab", &["click", "#form", "--new-tab"])
        .after(&[&["tab", "close"]]),
    on("links.html", "click/target-blank", &["click", "#blank"]).after(&[&["tab", "close"]]),
    on("form.html", "dblclick/by-selector", &["dblclick", "#count"]),
    on("form.html", "tap/by-selector", &["tap", "#count"]),
    on("form.html", "swipe/up", &["swipe", "up"]),
    on("form.html", "fill/by-selector", &["fill", "#email", "a@example.test"]),
    on("form.html", "fill/on-a-button", &["fill", "#count", "x"]),
    on("form.html", "fill/contenteditable", &["fill", "#editor", "new "]),
    on("form.html", "fill/without-text", &["fill", "#email"]),
    on("form.html", "type/by-selector", &["type", "#email", "abc"]),
    on("form.html", "type/clear", &["type", "#email", "abc", "--clear"]),
    on("form.html", "press/enter", &["press", "Enter"]),
    on("form.html", "press/unknown-key", &["press", "NoSuchKey"]),
    on("form.html", "key/tab", &["key", "Tab"]),
    on("form.html", "keydown/shift", &["keydown", "Shift"]),
    case("keyup/shift", &["keyup", "Shift"]),
    on("form.html", "keyboard/type", &["keyboard", "type", "hello"])
        .before(&[&["focus", "#email"]]),
    on("form.html", "keyboard/inserttext", &["keyboard", "inserttext", "hello"])
        .before(&[&["focus", "#email"]]),
    on("form.html", "hover/by-selector", &["hover", "#count"]),
    on("form.html", "focus/by-selector", &["focus", "#email"]),
    on("form.html", "check/by-selector", &["check", "#remember"]),
    on("form.html", "uncheck/by-selector", &["uncheck", "#remember"]),
    on("form.html", "select/by-value", &["select", "#flavour", "c"]),
    on("form.html", "select/by-label", &["select", "#flavour", "Chocolate"]),
    on("form.html", "select/several", &["select", "#tags", "a", "g"]),
    on("form.html", "drag/by-selector", &["drag", "#source", "#target"]),
    on("form.html", "scroll/down", &["scroll", "down", "300"]),
    on("form.html", "scroll/at-the-top", &["scroll", "up", "300"]),
    on("form.html", "scroll/missing-container", &["scroll", "down", "10", "--selector", "#nope"]),
    on("form.html", "scrollintoview/by-selector", &["scrollintoview", "#far"]),
    on("form.html", "mouse/move", &["mouse", "move", "10", "10"]),
    case("mouse/down", &["mouse", "down"]),
    case("mouse/up", &["mouse", "up"]),
    case("mouse/wheel", &["mouse", "wheel", "100"]),
    on("form.html", "highlight/by-selector", &["highlight", "#email"]),
    on("form.html", "clipboard/write", &["clipboard", "write", "some text"]),
    on("form.html", "clipboard/read-denied", &["clipboard", "read"]),
    on("form.html", "clipboard/copy", &["clipboard", "copy"]),
    on("form.html", "clipboard/paste", &["clipboard", "paste"]),
];
