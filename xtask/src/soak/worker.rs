//! One session: sends calls, compares every answer with the model, and starts over after a fault.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::dice::Dice;
use super::door::{Answer, Door};
use super::expect::Expect;
use super::model::{Letter, Model};
use super::{calls, faults, tabs};
use crate::Result;

/// How many calls a session may need after a fault until `open` works.
const RECOVERY_CALLS: usize = 3;
/// One action in so many is a fault.
const FAULT_EVERY: usize = 14;
/// Exchanges that are shown with a wrong answer.
const RECENT: usize = 5;
/// The note that somebody else has moved the page; wrong where nobody has.
const MOVED: &str = "the page had become another one";
/// How calls of a session in trouble may fail.
pub(super) const TROUBLE: &[&str] = &["tab-drift", "tab-gone", "timeout", "upstream-error"];

/// Where things are.
pub(super) struct Ground {
    /// `http://…` without a path.
    pub(super) site: String,
    /// The working directory of the servers.
    pub(super) work: PathBuf,
    /// Upstream's socket directory.
    pub(super) sockets: PathBuf,
    /// Somebody wants the run to end.
    pub(super) stop: Arc<AtomicBool>,
}

/// A wrong answer.
pub(super) struct Wrong {
    pub(super) session: char,
    pub(super) sent: String,
    pub(super) reason: String,
    pub(super) text: String,
    /// What the session had just been through.
    pub(super) after: String,
    /// The exchanges before it.
    pub(super) before: Vec<String>,
}

/// What a session has done.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) calls: usize,
    pub(super) wrong: Vec<Wrong>,
    pub(super) faults: BTreeMap<&'static str, usize>,
    pub(super) failures: BTreeMap<String, usize>,
    pub(super) slowest: (Duration, String),
    /// Screenshots without a path: upstream keeps each, for the caller.
    pub(super) pictures: usize,
}

pub(super) struct Worker {
    pub(super) model: Model,
    pub(super) door: Arc<Door>,
    /// The caller's own name of the session; without one it is the connection's managed session.
    pub(super) name: Option<String>,
    pub(super) dice: Dice,
    pub(super) ground: Arc<Ground>,
    pub(super) tally: Tally,
    /// Upstream's name of the session, as the last answer says.
    pub(super) upstream_name: Option<String>,
    /// The page may have moved by itself, so an answer may say so.
    pub(super) may_move: bool,
    /// The model does not know the page any more.
    pub(super) is_lost: bool,
    last_action: &'static str,
    /// The last exchanges, for whoever reads about a wrong answer.
    recent: VecDeque<String>,
}

impl Worker {
    pub(super) fn new(
        letter: Letter,
        name: Option<String>,
        door: Arc<Door>,
        seed: u64,
        ground: Arc<Ground>,
    ) -> Self {
        Self {
            model: Model::new(letter),
            door,
            name,
            dice: Dice::new(seed.wrapping_add(u64::from(u32::from(letter.0)))),
            ground,
            tally: Tally::default(),
            upstream_name: None,
            may_move: false,
            is_lost: true,
            last_action: "start",
            recent: VecDeque::new(),
        }
    }

    /// Works until the time is over, then leaves one known page in one tab.
    pub(super) fn work_until(&mut self, end: Instant) -> Result<()> {
        while Instant::now() < end && !self.is_stopped() {
            if self.is_lost {
                self.recover()?;
            }
            if self.dice.once_in(FAULT_EVERY) {
                faults::one(self)?;
            } else if let Some((name, action)) = self.dice.weighted(calls::ACTIONS) {
                self.last_action = name;
                action(self)?;
            }
        }
        if self.is_stopped() { Ok(()) } else { self.recover() }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.ground.stop.load(Ordering::Relaxed)
    }

    pub(super) fn begin_fault(&mut self, name: &'static str) {
        self.last_action = name;
        *self.tally.faults.entry(name).or_default() += 1;
    }

    pub(super) fn url(&self, mark: &str) -> String {
        format!("{}/soak.html?mark={mark}", self.ground.site)
    }

