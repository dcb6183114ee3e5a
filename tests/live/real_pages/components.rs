//! Web components with shadow roots (Shoelace), overlays (Bootstrap), nested and virtual panes.

use super::{Visit, next};

// DEC-71, HAZ-19
#[test]
fn live_web_components_are_filled_and_chosen_from() {
    let mut visit = Visit::to("shadow");
    for (name, text) in [("Name", "Ann"), ("Text", "two words")] {
        let said = visit.fill("textbox", name, text);
        assert!(said.ends_with("; value verified."), "{said}");
    }
    let said = visit.mcp.ok(&["fill", "#name", "Bert"]);
    assert!(said.ends_with("\"#name\"; value verified."), "{said}");
    assert_eq!(visit.js("document.querySelector('#name').value + text.value"), "Berttwo words");
    let said = visit.click("combobox", "Fruit");
    assert!(said.contains("New controls: ") && said.contains("option \"Pear\""), "{said}");
    visit.find("option", "Pear");
    assert_eq!(visit.js("fruit.value"), "pear");
    // The list covers its neighbours until it has faded out.
    visit.mcp.ok(&["wait", "500"]);
    for (role, name) in [
        ("checkbox", "Agree"),
        ("switch", "Alerts"),
        ("radio", "Cash"),
        ("tab", "Two"),
        ("button", "More"),
    ] {
        let said = visit.click(role, name);
        assert!(said.ends_with("Page changed."), "{said}");
    }
    // The unfolding panel moves what stands below it.
    visit.mcp.ok(&["wait", "500"]);
    assert_eq!(visit.js("[agree.checked, alerts.checked, pay.value].join()"), "true,true,cash");
    let said = visit.click("button", "Actions");
    assert!(said.contains("New controls: menuitem \"Copy\", menuitem \"Cut\""), "{said}");
    let said = visit.find("menuitem", "Cut");
    assert!(said.ends_with("Page changed; alert \"Chose cut\"."), "{said}");
}

// HAZ-16, DIAG-OVER-01
#[test]
fn live_a_click_behind_an_open_dialog_names_it_and_how_to_close_it() {
    let mut visit = Visit::to("shadow");
    visit.click("button", "Open dialog");
    visit.mcp.ok(&["wait", "--fn", "dialog.open"]);
    let agree = visit.at("checkbox", "Agree");
    let said = visit.mcp.fails(&["click", &agree]);
    assert!(said.contains("nothing was clicked"), "{said}");
    assert!(
        said.contains(
            "Possible overlay blockers: \"<sl-dialog#dialog>\" covers it; to close it perhaps @e"
        ),
        "{said}"
    );
    let (_, rest) = said.rsplit_once("[\"click\",\"").unwrap();
    let (close, _) = rest.split_once('"').unwrap();
    assert!(said.contains(&next(&["click", close])), "{said}");
    assert_eq!(visit.js("agree.checked"), "false");
    visit.mcp.ok(&["click", close]);
    visit.mcp.ok(&["wait", "--fn", "!dialog.open"]);
    visit.mcp.ok(&["wait", "500"]);
    visit.look();
    assert!(visit.click("checkbox", "Agree").ends_with("Page changed."));
    assert_eq!(visit.js("agree.checked"), "true");
}

// HAZ-16, DEC-71
#[test]
fn live_overlays_that_were_opened_on_purpose_are_used() {
    let mut visit = Visit::to("overlays");
    assert!(visit.click("button", "Edit profile").contains("Page changed."));
    // While it slides in the library ignores everything.
    visit.mcp.ok(&["wait", "#modal.show"]);
    visit.mcp.ok(&["wait", "600"]);
    let said = visit.mcp.ok(&["find", "label", "Nickname", "fill", "Bo"]);
    assert!(said.contains("; value verified."), "{said}");
    let count = visit.at("button", "Count");
    let said = visit.mcp.fails(&["click", &count]);
    assert!(said.contains("\"<div#modal>\" covers it; to close it perhaps"), "{said}");
    assert!(visit.find("button", "Save").contains("Page changed."));
    assert_eq!(visit.js("said.textContent"), "Saved Bo");
    visit.mcp.ok(&["wait", "--fn", "!document.querySelector('.modal-backdrop')"]);
    let said = visit.click("button", "Options");
    assert!(said.ends_with("New controls: button \"Rename\", button \"Archive\""), "{said}");
    visit.find("button", "Rename");
    assert_eq!(visit.js("said.textContent"), "Renamed");
    assert!(visit.click("button", "Notify").contains("Page changed"));
    assert!(visit.click("button", "Count").ends_with("Page changed."));
    // A sheet over everything swallows the click.
    assert!(visit.click("button", "Cover all").ends_with("New controls: button \"Dismiss\""));
    let said = visit.mcp.fails(&["click", &count]);
    assert!(said.contains("\"<div#sheet>\" covers it; to close it perhaps"), "{said}");
    assert_eq!(visit.js("window.n"), "1");
    visit.find("button", "Dismiss");
    assert!(visit.mcp.ok(&["click", &count]).contains("Page changed."));
    assert_eq!(visit.js("window.n"), "2");
}

// DEC-06, PLAN-69
#[test]
fn live_panes_inside_panes_scroll_and_their_controls_are_reached() {
    let mut visit = Visit::to("scroll");
    assert_eq!(visit.mcp.ok(&["scroll", "down", "400"]), "Scrolled \"down 400\".");
    assert_eq!(visit.mcp.ok(&["scroll", "up", "400"]), "Scrolled \"up 400\".");
    let said = visit.mcp.ok(&["scroll", "down", "300", "--selector", "#outer"]);
    assert!(said.starts_with("Scrolled \"#outer\" down by 300 px"), "{said}");
    assert_eq!(visit.js("outer.scrollTop"), "300");
    let said = visit.mcp.ok(&["scroll", "right", "500", "--selector", "#wide"]);
    assert!(said.starts_with("Scrolled \"#wide\" right by 500 px"), "{said}");
    visit.mcp.ok(&["wait", "600"]);
    for name in ["Deep", "Bottom", "Far"] {
        assert!(visit.click("button", name).ends_with("Page changed."), "{name}");
        assert_eq!(visit.js(&format!("document.body.textContent.includes('{name} done')")), "true");
        // The page glides to it.
        visit.mcp.ok(&["wait", "600"]);
    }
    // Rows that the pane has let go are gone; others have come.
    assert!(visit.click("button", "Row 3").ends_with("Page changed."));
    visit.mcp.ok(&["scroll", "down", "3000", "--selector", "#rows"]);
    let row = visit.at("button", "Row 3");
    let said = visit.mcp.fails(&["click", &row]);
    assert!(said.starts_with("Failed (stale-ref, isError: true): nothing was clicked."), "{said}");
    assert_eq!(visit.js("picked.textContent"), "Row 3");
    assert!(visit.find("button", "Row 102").contains("Page changed."));
    assert_eq!(visit.js("picked.textContent"), "Row 102");
    // At the end nothing moves, and that is said.
    visit.mcp.ok(&["scroll", "to", "end"]);
    let said = visit.mcp.ok(&["scroll", "down", "500"]);
    assert!(said.starts_with("Scroll completed with no observed movement"), "{said}");
}
