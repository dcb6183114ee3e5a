//! Results as lines and details; everything a page wrote is quoted or indented.

use serde_json::{Value, json};

use super::provider::{Found, Hit, Provider};
use super::query::Query;
use crate::line::{Line, cut};
use crate::outcome::Outcome;

/// Excerpts of one result, in characters; ten of them stay below the bound of an answer.
const EXCERPT_CHARS: usize = 320;

/// The outcome of a search that was answered.
pub(super) fn outcome(query: &Query, provider: &dyn Provider, found: &Found, now: u64) -> Outcome {
    let title = provider.id().title();
    let count = found.hits.len();
    let noun = if count == 1 { "result" } else { "results" };
    let mut lines =
        vec![Line::ours(format!("{count} {noun} from {title} for ")).quote(&query.words)];
    if let Some(returned) = found.returned_query.as_ref().filter(|other| **other != query.words) {
        lines.push(Line::ours("Searched for ").quote(returned).and(" instead."));
    }
    let ignored = provider.ignores(query);
    if !ignored.is_empty() {
        lines.push(Line::ours(format!("{title} has no {}; it was not used.", ignored.join(", "))));
    }
    for (index, hit) in found.hits.iter().enumerate() {
        lines.extend(hit_lines(index + 1, hit));
    }
    let results: Vec<Value> = found.hits.iter().map(details_of).collect();
    let mut outcome = Outcome::success(lines)
        .with_detail("provider", provider.id().name())
        .with_detail("query", query.words.as_str())
        .with_detail("returnedQuery", found.returned_query.clone())
        .with_detail("count", count)
        .with_detail("offset", query.offset)
        .with_detail("fetchedAt", now)
        .with_detail("results", results);
    for (name, value) in [("searchType", &found.search_type), ("requestId", &found.request_id)] {
        if let Some(value) = value {
            outcome = outcome.with_detail(name, value.as_str());
        }
    }
    if !ignored.is_empty() {
        outcome = outcome.with_detail("ignored", json!(ignored));
    }
    outcome
}

fn hit_lines(number: usize, hit: &Hit) -> Vec<Line> {
    let mut head = Line::ours(format!("{number}. ")).quote(&hit.title).and(" ").url(&hit.url);
    if let Some(published) = &hit.published {
        head = head.and(" ").quote(published);
    }
    let excerpt = excerpt(hit);
    if excerpt.is_empty() { vec![head] } else { vec![head, Line::Foreign(excerpt)] }
}

/// The excerpts in one line, within their bound.
fn excerpt(hit: &Hit) -> String {
    let words = hit.excerpts.iter().flat_map(|excerpt| excerpt.split_whitespace());
    let joined = words.collect::<Vec<_>>().join(" ");
    cut(&joined, EXCERPT_CHARS)
}

fn details_of(hit: &Hit) -> Value {
    json!({
        "title": cut(&hit.title, 200),
        "url": cut(&hit.url, 500),
        "excerpt": excerpt(hit),
        "published": hit.published,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redactor;

    // RED-12, DEC-68
    #[test]
    fn a_cut_excerpt_shows_no_beginning_of_a_secret() {
        let token = format!("gh{}_{}", "p", "a1B2c3D4".repeat(5));
        for at in 260..330 {
            let text = format!("{} {token} end", "x".repeat(at));
            let hit = Hit { title: text.clone(), excerpts: vec![text], ..Hit::default() };
            let shown = Redactor::new([]).json(&details_of(&hit)).to_string();
            assert!(!shown.contains("a1B2"), "{at} {shown}");
        }
    }
}
