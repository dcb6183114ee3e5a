//! One judgement over what a page is made to answer.

use serde_json::Value;

use super::{AfterRow, Evidence};
use crate::command::parse;
use crate::envelope::Answer;
use crate::outcome::Finding;
use crate::plan::Step;

/// What a diagnostic finds where the row behind the command has answered `page`.
pub(super) fn judged(
    judge: fn(&Evidence<'_>) -> Option<Finding>,
    words: &[&str],
    page: Value,
) -> Option<Finding> {
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    let step = Step { argv: parse(&words).unwrap(), words };
    let main = Answer { success: true, ..Answer::default() };
    let after = AfterRow::Page(Box::new(serde_json::from_value(page).unwrap()));
    judge(&Evidence {
        step: &step,
        before: None,
        main: &main,
        after: &after,
        refs: None,
        known: None,
        routes: &[],
    })
}
