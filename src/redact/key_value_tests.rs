//! What is masked behind a sensitive name, and what stays.

use super::keys::{GLUED, STRONG, STRONG_PAIRS};
use crate::redact::Redactor;

fn check(text: &str, expected: &str) {
    assert_eq!(Redactor::new([]).text(text), expected, "{text}");
}

// RED-04, RED-05, HAZ-24
#[test]
fn values_behind_sensitive_names_are_masked_and_the_rest_stays() {
    check("user=ann&password=a,b&page=2", "user=ann&password=[REDACTED]&page=2");
    check("user[password]=hunter2&x=1", "user[password]=[REDACTED]&x=1");
    check("user=ann,password=hunter2,ip=127.0.0.1", "user=ann,password=[REDACTED],ip=127.0.0.1");
    check(
        "{\"user\": \"ann\", \"password\": \"a\\\"b\"}",
        "{\"user\": \"ann\", \"password\": \"[REDACTED]\"}",
    );
    check("const apiKey = 'k3y-v4lue-x';", "const apiKey = '[REDACTED]';");
    check("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG+bPx", "AWS_SECRET_ACCESS_KEY=[REDACTED]");
    check("mysql --password hunter22 -h db", "mysql --password [REDACTED] -h db");
    check("db:\n  password: swordfish\n  port: 5432", "db:\n  password: [REDACTED]\n  port: 5432");
    check("GET /cb?code=4f8a1c&lang=en", "GET /cb?code=[REDACTED]&lang=en");
}

// RED-05, HAZ-24
#[test]
fn encoded_escaped_and_programmed_values_are_masked() {
    check(
        r#"{\"b\":\"{\\\"pwd\\\":\\\"x\\\"}\"}"#,
        r#"{\"b\":\"{\\\"pwd\\\":\\\"[REDACTED]\\\"}\"}"#,
    );
    check("r=%3Ftoken%3Dabc%26page%3D2", "r=%3Ftoken%3D[REDACTED]%26page%3D2");
    check("localStorage.setItem('token', 'abc123')", "localStorage.setItem('token', '[REDACTED]')");
    check("Server=db;Password=Pa55w0rd;Encrypt=true", "Server=db;Password=[REDACTED];Encrypt=true");
    check("DB_PASS=hunter2 pw=hunter2", "DB_PASS=[REDACTED] pw=[REDACTED]");
    check("user: ann, pass: hunter2", "user: ann, pass: [REDACTED]");
    check("X-Auth-Token: abcdefghijkl", "X-Auth-Token: [REDACTED]");
    check("document.cookie = \"sid=abc; path=/\"", "document.cookie = \"[REDACTED]\"");
}

// HAZ-24, RED-20
#[test]
fn names_without_a_value_of_their_own_stay() {
    for text in [
        "tokens: 12",
        "cookies: 3",
        "Password: required",
        "passwordSelector: #pw1234",
        "token: getToken()",
        "password=$PASSWORD",
        "\"password\": true",
        "textbox \"Password:\" [ref=e5]",
        "password == 'x12345'",
        "--password-stdin",
    ] {
        check(text, text);
    }
}

