//! The bundled pages, and what was done on them. Pure: a request changes the site and yields an
//! answer. Every run has a copy of its own, named by the second part of the path.

use std::collections::BTreeMap;

const STYLE: &str = include_str!("pages/style.css");
const REDIRECT: &str = include_str!("pages/redirect.html");
const FILES: &str = include_str!("pages/files.html");
const HOME: &str = include_str!("pages/home.html");
const SEARCH: &str = include_str!("pages/search.html");
const PRODUCT: &str = include_str!("pages/product.html");
const CART: &str = include_str!("pages/cart.html");
const CHECKOUT: &str = include_str!("pages/checkout.html");
const DONE: &str = include_str!("pages/done.html");

/// Cents that one teapot costs.
const PRICE: u32 = 2_400;
const COUPON: &str = "TEA10";

/// What the server sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Page {
        kind: &'static str,
        text: String,
    },
    GoTo(&'static str),
    Done,
    /// Nothing until the run is let go.
    WhenLetGo {
        run: String,
    },
    Missing,
}

impl Answer {
    pub(super) fn missing() -> Self {
        Self::Missing
    }

    fn html(text: impl Into<String>) -> Self {
        Self::Page { kind: "text/html", text: text.into() }
    }
}

/// What a run has ordered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) quantity: String,
    pub(super) coupon: String,
    pub(super) name: String,
    pub(super) delivery: String,
    pub(super) date: String,
    pub(super) terms: bool,
    pub(super) placed: bool,
}

#[derive(Clone, Debug, Default)]
struct Run {
    let_go: bool,
    arrived: bool,
    deleted: bool,
    order: Order,
}

/// Every run by its name.
#[derive(Clone, Debug, Default)]
pub(super) struct Site {
    runs: BTreeMap<String, Run>,
}

impl Site {
    /// Lets the page of a run move on by itself.
    pub(super) fn let_go(&mut self, run: &str) {
        self.runs.entry(run.to_owned()).or_default().let_go = true;
    }

    pub(super) fn is_let_go(&self, run: &str) -> bool {
        self.runs.get(run).is_some_and(|run| run.let_go)
    }

    /// The page has moved on.
    pub(super) fn has_arrived(&self, run: &str) -> bool {
        self.runs.get(run).is_some_and(|run| run.arrived)
    }

    /// Somebody pressed the button that nobody meant to press.
    pub(super) fn was_deleted(&self, run: &str) -> bool {
        self.runs.get(run).is_some_and(|run| run.deleted)
    }

    pub(super) fn order(&self, run: &str) -> Order {
        self.runs.get(run).map(|run| run.order.clone()).unwrap_or_default()
    }

    pub(super) fn answer(&mut self, method: &str, path: &str, body: &str) -> Answer {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        if path == "/style.css" {
            return Answer::Page { kind: "text/css", text: STYLE.to_owned() };
        }
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        let &[place, run_name, page] = parts.as_slice() else { return Answer::Missing };
        let is_known = ["raw", "ours"].contains(&run_name);
        if !is_known {
            return Answer::Missing;
        }
        let run = self.runs.entry(run_name.to_owned()).or_default();
        match (place, method, page) {
            ("story", "GET", "moves-on") => Answer::WhenLetGo { run: run_name.to_owned() },
            ("story", _, page) => run.story(method, page),
            ("shop", _, page) => run.shop(method, page, query, body),
            _ => Answer::Missing,
        }
    }
}

impl Run {
    fn story(&mut self, method: &str, page: &str) -> Answer {
        match (method, page) {
            ("GET", "") => Answer::html(REDIRECT),
            ("GET", "files") => Answer::html(FILES),
            ("POST", "arrived") => {
                self.arrived = true;
                Answer::Done
            }
            ("POST", "deleted") => {
                self.deleted = true;
                Answer::Done
            }
            _ => Answer::Missing,
        }
    }

