//! `network requests`: the page tells which requests ended without an answer (HAZ-12) and where it
//! is, so that rows of other pages can be left out (PLAN-21). `errors`: it tells whose code runs in
//! it, so that errors of earlier pages can be told apart.

use super::Asked;
use crate::plan::about::asked_behind;
use crate::plan::rows::Wants;

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    Wants { after: asked_behind(asked.step), ..Wants::default() }
}
