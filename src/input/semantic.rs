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
        let (id, _) = found.next()?;
        found.next().is_none().then_some(*id)
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
mod tests {
    use super::*;
    use crate::session::refs::RefInfo;

    fn words(value: Value) -> Vec<String> {
        SemanticAction::decode("semanticAction", &value).unwrap().words()
    }

    fn refused(value: Value) -> String {
        SemanticAction::decode("semanticAction", &value).unwrap_err().message.plain()
    }

    // IN-SEM-02, IN-SEM-04, IN-SEM-14, IN-SEM-15, IN-SEM-16, IN-SEM-07
    #[test]
    fn locator_forms_compile_to_find() {
        let text = json!({"action": "click", "locator": "text", "value": "Log in"});
        assert_eq!(words(text), ["find", "text", "Log in", "click"]);
        let role =
            json!({"action": "check", "locator": "role", "role": "checkbox", "name": "Agree"});
        assert_eq!(words(role), ["find", "role", "checkbox", "check", "--name", "Agree"]);
        let fill = json!({"action": "fill", "locator": "role", "value": "textbox", "name": "Email", "text": "a@b"});
        assert_eq!(words(fill), ["find", "role", "textbox", "fill", "a@b", "--name", "Email"]);
    }

    // IN-SEM-09, IN-SEM-17, IN-SEM-10, IN-SEM-18, DEC-43
    #[test]
    fn selector_forms_compile_to_the_plain_command() {
        assert_eq!(words(json!({"action": "click", "selector": "@e5"})), ["click", "@e5"]);
        let fill = json!({"action": "fill", "selector": "#x", "text": "t"});
        assert_eq!(words(fill), ["fill", "#x", "t"]);
        let select = json!({"action": "select", "selector": "#s", "values": ["a", "b"]});
        assert_eq!(words(select), ["select", "#s", "a", "b"]);
        assert_eq!(words(json!({"action": "uncheck", "selector": "#c"})), ["uncheck", "#c"]);
    }

    // IN-SEM-05, IN-SEM-06, IN-SEM-08, IN-SEM-10, IN-SEM-11, DEC-40, DEC-43
    #[test]
    fn what_does_not_fit_is_refused_by_the_name_of_its_field() {
        assert!(
            refused(json!({"action": "hover", "selector": "x"})).contains("action must be one of")
        );
        assert!(
            refused(json!({"action": "click"}))
                .contains("selector or semanticAction.locator is missing")
        );
        assert!(
            refused(json!({"action": "click", "locator": "text", "value": "  "}))
                .contains("must not be empty")
        );
        let both = json!({"action": "click", "locator": "text", "value": "a", "selector": "b"});
        assert!(refused(both).contains("exclude each other"));
        let roles =
            json!({"action": "click", "locator": "role", "value": "link", "role": "button"});
        assert!(refused(roles).contains("must be equal"));
        let name = json!({"action": "click", "locator": "text", "value": "a", "name": "b"});
        assert!(refused(name).contains("belong to locator role"));
        let role = json!({"action": "click", "locator": "text", "value": "a", "role": "button"});
        assert!(refused(role).contains("belong to locator role"));
        assert!(refused(json!({"action": "fill", "selector": "#x"})).contains("text is missing"));
        assert!(
            refused(json!({"action": "select", "selector": "#x"}))
                .contains("value or values is missing")
        );
        let both = json!({"action": "select", "selector": "#x", "value": "a", "values": ["b"]});
        assert!(
            refused(both)
                .contains("semanticAction.value and semanticAction.values exclude each other")
        );
        assert!(
            refused(json!({"action": "select", "locator": "role", "value": "x"}))
                .contains("selector is missing")
        );
        let uncheck = json!({"action": "uncheck", "locator": "text", "value": "a"});
        assert!(refused(uncheck).contains("uncheck works with selector only"));
        assert!(
            refused(json!({"action": "click", "selector": "a", "nme": "b"}))
                .contains("no field \"nme\"")
        );
    }

    // IN-GEN-03
    #[test]
    fn a_field_of_the_wrong_kind_is_named() {
        for field in FIELDS {
            let mut value = json!({"action": "select", "selector": "#a", "values": ["b"]});
            value[field] = json!({ "a": 1 });
            let said = refused(value);
            assert!(said.starts_with(&format!("semanticAction.{field}")), "{field}: {said}");
        }
        for (value, named) in [
            (json!([]), "semanticAction must be an object"),
            (json!("click"), "semanticAction must be an object"),
            (json!({"action": "select", "selector": "#a", "values": []}), "semanticAction.values"),
            (
                json!({"action": "select", "selector": "#a", "values": ["b", 1]}),
                "semanticAction.values[1]",
            ),
            (
                json!({"action": "select", "selector": "#a", "values": ["b\0"]}),
                "semanticAction.values[0]",
            ),
            (json!({"action": "fill", "selector": "#a", "text": "\0"}), "semanticAction.text"),
        ] {
            assert!(refused(value).starts_with(named), "{named}");
        }
    }

    // IN-SEM-12, IN-SEM-19, PLAN-17
    #[test]
    fn a_session_stands_in_front_and_the_plan_is_echoed() {
        let value = json!({"action": "click", "locator": "text", "value": "a", "session": "s", "namespace": "n"});
        let compiled = SemanticAction::decode("semanticAction", &value).unwrap().compile();
        assert_eq!(
            compiled.args,
            ["--namespace", "n", "--session", "s", "find", "text", "a", "click"]
        );
        let (key, echo) = &compiled.echo[0];
        assert_eq!(*key, "compiledSemanticAction");
        assert_eq!(*echo, json!({"action": "click", "locator": "text", "args": compiled.args}));
        let value = json!({"action": "select", "selector": "#a", "values": ["b", "c"]});
        let compiled = SemanticAction::decode("semanticAction", &value).unwrap().compile();
        let expected = json!({"action": "select", "selector": "#a", "values": ["b", "c"], "args": ["select", "#a", "b", "c"]});
        assert_eq!(compiled.echo[0].1, expected);
    }

    // IN-SEM-21, IN-SEM-22, DEC-41
    #[test]
    fn one_exact_current_ref_takes_the_place_of_a_role_and_name() {
        let mut refs = RefSnapshot::default();
        let info = |role: &str, name: &str| RefInfo {
            role: role.into(),
            name: name.into(),
            ..RefInfo::default()
        };
        refs.refs.insert(1, info("button", "Save"));
        refs.refs.insert(2, info("button", "Edit"));
        refs.refs.insert(3, info("button", "Edit"));
        refs.refs.insert(4, info("link", "Home page"));
        let act = |action: &str, role: &str, name: &str| {
            let value = json!({"action": action, "locator": "role", "value": role, "name": name});
            SemanticAction::decode("semanticAction", &value).unwrap()
        };
        assert_eq!(act("click", "button", " Save ").resolve(&refs), Some(1));
        assert_eq!(act("click", "button", "Edit").resolve(&refs), None, "several");
        assert_eq!(act("click", "button", "Sav").resolve(&refs), None, "never by prefix");
        assert_eq!(act("click", "button", "Save").on_ref(1).words(), ["click", "@e1"]);
        let fill = json!({"action": "fill", "locator": "role", "value": "link", "name": "Home page", "text": "x"});
        assert_eq!(SemanticAction::decode("semanticAction", &fill).unwrap().resolve(&refs), None);
    }
}
