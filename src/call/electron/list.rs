//! `list`: what is installed. Starts nothing (ELEC-10).

use super::super::Engine;
use crate::electron::discover::{Roots, discover, matching};
use crate::input::electron::List;
use crate::outcome::Outcome;
use crate::present::electron as present;

pub(super) fn run(engine: &Engine, list: &List) -> Outcome {
    let roots = Roots::of(&engine.options.env);
    let found = discover(&roots);
    let mut apps = matching(found.apps, list.query.as_deref());
    let omitted = apps.len().saturating_sub(list.max_results);
    apps.truncate(list.max_results);
    present::listed(&present::Listed {
        platform: roots.platform,
        apps: &apps,
        query: list.query.as_deref(),
        max_results: list.max_results,
        skipped: found.skipped,
        omitted,
    })
}
