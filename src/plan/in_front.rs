//! What stands in front of a command, alone or among others: the check of its ref, the observers and
//! the questions (HAZ-01, HAZ-25, DEC-94).

use super::about::number;
use super::aim::aim_of;
use super::rows::{Context, Wants, row, words};
use super::{Row, RowKind, Step};
use crate::probe::{Before, Hand};
use crate::session::refs::{RefCheck, RefSnapshot};

/// Commands all of whose events are stopped in front of an element that the snapshot had not seen.
/// The others work by script or read, and of a `drag` only the beginning is known to be meant: those
/// ask first whether their ref may be found again elsewhere.
const MEETS_EVENTS: [&str; 3] = ["click", "dblclick", "tap"];

/// What the row in front of a command does. `resnap`: upstream has just looked which of its refs are
/// still there.
pub(super) fn before_of(
    step: &Step,
    wants: &Wants,
    check: Option<&RefCheck>,
    resnap: bool,
    refs: Option<&RefSnapshot>,
) -> Before {
    let expect = match check {
        Some(RefCheck::Identity(expect)) => Some(expect.clone()),
        Some(RefCheck::Snapshot(_)) | None => None,
    };
    // Where events are stopped, the element that they reach is looked at.
    let asks = expect.is_some() && !resnap && !MEETS_EVENTS.contains(&step.argv.name());
    Before {
        watch: wants.watch,
        requests: wants.requests,
        guard: wants.guard,
        hand: Hand::of(step.argv.name()),
        refound: asks,
        meant: if asks { aim_of(step, refs) } else { None },
        field: wants.field(),
        replaces: wants.after.as_ref().is_some_and(|after| after.fill.is_some()),
        questions: wants.questions(),
        expect,
        ..Before::default()
    }
}

/// The row that makes upstream forget refs whose node is gone, where no script can tell.
pub(super) fn snapshot_of(
    index: usize,
    check: Option<&RefCheck>,
    resnap: bool,
    context: &Context<'_>,
) -> Option<Row> {
    let options = match check? {
        RefCheck::Snapshot(options) => options,
        RefCheck::Identity(_) if !resnap => return None,
        RefCheck::Identity(_) => context.refs.map_or(&[][..], |refs| &refs.options),
    };
    let mut argv = words(&["snapshot"]);
    argv.extend(options.iter().cloned());
    Some(row(RowKind::Resnap, index, argv))
}

/// How the refs of a step are checked.
pub(super) fn ref_check(step: &Step, context: &Context<'_>) -> Option<RefCheck> {
    let ids: Vec<u32> =
        step.argv.ref_operands().iter().filter_map(|found| number(found.id)).collect();
    if ids.is_empty() {
        return None;
    }
    // Without a snapshot the guard has refused the call already; a snapshot row fails closed.
    let resnap = || RefCheck::Snapshot(vec!["-i".to_owned()]);
    Some(match context.refs {
        Some(refs) if context.scripts => refs.check_for(&ids),
        Some(refs) => RefCheck::Snapshot(refs.options.clone()),
        None => resnap(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;
    use crate::probe::Expect;

    // HAZ-25, DEC-94
    #[test]
    fn every_ref_that_no_stopped_event_guards_is_asked_for_in_front() {
        let expect = Expect::Document { doc: "1".into(), frames: None };
        let check = RefCheck::Identity(expect);
        for (words, asks) in [
            (&["focus", "@e3"][..], true),
            (&["type", "@e3", "x"], true),
            (&["upload", "@e3", "a.txt"], true),
            (&["drag", "@e3", "@e4"], true),
            (&["get", "text", "@e3"], true),
            (&["click", "@e3"], false),
            (&["dblclick", "@e3"], false),
            (&["tap", "@e3"], false),
        ] {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            let step = Step { argv: parse(&words).unwrap(), words };
            let wants = Wants::default();
            let before = |check, resnap| before_of(&step, &wants, check, resnap, None).refound;
            assert_eq!(before(Some(&check), false), asks, "{:?}", step.words);
            assert!(!before(Some(&check), true), "upstream has looked already");
            assert!(!before(None, false), "nothing is known of its document");
        }
    }
}
