//! `find` acts on the first of several elements: the page counts them, and the answer says so.

use super::Asked;
use crate::plan::found::question;
use crate::plan::rows::Wants;
use crate::probe::After;

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let questions = Vec::from_iter(question(asked.step));
    let after = (!questions.is_empty()).then(|| After { questions, ..After::default() });
    Wants { after, ..Wants::default() }
}
