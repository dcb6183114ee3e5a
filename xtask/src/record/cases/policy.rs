//! Confirmation, action policy, allowed domains, boundaries.

use crate::record::case::{Case, Words, on};

const CONFIRM: Words = &["--confirm-actions", "click"];
const CLICK: &[Words] = &[&["click", "#count"]];

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "click/confirmation-required", &["click", "#count"]).globals(CONFIRM),
    on("form.html", "confirm/approved", &["confirm", "{captured}"])
        .globals(CONFIRM)
        .before(CLICK)
        .capture("confirmation_id"),
    on("form.html", "confirm/approved-but-failed", &["confirm", "{captured}"])
        .globals(CONFIRM)
        .before(&[&["click", "#nope"]])
        .capture("confirmation_id"),
    on("form.html", "deny/denied", &["deny", "{captured}"])
        .globals(CONFIRM)
        .before(CLICK)
        .capture("confirmation_id"),
    on("form.html", "confirm/nothing-pending", &["confirm", "r1"]).globals(CONFIRM),
    on("form.html", "batch/confirmation-in-a-row", &["batch"])
        .globals(CONFIRM)
        .stdin(r##"[["click","#count"],["get","title"]]"##),
    on("form.html", "click/confirmation-required-text", &["click", "#count"])
        .globals(CONFIRM)
        .text(),
    on("form.html", "click/confirm-interactive", &["--confirm-interactive", "click", "#count"])
        .globals(CONFIRM),
    on("form.html", "click/denied-by-policy", &["click", "#count"])
        .globals(&["--action-policy", "{out}/policy.json"]),
    on("form.html", "open/domain-not-allowed", &["open", "http://example.test/"])
        .globals(&["--allowed-domains", "127.0.0.1"]),
    on("form.html", "get/content-boundaries", &["get", "text", "#intro"])
        .globals(&["--content-boundaries"]),
];
