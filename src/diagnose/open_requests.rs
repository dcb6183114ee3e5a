//! Which requests without a status have ended: only the page knows (HAZ-12).

use crate::plan::Step;
use crate::plan::rows::Wants;
use crate::probe::After;

pub(super) fn wants(step: &Step) -> Wants {
    let lists = step.argv.name() == "network"
        && step.argv.words.get(1).is_some_and(|word| word == "requests")
        && !step.argv.has_own_flag("--clear");
    let after = lists.then(|| After { resources: true, ..After::default() });
    Wants { after, ..Wants::default() }
}
