//! `find`: locators and their misses.

use crate::record::case::{Case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "find/role-click", &["find", "role", "button", "click", "--name", "Count"])
        .fresh(),
    on("form.html", "find/label-fill", &["find", "label", "Email", "fill", "a@example.test"])
        .fresh(),
    on("form.html", "find/text-text", &["find", "text", "Far", "text"]),
    on("form.html", "find/text-beside-an-element", &["find", "text", "Welcome", "text"]),
    on(
        "form.html",
        "find/placeholder-fill",
        &["find", "placeholder", "you@example.test", "fill", "b@example.test"],
    ),
    on("form.html", "find/alt-click", &["find", "alt", "Company logo", "click"]),
    on("form.html", "find/title-hover", &["find", "title", "Help tip", "hover"]),
    on("form.html", "find/testid-click", &["find", "testid", "help", "click"]),
    on("form.html", "find/label-check", &["find", "label", "Remember me", "check"]),
    on("form.html", "find/nth-click", &["find", "nth", "1", ".twin", "click"]),
    on("form.html", "find/first-text", &["find", "first", ".twin", "text"]),
    on("form.html", "find/last-text", &["find", "last", ".twin", "text"]),
    on("form.html", "find/text-miss", &["find", "text", "Nowhere", "click"]),
    on("form.html", "find/role-miss", &["find", "role", "slider", "click"]),
    on("form.html", "find/name-miss", &["find", "role", "button", "click", "--name", "Nope"]),
    on("form.html", "find/nth-miss", &["find", "nth", "9", ".twin", "click"]),
    on("form.html", "find/unknown-action", &["find", "label", "Remember me", "uncheck"]),
    on("form.html", "find/select-is-no-action", &["find", "label", "Flavour", "select", "c"]),
    on(
        "form.html",
        "find/name-before-action",
        &["find", "role", "button", "--name", "Count", "click"],
    ),
    on("form.html", "find/fill-without-text", &["find", "label", "Email", "fill"]),
    on("form.html", "find/covered", &["find", "text", "Underneath", "click"]),
];
