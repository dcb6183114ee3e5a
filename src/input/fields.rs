//! Reading the fields of an input object: every error names its field.

use serde_json::{Map, Value};

use crate::error::{Checked, Refusal};
use crate::line::Line;
use crate::outcome::NextAction;

/// An object of the input and the path that names it, for example `job.steps[2]`.
pub(crate) struct Fields<'a> {
    path: String,
    map: &'a Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// The object at `path`; `known` are the only fields it may have.
    pub(crate) fn of(path: &str, value: &'a Value, known: &[&str]) -> Checked<Self> {
        let Value::Object(map) = value else {
            return Err(wrong(path, "an object", value));
        };
        if let Some(unknown) = map.keys().find(|key| !known.contains(&key.as_str())) {
            let line =
                Line::ours(format!("{path} has no field ")).quote(unknown).and(". Its fields are ");
            return Err(Refusal::invalid(line.and(known.join(", ")).and(".")));
        }
        Ok(Self { path: path.to_owned(), map })
    }

    /// The name of a field as errors show it.
    pub(crate) fn name(&self, field: &str) -> String {
        format!("{}.{field}", self.path)
    }

    pub(crate) fn get(&self, field: &str) -> Option<&'a Value> {
        self.map.get(field).filter(|value| !value.is_null())
    }

    /// What was given, for the echo.
    pub(super) fn given(&self) -> Map<String, Value> {
        let given = self.map.iter().filter(|(_, value)| !value.is_null());
        given.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    pub(crate) fn has(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// A text that may be left out, and may not be blank.
    pub(crate) fn text(&self, field: &str) -> Checked<Option<String>> {
        match self.get(field) {
            None => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => {
                Err(Refusal::invalid(format!("{} must not be empty.", self.name(field))))
            }
            Some(Value::String(text)) => {
                super::sendable(text, &self.name(field))?;
                Ok(Some(text.clone()))
            }
            Some(other) => Err(wrong(&self.name(field), "a string", other)),
        }
    }

    pub(crate) fn required(&self, field: &str) -> Checked<String> {
        self.text(field)?
            .ok_or_else(|| Refusal::invalid(format!("{} is missing.", self.name(field))))
    }

    pub(crate) fn flag(&self, field: &str) -> Checked<Option<bool>> {
        match self.get(field) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => Err(wrong(&self.name(field), "true or false", other)),
        }
    }

    /// A whole number within its limits.
    pub(crate) fn number(&self, field: &str, low: u64, high: u64) -> Checked<Option<u64>> {
        match self.get(field) {
            None => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) if (low..=high).contains(&number) => Ok(Some(number)),
                _ => Err(wrong(
                    &self.name(field),
                    &format!("a whole number from {low} to {high}"),
                    value,
                )),
            },
        }
    }

    /// One of a few words.
    pub(crate) fn choice(
        &self,
        field: &str,
        words: &[&'static str],
    ) -> Checked<Option<&'static str>> {
        match self.text(field)? {
            None => Ok(None),
            Some(text) => match words.iter().find(|word| **word == text) {
                Some(word) => Ok(Some(word)),
                None => {
                    let line = Line::ours(format!(
                        "{} must be one of {}, not ",
                        self.name(field),
                        words.join(", ")
                    ));
                    Err(Refusal::invalid(line.quote(text).and(".")))
                }
            },
        }
    }

    /// A list of texts; one text alone counts as a list of one (DEC-103).
    pub(crate) fn texts(&self, field: &str) -> Checked<Vec<String>> {
        match self.get(field) {
            None => Ok(Vec::new()),
            Some(Value::String(_)) => Ok(self.text(field)?.into_iter().collect()),
            Some(Value::Array(items)) if !items.is_empty() => items
                .iter()
                .enumerate()
                .map(|(index, item)| {
                    let name = format!("{}[{index}]", self.name(field));
                    match item {
                        Value::String(text) if !text.trim().is_empty() => {
                            super::sendable(text, &name)?;
                            Ok(text.clone())
                        }
                        other => Err(wrong(&name, "a text", other)),
                    }
                })
                .collect(),
            Some(other) => Err(wrong(&self.name(field), "a text or a list of texts", other)),
        }
    }
}

/// Offers the caller's own call, mended.
pub(super) fn with_call(refusal: Box<Refusal>, call: Value) -> Box<Refusal> {
    refusal.next(match call.get("args") {
        Some(_) => NextAction::params_of("use-args", "the call with its slip mended", call),
        None => NextAction::params_of("use-valid-input", "the call with its slip mended", call),
    })
}

/// `NAME must be RULE, not …`
pub(crate) fn wrong(name: &str, rule: &str, found: &Value) -> Box<Refusal> {
    let shown: String = found.to_string().chars().take(60).collect();
    Refusal::invalid(Line::ours(format!("{name} must be {rule}, not ")).quote(shown).and("."))
}
