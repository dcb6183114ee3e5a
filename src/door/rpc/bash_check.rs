//! The bash guard (DEC-83): direct runs of `agent-browser` are pointed to the tool.
//!
//! It keeps a model on the better path; it is no security boundary.

use serde_json::json;

use super::shell::{Simple, collect, simple_commands};
use crate::input::schema::TOOL_NAME;
use crate::redact::{Redactor, SafeText};

const PROGRAM: &str = "agent-browser";
/// Calls shown in one reason.
const SHOWN: usize = 3;
/// Simple commands that are looked at.
const COMMAND_LIMIT: usize = 500;

/// Words that a shell puts in front of a command.
const KEYWORDS: [&str; 9] = ["if", "then", "else", "elif", "do", "while", "until", "!", "{"];
/// Programs that run the command behind them, with those of their options that take a value.
const RUNNERS: [(&str, &[&str]); 16] = [
    ("env", &["-u", "--unset", "-C", "--chdir"]),
    ("command", &[]),
    ("exec", &["-a"]),
    ("nohup", &[]),
    ("time", &["-f", "-o"]),
    ("sudo", &["-u", "-g", "-D", "-h", "-p", "-C", "-r", "-t", "-T", "-U"]),
    ("doas", &["-u", "-C"]),
    ("nice", &["-n"]),
    ("ionice", &["-c", "-n", "-p"]),
    ("setsid", &[]),
    ("stdbuf", &["-i", "-o", "-e"]),
    ("timeout", &["-s", "-k", "--signal", "--kill-after"]),
    ("xargs", &["-I", "-n", "-P", "-d", "-a", "-L", "-s", "-E"]),
    ("npx", &["-p", "--package", "-c", "--call", "-w", "--workspace"]),
    ("bunx", &["-p", "--package"]),
    ("pnpx", &[]),
];
/// Package managers: the word behind which the command stands.
const MANAGERS: [(&str, &[&str]); 4] = [
    ("npm", &["exec", "x"]),
    ("pnpm", &["dlx", "exec"]),
    ("yarn", &["dlx", "exec", "run"]),
    ("bun", &["x", "run"]),
];
const SHELLS: [&str; 5] = ["sh", "bash", "zsh", "dash", "eval"];

/// Why a shell command should be a call of the tool instead; nothing when it may run.
pub(super) fn reason(command: &str) -> Option<SafeText> {
    let calls = direct_calls(command);
    if calls.is_empty() {
        return None;
    }
    let shown: Vec<String> = calls.iter().take(SHOWN).map(as_tool_call).collect();
    let more = match calls.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" ({more} more)"),
    };
    Some(Redactor::new([]).safe_text(&format!(
        "Use the tool {TOOL_NAME} instead of running {PROGRAM} in a shell: it keeps the browser \
         session, checks refs and reports what happened. The same as {TOOL_NAME} input: {}{more}",
        shown.join(" then ")
    )))
}

/// The direct runs in a command line, each with its arguments.
fn direct_calls(command: &str) -> Vec<Simple> {
    let mut left = simple_commands(command);
    left.reverse();
    let mut found = Vec::new();
    for _ in 0..COMMAND_LIMIT {
        let Some(simple) = left.pop() else { break };
        match resolve(&simple) {
            Resolved::Direct(call) => found.push(call),
            Resolved::Inner(text) => {
                let mut inner = Vec::new();
                collect(&text, 1, &mut inner);
                left.extend(inner.into_iter().rev());
            }
            Resolved::Other => {}
        }
    }
    found
}

enum Resolved {
    Direct(Simple),
    /// A command line for another shell.
    Inner(String),
    Other,
}

fn resolve(simple: &Simple) -> Resolved {
    let mut words = simple.words.as_slice();
    loop {
        words = without_front(words);
        let Some((first, rest)) = words.split_first() else { return Resolved::Other };
        let name = first.rsplit('/').next().unwrap_or_default();
        if is_program(name) {
            return Resolved::Direct(Simple { words: rest.to_vec(), stdin: simple.stdin.clone() });
        }
        if SHELLS.contains(&name) {
            return shell_text(name, rest).map_or(Resolved::Other, Resolved::Inner);
        }
        words = match behind(name, rest) {
            Some(behind) => behind,
            None => return Resolved::Other,
        };
    }
}

/// `agent-browser`, or a version of it from the registry.
fn is_program(name: &str) -> bool {
    let plain = name.strip_suffix(".cmd").or_else(|| name.strip_suffix(".exe")).unwrap_or(name);
    plain == PROGRAM || plain.strip_prefix(PROGRAM).is_some_and(|rest| rest.starts_with('@'))
}

/// Without keywords and assignments.
fn without_front(words: &[String]) -> &[String] {
    let front = |word: &&String| KEYWORDS.contains(&word.as_str()) || is_assignment(word);
    words.get(words.iter().take_while(front).count()..).unwrap_or_default()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The words of the command that `name` runs; nothing when it only asks or does something else.
fn behind<'a>(name: &str, rest: &'a [String]) -> Option<&'a [String]> {
    if let Some((_, verbs)) = MANAGERS.iter().find(|(manager, _)| *manager == name) {
        let verb = rest.iter().position(|word| !word.starts_with('-'))?;
        verbs.contains(&rest.get(verb)?.as_str()).then_some(())?;
        return Some(without_options(rest.get(verb + 1..)?, &["-p", "--package"]));
    }
    let (_, with_value) = RUNNERS.iter().find(|(runner, _)| *runner == name)?;
    if name == "command" && rest.first().is_some_and(|flag| flag == "-v" || flag == "-V") {
        return None;
    }
    let rest = without_options(rest, with_value);
    // Its first operand is the duration.
    if name == "timeout" { rest.get(1..) } else { Some(rest) }
}

