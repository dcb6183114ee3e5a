//! The prompt guard (GUARD-04, DEC-82): no close before the files that the prompt asked for exist.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::GuardContext;
use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::{FailureCategory, NextAction};
use crate::plan::Step;
use crate::plan::rewrite::absolute;

const SCREENSHOT_ENDINGS: [&str; 4] = [".png", ".jpg", ".jpeg", ".webp"];
const RECORDING_ENDINGS: [&str; 2] = [".webm", ".mp4"];
/// Longest prompt that is looked through; a longer one is a document, not a request.
const PROMPT_LIMIT: usize = 200_000;
/// More named files than this are a list to read, not files to make.
const PATH_LIMIT: usize = 50;

/// Words that ask for a file by themselves.
const SAVING: [&str; 8] =
    ["save", "saving", "saved", "capture", "capturing", "record", "recording", "screenshot"];
/// Words that ask for a file when the sentence also says what is taken.
const TAKING: [&str; 4] = ["take", "taking", "make", "create"];
const TAKEN: [&str; 7] =
    ["screenshot", "screenshots", "picture", "image", "shot", "recording", "video"];
/// A sentence with one of these asks for nothing, or for something else.
const REFUSING: [&str; 5] = ["don't", "dont", "never", "upload", "attach"];

/// The files that a prompt asks for, as they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptNeeds {
    /// Screenshots.
    pub screenshots: Vec<String>,
    /// Recordings; they can be made only where `ffmpeg` is there (GUARD-05).
    pub recordings: Vec<String>,
}

impl PromptNeeds {
    /// The required files as absolute paths.
    #[must_use]
    pub fn required(&self, cwd: &Path, can_record: bool) -> Vec<PathBuf> {
        let recordings = self.recordings.iter().filter(|_| can_record);
        self.screenshots.iter().chain(recordings).map(|path| absolute(cwd, path)).collect()
    }
}

/// Finds the files that a prompt asks to save, take or capture.
///
/// ```
/// use agent_browser_native::guard::prompt::recognise;
/// let needs = recognise("Open the shop. Save a screenshot to shots/cart.png, then close.");
/// assert_eq!(needs.screenshots, ["shots/cart.png"]);
/// ```
#[must_use]
pub fn recognise(prompt: &str) -> PromptNeeds {
    let mut needs = PromptNeeds::default();
    if prompt.len() > PROMPT_LIMIT {
        return needs;
    }
    for sentence in sentences(prompt) {
        if !asks_for_a_file(&sentence) {
            continue;
        }
        for path in paths(&sentence) {
            let list = if ends_with(&path, &RECORDING_ENDINGS) {
                &mut needs.recordings
            } else {
                &mut needs.screenshots
            };
            if !list.contains(&path) && list.len() < PATH_LIMIT {
                list.push(path);
            }
        }
    }
    needs
}

/// Required files that no verified artifact is.
#[must_use]
pub fn missing(required: &[PathBuf], saved: &[PathBuf]) -> Vec<PathBuf> {
    required.iter().filter(|path| !saved.contains(path)).cloned().collect()
}

pub(super) fn check(context: &GuardContext<'_>) -> Checked<()> {
    let Some(first) = context.unsaved.first() else { return Ok(()) };
    if !context.steps.iter().any(closes) {
        return Ok(());
    }
    let line = Line::ours("nothing was closed. The prompt asks for a file that is not saved yet: ")
        .path(first.to_string_lossy());
    let refusal = Refusal::new(FailureCategory::PolicyBlocked, line).detail(
        "promptGuard",
        json!({
            "reason": "requested-artifacts-missing-before-close",
            "missingPaths": context.unsaved,
        }),
    );
    let refusal = context.unsaved.iter().skip(1).fold(refusal, |refusal, path| {
        refusal.hint(Line::ours("Also missing: ").path(path.to_string_lossy()))
    });
    let open = context.session.and_then(|session| session.recording.as_ref());
    Err(
        match open
            .filter(|open| context.unsaved.iter().any(|path| path.as_path() == Path::new(open)))
        {
            Some(_) => refusal.next(NextAction::args(
                "stop-pending-recording",
                "the recording is written when it stops",
                &["record", "stop"],
            )),
            None => refusal,
        },
    )
}

fn closes(step: &Step) -> bool {
    step.argv.is_close()
}

/// The prompt in sentences; the items of a list stay with the line that announces them.
fn sentences(prompt: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut in_list = false;
    for line in prompt.lines() {
        let trimmed = line.trim();
        let is_item = trimmed.starts_with(['-', '*']) || starts_with_number(trimmed);
        match found.last_mut() {
            Some(announcing) if in_list && (is_item || trimmed.is_empty()) => {
                announcing.push(' ');
                announcing.push_str(trimmed);
                continue;
            }
            _ => {}
        }
        found.extend(split_sentences(trimmed));
        in_list = trimmed.ends_with(':');
    }
    found
}

fn starts_with_number(line: &str) -> bool {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    digits > 0 && line.chars().nth(digits).is_some_and(|next| next == '.' || next == ')')
}

fn split_sentences(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut current = String::new();
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let ends = matches!(character, '.' | '!' | '?' | ';');
        if ends && characters.peek().is_none_or(|next| next.is_whitespace()) {
            found.push(std::mem::take(&mut current));
        } else {
            current.push(character);
        }
    }
    found.push(current);
    found
}

fn asks_for_a_file(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|w| !w.is_empty())
        .collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let refused = has(&REFUSING) || words.windows(2).any(|pair| pair == ["do", "not"]);
    !refused && (has(&SAVING) || (has(&TAKING) && has(&TAKEN)))
}

