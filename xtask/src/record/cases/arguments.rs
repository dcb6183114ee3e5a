//! Errors of the argument parser and of the launch: they never reach a page.

use crate::record::case::{Case, case};

pub(in crate::record) const CASES: &[Case] = &[
    case("arguments/unknown-command", &["bogus"]),
    case("arguments/title-is-no-command", &["title"]),
    case("arguments/missing", &["click"]),
    case("arguments/missing-get", &["get", "text"]),
    case("arguments/bad-number", &["set", "viewport", "abc", "600"]),
    case("arguments/unknown-subcommand", &["keyboard", "bogus", "x"]),
    case("arguments/invalid-base64", &["eval", "-b", "***"]),
    case("arguments/session-equals", &["--session=S", "get", "title"]),
    case("arguments/version", &["--version"]),
    case("arguments/config-missing", &["--config", "{out}/none.json", "get", "title"]),
    case("arguments/unknown-command-text", &["bogus"]).text(),
    case("arguments/ca-cert-missing", &["--ca-cert", "{out}/none.pem", "get", "title"]),
    case("launch/no-browser-file", &["--executable-path", "{out}/none", "open", "{u}/form.html"])
        .fresh(),
    case("launch/no-browser-found", &["open", "{u}/form.html"]).envs(&[("PATH", "{out}")]),
    case("launch/no-browser-found-in-rows", &["batch", "--bail"])
        .stdin(r#"[["open","{u}/form.html"],["get","title"]]"#)
        .envs(&[("PATH", "{out}")]),
    case("launch/unknown-engine", &["--engine", "nope", "open", "{u}/form.html"]).fresh(),
    case("launch/unknown-provider", &["--provider", "nope", "open", "{u}/form.html"]).fresh(),
    case("launch/auto-connect-none", &["--auto-connect", "open", "{u}/form.html"]).fresh(),
    case("launch/profile-name", &["--profile", "Nobody", "open", "{u}/form.html"]).fresh(),
    case("connect/not-a-port", &["connect", "abc"]).fresh(),
    case("connect/port-zero", &["connect", "0"]),
    case("connect/refused", &["connect", "{closed}"]),
    case(
        "launch/session-name-too-long",
        &[
            "--session",
            "long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-\
             long-name-long-name-long-name",
            "get",
            "title",
        ],
    ),
];
