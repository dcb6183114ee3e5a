//! The report, as lines for people and as JSON for programs; both pass the redaction gate.

use serde_json::{Value, json};

use super::context::UpstreamFacts;
use super::{Finding, State};
use crate::redact::{Redactor, SafeJson, SafeText};

/// Longest name of a check.
pub(super) const ID_WIDTH: usize = 13;

/// Everything that was found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The upstream that calls use.
    pub upstream: UpstreamFacts,
    /// Every check by name, in order.
    pub findings: Vec<(&'static str, Finding)>,
}

impl Report {
    /// Calls will work: nothing that is required is red.
    #[must_use]
    pub fn is_healthy(&self) -> bool {
        self.count(State::Failed) == 0
    }

    fn count(&self, state: State) -> usize {
        self.findings.iter().filter(|(_, finding)| finding.state == state).count()
    }

    /// Lines for people. Colours only where a terminal shows them.
    #[must_use]
    pub fn to_text(&self, colours: bool) -> SafeText {
        let gate = Redactor::new([]);
        let mut lines = Vec::new();
        for (id, finding) in &self.findings {
            let text = gate.safe_text(&finding.text).one_line();
            lines.push(format!(
                "{}  {id:<ID_WIDTH$}  {}",
                mark(finding.state, colours),
                text.as_str()
            ));
            if let Some(remedy) = &finding.remedy {
                let indent = " ".repeat(MARK_WIDTH + 2 + ID_WIDTH);
                let remedy = gate.safe_text(remedy).one_line();
                lines.push(format!("{indent}  Fix: {}", remedy.as_str()));
            }
        }
        lines.push(self.summary());
        gate.safe_text(&lines.join("\n"))
    }

    fn summary(&self) -> String {
        let optional = match self.count(State::Optional) {
            0 => String::new(),
            1 => " 1 optional thing is missing or worth a look.".to_owned(),
            many => format!(" {many} optional things are missing or worth a look."),
        };
        match self.count(State::Failed) {
            0 => format!("Everything that calls need works.{optional}"),
            1 => format!("1 check failed.{optional}"),
            many => format!("{many} checks failed.{optional}"),
        }
    }

    /// One JSON document.
    #[must_use]
    pub fn to_json(&self) -> SafeJson {
        let check = |(id, finding): &(&'static str, Finding)| {
            let mut row = json!({ "id": id, "state": finding.state.name(), "text": finding.text });
            if let (Some(remedy), Value::Object(fields)) = (&finding.remedy, &mut row) {
                fields.insert("remedy".to_owned(), remedy.clone().into());
            }
            row
        };
        let checks: Vec<Value> = self.findings.iter().map(check).collect();
        let whole = json!({
            "healthy": self.is_healthy(),
            "version": env!("CARGO_PKG_VERSION"),
            "upstream": self.upstream,
            "checks": checks,
        });
        Redactor::new([]).safe_json(&whole)
    }
}

const MARK_WIDTH: usize = 8;

fn mark(state: State, colours: bool) -> String {
    let (word, colour) = match state {
        State::Ok => ("ok", "32"),
        State::Failed => ("FAILED", "31"),
        State::Optional => ("optional", "33"),
        State::NotRun => ("not run", "2"),
    };
    let word = format!("{word:<MARK_WIDTH$}");
    if colours { format!("\u{1b}[{colour}m{word}\u{1b}[0m") } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(states: &[State]) -> Report {
        let upstream = UpstreamFacts {
            executable: None,
            found_as: None,
            source: None,
            version: None,
            tested_version: "0.41.0",
            usable: false,
        };
        let remedy = Some("Do this.".to_owned());
        let finding = |state| Finding { state, text: "Seen.".to_owned(), remedy: remedy.clone() };
        Report {
            upstream,
            findings: states.iter().map(|state| ("browser", finding(*state))).collect(),
        }
    }

    // DEC-108
    #[test]
    fn only_red_makes_it_unhealthy() {
        assert!(report(&[State::Ok, State::Optional, State::NotRun]).is_healthy());
        assert!(!report(&[State::Ok, State::Failed]).is_healthy());
    }

    // DEC-108
    #[test]
    fn a_line_each_with_its_remedy_below() {
        insta::assert_snapshot!(report(&[State::Failed, State::Optional]).to_text(false).as_str(), @r"
        FAILED    browser        Seen.
                                 Fix: Do this.
        optional  browser        Seen.
                                 Fix: Do this.
        1 check failed. 1 optional thing is missing or worth a look.
        ");
    }

    // DEC-108
    #[test]
    fn secrets_do_not_leave_with_the_report() {
        let mut leaky = report(&[State::Failed]);
        leaky.findings[0].1.text = "proxy http://ann:hunter2@127.0.0.1:8080 refused".to_owned();
        assert!(!leaky.to_text(true).as_str().contains("hunter2"));
        assert!(!leaky.to_json().to_text().as_str().contains("hunter2"));
    }
}
