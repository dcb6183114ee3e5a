//! Options that a command does not have. Upstream ignores them, or takes them for the operand that
//! stands in their place, and reports success (HAZ-26).

use super::Facts;
use crate::command::argv::{Argv, ready_call};
use crate::command::flags::FLAGS;
use crate::command::table::{CommandSpec, edit_distance};
use crate::error::{Checked, Refusal};
use crate::line::Line;

/// How a button other than the left one is pressed.
pub(super) const RIGHT_BUTTON: &str = "Agent-browser hint: for the right button send mouse move \
     <x> <y> (get box tells where an element is), then mouse down right, then mouse up right.";

/// A word that looks like an option and is none of the command.
pub(super) fn known_options(facts: &Facts<'_>) -> Checked<()> {
    let argv = facts.argv;
    let Some(spec) = argv.command() else { return Ok(()) };
    let Some(found) = argv.option_like().into_iter().find(|word| !may_begin_so(argv, word.index))
    else {
        return Ok(());
    };
    let name = found.value.split_once('=').map_or(found.value, |(name, _)| name);
    let near = nearest(spec, name);
    let line = Line::ours("unknown option ").quote(found.value).and("; ");
    let line = match near {
        Some(meant) => line.and(format!("did you mean {meant}? ")),
        None => line,
    };
    let refusal = Refusal::invalid(line.and(offered(spec)));
    let refusal = match name {
        "--button" | "--right" | "--right-click" => refusal.hint(RIGHT_BUTTON),
        _ => refusal,
    };
    let Some(meant) = near.filter(|_| name == found.value) else { return Err(refusal) };
    let mut repaired = argv.clone();
    if let Some(word) = repaired.words.get_mut(found.index) {
        meant.clone_into(word);
    }
    Err(match ready_call("use-nearest-command", "the nearest known option", &repaired) {
        Some(next) => {
            refusal.next(next.with_safety("A guess from the spelling; check that it is meant."))
        }
        None => refusal,
    })
}

/// Places that hold a word of the page, a task in plain words, or the text of an action of `find`.
fn may_begin_so(argv: &Argv, index: usize) -> bool {
    match argv.name() {
        "chat" => true,
        "select" => argv.target().is_some_and(|target| target.index < index),
        "storage" => index > 1,
        "find" => argv.find_action().is_some_and(|(at, action)| action == "type" && index > at),
        _ => false,
    }
}

/// `click takes --new-tab and --human.`
fn offered(spec: &CommandSpec) -> String {
    let names: Vec<&str> =
        spec.own_flags.iter().filter_map(|own| own.names.first()).copied().collect();
    match names.split_last() {
        None => format!("{} takes none of its own.", spec.name),
        Some((last, [])) => format!("{} takes {last}.", spec.name),
        Some((last, others)) => format!("{} takes {} and {last}.", spec.name, others.join(", ")),
    }
}

/// The command's own option, or else a global one, that was probably meant.
fn nearest(spec: &CommandSpec, name: &str) -> Option<&'static str> {
    // Longer words cannot be near any option; this keeps the work bounded.
    if name.len() > 40 {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let own = spec.own_flags.iter().filter_map(|own| own.names.first()).copied();
    let longer = |known: &str| known.len() > 5 && name.starts_with(known);
    own.clone()
        .find(|known| longer(known))
        .or_else(|| closest(own, &name))
        .or_else(|| closest(FLAGS.iter().map(|flag| flag.name), &name))
}

fn closest(known: impl Iterator<Item = &'static str>, name: &str) -> Option<&'static str> {
    let (distance, best) =
        known.map(|known| (edit_distance(name, &known.to_ascii_lowercase()), known)).min()?;
    (distance <= 2 && distance * 3 < best.len()).then_some(best)
}
