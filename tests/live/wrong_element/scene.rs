//! The pages of one attempt: one with the control, one with another control at the same place.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::hands::Hand;
use crate::support::pages::{Pages, Route};
use crate::support::soon;

/// Commands that act on a control by ref.
pub const COMMANDS: &[&str] = &["click", "dblclick", "hover", "drag", "fill", "check", "select"];

/// A step between the snapshot and the act.
///
/// `{old}`, `{new}`, `{other}` (the new page on another host) and `{hop}` (redirects to the new page)
/// stand for addresses of this attempt. `{sibling}` is another control of the same role and name,
/// `{fresh}` the same as a script literal, `{html}` the whole new page as a script literal.
pub enum Step {
    /// A command through the hand.
    Do(&'static [&'static str]),
    /// The page runs this script by itself, that many milliseconds later.
    Later(u32, &'static str),
    /// Wait until the new page is shown.
    Arrive,
    /// The address of the old page serves the new one from now on.
    Swap,
    /// The new page is never kept by the back-forward cache.
    NoStore,
    Pause(u64),
}

/// Where the control stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// In the page itself.
    None,
    /// In a frame `f` of the same host.
    SameOrigin,
    /// In a frame `f` of another host.
    OtherOrigin,
}

/// A control that a command acts on, and how the page shows it.
pub struct Control {
    pub command: &'static str,
    role: &'static str,
    events: &'static [&'static str],
}

impl Control {
    pub fn of(command: &'static str) -> Self {
        let (role, events): (_, &[&str]) = match command {
            "hover" => ("button", &["mouseover"]),
            "fill" => ("textbox", &["focusin", "beforeinput", "input", "change"]),
            "check" => ("checkbox", &["mousedown", "click", "input", "change"]),
            "select" => ("combobox", &["mousedown", "input", "change"]),
            _ => {
                ("button", &["pointerdown", "mousedown", "click", "dblclick", "dragstart", "drop"])
            }
        };
        Self { command, role, events }
    }

    /// Its elements by role and name.
    pub fn named(&self) -> Vec<(&'static str, &'static str)> {
        let mut named = vec![(self.role, "Pay")];
        if self.command == "drag" {
            named.push(("button", "Basket"));
        }
        named
    }

    pub fn act(&self, refs: &[String]) -> Vec<String> {
        let mut args = vec![self.command.to_owned()];
        args.extend(refs.iter().cloned());
        match self.command {
            "fill" => args.push("42".to_owned()),
            "select" => args.push("Two".to_owned()),
            _ => {}
        }
        args
    }

    fn html(&self, id: &str, name: &str) -> String {
        match self.command {
            "fill" => format!("<input id={id} aria-label='{name}'>"),
            "check" => format!("<input type=checkbox id={id} aria-label='{name}'>"),
            "select" => {
                format!("<select id={id} aria-label='{name}'><option>One<option>Two</select>")
            }
            "drag" => format!("<div id={id} draggable=true role=button tabindex=0>{name}</div>"),
            _ => format!("<button id={id} type=button>{name}</button>"),
        }
    }
}

/// The pages of one attempt; what they report carries its number.
pub struct Scene<'a> {
    pages: &'a Pages,
    run: u64,
    new: String,
    control: &'a Control,
}

const STYLE: &str = "<style>
#t,#wrong{position:absolute;left:40px;top:200px;width:200px;height:40px;margin:0}
#twin{position:absolute;left:400px;top:400px}
#d,#e{position:absolute;left:400px;top:200px;width:200px;height:40px}
</style>";

