//! The truth table of effects: acts whose effect is known, and what was said of them (DEC-71).

use std::time::Duration;

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};

/// What an act really does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Change,
    Leave,
    Tab,
    Download,
    Dialog,
    /// Upstream closes it by itself.
    Alert,
    Focus,
    Nothing,
    /// The command is refused: it cannot have an effect.
    Refused,
}

impl Does {
    /// The words that tell it.
    fn is_said(self, text: &str) -> bool {
        let has = |words: &str| text.contains(words);
        match self {
            Self::Change => has("Page changed") && !has("download"),
            Self::Leave => has("Now on "),
            Self::Tab => has("ew tab "),
            Self::Download => has("download"),
            Self::Dialog => has("dialog is open"),
            Self::Alert => has("An alert was shown and closed"),
            Self::Focus => has(" has the focus."),
            Self::Nothing => has("No change seen within 300 ms"),
            Self::Refused => text.starts_with("Failed ("),
        }
    }
}

const BUTTON: &str = "button";

/// A script behind a button, and its effect.
const SCRIPTS: &[(&str, Does)] = &[
    // At once.
    ("out.textContent = 'x'", Does::Change),
    ("out.className = 'x'", Does::Change),
    ("out.style.color = 'red'", Does::Change),
    ("out.append(document.createElement('b'))", Does::Change),
    ("out.remove()", Does::Change),
    ("out.hidden = true", Does::Change),
    ("field.value = 'x'", Does::Change),
    ("box.checked = true", Does::Change),
    ("document.title = 'x'", Does::Change),
    ("location.hash = 'x'", Does::Change),
    ("history.pushState({}, '', '/x')", Does::Change),
    ("history.replaceState({}, '', '/y')", Does::Change),
    ("host.shadowRoot.firstChild.textContent = 'x'", Does::Change),
    ("pop.showPopover()", Does::Change),
    ("modal.showModal()", Does::Change),
    ("more.open = true", Does::Change),
    ("frame.contentDocument.body.textContent = 'x'", Does::Change),
    ("field.focus()", Does::Focus),
    // Later.
    ("setTimeout(() => out.textContent = 'x', 50)", Does::Change),
    ("setTimeout(() => out.textContent = 'x', 150)", Does::Change),
    ("setTimeout(() => out.textContent = 'x', 280)", Does::Change),
    ("setTimeout(() => out.append('x'), 150)", Does::Change),
    ("setTimeout(() => history.pushState({}, '', '/x'), 150)", Does::Change),
    ("requestAnimationFrame(() => out.className = 'x')", Does::Change),
    ("Promise.resolve().then(() => out.textContent = 'x')", Does::Change),
    ("setTimeout(() => modal.showModal(), 150)", Does::Change),
    // Behind a request.
    ("fetch('/data').then((r) => r.text()).then((t) => out.textContent = t)", Does::Change),
    ("fetch('/slow-data').then((r) => r.text()).then((t) => out.textContent = t)", Does::Change),
    ("fetch('/missing').then((r) => out.textContent = r.status)", Does::Change),
    (
        "{const x = new XMLHttpRequest(); x.open('GET', '/data'); x.onload = () => out.textContent = x.response; x.send()}",
        Does::Change,
    ),
    // In a frame.
    ("frame.contentDocument.body.append('x')", Does::Change),
    ("frame.contentWindow.location = '/next'", Does::Change),
    ("frame.contentWindow.location = '/slow'", Does::Change),
    ("frame.contentWindow.location.reload()", Does::Change),
    ("frame.src = '/next'", Does::Change),
    // A router takes the navigation over.
    (
        "navigation.addEventListener('navigate', (e) => e.intercept({ handler: async () => out.append('x') }), { once: true }); location.href = '/next'",
        Does::Change,
    ),
    (
        "navigation.addEventListener('navigate', (e) => e.intercept({ handler: async () => out.append('x') }), { once: true }); setTimeout(() => location.href = '/next', 100)",
        Does::Change,
    ),
    // The page is left.
    ("location.href = '/next'", Does::Leave),
    ("location.assign('/slow')", Does::Leave),
    ("location.replace('/next')", Does::Leave),
    ("location.reload()", Does::Leave),
    ("out.textContent = 'x'; location.href = '/slow'", Does::Leave),
    ("setTimeout(() => location.href = '/next', 100)", Does::Leave),
    ("sending.submit()", Does::Leave),
    ("sending.requestSubmit()", Does::Leave),
    ("fetch('/data').then(() => location.href = '/next')", Does::Leave),
    // Another tab.
    ("window.open('/next')", Does::Tab),
    ("out.textContent = 'x'; window.open('/next')", Does::Tab),
    // A dialog of the browser.
    ("confirm('Sure?')", Does::Dialog),
    ("prompt('Name?')", Does::Dialog),
    ("alert('Hello')", Does::Alert),
    ("if (confirm('Sure?')) out.textContent = 'x'", Does::Dialog),
    // Nothing that a reader of the page could see.
    ("", Does::Nothing),
    ("console.log('x')", Does::Nothing),
    ("fetch('/data')", Does::Nothing),
    ("window.x = 1", Does::Nothing),
    ("localStorage.x = Date.now()", Does::Nothing),
    ("document.createElement('p').textContent = 'x'", Does::Nothing),
    ("setTimeout(() => out.textContent = 'x', 900)", Does::Nothing),
    ("event.preventDefault()", Does::Nothing),
];

