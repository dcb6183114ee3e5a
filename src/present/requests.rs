//! Rows of `network requests`: which failed, and does it matter (HAZ-12, IN-QA-19)?

use serde_json::Value;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was answered, with a status below 400.
    Fine,
    /// It failed, and that matters.
    Actionable,
    /// It failed, and nobody minds: an icon of the page.
    Benign,
    /// It has no answer, and it is not known whether it will get one.
    Pending,
}

impl Fate {
    /// The tag behind a failed row (PRES-NET-02).
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::Actionable => {
                " [actionable: document, script, API, or non-benign request failure]"
            }
            Self::Benign => " [benign: low-impact browser icon asset]",
            Self::Fine | Self::Pending => "",
        }
    }
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Upstream's id.
    pub id: String,
    /// `GET`, …
    pub method: String,
    /// `Fetch`, `Document`, …
    pub kind: String,
    /// Address.
    pub url: String,
    /// HTTP status, where there was an answer.
    pub status: Option<u64>,
    /// What became of it.
    pub fate: Fate,
}

/// Reads the rows. `finished` are the addresses for which the page has a finished timing entry
/// without a status: those failed or were aborted; `None` when the page was not asked.
#[must_use]
pub fn read(data: &Value, finished: Option<&[String]>) -> Vec<Request> {
    let rows = data.get("requests").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    rows.iter().map(|row| request(row, finished)).collect()
}

fn request(row: &Value, finished: Option<&[String]>) -> Request {
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (url, kind) = (text("url"), text("resourceType"));
    let status = row.get("status").and_then(Value::as_u64).filter(|status| *status > 0);
    let failed = match status {
        Some(status) => status >= 400,
        None => finished.is_some_and(|urls| urls.contains(&url)),
    };
    let fate = match (failed, status) {
        (true, _) if is_icon_miss(&url, &kind, status) => Fate::Benign,
        (true, _) => Fate::Actionable,
        (false, Some(_)) => Fate::Fine,
        (false, None) if url.starts_with("data:") => Fate::Fine,
        (false, None) => Fate::Pending,
    };
    Request { id: text("requestId"), method: text("method"), kind, url, status, fate }
}

/// A missing icon: 404 or no answer, of an image-like or unknown kind.
fn is_icon_miss(url: &str, kind: &str, status: Option<u64>) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let favicon = file.starts_with("favicon")
        && [".ico", ".png", ".svg"].iter().any(|ending| file.ends_with(ending));
    let touch = file.starts_with("apple-touch-icon") && file.ends_with(".png");
    let image =
        kind.is_empty() || kind.eq_ignore_ascii_case("image") || kind.eq_ignore_ascii_case("other");
    (favicon || touch) && image && matches!(status, None | Some(404))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fate(row: Value, finished: &[&str]) -> Fate {
        let finished: Vec<String> = finished.iter().map(ToString::to_string).collect();
        read(&json!({ "requests": [row] }), Some(&finished)).remove(0).fate
    }

    // IN-QA-19, QA-12, PRES-NET-02
    #[test]
    fn a_missing_icon_is_benign_and_a_broken_one_is_not() {
        let icon = |status| json!({"url": "http://a/favicon.ico", "resourceType": "Other", "status": status});
        assert_eq!(fate(icon(404), &[]), Fate::Benign);
        assert_eq!(fate(icon(500), &[]), Fate::Actionable);
        let api = json!({"url": "http://a/api", "resourceType": "Fetch", "status": 404});
        assert_eq!(fate(api, &[]), Fate::Actionable);
    }

    // HAZ-12
    #[test]
    fn a_row_without_status_is_told_by_the_pages_own_timing() {
        let row = json!({"url": "http://a/x", "resourceType": "Fetch"});
        assert_eq!(fate(row.clone(), &["http://a/x"]), Fate::Actionable);
        assert_eq!(fate(row, &[]), Fate::Pending);
        assert_eq!(fate(json!({"url": "data:image/png;base64,x"}), &[]), Fate::Fine);
    }
}
