//! How single values are judged.

use super::value::*;

// RED-03, HAZ-24
#[test]
fn values_are_told_apart() {
    for value in ["hunter2", "abc123", "S3cr3t!x", "p@ssword", "!QAZ2wsx"] {
        assert!(is_mixed(value), "{value}");
    }
    for value in ["v1.2.3", "ring-20", "2024-05-01", "string", "8-16", "*name12", "!vault"] {
        assert!(!is_mixed(value), "{value}");
    }
    for value in
        ["3f9c2a77b1d04e6f", "dGhpc0lzQVNlY3JldA==", "550e8400-e29b-41d4-a716-446655440000"]
    {
        assert!(is_opaque(value), "{value}");
    }
    for value in
        ["2024-05-01T10:00:00Z", "ERR_HTTP2_PROTOCOL_ERROR", "dark", "en-US", "anna.karenina"]
    {
        assert!(!is_opaque(value), "{value}");
    }
    for value in ["getToken()", "os.environ[\"PW\"]", "config.secret", "user_password,", "Foo::new"]
    {
        assert!(is_code(value), "{value}");
    }
    for value in ["hunter2", "abc.def1", "x"] {
        assert!(!is_code(value), "{value}");
    }
}

fn check(question: fn(&str) -> bool, yes: &[&str], no: &[&str]) {
    yes.iter().for_each(|value| assert!(question(value), "{value}"));
    no.iter().for_each(|value| assert!(!question(value), "{value}"));
}

// HAZ-24
#[test]
fn words_colours_and_stand_ins_are_told_from_secrets() {
    check(is_benign, &["#dcdccc", "#abc", "123", "••••", "None", ""], &["#zzz", "#abcde", "1234"]);
    check(is_ordinary_word, &["required,", "(String)"], &["tulip"]);
    let (at_most, too_long) = (format!("{:a<64}", "token"), format!("{:a<65}", "token"));
    check(names_a_secret, &["csrf-token", &at_most], &["token2", "tulip", &too_long]);
    check(
        is_placeholder,
        &[
            "${{ secrets.X1 }}",
            "$(pass x1)",
            "$MY_TOKEN",
            ":name",
            "<pw1>",
            "ab...",
            "ab…",
            "Your-1",
        ],
        &["$abc1", "$", "tulip", ""],
    );
    check(is_placeholder, &["%s", "%PW%", "%AB%", "%1", "/a/b1"], &["%21ab", "/a1b2c3d4e5f6"]);
    check(
        is_prose,
        &["Two words", "two (words", "two for words"],
        &["two words", "(two", "Two", " Two "],
    );
}

// RED-03
#[test]
fn runs_that_nobody_writes_by_hand_are_told_from_names_and_times() {
    check(
        is_structured,
        &["2024-05-01T10Z", "abcdefghijklmn-x", "ab12-x", "12345678-x"],
        &["abcdefghijklmno-x", "abc1234-x", "a1b2c3-x", "123456789-x", "abc", "123TZ456-x"],
    );
    check(
        is_opaque,
        &["a1b2c3d4e5f6", "aBcDeFgHiJkLmNoPqRsTuV"],
        &[
            "a1b2c3d4e5f",
            "a1b2c3d4e5f6 g7",
            "abcdefghijklmnopqrstuvwxyz",
            "aBcDeFgHiJkLmN",
            "helloWonderfulWorldAgain",
        ],
    );
}

// HAZ-24
#[test]
fn a_template_is_told_from_a_value_that_begins_like_one() {
    check(
        is_template,
        &["${token}", "$(token)", "$API_TOKEN", "{token}", "<token>"],
        &["$", "$ecret123", "$up-er", "token"],
    );
}

// RED-05, HAZ-24
#[test]
fn the_path_of_a_file_is_told_from_a_drawn_value_with_signs_in_it() {
    check(
        is_file_path,
        &[
            "images/photo123.jpg",
            "Images/Photo1234.png",
            "docs/2024/05/annual-report_12.pdf",
            "abc/abcdefghijklmn1.css",
            "lib/app.min.js",
        ],
        &[
            "photo123.jpg",
            "images/photo123",
            "images/photo123.a8Fk9",
            "images/photo12345.jpg",
            "a8Fk/93kdPq.jpg",
            "images/kdPq93.jpg",
            "images/a1.jpg",
            "images/ab.jpg",
            "images/abcdefghijklmno.jpg",
            "1234/photo.jpg",
            "/images/photo123.jpg",
            "images/KDPQW.jpg",
            "images/photo 1.jpg",
            "https://a.test/photo123.jpg",
        ],
    );
}
