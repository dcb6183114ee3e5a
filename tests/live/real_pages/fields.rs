//! Fields of every type, masks, a date picker, and the editors CodeMirror and ProseMirror.

use super::{Visit, next};

// HAZ-19
#[test]
fn live_fields_of_every_type_hold_what_was_sent() {
    let mut visit = Visit::to("inputs");
    let set = "; value set by script and verified.";
    for (id, text, told) in [
        ("day", "2024-05-06", set),
        ("hour", "13:30", set),
        ("when", "2024-05-06T10:00", set),
        ("month", "2024-05", set),
        ("week", "2024-W10", set),
        ("level", "70", set),
        ("colour", "#ff8800", set),
        ("count", "12", "; value verified."),
        ("mail", "a@shop.test", "; value verified."),
        ("find", "rope", "; value verified."),
        ("phone", "1761234567", "; value verified (reformatted by the page)."),
        ("price", "1234567.5", "; value verified (reformatted by the page)."),
        ("birthday", "24.12.1999", "; value verified."),
        ("trip", "2024-05-06", "; value verified."),
        ("short", "seven letters", "; value differs from what was sent."),
    ] {
        let said = visit.mcp.ok(&["fill", &format!("#{id}"), text]);
        assert_eq!(said.lines().next().unwrap(), format!("Filled \"#{id}\"{told}"));
        let held = visit.js(&format!("document.getElementById('{id}').value"));
        match id {
            "phone" => assert_eq!(held, "+49(176)123-45-67"),
            "price" => assert_eq!(held, "1,234,567.5"),
            "short" => assert_eq!(held, "seven"),
            _ => assert_eq!(held, text),
        }
    }
    // A second text in the same mask replaces the first.
    let said = visit.mcp.ok(&["fill", "#phone", "1769999999"]);
    assert!(said.ends_with("(reformatted by the page)."), "{said}");
    assert_eq!(visit.js("phone.value"), "+49(176)999-99-99");
    let changed = visit.js("changes.textContent");
    for id in ["day", "hour", "when", "month", "week", "level", "colour"] {
        assert!(changed.contains(id), "{id}: {changed}");
    }
}

// HAZ-19
#[test]
fn live_what_a_field_cannot_take_is_said_with_what_it_takes() {
    let mut visit = Visit::to("inputs");
    for (id, text, takes) in [
        ("day", "next Monday", "A date field takes 2024-12-31."),
        ("hour", "noon", "A time field takes 18:30."),
        ("colour", "bright", "A colour field takes #rrggbb."),
        ("count", "many", "The field takes a number."),
    ] {
        let target = format!("#{id}");
        let said = visit.mcp.fails(&["fill", &target, text]);
        assert!(said.contains("the command ran but did not take effect."), "{said}");
        assert!(said.contains(takes), "{said}");
        assert!(said.contains(&next(&["get", "value", &target])), "{said}");
    }
    // Upstream alone would empty these.
    for (name, why) in [("Locked", "is read-only."), ("Off", "is disabled.")] {
        let target = visit.at("textbox", name);
        let said = visit.mcp.fails(&["fill", &target, "x"]);
        let told = format!("nothing was filled: {target} textbox \"{name}\" {why}\n");
        assert!(said.contains(&told), "{said}");
    }
    assert_eq!(visit.js("locked.value"), "fixed");
}

// DEC-71
#[test]
fn live_a_date_picker_opens_and_takes_a_day() {
    let mut visit = Visit::to("inputs");
    let said = visit.mcp.ok(&["click", "#trip"]);
    assert!(said.contains("New controls: combobox \"Month\", spinbutton \"Year\""), "{said}");
    assert!(
        visit
            .mcp
            .ok(&["select", ".flatpickr-monthDropdown-months", "March"])
            .contains("Page changed.")
    );
    let said = visit.mcp.ok(&["click", ".flatpickr-day:not(.prevMonthDay)"]);
    assert!(said.contains("Page changed."), "{said}");
    assert!(visit.js("trip.value").ends_with("-03-01"));
}

// HAZ-19
#[test]
fn live_a_fill_replaces_what_an_editor_holds() {
    let mut visit = Visit::to("editors");
    for text in ["let b = 2", "return b"] {
        let said = visit.fill("textbox", "Script", text);
        assert!(said.ends_with("textbox \"Script\"; value verified."), "{said}");
        assert_eq!(visit.js("code.state.doc.toString()"), text);
        let said = visit.fill("textbox", "Letter", text);
        assert!(said.ends_with("textbox \"Letter\"; value verified."), "{said}");
        assert_eq!(visit.js("letter.state.doc.textContent"), text);
    }
    let said = visit.mcp.ok(&["fill", ".cm-content", "by selector"]);
    assert!(said.ends_with("; value verified."), "{said}");
    assert_eq!(visit.js("code.state.doc.toString()"), "by selector");
    // Typed text is added where the caret stands.
    let letter = visit.at("textbox", "Letter");
    assert!(visit.mcp.ok(&["click", &letter]).starts_with("Clicked "));
    assert!(visit.mcp.ok(&["press", "End"]).starts_with("Pressed "));
    assert!(visit.mcp.ok(&["keyboard", "type", " soon"]).contains("Page changed."));
    assert_eq!(visit.js("letter.state.doc.textContent"), "return b soon");
    let said = visit.click("button", "Send");
    assert!(said.ends_with("Page changed; alert \"Sent: return b soon\"."), "{said}");
    // The frame around an editor is not the editor.
    let said = visit.mcp.fails(&["fill", "#code", "lost"]);
    assert!(said.contains("nothing was filled: \"#code\" takes no text."), "{said}");
    assert_eq!(
        visit.js("code.state.doc.toString() + letter.state.doc.textContent"),
        "by selectorreturn b soon"
    );
}