// RED-05
#[test]
fn names_in_brackets_elements_and_other_languages_are_names() {
    for (text, expected) in [
        ("[password=hunter22]", "[password=[REDACTED]]"),
        ("user%5Bpassword%5D=hunter2&x=1", "user%5Bpassword%5D=[REDACTED]&x=1"),
        ("user%5bpassword%5d=hunter2&x=1", "user%5bpassword%5d=[REDACTED]&x=1"),
        ("see <password=hunter22> now", "see <password=[REDACTED]> now"),
        ("a <password>swordfish</password>", "a <password>[REDACTED]</password>"),
        ("'password' => 'hunter22'", "'password' => '[REDACTED]'"),
        ("password := \"hunter22\"", "password := \"[REDACTED]\""),
        ("GET /x?key=AB12CD34", "GET /x?key=[REDACTED]"),
        (r#"body: {\"pwd\":\"x\"}"#, r#"body: {\"pwd\":\"[REDACTED]\"}"#),
        (r#"body: {\"otp\":123456,\"n\":7}"#, r#"body: {\"otp\":[REDACTED],\"n\":7}"#),
        ("- text: password=hunter22", "- text: password=[REDACTED]"),
        ("- text: \"password\": \"tulip77\"", "- text: \"password\": \"[REDACTED]\""),
    ] {
        check(text, expected);
    }
    let far = format!("{} password=hunter22", "-".repeat(300));
    check(&far, &far.replace("hunter22", "[REDACTED]"));
}

// RED-05
#[test]
fn a_value_ends_where_the_next_name_begins() {
    for (text, expected) in [
        ("token=abc123x, then", "token=[REDACTED], then"),
        ("token=abc123x,", "token=[REDACTED],"),
        ("password=ab,cd12", "password=[REDACTED]"),
        ("password=ab12,=cd34", "password=[REDACTED]"),
        ("password=ab12;port=1", "password=[REDACTED];port=1"),
        ("(password=hunter22).", "(password=[REDACTED])."),
        ("x = {pwd: 'abcd\\\\', n: 'b'}", "x = {pwd: '[REDACTED]', n: 'b'}"),
        ("x = {pwd: 'ab\\'cd', n: 'b'}", "x = {pwd: '[REDACTED]', n: 'b'}"),
        (r#"b: {\"pwd\":\"a\\\"b\",\"n\":\"c\"}"#, r#"b: {\"pwd\":\"[REDACTED]\",\"n\":\"c\"}"#),
        (r#"b: "{\"pwd\":\"a\\" n="c""#, r#"b: "{\"pwd\":\"[REDACTED]" n="c""#),
        ("pwd='hunter22\nn='b'", "pwd='[REDACTED]\nn='b'"),
    ] {
        check(text, expected);
    }
}

// HAZ-24
#[test]
fn comparisons_labels_and_other_marks_stay() {
    for text in [
        "sort key=3f9c2a77b1d04e6f",
        "'Forgot password': 'Vergessen'",
        "press <token>hunter22</b>",
        "t(\"password\", \"Passwort\")",
        "docs#--token#abc123x",
        "- text: password: swordfish7",
        "if password = swordfish then",
        "say \"pwd\": \"x\" here",
        "if token==expected1 then",
        "token%20abc1234",
    ] {
        check(text, text);
    }
}

// RED-05
#[test]
fn every_field_of_a_form_carries_a_value() {
    for (text, expected) in [
        ("password=john.smith&user=ann", "password=[REDACTED]&user=ann"),
        ("utf8=1&user%5Bpassword%5D=correct_horse&x=1", "utf8=1&user%5Bpassword%5D=[REDACTED]&x=1"),
        ("user[password]=correct_horse", "user[password]=[REDACTED]"),
        ("user%5bpwd%5d=tulip&x=1", "user%5bpwd%5d=[REDACTED]&x=1"),
        ("user=ann&password=your1dog", "user=ann&password=[REDACTED]"),
        ("password=john.smith or so", "password=john.smith or so"),
        ("let password=config.secret && user", "let password=config.secret && user"),
    ] {
        check(text, expected);
    }
    for text in [
        "x=1; vocab[token]=len(vocab)",
        "x=1; headers[csrf]=config.csrf;",
        "`user=${u}&password=${p}`",
        "user=a&password=$PASSWORD",
        "timeCode: \"00:01:23:04\"",
        "mfa: \"totp\"",
    ] {
        check(text, text);
    }
}

// RED-04, RED-05
#[test]
fn every_name_of_a_secret_wakes_the_rule() {
    let words = STRONG.iter().chain(GLUED).filter(|name| name.is_ascii());
    let mut names: Vec<String> = words.map(|name| (*name).to_owned()).collect();
    for (first, second) in STRONG_PAIRS {
        let (head, tail) = second.split_at(1);
        let tail = format!("{}{tail}", head.to_uppercase());
        names.extend(["_", "-"].map(|sign| format!("{first}{sign}{second}")));
        names.push(format!("{first}{tail}"));
    }
    names.push("connect.sid".to_owned());
    for name in names {
        check(
            &format!("x = {{ {name}: \"S3cret-v4lue\" }};"),
            &format!("x = {{ {name}: \"[REDACTED]\" }};"),
        );
    }
    for name in ["hmac", "client_assertion"] {
        check(&format!("x {name}=3f9c2a77b1d04e6f y"), &format!("x {name}=[REDACTED] y"));
    }
}
