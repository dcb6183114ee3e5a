//! Does a value look like a secret, or like a word, a type, a placeholder or code?
//!
//! Pure questions about one value; the rules combine them.

use super::MASK;

/// Values that are never secrets, whatever stands in front of them.
pub(super) fn is_benign(value: &str) -> bool {
    let value = value.trim();
    value.contains(MASK)
        || is_small_number(value)
        || is_colour(value)
        || value
            .chars()
            .all(|character| matches!(character, '*' | '•' | '●' | '.' | '…' | '-' | '_' | '?'))
        || ["true", "false", "null", "none", "undefined", "nil", "yes", "no", "on", "off"]
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word))
}

/// `#dcdccc`: a colour, as themes name them for every token.
fn is_colour(value: &str) -> bool {
    value.strip_prefix('#').is_some_and(|hex| {
        matches!(hex.len(), 3 | 6 | 8) && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// At most three digits: a count, an index, a flag.
fn is_small_number(value: &str) -> bool {
    value.len() <= 3 && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// Words that stand behind `password:` and the like without being one.
const ORDINARY_WORDS: &[&str] = &[
    "string",
    "str",
    "text",
    "number",
    "int",
    "integer",
    "bool",
    "boolean",
    "any",
    "unknown",
    "varchar",
    "char",
    "bytes",
    "object",
    "required",
    "optional",
    "missing",
    "invalid",
    "hidden",
    "empty",
    "changed",
    "expired",
    "revoked",
    "valid",
    "wrong",
    "incorrect",
    "weak",
    "strong",
    "set",
    "unset",
    "bearer",
    "basic",
    "default",
    "disabled",
    "enabled",
    "pw",
    "pass",
    "value",
    "input",
    "data",
    "user",
    "username",
    "email",
    "name",
    "self",
    "new",
    "old",
    "current",
    "this",
    "that",
    "the",
    "a",
    "an",
    "is",
    "was",
    "and",
    "or",
    "not",
    "to",
    "for",
    "from",
    "with",
    "see",
    "use",
    "get",
    "forgot",
    "forgotten",
    "reset",
    "must",
    "may",
    "should",
    "can",
    "at",
    "your",
    "field",
    "label",
    "type",
    "id",
    "ok",
    "ref",
    "var",
    "let",
    "const",
    "await",
    "async",
    "function",
    "return",
    "option",
    "error",
    "failed",
    "success",
    "active",
    "inactive",
    "pending",
    "public",
    "private",
    "readonly",
    "redacted",
    "omit",
    "include",
    "lax",
    "strict",
    "session",
    "persistent",
    "same",
    "origin",
    "per",
    "week",
    "session-only",
    "month",
    "never",
    "always",
    "needed",
    "available",
    "unavailable",
    "mismatch",
];

/// One of the words that describe a secret instead of being it.
pub(super) fn is_ordinary_word(value: &str) -> bool {
    let value = value.trim_matches(|character: char| !character.is_alphanumeric());
    ORDINARY_WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// A word that every page and every program uses; as a secret it can be known only by its place.
pub(super) fn is_common(value: &str) -> bool {
    const NOUNS: &[&str] = &[
        "password", "passwd", "secret", "token", "cookie", "login", "admin", "test", "button",
        "textbox", "link",
    ];
    NOUNS.contains(&value) || ORDINARY_WORDS.contains(&value)
}

/// Letters only, perhaps with hyphens or apostrophes: nothing tells it from prose.
pub(super) fn is_plain_word(value: &str) -> bool {
    value
        .chars()
        .all(|character| character.is_alphabetic() || matches!(character, '-' | '\'' | '’'))
}

/// A word that repeats what a secret is called: `csrf-token`, `user.password`, `#login-password`.
pub(super) fn names_a_secret(value: &str) -> bool {
    const NOUNS: &[&str] = &[
        "password",
        "passwd",
        "pwd",
        "secret",
        "token",
        "cookie",
        "key",
        "csrf",
        "auth",
        "credential",
    ];
    if value.bytes().any(|byte| byte.is_ascii_digit()) || value.len() > 64 {
        return false;
    }
    let value = value.to_ascii_lowercase();
    NOUNS.iter().any(|noun| value.contains(noun))
}

/// A part of a program that a value is put into later: `${token}`, `$TOKEN`, `{token}`, `<token>`.
pub(super) fn is_template(value: &str) -> bool {
    let variable = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    };
    value.starts_with(['{', '<'])
        || value
            .strip_prefix('$')
            .is_some_and(|rest| rest.starts_with(['{', '(']) || variable(rest))
}

/// A variable, a template or a stand-in: `$TOKEN`, `${{ secrets.X }}`, `<password>`, `{token}`.
pub(super) fn is_placeholder(value: &str) -> bool {
    let mut characters = value.chars();
    match (characters.next(), characters.next()) {
        (Some('$'), Some('{' | '(')) => true,
        (Some('$' | ':' | '@' | '&'), Some(_)) => value
            .chars()
            .skip(1)
            .all(|character| character.is_ascii_alphabetic() || character == '_'),
        (Some('<' | '{' | '[' | '('), _) => true,
        // `%PASSWORD%` and `%s`, but not the encoded `!` of `%21hunter2`.
        (Some('%'), _) => value.ends_with('%') || !begins_encoded(value),
        // A path, but not a drawn key that happens to begin like one.
        (Some('/'), _) => !is_opaque(value),
        _ => {
            value.contains("...")
                || value.contains('…')
                || value.to_ascii_lowercase().starts_with("your")
        }
    }
}

/// The value begins with a percent-encoded byte.
fn begins_encoded(value: &str) -> bool {
    value.get(1..3).is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// An expression of a programming language: `os.environ["PW"]`, `getToken()`, `config.secret`.
pub(super) fn is_code(value: &str) -> bool {
    let path_end = value
        .find(|character: char| {
            !(character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '.' | '?' | '!'))
        })
        .unwrap_or(value.len());
    let path = value.get(..path_end).unwrap_or_default();
    let rest = value.get(path_end..).unwrap_or_default();
    let starts_as_name =
        path.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '$'));
    if !starts_as_name {
        return false;
    }
    if rest.starts_with(['(', '['])
        || rest.starts_with("::")
        || rest.starts_with("->")
        || rest.starts_with("=>")
    {
        return true;
    }
    let wordy = !path.bytes().any(|byte| byte.is_ascii_digit());
    wordy
        && (path.contains('.') || path.contains('_'))
        && rest.trim_matches([',', ';', ')', '}']).is_empty()
}

/// A sentence or a label: several words, and it begins or runs like prose.
pub(super) fn is_prose(value: &str) -> bool {
    let value = value.trim();
    if !value.contains(char::is_whitespace) {
        return false;
    }
    value.starts_with(char::is_uppercase)
        || value.contains(['(', '{', '<'])
        || value.split_whitespace().any(is_ordinary_word)
}

/// `v1.2.3`, `2024-05-01T10:00:00Z`, `ring-20`, `ERR_HTTP2_PROTOCOL`: parts that are words or numbers.
pub(super) fn is_structured(value: &str) -> bool {
    let mut parts = 0;
    let all = value.split(['-', '_', '.', ':', '/', '+', ' ', ',']).all(|part| {
        parts += 1;
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        let letters = part.chars().filter(|character| character.is_alphabetic()).count();
        let only = digits + letters == part.chars().count();
        let word = letters <= 14 && digits <= 2 && part.starts_with(char::is_alphabetic);
        let number = letters <= 1 && digits <= 8;
        let time = part.len() <= 6 && part.contains(['T', 'Z']);
        only && (part.is_empty() || word || number || time)
    });
    all && parts > 1
}

/// `images/photo123.jpg`: the path of an ordinary file, whose names are words with short numbers. What
/// is drawn has no such ending, and hardly such names.
pub(super) fn is_file_path(value: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "avif", "css", "csv", "doc", "docx", "gif", "htm", "html", "ico", "jpeg", "jpg", "js",
        "json", "md", "mjs", "mp3", "mp4", "pdf", "png", "svg", "txt", "webm", "webp", "woff2",
        "xlsx", "xml", "zip",
    ];
    let Some((path, ending)) = value.rsplit_once('.') else { return false };
    let named = |name: &str| {
        let word = name.trim_end_matches(|last: char| last.is_ascii_digit());
        let small = word.strip_prefix(|first: char| first.is_ascii_uppercase()).unwrap_or(word);
        small.bytes().all(|byte| byte.is_ascii_lowercase())
            && matches!(word.len(), 0 | 3..=14)
            && name.len() - word.len() <= 4
    };
    ENDINGS.contains(&ending)
        && path.contains('/')
        && path.starts_with(|first: char| first.is_ascii_alphabetic())
        && path.split(['/', '-', '_', '.']).all(named)
}

/// A run of characters that nobody writes by hand: long, unbroken, letters and digits mixed.
pub(super) fn is_opaque(value: &str) -> bool {
    let value = value.trim();
    let drawn = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'.' | b'~' | b'%' | b':' | b'|')
    };
    if value.len() < 12 || !value.trim_end_matches('=').bytes().all(drawn) {
        return false;
    }
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let switches = value
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
        .count();
    let mixed = (digits >= 2 && letters >= 2) || (value.len() >= 20 && switches * 6 >= value.len());
    mixed && !is_structured(value) && !value.contains("://")
}

/// Letters with digits or signs among them, as in a chosen password.
pub(super) fn is_mixed(value: &str) -> bool {
    let letter = value.chars().any(char::is_alphabetic);
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let sign = value.contains(['!', '@', '#', '$', '%', '^', '&', '*', '+', '~', '=']);
    // `*name`, `&name`, `!tag`, `| `: marks of YAML and of programs; `!QAZ2wsx` is none.
    let pointer =
        value.starts_with(['*', '&', '=', '+', '-', '|']) || (value.starts_with('!') && !digit);
    letter && (digit || sign) && !pointer && value.chars().count() >= 6 && !is_structured(value)
}
