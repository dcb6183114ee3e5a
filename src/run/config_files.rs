//! Upstream's own config files. Their launch options stand in every call, whatever ours leaves out
//! (HAZ-02).

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::env::{ParentEnv, is_daemon_variable, is_launch_variable};
use crate::command::flags::{LaunchScope, flag};

/// Config files are small.
const FILE_LIMIT: u64 = 256 * 1024;

/// The files that upstream reads, as it finds them.
#[must_use]
pub fn config_files(env: &ParentEnv, cwd: &Path) -> Vec<PathBuf> {
    if let Some(named) = env.get("AGENT_BROWSER_CONFIG") {
        return vec![cwd.join(named)];
    }
    let user = env.path("HOME").map(|home| home.join(".agent-browser/config.json"));
    user.into_iter().chain([cwd.join("agent-browser.json")]).collect()
}

/// True when every call of this environment carries launch options that are not its own.
#[must_use]
pub fn launch_by_config(env: &ParentEnv, cwd: &Path) -> bool {
    let read = config_files(env, cwd).into_iter().filter_map(|path| read_config(&path)?.ok());
    read.into_iter().any(|options| !launch_options(&options).is_empty())
}

/// The options of a file, or why it has none; nothing when there is no file.
#[must_use]
pub fn read_config(path: &Path) -> Option<Result<Map<String, Value>, String>> {
    let mut text = String::new();
    let file = File::open(path).ok()?;
    if let Err(error) = file.take(FILE_LIMIT).read_to_string(&mut text) {
        return Some(Err(error.to_string()));
    }
    Some(match serde_json::from_str(&text) {
        Ok(Value::Object(options)) => Ok(options),
        Ok(_) => Err("it holds no JSON object".to_owned()),
        Err(error) => {
            Err(format!("it is no JSON (line {}, column {})", error.line(), error.column()))
        }
    })
}

/// Names of the options that belong to the launch of the browser or of its daemon. Values stay out:
/// a proxy's may hold a password.
#[must_use]
pub fn launch_options(options: &Map<String, Value>) -> Vec<&str> {
    options
        .iter()
        .filter(|(name, value)| is_launch_option(name, value))
        .map(|(name, _)| &**name)
        .collect()
}

fn is_launch_option(name: &str, value: &Value) -> bool {
    let words = split_words(name);
    let variable = format!("AGENT_BROWSER_{}", words.join("_").to_uppercase());
    let spec = flag(&format!("--{}", words.join("-")));
    let text = match value {
        Value::Null => return false,
        Value::Bool(on) => Some(if *on { "true" } else { "false" }),
        _ => None,
    };
    let scoped = spec.is_some_and(|spec| spec.scope != LaunchScope::None);
    let takes_effect = spec.is_none_or(|spec| spec.takes_effect(text));
    (scoped || is_launch_variable(&variable) || is_daemon_variable(&variable)) && takes_effect
}

/// `executablePath` → `executable`, `path`.
fn split_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    // HAZ-02
    #[test]
    fn launch_options_are_told_from_others_by_name_and_value() {
        let options = json!({
            "headed": true, "executablePath": "/x", "extensions": ["/e"], "proxyBypass": "a", "idleTimeout": "3m",
            "noAutoDialog": true, "screenshotDir": "/s", "maxOutput": 5, "json": true, "webgpu": false,
            "hideScrollbars": true, "session": "x", "unknownThing": 1, "profile": null
        });
        let Value::Object(options) = options else { return };
        assert_eq!(
            launch_options(&options),
            [
                "headed",
                "executablePath",
                "extensions",
                "proxyBypass",
                "idleTimeout",
                "noAutoDialog"
            ]
        );
        let off = json!({ "hideScrollbars": false });
        assert_eq!(launch_options(off.as_object().unwrap()), ["hideScrollbars"]);
    }
}
