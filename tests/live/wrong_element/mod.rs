//! Old refs on changed pages: every case is opened, snapshotted, changed and acted on, once through
//! the tool and once with raw upstream. What received an event is told by the pages themselves.

mod hands;
mod navigations;
mod recycled;
mod same_document;
mod scene;
mod single;
mod text;

use std::collections::BTreeSet;

use hands::{Did, Hand, Ours, RawHand};
use scene::{Control, Frame, Scene, Step};

use crate::support::bed::Bed;
use crate::support::full;
use crate::support::pages::Pages;

/// What has to come of an act with an old ref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The intended element received the event.
    Act,
    /// Nothing received an event: `stale-ref`, with a ready `Next`.
    Refuse,
    /// The same, and no upstream process was started.
    RefuseBeforeSpawn,
    /// The old document was still there, or refused; never the new one.
    RefuseOrOldDocument,
    /// Refused, or done with a sentence that names what is different.
    RefuseOrSay,
    /// Refused: `stale-ref`, or `tab-drift` with the way back.
    RefuseOtherTab,
    /// Nothing received an event, and the text says why in one of these words.
    FailSaying(&'static [&'static str]),
}

/// One row of the table of cases.
struct Case {
    number: &'static str,
    change: &'static str,
    /// In front of the page with the control.
    before: &'static [Step],
    /// Between its snapshot and the act.
    steps: &'static [Step],
    /// Further elements of the page with the control.
    extra: &'static str,
    /// The control stands in a frame of the page.
    frame: Frame,
    /// Which of several controls of that role and name is meant.
    nth: usize,
    /// Commands whose control allows it; none = all.
    only: &'static [&'static str],
    outcome: Outcome,
}

const fn case(
    number: &'static str,
    change: &'static str,
    extra: &'static str,
    steps: &'static [Step],
    outcome: Outcome,
) -> Case {
    let (frame, nth) = (Frame::None, 0);
    Case { number, change, before: &[], steps, extra, frame, nth, only: &[], outcome }
}

/// What one attempt came to.
struct Attempt {
    did: Did,
    /// Elements that received an event of the command.
    hit: BTreeSet<String>,
}

impl Attempt {
    fn refused(&self) -> bool {
        self.did.failed && self.hit.is_empty()
    }

    /// The cell of the table.
    fn word(&self) -> String {
        let said = if self.did.failed { "failed" } else { "success" };
        match self.hit.iter().next() {
            None if self.did.failed => "refused".to_owned(),
            None => "success, nothing received it".to_owned(),
            Some(_) => {
                let hit: Vec<&str> = self.hit.iter().map(String::as_str).collect();
                format!("{said}, hit {}", hit.join(" and "))
            }
        }
    }

    fn judge(&self, outcome: Outcome) -> Result<(), String> {
        let text = &self.did.text;
        let with_next = text.contains("\nNext: {\"args\":");
        let stale = text.starts_with("Failed (stale-ref") && with_next;
        let drift = text.starts_with("Failed (tab-drift") && with_next;
        let intended = self.hit == BTreeSet::from(["old#t".to_owned()]);
        let good = match outcome {
            Outcome::Act => !self.did.failed && intended,
            Outcome::Refuse => self.refused() && stale,
            Outcome::RefuseBeforeSpawn => self.refused() && stale && self.did.processes == Some(0),
            // A navigation that was on its way already can only be noticed afterwards: never silently.
            Outcome::RefuseOrOldDocument => {
                self.refused()
                    || intended
                    || (drift && text.contains("may have landed on the next one"))
            }
            Outcome::RefuseOtherTab => self.refused() && (stale || drift),
            Outcome::FailSaying(words) => {
                self.refused() && words.iter().any(|word| text.contains(word))
            }
            Outcome::RefuseOrSay => {
                let said = ["re-created", "now named", "now stands in"];
                (self.refused() && stale) || said.iter().any(|words| text.contains(words))
            }
        };
        let processes = self.did.processes;
        if good {
            Ok(())
        } else {
            Err(format!("{}, {processes:?} processes, text: {text}", self.word()))
        }
    }
}

