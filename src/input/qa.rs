//! `qa`: one call that opens a page and checks it (IN-QA).

use serde_json::{Value, json};

use super::fields::Fields;
use super::job::{LOAD_STATES, compiled};
use super::qa_page::{SETTLE, text_predicate};
use super::schema::{flag, object, plain, strings};
use super::{Compiled, CompiledStep};
use crate::error::{Checked, Refusal};
use crate::session::target::SessionMode;

pub(super) const FIELDS: [&str; 9] = [
    "url",
    "attached",
    "expectedText",
    "expectedSelector",
    "loadState",
    "checkNetwork",
    "checkConsole",
    "checkErrors",
    "screenshotPath",
];
/// The decoded preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qa {
    /// The page to open; none for `attached`.
    pub url: Option<String>,
    /// Texts that must be visible.
    pub texts: Vec<String>,
    /// A selector that must be visible.
    pub selector: Option<String>,
    /// Load state that is waited for.
    pub load_state: &'static str,
    /// Checks of network, console, errors.
    pub checks: [bool; 3],
    /// Evidence.
    pub screenshot: Option<String>,
    /// The attached page may have any scheme of a page: apps have their own (DEC-46).
    pub any_scheme: bool,
}

/// What a row of the compiled preset is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// Clears a buffer, or reads what it held before.
    Reset(&'static str),
    /// The page is the right one (attached).
    Attached,
    /// Opens the page.
    Open,
    /// Waits for the load state.
    Load,
    /// A text is visible.
    Text(String),
    /// A selector is visible.
    Selector(String),
    /// The page comes to rest.
    Settle,
    /// The requests.
    Network,
    /// The console.
    Console,
    /// The page's errors.
    Errors,
    /// The picture.
    Screenshot,
}

impl Qa {
    /// Decodes and checks the object.
    ///
    /// # Errors
    /// A `validation-error` that names the field.
    pub fn decode(value: &Value, mode: SessionMode) -> Checked<Self> {
        let fields = Fields::of("qa", value, &FIELDS)?;
        let attached = fields.flag("attached")?.unwrap_or(false);
        let url = fields.text("url")?;
        match (&url, attached) {
            (Some(_), true) => {
                return Err(Refusal::invalid("qa.url and qa.attached exclude each other."));
            }
            (None, false) => {
                return Err(Refusal::invalid(
                    "qa needs url, or attached: true for the current page.",
                ));
            }
            (None, true) if mode == SessionMode::Fresh => {
                return Err(Refusal::invalid(
                    "qa.attached looks at the current page; sessionMode fresh would leave it.",
                ));
            }
            _ => {}
        }
        let check = |field: &str| -> Checked<bool> { Ok(fields.flag(field)?.unwrap_or(!attached)) };
        Ok(Self {
            url,
            texts: fields.texts("expectedText")?,
            selector: fields.text("expectedSelector")?,
            load_state: fields.choice("loadState", &LOAD_STATES)?.unwrap_or("domcontentloaded"),
            checks: [check("checkNetwork")?, check("checkConsole")?, check("checkErrors")?],
            screenshot: fields.text("screenshotPath")?,
            any_scheme: false,
        })
    }

