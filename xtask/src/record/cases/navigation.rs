//! Opening pages and moving between them.

use crate::record::case::{Case, case, on};

pub(in crate::record) const CASES: &[Case] = &[
    case("open/first-call", &["open", "{u}/form.html"]).fresh(),
    case("open/without-url", &["open"]),
    on("links.html", "open/page", &["open", "{u}/form.html"]).fresh(),
    // The launch carried options that this call lacks: the browser is replaced.
    case("open/without-url-after-launch-options", &["open"]),
    case("open/redirect", &["open", "{u}/redirect"]),
    case("open/http-404", &["open", "{u}/status/404"]),
    case("open/http-500", &["open", "{u}/status/500"]),
    case("open/about-blank", &["open", "about:blank"]),
    case("open/refused", &["open", "{closed}/"]),
    case("open/unknown-host", &["open", "http://no-such-host.invalid/"]),
    case("open/unsafe-port", &["open", "http://127.0.0.1:1/"]),
    case("open/empty-url", &["open", ""]),
    case("open/download", &["open", "{u}/download.csv"]),
    on("form.html", "reload/page", &["reload"]),
    on("form.html", "back/page", &["back"]).before(&[&["open", "{u}/links.html"]]),
    case("forward/page", &["forward"]),
    on("form.html", "pushstate/path", &["pushstate", "/pushed?x=1"]),
    on("form.html", "goto/page", &["goto", "{u}/links.html"]),
    on("form.html", "open/text", &["open", "{u}/links.html"]).text(),
];
