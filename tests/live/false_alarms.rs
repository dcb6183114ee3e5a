//! Ordinary work on ordinary controls, two hundred acts: nothing is to be warned of.

use std::time::Duration;

use crate::support::DOUBTS;
use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};

/// What applications are made of: smooth scrolling, masks, late lists, dialogs that were opened on
/// purpose, a toast, an event stream, a clock, styled checkboxes, shadow roots and a framed form. What comes
/// late has its place already: a press while the page moves would really miss.
const PAGE: &str = "<!doctype html><title>App</title><style>html{scroll-behavior:smooth}
.b input{position:absolute;opacity:0}.fade{transition:opacity .2s}</style>
<main style='min-height:3000px'>
<label>Name <input id=name></label><label>Phone <input id=phone></label><label>Amount <input id=amount></label>
<label>Day <input type=date></label><label>Level <input type=range></label><label>Many <input type=number></label>
<label>City <input role=combobox id=city aria-expanded=false aria-controls=list></label>
<ul role=listbox id=list hidden><li role=option>Bonn<li role=option>Ulm</ul>
<label>Size <select id=size><option>S<option>M</select></label><label class=b><input type=checkbox>Fancy</label>
<label><input type=checkbox>Plain</label><button role=switch aria-checked=false id=wifi>Wifi</button>
<div role=tablist><button role=tab>First</button><button role=tab>Second</button></div><p id=panel></p>
<button id=open>Settings</button><dialog id=settings><button>Idle</button><button onclick='settings.close()'>Close</button></dialog>
<button id=toast>Notify</button><div role=status id=said style='height:1.5em'></div><button id=load>Load</button><ol id=rows style='height:4em;overflow:auto'></ol>
<button>Nothing</button><details><summary>More</summary>text</details><button popovertarget=menu>Menu</button>
<div popover id=menu>menu</div><div id=host></div><div contenteditable role=textbox aria-label=Note></div>
<div role=dialog aria-label=Cookies style='position:fixed;right:0;bottom:0'>We use cookies <button>Details</button></div>
<div style='height:60px;overflow:auto' id=pane><div style='height:700px'></div><button>Deep</button></div>
<time id=now></time><b id=ticks></b></main><script>
const on = (id, type, run) => document.getElementById(id).addEventListener(type, run);
on('phone', 'input', (e) => e.target.value = e.target.value.replace(/\\D/g, '').replace(/(\\d{3})(?=\\d)/g, '$1-'));
on('amount', 'input', (e) => e.target.value = e.target.value.replace(/\\B(?=(\\d{3})+$)/g, ','));
on('city', 'focus', () => setTimeout(() => { list.hidden = false; city.setAttribute('aria-expanded', true) }, 120));
on('city', 'blur', () => { list.hidden = true; city.setAttribute('aria-expanded', false) });
on('wifi', 'click', () => wifi.setAttribute('aria-checked', wifi.getAttribute('aria-checked') !== 'true'));
for (const tab of document.querySelectorAll('[role=tab]')) tab.onclick = () => panel.textContent = tab.textContent + Date.now();
on('open', 'click', () => settings.showModal());
on('toast', 'click', () => setTimeout(() => said.textContent = 'Sent ' + Date.now(), 100));
on('load', 'click', () => fetch('/rows').then((r) => r.text()).then((t) => rows.innerHTML += '<li>' + t));
host.attachShadow({ mode: 'open' }).innerHTML = '<button>Inside</button>';
host.shadowRoot.firstChild.onclick = (e) => e.target.textContent = 'Inside';
new EventSource('/events').onmessage = (e) => ticks.textContent = e.data; setInterval(() => now.textContent = Date.now(), 400);
</script>";

struct Round<'a> {
    mcp: &'a mut Mcp,
    page: String,
    acts: usize,
    alarms: Vec<String>,
}

impl Round<'_> {
    fn act(&mut self, call: &[&str]) {
        let text = self.mcp.call(call).text();
        self.acts += 1;
        if DOUBTS.iter().any(|word| text.contains(word)) {
            self.alarms.push(format!("{call:?}: {text}"));
        }
    }

    fn click(&mut self, role: &str, name: &str) {
        let target = ref_in(&self.page, role, name)
            .unwrap_or_else(|| panic!("{name}: {}\n{:#?}", self.page, self.alarms));
        self.act(&["click", &target]);
    }

    fn fill(&mut self, role: &str, name: &str, text: &str) {
        let target = ref_in(&self.page, role, name)
            .unwrap_or_else(|| panic!("{name}: {}\n{:#?}", self.page, self.alarms));
        self.act(&["fill", &target, text]);
    }

    fn all(&mut self) {
        for (name, text) in [("Name", "Ann"), ("Phone", "12345678"), ("Amount", "1234567")] {
            self.fill("textbox", name, text);
        }
        self.act(&["fill", "input[type=date]", "2024-05-06"]);
        self.act(&["fill", "input[type=range]", "70"]);
        self.act(&["fill", "input[type=number]", "12"]);
        self.click("combobox", "City");
        self.act(&["select", "#size", "M"]);
        self.click("checkbox", "Plain");
        self.act(&["click", "label.b"]);
        for (role, name) in [("switch", "Wifi"), ("tab", "First"), ("tab", "Second")] {
            self.click(role, name);
        }
        for name in ["Nothing", "Notify", "Load", "Inside", "Menu", "Menu"] {
            self.click("button", name);
        }
        self.act(&["click", "summary"]);
        self.act(&["scroll", "down", "500"]);
        self.act(&["scroll", "up", "500"]);
        // A press while the page still glides would really miss.
        self.mcp.ok(&["wait", "800"]);
        self.click("button", "Settings");
        self.page = self.mcp.ok(&["snapshot", "-i"]);
        self.click("button", "Idle");
        self.click("button", "Close");
        self.act(&["get", "text", "main > p"]);
    }
}

// DEC-71, HAZ-16, HAZ-19, DEC-06
#[test]
fn live_two_hundred_ordinary_acts_raise_no_alarm() {
    let pages = Pages::with(PAGE);
    pages.html("/rows", "row");
    pages.set("/events", Route::Events(Duration::from_millis(100)));
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let (mut acts, mut alarms) = (0, Vec::new());
    for _ in 0..8 {
        mcp.ok(&["open", &pages.url("/")]);
        let page = mcp.ok(&["snapshot", "-i"]);
        let mut round = Round { mcp: &mut mcp, page, acts: 0, alarms: Vec::new() };
        round.all();
        acts += round.acts;
        alarms.extend(round.alarms);
    }
    println!("{acts} acts, {} alarms", alarms.len());
    assert!(acts >= 200, "{acts}");
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
}
