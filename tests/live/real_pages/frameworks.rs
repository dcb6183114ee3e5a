//! Applications of React and Vue: state behind every field, elements that come and go.

use std::time::Duration;

use serde_json::json;

use super::{Visit, next};
use crate::support::pages::Route;

// DEC-71, HAZ-19
#[test]
fn live_fields_of_react_hold_what_its_state_holds() {
    let mut visit = Visit::to("react");
    let said = visit.fill("textbox", "Customer", "Ann Lee");
    assert!(said.ends_with("textbox \"Customer\"; value verified."), "{said}");
    let said = visit.fill("textbox", "Code", "ab-1");
    assert!(said.ends_with("value verified (reformatted by the page)."), "{said}");
    let said = visit.fill("textbox", "Year", "20x24 and more 99");
    assert!(said.ends_with("value differs from what was sent."), "{said}");
    // A field that gives every change back.
    let contract = visit.at("textbox", "Contract");
    let said = visit.mcp.fails(&["fill", &contract, "new"]);
    let start = "Failed (upstream-error, isError: true): the command ran but did not take effect. \
                 The field still holds what it held before.\n";
    assert!(said.starts_with(start), "{said}");
    assert!(said.contains(&next(&["get", "value", &contract])), "{said}");
    let wanted = json!({ "name": "Ann Lee", "code": "AB-1", "digits": "2024", "fixed": "fixed" });
    assert_eq!(visit.state(), wanted);
}

// DEC-71
#[test]
fn live_acts_on_react_are_told_as_they_are() {
    let mut visit = Visit::to("react");
    assert!(visit.click("tab", "Returns").ends_with("Page changed."));
    assert_eq!(visit.js("document.getElementById('tab').textContent"), "Returns");
    visit.fill("textbox", "New item", "Seal");
    let said = visit.click("button", "Add");
    assert!(
        said.ends_with("Page changed.\nNew controls: checkbox \"Seal\", button \"Remove Seal\""),
        "{said}"
    );
    let pack = visit.at("checkbox", "Pack");
    assert!(visit.mcp.ok(&["check", &pack]).starts_with("Checked "));
    assert_eq!(visit.mcp.ok(&["is", "checked", &pack]), "true");
    let said = visit.find("button", "Remove Seal");
    assert!(said.ends_with("Page changed."), "{said}");
    assert_eq!(visit.js("document.querySelectorAll('li').length"), "1");
    // A dialog of the application is the effect, not a thing in the way.
    let said = visit.click("button", "Shipping");
    let told = "Page changed; dialog \"Shipping\" opened.\nNew controls: combobox \"Carrier\", button \"Done\"";
    assert!(said.ends_with(told), "{said}");
    assert!(
        visit.mcp.ok(&["select", "[role=dialog] select", "Rail"]).starts_with("Selected \"Rail\"")
    );
    visit.find("button", "Done");
    assert_eq!(visit.js("document.querySelectorAll('[role=dialog]').length"), "0");
}

// DEC-71, DEC-41
#[test]
fn live_a_semantic_action_and_a_job_work_on_react() {
    let mut visit = Visit::to("react");
    let fill = json!({ "semanticAction": { "action": "fill", "locator": "label", "value": "Customer", "text": "Bo" } });
    assert!(visit.mcp.call_with(&fill).ok().contains("value verified."));
    let steps = json!([
        { "action": "fill", "selector": "form input", "text": "Label" },
        { "action": "click", "selector": "form button" },
        { "action": "assertText", "text": "Remove Label" },
    ]);
    let said = visit.mcp.call_with(&json!({ "job": { "steps": steps } })).ok();
    assert!(said.contains("value verified."), "{said}");
    assert_eq!(visit.js("document.querySelectorAll('li').length"), "2");
    assert_eq!(visit.state()["name"], "Bo");
}

// DEC-71, HAZ-19
#[test]
fn live_a_form_of_vue_is_filled_and_what_it_takes_back_is_said() {
    let mut visit = Visit::to("vue");
    visit.pages.set(
        "/api/rooms",
        Route::Slow(Duration::from_millis(120), Box::new(Route::html("Lake,Tower"))),
    );
    for (role, name, text) in [
        ("textbox", "Guest", "Bob"),
        ("spinbutton", "Nights", "3"),
        ("textbox", "Arrival", "Monday"),
    ] {
        let said = visit.fill(role, name, text);
        assert!(said.ends_with("value verified."), "{said}");
    }
    let voucher = visit.at("textbox", "Voucher");
    let said = visit.mcp.fails(&["fill", &voucher, "none"]);
    assert!(said.contains("did not take effect. The field is empty."), "{said}");
    assert!(visit.mcp.ok(&["fill", &voucher, "V-7"]).ends_with("value verified."));
    let board = visit.at("combobox", "Board");
    assert!(visit.mcp.ok(&["select", &board, "Half"]).contains("Page changed."));
    assert!(visit.click("radio", "Hill").ends_with("Page changed."));
    assert!(visit.click("checkbox", "Pets").ends_with("Page changed."));
    // It fades in; it is there all the same.
    let said = visit.click("button", "Extras");
    assert!(said.ends_with("Page changed.\nNew controls: button \"Sauna\""), "{said}");
    assert!(visit.find("button", "Sauna").ends_with("Page changed."));
    // The button is disabled while the server works.
    let said = visit.click("button", "Search rooms");
    let told =
        "Page changed; alert \"2 rooms found\".\nNew controls: link \"Lake\", link \"Tower\"";
    assert!(said.ends_with(told), "{said}");
    let wanted = json!({ "guest": "Bob", "nights": 3, "arrival": "Monday", "voucher": "V-7",
        "board": "Half", "view": "Hill", "pets": true, "extras": ["Sauna"] });
    assert_eq!(visit.state(), wanted);
}
