//! Reading the page.

use crate::record::case::{Case, case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "get/text", &["get", "text", "#intro"]),
    on("form.html", "get/html", &["get", "html", "#intro"]),
    on("form.html", "get/value", &["get", "value", "#email"]),
    on("form.html", "get/attr", &["get", "attr", "#email", "placeholder"]),
    on("form.html", "get/attr-absent", &["get", "attr", "#email", "nope"]),
    on("form.html", "get/title", &["get", "title"]),
    on("form.html", "get/url", &["get", "url"]),
    on("form.html", "get/count", &["get", "count", "button"]),
    on("form.html", "get/count-invalid-css", &["get", "count", "##"]),
    on("form.html", "get/box", &["get", "box", "#email"]),
    on("form.html", "get/styles", &["get", "styles", "#intro"]),
    on("form.html", "get/cdp-url", &["get", "cdp-url"]),
    on("form.html", "get/title-text", &["get", "title"]).text(),
    on("form.html", "get/unknown-subcommand", &["get", "nothing"]),
    on("form.html", "is/visible", &["is", "visible", "#email"]),
    on("form.html", "is/not-visible", &["is", "visible", "#hidden"]),
    on("form.html", "is/enabled", &["is", "enabled", "#off"]),
    on("form.html", "is/checked", &["is", "checked", "#remember"]),
    on("links.html", "read/active-tab", &["read"]),
    on("links.html", "read/outline", &["read", "--outline"]),
    case("read/no-browser", &["read"]).fresh(),
    case("read/url", &["read", "{u}/inner.html"]),
    case("read/http-404", &["read", "{u}/status/404"]),
    case("read/refused", &["read", "{closed}/"]),
];
