//! Which names stand in front of a secret.
//!
//! The last word of a name decides: `accessToken` names a token, `tokenCount` a number and
//! `passwordSelector` a selector.

/// How much a name says about its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Nothing.
    None,
    /// The value is a secret when it looks like one.
    Weak,
    /// The value is a secret unless it is plainly none.
    Strong,
}

/// Where a name was found: `code` means more in an address than in an error object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A key of an object or of a line of text.
    Field,
    /// A parameter of an address or of a form body.
    Parameter,
}

/// Words that name a secret by themselves, besides [`GLUED`].
pub(super) const STRONG: &[&str] = &[
    "pwd",
    "passphrase",
    "passcode",
    "jwt",
    "cookie",
    "authorization",
    "csrf",
    "xsrf",
    "accesskey",
    "privatekey",
    "secretkey",
    "authkey",
    "samlresponse",
    "credential",
    "otp",
    "totp",
    "cvv",
    "cvc",
    "psswd",
    "passw",
    "userpass",
    // Not glued: a Portuguese `resenha` is a review.
    "senha",
    // Names in text are ASCII; a key of JSON may be written in full.
    "contraseña",
];

/// Pairs of words that name a secret together.
pub(super) const STRONG_PAIRS: &[(&str, &str)] = &[
    ("api", "key"),
    ("access", "key"),
    ("secret", "key"),
    ("private", "key"),
    ("signing", "key"),
    ("encryption", "key"),
    ("master", "key"),
    ("auth", "key"),
    ("account", "key"),
    ("app", "key"),
    ("shared", "key"),
    ("subscription", "key"),
    ("service", "key"),
    ("session", "id"),
    ("session", "key"),
    ("sess", "id"),
    ("auth", "code"),
    ("authorization", "code"),
    ("verification", "code"),
    ("security", "code"),
    ("recovery", "code"),
    ("backup", "code"),
    ("otp", "code"),
    ("mfa", "code"),
    ("sms", "code"),
    ("device", "code"),
    ("connect", "sid"),
    ("saml", "response"),
    ("pass", "word"),
    ("pass", "phrase"),
    ("pass", "code"),
    // `mot_de_passe`
    ("de", "passe"),
];

/// Words whose value is a secret only when it looks random.
const WEAK: &[&str] = &[
    "auth",
    "sid",
    "code",
    "state",
    "sig",
    "signature",
    "nonce",
    "ticket",
    "assertion",
    "mfa",
    "pass",
    "pw",
    "pin",
    "hmac",
    "passwords",
    "tokens",
    "secrets",
    "cookies",
    "credentials",
    "apikeys",
];

/// Weak words that count only in addresses and forms; elsewhere they are ordinary field names.
const WEAK_PARAMETERS: &[&str] = &["key", "session", "sess", "hash", "invite", "magic"];

/// Endings that do not change what a name names.
const QUALIFIERS: &[&str] = &[
    "confirm",
    "confirmation",
    "confirmed",
    "repeat",
    "again",
    "verify",
    "new",
    "old",
    "value",
    "hash",
    "digest",
    "string",
    "base64",
    "header",
    "raw",
    "plain",
    "plaintext",
    "cleartext",
];

/// First words that make a name a question or an act, not a container.
const ACTS: &[&str] = &[
    "is", "has", "show", "hide", "require", "requires", "required", "need", "needs", "use", "uses",
    "allow", "enable", "disable", "can", "should", "forgot", "reset", "toggle", "remember", "no",
    "change", "missing", "invalid", "enter", "your", "min", "max", "total", "num", "count",
];

/// What `name` says about its value.
pub(super) fn strength(name: &str, place: Place) -> Strength {
    let words = words(name);
    let mut rest: &[String] = &words;
    while let [head @ .., last] = rest {
        let number = last.bytes().all(|byte| byte.is_ascii_digit());
        if head.is_empty() || !(number || QUALIFIERS.contains(&last.as_str())) {
            break;
        }
        rest = head;
    }
    let Some(last) = rest.last().map(String::as_str) else {
        return Strength::None;
    };
    let pair = rest.iter().rev().nth(1).map(|before| (before.as_str(), last));
    let strong = STRONG.contains(&last)
        || pair.is_some_and(|pair| STRONG_PAIRS.contains(&pair))
        // The time code of a film is none.
        || matches!(rest, [.., one, time, code] if one == "one" && time == "time" && code == "code")
        || (last == "id" && pair.is_some_and(|pair| pair.0 == "key"))
        || GLUED.iter().any(|noun| last.ends_with(noun));
    let act = rest.first().is_some_and(|first| ACTS.contains(&first.as_str()));
    let handle = last == "token" && pair.is_some_and(|pair| HANDLES.contains(&pair.0));
    if strong {
        return if act || handle { Strength::Weak } else { Strength::Strong };
    }
    if place == Place::Parameter && matches!(last, "pass" | "pw") {
        return Strength::Strong;
    }
    let weak =
        WEAK.contains(&last) || (place == Place::Parameter && WEAK_PARAMETERS.contains(&last));
    if weak { Strength::Weak } else { Strength::None }
}