/// Controls that do something by themselves: role, markup, effect.
const CONTROLS: &[(&str, &str, Does)] = &[
    ("checkbox", "<label><input type=checkbox>Act</label>", Does::Change),
    ("radio", "<label><input type=radio name=r>Act</label>", Does::Change),
    ("link", "<a href=/next>Act</a>", Does::Leave),
    ("link", "<a href=/slow>Act</a>", Does::Leave),
    ("link", "<a href='#out'>Act</a>", Does::Change),
    ("link", "<a href=/next target=_blank>Act</a>", Does::Tab),
    ("link", "<a href=/file download>Act</a>", Does::Download),
    ("link", "<a href=/file download onclick=\"out.className='x'\">Act</a>", Does::Download),
    ("link", "<a href=/file>Act</a>", Does::Download),
    ("link", "<a href=/slow-file>Act</a>", Does::Download),
    (BUTTON, "<form action=/file><button>Act</button></form>", Does::Download),
    (BUTTON, "<form action=/file method=post><button>Act</button></form>", Does::Download),
    ("link", "<a href=/next target=inside>Act</a>", Does::Change),
    ("link", "<a href=/slow target=inside>Act</a>", Does::Change),
    ("link", "<a href=OTHER target=inside>Act</a>", Does::Change),
    (BUTTON, "<form action=/next target=inside><button>Act</button></form>", Does::Change),
    ("link", "<a href='javascript:void 0'>Act</a>", Does::Nothing),
    ("link", "<a href=/next onclick='event.preventDefault()'>Act</a>", Does::Nothing),
    (BUTTON, "<form action=/next><button>Act</button></form>", Does::Leave),
    (BUTTON, "<form action=/next method=post><button>Act</button></form>", Does::Leave),
    (BUTTON, "<form onsubmit='return false'><button>Act</button></form>", Does::Nothing),
    (BUTTON, "<button disabled>Act</button>", Does::Refused),
    (BUTTON, "<button popovertarget=pop>Act</button>", Does::Change),
    ("textbox", "<input aria-label=Act>", Does::Focus),
];

/// The same in a frame.
const FRAMED: &[(&str, &str, Does)] = &[
    ("link", "<a href=/next>Act</a>", Does::Change),
    ("link", "<a href=/slow>Act</a>", Does::Change),
    ("link", "<a href=OTHER>Act</a>", Does::Change),
    ("link", "<a href=/next target=_top>Act</a>", Does::Leave),
    ("link", "<a href=/next onclick='event.preventDefault()'>Act</a>", Does::Nothing),
    (BUTTON, "<form action=/next><button>Act</button></form>", Does::Change),
    (BUTTON, "<form action=/slow method=post><button>Act</button></form>", Does::Change),
    (BUTTON, "<button onclick='this.append(1)'>Act</button>", Does::Change),
    (BUTTON, "<button>Act</button>", Does::Nothing),
];

/// Other commands: markup, words, effect.
const WORDS: &[(&str, &[&str], Does)] = &[
    (
        "<input autofocus onkeydown=\"if (event.key === 'Enter') out.append('x')\">",
        &["press", "Enter"],
        Does::Change,
    ),
    ("<form action=/next><input autofocus></form>", &["press", "Enter"], Does::Leave),
    ("<input autofocus>", &["press", "a"], Does::Change),
    ("<input autofocus>", &["press", "F8"], Does::Nothing),
    (
        "<button id=act ondblclick=\"out.append('x')\">Act</button>",
        &["dblclick", "#act"],
        Does::Change,
    ),
    ("<a id=act href=/next>Act</a>", &["dblclick", "#act"], Does::Leave),
    ("<button id=act>Act</button>", &["dblclick", "#act"], Does::Nothing),
    (
        "<button onclick=\"out.append('x')\">Act</button>",
        &["find", "role", "button", "click", "--name", "Act"],
        Does::Change,
    ),
    ("<a href=/slow>Act</a>", &["find", "text", "Act", "click"], Does::Leave),
    ("<a href=/file>Act</a>", &["find", "text", "Act", "click"], Does::Download),
    ("<label><input type=checkbox>Act</label>", &["find", "label", "Act", "check"], Does::Change),
    ("<button>Act</button>", &["find", "text", "Act", "click"], Does::Nothing),
];

