//! Do upstream's own config files carry launch options (HAZ-02)? Calls cannot leave those out, so a
//! browser that was replaced behind our back is harder to notice.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::context::Context;
use super::{Check, Finding};
use crate::command::flags::{LaunchScope, flag};
use crate::run::env::{is_daemon_variable, is_launch_variable};

/// Config files are small.
const FILE_LIMIT: u64 = 256 * 1024;

pub(super) const CHECK: Check =
    Check { id: "config-files", run: |context| Box::pin(async move { check(context) }) };

fn check(context: &Context) -> Finding {
    let mut named = Vec::new();
    for path in files(context) {
        match read(&path) {
            None => {}
            Some(Err(problem)) => {
                return Finding::optional(
                    format!("{} is ignored by agent-browser: {problem}.", path.display()),
                    "Correct or remove the file.",
                );
            }
            Some(Ok(options)) => {
                let launch = launch_options(&options);
                if !launch.is_empty() {
                    named.push(format!("{} sets {}", path.display(), launch.join(", ")));
                }
            }
        }
    }
    if named.is_empty() {
        return Finding::ok("No launch options in agent-browser's config files");
    }
    Finding::optional(
        format!("Launch options apply to every call: {}.", named.join("; ")),
        "Better give them as flags of the call that opens the browser, and remove them from the file.",
    )
}

/// The files that upstream reads, as it finds them.
fn files(context: &Context) -> Vec<PathBuf> {
    if let Some(named) = context.world.env.get("AGENT_BROWSER_CONFIG") {
        return vec![context.world.cwd.join(named)];
    }
    let user = context.world.env.path("HOME").map(|home| home.join(".agent-browser/config.json"));
    user.into_iter().chain([context.world.cwd.join("agent-browser.json")]).collect()
}

/// The options of a file; nothing when there is no file.
fn read(path: &Path) -> Option<Result<Map<String, Value>, String>> {
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
fn launch_options(options: &Map<String, Value>) -> Vec<&str> {
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
