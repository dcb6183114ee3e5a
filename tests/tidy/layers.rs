//! The direction of imports between the stages of a call.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use xtask::rust_source::regex;

use crate::{File, assert_none, files_of};

/// What a part of `src/` must not name, with the reason for a person who ran into it.
struct Rule {
    /// Files and folders below `src/`.
    parts: &'static [&'static str],
    /// Paths: `crate::run`, `std::fs`, or the name of a crate.
    never: &'static [&'static str],
    why: &'static str,
}

const PURE: &[&str] =
    &["input", "command", "plan", "guard", "probe", "diagnose", "envelope", "present", "redact"];

/// Every stage of the walk, in its order.
const STAGES: &[&str] = &[
    "input", "command", "session", "plan", "guard", "probe", "diagnose", "run", "envelope",
    "present", "redact", "artifact", "electron",
];

const RULES: &[Rule] = &[
    Rule {
        parts: PURE,
        never: &[
            "crate::run",
            "crate::artifact",
            "std::fs",
            "std::process",
            "std::env",
            "std::net::TcpStream",
            "std::net::TcpListener",
            "std::net::UdpSocket",
            "std::net::ToSocketAddrs",
            "tokio",
            "rustix",
        ],
        why: "a pure stage: what it needs from the world arrives as values",
    },
    Rule {
        parts: STAGES,
        never: &["crate::door", "crate::call"],
        why: "stages do not know who calls them",
    },
    Rule {
        parts: &["command"],
        never: &[
            "crate::input",
            "crate::session",
            "crate::plan",
            "crate::guard",
            "crate::diagnose",
        ],
        why: "the grammar of upstream knows nothing of this tool",
    },
    Rule {
        parts: &[
            "input", "command", "session", "plan", "guard", "probe", "run", "redact", "artifact",
            "electron",
        ],
        never: &["crate::present"],
        why: "what is said of a call comes behind it; lines are made of crate::line",
    },
    Rule {
        parts: &["redact"],
        never: &["crate::session", "crate::plan", "crate::guard", "crate::diagnose"],
        why: "the gate judges text, not calls",
    },
    Rule {
        parts: &["run"],
        never: &["crate::input", "crate::guard", "crate::diagnose"],
        why: "processes are started as planned, without judging what they are for",
    },
];

/// Crates and calls that have one home: the pattern, who may use it, and why.
struct Home {
    pattern: &'static str,
    allowed: &'static [&'static str],
    why: &'static str,
}

const HOMES: &[Home] = &[
    Home { pattern: r"\brmcp\b", allowed: &["door"], why: "only doors know MCP" },
    Home {
        pattern: r"\bclap\b",
        allowed: &["main.rs", "cli.rs", "cli"],
        why: "upstream's argv has its own grammar; clap reads ours, at the door",
    },
    Home { pattern: r"\bCommand::new\b", allowed: &["run"], why: "only run/ starts processes" },
];

/// True when a file below `src/` is `part` or lies in it.
fn belongs(name: &str, part: &str) -> bool {
    let Some(inner) = name.strip_prefix("src/") else { return false };
    inner == part
        || inner.strip_suffix(".rs") == Some(part)
        || inner.strip_prefix(part).is_some_and(|rest| rest.starts_with('/'))
}

static PATH: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?:^|[^:\w])(?:::)?([a-z_][a-z0-9_]*)::(?:([A-Za-z_][A-Za-z0-9_]*)|\{)")
});

/// Two-segment paths (`crate::run`) and first segments (`tokio`) that the code names.
///
/// Groups (`use std::{fs, process::Command}`) are opened one level deep, which is as deep as the
/// rules look.
fn named_paths(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for captures in PATH.captures_iter(code) {
        let first = captures.get(1).map_or("", |first| first.as_str());
        found.insert(first.to_owned());
        match captures.get(2) {
            Some(second) => {
                found.insert(format!("{first}::{}", second.as_str()));
            }
            None => {
                let end = captures.get(0).map_or(0, |whole| whole.end());
                let group = group_heads(code.get(end..).unwrap_or_default());
                found.extend(group.iter().map(|head| format!("{first}::{head}")));
            }
        }
    }
    found
}

