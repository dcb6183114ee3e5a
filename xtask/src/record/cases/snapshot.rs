//! Accessibility snapshots.

use crate::record::case::{Case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "snapshot/interactive", &["snapshot", "-i"]).fresh(),
    on("form.html", "snapshot/full", &["snapshot"]).fresh(),
    on("form.html", "snapshot/compact", &["snapshot", "-c"]).fresh(),
    on("form.html", "snapshot/depth", &["snapshot", "-d", "2"]).fresh(),
    on("form.html", "snapshot/scope", &["snapshot", "-i", "-s", "#form"]).fresh(),
    on("links.html", "snapshot/urls", &["snapshot", "-i", "--urls"]).fresh(),
    on("form.html", "snapshot/delta-first", &["snapshot", "-i", "--delta"]).fresh(),
    on("form.html", "snapshot/delta-none", &["snapshot", "-i", "--delta"])
        .fresh()
        .before(&[&["snapshot", "-i", "--delta"]]),
    on("form.html", "snapshot/delta", &["snapshot", "-i", "--delta"])
        .fresh()
        .before(&[&["snapshot", "-i", "--delta"], &["check", "#remember"]]),
    on("blank.html", "snapshot/empty", &["snapshot", "-i"]).fresh(),
    on("iframe.html", "snapshot/iframe", &["snapshot", "-i"]).fresh(),
    on("dialog.html", "snapshot/role-dialog", &["snapshot"]).fresh(),
    on("dialog.html", "snapshot/modal-dialog", &["snapshot", "-i"])
        .fresh()
        .before(&[&["click", "#open"]]),
    on("form.html", "snapshot/removed-refs", &["snapshot", "-i"])
        .fresh()
        .before(&[&["snapshot", "-i"], &["eval", "document.querySelector('#form').remove()"]]),
    on("links.html", "snapshot/text", &["snapshot", "-i"]).fresh().text(),
    on("big.html?n=400", "snapshot/big", &["snapshot", "-i"]).fresh(),
];
