//! Comboboxes of libraries: Downshift and Tom Select.

use super::{Visit, next};

// DIAG-COMBO-01, DEC-71
#[test]
fn live_options_of_a_combobox_are_named_and_can_be_chosen() {
    let mut visit = Visit::to("combobox");
    let said = visit.fill("combobox", "City", "B");
    let told =
        "value verified.\nNew controls: option \"Berlin\", option \"Bonn\", option \"Bremen\"";
    assert!(said.ends_with(told), "{said}");
    // The text alone has chosen nothing.
    assert_eq!(visit.js("city.textContent"), "no city");
    assert!(visit.find("option", "Bonn").ends_with("Page changed."));
    assert_eq!(visit.js("city.textContent"), "Bonn");
    let said = visit.click("combobox", "Size");
    assert!(
        said.ends_with("New controls: option \"Small\", option \"Medium\", option \"Large\""),
        "{said}"
    );
    visit.find("option", "Large");
    assert_eq!(visit.js("size.textContent"), "Large");
}

// HAZ-19
#[test]
fn live_a_combobox_without_a_field_says_how_it_is_used() {
    let mut visit = Visit::to("combobox");
    let size = visit.at("combobox", "Size");
    // With the focus in another field, and on itself.
    for prepare in ["City", "Size"] {
        visit.click("combobox", prepare);
        let said = visit.mcp.fails(&["fill", &size, "Large"]);
        assert!(said.contains("nothing was filled:"), "{said}");
        assert!(
            said.contains("combobox \"Size\" takes no text. Click it, then one of its options."),
            "{said}"
        );
    }
    assert_eq!(visit.js("document.querySelector('input').value + size.textContent"), "no size");
}

// DEC-71, IN-SEM-21
#[test]
fn live_an_option_that_exists_twice_is_offered_by_ref() {
    let mut visit = Visit::to("combobox");
    let said = visit.click("combobox", "Country");
    assert!(said.contains("option \"France\""), "{said}");
    // The hidden list of the browser holds the same options.
    let said = visit.mcp.fails(&["find", "role", "option", "click", "--name", "France"]);
    let start = "Failed (selector-not-found, isError: true): nothing was clicked, several elements \
                 have the role \"option\" and the name \"France\".\nCurrent snapshot ref fallback: 2 exact matches";
    assert!(said.starts_with(start), "{said}");
    let (_, last) = said.rsplit_once("\"click\",\"").unwrap();
    let (target, _) = last.split_once('"').unwrap();
    assert!(said.contains(&next(&["click", target])), "{said}");
    assert!(visit.mcp.ok(&["click", target]).contains("option \"France\". Page changed."));
    assert_eq!(visit.js("plain.value"), "fr");
    visit.look();
    visit.fill("combobox", "Colours", "Gr");
    // The list is filtered a moment later.
    let chosen = "[...document.querySelectorAll('.ts-dropdown .active')].some((one) => one.textContent === 'Green')";
    visit.mcp.ok(&["wait", "--fn", chosen]);
    assert!(visit.mcp.ok(&["press", "Enter"]).starts_with("Pressed \"Enter\". Page changed."));
    assert_eq!(visit.js("[...colours.selectedOptions].map((one) => one.value).join()"), "Green");
}
