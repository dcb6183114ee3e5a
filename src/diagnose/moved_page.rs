//! The page is not where this session's last act left it (DEC-102): several callers may share one
//! connection, and pages move by themselves.

use serde_json::json;

use super::Evidence;
use super::effect::{Effect, verdict};
use crate::line::Line;
use crate::outcome::Finding;
use crate::probe::report::PageReport;

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Finding> {
    let known = evidence.known?;
    // Without a row in front of the command it may have been the command itself.
    let (page, words) = match (evidence.before, evidence.after.page()) {
        (Some(before), _) => (before, "Before this call the page had become another one: "),
        // The answer itself says where such an act has led.
        (None, Some(_)) if verdict(evidence) == Effect::Navigated => return None,
        (None, Some(after)) => (after, "The page is another one since the last call: "),
        (None, None) => return None,
    };
    let moved = !known.doc.is_empty() && !page.doc.is_empty() && known.doc != page.doc;
    if !moved {
        return None;
    }
    if known.url == page.url {
        return Some(loaded_again(page, evidence.before.is_some()));
    }
    let line = Line::ours(words).quote(&page.title).and(" ").url(&page.url);
    let line = if evidence.before.is_some() {
        line.and(" (for a browser of your own use --session NAME)")
    } else {
        line.and(" (earlier refs are void)")
    };
    Some(Finding {
        key: "pageMovedSinceLastCall",
        details: json!({ "url": page.url, "title": page.title, "lastUrl": known.url }),
        lines: vec![line],
        ..Finding::default()
    })
}

/// The same address with another document: the page has loaded itself again, nobody has moved it.
fn loaded_again(page: &PageReport, before: bool) -> Finding {
    let line = match before {
        true => "The page was loaded again before this call; what had been typed may be gone.",
        false => "The page was loaded again since the last call (earlier refs are void).",
    };
    Finding {
        key: "pageMovedSinceLastCall",
        details: json!({ "url": page.url, "title": page.title, "reloaded": true }),
        lines: vec![line.into()],
        ..Finding::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;
    use crate::diagnose::AfterRow;
    use crate::envelope::Answer;
    use crate::plan::Step;
    use crate::session::fact::Page;

    // DEC-102, DEC-71
    #[test]
    fn a_dialog_whose_answer_leads_on_has_told_the_page_already() {
        let known = Page { url: "http://a/".into(), doc: "1".into(), ..Page::default() };
        let page = json!({ "url": "http://a/b", "doc": "2", "title": "" });
        let after = AfterRow::Page(Box::new(serde_json::from_value(page).unwrap()));
        let main = Answer { success: true, ..Answer::default() };
        let judged = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            let step = Step { argv: parse(&words).unwrap(), words };
            judge(&Evidence {
                step: &step,
                before: None,
                main: &main,
                after: &after,
                refs: None,
                known: Some(&known),
                routes: &[],
            })
        };
        assert_eq!(judged(&["dialog", "accept"]), None);
        // Of a script nobody knows whether it has led there.
        assert!(judged(&["eval", "1"]).is_some());
    }
}