    /// The path of a file below the working directory, one of a few per session.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        Path::new("out").join(format!("{}-{name}", self.model.letter.0))
    }

    /// The call of a command on this session.
    pub(super) fn command(&self, words: &[&str]) -> Value {
        let named = self.name.iter().flat_map(|name| ["--session", name.as_str()]);
        let args: Vec<&str> = named.chain(words.iter().copied()).collect();
        json!({ "args": args })
    }

    /// Sends a command; the answer, when it is right.
    pub(super) fn run(&mut self, words: &[&str], expect: &Expect) -> Result<Option<Answer>> {
        self.send(&self.command(words), expect)
    }

    /// Sends a call; the answer, when it is right.
    pub(super) fn send(&mut self, call: &Value, expect: &Expect) -> Result<Option<Answer>> {
        self.tally.calls += 1;
        let answer = match self.door.call(call) {
            Ok(answer) => answer,
            Err(_) if self.is_stopped() => return Ok(None),
            Err(error) => {
                self.note_wrong(call, &error.to_string(), "");
                return Err(error);
            }
        };
        self.note(call, &answer);
        let foreign = self.model.letter.foreign_in(&answer.raw);
        let foreign = foreign.map(|word| format!("holds {word}"));
        let moved = !self.may_move && answer.text.contains(MOVED);
        let moved = moved.then(|| "nobody has moved the page".to_owned());
        match foreign.or(moved).or_else(|| expect.wrong(&answer)) {
            None => Ok(Some(answer)),
            Some(_) if self.is_stopped() => Ok(None),
            Some(reason) => {
                self.note_wrong(call, &reason, &answer.text);
                Ok(None)
            }
        }
    }

    fn note(&mut self, call: &Value, answer: &Answer) {
        if let Some(name) = answer.details["sessionName"].as_str() {
            self.upstream_name = Some(name.to_owned());
        }
        if let Some(category) = &answer.category {
            *self.tally.failures.entry(category.clone()).or_default() += 1;
        }
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        let line = answer.text.lines().next().unwrap_or_default();
        self.recent.push_back(format!("{} ms {call} -> {line}", answer.time.as_millis()));
        if answer.time > self.tally.slowest.0 {
            self.tally.slowest = (answer.time, call.to_string());
        }
    }

    /// Keeps a wrong answer; the next action starts over with a page that is known.
    pub(super) fn note_wrong(&mut self, call: &Value, reason: &str, text: &str) {
        let wrong = Wrong {
            session: self.model.letter.0,
            sent: call.to_string(),
            reason: reason.to_owned(),
            text: text.to_owned(),
            after: self.last_action.to_owned(),
            before: self.recent.iter().cloned().collect(),
        };
        println!("{}", wrong.shown());
        self.tally.wrong.push(wrong);
        self.is_lost = true;
    }

    /// Opens a new page, within a few calls, and closes every other tab.
    pub(super) fn recover(&mut self) -> Result<()> {
        let mark = self.model.fresh_mark();
        let url = self.url(&mark);
        let opened = format!("Opened \"Soak {mark}\" {url}\n");
        for _ in 1..RECOVERY_CALLS {
            self.tally.calls += 1;
            let call = self.command(&["open", &url]);
            let answer = match self.door.call(&call) {
                Ok(answer) => answer,
                Err(_) if self.is_stopped() => return Ok(()),
                Err(error) => return Err(error),
            };
            self.note(&call, &answer);
            if answer.category.is_none() && answer.text.starts_with(&opened) {
                return self.keep_one_tab(&mark, &answer.text);
            }
            if !answer.category.as_deref().is_some_and(|name| TROUBLE.contains(&name)) {
                self.note_wrong(&call, "the session does not recover", &answer.text);
            }
            // A dialog of the old page holds everything until somebody answers it.
            if answer.text.contains("dialog is open") {
                self.run(&["dialog", "dismiss"], &Expect::starts("Dialog "))?;
            }
        }
        match self.run(&["open", &url], &Expect::Has(opened, Vec::new()))? {
            Some(answer) => self.keep_one_tab(&mark, &answer.text),
            None => Ok(()),
        }
    }

    fn keep_one_tab(&mut self, mark: &str, opened: &str) -> Result<()> {
        self.model.start_over(mark);
        self.model.learn(opened);
        self.is_lost = false;
        self.may_move = false;
        let Some(list) = self.run(&["tab", "list"], &Expect::starts("Tabs: "))? else {
            return Ok(());
        };
        let tabs = tabs::listed(&list.text);
        for (id, _) in tabs.iter().filter(|(_, is_active)| !is_active) {
            self.run(&["tab", "close", id], &Expect::starts(format!("Closed tab {id}.")))?;
            self.model.forget();
        }
        let active = tabs.iter().find(|(_, is_active)| *is_active);
        self.model.tab().id = active.map(|(id, _)| id.clone());
        if active.is_none() {
            let call = self.command(&["tab", "list"]);
            self.note_wrong(&call, "no tab is active", &list.text);
        }
        Ok(())
    }
}

impl Wrong {
    pub(super) fn shown(&self) -> String {
        let text: String = self.text.chars().take(1_500).collect();
        let Self { session, sent, reason, after, .. } = self;
        let before: String = self.before.iter().map(|line| format!("  before: {line}\n")).collect();
        format!("WRONG session {session} ({after}): {reason}\n{before}  sent {sent}\n  got  {text}")
    }
}
