//! Tabs, windows, frames.

use crate::record::case::{Case, case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "tab/list", &["tab", "list"]),
    case("tab/new", &["tab", "new", "{u}/links.html"]),
    case("tab/new-labelled", &["tab", "new", "--label", "docs", "{u}/inner.html"]),
    case("tab/label-taken", &["tab", "new", "--label", "docs", "{u}/inner.html"]),
    case("tab/by-id", &["tab", "t1"]),
    case("tab/by-label", &["tab", "docs"]),
    case("tab/list-several", &["tab", "list"]),
    case("tab/unknown-id", &["tab", "t99"]),
    case("tab/unknown-label", &["tab", "nope"]),
    case("tab/integer", &["tab", "2"]),
    case("tab/close-by-id", &["tab", "close", "t2"]),
    case("tab/close-active", &["tab", "close"]),
    case("tab/close-last", &["tab", "close"]),
    case("window/new", &["window", "new"]),
    on("iframe.html", "frame/by-selector", &["frame", "#inner"]).fresh(),
    case("snapshot/inside-frame", &["snapshot", "-i"]),
    case("get/text-inside-frame", &["get", "text", "#inside"]),
    case("frame/main", &["frame", "main"]),
    case("frame/not-found", &["frame", "#nope"]),
    on("form.html", "tab/pinned-tab-gone", &["--pin-tab", "get", "title"]).fresh().before(&[
        &["tab", "new", "{u}/links.html"],
        &["--pin-tab", "get", "title"],
        &["eval", "setTimeout(() => window.close(), 0)"],
        &["session", "info"],
    ]),
];
