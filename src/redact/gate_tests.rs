//! The gate as a whole: ordinary text stays, secrets never pass, twice is once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{MASK, RULES, Redactor};

const ORDINARY: &str = include_str!("../../tests/corpus/ordinary/snippets.txt");

fn gate() -> Redactor {
    Redactor::new([])
}

// RED-20, HAZ-24
#[test]
fn ordinary_text_is_altered_in_at_most_one_case_of_a_hundred() {
    let snippets: Vec<&str> = ORDINARY.trim_end().split("\n----\n").collect();
    assert!(snippets.len() >= 200, "{} snippets", snippets.len());
    let altered: Vec<String> = snippets
        .iter()
        .map(|snippet| (snippet, gate().text(snippet)))
        .filter(|(snippet, text)| text != **snippet)
        .map(|(snippet, text)| format!("{snippet}\n=>\n{text}"))
        .collect();
    assert!(
        altered.len() * 100 <= snippets.len(),
        "{} altered:\n{}",
        altered.len(),
        altered.join("\n\n")
    );
}

// HAZ-24
#[test]
fn ordinary_tree_lines_stay_as_they_are() {
    for line in ORDINARY
        .lines()
        .filter(|line| line.trim_start().starts_with("- ") && line.contains("[ref="))
    {
        assert_eq!(gate().tree_line(line), line);
    }
}

// RED-01
#[test]
fn every_rule_has_a_name_a_sentence_and_a_trigger() {
    let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), RULES.len());
    for rule in RULES {
        assert!(rule.doc.ends_with('.') && !rule.triggers.is_empty(), "{}", rule.id);
        assert!(
            rule.triggers.iter().all(|trigger| trigger.is_ascii() && trigger.len() >= 3),
            "{}",
            rule.id
        );
    }
}

/// A small generator, so that a failure names a secret that comes back in the next run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }

    fn word(&mut self, alphabet: &str, length: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| alphabet[self.roll(alphabet.len())]).collect()
    }
}

const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const DASHED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
const CHOSEN: &str = "abcdefghijkmnpqrstuvwxyzABCDEFGH23456789!$%*+~ßé";

fn known_token(dice: &mut Dice, kind: usize) -> String {
    let (prefix, alphabet, length) = [
        ("ghp_", ALNUM, 36),
        ("gho_", ALNUM, 36),
        ("ghs_", ALNUM, 36),
        ("ghu_", ALNUM, 36),
        ("ghr_", ALNUM, 36),
        ("github_pat_", ALNUM, 60),
        ("AKIA", UPPER, 16),
        ("ASIA", UPPER, 16),
        ("xoxb-2345678901-", ALNUM, 24),
        ("xoxp-2345678901-", ALNUM, 24),
        ("sk_live_", ALNUM, 24),
        ("rk_test_", ALNUM, 24),
        ("pk_live_", ALNUM, 24),
        ("AIza7", DASHED, 34),
        ("sk-9", ALNUM, 47),
        ("sk-ant-api03-", DASHED, 60),
        ("npm_", ALNUM, 36),
        ("glpat-7", DASHED, 20),
        ("eyJhbGciOiJIUzI1NiJ9.eyJ", DASHED, 40),
    ][kind % 19];
    let mut token = format!("{prefix}{}", dice.word(alphabet, length));
    if prefix.starts_with("eyJ") {
        token = format!("{token}.{}", dice.word(DASHED, 43));
    }
    token
}

/// The text of every exit that carries `secret` where a page or upstream may put it.
fn every_exit(gate: &Redactor, secret: &str, carriers: &[String]) -> Vec<String> {
    let mut exits = Vec::new();
    for carrier in carriers {
        exits.push(gate.text(carrier));
        exits.push(gate.tree_line(&format!("  - text: {carrier}")));
        exits.push(
            gate.json(&json!({ "data": { "rows": [carrier], "note": carrier } })).to_string(),
        );
        exits.push(gate.argv(&["eval".to_owned(), carrier.clone()]).join("\u{0}"));
    }
    exits.push(gate.url(&format!("https://shop.test/{secret}?next={secret}#{secret}")));
    exits.push(
        gate.tree_line(&format!("- link \"{secret}\" [ref=e4, url=https://shop.test/{secret}]")),
    );
    exits.push(gate.json(&json!({ secret: [[secret]] })).to_string());
    exits
}

// DEC-68, RED-05
#[test]
fn known_tokens_never_pass_any_exit() {
    let mut dice = Dice(7);
    for number in 0..400 {
        let secret = known_token(&mut dice, number);
        let carriers = [
            secret.clone(),
            format!("the token {secret}, which expires"),
            format!("x=({secret})"),
            format!("{{\"a\":\"{secret}\"}}"),
        ];
        for exit in every_exit(&gate(), &secret, &carriers) {
            assert!(!exit.contains(&secret), "{secret} in {exit}");
        }
    }
}

// RED-10, DEC-68
#[test]
fn the_calls_own_secrets_never_pass_any_exit() {
    let mut dice = Dice(11);
    for number in 0..300 {
        let secret = dice.word(CHOSEN, 4 + number % 30);
        let gate = Redactor::new([secret.clone()]);
        let carriers = [
            secret.clone(),
            format!("could not type '{secret}' into the field"),
            format!("Xx{secret}yY"),
            format!("line one\nline {secret}\nline three"),
        ];
        for exit in every_exit(&gate, &secret, &carriers) {
            assert!(!exit.contains(&secret), "{secret} in {exit}");
        }
        let encoded: String = ::url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let url = gate.url(&format!("https://shop.test/?q={encoded}"));
        assert!(!url.contains(&encoded), "{encoded} in {url}");
        let argv = ["fill".to_owned(), "@e3".to_owned(), secret.clone()];
        assert_eq!(gate.argv(&argv), ["fill", "@e3", MASK]);
    }
}