    /// The rows and what each is for.
    #[must_use]
    pub fn rows(&self) -> Vec<(Check, Vec<String>)> {
        let [network, console, errors] = self.checks;
        let mut rows: Vec<(Check, Vec<String>)> = Vec::new();
        let mut add = |check: Check, words: &[&str]| {
            rows.push((check, words.iter().map(ToString::to_string).collect()));
        };
        if let Some(url) = &self.url {
            for (wanted, name) in [(network, "network"), (console, "console"), (errors, "errors")] {
                let clear: &[&str] = if name == "network" {
                    &["network", "requests", "--clear"]
                } else {
                    &[name, "--clear"]
                };
                if wanted {
                    add(Check::Reset(name), clear);
                }
            }
            add(Check::Open, &["open", url]);
            add(Check::Load, &["wait", "--load", self.load_state]);
        } else {
            let script = if self.any_scheme { ATTACHED_ANYWHERE } else { ATTACHED };
            add(Check::Attached, &["eval", script]);
        }
        for text in &self.texts {
            add(
                Check::Text(text.clone()),
                &["wait", "--fn", &text_predicate(text), "--timeout", "5000"],
            );
        }
        if let Some(selector) = &self.selector {
            add(Check::Selector(selector.clone()), &["wait", selector, "--timeout", "5000"]);
        }
        if self.url.is_some() && self.checks.contains(&true) {
            add(Check::Settle, &["eval", SETTLE]);
        }
        if network {
            add(Check::Network, &["network", "requests"]);
        }
        if console {
            add(Check::Console, &["console"]);
        }
        if errors {
            add(Check::Errors, &["errors"]);
        }
        if let Some(path) = &self.screenshot {
            add(Check::Screenshot, &["screenshot", path]);
        }
        rows
    }

    /// The batch.
    #[must_use]
    pub fn compile(&self) -> Compiled {
        let steps: Vec<CompiledStep> = self
            .rows()
            .into_iter()
            .map(|(check, words)| CompiledStep { action: check.action(), rows: vec![words] })
            .collect();
        let mut batch = compiled(&steps, true, "compiledJob");
        let mut preset = batch.echo.first().map(|(_, echo)| echo.clone()).unwrap_or_default();
        let mut checks = json!({
            "attached": self.url.is_none(),
            "diagnosticsResetAtStart": self.url.is_some(),
            "network": self.checks[0], "console": self.checks[1], "errors": self.checks[2],
            "loadState": self.load_state,
        });
        if let Some(url) = &self.url {
            checks["url"] = json!(url);
        }
        preset["checks"] = checks;
        batch.echo.push(("compiledQaPreset", preset));
        batch
    }
}

pub(super) fn schema() -> Value {
    object(
        "Check a page",
        json!({
            "url": plain(),
            "attached": flag("the current page"),
            "expectedText": strings("visible texts"),
            "expectedSelector": plain(),
            "loadState": plain(),
            "checkNetwork": flag(""), "checkConsole": flag(""), "checkErrors": flag(""),
            "screenshotPath": plain(),
        }),
        &[],
    )
}

impl Check {
    fn action(&self) -> &'static str {
        match self {
            Self::Reset(_) => "reset",
            Self::Attached => "attached",
            Self::Open => "open",
            Self::Load => "wait",
            Self::Text(_) => "assertText",
            Self::Selector(_) => "assertSelector",
            Self::Settle => "settle",
            Self::Network => "network",
            Self::Console => "console",
            Self::Errors => "errors",
            Self::Screenshot => "screenshot",
        }
    }
}

/// The page of an attached run must be a page (IN-QA-13).
const ATTACHED: &str = "(() => { if (!/^(https?|file):$/.test(location.protocol)) \
throw new Error('no page to check: ' + location.href); \
return { url: location.href, title: document.title }; })()";

