//! What belongs to the page that is shown: upstream keeps requests and errors of all pages of a
//! browser in one list each.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::words::text;
use crate::address::without_fragment;
use crate::probe::report::PageReport;

/// Under this name the page says whose code runs in it.
pub const SCRIPTS: &str = "scripts";
/// Clocks of the browser and of upstream may differ by so much.
const CLOCK_MS: f64 = 100.0;

static ADDRESS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:https?|file)://[^\s()]+").ok());

/// The document that is shown, as far as the page was asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnPage {
    /// Its address.
    url: String,
    /// When it began, in milliseconds since 1970.
    began: Option<f64>,
    /// Addresses of the code that runs in it.
    scripts: Option<Vec<String>>,
    /// Addresses that ended in it without an answer (HAZ-12); nothing when it was not asked.
    pub finished: Option<Vec<String>>,
}

impl OwnPage {
    /// Reads what the page has answered.
    #[must_use]
    pub fn of(page: &PageReport) -> Self {
        let scripts = page.answers.get(SCRIPTS).and_then(Value::as_array);
        let scripts =
            scripts.map(|all| all.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        // The identity of a document is the time at which it began.
        let began = page.doc.parse().ok();
        Self { url: page.url.clone(), began, scripts, finished: page.resources.clone() }
    }

    /// How many of the requests, which stand in their order, were sent before the document was.
    #[must_use]
    pub fn earlier_requests(&self, requests: &[Value]) -> usize {
        let Some(began) = self.began else { return 0 };
        let in_time = |row: &Value| {
            let at = row.get("timestamp").and_then(Value::as_f64);
            at.is_none_or(|at| at >= began - CLOCK_MS)
        };
        let is_own = |row: &Value| {
            text(row, "resourceType") == "Document"
                && without_fragment(text(row, "url")) == without_fragment(&self.url)
        };
        let first = requests.iter().position(in_time).unwrap_or(requests.len());
        // The document's own request is exact where a clock is not.
        let own = requests.iter().rposition(|row| in_time(row) && is_own(row));
        own.unwrap_or(first)
    }

    /// False for an error that names addresses, and none whose code runs in the document.
    #[must_use]
    pub fn threw(&self, error: &Value) -> bool {
        let Some(scripts) = &self.scripts else { return true };
        let told = text(error, "text");
        let Some(addresses) = ADDRESS.as_ref() else { return true };
        let mut named = addresses.find_iter(told).map(|found| bare(found.as_str())).peekable();
        named.peek().is_none() || named.any(|address| scripts.iter().any(|own| own == address))
    }
}

/// An address of a stack without its query, line and column.
fn bare(address: &str) -> &str {
    let address = address.split(['?', '#']).next().unwrap_or(address);
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut bare = address;
    for _ in 0..2 {
        match bare.rsplit_once(':') {
            Some((front, last)) if number(last) && front.contains("://") => bare = front,
            _ => break,
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    // QA-09, HAZ-12
    #[test]
    fn what_earlier_pages_have_asked_for_or_thrown_is_told_apart() {
        let mut report = PageReport {
            doc: "1700000000000.5".into(),
            url: "http://127.0.0.1:8714/#top".into(),
            ..PageReport::default()
        };
        assert!(OwnPage::of(&report).threw(&json!({ "text": "Error\n at http://b/x.js:1:2" })));
        report.answers.insert(
            SCRIPTS.into(),
            json!(["http://127.0.0.1:8714/", "http://127.0.0.1:8714/src/discount.js"]),
        );
        let page = OwnPage::of(&report);
        let row = |timestamp: f64, kind: &str, url: &str| json!({ "timestamp": timestamp, "resourceType": kind, "url": url });
        let old = row(1_699_999_990_000.0, "Fetch", "http://127.0.0.1:8711/a");
        let late = row(1_699_999_999_950.0, "Fetch", "http://127.0.0.1:8711/b");
        let own = row(1_700_000_000_001.0, "Document", "http://127.0.0.1:8714/");
        let new = row(1_700_000_000_100.0, "Fetch", "http://127.0.0.1:8714/api");
        let earlier = |rows: &[&Value]| {
            page.earlier_requests(&rows.iter().map(|row| (*row).clone()).collect::<Vec<_>>())
        };
        assert_eq!(earlier(&[&old, &new]), 1);
        assert_eq!(earlier(&[&old, &late, &own, &new]), 2, "the document's request is exact");
        assert_eq!(earlier(&[&own, &old, &own, &new]), 2, "the page was loaded again");
        assert_eq!(earlier(&[&json!({})]), 0, "upstream does not say when");
        let threw = |text: &str| page.threw(&json!({ "text": text }));
        assert!(threw(
            "TypeError: x\n    at applyDiscount (http://127.0.0.1:8714/src/discount.js?t=17:7:38)"
        ));
        assert!(threw(
            "Error: boom\n    at HTMLButtonElement.onclick (http://127.0.0.1:8714/:1:146)"
        ));
        assert!(!threw("Error: boom\n    at onclick (http://127.0.0.1:8714/noop.html:1:146)"));
        assert!(!threw("Error: boom\n    at http://127.0.0.1:8711/lib/exe/js.php:1:146"));
        assert!(threw("Error: boom"), "it names nobody");
    }
}
