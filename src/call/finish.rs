//! Outcome → reply: one redaction, files for what is too long, bounds, journal line.

mod details;
mod kept;
mod output;
mod ready;
mod text;

use std::time::{Duration, Instant};

use super::{Block, Engine, Reply, Trace};
use crate::artifact::image::inline;
use crate::command::lookup;
use crate::line::Line;
use crate::outcome::{NextAction, Outcome, Verdict};
use crate::redact::Redactor;
use crate::session::fact::Fact;
use crate::session::journal::Entry;
use crate::session::lease::now_seconds;
use crate::session::target::Target;

use kept::Keeper;
pub(super) use text::answer_lines as failure_first;

/// The reply of a call, and its journal line.
pub(super) fn reply(
    engine: &Engine,
    mut outcome: Outcome,
    mut trace: Trace,
    started: Instant,
) -> Reply {
    let redactor = gate(&outcome, &trace);
    for note in &trace.notes {
        outcome.answer.push(Line::ours(note.clone()));
    }
    ready::keep_exact(&mut outcome, &redactor);
    output::write(engine, &mut outcome, &trace, &redactor);
    let images: Vec<Block> =
        outcome.images.iter().filter_map(|image| image_block(&image.path, &redactor)).collect();
    add_scaled_notes(&mut outcome, &images);
    let mut keeper = Keeper::new(engine, &redactor, trace.command.unwrap_or_default());
    keeper.files(&outcome.files);
    keeper.spill(&mut outcome);
    let (notice, prefix) = (engine.options.failure_notice, visible_prefix(engine, &trace));
    let mut draft = text::Draft::new(&outcome, &trace, &mut keeper, notice, &prefix);
    let mut fields = details::fields(&outcome, &trace, &redactor);
    details::spill_large(&mut fields, &mut keeper);
    let news = keeper.into_news();
    engine.learn(&mut trace, news.facts.iter().cloned());
    kept::describe(engine, &trace, &outcome, &news, &mut fields, &mut draft);
    details::finish(&mut fields, &trace, started);
    let details = details::bounded(fields, &redactor);
    let text = draft.print(&redactor);
    let bytes = text.len();
    let mut blocks = vec![Block::Text(text)];
    if !trace.wants_json {
        blocks.extend(images);
    }
    journal(engine, &trace, &outcome, &redactor, bytes, started.elapsed());
    let failure = outcome.verdict.failure();
    Reply { blocks, details, failure, no_browser: outcome.no_browser }
}

/// The gate of the call. Text for a field that nobody has seen may be a password, so a failure does
/// not repeat it (DEC-68); a single plain word or sign stays, because masking it would eat our own words.
fn gate(outcome: &Outcome, trace: &Trace) -> Redactor {
    let plain = |text: &str| text.len() <= 12 && text.bytes().all(|b| b.is_ascii_lowercase());
    let is_word = |text: &str| text.len() == 1 || plain(text);
    let typed = trace.typed.iter().filter(|text| outcome.verdict.is_failure() && !is_word(text));
    Redactor::new(trace.secrets.iter().chain(typed).cloned())
}

/// The session of the calls behind `Next`, where a call without one would be for another (DEC-69).
fn visible_prefix(engine: &Engine, trace: &Trace) -> Vec<String> {
    let Some(target) = &trace.target else { return Vec::new() };
    let is_elsewhere = match target {
        Target::Named(_) => true,
        // One of an app's that is not the current one; one that is gone has no name to go by.
        Target::Managed { key, .. } => {
            let state = engine.state();
            let runs = state.session(key).is_some_and(|session| session.running);
            let current = state.managed.current.as_ref().map(|(current, _)| current);
            runs && current.is_some_and(|current| current != key)
        }
        Target::None | Target::ThrowAway(_) => false,
    };
    if is_elsewhere { target.tokens() } else { Vec::new() }
}

/// Generic actions, then those of the findings (NEXT-05).
fn all_next(outcome: &Outcome) -> impl Iterator<Item = &NextAction> {
    outcome.next.iter().chain(outcome.findings.iter().flat_map(|finding| &finding.next))
}

