//! `networkSourceLookup`: which code asked for the request that failed (IN-NET).

use serde_json::{Map, Value, json};

use super::fields::Fields;
use super::schema::{number, object, plain};
use super::source_lookup::max_files;
use super::{Compiled, CompiledStep, lookup_batch};
use crate::error::{Checked, Refusal};

pub(super) const FIELDS: [&str; 6] =
    ["requestId", "filter", "url", "maxWorkspaceFiles", "session", "namespace"];

/// The decoded object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkLookup {
    /// One request, as `network requests` numbers it.
    pub request_id: Option<String>,
    /// A part of the addresses; `filter` wins over `url` (IN-NET-03).
    pub pattern: Option<String>,
    /// Files that the scan may read.
    pub max_files: usize,
    session: Option<String>,
    namespace: Option<String>,
    query: Map<String, Value>,
}

impl NetworkLookup {
    /// Decodes and checks the object.
    ///
    /// # Errors
    /// A `validation-error` that names the field.
    pub fn decode(value: &Value) -> Checked<Self> {
        let fields = Fields::of("networkSourceLookup", value, &FIELDS)?;
        let (filter, url) = (fields.text("filter")?, fields.text("url")?);
        let this = Self {
            request_id: fields.text("requestId")?,
            pattern: filter.or(url),
            max_files: max_files(&fields)?,
            session: fields.text("session")?,
            namespace: fields.text("namespace")?,
            query: fields.given(),
        };
        if this.request_id.is_none() && this.pattern.is_none() {
            return Err(Refusal::invalid("networkSourceLookup needs requestId, filter or url."));
        }
        Ok(this)
    }

    /// The batch.
    #[must_use]
    pub fn compile(&self) -> Compiled {
        let mut steps = Vec::new();
        let mut add = |action: &'static str, words: &[&str]| {
            let row = words.iter().map(ToString::to_string).collect();
            steps.push(CompiledStep { action, rows: vec![row] });
        };
        if let Some(id) = &self.request_id {
            add("networkRequest", &["network", "request", id]);
        }
        if let Some(pattern) = &self.pattern {
            add("networkRequests", &["network", "requests", "--filter", pattern]);
        }
        lookup_batch(
            "compiledNetworkSourceLookup",
            [self.namespace.as_deref(), self.session.as_deref()],
            &steps,
            &self.query,
        )
    }
}

pub(super) fn schema() -> Value {
    object(
        "Experimental: code candidates of failed requests (one of the first three)",
        json!({
            "requestId": plain(),
            "filter": plain(),
            "url": plain(),
            "maxWorkspaceFiles": number(""),
            "session": plain(), "namespace": plain(),
        }),
        &[],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(value: Value) -> Compiled {
        NetworkLookup::decode(&value).unwrap().compile()
    }

    // IN-NET-01, IN-NET-06
    #[test]
    fn wrong_fields_are_refused_by_name_with_an_example() {
        for (bad, says) in [
            (json!({}), "needs requestId, filter or url"),
            (json!({"session": "s"}), "needs requestId, filter or url"),
            (json!({"requestId": 5}), "networkSourceLookup.requestId must be a string"),
            (json!({"filter": " "}), "networkSourceLookup.filter must not be empty"),
            (json!({"filter": "a", "maxWorkspaceFiles": 5001}), "from 1 to 5000"),
            (json!({"filter": "a", "selector": "b"}), "networkSourceLookup has no field"),
        ] {
            let call = json!({ "networkSourceLookup": bad });
            let refusal = super::super::decode(&call).unwrap_err();
            assert!(refusal.message.plain().contains(says), "{bad}");
            assert!(refusal.hints[0].plain().starts_with("Example: {"), "{bad}");
        }
        let lookup = NetworkLookup::decode(&json!({"url": "/a"})).unwrap();
        assert_eq!(lookup.max_files, 2_000);
    }

    // IN-NET-02, IN-NET-03, NET-03
    #[test]
    fn an_id_alone_is_one_step_and_filter_wins_over_url() {
        let rows = |value| compiled(value).rows.unwrap();
        assert_eq!(rows(json!({"requestId": "31.5"})), [vec!["network", "request", "31.5"]]);
        assert_eq!(
            rows(json!({"url": "http://a.test/api", "filter": "/api"})),
            [vec!["network", "requests", "--filter", "/api"]]
        );
        assert_eq!(
            rows(json!({"requestId": "31.5", "url": "/api"})),
            [vec!["network", "request", "31.5"], vec!["network", "requests", "--filter", "/api"]]
        );
    }

    // IN-NET-04, NET-04, IN-NET-07
    #[test]
    fn session_and_namespace_stand_in_front_of_the_batch_and_the_plan_is_echoed() {
        let lookup = compiled(json!({"filter": "/api", "session": "mine", "namespace": "work"}));
        assert_eq!(lookup.args, ["--namespace", "work", "--session", "mine", "batch"]);
        let (key, echo) = &lookup.echo[0];
        assert_eq!(*key, "compiledNetworkSourceLookup");
        assert_eq!(echo["steps"][0]["action"], "networkRequests");
        assert_eq!(echo["query"]["filter"], "/api");
    }
}
