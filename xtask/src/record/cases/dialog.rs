//! JavaScript dialogs, and what other commands say while one is open.

use crate::record::case::{Case, Words, case, on};

const DISMISS: &[Words] = &[&["dialog", "dismiss"]];
const CONFIRM: &[Words] = &[&["click", "#confirm"]];

pub(in crate::record) const CASES: &[Case] = &[
    on("dialog.html", "dialog/status-none", &["dialog", "status"]),
    case("dialog/accept-none", &["dialog", "accept"]),
    on("dialog.html", "click/alert-is-handled", &["click", "#alert"]),
    on("dialog.html", "click/opens-confirm", &["click", "#confirm"]).after(DISMISS),
    on("dialog.html", "click/opens-prompt", &["click", "#prompt"]).after(DISMISS),
    on("dialog.html", "dialog/status-prompt", &["dialog", "status"])
        .before(&[&["click", "#prompt"]])
        .after(DISMISS),
    on("dialog.html", "dialog/accept", &["dialog", "accept"]).before(CONFIRM),
    on("dialog.html", "dialog/accept-text", &["dialog", "accept", "Bob"])
        .before(&[&["click", "#prompt"]]),
    on("dialog.html", "dialog/dismiss", &["dialog", "dismiss"]).before(CONFIRM),
    on("dialog.html", "click/while-dialog-open", &["click", "#alert"])
        .before(CONFIRM)
        .after(DISMISS),
    on("dialog.html", "eval/while-dialog-open", &["eval", "1"]).before(CONFIRM).after(DISMISS),
    on("dialog.html", "snapshot/while-dialog-open", &["snapshot", "-i"])
        .before(CONFIRM)
        .after(DISMISS),
    on("dialog.html", "open/while-dialog-open", &["open", "{u}/form.html"])
        .before(CONFIRM)
        .after(DISMISS),
    on("dialog.html", "tab/list-while-dialog-open", &["tab", "list"])
        .before(CONFIRM)
        .after(DISMISS),
];