fn image_block(path: &std::path::Path, redactor: &Redactor) -> Option<Block> {
    let image = inline(path)?;
    Some(Block::Image {
        base64: image.base64,
        mime: image.mime,
        path: redactor.safe_text(&path.to_string_lossy()),
        scaled: image.scaled,
    })
}

fn add_scaled_notes(outcome: &mut Outcome, images: &[Block]) {
    for block in images {
        if let Block::Image { scaled: Some((width, height)), .. } = block {
            outcome.answer.push(Line::ours(format!("Inline image scaled to {width}x{height}.")));
        }
    }
}

fn journal(
    engine: &Engine,
    trace: &Trace,
    outcome: &Outcome,
    redactor: &Redactor,
    bytes: usize,
    time: Duration,
) {
    let Some(journal) = &engine.journal else { return };
    let verdict = match outcome.verdict {
        Verdict::Success(category) => category.name(),
        Verdict::Failure(category) => category.name(),
    };
    let entry = Entry {
        at: now_seconds(),
        what: what(trace),
        verdict: verdict.to_owned(),
        bytes,
        ms: millis(time),
        facts: safe_facts(&trace.facts, redactor),
    };
    // A call does not fail because its journal line could not be written.
    let _ = journal.append(&entry);
}

/// The command, and its subcommand when the table has one of that name (RED-19).
fn what(trace: &Trace) -> String {
    let command = trace.command.unwrap_or("-");
    let known = |word: &&String| {
        let rows = lookup(command).map_or(&[][..], |spec| spec.subcommands);
        rows.iter()
            .filter_map(|row| row.path.first())
            .any(|path| path.split('|').any(|name| name == word.as_str()))
    };
    match trace.subcommand.as_ref().filter(known) {
        Some(word) => format!("{command} {word}"),
        None => command.to_owned(),
    }
}

/// Facts as they may be kept: what was masked in them stays masked when they are read again.
fn safe_facts(facts: &[Fact], redactor: &Redactor) -> Vec<Fact> {
    let facts = facts.iter().cloned().map(Fact::for_journal);
    let safe = facts.filter_map(|fact| {
        let value = serde_json::to_value(fact).ok()?;
        serde_json::from_value(redactor.safe_json(&value).into_value()).ok()
    });
    safe.collect()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::fact::{LaunchRecord, Page};
    use crate::session::key::SessionKey;
    use crate::session::refs::{RefInfo, RefSnapshot};

    // RED-12, HAZ-24
    #[test]
    fn facts_keep_their_meaning_and_lose_their_secrets() {
        let key = SessionKey::named("mcp-shop-3f9c2a77b1d0-88aa01bc-f2");
        let info =
            RefInfo { role: "textbox".into(), name: "Password".into(), ..RefInfo::default() };
        let refs = RefSnapshot {
            refs: [(5, info)].into(),
            ranges: vec![(1, 2_861)],
            doc: "1794770135220.5".into(),
            url: "https://shop.test/login".into(),
            title: "Sign in".into(),
            options: vec!["-i".into()],
            ..RefSnapshot::default()
        };
        let launch = LaunchRecord {
            launch_hash: Some(10_997_649_587_079_013_033),
            ..LaunchRecord::default()
        };
        let page = Page {
            url: "https://shop.test/login?next=%2Fhome".into(),
            title: "Sign in".into(),
            doc: "1794770135220.5".into(),
            target: Some("97A5B094D1F4992A74BC7BBD5C7BCF76".into()),
            popup: true,
        };
        let facts = vec![
            Fact::SessionStarted { key: key.clone(), launch },
            Fact::ManagedCurrent { key: key.clone(), ordinal: 3 },
            Fact::Refs { key: key.clone(), refs },
            Fact::PageAt { key: key.clone(), page },
            Fact::Confirmation { key: key.clone(), id: Some("r573411".into()) },
        ];
        assert_eq!(safe_facts(&facts, &Redactor::new([])), facts);
        let page = Page { url: "https://shop.test/?token=s3cr3t-t0k3n".into(), ..Page::default() };
        let kept = safe_facts(&[Fact::PageAt { key, page }], &Redactor::new([]));
        let text = serde_json::to_string(&kept).unwrap();
        assert!(text.contains("token=[REDACTED]") && !text.contains("s3cr3t"), "{text}");
    }
}
