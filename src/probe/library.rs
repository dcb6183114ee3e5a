//! The page scripts as one library. A document keeps it beside the marks of its last snapshot, so that
//! later rows on the same document bring only the call: 70 kB less for upstream and the browser to
//! read in front of and behind every act.
//!
//! A row is the library, or a line that takes the kept one, and then the call. Both are base64 of a
//! whole number of groups, so that they are put together without encoding the library again.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::FAILED_MARKER;

const COMMON: &str = include_str!("js/common.js");
const LOOK: &str = include_str!("js/look.js");

/// Every script that rows call, or that these rely on.
const SCRIPTS: [&str; 36] = [
    COMMON,
    LOOK,
    include_str!("js/spoken.js"),
    include_str!("js/target.js"),
    include_str!("js/field.js"),
    include_str!("js/fill.js"),
    include_str!("js/hold.js"),
    include_str!("js/form.js"),
    include_str!("js/frames.js"),
    include_str!("js/said.js"),
    include_str!("js/requests.js"),
    include_str!("js/recycled.js"),
    include_str!("js/identity.js"),
    include_str!("js/events.js"),
    include_str!("js/before.js"),
    include_str!("js/ready.js"),
    include_str!("js/fresh.js"),
    include_str!("js/front.js"),
    include_str!("js/held.js"),
    include_str!("js/working.js"),
    include_str!("js/after.js"),
    include_str!("js/looks.js"),
    include_str!("js/verdict.js"),
    include_str!("js/still.js"),
    include_str!("js/shows.js"),
    include_str!("js/focus.js"),
    include_str!("js/questions.js"),
    include_str!("js/scroll_position.js"),
    include_str!("js/press.js"),
    include_str!("js/combobox.js"),
    include_str!("js/found.js"),
    include_str!("js/trouble.js"),
    include_str!("js/scripts.js"),
    include_str!("js/checked.js"),
    include_str!("js/selected.js"),
    include_str!("js/texts.js"),
];
/// What rows call.
const CALLED: &str = "after, askBehind, askInFront, before, checkExact, checkField, checkIdentity, \
                      focusNow, look, lookAgain, lookBehind, shows, stopIfFailed, takeUp, whenStill, whenThere";
/// Takes the place of upstream's flag until it is known what stands in front of the call.
const CALL: &str = "--call";
/// The same for a look, of several behind a command.
const LOOK_CALL: &str = "--look";
/// What a row begins with that found no library in its document.
const ABSENT: &str = "agent-browser-native:no-library:";

/// What stands in front of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Front {
    /// The library; the document keeps it.
    Library,
    /// The one that the document keeps; without it the row fails and nothing happens.
    Kept,
    /// The one that the document keeps; without it the row tells only where the page is.
    KeptOrNothing,
    /// The same for a look: where the page is ends the looks.
    KeptOrEnd,
}

impl Front {
    fn encoded(self) -> &'static str {
        static LIBRARY: LazyLock<String> = LazyLock::new(|| in_groups(&library()));
        static KEPT: LazyLock<String> = LazyLock::new(|| in_groups(&kept(&throws())));
        static KEPT_OR_NOTHING: LazyLock<String> = LazyLock::new(|| in_groups(&kept(&returned())));
        static KEPT_OR_END: LazyLock<String> = LazyLock::new(|| in_groups(&kept(&ended())));
        match self {
            Self::Library => &LIBRARY,
            Self::Kept => &KEPT,
            Self::KeptOrNothing => &KEPT_OR_NOTHING,
            Self::KeptOrEnd => &KEPT_OR_END,
        }
    }
}

/// The page without the library's help.
const PLACE: &str = "{ doc: String(performance.timeOrigin), url: location.href, \
                     title: document.title, armed: false, absent: true, \
                     status: (performance.getEntriesByType(\"navigation\")[0] || {}).responseStatus || 0 }";

fn returned() -> String {
    format!("return {PLACE};")
}

fn ended() -> String {
    format!("throw new Error({} + JSON.stringify({PLACE}));", json!(FAILED_MARKER))
}

fn throws() -> String {
    format!("throw new Error({});", json!(ABSENT))
}

