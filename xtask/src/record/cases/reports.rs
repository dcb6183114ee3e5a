//! Audits, React and WebMCP.

use crate::record::case::{Case, case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("inner.html", "a11y/page", &["a11y"]),
    case("a11y/scope-not-found", &["a11y", "--selector", "#nope"]),
    on("inner.html", "vitals/page", &["vitals"]),
    on("inner.html", "react/tree-without-hook", &["react", "tree"]),
    case("react/inspect-without-renderer", &["react", "inspect", "1"]),
    case("react/renders-start", &["react", "renders", "start"]),
    on("inner.html", "react/renders-stop-none", &["react", "renders", "stop"]),
    case("react/suspense-without-hook", &["react", "suspense"]),
    case("webmcp/list", &["webmcp", "list"]),
    case("webmcp/invoke-unknown", &["webmcp", "invoke", "nope"]),
    case("removeinitscript/unknown", &["removeinitscript", "99"]),
    case("stream/status", &["stream", "status"]),
    case("stream/enable-twice", &["stream", "enable"]),
    case("stream/disable", &["stream", "disable"]),
    case("stream/enable", &["stream", "enable"]),
    case("inspect/page", &["inspect"]),
];
