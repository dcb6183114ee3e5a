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
mod tests {
    use super::*;

    fn decoded(value: Value) -> Checked<Electron> {
        Electron::decode(&value, SessionMode::Auto)
    }

    fn refused(value: Value) -> String {
        let refusal = decoded(value).unwrap_err();
        assert_eq!(refusal.category.name(), "validation-error");
        refusal.message.plain()
    }

    fn launched(value: Value) -> Launch {
        let mut object = json!({ "action": "launch", "appName": "Notes" });
        object.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
        match decoded(object).unwrap() {
            Electron::Launch(launch) => *launch,
            other => panic!("{other:?}"),
        }
    }

    // IN-ELEC-01, ELEC-01
    #[test]
    fn an_action_is_required_and_one_of_five() {
        assert!(refused(json!({})).contains("electron.action must be one of list, launch"));
        assert!(refused(json!({ "action": "attach" })).contains("attach"));
        assert!(refused(json!("list")).starts_with("electron must be an object"));
        for action in ["list", "status", "cleanup", "probe"] {
            assert_eq!(decoded(json!({ "action": action })).unwrap().action(), action);
        }
    }

    // IN-ELEC-03, IN-ELEC-05, IN-ELEC-11, IN-ELEC-15, ELEC-02
    #[test]
    fn every_action_has_its_own_fields() {
        for (action, field) in [
            ("list", "launchId"),
            ("list", "timeoutMs"),
            ("launch", "query"),
            ("launch", "all"),
            ("status", "query"),
            ("cleanup", "appName"),
            ("probe", "all"),
        ] {
            let mut value = json!({ "action": action });
            value[field] = json!("x");
            let text = refused(value);
            assert!(text.contains("has no field") && text.contains(field), "{action}: {text}");
        }
    }

    // IN-ELEC-04, ELEC-03
    #[test]
    fn a_launch_names_exactly_one_app() {
        assert!(refused(json!({ "action": "launch" })).contains("exactly one of appPath, appName"));
        let two = json!({ "action": "launch", "appName": "a", "bundleId": "b" });
        assert!(refused(two).contains("not appName and bundleId"));
        let blank = json!({ "action": "launch", "appName": " " });
        assert!(refused(blank).contains("electron.appName must not be empty"));
        for (field, target) in [
            ("appPath", AppTarget::Path("x".into())),
            ("appName", AppTarget::Name("x".into())),
            ("bundleId", AppTarget::Bundle("x".into())),
            ("executablePath", AppTarget::Executable("x".into())),
        ] {
            let mut value = json!({ "action": "launch" });
            value[field] = json!("x");
            let Electron::Launch(launch) = decoded(value).unwrap() else { panic!() };
            assert_eq!(launch.target, target);
            assert_eq!(launch.target.field(), (field, "x"));
        }
    }

    // IN-ELEC-06, IN-ELEC-07, ELEC-21, ELEC-22
    #[test]
    fn hand_off_and_target_type_have_defaults_and_few_words() {
        let plain = launched(json!({}));
        assert_eq!((plain.handoff, plain.target_type), (Handoff::Snapshot, TargetType::Page));
        let other = launched(json!({ "handoff": "tabs", "targetType": "webview" }));
        assert_eq!((other.handoff, other.target_type), (Handoff::Tabs, TargetType::Webview));
        let last = launched(json!({ "handoff": "connect", "targetType": "any" }));
        assert_eq!((last.handoff, last.target_type), (Handoff::Connect, TargetType::Any));
        let bad = json!({ "action": "launch", "appName": "a", "handoff": "view" });
        assert!(refused(bad).contains("connect, tabs, snapshot"));
    }

