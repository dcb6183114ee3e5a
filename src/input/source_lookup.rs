//! `sourceLookup`: which file made this element or component (IN-SRC).

use serde_json::{Map, Value, json};

use super::fields::Fields;
use super::schema::{flag, number, object, plain};
use super::{Compiled, CompiledStep, lookup_batch};
use crate::error::{Checked, Refusal};

pub(super) const FIELDS: [&str; 7] = [
    "selector",
    "reactFiberId",
    "componentName",
    "includeDomHints",
    "maxWorkspaceFiles",
    "session",
    "namespace",
];
/// Files that a scan reads unless the caller says otherwise (IN-SRC-07).
pub(super) const DEFAULT_FILES: usize = 2_000;
/// The most that it may read.
pub(super) const MOST_FILES: u64 = 5_000;
const LONGEST_NAME: usize = 120;
const SCRIPT: &str = include_str!("source_lookup.js");

/// The decoded object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLookup {
    /// An element of the page.
    pub selector: Option<String>,
    /// A component instance, as `react tree` numbers it.
    pub fiber: Option<u64>,
    /// A component's name.
    pub component: Option<String>,
    /// Ask the page what it says about the element.
    pub dom_hints: bool,
    /// Files that the scan may read.
    pub max_files: usize,
    session: Option<String>,
    namespace: Option<String>,
    query: Map<String, Value>,
}

/// What a row of the compiled lookup asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceRow {
    /// Whether the element is visible.
    Visible,
    /// What the page says about the element.
    Hints,
    /// What is inside of the element.
    Html,
    /// Where the element stands, so that a ref can be told to a script.
    Box,
    /// A component instance.
    Inspect,
    /// All component instances.
    Tree,
}

impl SourceLookup {
    /// Decodes and checks the object.
    ///
    /// # Errors
    /// A `validation-error` that names the field.
    pub fn decode(value: &Value) -> Checked<Self> {
        let fields = Fields::of("sourceLookup", value, &FIELDS)?;
        let component = fields.text("componentName")?;
        if component.as_deref().is_some_and(|name| !is_component(name)) {
            return Err(Refusal::invalid(format!(
                "{} must be the name of a component, for example Counter or Menu.Item.",
                fields.name("componentName")
            )));
        }
        let this = Self {
            selector: fields.text("selector")?,
            fiber: fields.number("reactFiberId", 1, u64::from(u32::MAX))?,
            component,
            dom_hints: fields.flag("includeDomHints")?.unwrap_or(true),
            max_files: max_files(&fields)?,
            session: fields.text("session")?,
            namespace: fields.text("namespace")?,
            query: fields.given(),
        };
        if this.selector.is_none() && this.fiber.is_none() && this.component.is_none() {
            return Err(Refusal::invalid(
                "sourceLookup needs selector, reactFiberId or componentName.",
            ));
        }
        Ok(this)
    }

    /// The rows and what each asks.
    #[must_use]
    pub fn rows(&self) -> Vec<(SourceRow, Vec<String>)> {
        let mut rows: Vec<(SourceRow, Vec<String>)> = Vec::new();
        let mut add = |row: SourceRow, words: &[&str]| {
            rows.push((row, words.iter().map(ToString::to_string).collect()));
        };
        if let Some(selector) = &self.selector {
            add(SourceRow::Visible, &["is", "visible", selector]);
            if self.dom_hints {
                match self.asked_of_page() {
                    Some(ask) => add(SourceRow::Hints, &["eval", &hints_script(&ask)]),
                    None => add(SourceRow::Box, &["get", "box", selector]),
                }
                add(SourceRow::Html, &["get", "html", selector]);
            }
        }
        if let Some(fiber) = self.fiber {
            add(SourceRow::Inspect, &["react", "inspect", &fiber.to_string()]);
        }
        if self.component.is_some() {
            add(SourceRow::Tree, &["react", "tree"]);
        }
        rows
    }

    /// A CSS selector means the same to a script; refs and paths do not.
    fn asked_of_page(&self) -> Option<Value> {
        let selector = self.selector.as_deref()?;
        let foreign = selector.starts_with('@') || selector.starts_with("xpath=");
        (!foreign).then(|| json!({ "selector": selector }))
    }

    /// The batch.
    #[must_use]
    pub fn compile(&self) -> Compiled {
        let steps = self
            .rows()
            .into_iter()
            .map(|(row, words)| CompiledStep { action: row.action(), rows: vec![words] });
        lookup_batch(
            "compiledSourceLookup",
            [self.namespace.as_deref(), self.session.as_deref()],
            &steps.collect::<Vec<_>>(),
            &self.query,
        )
    }
}

impl SourceRow {
    fn action(self) -> &'static str {
        match self {
            Self::Visible => "isVisible",
            Self::Hints => "domHints",
            Self::Html => "getHtml",
            Self::Box => "getBox",
            Self::Inspect => "reactInspect",
            Self::Tree => "reactTree",
        }
    }
}

/// The script that asks the page about one element: by selector, or by content and place.
#[must_use]
pub fn hints_script(ask: &Value) -> String {
    format!("(\n{SCRIPT})({ask})")
}

/// `Counter`, `Menu.Item`
fn is_component(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with(|first: char| first.is_ascii_digit())
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
    };
    name.len() <= LONGEST_NAME && name.split('.').all(part)
}