// RED-04, RED-05, RED-06, RED-07, RED-08
#[test]
fn values_behind_sensitive_names_never_pass() {
    let mut dice = Dice(13);
    let keys = [
        "password",
        "access_token",
        "client_secret",
        "apiKey",
        "X-Api-Key",
        "csrf_token",
        "PHPSESSID",
    ];
    for number in 0..300 {
        let secret = format!("{}7{}", dice.word(ALNUM, 4 + number % 20), dice.word(ALNUM, 4));
        let key = keys[number % keys.len()];
        let gate = gate();
        let exits = [
            gate.text(&format!("{key}={secret}")),
            gate.text(&format!("user=ann&{key}={secret}&page=2")),
            gate.text(&format!("sent {key}: {secret} to the server")),
            gate.text(&format!("const {key} = \"{secret}\";")),
            gate.text(&format!("{{\"user\":\"ann\",\"{key}\":\"{secret}\"}}")),
            gate.text(&format!("body: {{\\\"{key}\\\":\\\"{secret}\\\"}}")),
            gate.text(&format!("{{\n  \"{key}\": [\n    \"{secret}\"\n  ]\n}}")),
            gate.text(&format!("<{key}>{secret}</{key}>")),
            gate.text(&format!("Authorization: Bearer {secret}\nAccept: */*")),
            gate.text(&format!("Cookie: theme=dark; sid={secret}")),
            gate.text(&format!("Set-Cookie: sid={secret}; Path=/; HttpOnly")),
            gate.text(&format!("proxy http://ann:{secret}@127.0.0.1:3128 refused")),
            gate.text(&format!("<input type=\"password\" value=\"{secret}\">")),
            gate.url(&format!("https://shop.test/cb?page=2&{key}={secret}")),
            gate.url(&format!("https://shop.test/#{key}={secret}&x=1")),
            gate.url(&format!("https://ann:{secret}@shop.test/")),
            gate.url(&format!("https://shop.test/?r=https%3A%2F%2Fa.test%2F%3F{key}%3D{secret}")),
            gate.json(&json!({ key: secret })).to_string(),
            gate.json(&json!({ "a": [{ "name": key, "value": secret }] })).to_string(),
            gate.json(&json!({ "postData": format!("a=1&{key}={secret}") })).to_string(),
            gate.json(&json!({ "postData": format!("{{\"{key}\": \"{secret}\"}}") })).to_string(),
            gate.json(&json!({ "stdin": json!([["cookies", "set", "a", secret]]).to_string() }))
                .to_string(),
            gate.json(&json!({ "args": ["--password", secret, "--headers", secret] })).to_string(),
            gate.json_cookies(&json!({ "cookies": [{ "name": "x", "Value": secret }] }))
                .to_string(),
            gate.json_storage(&json!({ "data": { key: secret } })).to_string(),
            gate.argv(&["--password".to_owned(), secret.clone()]).join(" "),
            gate.argv(&[format!("--proxy={secret}")]).join(" "),
            gate.tree_line(&format!("- textbox \"Password\" [ref=e3]: {secret}")),
            gate.tree_line(&format!(
                "- link \"Go\" [ref=e3, url=https://shop.test/?{key}={secret}]"
            )),
        ];
        for exit in exits {
            assert!(!exit.contains(&secret), "{key} {secret} in {exit}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    // RED-23
    #[test]
    fn redacting_twice_is_redacting_once(pieces in proptest::collection::vec(piece(), 0..12)) {
        let text = pieces.concat();
        let gate = Redactor::new(["hunter2".to_owned(), "ab".to_owned(), "REDACTED".to_owned()]);
        let once = gate.text(&text);
        prop_assert_eq!(gate.text(&once), once);
        let once = gate.url(&text);
        prop_assert_eq!(gate.url(&once), once);
        let once = gate.tree_line(&text);
        prop_assert_eq!(gate.tree_line(&once), once);
        let once = gate.json(&json!({ "password": text, "note": [text], &text: text }));
        prop_assert_eq!(gate.json(&once), once);
        let once = gate.argv(&pieces);
        prop_assert_eq!(gate.argv(&once), once);
    }

    #[test]
    fn any_text_passes_without_panic_and_masks_stay(text in any::<String>()) {
        let gate = Redactor::new([text.clone()]);
        let _ = (gate.text(&text), gate.url(&text), gate.tree_line(&text));
        prop_assert_eq!(gate.text(MASK), MASK);
    }
}

/// Pieces that wake rules, close to each other.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(vec![
            "password",
            "token",
            "=",
            ": ",
            "\"",
            "'",
            " ",
            "\n",
            "&",
            "?",
            "#",
            ";",
            "https://",
            "user:pw@",
            "Bearer ",
            "Basic ",
            "Authorization: ",
            "Cookie: ",
            "hunter2",
            "[REDACTED]",
            "- textbox \"Password\" [ref=e1]: ",
            "eyJ",
            "-----BEGIN PRIVATE KEY-----",
            "<input type=password value=",
            ">",
            "sk-",
            "--",
            "ab",
            "\\\"",
            ",",
            "{",
            "}",
            "[",
            "]",
            "é",
            "%3D",
            "code=",
            "a1b2c3d4e5f6g7h8",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9]{0,12}",
    ]
}

// RED-04
#[test]
fn json_of_any_depth_is_walked_without_overflow() {
    let mut value = json!({ "password": "hunter2" });
    for _ in 0..3_000 {
        value = Value::Array(vec![value]);
    }
    let text = gate().json(&value).to_string();
    assert!(text.contains(MASK) && !text.contains("hunter2"));
}
