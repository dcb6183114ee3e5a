//! `electron`: desktop apps from discovery to clean-up (IN-ELEC).

use serde_json::{Map, Value, json};

use super::Compiled;
use super::fields::{Fields, wrong};
use super::schema::{flag, number, object, plain, strings, words};
use crate::error::{Checked, Refusal};
use crate::session::target::SessionMode;

/// Apps of a list without a limit of the caller's, and the most there ever are (DEC-48).
const DEFAULT_RESULTS: u64 = 50;
const MOST_RESULTS: u64 = 200;
/// How long an app may take to open its debugging port.
pub const READY_MS: u64 = 15_000;
const MOST_READY_MS: u64 = 120_000;
/// Longest time limit of the other actions.
const MOST_MS: u64 = 600_000;
/// Most arguments of an app.
const MOST_ARGS: usize = 100;

/// Switches that belong to the launch itself, without their dashes.
const OWN_SWITCHES: [&str; 4] =
    ["user-data-dir", "remote-debugging-port", "remote-debugging-address", "remote-debugging-pipe"];
/// Fields of `launch` that name the app.
const TARGETS: [&str; 4] = ["appPath", "appName", "bundleId", "executablePath"];
const ACTIONS: [&str; 5] = ["list", "launch", "status", "cleanup", "probe"];

/// What hosts see of it.
pub(super) fn schema() -> Value {
    object(
        "Desktop apps, launched isolated; cleanup by launchId when done",
        json!({
            "action": words(&ACTIONS),
            "query": plain(), "maxResults": number(""),
            "appName": plain(), "bundleId": plain(), "appPath": plain(), "executablePath": plain(),
            "appArgs": strings(""),
            "handoff": words(&["connect", "tabs", "snapshot"]),
            "targetType": plain(),
            "allow": strings(""), "deny": strings(""),
            "launchId": plain(), "all": flag(""), "timeoutMs": number(""),
        }),
        &["action"],
    )
}

/// The decoded object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Electron {
    /// Which apps are installed.
    List(List),
    /// Start one.
    Launch(Box<Launch>),
    /// How the tracked ones are.
    Status(Scope),
    /// End tracked ones and remove what was made for them.
    Cleanup(Scope),
    /// What an attached one shows.
    Probe(Probe),
}

/// `list`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// Part of a name, an id or a path.
    pub query: Option<String>,
    /// Most rows.
    pub max_results: usize,
}

/// `launch`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The app.
    pub target: AppTarget,
    /// Its own arguments.
    pub app_args: Vec<String>,
    /// How far the hand-off goes.
    pub handoff: Handoff,
    /// What kind of page is attached to.
    pub target_type: TargetType,
    /// How long it may take to open its debugging port.
    pub timeout_ms: u64,
    /// One of these must match.
    pub allow: Vec<String>,
    /// None of these may match.
    pub deny: Vec<String>,
}

/// The one field that names the app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppTarget {
    /// Its directory, bundle or executable.
    Path(String),
    /// Its name.
    Name(String),
    /// Its bundle or desktop id.
    Bundle(String),
    /// Its executable.
    Executable(String),
}

/// What follows the attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Handoff {
    /// Nothing.
    Connect,
    /// The list of tabs.
    Tabs,
    /// That, and a snapshot.
    Snapshot,
}

/// Which of the app's targets is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetType {
    /// A window.
    Page,
    /// A guest in a window.
    Webview,
    /// Whatever comes first.
    Any,
}

/// Which launches `status` and `cleanup` are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The choice.
    pub which: Which,
    /// Time limit.
    pub timeout_ms: Option<u64>,
}

/// A choice of launches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The only one there is.
    Only,
    /// This one.
    One(String),
    /// All of them.
    All,
}

/// `probe`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The launch; else the current session.
    pub launch_id: Option<String>,
    /// Time limit.
    pub timeout_ms: Option<u64>,
}

impl AppTarget {
    /// The field that the caller used, and its value.
    #[must_use]
    pub fn field(&self) -> (&'static str, &str) {
        match self {
            Self::Path(value) => ("appPath", value),
            Self::Name(value) => ("appName", value),
            Self::Bundle(value) => ("bundleId", value),
            Self::Executable(value) => ("executablePath", value),
        }
    }
}

