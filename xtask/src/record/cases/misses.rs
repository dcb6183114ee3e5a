//! The error catalogue: elements, refs and targets that cannot be used.

use crate::record::case::{Case, Words, case, on};

const SNAPSHOT: Words = &["snapshot", "-i"];

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "click/not-found", &["click", "#nope"]),
    on("form.html", "click/invalid-css", &["click", "##"]),
    on("form.html", "click/text-dialect", &["click", "text=Count"]),
    on("form.html", "click/has-text-dialect", &["click", "button:has-text(\"Count\")"]),
    on("form.html", "click/bare-xpath", &["click", "//button"]),
    on("form.html", "click/xpath", &["click", "xpath=//button[@id='count']"]),
    on("form.html", "click/ambiguous-takes-first", &["click", ".twin"]),
    on("form.html", "click/hidden", &["click", "#hidden"]),
    on("form.html", "click/disabled", &["click", "#off"]),
    on("form.html", "click/covered", &["click", "#under"]),
    on("form.html", "hover/covered", &["hover", "#under"]),
    on("form.html", "click/new-tab-on-a-button", &["click", "#count", "--new-tab"]),
    on("form.html", "fill/not-found", &["fill", "#nope", "x"]),
    on("form.html", "get/text-not-found", &["get", "text", "#nope"]),
    on("form.html", "is/visible-not-found", &["is", "visible", "#nope"]),
    on("form.html", "select/no-option", &["select", "#flavour", "zzz"]),
    on("form.html", "snapshot/scope-not-found", &["snapshot", "-s", "#nope"]),
    on("form.html", "click/unknown-ref", &["click", "@e999"]),
    on("form.html", "click/ref-after-reload", &["click", "@e2"])
        .fresh()
        .before(&[SNAPSHOT, &["reload"]]),
    on("form.html", "click/ref-element-gone", &["click", "@e2"])
        .fresh()
        .before(&[SNAPSHOT, &["eval", "document.querySelector('#count').remove()"]]),
    // The silent mis-click: the old ref's place is clicked on the new page (HAZ-01).
    on("links.html", "click/old-ref-on-a-new-page", &["click", "@e2"]).fresh().before(&[
        SNAPSHOT,
        &["click", "#form"],
        &["wait", "--url", "**/form.html"],
    ]),
    on("blank.html", "click/ref-several-in-snapshot", &["click", "@e1"]).fresh().before(&[
        &["eval", "document.body.innerHTML = '<button>Go</button><button>Go</button>'"],
        SNAPSHOT,
        &["eval", "document.body.innerHTML = '<button>Go</button><button>Go</button>'"],
    ]),
    on("blank.html", "click/ref-several-now", &["click", "@e1"]).fresh().before(&[
        &["eval", "document.body.innerHTML = '<button>Go</button>'"],
        SNAPSHOT,
        &["eval", "document.body.innerHTML = '<button>Go</button><button>Go</button>'"],
    ]),
    on("blank.html", "click/ref-found-again", &["click", "@e1"]).fresh().before(&[
        &["eval", "document.body.innerHTML = '<button>Go</button>'"],
        SNAPSHOT,
        &["eval", "document.body.innerHTML = '<button>Go</button>'"],
    ]),
    on("form.html", "get/count-of-a-ref-is-zero", &["get", "count", "@e1"])
        .fresh()
        .before(&[SNAPSHOT]),
    case("click/not-found-text", &["click", "#nope"]).text(),
];
