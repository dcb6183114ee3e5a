//! What a provider must be able to do; one file each (WEB-10).

use serde_json::Value;

use super::query::Query;
use crate::config::keys::ProviderId;

/// A request, still without its credential on the way to any log: it has no `Debug`.
pub struct Request {
    /// The whole address.
    pub url: String,
    /// Headers, the credential among them.
    pub headers: Vec<(&'static str, String)>,
    /// A JSON body makes it a POST.
    pub body: Option<Value>,
}

/// One result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hit {
    /// The page's title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// What it says about the query.
    pub excerpts: Vec<String>,
    /// When it was published, as the provider writes it.
    pub published: Option<String>,
}

/// An answer in our own form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The results of the wanted page.
    pub hits: Vec<Hit>,
    /// The query as the provider understood it, where it says so.
    pub returned_query: Option<String>,
    /// How it searched.
    pub search_type: Option<String>,
    /// Its name for the request.
    pub request_id: Option<String>,
}

/// An adapter.
pub trait Provider: Sync {
    /// Which.
    fn id(&self) -> ProviderId;
    /// The usual address, without the path.
    fn base(&self) -> &'static str;
    /// The variable that puts a loopback address in its place, for tests (DEC-85).
    fn base_variable(&self) -> &'static str;
    /// Fields of the query that it cannot honour; the answer says so.
    fn ignores(&self, query: &Query) -> Vec<&'static str>;
    /// The request for a query; `now` is seconds since 1970.
    fn request(&self, base: &str, query: &Query, key: &str, now: u64) -> Request;
    /// Its answer in our form.
    ///
    /// # Errors
    /// What is missing in it.
    fn read(&self, answer: &Value, query: &Query) -> Result<Found, &'static str>;
}

/// Every adapter.
pub const PROVIDERS: [&dyn Provider; 2] = [&super::exa::Exa, &super::brave::Brave];

/// The adapter of a provider.
#[must_use]
pub fn adapter(id: ProviderId) -> Option<&'static dyn Provider> {
    PROVIDERS.into_iter().find(|provider| provider.id() == id)
}

/// A text field, if it holds more than blanks.
pub(super) fn text(value: &Value, field: &str) -> Option<String> {
    value.get(field)?.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The texts of a list.
pub(super) fn texts(value: &Value, field: &str) -> Vec<String> {
    let items = value.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let texts = items.iter().filter_map(Value::as_str).map(str::trim);
    texts.filter(|text| !text.is_empty()).map(str::to_owned).collect()
}
