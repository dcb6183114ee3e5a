//! Tokens that show by their own form what they are.

use std::ops::Range;

use super::engine::{LOOK, Rule, Scan};

/// Tokens of known services and signed web tokens, wherever they stand.
pub(super) const RULE: Rule = Rule {
    id: "known-token",
    doc: "Tokens with the known forms of GitHub, GitLab, AWS, Slack, Discord, Stripe, Google, OpenAI, Anthropic, npm and others, and JSON web tokens.",
    triggers: &[
        "ghp_",
        "gho_",
        "ghs_",
        "ghu_",
        "ghr_",
        "github_pat_",
        "akia",
        "asia",
        "xoxa-",
        "xoxb-",
        "xoxc-",
        "xoxd-",
        "xoxe-",
        "xoxe.",
        "xoxo-",
        "xoxp-",
        "xoxr-",
        "xoxs-",
        "xapp-",
        "sk_live_",
        "sk_test_",
        "rk_live_",
        "rk_test_",
        "pk_live_",
        "pk_test_",
        "whsec_",
        "aiza",
        "ya29.",
        "gocspx-",
        "sk-",
        "npm_",
        "glpat-",
        "gldt-",
        "glrt-",
        "hf_",
        "dop_v1_",
        "shpat_",
        "shpss_",
        "sg.",
        "pypi-",
        "age-secret-key-1",
        "eyj",
        "hooks.slack.com/services/",
        "discord.com/api/webhooks/",
        "discordapp.com/api/webhooks/",
    ],
    self_evident: true,
    apply,
};

/// Characters behind a prefix that are enough to decide.
const DECIDE: usize = 64;

/// Longest header of a web token; one with a certificate has several hundred characters.
const HEADER: usize = 1024;

/// What may follow a prefix.
struct Shape {
    prefix: &'static str,
    /// Fewest characters behind the prefix.
    least: usize,
    body: fn(u8) -> bool,
    /// A run of so many letters and digits must hold a digit, so that no hyphenated words are taken for
    /// a token; 0 where the prefix is proof enough.
    run: usize,
}

const fn shape(prefix: &'static str, least: usize, body: fn(u8) -> bool) -> Shape {
    Shape { prefix, least, body, run: 0 }
}

const fn with_digit(prefix: &'static str, least: usize, body: fn(u8) -> bool) -> Shape {
    Shape { prefix, least, body, run: 1 }
}

impl Shape {
    /// What stands behind the prefix is drawn, not written.
    fn proves(&self, body: &str) -> bool {
        let drawn = |run: &str| run.len() >= self.run && run.bytes().any(|b| b.is_ascii_digit());
        self.run == 0 || body.split(|c: char| !c.is_ascii_alphanumeric()).any(drawn)
    }
}

const SHAPES: &[Shape] = &[
    shape("ghp_", 20, alnum),
    shape("gho_", 20, alnum),
    shape("ghs_", 20, alnum),
    shape("ghu_", 20, alnum),
    shape("ghr_", 20, alnum),
    shape("github_pat_", 20, word),
    shape("AKIA", 16, upper),
    shape("ASIA", 16, upper),
    with_digit("xoxa-", 10, dashed),
    with_digit("xoxb-", 10, dashed),
    with_digit("xoxc-", 10, dashed),
    with_digit("xoxd-", 10, percent),
    with_digit("xoxe-", 10, dashed),
    with_digit("xoxe.", 10, dotted),
    with_digit("xoxo-", 10, dashed),
    with_digit("xoxp-", 10, dashed),
    with_digit("xoxr-", 10, dashed),
    with_digit("xoxs-", 10, dashed),
    with_digit("xapp-", 10, dashed),
    shape("sk_live_", 10, alnum),
    shape("sk_test_", 10, alnum),
    shape("rk_live_", 10, alnum),
    shape("rk_test_", 10, alnum),
    shape("pk_live_", 10, alnum),
    shape("pk_test_", 10, alnum),
    with_digit("whsec_", 16, base64),
    with_digit("AIza", 30, dashed),
    with_digit("ya29.", 20, dotted),
    with_digit("GOCSPX-", 16, dashed),
    shape("sk-ant-", 16, dashed),
    with_digit("sk-proj-", 20, dashed),
    // Product names and classes begin so too: `sk-ii-facial-treatment-essence-230ml`.
    Shape { prefix: "sk-", least: 20, body: dashed, run: 12 },
    shape("npm_", 30, alnum),
    with_digit("glpat-", 16, dashed),
    with_digit("gldt-", 16, dashed),
    with_digit("glrt-", 16, dashed),
    with_digit("hf_", 30, alnum),
    with_digit("dop_v1_", 40, alnum),
    with_digit("shpat_", 30, alnum),
    with_digit("shpss_", 30, alnum),
    with_digit("SG.", 40, dotted),
    with_digit("pypi-", 40, dashed),
    shape("AGE-SECRET-KEY-1", 20, alnum),
    with_digit("hooks.slack.com/services/", 16, path),
    with_digit("discord.com/api/webhooks/", 40, webhook),
    with_digit("discordapp.com/api/webhooks/", 40, webhook),
];

