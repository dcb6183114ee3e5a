//! The report: one HTML file with everything inside, good to read on a phone and in the dark.

mod parts;

use std::io;
use std::path::{Path, PathBuf};

use super::html::escaped;
use super::numbers::{Cell, Mark, Row, rows};
use super::side::Exchange;
use super::story::{MOVES_ON_BEHIND, Story};
use super::terminal::{order_verdict, verdict};
use super::{Comparison, Half};
use parts::{Note, Step, picture, steps, transcript};

const STYLE: &str = include_str!("style.css");
const RAW: &str = "agent-browser";
const OURS: &str = "agent-browser-native";

/// Writes `index.html` into a directory, which is created.
pub(super) fn write(out: &Path, comparison: &Comparison) -> io::Result<PathBuf> {
    std::fs::create_dir_all(out)?;
    let file = std::path::absolute(out.join("index.html"))?;
    std::fs::write(&file, document(comparison))?;
    Ok(file)
}

fn document(comparison: &Comparison) -> String {
    let body =
        [head(comparison), story(comparison), numbers(comparison), order(comparison), foot()];
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Demo report of agent-browser-native</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{}\n</main>\n</body>\n</html>\n",
        body.join("\n")
    )
}

fn head(comparison: &Comparison) -> String {
    format!(
        "<header>\n<h1>The same work, done twice</h1>\n\
         <p class=\"lead\">A coding agent drives a browser: once through <b>{RAW}</b> on its own, once through \
         <b>{OURS}</b>, which runs on top of it. Same machine, same browser, same pages, same calls. The pages \
         are served from this machine and keep a record of what was really done to them.</p>\n\
         <p class=\"quiet small\">{OURS} {} &middot; {RAW} {} &middot; {}</p>\n</header>",
        env!("CARGO_PKG_VERSION"),
        escaped(&comparison.upstream),
        escaped(&comparison.browser)
    )
}

fn story(comparison: &Comparison) -> String {
    format!(
        "<section id=\"story\">\n<h2>A click that deletes everything</h2>\n\
         <p>The agent opens a page that says &ldquo;You are signed in&rdquo; and asks for its controls. While it \
         thinks, the page moves on by itself, as such pages do. Then the agent clicks the link it was shown. On the \
         next page there is a red button in that place.</p>\n<div class=\"pair\">\n{}\n{}\n</div>\n</section>",
        told(RAW, "raw", &comparison.raw),
        told(OURS, "ours", &comparison.ours)
    )
}

fn told(who: &str, id: &str, half: &Half) -> String {
    let colour = if half.story.deleted { "bad" } else { "good" };
    format!(
        "<article class=\"card {colour}\">\n<h3>{who}</h3>\n<p class=\"verdict\" id=\"verdict-story-{id}\">{}</p>\n{}\n{}\n</article>",
        verdict(&half.story),
        transcript(&half.story.calls, |at, _| story_note(at, &half.story)),
        picture(&half.story_picture, "The page after the four calls", &format!("story-{id}"))
    )
}

fn story_note(at: usize, story: &Story) -> Note {
    match at + 1 {
        MOVES_ON_BEHIND => Note {
            event: Some(
                "The page moves on by itself. Where the link was, there is now \u{201c}Delete everything\u{201d}.",
            ),
            ..Note::default()
        },
        call if call == MOVES_ON_BEHIND + 1 => {
            Note { right: Some(!story.deleted), ..Note::default() }
        }
        _ => Note::default(),
    }
}

fn numbers(comparison: &Comparison) -> String {
    let cell = |cell: &Cell| {
        let class = match cell.mark {
            Mark::Plain => "",
            Mark::Good => " class=\"good\"",
            Mark::Bad => " class=\"bad\"",
        };
        format!("<td{class}>{}</td>", escaped(&cell.text))
    };
    let line = |row: Row| {
        let (raw, ours) = (cell(&row.raw), cell(&row.ours));
        let (what, note) = (row.what, escaped(row.note));
        format!("<tr><th scope=\"row\">{what}<small>{note}</small></th>{raw}{ours}</tr>")
    };
    let lines: Vec<String> = rows(comparison).into_iter().map(line).collect();
    format!(
        "<section id=\"numbers\">\n<h2>In numbers</h2>\n\
         <p>Measured in this one run. {OURS} says what each call did and shows the page where it is a new one, so it \
         needs fewer calls and its answers are longer than a bare &ldquo;Done&rdquo;.</p>\n\
         <div class=\"scroll\"><table>\n<thead><tr><th></th><th scope=\"col\">{RAW}</th><th scope=\"col\">{OURS}</th></tr></thead>\n\
         <tbody>\n{}\n</tbody>\n</table></div>\n</section>",
        lines.join("\n")
    )
}

