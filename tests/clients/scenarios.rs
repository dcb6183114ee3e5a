//! Every server scenario of the conformance suite, and what it says about this program.

/// Whether a scenario judges something that this program has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Applies {
    /// It must pass.
    Yes,
    /// It cannot pass, or its result says nothing; the reason is for the docs.
    No(&'static str),
}

const OWN_TOOL: Applies = Applies::No("calls a tool of the suite's own example server");
const OWN_RESOURCE: Applies = Applies::No("reads a resource of the suite's own example server");
const FIXED_RESOURCES: Applies = Applies::No("the server's resources never change");
const NO_PROMPTS: Applies = Applies::No("the server offers no prompts");
const ASKS_CLIENT: Applies = Applies::No("the server asks its client for nothing");
const TRANSPORT: Applies = Applies::No("judges an HTTP transport, here the tests' own bridge");

pub(crate) const SCENARIOS: &[(&str, Applies)] = &[
    ("server-initialize", Applies::Yes),
    ("logging-set-level", Applies::No("the server sends no log messages")),
    ("ping", Applies::Yes),
    ("completion-complete", Applies::No("the server has no arguments to complete")),
    ("tools-list", Applies::Yes),
    ("tools-call-simple-text", OWN_TOOL),
    ("tools-call-image", OWN_TOOL),
    ("tools-call-audio", OWN_TOOL),
    ("tools-call-embedded-resource", OWN_TOOL),
    ("tools-call-mixed-content", OWN_TOOL),
    ("tools-call-with-logging", OWN_TOOL),
    ("tools-call-error", OWN_TOOL),
    ("tools-call-with-progress", OWN_TOOL),
    ("tools-call-sampling", ASKS_CLIENT),
    ("tools-call-elicitation", ASKS_CLIENT),
    ("json-schema-2020-12", OWN_TOOL),
    ("elicitation-sep1034-defaults", ASKS_CLIENT),
    ("server-sse-polling", TRANSPORT),
    ("server-sse-multiple-streams", TRANSPORT),
    ("elicitation-sep1330-enums", ASKS_CLIENT),
    ("resources-list", Applies::Yes),
    ("resources-read-text", OWN_RESOURCE),
    ("resources-read-binary", OWN_RESOURCE),
    ("resources-templates-read", OWN_RESOURCE),
    ("resources-subscribe", FIXED_RESOURCES),
    ("resources-unsubscribe", FIXED_RESOURCES),
    // The suite accepts the empty list of a server that has none.
    ("prompts-list", Applies::Yes),
    ("prompts-get-simple", NO_PROMPTS),
    ("prompts-get-with-args", NO_PROMPTS),
    ("prompts-get-embedded-resource", NO_PROMPTS),
    ("prompts-get-with-image", NO_PROMPTS),
    ("dns-rebinding-protection", TRANSPORT),
];