/// IN-SRC-07, DEC-47
pub(super) fn max_files(fields: &Fields<'_>) -> Checked<usize> {
    let wanted = fields.number("maxWorkspaceFiles", 1, MOST_FILES)?;
    Ok(wanted.and_then(|files| usize::try_from(files).ok()).unwrap_or(DEFAULT_FILES))
}

pub(super) fn schema() -> Value {
    object(
        "Experimental: source candidates of an element or component (one of the first three)",
        json!({
            "selector": plain(),
            "reactFiberId": number(""),
            "componentName": plain(),
            "includeDomHints": flag(""),
            "maxWorkspaceFiles": number(""),
            "session": plain(), "namespace": plain(),
        }),
        &[],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(value: Value) -> SourceLookup {
        SourceLookup::decode(&value).unwrap()
    }

    fn words(value: Value) -> Vec<Vec<String>> {
        let mut rows = decoded(value).compile().rows.unwrap();
        for row in &mut rows {
            if row[0] == "eval" {
                row.truncate(1);
            }
        }
        rows
    }

    // IN-SRC-03, SRC-05
    #[test]
    fn an_element_is_asked_for_every_attribute_that_names_its_source() {
        let rows = decoded(json!({"selector": "#a"})).compile().rows.unwrap();
        let script = rows.iter().find(|row| row[0] == "eval").unwrap().concat();
        for name in [
            "\"data-source-file\"",
            "\"data-file\"",
            "\"data-component-file\"",
            "\"data-source\"",
            "\"data-source-line\"",
            "\"data-line\"",
            "\"data-source-column\"",
            "\"data-column\"",
        ] {
            assert!(script.contains(name), "{name}");
        }
    }

    // IN-SRC-01, IN-SRC-07, DEC-47
    #[test]
    fn wrong_fields_are_refused_by_name_with_an_example() {
        for (bad, says) in [
            (json!({}), "needs selector, reactFiberId or componentName"),
            (json!({"maxWorkspaceFiles": 10}), "needs selector, reactFiberId or componentName"),
            (json!({"selector": ""}), "sourceLookup.selector must not be empty"),
            (json!({"selector": 3}), "sourceLookup.selector must be a string"),
            (json!({"reactFiberId": 0}), "sourceLookup.reactFiberId must be a whole number"),
            (json!({"componentName": "a b"}), "sourceLookup.componentName must be the name"),
            (json!({"selector": "a", "maxWorkspaceFiles": 0}), "from 1 to 5000"),
            (json!({"selector": "a", "maxWorkspaceFiles": 5001}), "sourceLookup.maxWorkspaceFiles"),
            (json!({"selector": "a", "file": "x"}), "sourceLookup has no field \"file\""),
            (json!("a"), "sourceLookup must be an object"),
        ] {
            let call = json!({ "sourceLookup": bad });
            let refusal = super::super::decode(&call).unwrap_err();
            assert!(refusal.message.plain().contains(says), "{bad}");
            assert!(refusal.hints[0].plain().starts_with("Example: {"), "{bad}");
        }
        assert_eq!(decoded(json!({"selector": "a"})).max_files, 2_000);
        assert_eq!(decoded(json!({"selector": "a", "maxWorkspaceFiles": 5_000})).max_files, 5_000);
    }

    // IN-SRC-02, SRC-04, IN-SRC-04, SRC-06, IN-SRC-05, SRC-07
    #[test]
    fn each_field_adds_its_rows() {
        assert_eq!(
            words(json!({"selector": "#a", "reactFiberId": 7, "componentName": "Menu.Item"})),
            [
                vec!["is", "visible", "#a"],
                vec!["eval"],
                vec!["get", "html", "#a"],
                vec!["react", "inspect", "7"],
                vec!["react", "tree"],
            ]
        );
        let bare = words(json!({"selector": "#a", "includeDomHints": false}));
        assert_eq!(bare, [vec!["is", "visible", "#a"]]);
        // A script does not know refs: the second process asks by content and place.
        assert_eq!(
            words(json!({"selector": "@e3"})),
            [vec!["is", "visible", "@e3"], vec!["get", "box", "@e3"], vec!["get", "html", "@e3"]]
        );
    }

    // IN-SRC-08, DEC-47
    #[test]
    fn the_plan_is_echoed_with_what_was_asked() {
        let compiled = decoded(
            json!({"componentName": "Counter", "session": "mine", "namespace": "work", "maxWorkspaceFiles": 9}),
        )
        .compile();
        assert_eq!(compiled.args, ["--namespace", "work", "--session", "mine", "batch"]);
        let (key, echo) = &compiled.echo[0];
        assert_eq!(*key, "compiledSourceLookup");
        assert_eq!(echo["args"], json!(compiled.args));
        assert_eq!(echo["stdin"], json!([["react", "tree"]]));
        assert_eq!(echo["steps"], json!([{"action": "reactTree", "args": ["react", "tree"]}]));
        assert_eq!(
            echo["query"],
            json!({"componentName": "Counter", "session": "mine", "namespace": "work", "maxWorkspaceFiles": 9})
        );
        let alone = decoded(json!({"componentName": "Counter"})).compile();
        assert_eq!(alone.args, ["batch"]);
    }

    #[test]
    fn a_selector_cannot_leave_its_place_in_the_script() {
        let script = hints_script(&json!({ "selector": "a\"),alert(1)//</script>" }));
        assert!(script.ends_with(r#"({"selector":"a\"),alert(1)//</script>"})"#));
    }
}