impl Handoff {
    /// The word of the input field.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Tabs => "tabs",
            Self::Snapshot => "snapshot",
        }
    }
}

impl TargetType {
    /// The word of the input field.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Webview => "webview",
            Self::Any => "any",
        }
    }
}

impl Electron {
    /// Decodes and checks the object.
    ///
    /// # Errors
    /// A `validation-error` that names the field.
    pub fn decode(value: &Value, mode: SessionMode) -> Checked<Self> {
        let action = action(value)?;
        if mode == SessionMode::Fresh && action != "launch" {
            let sentence = format!("sessionMode has no meaning with electron.{action}.");
            return Err(Refusal::invalid(sentence));
        }
        match action {
            "list" => list(value).map(Self::List),
            "launch" => launch(value).map(|launch| Self::Launch(Box::new(launch))),
            "status" => scope(value).map(Self::Status),
            "cleanup" => scope(value).map(Self::Cleanup),
            _ => probe(value).map(Self::Probe),
        }
    }

    /// The word of `action`.
    #[must_use]
    pub fn action(&self) -> &'static str {
        match self {
            Self::List(_) => "list",
            Self::Launch(_) => "launch",
            Self::Status(_) => "status",
            Self::Cleanup(_) => "cleanup",
            Self::Probe(_) => "probe",
        }
    }

    /// No command line: the plan is echoed, the work is the wrapper's own.
    #[must_use]
    pub fn compile(&self) -> Compiled {
        let mut plan = Map::new();
        plan.insert("action".into(), self.action().into());
        match self {
            Self::List(list) => {
                plan.extend(list.query.iter().map(|text| ("query".into(), text.clone().into())));
                plan.insert("maxResults".into(), list.max_results.into());
            }
            Self::Launch(launch) => plan.extend(launch.echo()),
            Self::Status(scope) | Self::Cleanup(scope) => {
                match &scope.which {
                    Which::Only => None,
                    Which::One(id) => plan.insert("launchId".into(), id.clone().into()),
                    Which::All => plan.insert("all".into(), true.into()),
                };
                plan.extend(scope.timeout_ms.map(|ms| ("timeoutMs".into(), ms.into())));
            }
            Self::Probe(probe) => {
                let id = probe.launch_id.iter();
                plan.extend(id.map(|id| ("launchId".into(), id.clone().into())));
                plan.extend(probe.timeout_ms.map(|ms| ("timeoutMs".into(), ms.into())));
            }
        }
        let echo = vec![("compiledElectron", Value::Object(plan))];
        Compiled { echo, ..Compiled::default() }
    }
}

impl Launch {
    fn echo(&self) -> Vec<(String, Value)> {
        let (field, value) = self.target.field();
        let mut plan = vec![
            (field.to_owned(), json!(value)),
            ("handoff".to_owned(), json!(self.handoff.name())),
            ("targetType".to_owned(), json!(self.target_type.name())),
            ("timeoutMs".to_owned(), json!(self.timeout_ms)),
        ];
        for (name, list) in
            [("appArgs", &self.app_args), ("allow", &self.allow), ("deny", &self.deny)]
        {
            if !list.is_empty() {
                plan.push((name.to_owned(), json!(list)));
            }
        }
        plan
    }
}

fn action(value: &Value) -> Checked<&'static str> {
    let Value::Object(map) = value else { return Err(wrong("electron", "an object", value)) };
    let given = map.get("action").unwrap_or(&Value::Null);
    let known = given.as_str().and_then(|word| ACTIONS.into_iter().find(|known| *known == word));
    known.ok_or_else(|| wrong("electron.action", &format!("one of {}", ACTIONS.join(", ")), given))
}

fn list(value: &Value) -> Checked<List> {
    let fields = Fields::of("electron", value, &["action", "query", "maxResults"])?;
    let most = fields.number("maxResults", 1, u64::MAX)?.unwrap_or(DEFAULT_RESULTS);
    let max_results = usize::try_from(most.min(MOST_RESULTS)).unwrap_or(usize::MAX);
    Ok(List { query: fields.text("query")?, max_results })
}

