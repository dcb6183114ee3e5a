//! A solver that is as lazy as a task allows.
//!
//! It reads nothing but the answers. It uses a control that an answer on the same page has shown, and
//! takes a look only when none has. One command is one turn.

use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use regex::Regex;

use super::tasks::{Control, Step, Task};
use crate::Result;
use crate::rust_source::regex;
use crate::world::{Answer, Ours, World};

/// A model thinks before it calls; pages settle meanwhile, for every side alike.
const THINKING: Duration = Duration::from_secs(1);
/// Looks that may follow each other when a page is slow.
const LOOKS: usize = 3;

/// Who answers.
pub(super) enum Side<'a> {
    /// The text that upstream prints in a shell.
    Raw(&'a World),
    /// The text of our MCP door.
    Ours(&'a mut Ours),
}

/// One call with what came back.
pub(super) struct Turn {
    pub(super) call: String,
    pub(super) text: String,
    pub(super) failed: bool,
}

/// How a task went.
pub(super) struct Run {
    pub(super) turns: Vec<Turn>,
    /// Why it was not finished.
    pub(super) stopped: Option<String>,
}

impl Run {
    /// Bytes of answers that the model reads again, summed over its inputs.
    ///
    /// Every turn has all earlier answers in its input; the last answer is read once, to finish.
    pub(super) fn replayed_bytes(&self) -> usize {
        let count = self.turns.len();
        let weighted = self.turns.iter().enumerate();
        weighted.map(|(index, turn)| turn.text.len() * (count - index)).sum()
    }

    /// How often the model was asked: once per turn, and once to finish.
    pub(super) fn inputs(&self) -> usize {
        self.turns.len() + 1
    }
}

struct Solver<'a> {
    side: Side<'a>,
    turns: Vec<Turn>,
    /// First answer that describes this page.
    page_from: usize,
    /// First answer since the page was last acted on.
    acted_from: usize,
}

/// How a control is addressed.
enum Target {
    Ref(String),
    /// No answer shows it; the page may still have it.
    Unseen,
}

/// Works through a task; `url` makes addresses of paths.
pub(super) fn solve(side: Side<'_>, task: &Task, url: &dyn Fn(&str) -> Result<String>) -> Run {
    let mut solver = Solver { side, turns: Vec::new(), page_from: 0, acted_from: 0 };
    let done = task.steps.iter().try_for_each(|step| solver.step(step, url));
    Run { turns: solver.turns, stopped: done.err().map(|error| error.to_string()) }
}

impl Solver<'_> {
    fn step(&mut self, step: &Step, url: &dyn Fn(&str) -> Result<String>) -> Result<()> {
        match step {
            Step::Open(path) => {
                let address = url(path)?;
                self.must(&["open", &address])?;
                self.left_page();
            }
            Step::Click(control) => self.act(*control, "click", None)?,
            Step::Follow(control) => {
                self.act(*control, "click", None)?;
                self.left_page();
            }
            Step::Fill(control, text) => self.act(*control, "fill", Some(text))?,
            Step::Check(control) => self.act(*control, "check", None)?,
            Step::Press(key) => {
                self.must(&["press", key])?;
                self.acted();
            }
            Step::PressToLeave(key) => {
                self.must(&["press", key])?;
                self.left_page();
            }
            Step::Accept => {
                self.must(&["dialog", "accept"])?;
                self.acted();
            }
            Step::Expect(text) => {
                if !self.has_read(text) {
                    self.must(&["wait", "--text", text])?;
                }
            }
            Step::Read(fact) => self.read(fact)?,
        }
        Ok(())
    }

    /// The last answer is the first of a new page.
    fn left_page(&mut self) {
        self.page_from = self.turns.len() - 1;
        self.acted();
    }

    fn acted(&mut self) {
        self.acted_from = self.turns.len() - 1;
    }

    fn turn(&mut self, words: &[&str]) -> Result<&Turn> {
        thread::sleep(THINKING);
        let Answer { text, is_error, .. } = match &mut self.side {
            Side::Raw(world) => world.raw_text(words)?,
            Side::Ours(ours) => ours.call(words)?,
        };
        let text = text.trim_end().to_owned();
        self.turns.push(Turn { call: words.join(" "), text, failed: is_error });
        self.turns.last().ok_or_else(|| "no turn".into())
    }

    fn must(&mut self, words: &[&str]) -> Result<()> {
        let turn = self.turn(words)?;
        if turn.failed { Err(format!("{}: {}", turn.call, turn.text).into()) } else { Ok(()) }
    }

    /// Does something with a control; a refusal leads to one more look.
    fn act(&mut self, control: Control, verb: &str, text: Option<&str>) -> Result<()> {
        let mut target = self.locate(control)?;
        for _ in 0..LOOKS {
            let mut words = match &target {
                Target::Ref(id) => vec![verb, id],
                Target::Unseen => vec!["find", "role", control.role, verb],
            };
            words.extend(text);
            if matches!(target, Target::Unseen) {
                words.extend(["--name", control.name, "--exact"]);
            }
            if !self.turn(&words)?.failed {
                self.acted();
                return Ok(());
            }
            target = self.look(control)?;
        }
        Err(format!("{verb} {} \"{}\" was never possible", control.role, control.name).into())
    }

    fn locate(&mut self, control: Control) -> Result<Target> {
        let known = self.turns.get(self.page_from..).unwrap_or_default();
        if let Some(id) = known.iter().rev().find_map(|turn| shown(&turn.text, control)) {
            return Ok(Target::Ref(id));
        }
        let named =
            |turn: &Turn| names_the_way_to_the_rest(&turn.text) || brought(&turn.text, control);
        if known.iter().any(named) {
            return Ok(Target::Unseen);
        }
        self.look(control)
    }

    /// Looks at the page, again when it may still be loading.
    fn look(&mut self, control: Control) -> Result<Target> {
        for _ in 0..LOOKS {
            let text = &self.turn(&["snapshot", "-i"])?.text;
            if let Some(id) = shown(text, control) {
                return Ok(Target::Ref(id));
            }
            if names_the_way_to_the_rest(text) {
                break;
            }
        }
        Ok(Target::Unseen)
    }

    fn read(&mut self, fact: &str) -> Result<()> {
        for _ in 0..LOOKS {
            if self.has_read(fact) {
                return Ok(());
            }
            self.turn(&["get", "text", "body"])?;
        }
        if self.has_read(fact) { Ok(()) } else { Err(format!("never read \"{fact}\"").into()) }
    }

    fn has_read(&self, fact: &str) -> bool {
        let answers = self.turns.get(self.acted_from..).unwrap_or_default();
        answers.iter().any(|turn| says(&turn.text, fact))
    }
}

