//! Command words, session names, and commands that are never sent.

use super::Facts;
use crate::command::argv::ready_call;
use crate::command::table::nearest;
use crate::command::{Argv, lookup, split_command_string};
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction};

/// Upstream answers an empty call with its help text and exit code 0.
pub(super) fn command_given(facts: &Facts<'_>) -> Checked<()> {
    if facts.argv.words.is_empty() {
        return Err(Refusal::invalid(
            "args hold no command. Send a command word, for example open, snapshot or click.",
        ));
    }
    Ok(())
}

/// DEC-32.
pub(super) fn known_command(facts: &Facts<'_>) -> Checked<()> {
    let Some(word) = facts.argv.words.first() else {
        return Ok(());
    };
    if lookup(word).is_some() {
        return Ok(());
    }
    match word.as_str() {
        "help" => return Err(unknown_help(facts.argv)),
        "rightclick" | "right-click" | "contextmenu" | "context-menu" | "rclick" => {
            let message = Line::ours("unknown command ").quote(word).and(".");
            return Err(Refusal::invalid(message).hint(super::options::RIGHT_BUTTON));
        }
        _ => {}
    }
    if let Some(refusal) = whole_line(word, facts.argv) {
        return Err(refusal);
    }
    let near = nearest(word);
    let meant = near.words.join(" ");
    let message = Line::ours("unknown command ").quote(word);
    let message = match near.likely {
        true => message.and(format!("; the nearest known command is {meant}.")),
        false => message.and("."),
    };
    let refusal = Refusal::invalid(message).detail("nearestCommand", meant);
    Err(match near.words.as_slice() {
        ["get", fact] => getter(refusal, facts.argv, fact, near.action),
        _ if near.likely => with_nearest(refusal, facts.argv, &near.words, near.action),
        _ => refusal,
    })
}

/// `open http://…` as one word: the list holds one word each.
fn whole_line(word: &str, argv: &Argv) -> Option<Box<Refusal>> {
    let mut words = split_command_string(word).ok().filter(|words| words.len() > 1)?;
    lookup(words.first()?)?;
    words.extend(argv.words.iter().skip(1).cloned());
    let message = Line::ours("unknown command ").quote(word);
    let refusal = Refusal::invalid(message.and(": each word is an item of its own in args."));
    let meant = Argv { globals: argv.globals.clone(), ..Argv::of_words(&words) };
    Some(match ready_call("split-command-words", "the same words, one by one", &meant) {
        Some(next) => refusal.next(next),
        None => refusal,
    })
}

/// `help`, `help click`: upstream has an option for it, and no command.
fn unknown_help(argv: &Argv) -> Box<Refusal> {
    let about = argv.words.get(1).filter(|word| lookup(word).is_some());
    let args: Vec<&str> = about.map(String::as_str).into_iter().chain(["--help"]).collect();
    Refusal::invalid("help is no command; send --help, alone or behind a command word.")
        .next(NextAction::args("use-nearest-command", "the help text", &args))
}

/// DIAG-GET-02: a ready call only where `get` needs nothing else.
fn getter(refusal: Box<Refusal>, argv: &Argv, fact: &str, action: &str) -> Box<Refusal> {
    let form = match fact {
        "title" | "url" => format!("get {fact}"),
        "attr" => "get attr <selector> <name>".to_owned(),
        _ => format!("get {fact} <selector>"),
    };
    let refusal =
        refusal.hint(format!("Agent-browser hint: page facts are read with get: {form}."));
    let meant = Argv { globals: argv.globals.clone(), ..Argv::of_words(&["get", fact]) };
    let ready = matches!(fact, "title" | "url");
    let call = ready.then(|| ready_call(action, "read it with get", &meant)).flatten();
    match call {
        Some(call) => refusal.next(call),
        None => refusal,
    }
}

fn with_nearest(
    refusal: Box<Refusal>,
    argv: &Argv,
    words: &[&'static str],
    action: &str,
) -> Box<Refusal> {
    let rest = argv.words.iter().skip(1).map(String::as_str);
    let meant: Vec<&str> = words.iter().copied().chain(rest).collect();
    let meant = Argv { globals: argv.globals.clone(), ..Argv::of_words(&meant) };
    match ready_call(action, "the nearest known command", &meant) {
        Some(next) => {
            refusal.next(next.with_safety("A guess from the spelling; check that it is meant."))
        }
        None => refusal,
    }
}

/// HAZ-13. Upstream uses these values as parts of file names, unchecked.
pub(super) fn session_names(facts: &Facts<'_>) -> Checked<()> {
    const NAMES: [&str; 4] = ["--session", "--namespace", "--session-name", "--restore"];
    let bad = facts.argv.globals.iter().find(|global| {
        NAMES.contains(&global.spec.name)
            && global.value.as_deref().is_some_and(|name| !is_safe_name(name))
    });
    match bad {
        Some(global) => Err(Refusal::invalid(
            Line::ours(format!("{} ", global.spelling))
                .quote(global.value.as_deref().unwrap_or_default())
                .and(
                    " is no valid name: use 1 to 64 letters, digits, dots, underscores, hyphens, \
                     beginning with none of . and -",
                ),
        )),
        None => Ok(()),
    }
}

fn is_safe_name(name: &str) -> bool {
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=64).contains(&name.len()) && name.bytes().all(letters) && !name.starts_with(['.', '-'])
}

/// DEC-29: a server would speak its protocol on stdout and wait for messages forever.
pub(super) fn protocol_server(facts: &Facts<'_>) -> Checked<()> {
    let argv = facts.argv;
    if argv.name() != "mcp" || argv.operands().first() == Some(&"call") {
        return Ok(());
    }
    Err(Refusal::new(
        FailureCategory::PolicyBlocked,
        "mcp would start a protocol server on stdout; send its commands as args instead.",
    )
    .next(NextAction::args(
        "use-nearest-command",
        "what upstream's server offers",
        &["mcp", "--help"],
    )))
}

/// HAZ-12.
pub(super) fn state_maintenance(facts: &Facts<'_>) -> Checked<()> {
    if facts.argv.name() != "state" {
        return Ok(());
    }
    let list = NextAction::args("use-nearest-command", "see what is saved", &["state", "list"]);
    match facts.argv.operands().as_slice() {
        ["clear", name, ..] => Err(Refusal::invalid(Line::ours("state clear ").quote(*name).and(
            " would delete every saved state, not only that one (upstream ignores the name). \
                 To delete all of them send state clear --all; to delete one, remove its file.",
        ))
        .next(list)),
        ["rename", ..] => Err(Refusal::invalid(
            "state rename always fails in upstream; rename the file that state list shows.",
        )
        .next(list)),
        _ => Ok(()),
    }
}