fn without_options<'a>(mut words: &'a [String], with_value: &[&str]) -> &'a [String] {
    while let Some((first, rest)) = words.split_first() {
        if first == "--" {
            return rest;
        }
        if !first.starts_with('-') {
            break;
        }
        let skip = usize::from(with_value.contains(&first.as_str()));
        words = rest.get(skip..).unwrap_or_default();
    }
    words
}

/// The command line in `sh -c '…'` or `eval …`.
fn shell_text(name: &str, rest: &[String]) -> Option<String> {
    if name == "eval" {
        return Some(rest.join(" "));
    }
    let flag = rest.iter().position(|word| word.starts_with('-') && word.ends_with('c'))?;
    rest.get(flag + 1).cloned()
}

fn as_tool_call(call: &Simple) -> String {
    let args: Vec<&String> = call.words.iter().filter(|word| *word != "--json").collect();
    let params = match &call.stdin {
        Some(stdin) => json!({ "args": args, "stdin": stdin }),
        None => json!({ "args": args }),
    };
    Redactor::new([]).json(&params).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(command: &str) -> Vec<Vec<String>> {
        direct_calls(command).into_iter().map(|call| call.words).collect()
    }

    // DEC-83, PI-16
    #[test]
    fn direct_runs_are_found_wherever_they_stand() {
        for command in [
            "agent-browser open x",
            "agent-browser   open\tx",
            "/usr/local/bin/agent-browser open x",
            "./node_modules/.bin/agent-browser open x",
            "FOO=1 BAR='a b' agent-browser open x",
            "env FOO=1 agent-browser open x",
            "env -u HOME -i agent-browser open x",
            "npx agent-browser open x",
            "npx -y agent-browser@0.41.0 open x",
            "npx --package agent-browser -- agent-browser open x",
            "bunx agent-browser@latest open x",
            "pnpm dlx agent-browser open x",
            "yarn dlx agent-browser open x",
            "npm exec -- agent-browser open x",
            "bun x agent-browser open x",
            "cd /tmp && agent-browser open x",
            "true; agent-browser open x",
            "false || agent-browser open x",
            "echo a | agent-browser open x",
            "sleep 1 & agent-browser open x",
            "(cd /tmp; agent-browser open x)",
            "{ agent-browser open x; }",
            "if true; then agent-browser open x; fi",
            "for i in 1 2; do agent-browser open x; done",
            "! agent-browser open x",
            "echo $(agent-browser open x)",
            "echo \"$(agent-browser open x)\"",
            "echo `agent-browser open x`",
            "bash -c 'agent-browser open x'",
            "sh -lc \"cd /tmp && agent-browser open x\"",
            "eval 'agent-browser open x'",
            "sudo -u ann agent-browser open x",
            "timeout -k 5 30 agent-browser open x",
            "nohup time agent-browser open x",
            "command agent-browser open x",
            "agent-browser open x > out.txt 2>&1",
            "2>/dev/null agent-browser open x",
            "agent-browser \\\n open x",
            "'agent-browser' \"open\" x",
            "# first\nagent-browser open x",
        ] {
            assert_eq!(args(command), [["open", "x"]], "{command}");
        }
    }

    // DEC-83
    #[test]
    fn questions_about_it_and_other_programs_pass() {
        for command in [
            "which agent-browser",
            "command -v agent-browser",
            "command -V agent-browser",
            "type -P agent-browser",
            "ls node_modules/agent-browser",
            "npm install agent-browser",
            "npm ls agent-browser",
            "echo agent-browser open x",
            "echo 'run agent-browser open x; agent-browser close'",
            "grep -r \"agent-browser open\" .",
            "agent-browser-native call '{}'",
            "cat > notes.md <<'EOF'\nagent-browser open x\nEOF",
            "# agent-browser open x",
            "git commit -m 'agent-browser; fixes'",
            "",
        ] {
            assert_eq!(args(command), Vec::<Vec<String>>::new(), "{command}");
            assert_eq!(reason(command), None);
        }
    }

    // DEC-83, PI-18
    #[test]
    fn the_reason_shows_the_same_call_for_the_tool() {
        let shown = reason("cd x && agent-browser --json fill '#a' \"two words\"").unwrap();
        assert!(
            shown.as_str().ends_with(r##"input: {"args":["fill","#a","two words"]}"##),
            "{shown}"
        );
        let heredoc = "agent-browser eval --stdin <<'EOF'\ndocument.title\nEOF\n";
        let shown = reason(heredoc).unwrap();
        assert!(
            shown.as_str().ends_with(r#"{"args":["eval","--stdin"],"stdin":"document.title"}"#),
            "{shown}"
        );
        let many = "agent-browser a; agent-browser b; agent-browser c; agent-browser d";
        assert!(reason(many).unwrap().as_str().ends_with(r#"{"args":["c"]} (1 more)"#));
    }

    #[test]
    fn odd_command_lines_do_no_harm() {
        for command in ["'", "\"", "$(", "`", "<<", "a <<EOF", "\\", "((((", "env", "npx", "sh -c"]
        {
            assert!(args(command).is_empty(), "{command}");
        }
        let deep = format!("{}agent-browser open x{}", "$(".repeat(50), ")".repeat(50));
        assert!(args(&deep).is_empty());
    }
}
