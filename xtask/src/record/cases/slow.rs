//! What upstream says when its own limits of about half a minute are reached.

use crate::record::case::{Case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "open/load-event-never-comes", &["open", "{u}/late.html"]).fresh().slow(),
    on("form.html", "open/no-answer", &["open", "{u}/hang"]).fresh().slow(),
    on("dialog.html", "get/title-while-dialog-open", &["get", "title"])
        .fresh()
        .slow()
        .before(&[&["click", "#confirm"]]),
    on("form.html", "eval/endless-promise", &["eval", "new Promise(() => {})"]).fresh().slow(),
    on("form.html", "batch/page-wedged", &["batch"])
        .fresh()
        .slow()
        .stdin(r#"[["eval","for(;;){}"],["get","title"],["get","url"]]"#),
    on("form.html", "download/none-comes", &["download", "#count", "{out}/none.csv"])
        .fresh()
        .slow(),
];
