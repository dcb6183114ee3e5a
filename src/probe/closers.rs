//! Which controls lie in what covers an element, or in an open dialog (HAZ-16).

use serde_json::{Value, json};

use super::eval_row;

const CLOSERS: &str = include_str!("js/closers.js");

/// The row that asks; `cover` is upstream's name for the covering element, for example
/// `<div#modal>` or `<p inside div#modal>`.
#[must_use]
pub fn closers_row(cover: Option<&str>) -> Vec<String> {
    let name = cover.map(|cover| cover.trim_start_matches('<').trim_end_matches('>'));
    let name = name.map(|name| name.rsplit(" inside ").next().unwrap_or(name));
    let (tag, id) = match name {
        Some(name) => {
            let tag = name.split(['#', '.', ' ']).next().unwrap_or_default();
            let id = name.split_once('#').map_or("", |(_, rest)| rest);
            (json!(tag.to_lowercase()), json!(id))
        }
        None => (Value::Null, json!("")),
    };
    eval_row(&format!("({CLOSERS})({})", json!({ "tag": tag, "id": id })))
}

/// Their names in lower case; `None` where the page gave no answer.
#[must_use]
pub fn closer_names(result: &Value) -> Option<Vec<String>> {
    let names = result.get("names")?.as_array()?;
    Some(names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
}