fn order(comparison: &Comparison) -> String {
    let pairs = steps(&comparison.raw.flow.calls, &comparison.ours.flow.calls);
    let steps: Vec<String> = pairs.iter().map(|pair| step(pair, comparison)).collect();
    format!(
        "<section id=\"order\">\n<h2>An order in ten steps</h2>\n\
         <p>Search, product, quantity, coupon, cart, a form with a list, a date and a box to tick, a question to \
         confirm, the order number, a screenshot. Both sides see exactly what is printed here.</p>\n\
         <div class=\"pair\">\n{}\n{}\n</div>\n{}\n</section>",
        ordered(RAW, "raw", &comparison.raw),
        ordered(OURS, "ours", &comparison.ours),
        steps.join("\n")
    )
}

fn ordered(who: &str, id: &str, half: &Half) -> String {
    let colour = if half.flow.is_right() { "good" } else { "bad" };
    let field = |field: &super::order::Field| {
        let mark = if field.is_right() { "" } else { " class=\"bad\"" };
        format!(
            "<tr><th scope=\"row\">{}</th><td>{}</td><td{mark}>{}</td></tr>",
            field.name,
            escaped(&field.wanted),
            escaped(&field.received)
        )
    };
    let fields: Vec<String> = half.flow.received.iter().map(field).collect();
    let said = order_verdict(&half.flow);
    let mut letters = said.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!(
        "<article class=\"card {colour}\">\n<h3>{who}</h3>\n<p class=\"verdict\" id=\"verdict-order-{id}\">{first}{}</p>\n\
         <table>\n<thead><tr><th></th><th scope=\"col\">wanted</th><th scope=\"col\">the shop received</th></tr></thead>\n\
         <tbody>\n{}\n</tbody>\n</table>\n{}\n</article>",
        letters.as_str(),
        fields.join("\n"),
        picture(&half.order_picture, "The confirmation", &format!("order-{id}"))
    )
}

fn step(step: &Step<'_>, comparison: &Comparison) -> String {
    let side = |who: &str, calls: &[Exchange], half: &Half| {
        let calls = transcript(calls, |_, call| date_note(call, half));
        format!("<div class=\"card\">\n<p class=\"who\">{who}</p>\n{calls}\n</div>")
    };
    format!(
        "<div class=\"step\">\n<h3>{}</h3>\n<div class=\"pair\">\n{}\n{}\n</div>\n</div>",
        step.title,
        side(RAW, step.raw, &comparison.raw),
        side(OURS, step.ours, &comparison.ours)
    )
}

/// The call that fills the date, where the shop did not get it.
fn date_note(call: &Exchange, half: &Half) -> Note {
    let is_lost =
        call.call.contains("Delivery date") && half.flow.wrong().contains(&"delivery date");
    match is_lost && !call.failed {
        true => Note { right: Some(false), event: Some("The field is still empty.") },
        false => Note::default(),
    }
}

fn foot() -> String {
    format!(
        "<footer class=\"quiet small\">\n<p>How it was measured: {RAW} was run in its text mode, the shortest it has; \
         {OURS} through the call that its MCP server uses. A snapshot was taken only where no answer had shown the \
         page yet, and both sides had 0.4 s for a page to load after a call that led to it. Bytes are those of the \
         text that a model reads; a token is taken as 4 bytes. For the last rows a browser was opened, the host was \
         killed with <code>kill -9</code>, and processes were counted by a mark in their environment.</p>\n\
         <p>To see it again: <code>agent-browser-native demo</code></p>\n</footer>"
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::comparison;
    use super::*;

    #[test]
    fn the_report_needs_nothing_from_outside() {
        let html = document(&comparison());
        for outside in ["src=\"http", "href=\"http", "@import", "url(http", "<script"] {
            assert!(!html.contains(outside), "{outside}");
        }
        assert!(html.contains("data:image/png;base64,"));
    }

    #[test]
    fn text_of_pages_and_calls_cannot_become_markup() {
        let mut comparison = comparison();
        for call in &mut comparison.raw.flow.calls {
            call.answer = "<img src=x onerror=alert(1)>".to_owned();
        }
        assert!(!document(&comparison).contains("<img src=x"));
    }

    #[test]
    fn the_file_is_written_where_it_was_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("a/b");
        let file = write(&out, &comparison()).unwrap();
        assert_eq!(file, out.join("index.html"));
        assert!(
            std::fs::read_to_string(file).unwrap().contains("It refused, and nothing was deleted.")
        );
    }
}