/// `pageToken` and its like point at a place or a process and open nothing.
const HANDLES: &[&str] =
    &["progress", "page", "next", "continuation", "cancellation", "cursor", "design", "sync"];

/// Nouns that name a secret alone and glued to a word before them: `userpassword`, `xcsrftoken`.
pub(super) const GLUED: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "kennwort",
    "wachtwoord",
    "motdepasse",
    "contrasena",
    "token",
    "secret",
    "apikey",
    "sessid",
    "sessionid",
];

/// True when a visible label says that its field takes a password or a one-time code (DEC-68).
pub(super) fn label_is_password(label: &str) -> bool {
    const PHRASES: &[&str] = &[
        "password",
        "passwort",
        "passcode",
        "passphrase",
        "mot de passe",
        "contrase",
        "verification code",
        "security code",
        "authentication code",
        "2fa code",
        "api key",
        "access token",
        "api token",
        "private key",
    ];
    // Parts of other words too: a secretary, a Portuguese `resenha`.
    const WORDS: &[&str] =
        &["pin", "otp", "cvv", "cvc", "kennwort", "pwd", "secrets", "secretkey", "senha"];
    const ONCE: &[&str] = &["code", "pass", "passcode", "pin", "token", "key"];
    let words = words(label);
    let label = label.to_lowercase();
    let once = ["one-time", "one time", "onetime"].iter().any(|phrase| label.contains(phrase));
    PHRASES.iter().any(|phrase| label.contains(phrase))
        || words.iter().map(String::as_str).any(|word| {
            WORDS.contains(&word) || word.ends_with("secret") || (once && ONCE.contains(&word))
        })
}

/// The words of `snake_case`, `kebab-case`, `camelCase` and `HTTPHeader` names, in lower case.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = name.chars().peekable();
    let mut previous = ' ';
    while let Some(character) = characters.next() {
        let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
        let boundary = !character.is_alphanumeric()
            || (character.is_uppercase() && (previous.is_lowercase() || previous.is_ascii_digit()))
            || (character.is_uppercase() && previous.is_uppercase() && next_is_lower)
            || (character.is_ascii_digit() && previous.is_alphabetic())
            || (character.is_alphabetic() && previous.is_ascii_digit());
        if boundary && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        previous = character;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    // RED-04, RED-05
    #[test]
    fn the_last_words_of_a_name_decide() {
        for name in [
            "password",
            "newPassword",
            "password2",
            "password_confirmation",
            "DB_PASSWORD",
            "client_secret",
            "accessToken",
            "X-Api-Key",
            "apiKey",
            "APIKey",
            "aws_secret_access_key",
            "Authorization",
            "proxy-authorization",
            "Set-Cookie",
            "PHPSESSID",
            "sessionId",
            "csrf_token",
            "X-XSRF-TOKEN",
            "userpassword",
            "id_token",
            "user[password]",
            "passWord",
            "passPhrase",
            "userPassCode",
            "passwort",
            "neuesKennwort",
            "nieuwwachtwoord",
            "mot_de_passe",
            "motdepasse",
            "nuevacontrasena",
            "contraseña",
            "senha",
        ] {
            assert_eq!(strength(name, Place::Field), Strength::Strong, "{name}");
        }
        for name in [
            "passwordSelector",
            "tokenCount",
            "token_type",
            "cookieConsent",
            "sessionName",
            "secretary",
            "passwordless",
            "key",
            "name",
            "tokenizer",
            "sessionMode",
            "requestId",
            "keyboard",
            "resenha",
            "",
        ] {
            assert_eq!(strength(name, Place::Field), Strength::None, "{name}");
        }
        for name in ["tokens", "max_tokens", "showPassword", "code", "cookies", "hasToken"] {
            assert_eq!(strength(name, Place::Field), Strength::Weak, "{name}");
        }
        assert_eq!(strength("key", Place::Parameter), Strength::Weak);
        assert_eq!(strength("pass", Place::Parameter), Strength::Strong);
        assert_eq!(strength("pass", Place::Field), Strength::Weak);
        assert_eq!(strength("access_key_id", Place::Field), Strength::Strong);
        assert_eq!(strength("key_name", Place::Field), Strength::None);
        assert_eq!(strength("pageToken", Place::Field), Strength::Weak);
        assert_eq!(strength("syncSecret", Place::Field), Strength::Strong);
    }

    // DEC-68, HAZ-24
    #[test]
    fn a_label_names_a_password_by_whole_words() {
        for label in [
            "Client secret",
            "Secret:",
            "Sua senha",
            "One-time code",
            "One time passcode",
            "One-time pass",
            "One-time login code",
            "one-time-code",
            "clientSecret",
            "appsecret",
            "secretKey",
            "PIN",
        ] {
            assert!(label_is_password(label), "{label}");
        }
        for label in
            ["Secretary name", "One-time gift amount", "Escreva sua resenha", "Pinned", "Secretion"]
        {
            assert!(!label_is_password(label), "{label}");
        }
    }
}
