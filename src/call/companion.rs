//! The tools of this engine: the browser, and the web search beside it where it is configured.

use serde_json::Value;

use super::finish::failure_first;
use super::{Block, CallContext, Engine, Reply};
use crate::command::Class;
use crate::config::Config;
use crate::input::schema;
use crate::outcome::Outcome;
use crate::present::text::print;
use crate::redact::Redactor;
use crate::search::{self, World, query};
use crate::session::lease::now_seconds;

/// Bytes of a search answer; its parts are bounded too.
const SEARCH_BYTES: usize = 12_000;
/// Hosts cut longer descriptions (DEC-103).
const DESCRIPTION_CHARS: usize = 2_000;

/// A tool as a host registers it.
#[derive(Clone, Debug)]
pub struct ToolCard {
    /// Name for the model.
    pub name: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// What it is for and how a call looks.
    pub description: String,
    /// One line for a list of tools.
    pub snippet: &'static str,
    /// JSON Schema of the input.
    pub schema: Value,
    /// The host should always have it at hand.
    pub is_main: bool,
    /// It changes nothing, whatever the call.
    pub only_reads: bool,
}

impl Engine {
    /// The settings as they are now; files may change while a host runs (WEB-05).
    #[must_use]
    pub fn config(&self) -> Config {
        Config::load(&self.options.env, &self.options.cwd, self.options.trust)
    }

    /// The tools to offer.
    #[must_use]
    pub fn tools(&self) -> Vec<ToolCard> {
        let only_reads =
            self.options.allowed.iter().all(|class| matches!(class, Class::Read | Class::Navigate));
        let mut tools = vec![ToolCard {
            name: schema::TOOL_NAME,
            label: "Browser",
            description: self.description(),
            snippet: "Drive a real browser: open, read, click, fill, screenshot",
            schema: schema::input_schema(),
            is_main: true,
            only_reads,
        }];
        if self.may_search() && self.config().offers_search(&self.options.env) {
            tools.push(ToolCard {
                name: query::TOOL_NAME,
                label: "Web search",
                description: query::DESCRIPTION.to_owned(),
                snippet: "Search the web: titles, addresses, excerpts",
                schema: query::input_schema(),
                is_main: false,
                only_reads: true,
            });
        }
        tools
    }

    /// What a door says of a name that no tool has. The name is the caller's text, of any length.
    #[must_use]
    pub fn no_such_tool(&self) -> String {
        let names: Vec<&str> = self.tools().iter().map(|tool| tool.name).collect();
        format!("There is no tool of this name; there is {}", names.join(", "))
    }

    /// Where the host has no place for guidelines, the user's advice stands in the description.
    fn description(&self) -> String {
        let mut text = schema::DESCRIPTION.to_owned();
        if self.options.door != "pi" {
            for line in self.config().guidance() {
                if text.chars().count() + line.chars().count() < DESCRIPTION_CHARS {
                    text.push('\n');
                    text.push_str(&line);
                }
            }
        }
        text
    }

    fn may_search(&self) -> bool {
        self.options.allowed.contains(&Class::Read)
    }

    /// Calls a tool by its name; `None` when there is no such tool.
    pub async fn call_tool(
        &self,
        name: &str,
        params: &Value,
        context: CallContext,
    ) -> Option<Reply> {
        match name {
            schema::TOOL_NAME => Some(self.call(params, context).await),
            query::TOOL_NAME if self.may_search() => Some(self.search(params, &context).await),
            _ => None,
        }
    }

    async fn search(&self, params: &Value, context: &CallContext) -> Reply {
        let config = self.config();
        let world = World {
            config: &config,
            env: &self.options.env,
            cwd: &self.options.cwd,
            cancel: &context.cancel,
            now: now_seconds(),
        };
        let mut secrets = Vec::new();
        let outcome = match search::search(params, &world, &mut secrets).await {
            Ok(outcome) => outcome,
            Err(refusal) => refusal.into_outcome(),
        };
        search_reply(outcome, secrets, self.options.failure_notice)
    }
}

/// The reply of a search. It leaves no line in the journal: it is no part of the browser's story.
fn search_reply(outcome: Outcome, secrets: Vec<String>, notice: &str) -> Reply {
    let redactor = Redactor::new(secrets);
    let text = print(&failure_first(&outcome, notice), &redactor).cut_bytes(SEARCH_BYTES);
    let mut details = outcome.details;
    details.extend(outcome.verdict.to_details());
    Reply {
        blocks: vec![Block::Text(text)],
        details: redactor.safe_json(&Value::Object(details)),
        failure: outcome.verdict.failure(),
        no_browser: outcome.no_browser,
    }
}
