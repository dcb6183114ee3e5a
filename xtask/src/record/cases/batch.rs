//! Shapes of `batch`.

use crate::record::case::{Case, case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "batch/failed-row-in-the-middle", &["batch"])
        .stdin(r##"[["get","title"],["click","#nope"],["get","url"]]"##),
    on("form.html", "batch/bail-leaves-rows-out", &["batch", "--bail"])
        .stdin(r##"[["get","title"],["click","#nope"],["get","url"]]"##),
    on("form.html", "batch/omit-command", &["batch", "--omit-command"])
        .stdin(r##"[["get","title"],[],["click","#nope"]]"##),
    on("form.html", "batch/identity-row-throws", &["batch", "--bail"]).stdin(
        r##"[["eval","if(performance.timeOrigin!==1)throw new Error('stale')"],["click","#count"]]"##,
    ),
    on("form.html", "batch/ref-of-a-find-is-unknown", &["batch"])
        .stdin(r##"[["find","role","button","click","--name","Count"],["click","@e1"]]"##),
    on("form.html", "batch/thrown-look-ends-the-rows", &["batch", "--bail"]).stdin(
        r##"[["click","#count"],["eval","throw new Error('seen:'+document.title)"],["wait","35"],["eval","1"]]"##,
    ),
    on("form.html", "batch/eval-click-eval", &["batch", "--bail"]).stdin(
        r##"[["eval","document.title"],["click","#count"],["eval","({clicked: document.querySelector('#count').textContent})"]]"##,
    ),
    // No title: the next document is there before its head has been read.
    on("links.html", "batch/click-navigates", &["batch", "--bail"])
        .stdin(r##"[["click","#form"],["eval","({url: location.pathname})"]]"##),
    on("dialog.html", "batch/click-opens-dialog", &["batch"])
        .stdin(r##"[["click","#confirm"],["eval","1"],["tab","list"],["dialog","status"]]"##)
        .after(&[&["dialog", "dismiss"]]),
    on("form.html", "batch/open-eval-snapshot", &["batch", "--bail"])
        .fresh()
        .stdin(r##"[["open","{u}/links.html"],["eval","document.title"],["snapshot","-i"]]"##),
    on("form.html", "batch/flag-text-is-safe", &["batch"])
        .stdin(r##"[["fill","#email","--headed"],["get","value","#email"]]"##),
    on("form.html", "batch/eval-stdin-row-is-null", &["batch"]).stdin(r#"[["eval","--stdin"]]"#),
    on("form.html", "batch/global-flag-in-row", &["batch"]).stdin(r#"[["--json","get","title"]]"#),
    on("form.html", "batch/unavailable-in-rows", &["batch"])
        .stdin(r#"[["session","list"],["skills","list"],["doctor"]]"#),
    on("form.html", "batch/nested", &["batch"]).stdin(r#"[["batch"]]"#),
    on("form.html", "batch/missing-arguments-in-row", &["batch"]).stdin(r#"[["click"]]"#),
    on("form.html", "batch/command-strings", &["batch", "get title", "get text '#intro'"]),
    on("links.html", "batch/annotated-screenshot", &["--annotate", "batch"])
        .fresh()
        .stdin(r#"[["screenshot","{out}/row.png"]]"#),
    on("form.html", "batch/wait-state-is-ignored", &["batch"])
        .stdin(r##"[["wait","#email","--state","hidden"]]"##),
    case("batch/stale-refs-row", &["batch"]).stdin(r#"[["click","@e99"]]"#),
];

/// Input that is no list of rows: nothing runs, no browser starts.
pub(in crate::record) const INPUT: &[Case] = &[
    case("batch/empty-list", &["batch"]).stdin("[]"),
    case("batch/not-json", &["batch"]).stdin("not json"),
    case("batch/an-object", &["batch"]).stdin(r#"{"a":1}"#),
    case("batch/a-string-row", &["batch"]).stdin(r#"["get title"]"#),
    case("batch/a-number-in-a-row", &["batch"]).stdin(r#"[["get",1]]"#),
    case("batch/empty-input", &["batch"]).stdin(""),
    case("batch/not-json-text", &["batch"]).stdin("not json").text(),
];
