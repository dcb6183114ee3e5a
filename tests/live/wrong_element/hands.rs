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

    /// Takes a snapshot and finds elements by role and name.
    fn refs(&mut self, named: &[(&str, &str)]) -> Vec<String>;
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

    fn refs(&mut self, named: &[(&str, &str)]) -> Vec<String> {
        let text = self.mcp.ok(&["snapshot", "-i"]);
        let find = |(role, name): &(&str, &str)| {
            ref_in(&text, role, name).unwrap_or_else(|| panic!("no {role} {name} in\n{text}"))
        };
        named.iter().map(find).collect()
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

    fn refs(&mut self, named: &[(&str, &str)]) -> Vec<String> {
        let data = self.raw.data(&["snapshot", "-i"]);
        let text = data["snapshot"].as_str().unwrap();
        let find = |(role, name): &(&str, &str)| {
            ref_in(text, role, name).unwrap_or_else(|| panic!("no {role} {name} in\n{text}"))
        };
        named.iter().map(find).collect()
    }
}