/// One attempt with one hand.
fn attempt(
    hand: &mut dyn Hand,
    pages: &Pages,
    case: &Case,
    control: &Control,
    twin: bool,
) -> Attempt {
    let scene = Scene::set(pages, case.extra, control, case.frame, twin);
    for step in case.before {
        scene.take(step, hand);
    }
    let opened = hand.run(&["open", &scene.address("{old}")]);
    assert!(!opened.failed, "{} {}: {}", case.number, control.command, opened.text);
    let refs = hand.refs(&control.named(), case.nth);
    for step in case.steps {
        scene.take(step, hand);
    }
    let args = control.act(&refs);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let did = hand.run(&args);
    Attempt { hit: scene.hit(control), did }
}

/// Runs cases with both hands, prints the table, and fails with every case that is wrong.
fn run(cases: &[Case], controls: &[Control], twins: &[bool]) {
    let pages = Pages::start();
    let bed = Bed::new();
    let mut ours = Ours::start(&bed);
    let mut raw = RawHand::new(&bed);
    let mut wrong = Vec::new();
    println!("\n| case | command | twin | ours | raw |\n|---|---|---|---|---|");
    for control in controls {
        let allowed = |case: &&Case| case.only.is_empty() || case.only.contains(&control.command);
        for case in cases.iter().filter(allowed) {
            for &twin in twins {
                let one = attempt(&mut ours, &pages, case, control, twin);
                let other = attempt(&mut raw, &pages, case, control, twin);
                let name = format!("{} {}", case.number, case.change);
                let command = control.command;
                println!("| {name} | {command} | {twin} | {} | {} |", one.word(), other.word());
                if let Err(problem) = one.judge(case.outcome) {
                    wrong.push(format!(
                        "{name}, {command}, twin {twin}: wanted {:?}, got {problem}",
                        case.outcome
                    ));
                }
            }
        }
    }
    raw.close();
    assert!(wrong.is_empty(), "{} wrong:\n{}\n", wrong.len(), wrong.join("\n"));
}

fn run_with_click(cases: &[Case]) {
    run(cases, &[Control::of("click")], &[false, true]);
}

/// The other commands: every case in a full run, else the ones that differ most.
fn run_with_the_others(cases: &[Case], few: &[&str]) {
    let controls: Vec<Control> = scene::COMMANDS
        .iter()
        .filter(|name| **name != "click")
        .map(|name| Control::of(name))
        .collect();
    if full() {
        run(cases, &controls, &[false, true]);
        return;
    }
    let chosen: Vec<&Case> = cases.iter().filter(|case| few.contains(&case.number)).collect();
    assert_eq!(chosen.len(), few.len(), "every number is that of one case");
    for case in chosen {
        run(std::slice::from_ref(case), &controls, &[true]);
    }
}

// HAZ-01, HAZ-25, PAGE-30
#[test]
fn live_click_after_the_page_was_left_is_refused() {
    run_with_click(navigations::CASES);
}

// HAZ-01, HAZ-22, PAGE-30
#[test]
fn live_other_acts_after_the_page_was_left_are_refused() {
    run_with_the_others(navigations::CASES, &["2t", "16a", "17"]);
}

// HAZ-01, HAZ-16, HAZ-25, DEC-95, PAGE-33
#[test]
fn live_click_after_the_document_changed_meets_the_same_element_or_nothing() {
    run_with_click(same_document::CASES);
}

// HAZ-01, HAZ-25
#[test]
fn live_other_acts_after_the_document_changed_meet_the_same_element_or_nothing() {
    run_with_the_others(same_document::CASES, &["22", "24d", "25", "25d", "28d", "36", "40"]);
}