fn apply(scan: &mut Scan<'_>, hit: Range<usize>) {
    if scan.before(hit.start).is_some_and(word) && !stands_behind_escape(scan, hit.start) {
        return;
    }
    if scan.follows(hit.start, "eyJ") {
        return web_token(scan, hit.start);
    }
    for shape in SHAPES.iter().filter(|shape| scan.follows(hit.start, shape.prefix)) {
        let body = hit.start + shape.prefix.len();
        let seen = scan.end_of(body, DECIDE, shape.body);
        if seen - body >= shape.least && shape.proves(scan.slice(body..seen)) {
            let end = scan.end_of(seen, usize::MAX, shape.body);
            // The dot of a sentence is no part of a token.
            let token = scan.slice(hit.start..end).trim_end_matches('.');
            return scan.mask(hit.start..hit.start + token.len());
        }
    }
}

/// The letter before `at` ends an escape: `%22`, `\n`, `\u003d`.
fn stands_behind_escape(scan: &Scan<'_>, at: usize) -> bool {
    let behind = |sign: u8, length: usize| {
        let start = at.checked_sub(length)?;
        (scan.byte(start) == Some(sign)).then(|| scan.slice(start + 1..at))
    };
    let hex = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    behind(b'%', 3).is_some_and(hex)
        || behind(b'\\', 2).is_some_and(|letter| matches!(letter, "n" | "r" | "t"))
        || behind(b'\\', 6).and_then(|code| code.strip_prefix('u')).is_some_and(hex)
}

/// Header, payload and signature of a JSON web token. An encrypted one has five parts, and the second
/// may be empty.
fn web_token(scan: &mut Scan<'_>, start: usize) {
    let header = scan.end_of(start, HEADER, dashed);
    if header - start < 10 || scan.byte(header) != Some(b'.') {
        return;
    }
    let part = scan.end_of(header + 1, 1, |byte| byte == b'.');
    let payload = scan.end_of(part, LOOK, dashed);
    if payload - part < 4 {
        return;
    }
    scan.mask(start..scan.end_of(payload, usize::MAX, dotted));
}

