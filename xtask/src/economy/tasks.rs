//! The tasks, as somebody would word them, with the steps that finish them.

/// Where a task takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// The pages of this repository.
    Pages,
    /// Rows of a database, read only.
    Datasette,
    /// Forms over the same rows.
    FlaskAdmin,
    /// A package registry with a page drawn by scripts.
    Verdaccio,
}

pub(super) struct Task {
    pub(super) name: &'static str,
    pub(super) site: Site,
    pub(super) wish: &'static str,
    pub(super) steps: &'static [Step],
}

/// What a task wants next; how to get there is the solver's business.
pub(super) enum Step {
    Open(&'static str),
    Click(Control),
    /// A click that leads to another page, as its reader expects.
    Follow(Control),
    Fill(Control, &'static str),
    Check(Control),
    Press(&'static str),
    /// The same, where a reader expects another page.
    PressToLeave(&'static str),
    /// Answers the open dialog.
    Accept,
    /// A text that must have appeared, known beforehand.
    Expect(&'static str),
    /// A fact of the page that the task asks for, unknown beforehand.
    Read(&'static str),
}

/// A control by what a snapshot calls it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Control {
    pub(super) role: &'static str,
    pub(super) name: &'static str,
}

const fn link(name: &'static str) -> Control {
    Control { role: "link", name }
}

const fn button(name: &'static str) -> Control {
    Control { role: "button", name }
}

const fn field(name: &'static str) -> Control {
    Control { role: "textbox", name }
}

const fn tab(name: &'static str) -> Control {
    Control { role: "tab", name }
}

use Step::{Accept, Check, Click, Expect, Fill, Follow, Open, Press, PressToLeave, Read};

pub(super) const TASKS: &[Task] = &[
    Task {
        name: "sign in",
        site: Site::Pages,
        wish: "Sign in as ann@shop.test and stay signed in.",
        steps: &[
            Open("/form.html"),
            Fill(field("Email"), "ann@shop.test"),
            Fill(field("Password"), "correct horse"),
            Check(Control { role: "checkbox", name: "Remember me" }),
            Click(button("Sign in")),
            Expect("Signed in as ann@shop.test"),
        ],
    },
    Task {
        name: "follow a link",
        site: Site::Pages,
        wish: "Find the sign-in form in the list of links and sign in.",
        steps: &[
            Open("/links.html"),
            Follow(link("Sign-in form")),
            Fill(field("Email"), "ann@shop.test"),
            Press("Enter"),
            Expect("Signed in as ann@shop.test"),
        ],
    },
    Task {
        name: "answer a dialog",
        site: Site::Pages,
        wish: "Delete everything and say what the page reports.",
        steps: &[Open("/dialog.html"), Click(button("Confirm")), Accept, Read("true")],
    },
    Task {
        name: "modal dialog",
        site: Site::Pages,
        wish: "Open the cookie wall, accept it, then open it again.",
        steps: &[
            Open("/dialog.html"),
            Click(button("Open wall")),
            Click(button("Accept all")),
            Click(button("Open wall")),
            Expect("Cookie wall"),
        ],
    },
    Task {
        name: "three clicks",
        site: Site::Pages,
        wish: "Act three times and read the counter.",
        steps: &[
            Open("/bench.html"),
            Click(button("Act")),
            Click(button("Act")),
            Click(button("Act")),
            Read("3"),
        ],
    },
    Task {
        name: "long page",
        site: Site::Pages,
        wish: "Fill field 150 and press action 200 of 300.",
        steps: &[
            Open("/big.html?n=300"),
            Fill(field("Field 150"), "here"),
            Click(button("Action 200")),
        ],
    },
    Task {
        name: "count by facet",
        site: Site::Datasette,
        wish: "How many orders have been sent?",
        steps: &[
            Open("/"),
            Follow(link("orders")),
            Follow(link("state")),
            Follow(link("sent")),
            Read("40 rows"),
        ],
    },
    Task {
        name: "orders of a customer",
        site: Site::Datasette,
        wish: "How many orders has Emmy Noether?",
        steps: &[
            Open("/"),
            Follow(link("customer")),
            Follow(link("4")),
            Read("20 rows from customer_id in orders"),
        ],
    },
    Task {
        name: "sort and page",
        site: Site::Datasette,
        wish: "Which order has the smallest total, and which the greatest?",
        steps: &[
            Open("/shop/orders"),
            Follow(link("total")),
            Read("Order 1090"),
            Follow(link("total ▼")),
            Read("Order 1077"),
        ],
    },
    Task {
        name: "add a customer",
        site: Site::FlaskAdmin,
        wish: "Add the customer Kurt Goedel of Vienna.",
        steps: &[
            Open("/admin/"),
            Follow(link("Customers")),
            Follow(link("Create")),
            Fill(field("Name *"), "Kurt Goedel"),
            Fill(field("City"), "Vienna"),
            Follow(button("Save")),
            Expect("Record was successfully created."),
        ],
    },
    Task {
        name: "search orders",
        site: Site::FlaskAdmin,
        wish: "What is the total of order 1077?",
        steps: &[
            Open("/admin/"),
            Follow(link("Orders")),
            Fill(field("title, state"), "Order 1077"),
            PressToLeave("Enter"),
            Read("99"),
        ],
    },
    Task {
        name: "add and change an order",
        site: Site::FlaskAdmin,
        wish: "Add an order of 55, then mark it as paid.",
        steps: &[
            Open("/admin/orders/"),
            Follow(link("Create")),
            Fill(field("Title *"), "Order 2000"),
            Fill(field("State"), "new"),
            Fill(Control { role: "spinbutton", name: "Total" }, "55"),
            Follow(button("Save and Continue Editing")),
            Fill(field("State"), "paid"),
            Follow(button("Save")),
            Expect("Record was successfully saved."),
        ],
    },
    Task {
        name: "package versions",
        site: Site::Verdaccio,
        wish: "Which versions has colour-names, and what does it need?",
        steps: &[
            Open("/"),
            Follow(link("colour-names")),
            Click(tab("DEPENDENCIES")),
            Read("left-trim"),
            Click(tab("VERSIONS")),
            Read("1.1.0"),
        ],
    },
    Task {
        name: "wrong password",
        site: Site::Verdaccio,
        wish: "Try to log in as ann and say what the page answers.",
        steps: &[
            Open("/"),
            Click(button("LOGIN")),
            Fill(field("Username"), "ann"),
            Fill(field("Password"), "wrong horse"),
            Press("Enter"),
            Read("Invalid username or password"),
        ],
    },
];
