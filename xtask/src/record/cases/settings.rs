//! Settings, cookies, storage.

use crate::record::case::{Case, case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "set/viewport", &["set", "viewport", "800", "600"]),
    case("set/device", &["set", "device", "iPhone 12"]),
    case("set/device-unknown", &["set", "device", "Nope"]),
    case("set/geo", &["set", "geo", "1.5", "2.5"]),
    case("set/headers", &["set", "headers", "{\"X-Test\":\"1\"}"]),
    case("set/credentials", &["set", "credentials", "ann", "not-a-real-password"]),
    case("set/media", &["set", "media", "dark"]),
    case("set/offline", &["set", "offline", "on"]).after(&[&["set", "offline", "off"]]),
    case("open/offline", &["open", "{u}/links.html"])
        .before(&[&["set", "offline", "on"]])
        .after(&[&["set", "offline", "off"]]),
    on("form.html", "cookies/set", &["cookies", "set", "theme", "dark"]),
    case("cookies/get", &["cookies"]),
    case("cookies/several", &["cookies"]).before(&[&[
        "cookies",
        "set",
        "sid",
        "not-a-real-session",
        "--httpOnly",
        "--sameSite",
        "Lax",
    ]]),
    case("cookies/curl-missing", &["cookies", "set", "--curl", "{out}/none.txt"]),
    case("cookies/curl-empty", &["cookies", "set", "--curl", "{out}/curl.txt"]),
    case("cookies/clear", &["cookies", "clear"]),
    case("cookies/none", &["cookies"]),
    on("form.html", "storage/set", &["storage", "local", "set", "k", "v"]),
    case("storage/get", &["storage", "local", "get", "k"]),
    case("storage/get-absent", &["storage", "local", "get", "nope"]),
    case("storage/all", &["storage", "local"]),
    case("storage/session", &["storage", "session"]),
    case("storage/clear", &["storage", "local", "clear"]),
    case("storage/on-about-blank", &["storage", "local"]).before(&[&["open", "about:blank"]]),
    case("auth/login-unknown", &["auth", "login", "nope"]),
];