impl<'a> Scene<'a> {
    pub fn set(
        pages: &'a Pages,
        extra: &str,
        control: &'a Control,
        frame: Frame,
        twin: bool,
    ) -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(1);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let mut scene = Self { pages, run, new: String::new(), control };
        let target = control.html("t", "Pay");
        let basket = if control.command == "drag" {
            "<div id=d role=button tabindex=0 ondragover='event.preventDefault()'>Basket</div>"
        } else {
            ""
        };
        let old = format!("{target}{basket}{}", scene.filled(extra));
        scene.serve_old(&scene.page("old", &old), frame);
        let mut new = control.html("wrong", "Delete everything");
        if control.command == "drag" {
            new.push_str("<div id=e role=button ondragover='event.preventDefault()'>Bin</div>");
        }
        if twin {
            new.push_str(&control.html("twin", "Pay"));
        }
        scene.new = scene.page("new", &new);
        pages.html(&scene.path("new"), &scene.new);
        pages.set(&scene.path("hop"), Route::redirect(&scene.path("hop2")));
        pages.set(&scene.path("hop2"), Route::redirect(&scene.path("new")));
        scene
    }

    fn serve_old(&self, old: &str, frame: Frame) {
        if frame == Frame::None {
            self.pages.html(&self.path("old"), old);
            return;
        }
        let inner = self.path("inner");
        self.pages.html(&inner, old);
        let address = match frame {
            Frame::OtherOrigin => self.pages.other_host(&inner),
            _ => self.pages.url(&inner),
        };
        let frame = format!("<iframe id=f src='{address}' width=900 height=600></iframe>");
        self.pages.html(&self.path("old"), &self.page("top", &frame));
    }

    pub fn address(&self, name: &str) -> String {
        match name {
            "{other}" => self.pages.other_host(&self.path("new")),
            _ => self.pages.url(&self.path(name.trim_matches(['{', '}']))),
        }
    }

    pub fn take(&self, step: &Step, hand: &mut dyn Hand) {
        match step {
            Step::Do(args) => {
                let args: Vec<String> = args.iter().map(|word| self.filled(word)).collect();
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let did = hand.run(&args);
                assert!(!did.failed, "{args:?}: {}", did.text);
            }
            Step::Later(wait, script) => {
                let script = format!("setTimeout(() => {{ {} }}, {wait}); 1", self.filled(script));
                let did = hand.run(&["eval", &script]);
                assert!(!did.failed, "{}", did.text);
            }
            Step::Arrive => {
                let shown = || {
                    self.reports().iter().any(|(page, _, kind)| page == "new" && kind == "pageshow")
                };
                assert!(soon(Duration::from_secs(10), shown), "the new page was not shown");
            }
            Step::Swap => self.pages.html(&self.path("old"), &self.new),
            Step::NoStore => {
                self.pages.set(&self.path("new"), Route::html(&*self.new).no_store());
            }
            Step::Pause(time) => std::thread::sleep(Duration::from_millis(*time)),
        }
    }

    /// Elements that received an event of the command, as `page#id`.
    pub fn hit(&self, control: &Control) -> BTreeSet<String> {
        // The last events of a command may be under way when it answers.
        std::thread::sleep(Duration::from_millis(50));
        let mut hit = BTreeSet::new();
        for (page, id, kind) in self.reports() {
            let counts = ["t", "wrong", "twin", "fresh", "sibling"].contains(&id.as_str());
            if counts && control.events.contains(&kind.as_str()) {
                hit.insert(format!("{page}#{id}"));
            }
        }
        hit
    }

    /// What the pages of this attempt have reported: page, element, event.
    fn reports(&self) -> Vec<(String, String, String)> {
        let run = self.run.to_string();
        let mine =
            self.pages.hits("/seen").into_iter().filter(|hit| hit.field("run") == Some(&run));
        let field =
            |hit: &crate::support::pages::Hit, name: &str| hit.field(name).unwrap().to_owned();
        mine.map(|hit| (field(&hit, "page"), field(&hit, "id"), field(&hit, "type"))).collect()
    }

    fn path(&self, name: &str) -> String {
        format!("/{}/{name}", self.run)
    }

    fn filled(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for name in ["{old}", "{new}", "{other}", "{hop}"] {
            if text.contains(name) {
                text = text.replace(name, &self.address(name));
            }
        }
        let literal = |html: &str| serde_json::to_string(html).unwrap().replace("</", "<\\/");
        text.replace("{html}", &literal(&self.new))
            .replace("{fresh}", &literal(&self.control.html("fresh", "Pay")))
            .replace("{sibling}", &self.control.html("sibling", "Pay"))
    }

    /// A page that reports every event at once: the request ends before the handler does.
    fn page(&self, name: &str, body: &str) -> String {
        format!(
            "<!doctype html><title>{name} {run}</title>{STYLE}<body>{body}<script>
            {{
              const tell = (id, type) => {{
                const request = new XMLHttpRequest();
                request.open('GET', `/seen?run={run}&page={name}&id=${{id}}&type=${{type}}`, false);
                request.send();
              }};
              const heard = ['pointerdown', 'mousedown', 'click', 'dblclick', 'mouseover',
                'focusin', 'beforeinput', 'input', 'change', 'dragstart', 'drop'];
              for (const type of heard) document.addEventListener(type, (event) => {{
                const near = event.composedPath().find((node) => node.id);
                if (near) tell(near.id, type);
              }}, true);
              addEventListener('pageshow', () => tell('page', 'pageshow'));
            }}
            </script></body>",
            run = self.run
        )
    }
}
