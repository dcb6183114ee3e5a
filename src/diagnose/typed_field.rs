//! Into what kind of field text was typed: a password is masked wherever it is repeated (DEC-68).

use super::Asked;
use crate::plan::aim::aim_or_kind_of;
use crate::plan::rows::Wants;
use crate::probe::After;

pub(super) fn wants(asked: &Asked<'_>) -> Wants {
    let step = asked.step;
    let types = matches!(step.argv.name(), "type" | "keyboard");
    let aim = aim_or_kind_of(step, asked.refs);
    let after = types.then(|| After { typed: true, aim, ..After::default() });
    Wants { after, ..Wants::default() }
}
