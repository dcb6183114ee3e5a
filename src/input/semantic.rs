//! `semanticAction`: an act on what a control is called (IN-SEM).

use serde_json::{Value, json};

use super::Compiled;
use super::fields::Fields;
use super::schema::{object, plain, strings, text, words};
use crate::error::{Checked, Refusal};
use crate::session::refs::RefSnapshot;

const LOCATORS: [&str; 7] = ["role", "text", "label", "placeholder", "alt", "title", "testid"];
const ACTIONS: [&str; 5] = ["click", "fill", "check", "uncheck", "select"];
/// Every field of the object.
pub(super) const FIELDS: [&str; 10] = [
    "action",
    "locator",
    "value",
    "role",
    "name",
    "selector",
    "text",
    "values",
    "session",
    "namespace",
];

/// What is acted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// By a selector or a ref.
    Selector(String),
    /// By a locator of upstream's `find`.
    Locator {
        /// `role`, `text`, …
        locator: &'static str,
        /// Its value.
        value: String,
        /// Accessible name, for roles.
        name: Option<String>,
    },
}

/// The decoded object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemanticAction {
    /// `click`, `fill`, `check`, `uncheck` or `select`.
    pub action: &'static str,
    /// The target.
    pub aim: Aim,
    /// Text of a `fill`.
    pub text: Option<String>,
    /// Options of a `select`.
    pub values: Vec<String>,
    session: Option<String>,
    namespace: Option<String>,
}

impl SemanticAction {
    /// Decodes and checks the object at `path`.
    ///
    /// # Errors
    /// A `validation-error` that names the field.
    pub fn decode(path: &str, value: &Value) -> Checked<Self> {
        let fields = Fields::of(path, value, &FIELDS)?;
        let action = fields.choice("action", &ACTIONS)?;
        let action = action
            .ok_or_else(|| Refusal::invalid(format!("{} is missing.", fields.name("action"))))?;
        let this = Self {
            action,
            aim: aim(&fields, action)?,
            text: fields.text("text")?,
            values: options(&fields, action)?,
            session: fields.text("session")?,
            namespace: fields.text("namespace")?,
        };
        this.check(&fields)?;
        Ok(this)
    }

    fn check(&self, fields: &Fields<'_>) -> Checked<()> {
        match (self.action, &self.text) {
            ("fill", None) => {
                return Err(Refusal::invalid(format!(
                    "{} is missing: fill needs a text.",
                    fields.name("text")
                )));
            }
            ("fill", Some(_)) | (_, None) => {}
            (_, Some(_)) => {
                return Err(Refusal::invalid(format!(
                    "{} belongs to fill only.",
                    fields.name("text")
                )));
            }
        }
        let located = matches!(self.aim, Aim::Locator { .. });
        if self.action == "uncheck" && located {
            return Err(Refusal::invalid(
                "uncheck works with selector only (a CSS selector or a current @ref): upstream cannot find and uncheck.",
            ));
        }
        Ok(())
    }

    /// The upstream command.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        match &self.aim {
            Aim::Selector(selector) => {
                words.extend([self.action.to_owned(), selector.clone()]);
                words.extend(self.values.iter().cloned());
                words.extend(self.text.clone());
            }
            Aim::Locator { locator, value, name } => {
                words.extend([
                    "find".to_owned(),
                    (*locator).to_owned(),
                    value.clone(),
                    self.action.to_owned(),
                ]);
                words.extend(self.text.clone());
                if let Some(name) = name {
                    words.extend(["--name".to_owned(), name.clone()]);
                }
            }
        }
        words
    }

    /// The `find` command of an act by name.
    #[must_use]
    pub fn find_words(&self) -> Option<Vec<String>> {
        matches!(self.aim, Aim::Locator { .. }).then(|| self.words())
    }

    /// The call, with the session that the object names.
    #[must_use]
    pub fn compile(&self) -> Compiled {
        let mut args = Vec::new();
        if let Some(namespace) = &self.namespace {
            args.extend(["--namespace".to_owned(), namespace.clone()]);
        }
        if let Some(session) = &self.session {
            args.extend(["--session".to_owned(), session.clone()]);
        }
        args.extend(self.words());
        let echo = match &self.aim {
            Aim::Locator { locator, .. } => {
                json!({ "action": self.action, "locator": locator, "args": args })
            }
            Aim::Selector(selector) if self.action == "select" => {
                json!({ "action": "select", "selector": selector, "values": self.values, "args": args })
            }
            Aim::Selector(selector) => {
                json!({ "action": self.action, "selector": selector, "args": args })
            }
        };
        Compiled {
            args,
            rows: None,
            echo: vec![("compiledSemanticAction", echo)],
            steps: Vec::new(),
        }
    }

    /// It says what it means by role and name, so that one ref may stand for it.
    #[must_use]
    pub fn names_a_role(&self) -> bool {
        matches!(&self.aim, Aim::Locator { locator: "role", name: Some(_), .. })
    }

    /// The one current ref of exactly this role and name (DEC-41, IN-SEM-22).
    #[must_use]
    pub fn resolve(&self, refs: &RefSnapshot) -> Option<u32> {
        let Aim::Locator { locator: "role", value, name: Some(name) } = &self.aim else {
            return None;
        };
        let editable = ["combobox", "searchbox", "textbox"];
        if self.action == "fill" && !editable.contains(&value.as_str()) {
            return None;
        }
        let mut found = refs.refs.iter().filter(|(_, info)| {
            info.role.eq_ignore_ascii_case(value) && normal(&info.name) == normal(name)
        });
        let (id, info) = found.next()?;
        // The others of the same name may have been left out of the list.
        (found.next().is_none() && info.duplicate_index.is_none()).then_some(*id)
    }

    /// The same act on a ref.
    #[must_use]
    pub fn on_ref(&self, id: u32) -> Self {
        Self { aim: Aim::Selector(format!("@e{id}")), ..self.clone() }
    }
}

