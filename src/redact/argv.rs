//! Argument lists: secret positions, values of sensitive flags, and the rest as text (RED-06..RED-11).

use serde_json::Value;

use super::{MASK, Redactor};

/// Flags whose value is masked whole.
const FLAGS: &[&str] = &[
    "--password",
    "--headers",
    "--body",
    "--proxy",
    "--token",
    "--api-key",
    "--apikey",
    "--secret",
    "--auth",
    "--cookie",
    "--cookies",
    "--access-token",
    "--client-secret",
    "--passphrase",
    "--pass",
    "--authorization",
    "--header",
    "--data",
    "--post-data",
    "--credentials",
    "--otp",
];

/// Commands with a secret operand: the words that lead to it and how many operands come before it.
const POSITIONS: &[(&[&str], usize)] = &[
    (&["cookies", "set"], 1),
    (&["storage", "local", "set"], 1),
    (&["storage", "session", "set"], 1),
    (&["set", "credentials"], 1),
];

/// Masks an argument list.
pub(super) fn redact(redactor: &Redactor, argv: &[String]) -> Vec<String> {
    let secret = secret_positions(argv);
    argv.iter()
        .enumerate()
        .map(|(index, token)| {
            let masked = secret.get(index).copied().unwrap_or_default();
            if masked && !token.is_empty() {
                MASK.to_owned()
            } else {
                match inline_flag(token) {
                    Some(flag) => format!("{flag}={MASK}"),
                    None => redactor.text(token),
                }
            }
        })
        .collect()
}

/// Masks the secret places of a JSON list where all items are strings; `masked` is the walked list.
pub(super) fn mask_list(items: &[Value], mut masked: Vec<Value>) -> Vec<Value> {
    let tokens: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
    let Some(tokens) = tokens else {
        return masked;
    };
    let secret = secret_positions(&tokens);
    for ((slot, token), secret) in masked.iter_mut().zip(&tokens).zip(secret) {
        if secret && !token.is_empty() {
            *slot = Value::from(MASK);
        } else if let Some(flag) = inline_flag(token) {
            *slot = Value::from(format!("{flag}={MASK}"));
        }
    }
    masked
}

/// The flag of `--password=…`.
fn inline_flag(token: &str) -> Option<&str> {
    let (flag, value) = token.split_once('=')?;
    (!value.is_empty() && is_flag(flag)).then_some(flag)
}

fn is_flag(token: &str) -> bool {
    FLAGS.iter().any(|flag| token.eq_ignore_ascii_case(flag))
}

/// Which tokens are the value of a sensitive flag or a secret operand of a known command.
fn secret_positions<S: AsRef<str>>(argv: &[S]) -> Vec<bool> {
    let mut secret = vec![false; argv.len()];
    for (index, window) in argv.windows(2).enumerate() {
        if let ([flag, _], Some(slot)) = (window, secret.get_mut(index + 1)) {
            *slot |= is_flag(flag.as_ref());
        }
    }
    for (words, before) in POSITIONS {
        let starts = argv.windows(words.len()).enumerate().filter(|(_, window)| {
            window.iter().zip(*words).all(|(token, word)| token.as_ref().eq_ignore_ascii_case(word))
        });
        for (start, _) in starts {
            if let Some(slot) = secret.get_mut(start + words.len() + before) {
                *slot = true;
            }
        }
    }
    secret
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    fn check(argv: &[&str], expected: &[&str]) {
        let argv: Vec<String> = argv.iter().map(|token| (*token).to_owned()).collect();
        assert_eq!(Redactor::new([]).argv(&argv), expected);
    }

    // RED-06
    #[test]
    fn values_of_sensitive_flags_are_masked() {
        check(
            &["--proxy", "http://a:b@c", "open", "--headers={\"a\":1}", "https://a.test"],
            &["--proxy", "[REDACTED]", "open", "--headers=[REDACTED]", "https://a.test"],
        );
        check(
            &["auth", "save", "n", "--password=x", "--password-stdin"],
            &["auth", "save", "n", "--password=[REDACTED]", "--password-stdin"],
        );
    }

    // RED-07
    #[test]
    fn secret_positions_are_masked() {
        check(&["cookies", "set", "sid", "v"], &["cookies", "set", "sid", "[REDACTED]"]);
        check(
            &["storage", "local", "set", "k", "v"],
            &["storage", "local", "set", "k", "[REDACTED]"],
        );
        check(&["set", "credentials", "u", "p"], &["set", "credentials", "u", "[REDACTED]"]);
    }

    // RED-08, RED-23
    #[test]
    fn other_tokens_stay_but_for_inline_secrets() {
        check(&["fill", "#field", "--password"], &["fill", "#field", "--password"]);
        check(
            &["eval", "document.querySelector('#password').value"],
            &["eval", "document.querySelector('#password').value"],
        );
        check(&["fill", "@e2", "ann@shop.test"], &["fill", "@e2", "ann@shop.test"]);
        check(&["open", "https://a.test/?token=x1"], &["open", "https://a.test/?token=[REDACTED]"]);
    }

    // RED-06, RED-11
    #[test]
    fn a_list_of_one_argument_is_an_argument_list() {
        let gate = Redactor::new([]);
        let masked = gate.json(&serde_json::json!([["--headers=a"], ["page=2"], ["--password="]]));
        let expected = serde_json::json!([["--headers=[REDACTED]"], ["page=2"], ["--password="]]);
        assert_eq!(masked, expected);
        check(&["page=2", "--password="], &["page=2", "--password="]);
    }
}