fn launch(value: &Value) -> Checked<Launch> {
    let known = [
        "action",
        "appPath",
        "appName",
        "bundleId",
        "executablePath",
        "appArgs",
        "handoff",
        "targetType",
        "timeoutMs",
        "allow",
        "deny",
    ];
    let fields = Fields::of("electron", value, &known)?;
    let given: Vec<&str> = TARGETS.into_iter().filter(|field| fields.has(field)).collect();
    let [field] = given.as_slice() else {
        let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        return Err(Refusal::invalid(format!(
            "electron.launch takes exactly one of {}, not {found}; nothing was started.",
            TARGETS.join(", ")
        )));
    };
    let name = fields.required(field)?;
    let target = match *field {
        "appPath" => AppTarget::Path(name),
        "appName" => AppTarget::Name(name),
        "bundleId" => AppTarget::Bundle(name),
        _ => AppTarget::Executable(name),
    };
    let handoff = match fields.choice("handoff", &["connect", "tabs", "snapshot"])? {
        Some("connect") => Handoff::Connect,
        Some("tabs") => Handoff::Tabs,
        _ => Handoff::Snapshot,
    };
    let target_type = match fields.choice("targetType", &["page", "webview", "any"])? {
        Some("webview") => TargetType::Webview,
        Some("any") => TargetType::Any,
        _ => TargetType::Page,
    };
    Ok(Launch {
        target,
        app_args: app_args(&fields)?,
        handoff,
        target_type,
        timeout_ms: ready_ms(&fields)?,
        allow: fields.texts("allow")?,
        deny: fields.texts("deny")?,
    })
}

/// The app's own arguments; those of the launch are refused (IN-ELEC-08). Chromium takes switches
/// with one dash as well.
fn app_args(fields: &Fields<'_>) -> Checked<Vec<String>> {
    let args = fields.texts("appArgs")?;
    if args.len() > MOST_ARGS {
        return Err(Refusal::invalid(format!("electron.appArgs has more than {MOST_ARGS} items.")));
    }
    for (index, arg) in args.iter().enumerate() {
        let switch = arg.trim_start_matches('-').split('=').next().unwrap_or_default();
        let switch = switch.to_ascii_lowercase();
        let own = OWN_SWITCHES.iter().find(|own| arg.starts_with('-') && **own == switch);
        let own = own.map(|own| format!("--{own}")).or((arg == "--").then(|| "--".to_owned()));
        if let Some(own) = own {
            return Err(Refusal::invalid(format!(
                "electron.appArgs[{index}] is {own}, which belongs to the launch itself; \
                 nothing was started."
            )));
        }
    }
    Ok(args)
}

/// Missing and non-positive limits are the default, longer ones are cut (IN-ELEC-10).
fn ready_ms(fields: &Fields<'_>) -> Checked<u64> {
    let Some(value) = fields.get("timeoutMs") else { return Ok(READY_MS) };
    match (value.as_u64(), value.as_i64()) {
        (Some(ms @ 1..), _) => Ok(ms.min(MOST_READY_MS)),
        (_, Some(..=0)) => Ok(READY_MS),
        _ => Err(wrong(&fields.name("timeoutMs"), "a whole number of milliseconds", value)),
    }
}

fn scope(value: &Value) -> Checked<Scope> {
    let fields = Fields::of("electron", value, &["action", "launchId", "all", "timeoutMs"])?;
    let id = fields.text("launchId")?;
    let all = match fields.get("all") {
        None => false,
        Some(Value::Bool(true)) => true,
        Some(other) => return Err(wrong("electron.all", "true, or left out", other)),
    };
    let which = match (id, all) {
        (Some(_), true) => {
            return Err(Refusal::invalid(
                "electron.launchId and electron.all exclude each other; nothing was done.",
            ));
        }
        (Some(id), false) => Which::One(id),
        (None, true) => Which::All,
        (None, false) => Which::Only,
    };
    Ok(Scope { which, timeout_ms: fields.number("timeoutMs", 1, MOST_MS)? })
}

fn probe(value: &Value) -> Checked<Probe> {
    let fields = Fields::of("electron", value, &["action", "launchId", "timeoutMs"])?;
    let launch_id = fields.text("launchId")?;
    Ok(Probe { launch_id, timeout_ms: fields.number("timeoutMs", 1, MOST_MS)? })
}

#[cfg(test)]
#[path = "electron_tests.rs"]
mod tests;
