//! Is what stands behind a sensitive name a secret, or a word, a type, a placeholder, code?

use std::ops::Range;

use super::engine::Scan;
use super::key_value::{Found, Join};
use super::{keys, url, value};

/// Shorter values behind a name in free text are marks and variables, not secrets.
const SHORT: usize = 4;

/// The verdict for a name that proves little.
pub(super) fn weak(name: &str, join: Join, seen: &str) -> bool {
    let opaque = value::is_opaque(seen) && !value::is_code(seen);
    match join {
        Join::Parameter => url::is_secret_parameter(&url::decoded(seen)),
        Join::Field | Join::Literal | Join::Tight => opaque || (is_pass(name) && is_chosen(seen)),
        Join::Argument | Join::Label => opaque,
        Join::Loose => is_pass(name) && is_chosen(seen),
    }
}

/// The verdict for a name that says what it holds.
pub(super) fn strong(scan: &Scan<'_>, name: Range<usize>, found: &Found, seen: &str) -> bool {
    // Forms and documents carry values, no stand-ins for them; a form in a program may be a template.
    let stands_in = match found.join {
        Join::Field => false,
        Join::Parameter => value::is_template(seen),
        _ => value::is_placeholder(seen),
    };
    if value::is_benign(seen) || stands_in {
        return false;
    }
    let talk = value::is_ordinary_word(seen) || value::names_a_secret(seen) || value::is_code(seen);
    match found.join {
        // A number becomes a string there, which takes a reader of JSON.
        Join::Field if found.is_bare() && scan.json => false,
        Join::Field | Join::Parameter => true,
        Join::Literal | Join::Tight if seen.chars().count() < SHORT => false,
        Join::Literal => !talk && !value::is_prose(seen),
        Join::Tight => !talk,
        Join::Argument => is_chosen(seen),
        Join::Label => value::is_opaque(seen),
        Join::Loose => {
            let number = seen.len() >= 6 && seen.bytes().all(|byte| byte.is_ascii_digit());
            let text = scan.slice(name.clone());
            let header = text.get(..2).is_some_and(|head| head.eq_ignore_ascii_case("x-"));
            number
                || is_chosen(seen)
                || (header && !talk)
                || is_configuration(scan, name, found, seen)
        }
    }
}

/// A password as people choose them; `v1.2.3` and `getToken2()` are none.
fn is_chosen(seen: &str) -> bool {
    value::is_mixed(seen) && !value::is_code(seen) && !value::names_a_secret(seen)
}

/// `DB_PASS`, `pw`: short names that also mean other things.
fn is_pass(name: &str) -> bool {
    keys::words(name).last().is_some_and(|last| last == "pass" || last == "pw")
}

/// `password: swordfish` alone on its line, the name in lower case: a configuration, not prose.
fn is_configuration(scan: &Scan<'_>, name: Range<usize>, found: &Found, seen: &str) -> bool {
    let indent = scan.start_of(name.start, 32, |byte| byte == b' ');
    let end = found.start + seen.len();
    let alone =
        scan.before(indent) == Some(b'\n') || (indent == 0 && scan.byte(end) == Some(b'\n'));
    let ends = scan.byte(end).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let word = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_'))
    };
    let text = scan.slice(name);
    // `token = nextchar` is a program; `password = swordfish` is not.
    let blanks = scan.start_of(found.start, 8, |byte| matches!(byte, b' ' | b'\t'));
    (scan.before(blanks) == Some(b':') || text.contains("pass"))
        && (alone && ends && word(text) && word(seen) && seen.len() >= 6)
        && !(value::is_ordinary_word(seen) || value::names_a_secret(seen))
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    /// Texts where `~` encloses what has to be masked; the others stay.
    fn check(texts: &[&str]) {
        for text in texts {
            let parts: Vec<&str> = text.split('~').collect();
            let expected = match parts[..] {
                [before, _, after] => format!("{before}[REDACTED]{after}"),
                _ => (*text).to_owned(),
            };
            assert_eq!(Redactor::new([]).text(&parts.concat()), expected);
        }
    }

    // RED-05, HAZ-24
    #[test]
    fn behind_a_weak_name_only_what_looks_drawn_or_chosen_is_masked() {
        check(&[
            "auth=~3f9c2a77b1d04e6f~ sent",
            "auth=basic-mode sent",
            "auth=hunter2x sent",
            "auth = \"std1a2b::a1b2c3\"",
            "pass=required sent",
            "pass=~hunter2x~ sent",
            "pass: ~hunter2x~ sent",
            "pass: required sent",
            "see code: hunter2x there",
            "GET /cb?code=$%7Bcode12%7D",
            "GET /cb?code=~%21a1b2c3~",
            "GET /cb?key=images/photo123.jpg",
            "GET /cb?key=~a8Fk/93kdPq.jpg~",
        ]);
    }

    // RED-05, HAZ-24
    #[test]
    fn behind_a_strong_name_words_code_and_stand_ins_stay() {
        check(&[
            r#"b: {\"pwd\":\"~<tulip>~\"}"#,
            "password=$MYTULIP",
            "password=required",
            "password=csrf-token",
            "password=getPw()",
            "pwd='abc' x",
            "pwd='~abcd~' x",
            "password: \"Two words\"",
            "password: \"~two words~\"",
            "password = 'required'",
            "the otp: ~123456~ came",
            "the otp: 12345 came",
        ]);
    }

    // RED-05
    #[test]
    fn a_secret_that_begins_with_a_sign_is_no_stand_in() {
        check(&[
            "user=ann&password=~%21tulips~&page=2",
            "password=~%40tulips~",
            "password=%TULIPS%",
            "password=%s",
            "AWS_SECRET_ACCESS_KEY=~/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE4KE~",
            "token=/run/secrets/token",
        ]);
    }

    // RED-05, HAZ-24
    #[test]
    fn a_plain_word_is_masked_only_on_a_line_of_a_configuration() {
        check(&[
            "password: ~swordfish~\nport: 1",
            "db:\n  token: ~swordfish~\n",
            "db:\npassword = ~swordfish~\n",
            "db:\ntoken = nextchar\n",
            "db:\npassword: swordfish and chips",
            "db:\npassword: tulip",
            "db:\npassword: required\n",
            "db:\npassword: mysecret\n",
            "db:\nPassword: swordfish\n",
            "password: swordfish",
            "my password: swordfish",
            "my password: swordfish\nport: 1",
        ]);
    }
}
