//! `network requests`: the page tells which requests ended without an answer (HAZ-12) and where it
//! is, so that rows of other pages can be left out (PLAN-21). `errors`: it tells whose code runs in
//! it, so that errors of earlier pages can be told apart.

use super::Asked;
use crate::plan::about::{asks_for_errors, asks_for_requests};
use crate::plan::rows::Wants;
use crate::probe::{After, Question};

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let step = asked.step;
    let resources = asks_for_requests(step);
    let questions = Vec::from_iter(asks_for_errors(step).then(Question::scripts));
    let asks = resources || !questions.is_empty();
    let after = asks.then(|| After { resources, questions, ..After::default() });
    Wants { after, ..Wants::default() }
}
