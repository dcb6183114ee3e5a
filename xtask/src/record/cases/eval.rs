//! `eval`: what comes back for which value.

use crate::record::case::{Case, on};

pub(in crate::record) const CASES: &[Case] = &[
    on("form.html", "eval/number", &["eval", "1+1"]),
    on("form.html", "eval/text", &["eval", "document.title"]),
    on("form.html", "eval/object", &["eval", "({a: 1, b: [true, null]})"]),
    on("form.html", "eval/promise", &["eval", "Promise.resolve('later')"]),
    on("form.html", "eval/undefined", &["eval", "void 0"]),
    on("form.html", "eval/function-is-empty-object", &["eval", "() => document.title"]),
    on("form.html", "eval/element-is-empty-object", &["eval", "document.body"]),
    on("form.html", "eval/throws", &["eval", "throw new Error('boom')"]),
    on("form.html", "eval/syntax-error", &["eval", "let ="]),
    on("form.html", "eval/rejects", &["eval", "Promise.reject(new Error('no'))"]),
    on("form.html", "eval/symbol", &["eval", "Symbol('x')"]),
    on("form.html", "eval/cyclic", &["eval", "window"]),
    on("form.html", "eval/stdin", &["eval", "--stdin"]).stdin("document.title + '!'"),
    on("form.html", "eval/stdin-empty", &["eval", "--stdin"]).stdin(""),
    on("form.html", "eval/base64", &["eval", "-b", "MSsx"]),
    on("form.html", "eval/long-text", &["eval", "'x'.repeat(20000)"]),
    on("form.html", "eval/content-boundaries", &["eval", "1"]).globals(&["--content-boundaries"]),
];