const REST: &str = "<p id=out>out</p><input id=field><input id=box type=checkbox>
<div id=host></div><div id=pop popover>pop</div><dialog id=modal>modal</dialog>
<details id=more><summary>More</summary>x</details><iframe id=frame name=inside src=/inner></iframe>
<form id=sending action=/next></form>
<script>host.attachShadow({mode:'open'}).append(document.createElement('b'))</script>";

/// An act on a page of its own: its markup, that of its frame, and what is called.
struct Act {
    markup: String,
    inner: String,
    call: Call,
    does: Does,
}

enum Call {
    /// A click on the element of this role.
    Click(&'static str),
    Words(&'static [&'static str]),
}

fn acts() -> Vec<Act> {
    let inner = || "<title>Inner</title>inner".to_owned();
    let scripted = SCRIPTS.iter().map(|(script, does)| {
        let markup = format!("<button onclick=\"{script}\">Act</button>");
        Act { markup, inner: inner(), call: Call::Click(BUTTON), does: *does }
    });
    let controls = CONTROLS.iter().map(|(role, markup, does)| {
        let markup = (*markup).to_owned();
        Act { markup, inner: inner(), call: Call::Click(role), does: *does }
    });
    let framed = FRAMED.iter().map(|(role, markup, does)| {
        let inner = (*markup).to_owned();
        Act { markup: String::new(), inner, call: Call::Click(role), does: *does }
    });
    let worded = WORDS.iter().map(|(markup, words, does)| {
        let markup = (*markup).to_owned();
        Act { markup, inner: inner(), call: Call::Words(words), does: *does }
    });
    scripted.chain(controls).chain(framed).chain(worded).collect()
}

/// Does it; what was said.
fn said(mcp: &mut Mcp, pages: &Pages, act: &Act) -> String {
    let Act { markup, inner, call, .. } = act;
    let other = pages.other_host("/next");
    pages.html("/inner", &inner.replace("OTHER", &other));
    let page = format!("<title>Start</title>{markup}{REST}").replace("OTHER", &other);
    pages.html("/", &page);
    let page = mcp.ok(&["open", &pages.url("/")]);
    let text = match call {
        Call::Words(words) => mcp.call(words).text(),
        Call::Click(role) => {
            let target = ref_in(&page, role, "Act");
            let target = target.unwrap_or_else(|| panic!("{markup}{inner}: {page}"));
            mcp.call(&["click", &target]).text()
        }
    };
    if text.contains("dialog is open") {
        mcp.ok(&["dialog", "dismiss"]);
    }
    if text.contains("ew tab ") {
        mcp.ok(&["tab", "close"]);
    }
    text
}

// DEC-71
#[test]
fn live_acts_with_a_known_effect_are_told_as_they_are() {
    let pages = Pages::start();
    pages.html("/next", "<title>Next</title>next");
    pages.set("/slow", Route::slow(Duration::from_millis(500), "<title>Slow</title>"));
    pages.html("/data", "data");
    pages.set("/slow-data", Route::slow(Duration::from_millis(150), "data"));
    let file = Route::download("a.bin", b"bytes");
    pages.set("/slow-file", Route::Slow(Duration::from_millis(500), Box::new(file.clone())));
    pages.set("/file", file);
    let bed = Bed::new();
    let mut mcp = Mcp::start(bed.program().arg("mcp"));
    let acts = acts();
    assert!(acts.len() >= 90, "{}", acts.len());
    let mut wrong = Vec::new();
    for act in &acts {
        let text = said(&mut mcp, &pages, act);
        let first = text.lines().next().unwrap_or_default();
        let alarm = text
            .lines()
            .skip(1)
            .any(|line| line.contains("diagnostic") || line.contains("overlay"));
        if !act.does.is_said(first) || alarm {
            wrong.push(format!("{:?} {}{}\n    {text}", act.does, act.markup, act.inner));
        }
    }
    println!("{} of {} acts told right", acts.len() - wrong.len(), acts.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
