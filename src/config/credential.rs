//! A credential in a config file: a literal, variables, or a command (CFG-05).

use std::path::Path;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::run::{Completed, End, Invocation, ParentEnv, run};

/// How long a credential command may take.
const COMMAND_LIMIT: Duration = Duration::from_secs(10);
/// No key is longer.
const KEY_LIMIT: usize = 4_096;

/// Where a key comes from. It has no `Debug`: a literal must not reach a log.
#[derive(Clone, PartialEq, Eq)]
pub enum Source {
    /// Text and variables, in their order.
    Text(Vec<Part>),
    /// A command whose first line of output is the key; run only when a request needs it.
    Command(String),
}

/// A piece of a text source.
#[derive(Clone, PartialEq, Eq)]
pub enum Part {
    /// As it stands.
    Literal(String),
    /// The value of a variable.
    Variable(String),
}

impl std::fmt::Debug for Source {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.form())
    }
}

impl Source {
    /// Reads `literal`, `$NAME`, `${NAME}`, `$$`, `$!` and `!command`.
    ///
    /// # Errors
    /// What it must be; the text itself is never repeated.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.trim().is_empty() {
            return Err("must not be empty");
        }
        if text.chars().any(char::is_control) || text.len() > KEY_LIMIT {
            return Err("must be one line of at most 4,096 bytes");
        }
        match text.strip_prefix('!') {
            Some(command) if command.trim().is_empty() => Err("has no command behind !"),
            Some(command) => Ok(Self::Command(command.to_owned())),
            None => parts(text).map(Self::Text),
        }
    }

    /// The form, in a word for status texts.
    #[must_use]
    pub fn form(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::Text(_) if self.variables().next().is_some() => "environment",
            Self::Text(_) => "literal",
        }
    }

    /// The variables it names.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let parts = match self {
            Self::Text(parts) => parts.as_slice(),
            Self::Command(_) => &[],
        };
        parts.iter().filter_map(|part| match part {
            Part::Variable(name) => Some(name.as_str()),
            Part::Literal(_) => None,
        })
    }

    /// The variables that it names and that are not set.
    #[must_use]
    pub fn missing(&self, env: &ParentEnv) -> Vec<String> {
        self.variables().filter(|name| env.text(name).is_none()).map(str::to_owned).collect()
    }

    /// The key, when no command is needed for it and every variable is set.
    #[must_use]
    pub fn text(&self, env: &ParentEnv) -> Option<String> {
        let Self::Text(parts) = self else { return None };
        let pieces = parts.iter().map(|part| match part {
            Part::Literal(text) => Some(text.as_str()),
            Part::Variable(name) => env.text(name),
        });
        let key = pieces.collect::<Option<String>>()?.trim().to_owned();
        (!key.is_empty()).then_some(key)
    }

    /// Usable without a look at the command (WEB-07).
    #[must_use]
    pub fn is_resolvable(&self, env: &ParentEnv) -> bool {
        matches!(self, Self::Command(_)) || self.text(env).is_some()
    }

    /// The key, at the time of a request (WEB-08).
    ///
    /// # Errors
    /// Why there is none. Neither the command nor what it printed is repeated.
    pub async fn resolve(
        &self,
        env: &ParentEnv,
        cwd: &Path,
        cancel: &CancellationToken,
    ) -> Result<String, String> {
        let Self::Command(command) = self else {
            let missing = self.missing(env);
            return self.text(env).ok_or_else(|| match missing.first() {
                Some(name) => format!("the variable {name} is not set"),
                None => "it is empty".to_owned(),
            });
        };
        let ran = run(
            Invocation {
                exe: "/bin/sh".into(),
                argv: vec!["-c".to_owned(), command.clone()],
                stdin: Vec::new(),
                env: env.unchanged(),
                cwd: cwd.to_owned(),
                deadline: COMMAND_LIMIT,
            },
            cancel,
        );
        key_of(ran.await.map_err(|_| "its command could not be started".to_owned())?)
    }
}

/// The key that a command has printed.
fn key_of(done: Completed) -> Result<String, String> {
    match done.end {
        End::Exited if done.exit_code == 0 => {}
        End::Exited => return Err(format!("its command ended with {}", done.exit_code)),
        End::TimedOut => {
            return Err(format!("its command did not end within {} s", COMMAND_LIMIT.as_secs()));
        }
        End::Cancelled => return Err("its command was given up".to_owned()),
    }
    let printed = String::from_utf8(done.stdout).unwrap_or_default();
    let key = printed.lines().next().unwrap_or_default().trim().to_owned();
    if key.is_empty() || key.len() > KEY_LIMIT {
        return Err("its command printed no key".to_owned());
    }
    Ok(key)
}