static CONTROL: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"^\s*- (\S+)(?: "((?:[^"\\]|\\.)*)")? ?\[(?:[^\]]*, )?ref=(e\d+)"#));

/// The ref of a control in a text.
fn shown(text: &str, control: Control) -> Option<String> {
    text.lines().find_map(|line| {
        let parts = CONTROL.captures(line)?;
        let part = |index| parts.get(index).map_or("", |part| part.as_str());
        let same = part(1) == control.role && part(2).trim() == control.name;
        same.then(|| format!("@{}", part(3)))
    })
}

/// True when an answer names the control among those that an act has brought.
fn brought(text: &str, control: Control) -> bool {
    let wanted = format!("{} \"{}\"", control.role, control.name);
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("New controls: "));
    lines.any(|line| line.split(", ").any(|named| named == wanted))
}

/// True when an answer says how to reach what it does not show.
fn names_the_way_to_the_rest(text: &str) -> bool {
    text.contains("find role ROLE")
}

/// True when a text states a fact: short ones must stand in quotes, or at the end of a line.
fn says(text: &str, fact: &str) -> bool {
    let ends = |line: &str| {
        let head = line.trim().strip_suffix(fact);
        head.is_some_and(|head| head.is_empty() || head.ends_with(char::is_whitespace))
    };
    let quoted = format!("\"{fact}\"");
    text.lines().any(ends) || text.contains(&quoted) || (fact.len() > 4 && text.contains(fact))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAVE: Control = Control { role: "button", name: "Save" };

    #[test]
    fn a_control_is_found_by_role_and_whole_name() {
        let text = "Snapshot: 3 refs\n- button \"Save all\" [ref=e1]\n  - button \"Save \" \
                    [disabled, ref=e22]\n- link \"Save\" [ref=e3]";
        assert_eq!(shown(text, SAVE), Some("@e22".to_owned()));
        assert_eq!(shown("- button \"Close\" [ref=e1]", SAVE), None);
    }

    #[test]
    fn a_control_that_an_act_brings_is_known_by_its_words() {
        let text = "Clicked. Page changed.\nNew controls: link \"Save\", button \"Save\"";
        assert!(brought(text, SAVE) && !brought("New controls: link \"Save\"", SAVE));
    }

    #[test]
    fn short_facts_are_no_parts_of_others() {
        assert!(says("Order 1\tsent\t99\nmore", "99"));
        assert!(says("- cell \"99\" [ref=e1]", "99"));
        assert!(!says("199 rows, 99 of them new", "99"));
        assert!(says("Now 40 rows where", "40 rows"));
    }

    #[test]
    fn later_inputs_hold_every_earlier_answer() {
        let turn =
            |length: usize| Turn { call: String::new(), text: "x".repeat(length), failed: false };
        let run = Run { turns: vec![turn(100), turn(10)], stopped: None };
        assert_eq!((run.replayed_bytes(), run.inputs()), (210, 3));
    }
}
