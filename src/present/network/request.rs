//! One row of `network requests`, judged (PRES-NET-01, QA-12 to QA-15, HAZ-12).

use serde_json::Value;
use url::Url;

use crate::present::words::{list, plain_word, text};

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was answered with a status below 400.
    Answered,
    /// It has no status and nobody knows why: pending, aborted and refused look the same.
    NoStatus,
    /// It is still open.
    Pending,
    /// It failed, and that matters.
    Actionable,
    /// It failed, and nobody minds: an icon of the browser.
    Benign,
}

impl Fate {
    /// The tag behind a failed row (PRES-NET-02).
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::Answered => "",
            Self::NoStatus => " [no status yet]",
            Self::Pending => " [pending]",
            Self::Actionable => {
                " [actionable: document, script, API, or non-benign request failure]"
            }
            Self::Benign => " [benign: low-impact browser icon asset]",
        }
    }

    /// Either kind of failure.
    #[must_use]
    pub fn is_failed(self) -> bool {
        matches!(self, Self::Actionable | Self::Benign)
    }
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Upstream's id; empty when it holds more than digits, dots and letters.
    pub id: String,
    /// Method, as one plain word.
    pub method: String,
    /// `fetch`, `script` …
    pub kind: String,
    /// HTTP status.
    pub status: Option<u64>,
    /// Address.
    pub url: String,
    /// What became of it.
    pub fate: Fate,
}

/// Reads the rows of an answer; see [`Request::read`].
#[must_use]
pub fn read(data: &Value, finished: Option<&[String]>) -> Vec<Request> {
    list(data, "requests").iter().map(|row| Request::read(row, finished)).collect()
}

impl Request {
    /// Reads a row. `finished` are the addresses of which the page knows that they ended without an
    /// answer; nothing when the page was not asked.
    #[must_use]
    pub fn read(row: &Value, finished: Option<&[String]>) -> Self {
        let id = text(row, "requestId");
        let status = row.get("status").and_then(Value::as_u64);
        Self {
            id: plain_word(id).to_owned(),
            method: plain_word(text(row, "method")).to_ascii_uppercase(),
            kind: plain_word(text(row, "resourceType")).to_ascii_lowercase(),
            status,
            url: text(row, "url").to_owned(),
            fate: fate(row, status, finished),
        }
    }

    /// A picture that came with a screenshot or stands in the page itself (PRES-NET-04).
    #[must_use]
    pub fn is_inline_image(&self) -> bool {
        self.url.starts_with("data:image")
    }

    /// A file that came without trouble: nobody looks for it in a list.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        let kinds = ["stylesheet", "script", "font", "image", "media", "manifest"];
        self.fate == Fate::Answered && kinds.contains(&self.kind.as_str())
    }

    /// A request that a program of the page made.
    #[must_use]
    pub fn is_api(&self) -> bool {
        matches!(self.kind.as_str(), "fetch" | "xhr" | "eventsource" | "websocket")
    }
}

fn fate(row: &Value, status: Option<u64>, finished: Option<&[String]>) -> Fate {
    let url = text(row, "url");
    let failed = match (status, finished) {
        (Some(400..), _) => true,
        (Some(_), _) => false,
        (None, _) if url.starts_with("data:") => false,
        (None, None) => return Fate::NoStatus,
        (None, Some(urls)) if urls.iter().any(|one| one == url) => true,
        (None, Some(_)) => return Fate::Pending,
    };
    match failed {
        false => Fate::Answered,
        true if is_icon(url) && matches!(status, None | Some(404)) && is_image(row) => Fate::Benign,
        true => Fate::Actionable,
    }
}

/// `favicon*.ico|png|svg`, `apple-touch-icon*.png` (QA-13).
fn is_icon(url: &str) -> bool {
    let Ok(parsed) = Url::parse(url) else { return false };
    let Some(name) = parsed.path_segments().and_then(|mut parts| parts.next_back()) else {
        return false;
    };
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let suffix = |base: &str| {
        stem.strip_prefix(base).is_some_and(|rest| {
            rest.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
        })
    };
    (suffix("favicon") && matches!(ending, "ico" | "png" | "svg"))
        || (suffix("apple-touch-icon") && ending == "png")
}

/// Nothing in the row says that something else than a picture was asked for (QA-15). The type of the
/// answer says nothing: a missing icon is usually answered with a page that says so.
fn is_image(row: &Value) -> bool {
    let word = text(row, "resourceType").to_ascii_lowercase();
    matches!(word.as_str(), "" | "image" | "img" | "other") || word.starts_with("image/")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fate_of(row: Value) -> Fate {
        Request::read(&row, None).fate
    }

    // PRES-NET-01, QA-12
    #[test]
    fn a_status_from_400_on_is_a_failure() {
        let row = |status: u16| json!({ "url": "https://shop.test/api", "status": status });
        assert_eq!(fate_of(row(399)), Fate::Answered);
        assert_eq!(fate_of(row(400)), Fate::Actionable);
        assert_eq!(fate_of(row(500)), Fate::Actionable);
    }

    // QA-13, QA-14, QA-15
    #[test]
    fn only_a_missing_icon_is_benign() {
        let icon = |name: &str, status: u16, kind: &str, mime: &str| {
            fate_of(json!({ "url": format!("https://shop.test/{name}?v=1"), "status": status,
                "resourceType": kind, "mimeType": mime }))
        };
        assert_eq!(icon("favicon.ico", 404, "Image", ""), Fate::Benign);
        assert_eq!(icon("a/favicon-32x32.png", 404, "Other", "image/png"), Fate::Benign);
        assert_eq!(icon("apple-touch-icon-precomposed.png", 404, "", ""), Fate::Benign);
        assert_eq!(icon("favicon.ico", 500, "Image", ""), Fate::Actionable);
        assert_eq!(icon("favicon.ico", 404, "Fetch", ""), Fate::Actionable);
        assert_eq!(icon("favicon.ico", 404, "Image", "text/html"), Fate::Benign);
        assert_eq!(icon("apple-touch-icon.svg", 404, "Image", ""), Fate::Actionable);
        assert_eq!(icon("logo.png", 404, "Image", ""), Fate::Actionable);
        assert_eq!(icon("favicon.ico/x", 404, "Image", ""), Fate::Actionable);
    }

    // HAZ-12
    #[test]
    fn a_request_without_status_failed_only_when_the_page_says_so() {
        let row = json!({ "url": "https://shop.test/slow", "resourceType": "Fetch" });
        assert_eq!(Request::read(&row, None).fate, Fate::NoStatus);
        assert_eq!(Request::read(&row, Some(&[])).fate, Fate::Pending);
        let ended = ["https://shop.test/slow".to_owned()];
        assert_eq!(Request::read(&row, Some(&ended)).fate, Fate::Actionable);
        let data = json!({ "url": "data:image/png;base64,AA" });
        assert_eq!(Request::read(&data, None).fate, Fate::Answered);
    }
}
