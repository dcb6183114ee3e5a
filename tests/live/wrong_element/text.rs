//! Texts for elements that take none: upstream types them into whatever field has the focus.

use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;

const PAGE: &str = "<title>Fields</title><h1 id=h>Lat</h1><input id=x aria-label=Street value=kept>
<label id=l for=y>City</label><input id=y><button id=b>Go</button><a id=a href=#top>Up</a>
<select id=s aria-label=Size><option>S<option>M</select><label><input type=checkbox id=c>Plain</label>
<input type=file id=f aria-label=Photo><h2 contenteditable id=e></h2><div id=w><input id=i></div>
<div id=t tabindex=0><input id=j></div><my-field id=m></my-field><script>
customElements.define('my-field', class extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = '<input>'; }
});
window.heard = [];
document.addEventListener('input', (event) => heard.push(event.target.id), true);
</script>";

const HEARD: &str = "[heard.join(), x.value, s.value].join(';')";

struct Fields {
    _bed: Bed,
    _pages: Pages,
    mcp: Mcp,
    page: String,
}

/// The page, with the focus in its first field.
fn fields() -> Fields {
    let pages = Pages::with(PAGE);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    mcp.ok(&["focus", "#x"]);
    Fields { _bed: bed, _pages: pages, mcp, page }
}

impl Fields {
    fn ref_of(&self, role: &str, name: &str) -> String {
        ref_in(&self.page, role, name).unwrap_or_else(|| panic!("{name}: {}", self.page))
    }
}

// HAZ-19, DEC-92
#[test]
fn live_a_text_for_an_element_that_takes_none_goes_nowhere() {
    let mut stage = fields();
    for (role, name, way) in [
        ("heading", "Lat", "takes no text.\n"),
        ("button", "Go", "takes no text.\n"),
        ("link", "Up", "takes no text.\n"),
        ("combobox", "Size", "takes no text. It is a list: use select.\n"),
        ("checkbox", "Plain", "takes no text. Use check or uncheck.\n"),
    ] {
        let target = stage.ref_of(role, name);
        for command in ["fill", "type"] {
            let refused = stage.mcp.fails(&[command, &target, "Ulm"]);
            let done = if command == "fill" { "filled" } else { "typed" };
            let start = format!(
                "Failed (validation-error, isError: true): nothing was {done}: {target} {role} \"{name}\" {way}"
            );
            assert!(refused.starts_with(&start), "{refused}");
            assert!(refused.ends_with("Next: {\"args\":[\"snapshot\",\"-i\"]}"), "{refused}");
        }
    }
    for selector in ["#h", "#b", "#s", "#c", "#f", "#w", "xpath=//h1"] {
        let refused = stage.mcp.fails(&["fill", selector, "Ulm"]);
        assert!(refused.contains("nothing was filled:"), "{refused}");
    }
    let by_role = ["find", "role", "heading", "fill", "Ulm", "--name", "Lat"];
    assert!(stage.mcp.fails(&by_role).contains("nothing was filled:"));
    let heading = stage.ref_of("heading", "Lat");
    for target in [heading.as_str(), "#h"] {
        let steps = json!([{ "action": "fill", "selector": target, "text": "Ulm" }]);
        let answer = stage.mcp.call_with(&json!({ "job": { "steps": steps } }));
        assert!(answer.is_error(), "{}", answer.text());
        assert!(answer.text().contains("takes no text."), "{}", answer.text());
    }
    assert_eq!(stage.mcp.ok(&["eval", HEARD]), ";kept;S");
}

// HAZ-19
#[test]
fn live_a_text_that_went_into_another_field_is_said_to_be_there() {
    let mut stage = fields();
    for (call, told) in [
        // The focus stays where it is.
        (&["find", "text", "Lat", "fill", "Ulm"][..], "the text went into textbox \"Street\""),
        // It has the focus now, and the caret is still in the field.
        (&["fill", "#t", "Ulm"], "no field took the text: \"#t\" takes none."),
        (&["type", "#t", "Ulm"], "no field took the text: \"#t\" takes none."),
    ] {
        stage.mcp.ok(&["eval", "j.value = ''; x.focus(); 1"]);
        let said = stage.mcp.fails(call);
        let start = format!("Failed (upstream-error, isError: true): {told}");
        assert!(said.starts_with(&start) && !said.contains("Ulm"), "{said}");
        assert!(said.ends_with("Next: {\"args\":[\"snapshot\",\"-i\"]}"), "{said}");
    }
    // As it was told.
    assert_eq!(stage.mcp.ok(&["get", "value", "#x"]).matches("Ulm").count(), 1);
}

// HAZ-19
#[test]
fn live_labels_editors_and_wrappers_of_a_field_take_text() {
    let mut stage = fields();
    for (target, read) in
        [("#l", "y.value"), ("#e", "e.innerText"), ("#m", "m.shadowRoot.firstChild.value")]
    {
        let filled = stage.mcp.ok(&["fill", target, "Ulm"]);
        assert!(filled.ends_with("; value verified."), "{filled}");
        assert_eq!(stage.mcp.ok(&["eval", read]), "Ulm", "{target}");
    }
    // Where the focus is inside of it already.
    stage.mcp.ok(&["focus", "#i"]);
    let filled = stage.mcp.ok(&["fill", "#w", "Ulm"]);
    assert!(filled.ends_with("; value verified."), "{filled}");
    let typed = stage.mcp.ok(&["type", "#w", "er"]);
    assert!(typed.contains("Typed into \"#w\""), "{typed}");
    assert_eq!(stage.mcp.ok(&["get", "value", "#i"]), "Ulmer");
    assert_eq!(stage.mcp.ok(&["get", "value", "#x"]), "kept");
}