/// First names of the entries of a group, its `{` already read.
fn group_heads(text: &str) -> Vec<String> {
    let mut heads = vec![String::new()];
    let mut depth = 1;
    let mut in_head = true;
    for next in text.chars() {
        match next {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => {
                heads.push(String::new());
                in_head = true;
            }
            ':' => in_head = false,
            _ if depth == 1 && in_head && (next.is_alphanumeric() || next == '_') => {
                heads.last_mut().unwrap().push(next);
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    heads.retain(|head| !head.is_empty());
    heads
}

fn broken_rules(name: &str, code: &str) -> Vec<String> {
    let named = named_paths(code);
    let mut problems = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.parts.iter().any(|part| belongs(name, part))) {
        for path in rule.never.iter().filter(|path| named.contains(**path)) {
            problems.push(format!("{name}: names {path} ({})", rule.why));
        }
    }
    for home in HOMES {
        let at_home = home.allowed.iter().any(|part| belongs(name, part) || name == "src/lib.rs");
        if !at_home && regex(home.pattern).is_match(code) {
            problems.push(format!("{name}: names {} ({})", home.pattern, home.why));
        }
    }
    let names_all = STAGES.iter().all(|stage| named.contains(&format!("crate::{stage}")));
    if names_all && !belongs(name, "call") {
        problems.push(format!("{name}: only call names every stage"));
    }
    problems
}

#[test]
fn imports_follow_the_walk_of_a_call() {
    let mut problems = Vec::new();
    for file in files_of(&["src"]) {
        problems.extend(broken_rules(&file.name, &file.product_code()));
    }
    assert_none(&problems);
}

#[test]
fn rules_see_plain_grouped_and_nested_paths() {
    let broken = |name: &str, code: &str| broken_rules(name, code).len();
    assert_eq!(broken("src/plan/paths.rs", "use std::fs;"), 1);
    assert_eq!(broken("src/plan/paths.rs", "use std::{path::Path, fs::{self, File}};"), 1);
    assert_eq!(broken("src/guard.rs", "use crate::{error::Refusal, run};"), 1);
    assert_eq!(broken("src/input/mod.rs", "let x = ::std::env::temp_dir();"), 1);
    assert_eq!(broken("src/present/text.rs", "use std::path::Path; self::fs::x();"), 0);
    assert_eq!(broken("src/planner.rs", "use std::fs;"), 0);
    assert_eq!(broken("src/present/mod.rs", "tokio::spawn(x)"), 1);
}

#[test]
fn rules_keep_processes_and_crates_at_home() {
    let broken = |name: &str, code: &str| broken_rules(name, code).len();
    assert_eq!(broken("src/doctor.rs", "let c = tokio::process::Command::new(x);"), 1);
    assert_eq!(broken("src/run/upstream.rs", "Command::new(x)"), 0);
    assert_eq!(broken("src/call.rs", "use rmcp::model::Tool;"), 1);
    assert_eq!(broken("src/door/mcp/server.rs", "use rmcp::model::Tool; use clap::Parser;"), 1);
    assert_eq!(broken("src/cli.rs", "use clap::Parser;"), 0);
}

#[test]
fn only_call_names_every_stage() {
    let code: String = STAGES.iter().map(|stage| format!("use crate::{stage}::X;\n")).collect();
    assert_eq!(broken_rules("src/demo.rs", &code).len(), 1);
    assert!(broken_rules("src/call.rs", &code).is_empty());
    assert!(broken_rules("src/call/walk.rs", &code).is_empty());
}

#[test]
fn tests_inside_a_stage_may_touch_the_world() {
    let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n";
    let source = xtask::rust_source::RustSource::parse(text);
    let file = File { name: "src/plan/a.rs".into(), text: text.into(), source };
    assert!(broken_rules(&file.name, &file.product_code()).is_empty());
}
