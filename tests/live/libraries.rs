//! What component libraries do otherwise than plain pages: names within names, messages that fade in,
//! controls that are drawn over the real ones.

use serde_json::json;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::Pages;

const NAMES: &str = "<title>Names</title><p id=r></p><div id=q></div><button onclick=\"q.innerHTML=
`<button onclick=&quot;r.textContent='cancelled'&quot;><div aria-label='Cancel Kernel Restart'>Cancel</div></button>
<button onclick=&quot;r.textContent='restarted'&quot;><div aria-label='Confirm Kernel Restart'>Restart</div></button>
<button><span aria-hidden=true>x</span> <img alt=Close></button>
<button><div>Two</div><div>lines</div></button>`\">Ask</button>";

// HAZ-27, DEC-71: a name that is told is one that `find role` takes.
#[test]
fn live_new_controls_bear_the_names_that_the_browser_gives_them() {
    let pages = Pages::with(NAMES);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let asked = mcp.ok(&["find", "role", "button", "click", "--name", "Ask"]);
    let names = ["Cancel Kernel Restart", "Confirm Kernel Restart", "Close", "Two lines"];
    let named = names.map(|name| format!("button \"{name}\"")).join(", ");
    assert!(asked.contains(&format!("New controls: {named}")), "{asked}");
    let click = ["find", "role", "button", "click", "--exact", "--name", "Confirm Kernel Restart"];
    let done = mcp.ok(&click);
    assert!(done.contains("button \"Confirm Kernel Restart\". Page changed."), "{done}");
    assert_eq!(mcp.ok(&["get", "text", "#r"]), "restarted");
    // Words that are in two names mean the first. No ref that upstream has forgotten is kept for it.
    let met = "Clicked button \"Cancel Kernel Restart\" (asked for \"Restart\", first of 2).";
    let call = json!({ "semanticAction": { "action": "click", "locator": "role", "role": "button", "name": "Restart" } });
    for _ in 0..2 {
        let said = mcp.call_with(&call).ok();
        assert!(said.starts_with(met), "{said}");
    }
    let close = mcp.ok(&["find", "role", "button", "click", "--exact", "--name", "Two lines"]);
    assert!(close.starts_with("Clicked"), "{close}");
}

const MESSAGES: &str = "<title>Messages</title><style>@keyframes in { from { opacity: 0 } }
.enter { animation: in .4s }</style><div id=w><label>Name <input></label></div>
<button onclick=\"w.className='item-has-error';
w.insertAdjacentHTML('beforeend', '<div class=field-error>Name is required</div>')\">Save</button>
<button onclick=\"w.className=''\">Mend</button>
<button onclick=\"b.innerHTML='<div role=alert class=enter>Card declined</div>'\">Pay</button><div id=b></div>";

// DEC-71
#[test]
fn live_a_message_in_a_marked_group_or_one_that_fades_in_is_told_at_once() {
    let pages = Pages::with(MESSAGES);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let mut click = |name: &str| mcp.ok(&["click", &ref_in(&page, "button", name).unwrap()]);
    let saved = click("Save");
    assert!(saved.ends_with("Page changed; alert \"Name is required\"."), "{saved}");
    let mended = click("Mend");
    assert!(!mended.contains("alert"), "{mended}");
    let paid = click("Pay");
    assert!(paid.ends_with("Page changed; alert \"Card declined\"."), "{paid}");
}

const CONTROLS: &str = "<title>Controls</title>
<label style='position:relative'><input type=radio name=z
style='opacity:0;position:absolute;top:0;left:0;width:0;height:0;pointer-events:none'><div>Size L</div></label>
<label>Fruit <select><option value=11>Stock | apple | Can be sold</option><option>Fig</option></select></label>
<ul role=menubar><li role=menuitem tabindex=0 id=edit><div>Edit</div></li>
<li role=menuitem tabindex=0 aria-disabled=true onmousedown=\"this.className='x'\">Archive</li></ul><script>
edit.addEventListener('pointerdown', (event) => {
  document.body.insertAdjacentHTML('beforeend', '<ul role=menu tabindex=0 id=m><li role=menuitem>Undo</li></ul>');
  m.focus();
  event.preventDefault();
}, true)</script>";

// HAZ-27: a menu that opens with the press and takes the focus is not what was pressed.
// RES-13, DEC-71
#[test]
fn live_controls_that_are_drawn_over_or_switched_off_are_told_as_they_are() {
    let pages = Pages::with(CONTROLS);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let page = mcp.ok(&["open", &pages.url("/")]);
    let radio = ref_in(&page, "radio", "Size L").unwrap();
    let refused = mcp.fails(&["click", &radio]);
    let next = json!({ "args": ["check", radio] });
    assert!(refused.contains(&format!("Next: {next}")), "{refused}");
    assert!(mcp.ok(&["check", &radio]).starts_with("Checked"));
    let missed = mcp.fails(&["select", &ref_in(&page, "combobox", "Fruit").unwrap(), "Pear"]);
    let options = "has no option \"Pear\".\nOptions: \"Stock | apple | Can be sold\", \"Fig\"";
    assert!(missed.contains(options), "{missed}");
    let archive = mcp.ok(&["click", &ref_in(&page, "menuitem", "Archive").unwrap()]);
    assert!(archive.ends_with("Page changed. The control is marked as disabled."), "{archive}");
    let edit = mcp.ok(&["find", "role", "menuitem", "click", "--name", "Edit"]);
    assert!(edit.contains("menuitem \"Edit\"") && !edit.contains("asked for"), "{edit}");
}

const TWINS: &str = "<title>Twins</title><div role=listbox style='width:0;height:0;overflow:hidden'>
<div role=option>Rust</div></div><div class=drop><div onclick=\"r.textContent='chosen'\">Rust</div></div>
<p id=r></p><div style='height:2000px'></div><button onclick=\"r.textContent='far'\">Far</button>";

// HAZ-27: a list is repeated without any room for readers that only listen.
#[test]
fn live_a_click_by_text_goes_to_the_one_that_can_be_seen() {
    let pages = Pages::with(TWINS);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    mcp.ok(&["open", &pages.url("/")]);
    let chosen = mcp.ok(&["find", "text", "Rust", "click"]);
    assert!(chosen.starts_with("Clicked the element by text \"Rust\". Page changed."), "{chosen}");
    assert_eq!(mcp.ok(&["get", "text", "#r"]), "chosen");
    // One that has to be scrolled to can be seen.
    mcp.ok(&["find", "text", "Far", "click"]);
    assert_eq!(mcp.ok(&["get", "text", "#r"]), "far");
}
