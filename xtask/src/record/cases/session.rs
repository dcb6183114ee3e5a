//! Sessions that run, and their end.

use crate::record::case::{Case, case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "session/info-running", &["session", "info"]),
    case("session/list", &["session", "list"]),
    case("close/running", &["close"]),
    case("close/not-running", &["close"]),
    on("form.html", "close/all", &["close", "--all"]).fresh(),
    case("get/title-starts-a-browser", &["get", "title"]).fresh(),
    on("form.html", "close/restore-saved", &["close"]).globals(&["--restore=kept"]),
    case("state/show", &["state", "show", "kept-S.json"]),
    case("state/list-one", &["state", "list"]),
    on("form.html", "get/title-restore-loaded", &["get", "title"]).globals(&["--restore=kept"]),
    on("form.html", "get/title-other-user-agent", &["--user-agent", "x", "get", "title"]).fresh(),
    on("form.html", "get/title-after-daemon-restart", &["--no-auto-dialog", "get", "title"])
        .fresh(),
];