/// Path tokens with one of the endings: quoted ones whole, others up to the next blank.
fn paths(sentence: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut plain = String::new();
    let mut rest = sentence;
    while let Some(start) = rest.find(['`', '"']) {
        let (before, quoted) = rest.split_at(start);
        plain.push_str(before);
        let quote = quoted.chars().next().unwrap_or('"');
        let inner = quoted.get(1..).unwrap_or_default();
        let Some(end) = inner.find(quote) else {
            rest = inner;
            continue;
        };
        let (token, after) = inner.split_at(end);
        if is_path(token) {
            found.push(token.to_owned());
        } else {
            plain.push(' ');
            plain.push_str(token);
        }
        plain.push(' ');
        rest = after.get(1..).unwrap_or_default();
    }
    plain.push_str(rest);
    let tokens = plain.split(|c: char| c.is_whitespace() || "(),<>[]{}".contains(c));
    let tokens = tokens.map(|token| token.trim_start_matches('\''));
    let tokens = tokens.map(|token| token.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'']));
    found.extend(tokens.filter(|token| is_path(token)).map(str::to_owned));
    found
}

fn is_path(token: &str) -> bool {
    let named = [&SCREENSHOT_ENDINGS[..], &RECORDING_ENDINGS[..]]
        .iter()
        .any(|endings| ends_with(token, endings) && !endings.contains(&token));
    named && !token.contains("://") && !token.contains(['*', '\n', '\0']) && token.len() <= 1_024
}

fn ends_with(token: &str, endings: &[&str]) -> bool {
    let lower = token.to_lowercase();
    endings.iter().any(|ending| lower.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screenshots(prompt: &str) -> Vec<String> {
        recognise(prompt).screenshots
    }

    // GUARD-01, DEC-82
    #[test]
    fn paths_in_a_sentence_that_asks_for_them_are_required() {
        assert_eq!(screenshots("Please save it as out/a.png."), ["out/a.png"]);
        assert_eq!(screenshots("Take a screenshot to ./b.JPG and close"), ["./b.JPG"]);
        assert_eq!(screenshots("capture \"my shots/c.webp\" now"), ["my shots/c.webp"]);
        assert_eq!(screenshots("Screenshot the page into `/tmp/d.jpeg`!"), ["/tmp/d.jpeg"]);
        assert_eq!(
            screenshots("Save screenshots:\n- one.png\n- two.png\n\nThen close."),
            ["one.png", "two.png"]
        );
        let needs = recognise("Record a video to run.webm and save end.png");
        assert_eq!(
            (needs.recordings, needs.screenshots),
            (vec!["run.webm".to_owned()], vec!["end.png".to_owned()])
        );
    }

    // GUARD-01, DEC-82
    #[test]
    fn a_mere_mention_of_a_file_requires_nothing() {
        for prompt in [
            "Compare it with old.png.",
            "Open https://shop.test/logo.png and save nothing",
            "Do not save a.png.",
            "Don't take a screenshot a.png",
            "Upload me.jpg, then save the profile.",
            "Take the file a.png from the desk",
            "Save the files as *.png or .png",
            "Open the page. It shows a.png. Then save the form.",
            "",
        ] {
            assert_eq!(recognise(prompt), PromptNeeds::default(), "{prompt}");
        }
    }

    // GUARD-01, DEC-82
    #[test]
    fn items_of_a_list_are_asked_for_by_the_line_that_announces_them() {
        for list in ["1. one.png\n22) two.png", "- one.png\n\n* two.png", "* one.png\n1) two.png"] {
            let prompt = format!("Save these:\n{list}");
            assert_eq!(screenshots(&prompt), ["one.png", "two.png"], "{prompt}");
        }
        for other in [
            "Look at one.png",
            "1 one.png",
            "12",
            ". one.png",
            ") one.png",
            "x) one.png",
            "1x one.png",
        ] {
            let prompt = format!("Save these:\n{other}");
            assert_eq!(screenshots(&prompt), Vec::<String>::new(), "{prompt}");
        }
        assert_eq!(screenshots("Save the form.\n- one.png"), Vec::<String>::new());
    }

    // GUARD-01, DEC-82
    #[test]
    fn every_file_is_required_once_and_documents_ask_for_nothing() {
        assert_eq!(screenshots("Save a.png. Then save a.png again."), ["a.png"]);
        let many: String = (0..PATH_LIMIT + 10).map(|n| format!(" s{n}.png")).collect();
        assert_eq!(screenshots(&format!("save{many}")).len(), PATH_LIMIT);
        let filled = |length: usize| format!("save a.png {}", "x".repeat(length - 11));
        assert_eq!(screenshots(&filled(PROMPT_LIMIT)), ["a.png"]);
        assert_eq!(screenshots(&filled(PROMPT_LIMIT + 1)), Vec::<String>::new());
    }

    // GUARD-05
    #[test]
    fn recordings_are_required_only_where_recording_works() {
        let needs = recognise("Record to a.webm and save b.png");
        let cwd = Path::new("/home/ann");
        assert_eq!(needs.required(cwd, false), [PathBuf::from("/home/ann/b.png")]);
        assert_eq!(needs.required(cwd, true).len(), 2);
    }

    // DEC-82
    #[test]
    fn spellings_of_a_path_are_one() {
        let needs = recognise("save ./x/../shots/a.png and /abs/b.png");
        let required = needs.required(Path::new("/w"), true);
        let saved = [PathBuf::from("/w/shots/a.png")];
        assert_eq!(missing(&required, &saved), [PathBuf::from("/abs/b.png")]);
    }
}
