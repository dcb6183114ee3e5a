//! Brave Search: one GET (WEB-11).

use serde_json::Value;

use super::provider::{Found, Hit, Provider, Request, text, texts};
use super::query::Query;
use crate::config::keys::ProviderId;

/// The adapter.
pub(super) struct Brave;

impl Provider for Brave {
    fn id(&self) -> ProviderId {
        ProviderId::Brave
    }

    fn base(&self) -> &'static str {
        "https://api.search.brave.com"
    }

    fn base_variable(&self) -> &'static str {
        "AGENT_BROWSER_NATIVE_BRAVE_URL"
    }

    fn ignores(&self, query: &Query) -> Vec<&'static str> {
        query.search_type.iter().map(|_| "searchType").collect()
    }

    fn request(&self, base: &str, query: &Query, key: &str, _now: u64) -> Request {
        let mut fields = url::form_urlencoded::Serializer::new(String::new());
        fields.append_pair("q", &query.words);
        fields.append_pair("count", &query.count.to_string());
        fields.append_pair("offset", &query.offset.to_string());
        let given = [
            ("freshness", query.freshness),
            ("country", query.country.as_deref()),
            ("search_lang", query.search_lang.as_deref()),
            ("safesearch", query.safesearch),
        ];
        for (name, value) in given {
            if let Some(value) = value {
                fields.append_pair(name, value);
            }
        }
        Request {
            url: format!("{base}/res/v1/web/search?{}", fields.finish()),
            headers: vec![("X-Subscription-Token", key.to_owned())],
            body: None,
        }
    }

    fn read(&self, answer: &Value, query: &Query) -> Result<Found, &'static str> {
        if !answer.is_object() {
            return Err("it is not an object");
        }
        // No `web` section: nothing was found.
        let results = answer.get("web").and_then(|web| web.get("results"));
        let results = match results {
            None => &[][..],
            Some(Value::Array(results)) => results.as_slice(),
            Some(_) => return Err("its results are not a list"),
        };
        let wanted = usize::try_from(query.count).unwrap_or(usize::MAX);
        let asked = answer.get("query").unwrap_or(&Value::Null);
        Ok(Found {
            hits: results.iter().filter_map(hit).take(wanted).collect(),
            returned_query: text(asked, "altered").or_else(|| text(asked, "original")),
            search_type: None,
            request_id: None,
        })
    }
}

fn hit(result: &Value) -> Option<Hit> {
    let url = text(result, "url")?;
    let mut excerpts: Vec<String> = text(result, "description").into_iter().collect();
    excerpts.extend(texts(result, "extra_snippets"));
    let excerpts = excerpts.iter().map(|excerpt| without_marks(excerpt)).collect();
    let published = text(result, "page_age").map(|date| date.chars().take(10).collect());
    let published = published.or_else(|| text(result, "age"));
    Some(Hit {
        title: without_marks(&text(result, "title").unwrap_or_default()),
        url,
        excerpts,
        published,
    })
}

/// Brave marks the words of the query with `<strong>`.
fn without_marks(text: &str) -> String {
    text.replace("<strong>", "").replace("</strong>", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::decode;
    use serde_json::json;

    // WEB-11, DEC-85
    #[test]
    fn a_request_carries_every_field_and_the_key_in_its_header() {
        let query = decode(&json!({
            "query": "a&b ü", "count": 2, "offset": 1, "freshness": "pm", "country": "DE",
            "searchLang": "de", "safesearch": "off",
        }));
        let request = Brave.request("http://x", &query.unwrap(), "k3y", 0);
        assert_eq!(
            request.url,
            "http://x/res/v1/web/search?q=a%26b+%C3%BC&count=2&offset=1&freshness=pm&country=de\
             &search_lang=de&safesearch=off"
        );
        assert_eq!(request.headers, [("X-Subscription-Token", "k3y".to_owned())]);
        assert!(request.body.is_none());
    }

    // WEB-10
    #[test]
    fn an_answer_without_results_is_empty_and_a_wrong_one_is_an_error() {
        let query = decode(&json!({"query": "x", "count": 1})).unwrap();
        assert_eq!(Brave.read(&json!({"query": {"original": "x"}}), &query).unwrap().hits, []);
        assert!(Brave.read(&json!({"web": {"results": 3}}), &query).is_err());
        let answer = json!({
            "query": {"original": "teh", "altered": "the"},
            "web": {"results": [
                {"title": "A <strong>the</strong>", "url": "https://x.test/", "description": "<strong>The</strong> one",
                 "page_age": "2026-01-02T03:04:05"},
                {"title": "B", "url": "https://y.test/"},
            ]},
        });
        let found = Brave.read(&answer, &query).unwrap();
        assert_eq!(found.returned_query.as_deref(), Some("the"));
        let wanted = Hit {
            title: "A the".into(),
            url: "https://x.test/".into(),
            excerpts: vec!["The one".into()],
            published: Some("2026-01-02".into()),
        };
        assert_eq!(found.hits, [wanted]);
    }
}
