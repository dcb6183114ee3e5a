//! Commands that need no page; most start nothing at all.

use crate::record::case::{Case, case};

pub(in crate::record) const CASES: &[Case] = &[
    case("session/name", &["session"]),
    case("session/list-empty", &["session", "list"]),
    case("session/info-not-running", &["session", "info"]),
    case("session/id", &["session", "id", "--scope", "worktree", "--prefix", "x"]),
    case("close/none-of-all", &["close", "--all"]),
    case("skills/list", &["skills", "list"]),
    case("skills/get", &["skills", "get", "slack"]),
    case("skills/path", &["skills", "path", "core"]),
    case("skills/unknown", &["skills", "get", "nope"]),
    case("skills/unknown-subcommand", &["skills", "bogus"]),
    case("plugin/list", &["plugin", "list"]),
    case("plugin/show-unknown", &["plugin", "show", "nope"]),
    case("plugin/unknown-subcommand", &["plugin", "bogus"]),
    case("profiles/none", &["profiles"]),
    case("chat/without-key", &["chat", "hello"]),
    case("dashboard/stop-none", &["dashboard", "stop"]),
    case("dashboard/unknown-subcommand", &["dashboard", "status"]),
    case("dashboard/bad-port", &["dashboard", "start", "--port", "99999"]),
    case("doctor/offline", &["doctor", "--offline", "--quick"]),
    case(
        "auth/save",
        &[
            "auth",
            "save",
            "shop",
            "--url",
            "{u}/form.html",
            "--username",
            "ann",
            "--password-stdin",
        ],
    )
    .stdin("not-a-real-password"),
    case("auth/list", &["auth", "list"]),
    case("auth/show", &["auth", "show", "shop"]),
    case("auth/show-unknown", &["auth", "show", "nope"]),
    case("auth/delete", &["auth", "delete", "shop"]),
    case("device/list", &["device", "list"]),
    case("confirm/none", &["confirm", "r1"]),
];
