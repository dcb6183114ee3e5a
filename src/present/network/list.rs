//! `network requests`: failures first, each with its id and what it means.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use super::next;
use super::request::{self, Fate, Request};
use crate::line::Line;
use crate::outcome::Outcome;
use crate::present::Shown;
use crate::present::words::counted;

/// Rows in the answer (DEC-04).
const ROWS: usize = 40;
/// Of them, rows of files that came without trouble and that no program of the page asked for.
const QUIET_ROWS: usize = 8;

pub(super) fn present(data: &Value, shown: &Shown<'_>) -> Outcome {
    let finished = shown.after.page().and_then(|page| page.resources.as_deref());
    let requests = request::read(data, finished);
    let mut lines: Vec<Line> = failure_summary(&requests).into_iter().collect();
    lines.push(headline(&requests));
    let Chosen { shown: rows, earlier, folded } = chosen(&requests);
    lines.extend(rows.into_iter().map(line));
    if earlier > 0 {
        lines.push(Line::ours(format!("{} not shown", counted(earlier, "earlier request"))));
    }
    lines.extend(folded_line(&folded));
    let mut outcome = Outcome::success(lines);
    outcome.next = next::actions(&requests, shown);
    outcome
}

/// `24 more answered: script 12, stylesheet 9, font 3 (--type TYPE lists them)`
fn folded_line(folded: &[&Request]) -> Option<Line> {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for request in folded {
        *kinds.entry(request.kind.as_str()).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    (!folded.is_empty()).then(|| {
        Line::ours(format!(
            "{} more answered: {} (network requests --type TYPE lists them)",
            folded.len(),
            kinds.join(", ")
        ))
    })
}

/// PRES-NET-01
pub(in crate::present) fn failure_summary(requests: &[Request]) -> Option<Line> {
    let of = |fate| requests.iter().filter(|request| request.fate == fate).count();
    let (actionable, benign) = (of(Fate::Actionable), of(Fate::Benign));
    let total = actionable + benign;
    (total > 0).then(|| {
        Line::ours(format!(
            "Network failure summary: {actionable} actionable, {benign} benign low-impact ({total} total)."
        ))
    })
}

fn headline(requests: &[Request]) -> Line {
    if requests.is_empty() {
        return "Requests: none.".into();
    }
    let of = |fate| requests.iter().filter(|request| request.fate == fate).count();
    let mut notes = Vec::new();
    for (count, words) in [
        (of(Fate::Pending), "pending"),
        (of(Fate::NoStatus), "without a status yet (pending, aborted or refused)"),
        (requests.iter().filter(|request| request.is_inline_image()).count(), "data:image hidden"),
    ] {
        if count > 0 {
            notes.push(format!("{count} {words}"));
        }
    }
    let notes = if notes.is_empty() { String::new() } else { format!("; {}", notes.join(", ")) };
    Line::ours(format!("Requests: {}{notes}.", requests.len()))
}

/// Which requests the answer lists.
struct Chosen<'a> {
    shown: Vec<&'a Request>,
    /// How many there is no room for.
    earlier: usize,
    folded: Vec<&'a Request>,
}

/// PRES-NET-03, PRES-NET-04: failures first; of each kind the latest, in the order in which they came.
fn chosen(requests: &[Request]) -> Chosen<'_> {
    let rank = |request: &Request| match request.fate {
        Fate::Actionable => 0,
        Fate::Benign => 1,
        Fate::Pending | Fate::NoStatus => 2,
        Fate::Answered if !request.is_quiet() => 3,
        Fate::Answered => 4,
    };
    let visible = requests.iter().enumerate().filter(|(_, request)| !request.is_inline_image());
    let mut latest: Vec<(usize, &Request)> = visible.collect();
    latest.sort_by_key(|(at, request)| (rank(request), Reverse(*at)));
    let mut quiet = 0;
    let (mut shown, folded) = latest.into_iter().partition::<Vec<_>, _>(|(_, request)| {
        quiet += usize::from(request.is_quiet());
        !request.is_quiet() || quiet <= QUIET_ROWS
    });
    let earlier = shown.len().saturating_sub(ROWS);
    shown.truncate(ROWS);
    shown.sort_by_key(|(at, request)| (rank(request), *at));
    Chosen {
        shown: shown.into_iter().map(|(_, request)| request).collect(),
        earlier,
        folded: folded.into_iter().map(|(_, request)| request).collect(),
    }
}

/// `  500 POST fetch id 31600.5 https://… [actionable: …]`
#[must_use]
pub fn line(request: &Request) -> Line {
    let status = request.status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
    let mut words = format!("  {status} {}", request.method);
    for part in [request.kind.as_str(), &id_words(&request.id)] {
        if !part.is_empty() {
            words.push(' ');
            words.push_str(part);
        }
    }
    words.push(' ');
    Line::ours(words).url(&request.url).and(request.fate.tag())
}

fn id_words(id: &str) -> String {
    if id.is_empty() { String::new() } else { format!("id {id}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    // PRES-NET-03
    #[test]
    fn a_long_list_shows_failures_and_then_the_latest() {
        let row = |at: usize| {
            let status = if at == 3 { 500 } else { 200 };
            let url = format!("http://a.test/{at}");
            json!({ "url": url, "method": "GET", "status": status, "resourceType": "Fetch" })
        };
        let all: Vec<Value> = (0..ROWS + 10).map(row).collect();
        let requests = request::read(&json!({ "requests": all }), None);
        let Chosen { shown, earlier, folded } = chosen(&requests);
        let urls: Vec<&str> = shown.iter().map(|request| request.url.as_str()).collect();
        assert_eq!((shown.len(), earlier, folded.len()), (ROWS, 10, 0));
        assert_eq!(urls.first(), Some(&"http://a.test/3"), "the failure");
        assert_eq!(urls.get(1), Some(&"http://a.test/11"));
        assert_eq!(urls.last(), Some(&"http://a.test/49"), "the latest");
    }
}