pub(super) fn schema() -> Value {
    object(
        "Act by name: {action, locator, value|role+name} or {action, selector} (select, uncheck: selector only)",
        json!({
            "action": words(&ACTIONS),
            "locator": words(&LOCATORS),
            "value": plain(), "role": plain(), "name": plain(),
            "selector": text("CSS or @ref"),
            "text": text("for fill"),
            "values": strings("for select"),
            "session": plain(), "namespace": plain(),
        }),
        &["action"],
    )
}

fn normal(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn aim(fields: &Fields<'_>, action: &str) -> Checked<Aim> {
    let selector = fields.text("selector")?;
    let locator = fields.choice("locator", &LOCATORS)?;
    match (selector, locator) {
        (Some(_), Some(_)) => Err(Refusal::invalid(format!(
            "{} and {} exclude each other.",
            fields.name("selector"),
            fields.name("locator")
        ))),
        (Some(selector), None) => {
            for other in ["role", "name"] {
                if fields.has(other) {
                    return Err(Refusal::invalid(format!(
                        "{} belongs to locator role.",
                        fields.name(other)
                    )));
                }
            }
            if action != "select" && fields.has("value") {
                return Err(Refusal::invalid(format!(
                    "{} belongs to a locator.",
                    fields.name("value")
                )));
            }
            Ok(Aim::Selector(selector))
        }
        (None, Some(locator)) if action != "select" => located(fields, locator),
        (None, _) if action == "select" => Err(Refusal::invalid(format!(
            "{} is missing: select needs a CSS selector or a current @ref.",
            fields.name("selector")
        ))),
        (None, _) => Err(Refusal::invalid(format!(
            "{} or {} is missing: say what to {action}.",
            fields.name("selector"),
            fields.name("locator")
        ))),
    }
}

fn located(fields: &Fields<'_>, locator: &'static str) -> Checked<Aim> {
    let (value, role, name) = (fields.text("value")?, fields.text("role")?, fields.text("name")?);
    if locator != "role" && (role.is_some() || name.is_some()) {
        return Err(Refusal::invalid(format!(
            "{} and {} belong to locator role.",
            fields.name("role"),
            fields.name("name")
        )));
    }
    if let (Some(value), Some(role)) = (&value, &role)
        && value != role
    {
        return Err(Refusal::invalid(format!(
            "{} and {} must be equal when both are given.",
            fields.name("value"),
            fields.name("role")
        )));
    }
    let value = value
        .or(role)
        .ok_or_else(|| Refusal::invalid(format!("{} is missing.", fields.name("value"))))?;
    Ok(Aim::Locator { locator, value, name })
}

fn options(fields: &Fields<'_>, action: &str) -> Checked<Vec<String>> {
    if action != "select" {
        return match fields.has("values") {
            true => Err(Refusal::invalid(format!("{} belongs to select.", fields.name("values")))),
            false => Ok(Vec::new()),
        };
    }
    if fields.has("value") && fields.has("values") {
        return Err(Refusal::invalid(format!(
            "{} and {} exclude each other.",
            fields.name("value"),
            fields.name("values")
        )));
    }
    let mut values = fields.texts("values")?;
    values.extend(fields.text("value")?);
    if values.is_empty() {
        let name = fields.name("value");
        return Err(Refusal::invalid(format!(
            "{name} or values is missing: say which option to select."
        )));
    }
    Ok(values)
}

#[cfg(test)]
#[path = "semantic_tests.rs"]
mod tests;
