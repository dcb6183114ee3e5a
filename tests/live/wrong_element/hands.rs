//! Two hands that take the same steps: the tool, and upstream without it.

use crate::support::bed::{Bed, Raw};
use crate::support::mcp::{Mcp, ref_in};

/// What came of one command.
#[derive(Clone, Debug)]
pub struct Did {
    pub failed: bool,
    pub text: String,
    /// How many upstream processes the tool says it has started.
    pub processes: Option<u64>,
}

pub trait Hand {
    fn run(&mut self, args: &[&str]) -> Did;

    /// Takes a snapshot and finds the n-th elements by role and name.
    fn refs(&mut self, named: &[(&str, &str)], nth: usize) -> Vec<String>;
}

/// The tool through its MCP door.
pub struct Ours {
    mcp: Mcp,
}

impl Ours {
    pub fn start(bed: &Bed) -> Self {
        Self { mcp: Mcp::start(bed.program().arg("mcp")) }
    }
}

impl Hand for Ours {
    fn run(&mut self, args: &[&str]) -> Did {
        let answer = self.mcp.call(args);
        let processes = answer.details()["timing"]["upstreamProcesses"].as_u64();
        Did { failed: answer.is_error(), text: answer.text(), processes }
    }

    fn refs(&mut self, named: &[(&str, &str)], nth: usize) -> Vec<String> {
        refs_of(&self.mcp.ok(&["snapshot", "-i"]), named, nth)
    }
}

/// Upstream alone.
pub struct RawHand<'a> {
    raw: Raw<'a>,
}

impl<'a> RawHand<'a> {
    pub fn new(bed: &'a Bed) -> Self {
        Self { raw: bed.raw() }
    }

    pub fn close(&self) {
        self.raw.close();
    }
}

impl Hand for RawHand<'_> {
    fn run(&mut self, args: &[&str]) -> Did {
        let answer = self.raw.run(args);
        Did { failed: answer["success"] != true, text: answer.to_string(), processes: None }
    }

    fn refs(&mut self, named: &[(&str, &str)], nth: usize) -> Vec<String> {
        let data = self.raw.data(&["snapshot", "-i"]);
        refs_of(data["snapshot"].as_str().unwrap(), named, nth)
    }
}

fn refs_of(text: &str, named: &[(&str, &str)], nth: usize) -> Vec<String> {
    let find = |(role, name): &(&str, &str)| {
        let all: Vec<String> = text.lines().filter_map(|line| ref_in(line, role, name)).collect();
        let found = all.get(nth).or(all.first()).cloned();
        found.unwrap_or_else(|| panic!("no {role} {name} in\n{text}"))
    };
    named.iter().map(find).collect()
}