    fn shop(&mut self, method: &str, page: &str, query: &str, body: &str) -> Answer {
        match (method, page) {
            ("GET", "") => Answer::html(HOME),
            ("GET", "search") => {
                let wanted = form(query).remove("q").unwrap_or_default();
                Answer::html(filled(SEARCH, &[("query", &wanted)]))
            }
            ("GET", "product") => Answer::html(PRODUCT),
            ("POST", "cart") => {
                let mut fields = form(body);
                self.order.quantity = fields.remove("quantity").unwrap_or_default();
                self.order.coupon = fields.remove("coupon").unwrap_or_default();
                Answer::GoTo("cart")
            }
            ("GET", "cart") => Answer::html(self.order.shown_on(CART)),
            ("GET", "checkout") => Answer::html(self.order.shown_on(CHECKOUT)),
            ("POST", "order") => {
                let mut fields = form(body);
                self.order.name = fields.remove("name").unwrap_or_default();
                self.order.delivery = fields.remove("delivery").unwrap_or_default();
                self.order.date = fields.remove("date").unwrap_or_default();
                self.order.terms = fields.contains_key("terms");
                self.order.placed = true;
                Answer::GoTo("done")
            }
            ("GET", "done") if self.order.placed => Answer::html(self.order.shown_on(DONE)),
            _ => Answer::Missing,
        }
    }
}

impl Order {
    fn total(&self) -> String {
        let pieces: u32 = self.quantity.parse().unwrap_or(0);
        let full = pieces.min(9) * PRICE;
        let cents = if self.coupon == COUPON { full * 9 / 10 } else { full };
        format!("{}.{:02}", cents / 100, cents % 100)
    }

    fn shown_on(&self, page: &str) -> String {
        let or_none =
            |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
        let missing_date = self.date.is_empty();
        let date = if missing_date { "not given" } else { &self.date };
        filled(
            page,
            &[
                ("quantity", &self.quantity),
                ("coupon", &or_none(&self.coupon)),
                ("total", &self.total()),
                ("name", &self.name),
                ("number", "KL-2041"),
                ("delivery", &self.delivery),
                ("date_class", if missing_date { "gone" } else { "ok" }),
                ("date", date),
                ("terms", if self.terms { "yes" } else { "no" }),
            ],
        )
    }
}

fn form(text: &str) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

/// Puts escaped values in the place of `{{name}}`.
fn filled(page: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(page.to_owned(), |page, (name, value)| {
        page.replace(&format!("{{{{{name}}}}}"), &super::html::escaped(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(site: &mut Site, path: &str) -> String {
        match site.answer("GET", path, "") {
            Answer::Page { text, .. } => text,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn an_order_is_remembered_as_it_was_placed() {
        let mut site = Site::default();
        assert_eq!(page(&mut site, "/shop/ours/done"), "Missing");
        assert_eq!(
            site.answer("POST", "/shop/ours/cart", "quantity=3&coupon=TEA10"),
            Answer::GoTo("cart")
        );
        assert!(page(&mut site, "/shop/ours/cart").contains("64.80 EUR"));
        let body = "name=Ada+%3CByron%3E&delivery=Express&date=&terms=yes";
        assert_eq!(site.answer("POST", "/shop/ours/order", body), Answer::GoTo("done"));
        let done = page(&mut site, "/shop/ours/done");
        assert!(done.contains("Ada &lt;Byron&gt;") && done.contains("not given"), "{done}");
        assert!(!site.order("raw").placed, "runs do not share their orders");
    }

    #[test]
    fn no_placeholder_is_left_on_a_page() {
        let mut site = Site::default();
        site.answer("POST", "/shop/raw/order", "name=A");
        for path in ["", "search?q=tea", "product", "cart", "checkout", "done"] {
            let text = page(&mut site, &format!("/shop/raw/{path}"));
            assert!(text.contains("<h1>") && !text.contains("{{"), "{path}: {text}");
        }
    }

    #[test]
    fn only_the_button_deletes() {
        let mut site = Site::default();
        for path in ["", "files"] {
            page(&mut site, &format!("/story/raw/{path}"));
        }
        site.answer("POST", "/story/raw/arrived", "");
        assert!(site.has_arrived("raw") && !site.was_deleted("raw"));
        site.answer("POST", "/story/raw/deleted", "");
        assert!(site.was_deleted("raw") && !site.was_deleted("ours"));
        assert_eq!(site.answer("GET", "/story/other/", ""), Answer::Missing);
    }
}