/// The same where another program's browser is driven: only a blank page and the browser's own
/// pages are none (DEC-46).
const ATTACHED_ANYWHERE: &str = "(() => { if (/^(about|chrome):$/.test(location.protocol)) \
throw new Error('no page to check: ' + location.href); \
return { url: location.href, title: document.title }; })()";

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(value: Value) -> Vec<Check> {
        let qa = Qa::decode(&value, SessionMode::Auto).unwrap();
        qa.rows().into_iter().map(|(check, _)| check).collect()
    }

    // IN-QA-05, IN-QA-06, IN-QA-07, IN-QA-08, IN-QA-09, IN-QA-14, QA-02, QA-03, QA-04, QA-05, DEC-45
    #[test]
    fn a_url_is_reset_opened_checked_and_pictured_last() {
        let qa = json!({"url": "http://a.test/", "expectedText": ["Cart"], "expectedSelector": "#pay", "screenshotPath": "a.png"});
        let expected = [
            Check::Reset("network"),
            Check::Reset("console"),
            Check::Reset("errors"),
            Check::Open,
            Check::Load,
            Check::Text("Cart".into()),
            Check::Selector("#pay".into()),
            Check::Settle,
            Check::Network,
            Check::Console,
            Check::Errors,
            Check::Screenshot,
        ];
        assert_eq!(checks(qa.clone()), expected);
        let compiled = Qa::decode(&qa, SessionMode::Auto).unwrap().compile();
        assert_eq!(compiled.args, ["batch", "--bail"]);
        let rows = compiled.rows.unwrap();
        assert_eq!(rows[4], ["wait", "--load", "domcontentloaded"]);
        assert_eq!(rows.last().unwrap(), &["screenshot", "a.png"]);
        assert_eq!([&rows[5][1], &rows[5][3], &rows[5][4]], ["--fn", "--timeout", "5000"]);
        assert!(rows[5][2].contains("innerText") && rows[5][2].contains("\"Cart\""));
        for state in ["load", "networkidle"] {
            let qa = json!({"url": "http://a/", "loadState": state});
            assert_eq!(Qa::decode(&qa, SessionMode::Auto).unwrap().load_state, state);
        }
        let wrong = Qa::decode(&json!({"url": "http://a/", "loadState": "x"}), SessionMode::Auto);
        assert!(wrong.unwrap_err().message.plain().starts_with("qa.loadState must be one of"));
    }

    // IN-QA-10, IN-QA-11, IN-QA-12, IN-QA-15, QA-06, QA-07
    #[test]
    fn an_attached_page_is_neither_opened_nor_reset_and_its_buffers_are_asked_for_only() {
        assert_eq!(checks(json!({"attached": true})), [Check::Attached]);
        let asked = checks(json!({"attached": true, "checkConsole": true}));
        assert_eq!(asked, [Check::Attached, Check::Console]);
        let quiet = checks(
            json!({"url": "http://a/", "checkNetwork": false, "checkConsole": false, "checkErrors": false}),
        );
        assert_eq!(quiet, [Check::Open, Check::Load]);
        let compiled = Qa::decode(&json!({"attached": true}), SessionMode::Auto).unwrap().compile();
        let preset = &compiled.echo[1].1;
        assert_eq!(preset["checks"]["attached"], true);
        assert_eq!(preset["checks"]["diagnosticsResetAtStart"], false);
        assert!(preset["checks"].get("url").is_none());
        assert_eq!(preset["checks"]["loadState"], "domcontentloaded");
        let url = json!({"url": "http://a/", "loadState": "load"});
        let compiled = Qa::decode(&url, SessionMode::Auto).unwrap().compile();
        assert_eq!(compiled.echo[1].1["checks"]["loadState"], "load");
        assert_eq!(compiled.echo[1].1["args"], json!(["batch", "--bail"]));
    }

    // IN-QA-01, IN-QA-02, IN-QA-03
    #[test]
    fn contradictions_are_refused() {
        let refused = |value, mode| Qa::decode(&value, mode).unwrap_err().message.plain();
        assert!(refused(json!({}), SessionMode::Auto).contains("needs url"));
        let both = json!({"url": "http://a/", "attached": true});
        assert!(refused(both, SessionMode::Auto).contains("exclude each other"));
        assert!(refused(json!({"attached": true}), SessionMode::Fresh).contains("fresh"));
        assert!(
            refused(json!({"url": "http://a/", "expectedText": 1}), SessionMode::Auto)
                .contains("qa.expectedText")
        );
        let half = json!({"url": "http://a/", "expectedText": ["a", "b\0"]});
        assert!(
            refused(half, SessionMode::Auto).starts_with("qa.expectedText[1] holds a character")
        );
    }
}