/// Comments and indentation are for people.
fn stripped() -> String {
    let lines = SCRIPTS.iter().flat_map(|script| script.lines()).map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Another version of this program may have left its own.
fn version() -> String {
    let sum = stripped().bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{sum:x}")
}

const MARK: &str = "document[Symbol.for(\"agent-browser-native\")]";

fn library() -> String {
    format!(
        "(() => {{ const library = (() => {{ {}\nreturn {{ {CALLED} }}; }})(); \
         library.version = {}; const mark = {MARK} || {{}}; mark.library = library; \
         Object.defineProperty(document, Symbol.for(\"agent-browser-native\"), \
         {{ value: mark, configurable: true }}); const {{ {CALLED} }} = library;",
        stripped(),
        json!(version()),
    )
}

fn kept(absent: &str) -> String {
    format!(
        "(() => {{ const library = ({MARK} || {{}}).library; \
         if (!library || library.version !== {}) {{ {absent} }} const {{ {CALLED} }} = library;",
        json!(version()),
    )
}

/// Blanks make the last group whole.
fn in_groups(script: &str) -> String {
    let blanks = (3 - script.len() % 3) % 3;
    STANDARD.encode(format!("{script}{}", " ".repeat(blanks)))
}

/// A row that calls the library; `body` is its statements.
pub(super) fn call_row(body: &str, ask: &Value) -> Vec<String> {
    call(CALL, body, ask)
}

/// The same for one of several looks behind a command.
pub(super) fn look_call_row(body: &str, ask: &Value) -> Vec<String> {
    call(LOOK_CALL, body, ask)
}

fn call(flag: &str, body: &str, ask: &Value) -> Vec<String> {
    vec!["eval".into(), flag.into(), STANDARD.encode(format!(" const ask = {ask}; {body} }})()"))]
}

/// A row that brings the little that it needs.
pub(super) fn plain_row(answer: &str, ask: &Value) -> Vec<String> {
    let body = answered(answer);
    super::eval_row(&format!("(() => {{ {COMMON}{LOOK} const ask = {ask}; {body} }})()"))
}

/// The answer as a statement. An exception becomes a value, because a failing probe must never fail
/// the call; only a check that stands in front of it may throw, and what is awaited may reject.
pub(super) fn answered(answer: &str) -> String {
    format!(
        "try {{ return {answer}; }} catch (error) {{ return {{ probeError: String(error) }}; }}"
    )
}

/// Whether a row calls the library.
#[must_use]
pub fn is_call(row: &[String]) -> bool {
    matches!(row, [command, flag, _] if command == "eval" && (flag == CALL || flag == LOOK_CALL))
}

/// A row as upstream gets it.
#[must_use]
pub fn with_front(row: &[String], front: Front) -> Vec<String> {
    match row {
        [command, flag, call] if is_call(row) => {
            let is_look = flag == LOOK_CALL && front == Front::KeptOrNothing;
            let front = if is_look { Front::KeptOrEnd } else { front };
            vec![command.clone(), "-b".into(), format!("{}{call}", front.encoded())]
        }
        _ => row.to_vec(),
    }
}

/// Whether a row failed because its document keeps no library.
#[must_use]
pub fn is_absent(error: &str) -> bool {
    error.contains(ABSENT)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A name that two scripts declare would keep every row from running.
    #[test]
    fn scripts_declare_every_name_once() {
        let mut names = BTreeSet::new();
        for line in SCRIPTS.iter().flat_map(|script| script.lines()) {
            let Some(rest) = line.strip_prefix("const ") else { continue };
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(names.insert(name.clone()), "{name}");
        }
        for called in CALLED.split(", ") {
            assert!(names.contains(called), "{called}");
        }
    }

    // DEC-90
    #[test]
    fn a_row_is_one_script_whatever_stands_in_front_of_the_call() {
        let row = call_row("return look(ask);", &json!({ "mark": true }));
        assert!(is_call(&row) && !is_call(&super::super::eval_row("1")));
        for front in [Front::Library, Front::Kept, Front::KeptOrNothing] {
            let sent = with_front(&row, front);
            assert_eq!(sent[..2], ["eval", "-b"]);
            let script = String::from_utf8(STANDARD.decode(&sent[2]).unwrap()).unwrap();
            assert!(script.starts_with("(() => {"), "{script}");
            assert!(script.ends_with(" const ask = {\"mark\":true}; return look(ask); })()"));
        }
        assert_eq!(with_front(&["get".into(), "title".into()], Front::Kept), ["get", "title"]);
    }
}
