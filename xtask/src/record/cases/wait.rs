//! `wait` in its forms.

use crate::record::case::{Case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "wait/selector", &["wait", "#email"]),
    on("form.html", "wait/milliseconds", &["wait", "50"]),
    on("form.html", "wait/text", &["wait", "--text", "Welcome"]),
    on("form.html", "wait/url", &["wait", "--url", "**/form.html"]),
    on("form.html", "wait/fn", &["wait", "--fn", "document.title === 'Sign in'"]),
    on("form.html", "wait/fn-arrow-is-always-true", &["wait", "--fn", "() => false"]),
    on("form.html", "wait/fn-promise-of-false", &["wait", "--fn", "Promise.resolve(false)"]),
    on("form.html", "wait/load", &["wait", "--load", "networkidle"]),
    on("links.html", "wait/download", &["wait", "--download", "{out}/waited.csv"])
        .before(&[&["click", "#report"]]),
    on("form.html", "wait/timed-out", &["wait", "#nope", "--timeout", "300"]),
    on("form.html", "wait/text-timed-out", &["wait", "--text", "Nowhere", "--timeout", "300"]),
    on("form.html", "wait/load-without-state", &["wait", "--load"]),
    on("form.html", "wait/nothing", &["wait"]),
    on("form.html", "wait/state-destroys-the-page", &["wait", "#hidden", "--state", "hidden"])
        .fresh(),
];
