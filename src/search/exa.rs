//! Exa: one POST to `/search`, with highlights (WEB-11).

use serde_json::{Value, json};

use super::provider::{Found, Hit, Provider, Request, text, texts};
use super::query::Query;
use crate::config::keys::ProviderId;

/// The adapter.
pub(super) struct Exa;

/// Highlights of one result, in characters.
const HIGHLIGHT_CHARS: u64 = 400;
const DAY: u64 = 24 * 60 * 60;

impl Provider for Exa {
    fn id(&self) -> ProviderId {
        ProviderId::Exa
    }

    fn base(&self) -> &'static str {
        "https://api.exa.ai"
    }

    fn base_variable(&self) -> &'static str {
        "AGENT_BROWSER_NATIVE_EXA_URL"
    }

    fn ignores(&self, query: &Query) -> Vec<&'static str> {
        query.search_lang.iter().map(|_| "searchLang").collect()
    }

    fn request(&self, base: &str, query: &Query, key: &str, now: u64) -> Request {
        // Exa has no pages: everything up to the wanted one is asked for.
        let mut body = json!({
            "query": query.words,
            "numResults": query.count * (query.offset + 1),
            "contents": { "highlights": { "maxCharacters": HIGHLIGHT_CHARS } },
        });
        if let Some(way) = query.search_type {
            body["type"] = json!(way);
        }
        if let Some(freshness) = query.freshness {
            body["startPublishedDate"] = json!(date(now.saturating_sub(days(freshness) * DAY)));
        }
        if let Some(country) = &query.country {
            body["userLocation"] = json!(country.to_ascii_uppercase());
        }
        if let Some(filter) = query.safesearch {
            body["moderation"] = json!(filter != "off");
        }
        let headers = vec![("x-api-key", key.to_owned())];
        Request { url: format!("{base}/search"), headers, body: Some(body) }
    }

    fn read(&self, answer: &Value, query: &Query) -> Result<Found, &'static str> {
        let results = answer.get("results").and_then(Value::as_array).ok_or("it has no results")?;
        let skipped = usize::try_from(query.count * query.offset).unwrap_or(usize::MAX);
        let wanted = usize::try_from(query.count).unwrap_or(usize::MAX);
        let hits = results.iter().skip(skipped).take(wanted).filter_map(hit).collect();
        Ok(Found {
            hits,
            returned_query: text(answer, "autopromptString"),
            search_type: text(answer, "resolvedSearchType").or_else(|| text(answer, "searchType")),
            request_id: text(answer, "requestId"),
        })
    }
}

fn hit(result: &Value) -> Option<Hit> {
    let url = text(result, "url")?;
    let mut excerpts = texts(result, "highlights");
    if excerpts.is_empty() {
        excerpts.extend(text(result, "summary").or_else(|| text(result, "text")));
    }
    let published = text(result, "publishedDate").map(|date| date.chars().take(10).collect());
    Some(Hit { title: text(result, "title").unwrap_or_default(), url, excerpts, published })
}

fn days(freshness: &str) -> u64 {
    match freshness {
        "pd" => 1,
        "pw" => 7,
        "pm" => 31,
        _ => 365,
    }
}

/// Seconds since 1970 as `2026-11-15T00:00:00.000Z`, for the beginning of that day.
fn date(seconds: u64) -> String {
    // Years from March on, in cycles of 400 of them: no table of months and no leap rule needed.
    let days = seconds / DAY + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = cycle * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}T00:00:00.000Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::decode;

    // WEB-11, DEC-85
    #[test]
    fn a_request_asks_for_highlights_and_carries_the_key_in_its_header() {
        let query = decode(&json!({
            "query": "rust async", "count": 3, "offset": 2, "freshness": "pw", "country": "de",
            "safesearch": "strict", "searchType": "deep",
        }));
        let request = Exa.request("https://api.exa.ai", &query.unwrap(), "k3y", 1_794_787_200);
        assert_eq!(request.url, "https://api.exa.ai/search");
        assert_eq!(request.headers, [("x-api-key", "k3y".to_owned())]);
        let body = request.body.unwrap();
        assert_eq!(
            body,
            json!({
                "query": "rust async", "numResults": 9,
                "contents": { "highlights": { "maxCharacters": 400 } },
                "type": "deep", "startPublishedDate": "2026-11-09T00:00:00.000Z",
                "userLocation": "DE", "moderation": true,
            })
        );
    }

    // WEB-10
    #[test]
    fn an_answer_is_read_page_by_page_and_without_trust() {
        let result =
            |n: u32| json!({"title": format!("T{n}"), "url": format!("https://x.test/{n}")});
        let answer = json!({
            "requestId": "r1", "resolvedSearchType": "neural",
            "results": [result(1), result(2), {"title": "no address"}, result(4)],
        });
        let query = decode(&json!({"query": "x", "count": 2, "offset": 1})).unwrap();
        let found = Exa.read(&answer, &query).unwrap();
        assert_eq!(
            found.hits.iter().map(|hit| hit.url.as_str()).collect::<Vec<_>>(),
            ["https://x.test/4"]
        );
        assert_eq!(found.request_id.as_deref(), Some("r1"));
        assert_eq!(found.search_type.as_deref(), Some("neural"));
        assert!(Exa.read(&json!({"results": 7}), &query).is_err());
        assert!(Exa.read(&json!([]), &query).is_err());
    }

    #[test]
    fn dates_are_right_around_leap_days_and_year_ends() {
        for (seconds, wanted) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_709_164_800, "2024-02-29"),
            (1_767_139_200, "2025-12-31"),
            (1_767_225_600, "2026-01-01"),
        ] {
            assert_eq!(date(seconds), format!("{wanted}T00:00:00.000Z"));
        }
    }
}