fn alnum(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn word(byte: u8) -> bool {
    alnum(byte) || byte == b'_'
}

fn dashed(byte: u8) -> bool {
    word(byte) || byte == b'-'
}

fn dotted(byte: u8) -> bool {
    dashed(byte) || byte == b'.'
}

fn percent(byte: u8) -> bool {
    dashed(byte) || matches!(byte, b'%' | b'+' | b'/' | b'=')
}

fn base64(byte: u8) -> bool {
    word(byte) || matches!(byte, b'+' | b'/' | b'=')
}

fn path(byte: u8) -> bool {
    word(byte) || byte == b'/'
}

fn webhook(byte: u8) -> bool {
    dashed(byte) || byte == b'/'
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    // DEC-68
    #[test]
    fn a_token_is_masked_whole_and_its_neighbours_stay() {
        let gate = Redactor::new([]);
        let token = format!("ghp_{}", "a1B2".repeat(9));
        assert_eq!(gate.text(&format!("use {token}, please")), "use [REDACTED], please");
        let web = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123";
        assert_eq!(gate.text(&format!("({web})")), "([REDACTED])");
        assert_eq!(gate.url(&format!("https://a.test/t/{web}/x")), "https://a.test/t/[REDACTED]/x");
    }

    // RED-20
    #[test]
    fn words_that_begin_like_a_token_stay() {
        let gate = Redactor::new([]);
        for text in [
            "sk-loading-indicator-wrapper-large",
            "npm_config_registry",
            "ghp_short",
            "AKIAshi",
            "eyJ is a prefix",
        ] {
            assert_eq!(gate.text(text), text);
        }
    }

    // DEC-68
    #[test]
    fn every_form_of_body_is_masked_to_its_end_and_no_further() {
        let gate = Redactor::new([]);
        for token in [
            "AKIAIOSFODNN7EXAMPLE",
            "ASIAABCDEFGHIJKLMNOP",
            "xoxd-1abc%2Bde+f/g=h-i_j",
            "xoxe.xoxp-1-Mi0yLTEyMw",
            "whsec_MfKQ9r8GKYqr+TwjU/PD8ILPZIo2LaLaSw==",
            "hooks.slack.com/services/T012/B_34/abcdEFGH56",
            "sk-ant-abcdefghijklmnop",
            "eyJhbGciOi.eyJz",
        ] {
            assert_eq!(gate.text(&format!("it is {token} (new)")), "it is [REDACTED] (new)");
        }
        for text in [
            "AKIA is how such a key begins, and ASIA too",
            "a name such as ghp_short is no token",
            "here eyJhbGciO.eyJzd is too short",
            "and eyJhbGciOi.eyJ as well",
            "eyJhbGciOiJIUzI1NiJ9 abcd has no payload",
            "whsec_is_a_prefix_of_keys (1)",
            "xoxd-is-a-prefix-of-keys (1)",
            "hooks.slack.com/services/of/our/workspace (1)",
        ] {
            assert_eq!(gate.text(text), text);
        }
    }

    // DEC-68
    #[test]
    fn web_tokens_of_every_build_and_dotted_tokens_are_masked_whole() {
        let gate = Redactor::new([]);
        for token in [
            "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..8c1aU3v0x2.Qk9z7.m3Q".to_owned(),
            format!("eyJ{}.eyJzdWIiOiIxIn0.abc-DEF_123", "a1B2".repeat(200)),
            "ya29.c.b0AXv0zTPAb1c2D3e4F5g6H7".to_owned(),
            format!("discord.com/api/webhooks/1098765432109876543/{}", "aB3-_".repeat(13)),
        ] {
            assert_eq!(gate.text(&format!("it is {token}, or")), "it is [REDACTED], or", "{token}");
        }
        let google = gate.text("It is ya29.c.b0AXv0zTPAb1c2D3e4F5g6H7.");
        assert_eq!(google, "It is [REDACTED].");
        for text in
            ["see discord.com/api/webhooks/{id}/{token}", "eyJhbGciOiJkaXIiLCJlbmMiOi... and so on"]
        {
            assert_eq!(gate.text(text), text);
        }
    }

    // DEC-68
    #[test]
    fn a_token_behind_an_escape_is_masked() {
        let gate = Redactor::new([]);
        let token = format!("ghp_{}", "a1B2".repeat(9));
        for before in ["?q=%22", "a%3d", "a\\n", "a\\t", "a\\u003d"] {
            let text = gate.text(&format!("{before}{token}"));
            assert_eq!(text, format!("{before}[REDACTED]"));
        }
        let name = format!("xn{token}");
        assert_eq!(gate.text(&name), name);
    }

    // RED-20
    #[test]
    fn slugs_and_classes_are_no_tokens() {
        let gate = Redactor::new([]);
        for text in ["sk-ii-facial-treatment-essence-230ml", "sk-loading-indicator-wrapper-2"] {
            assert_eq!(gate.text(text), text);
        }
        assert_eq!(gate.text("sk-or-v1-0a1b2c3d4e5f60718293"), "[REDACTED]");
    }
}
