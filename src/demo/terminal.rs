//! The demo in a terminal: plain ASCII, narrow lines, long answers cut (the report holds them whole).

use super::Comparison;
use super::numbers::rows;
use super::order::Flow;
use super::side::Exchange;
use super::story::{MOVES_ON_BEHIND, Story};

/// Lines of one answer that are shown.
const STORY_LINES: usize = 4;
const ORDER_LINES: usize = 2;
const WIDTH: usize = 96;
/// Where the cost of a call stands.
const COST_AT: usize = 62;

type Say<'a> = &'a mut (dyn FnMut(&str) + Send);

pub(super) fn story_title(say: Say<'_>) {
    say("");
    say("1. A stale ref: four calls, and a page that moves on by itself behind the second one");
}

pub(super) fn story(who: &str, story: &Story, say: Say<'_>) {
    say("");
    say(&format!("   {who}"));
    for (at, call) in story.calls.iter().enumerate() {
        exchange(call, STORY_LINES, say);
        if at + 1 == MOVES_ON_BEHIND {
            say(
                "   ... the page moves on; where the link was there is now \"Delete everything\" ...",
            );
        }
    }
    say(&format!("   => {}", verdict(story)));
}

/// The end of the story in one sentence.
pub(super) fn verdict(story: &Story) -> &'static str {
    match (story.deleted, story.refused) {
        (true, false) => "It reported success, and everything was deleted.",
        (true, true) => "It reported a failure, but everything was deleted.",
        (false, true) => "It refused, and nothing was deleted.",
        (false, false) => "It reported success, and nothing was deleted.",
    }
}

pub(super) fn order_title(say: Say<'_>) {
    say("");
    say(
        "2. An order in ten steps, as the model sees it (the run through agent-browser is in the report)",
    );
}

pub(super) fn order(ours: &Flow, raw: &Flow, say: Say<'_>) {
    for call in &ours.calls {
        if let Some(title) = call.step {
            say(&format!("   {title}"));
        }
        exchange(call, ORDER_LINES, say);
    }
    say(&format!("   => agent-browser-native: {}", order_verdict(ours)));
    say(&format!("   => agent-browser:        {}", order_verdict(raw)));
}

/// What the shop received, in one sentence.
pub(super) fn order_verdict(flow: &Flow) -> String {
    let complained = flow.calls.iter().filter(|call| call.failed).count();
    let said = match complained {
        0 => "every call reported success".to_owned(),
        1 => "1 call reported a failure".to_owned(),
        many => format!("{many} calls reported a failure"),
    };
    match flow.wrong().as_slice() {
        [] => format!("{said}, and the shop received the order as it was meant."),
        wrong => format!("{said}, but the shop received no {}.", wrong.join(", no ")),
    }
}

pub(super) fn numbers(comparison: &Comparison, say: Say<'_>) {
    say("");
    say("3. Side by side");
    let line = |what: &str, raw: &str, ours: &str| format!("   {what:<40} {raw:>15}  {ours:>20}");
    say(&line("", "agent-browser", "agent-browser-native"));
    for row in rows(comparison) {
        say(&line(row.what, &row.raw.text, &row.ours.text));
    }
}

fn exchange(exchange: &Exchange, most: usize, say: Say<'_>) {
    let cost = format!("{} ms, {} bytes", exchange.ms, exchange.bytes());
    let call = cut(&ascii(&exchange.call), WIDTH - 4);
    let fits = call.len() < COST_AT;
    match fits {
        true => say(&format!("   > {call:<COST_AT$} {cost}")),
        false => say(&format!("   > {call} {cost}")),
    }
    let lines: Vec<&str> = exchange.answer.lines().collect();
    let shown = if lines.len() > most + 1 { most } else { lines.len() };
    for line in lines.iter().take(shown) {
        say(&format!("     {}", cut(&ascii(line), WIDTH)));
    }
    if lines.len() > shown {
        say(&format!("     ({} more lines)", lines.len() - shown));
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let start: String = text.chars().take(width.saturating_sub(3)).collect();
    format!("{start}...")
}

/// Upstream's two marks in words; anything else that is not ASCII is left out.
fn ascii(text: &str) -> String {
    let text = text.replace('\u{2713}', "[ok]").replace('\u{2717}', "[failed]");
    let plain = |c: char| if c.is_ascii() && !c.is_ascii_control() { c } else { '?' };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_printed_is_plain_and_bounded() {
        let answer =
            (0..9).map(|line| format!("\u{2713} line {line} \u{1b}[31m\u{e9}")).collect::<Vec<_>>();
        let call = Exchange {
            step: None,
            call: "x".repeat(300),
            answer: answer.join("\n"),
            failed: false,
            ms: 12,
        };
        let mut said = Vec::new();
        exchange(&call, STORY_LINES, &mut |line| said.push(line.to_owned()));
        assert_eq!(said.len(), 1 + STORY_LINES + 1);
        assert!(said.iter().all(|line| line.is_ascii() && !line.contains('\u{1b}')), "{said:?}");
        assert_eq!(said.get(1).map(String::as_str), Some("     [ok] line 0 ?[31m?"));
        assert_eq!(said.last().map(String::as_str), Some("     (5 more lines)"));
    }
}