fn parts(text: &str) -> Result<Vec<Part>, &'static str> {
    const RULE: &str = "has a $ that is neither $NAME, ${NAME}, $$ nor $!";
    let mut found = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        literal.push_str(before);
        let (name, left) = match behind.strip_prefix('{') {
            Some(open) => open.split_once('}').ok_or(RULE)?,
            None => behind.split_at(name_length(behind)),
        };
        if name.is_empty() {
            let kept =
                behind.chars().next().filter(|next| matches!(next, '$' | '!')).ok_or(RULE)?;
            literal.push(kept);
            rest = behind.strip_prefix(kept).unwrap_or_default();
            continue;
        }
        if name_length(name) != name.len() {
            return Err(RULE);
        }
        if !literal.is_empty() {
            found.push(Part::Literal(std::mem::take(&mut literal)));
        }
        found.push(Part::Variable(name.to_owned()));
        rest = left;
    }
    literal.push_str(rest);
    if !literal.is_empty() {
        found.push(Part::Literal(literal));
    }
    Ok(found)
}

/// Bytes of the variable name that a text begins with.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if bytes.first().is_none_or(u8::is_ascii_digit) {
        return 0;
    }
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> ParentEnv {
        [("KEY", "abc"), ("PATH", "/usr/bin:/bin")].into_iter().collect()
    }

    fn text(source: &str) -> Option<String> {
        Source::parse(source).unwrap().text(&env())
    }

    // CFG-05
    #[test]
    fn literals_variables_and_escapes_are_told_apart() {
        assert_eq!(text("plain-key"), Some("plain-key".into()));
        assert_eq!(text("$KEY"), Some("abc".into()));
        assert_eq!(text("x-${KEY}-$KEY"), Some("x-abc-abc".into()));
        assert_eq!(text("$$KEY"), Some("$KEY".into()));
        assert_eq!(text("$!not a command"), Some("!not a command".into()));
        assert_eq!(text("a!b"), Some("a!b".into()));
        assert_eq!(text("$NOWHERE"), None);
        assert_eq!(Source::parse("$NOWHERE").unwrap().missing(&env()), ["NOWHERE"]);
        let forms = ["k", "$KEY", "!k"].map(|source| Source::parse(source).unwrap().form());
        assert_eq!(forms, ["literal", "environment", "command"]);
    }

    // CFG-05
    #[test]
    fn what_is_not_understood_is_refused_without_repeating_it() {
        for wrong in ["", "  ", "!", "! ", "s3cr3t$", "s3cr3t$ x", "${KEY", "${A B}", "$1", "a\nb"]
        {
            let rule = Source::parse(wrong).unwrap_err();
            assert!(!rule.contains("s3cr3t"), "{rule}");
        }
        assert_eq!(format!("{:?}", Source::parse("s3cr3t").unwrap()), "literal");
    }

    // CFG-05, WEB-07, WEB-08, PI-56
    #[tokio::test]
    async fn commands_run_when_the_key_is_needed_and_not_before() {
        let dir = tempfile::tempdir().unwrap();
        let source = Source::parse("!touch ran; printf 'k3y\\nsecond line\\n'").unwrap();
        assert!(source.is_resolvable(&env()) && source.text(&env()).is_none());
        assert!(!dir.path().join("ran").exists());
        let cancel = CancellationToken::new();
        assert_eq!(source.resolve(&env(), dir.path(), &cancel).await, Ok("k3y".to_owned()));
        assert!(dir.path().join("ran").exists());
        for (command, why) in [
            ("!echo s3cr3t; exit 3", "its command ended with 3"),
            ("!true", "its command printed no key"),
        ] {
            let source = Source::parse(command).unwrap();
            assert_eq!(source.resolve(&env(), dir.path(), &cancel).await, Err(why.to_owned()));
        }
    }

    // CFG-05
    #[test]
    fn a_command_that_was_ended_is_not_told_by_its_exit_code() {
        let done = |end| Completed {
            stdout: b"k3y".to_vec(),
            stdout_truncated: false,
            stderr: String::new(),
            exit_code: if end == End::Exited { 0 } else { 124 },
            end,
            elapsed: COMMAND_LIMIT,
        };
        assert_eq!(key_of(done(End::Exited)), Ok("k3y".to_owned()));
        let late = "its command did not end within 10 s".to_owned();
        assert_eq!(key_of(done(End::TimedOut)), Err(late));
        let given_up = "its command was given up".to_owned();
        assert_eq!(key_of(done(End::Cancelled)), Err(given_up));
    }
}
