//! What went wrong in the page while a command ran: an error that nobody caught, a request that was
//! answered with a failure. The command itself succeeded; the page did not.

use serde::Deserialize;
use serde_json::json;

use super::{Asked, Evidence, effect};
use crate::address::plain_path;
use crate::line::Line;
use crate::outcome::{Finding, NextAction};
use crate::plan::rows::Wants;
use crate::probe::{After, Question};

/// Under this name the page answers.
const ANSWER: &str = "trouble";

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Trouble {
    thrown: Vec<String>,
    /// The first failed request.
    failed: Vec<Failed>,
    /// How many there were.
    failures: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Failed {
    status: u16,
    url: String,
}

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let watched = effect::wants(asked).watch;
    let after = watched.then(|| After { questions: vec![Question::trouble()], ..After::default() });
    Wants { after, ..Wants::default() }
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let told = evidence.after.page()?.answers.get(ANSWER)?;
    let trouble: Trouble = serde_json::from_value(told.clone()).ok()?;
    let mut finding = Finding { key: "pageTrouble", details: told.clone(), ..Finding::default() };
    if let Some((first, more)) = trouble.thrown.split_first() {
        let line = Line::ours("The page threw: ").quote(first);
        finding.lines.push(match more.len() {
            0 => line,
            count => line.and(format!(" and {count} more")),
        });
        finding.next.push(NextAction::args(
            "inspect-page-errors",
            "the errors with their stacks",
            &["errors"],
        ));
    }
    if let Some(failed) = trouble.failed.first() {
        let head = match trouble.failures {
            0 | 1 => "A request failed: ".to_owned(),
            count => format!("{count} requests failed, the first: "),
        };
        finding.lines.push(Line::ours(head).and(format!("{} ", failed.status)).url(&failed.url));
        finding.next.push(requests_to(&failed.url));
    }
    (!finding.lines.is_empty()).then_some(finding)
}

/// The list leads to the request's id, and so to its headers and bodies.
fn requests_to(url: &str) -> NextAction {
    let path = plain_path(url);
    let mut words = vec!["network", "requests"];
    words.extend(path.iter().flat_map(|path| ["--filter", path.as_str()]));
    NextAction::params_of(
        "inspect-failed-requests",
        "the failed request and its id",
        json!({ "args": words }),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::command::parse;
    use crate::diagnose::AfterRow;
    use crate::envelope::Answer;
    use crate::outcome::NextPayload;
    use crate::plan::Step;
    use crate::probe::report::PageReport;

    fn told(answer: Value) -> Option<Finding> {
        let words = vec!["click".to_owned(), "#save".to_owned()];
        let step = Step { argv: parse(&words).unwrap(), words };
        let mut page = PageReport::default();
        page.answers.insert(ANSWER.into(), answer);
        judge(&Evidence {
            step: &step,
            before: None,
            main: &Answer::default(),
            after: &AfterRow::Page(Box::new(page)),
            refs: None,
            known: None,
            routes: &[],
        })
    }

    // DEC-71
    #[test]
    fn an_error_and_a_failed_request_are_each_one_line_with_a_way_to_them() {
        let both = told(json!({
            "thrown": ["TypeError: x is undefined", "Error: b"],
            "failed": [{ "status": 422, "url": "http://127.0.0.1/api/bookings?x=1" }],
            "failures": 1,
        }))
        .unwrap();
        let lines: Vec<String> = both.lines.iter().map(Line::plain).collect();
        assert_eq!(
            lines,
            [
                "The page threw: \"TypeError: x is undefined\" and 1 more",
                "A request failed: 422 http://127.0.0.1/api/bookings?x=1",
            ]
        );
        let calls = [
            json!({ "args": ["errors"] }),
            json!({ "args": ["network", "requests", "--filter", "/api/bookings"] }),
        ];
        let next: Vec<&NextPayload> = both.next.iter().map(|one| &one.payload).collect();
        assert_eq!(next, calls.map(NextPayload::Params).iter().collect::<Vec<_>>());
        assert!(both.failure.is_none());
        assert_eq!(told(json!({})).map(|finding| finding.lines.len()), None);
        let many =
            told(json!({ "failed": [{ "status": 500, "url": "http://a/" }], "failures": 3 }));
        assert_eq!(
            many.unwrap().lines.first().map(Line::plain).unwrap(),
            "3 requests failed, the first: 500 http://a/"
        );
    }

    // NEXT-06, NEXT-66
    #[test]
    fn a_path_that_may_hold_a_secret_or_is_long_is_no_filter() {
        let call = |url: &str| requests_to(url).payload;
        let all = NextPayload::Params(json!({ "args": ["network", "requests"] }));
        assert_eq!(call("http://127.0.0.1/reset/3f9c2a77b1d04e6f88aa01bc"), all);
        assert_eq!(call(&format!("http://127.0.0.1/{}", "a/".repeat(60))), all);
        assert_eq!(call("http://127.0.0.1/"), all);
        assert_eq!(call("not an address"), all);
    }
}
