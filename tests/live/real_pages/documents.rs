//! Frames, dialogs of the browser, files up and down.

use std::fs;

use super::{Visit, next};
use crate::support::pages::Route;

// DEC-71, HAZ-19
#[test]
fn live_frames_are_filled_and_clicked_and_foreign_ones_are_said_to_be_unseen() {
    let mut visit = Visit::to("inner");
    visit.go("frames");
    assert!(visit.fill("textbox", "Inside", "hello").ends_with("; value verified."));
    assert!(visit.fill("textbox", "Outside", "world").ends_with("; value verified."));
    let kind = visit.at("combobox", "Kind");
    assert!(visit.mcp.ok(&["select", &kind, "Two"]).ends_with("Page changed."));
    assert!(visit.click("button", "Inner button").ends_with("Page changed."));
    assert!(visit.click("button", "Written").ends_with("Page changed."));
    let inside = "(() => { const page = form.contentDocument; \
                  return [page.querySelector('input').value, page.querySelector('select').value, \
                  page.querySelector('button').textContent, outside.value].join(); })()";
    assert_eq!(visit.js(inside), "hello,Two,Inner done,world");
    // The last frame is of another origin: nobody can see into it from here.
    let (_, foreign) = visit.page.split_once("Iframe \"Payment\"").unwrap();
    let foreign = foreign.to_owned();
    let button = crate::support::mcp::ref_in(&foreign, "button", "Inner button").unwrap();
    let said = visit.mcp.ok(&["click", &button]);
    assert!(
        said.ends_with("It stands in a frame of another site, so the effect could not be seen."),
        "{said}"
    );
    let field = crate::support::mcp::ref_in(&foreign, "textbox", "Inside").unwrap();
    assert!(visit.mcp.ok(&["fill", &field, "card"]).ends_with("; value not verified."));
    visit.look();
    assert!(
        visit.page.contains("button \"Inner done\"") && visit.page.contains(": card"),
        "{}",
        visit.page
    );
}

// HAZ-09, DEC-71
#[test]
fn live_dialogs_of_the_browser_are_named_and_answered() {
    let mut visit = Visit::to("dialogs");
    let said = visit.click("button", "Warn");
    assert!(said.contains("An alert was shown and closed: \"Careful\". Page changed."), "{said}");
    assert_eq!(visit.js("said.textContent"), "after alert");
    let (accept, dismiss) = (next(&["dialog", "accept"]), next(&["dialog", "dismiss"]));
    let open = "A confirm dialog is open: \"Delete it?\" The page waits for it.";
    let said = visit.click("button", "Delete");
    assert!(said.ends_with(&format!("{open}\n{accept}\n{dismiss}")), "{said}");
    let ask = visit.at("button", "Ask");
    let said = visit.mcp.fails(&["click", &ask]);
    assert!(said.contains(&format!("nothing was clicked. {open}\n{accept}\n{dismiss}")), "{said}");
    visit.mcp.ok(&["dialog", "dismiss"]);
    assert_eq!(visit.js("said.textContent"), "kept");
    let said = visit.mcp.ok(&["click", &ask]);
    assert!(said.contains("A prompt dialog is open: \"Your name?\""), "{said}");
    visit.mcp.ok(&["dialog", "accept", "Ann"]);
    assert_eq!(visit.js("said.textContent"), "name Ann");
}

// DEC-71, PLAN-70
#[test]
fn live_files_go_up_and_come_down() {
    let mut visit = Visit::to("files");
    visit.pages.set("/report.csv", Route::download("report.csv", b"a;b"));
    visit.pages.set("/attached", Route::download("all.zip", b"PK zip"));
    visit.pages.html("/upload", "<title>Taken</title>");
    fs::write(visit.bed.path("work/photo.txt"), "twelve bytes").unwrap();
    let said = visit.mcp.ok(&["upload", "#photo", "photo.txt"]);
    assert!(said.ends_with("Page changed; alert \"photo.txt 12\"."), "{said}");
    let said = visit.mcp.fails(&["upload", "#photo", "missing.txt"]);
    assert!(said.contains("nothing was uploaded, there is no file"), "{said}");
    let photo = visit.at("button", "Photo");
    let said = visit.mcp.fails(&["fill", "#photo", "photo.txt"]);
    assert!(said.contains("takes no text. Use upload."), "{said}");
    let said = visit.mcp.ok(&["upload", &photo, "photo.txt"]);
    assert!(said.starts_with("Attached 1 file to "), "{said}");
    let said = visit.click("link", "Get report");
    assert!(said.ends_with("A download was started."), "{said}");
    let said = visit.click("button", "Make a file");
    assert!(said.ends_with("A download was started."), "{said}");
    let said = visit.mcp.ok(&["download", "#attached", "all.zip"]);
    assert!(said.starts_with("Download completed: "), "{said}");
    assert_eq!(fs::read(visit.bed.path("work/all.zip")).unwrap(), b"PK zip");
    let report = visit.at("button", "Report");
    visit.mcp.ok(&["upload", &report, "photo.txt"]);
    let said = visit.click("button", "Send report");
    assert!(said.contains("Now on \"Taken\""), "{said}");
    assert_eq!(visit.pages.hits("/upload").len(), 1);
}
