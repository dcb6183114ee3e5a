//! A reader who sees nothing but the visible text gets its work done.

use crate::support::bed::Bed;
use crate::support::mcp::{Mcp, ref_in};
use crate::support::pages::{Pages, Route};

/// Reads answers, finds refs in their lines, and looks again where a line is missing.
struct Reader {
    mcp: Mcp,
    read: String,
}

impl Reader {
    fn new(bed: &Bed) -> Self {
        Self { mcp: Mcp::start(bed.program().arg("mcp")), read: String::new() }
    }

    fn say(&mut self, args: &[&str]) -> String {
        self.read = self.mcp.ok(args);
        self.read.clone()
    }

    fn see(&mut self, role: &str, name: &str) -> String {
        if let Some(found) = ref_in(&self.read, role, name) {
            return found;
        }
        self.say(&["snapshot", "-i"]);
        ref_in(&self.read, role, name)
            .unwrap_or_else(|| panic!("no {role} {name:?} in\n{}", self.read))
    }

    fn act(&mut self, command: &str, role: &str, name: &str, rest: &[&str]) -> String {
        let target = self.see(role, name);
        let mut args = vec![command, target.as_str()];
        args.extend(rest);
        // The refs of the text that was read stay good for the next field of the same form.
        let before = self.read.clone();
        let answer = self.say(&args);
        if ["fill", "select", "check"].contains(&command) {
            self.read = before;
        }
        answer
    }
}

const SIGN_IN: &str = "<title>Sign in</title><h1>Sign in</h1>
<form method=post action=/session>
<label>Email <input name=email type=email></label>
<label>Password <input name=password type=password></label>
<button>Sign in</button></form>";

const SEARCH: &str = "<title>Search</title><form action=/results>
<input type=search name=q aria-label='Search products'><button>Search</button></form>";

const ORDER: &str = "<title>Order</title><h1>Order</h1><form method=post action=/order>
<label>Name <input name=name></label>
<label>Size <select name=size><option value=s>Small<option value=l>Large</select></label>
<label><input type=checkbox name=gift value=yes> Gift wrap</label>
<label>Note <textarea name=note></textarea></label>
<button type=button onclick=\"s.textContent='Coupon applied'\">Apply coupon</button>
<p role=status id=s></p><button>Place order</button></form>";

// RES-01, DEC-70, DEC-71, HAZ-19, HAZ-24
#[test]
fn live_log_in_by_reading_the_text_alone() {
    let pages = Pages::with(SIGN_IN);
    pages.set("/session", Route::Redirect { status: 303, to: "/home".into() });
    pages.html("/home", "<title>Dashboard</title><h1>Welcome, Ann</h1><a href=/out>Log out</a>");
    let bed = Bed::new();
    let mut reader = Reader::new(&bed);
    let opened = reader.say(&["open", &pages.url("/")]);
    assert!(opened.starts_with("Opened \"Sign in\" http://127.0.0.1:"), "{opened}");
    let filled = reader.act("fill", "textbox", "Email", &["ann@shop.test"]);
    assert!(filled.ends_with("textbox \"Email\"; value verified."), "{filled}");
    let filled = reader.act("fill", "textbox", "Password", &["correct horse"]);
    assert!(filled.ends_with("textbox \"Password\"; value verified."), "{filled}");
    let clicked = reader.act("click", "button", "Sign in", &[]);
    assert!(clicked.contains("Now on \"Dashboard\""), "{clicked}");
    reader.see("heading", "Welcome, Ann");
    let posts = pages.hits("/session");
    assert_eq!(posts.len(), 1);
    assert_eq!(posts[0].field("email"), Some("ann@shop.test"));
    assert_eq!(posts[0].field("password"), Some("correct horse"));
}

// RES-01, DEC-70, DEC-71
#[test]
fn live_search_by_reading_the_text_alone() {
    let pages = Pages::with(SEARCH);
    pages.html("/results", "<title>Results</title><a href=/red>Red kettle</a>");
    pages.html("/red", "<title>Red kettle</title><h1>Red kettle</h1><p id=p>40 euros</p>");
    let bed = Bed::new();
    let mut reader = Reader::new(&bed);
    reader.say(&["open", &pages.url("/")]);
    reader.act("fill", "searchbox", "Search products", &["kettle --headed"]);
    let found = reader.say(&["press", "Enter"]);
    assert!(found.contains("\"Results\""), "{found}");
    reader.act("click", "link", "Red kettle", &[]);
    assert_eq!(reader.say(&["get", "text", "#p"]).trim(), "40 euros");
    assert_eq!(pages.hits("/results")[0].field("q"), Some("kettle --headed"));
    assert_eq!(pages.hits("/red").len(), 1);
}

// RES-01, DEC-71, HAZ-26
#[test]
fn live_fill_a_form_by_reading_the_text_alone() {
    let pages = Pages::with(ORDER);
    pages.html("/order", "<title>Thank you</title><h1>Order placed</h1>");
    let bed = Bed::new();
    let mut reader = Reader::new(&bed);
    reader.say(&["open", &pages.url("/")]);
    reader.act("fill", "textbox", "Name", &["Ann"]);
    reader.act("select", "combobox", "Size", &["Large"]);
    reader.act("check", "checkbox", "Gift wrap", &[]);
    reader.act("fill", "textbox", "Note", &["-v first\nsecond line"]);
    let applied = reader.act("click", "button", "Apply coupon", &[]);
    assert!(applied.contains("\"Coupon applied\""), "{applied}");
    let placed = reader.act("click", "button", "Place order", &[]);
    assert!(placed.contains("Now on \"Thank you\""), "{placed}");
    let order = &pages.hits("/order")[0];
    let sent = ["name", "size", "gift", "note"].map(|name| order.field(name).unwrap());
    assert_eq!(sent, ["Ann", "l", "yes", "-v first\r\nsecond line"]);
}