    // IN-ELEC-08, ELEC-18
    #[test]
    fn arguments_of_the_launch_itself_are_refused() {
        for arg in [
            "--user-data-dir=/home/ann/.config/App",
            "--user-data-dir",
            "--remote-debugging-port=9222",
            "-remote-debugging-port=9222",
            "--Remote-Debugging-Address=0.0.0.0",
            "--remote-debugging-pipe",
            "--",
        ] {
            let value = json!({ "action": "launch", "appName": "a", "appArgs": ["--x", arg] });
            let text = refused(value);
            assert!(text.contains("appArgs[1]") && text.contains("nothing was started"), "{text}");
        }
        let args = ["--no-sandbox", "file.txt", "user-data-dir=x", "--user-data-directory"];
        assert_eq!(launched(json!({ "appArgs": args })).app_args, args);
    }

    // IN-ELEC-10, ELEC-28
    #[test]
    fn a_launch_waits_fifteen_seconds_unless_told_otherwise() {
        for (given, ms) in [
            (json!({}), 15_000),
            (json!({ "timeoutMs": 0 }), 15_000),
            (json!({ "timeoutMs": -5 }), 15_000),
            (json!({ "timeoutMs": 700 }), 700),
            (json!({ "timeoutMs": 900_000 }), 120_000),
        ] {
            assert_eq!(launched(given).timeout_ms, ms);
        }
        let text = json!({ "action": "launch", "appName": "a", "timeoutMs": "soon" });
        assert!(refused(text).contains("electron.timeoutMs"));
    }

    // IN-ELEC-11, ELEC-04
    #[test]
    fn all_is_true_or_left_out_and_never_beside_an_id() {
        let which = |value: Value| match decoded(value).unwrap() {
            Electron::Status(scope) | Electron::Cleanup(scope) => scope.which,
            other => panic!("{other:?}"),
        };
        assert_eq!(which(json!({ "action": "status" })), Which::Only);
        assert_eq!(which(json!({ "action": "cleanup", "all": true })), Which::All);
        let one = json!({ "action": "status", "launchId": "electron-1" });
        assert_eq!(which(one), Which::One("electron-1".into()));
        for all in [json!(false), json!("true"), json!(1)] {
            assert!(refused(json!({ "action": "status", "all": all })).contains("electron.all"));
        }
        let both = json!({ "action": "cleanup", "all": true, "launchId": "electron-1" });
        assert!(refused(both).contains("exclude each other"));
    }

    // DEC-48
    #[test]
    fn a_list_has_fifty_rows_and_never_more_than_two_hundred() {
        let most = |value: Value| match decoded(value).unwrap() {
            Electron::List(list) => list.max_results,
            other => panic!("{other:?}"),
        };
        assert_eq!(most(json!({ "action": "list" })), 50);
        assert_eq!(most(json!({ "action": "list", "maxResults": 7 })), 7);
        assert_eq!(most(json!({ "action": "list", "maxResults": 5_000 })), 200);
        assert!(refused(json!({ "action": "list", "maxResults": 0 })).contains("maxResults"));
    }

    // IN-ELEC-21, RES-36
    #[test]
    fn the_plan_is_echoed() {
        let launch = json!({
            "action": "launch", "appName": "Notes", "appArgs": ["--x"], "deny": "Signal",
        });
        let compiled = decoded(launch).unwrap().compile();
        assert!(compiled.args.is_empty() && compiled.rows.is_none());
        let (key, echo) = &compiled.echo[0];
        assert_eq!(*key, "compiledElectron");
        assert_eq!(
            *echo,
            json!({
                "action": "launch", "appName": "Notes", "handoff": "snapshot",
                "targetType": "page", "timeoutMs": 15_000, "appArgs": ["--x"],
                "deny": ["Signal"],
            })
        );
        let status = decoded(json!({ "action": "status", "all": true })).unwrap().compile();
        assert_eq!(status.echo[0].1, json!({ "action": "status", "all": true }));
    }

    // IN-ELEC-16
    #[test]
    fn a_session_mode_belongs_to_a_launch_only() {
        let launch = json!({ "action": "launch", "appName": "a" });
        assert!(Electron::decode(&launch, SessionMode::Fresh).is_ok());
        assert!(Electron::decode(&json!({ "action": "probe" }), SessionMode::Fresh).is_err());
    }
}
