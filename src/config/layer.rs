//! The files that are read, in their order, and what is wrong with them (CFG-01, CFG-02).

use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::Trust;
use super::keys::{KEYS, Key, Kind};
use crate::run::ParentEnv;

/// The file below a home or project directory.
const BELOW: &str = ".pi/config/pi-agent-browser-native/config.json";
/// The variable that names the strongest file.
pub const OVERRIDE: &str = "PI_AGENT_BROWSER_CONFIG";
/// A longer file is no config file.
const FILE_LIMIT: u64 = 256 * 1024;

/// Which file; later ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The user's own.
    Global,
    /// The directory's.
    Project,
    /// The one that `PI_AGENT_BROWSER_CONFIG` names.
    Override,
}

impl Layer {
    /// Every layer, weakest first.
    pub const ALL: [Self; 3] = [Self::Global, Self::Project, Self::Override];

    /// The word in status texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Project => "project",
            Self::Override => "override",
        }
    }

    /// Where its file lies. Nothing is read.
    #[must_use]
    pub fn path(self, env: &ParentEnv, cwd: &Path) -> Option<PathBuf> {
        match self {
            Self::Global => env.path("HOME").map(|home| home.join(BELOW)),
            Self::Project => Some(cwd.join(BELOW)),
            Self::Override => env.get(OVERRIDE).map(|path| cwd.join(path)),
        }
    }
}

/// What became of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Read.
    Loaded,
    /// There is no file.
    Absent,
    /// Nobody names one.
    NotNamed,
    /// The project is not trusted, so its file was not opened (DEC-84).
    NotTrusted,
    /// It cannot be used.
    Broken(String),
}

/// A layer and the values that its file holds.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Which.
    pub layer: Layer,
    /// Its file.
    pub path: Option<PathBuf>,
    /// What became of it.
    pub state: State,
    /// Valid values, by key name.
    pub values: Vec<(&'static Key, Value)>,
    /// What is wrong inside, without any value.
    pub problems: Vec<String>,
}

/// Reads one layer.
#[must_use]
pub fn load(layer: Layer, env: &ParentEnv, cwd: &Path, trust: Trust) -> Loaded {
    let path = layer.path(env, cwd);
    let mut loaded =
        Loaded { layer, path, state: State::NotNamed, values: Vec::new(), problems: Vec::new() };
    let Some(path) = &loaded.path else { return loaded };
    if layer == Layer::Project && !trust.project {
        loaded.state = State::NotTrusted;
        return loaded;
    }
    match read_object(path) {
        // A file that the environment names must be there.
        Ok(None) if layer == Layer::Override => {
            loaded.state = State::Broken("the file does not exist".to_owned());
        }
        Ok(None) => loaded.state = State::Absent,
        Err(problem) => loaded.state = State::Broken(problem),
        Ok(Some(map)) => {
            loaded.state = State::Loaded;
            sort(&map, "", &mut loaded.values, &mut loaded.problems);
            if let Some(problem) = exposed(path, &loaded.values) {
                loaded.problems.push(problem);
            }
        }
    }
    loaded
}

/// The object in a config file; `None` when there is no file.
///
/// # Errors
/// What is wrong with it, without its content.
pub fn read_object(path: &Path) -> Result<Option<Map<String, Value>>, String> {
    // Before it is opened: opening a pipe waits for somebody who writes.
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Err("is not a file".to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    }
    let file = fs::File::open(path).map_err(|error| error.to_string())?;
    let mut text = String::new();
    let read = file.take(FILE_LIMIT + 1).read_to_string(&mut text);
    read.map_err(|error| error.to_string())?;
    if text.len() as u64 > FILE_LIMIT {
        return Err("is longer than 256 KiB".to_owned());
    }
    match serde_json::from_str(&text) {
        Ok(Value::Object(map)) => Ok(Some(map)),
        Ok(_) => Err("is not a JSON object".to_owned()),
        Err(error) => {
            Err(format!("is not JSON (line {}, column {})", error.line(), error.column()))
        }
    }
}

/// Values and problems of an object; `path` is the dotted name in front of its fields.
fn sort(
    map: &Map<String, Value>,
    path: &str,
    values: &mut Vec<(&'static Key, Value)>,
    problems: &mut Vec<String>,
) {
    for (field, value) in map {
        let name = if path.is_empty() { field.clone() } else { format!("{path}.{field}") };
        let is_section = KEYS.iter().any(|key| key.name.starts_with(&format!("{name}.")));
        match (Key::named(&name), value) {
            (Some(key), value) => match key.problem(value) {
                Some(problem) => problems.push(problem),
                None => values.push((key, value.clone())),
            },
            (None, Value::Object(inner)) if is_section => sort(inner, &name, values, problems),
            (None, _) if is_section => problems.push(format!("{name} must be an object")),
            (None, _) => problems.push(format!("{} is not a key", shortened(&name))),
        }
    }
}

/// A name that somebody else wrote, short and in one line.
fn shortened(name: &str) -> String {
    let plain = name.chars().map(|c| if c.is_control() { '?' } else { c });
    format!("{:?}", plain.take(60).collect::<String>())
}

/// A key in plain text in a file that others can read.
fn exposed(path: &Path, values: &[(&'static Key, Value)]) -> Option<String> {
    let is_literal = |(key, value): &(&'static Key, Value)| {
        key.kind == Kind::Credential
            && value
                .as_str()
                .and_then(|text| super::Source::parse(text).ok())
                .is_some_and(|source| source.form() == "literal")
    };
    let mode = fs::metadata(path).ok()?.mode();
    (values.iter().any(is_literal) && mode & 0o077 != 0).then(|| {
        "it holds a key in plain text and other users can read it (chmod 600 closes it)".to_owned()
    })
}
