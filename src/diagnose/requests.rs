//! `network requests`: the page tells which requests ended without an answer (HAZ-12) and where it
//! is, so that rows of other pages can be left out (PLAN-21).

use super::Asked;
use crate::plan::rows::{Wants, asks_for_requests};
use crate::probe::After;

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let step = asked.step;
    let after = asks_for_requests(step).then(|| After { resources: true, ..After::default() });
    Wants { after, ..Wants::default() }
}
