//! The gate takes time in proportion to the text.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

use std::time::Instant;

use serde_json::{Value, json};

use super::Redactor;

const ORDINARY: &str = include_str!("../../tests/corpus/ordinary/snippets.txt");

fn gate() -> Redactor {
    Redactor::new([])
}

/// Texts that would make a careless rule look at the rest again and again.
#[test]
fn hostile_texts_take_linear_time() {
    let pieces = [
        "password=",
        "password: ",
        "authorization: ",
        "cookie: a=",
        "cookie: a=[REDACTED]",
        "://",
        "a://b?",
        "a://b:c",
        "a://b1@",
        "eyJ.",
        "eyJa.eyJb.",
        "sk-",
        "xoxb-a-",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----A",
        "-----BEGIN PRIVATE KEY----------END ",
        "<input ",
        "<input type=password ",
        "\"password\":\"",
        "token=a,",
        "- textbox \"",
        "- textbox \"Password\": ",
        "<token>",
        "a@",
        "&code=",
        "%3D",
        "bearer ",
        "[REDACTED]",
        "a://b?c=%22",
        "?a=b/token=",
        "&c=%2522%22://",
        "%25%22",
        "<input a=\"",
        "<input a='<input b=\"",
        "<input a=\\\"",
        "-eyJa",
        "%5Bpwd%5D=",
    ];
    for piece in pieces {
        let short = piece.repeat(5_000 / piece.len());
        let long = piece.repeat(50_000 / piece.len());
        let time = |text: &str| {
            let start = Instant::now();
            let _ = (gate().text(text), gate().url(text), gate().tree_line(text));
            start.elapsed().as_secs_f64()
        };
        let (first, second) = (time(&short), time(&long));
        assert!(second < 0.5 + first * 40.0, "{piece:?}: {first:.3} s, then {second:.3} s");
    }
}

/// Keys that are masked alike, as a page may keep them in its storage.
// RED-04
#[test]
fn many_keys_that_are_masked_alike_take_linear_time() {
    let keys = |count: usize| -> Value {
        let key = |n: usize| (format!("ghp_{n:036}"), json!(1));
        Value::Object((0..count).map(key).collect())
    };
    let time = |count: usize| {
        let start = Instant::now();
        let masked = gate().json(&keys(count));
        assert_eq!(masked.as_object().unwrap().len(), count);
        start.elapsed().as_secs_f64()
    };
    let (first, second) = (time(2_000), time(20_000));
    assert!(second < 0.5 + first * 40.0, "{first:.3} s, then {second:.3} s");
}

#[test]
fn speed_is_reported() {
    let snapshot: String = (0..2_000)
        .map(|row| format!("  - link \"Order {row}, Ada Byron\" [ref=e{row}, url=https://shop.test/orders/{row}]\n"))
        .collect();
    let page = ORDINARY.repeat(5_000_000 / ORDINARY.len());
    let rows: Vec<Value> =
        (0..50_000).map(|row| json!({ "id": row, "name": "Ada Byron" })).collect();
    let document = Value::Array(rows).to_string();
    for (name, text) in [("snapshot", &snapshot), ("page", &page), ("document", &document)] {
        let start = Instant::now();
        let kept = gate().text(text).len();
        println!("{name}: {} bytes in, {kept} out, {:?}", text.len(), start.elapsed());
    }
}
