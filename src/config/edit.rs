//! `config set`: one value in one file; everything else in the file stays as it is.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::keys::{KEYS, Key};
use super::layer::{Layer, read_object};
use crate::run::ParentEnv;
use crate::run::places::write_private;

/// Sets a key, or removes it where the text is empty; gives the file that was written.
///
/// # Errors
/// A sentence that says what is wrong; it never repeats the value.
pub fn set(
    name: &str,
    text: &str,
    layer: Layer,
    env: &ParentEnv,
    cwd: &Path,
) -> Result<PathBuf, String> {
    let key = Key::named(name).ok_or_else(|| {
        let names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
        format!("there is no such key; the keys are {}", names.join(", "))
    })?;
    let value = if text.is_empty() { None } else { Some(key.read(text)?) };
    let path = layer.path(env, cwd).ok_or("HOME is not set, so there is no place for the file")?;
    // Behind a link lies somebody's own arrangement: the file it points to is the one to write.
    let path = path.canonicalize().unwrap_or(path);
    let broken = |why: String| format!("{}: {why}; it was not changed", path.display());
    let mut map = read_object(&path).map_err(broken)?.unwrap_or_default();
    put(&mut map, key.name, value).map_err(broken)?;
    let text = serde_json::to_string_pretty(&map).map_err(|error| error.to_string())?;
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    }
    write_private(&path, format!("{text}\n").as_bytes()).map_err(failed)?;
    Ok(path)
}

fn put(map: &mut Map<String, Value>, name: &str, value: Option<Value>) -> Result<(), String> {
    let Some((section, rest)) = name.split_once('.') else {
        match value {
            Some(value) => map.insert(name.to_owned(), value),
            None => map.remove(name),
        };
        return Ok(());
    };
    if value.is_none() && !map.contains_key(section) {
        return Ok(());
    }
    let inner = map.entry(section).or_insert_with(|| Value::Object(Map::new()));
    match inner {
        Value::Object(inner) => put(inner, rest, value),
        _ => Err(format!("{section} must be an object")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn world() -> (tempfile::TempDir, ParentEnv) {
        let dir = tempfile::tempdir().unwrap();
        let env = [("HOME", dir.path().to_str().unwrap())].into_iter().collect();
        (dir, env)
    }

    // CFG-01, CFG-11
    #[test]
    fn one_value_changes_and_the_rest_of_the_file_stays() {
        use std::os::unix::fs::MetadataExt;
        let (dir, env) = world();
        let write = |name: &str, text: &str| set(name, text, Layer::Global, &env, dir.path());
        let path = write("webSearch.exaApiKey", "$MY_KEY").unwrap();
        assert!(path.ends_with(".pi/config/pi-agent-browser-native/config.json"));
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
        std::fs::write(&path, r#"{"future": [1], "webSearch": {"exaApiKey": "$MY_KEY", "x": 2}}"#)
            .unwrap();
        write("webSearch.enabled", "false").unwrap();
        write("view", "false").unwrap();
        write("webSearch.exaApiKey", "").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let wanted = json!({"future": [1], "webSearch": {"x": 2, "enabled": false}, "view": false});
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), wanted);
    }

    #[test]
    fn wrong_keys_values_and_files_change_nothing() {
        let (dir, env) = world();
        let write = |name: &str, text: &str| set(name, text, Layer::Project, &env, dir.path());
        assert!(write("webSearch.apiKey", "x").unwrap_err().contains("webSearch.exaApiKey"));
        assert!(write("view", "maybe").unwrap_err().contains("true or false"));
        let path = write("view", "true").unwrap();
        std::fs::write(&path, "{").unwrap();
        let refused = write("view", "false").unwrap_err();
        assert!(
            refused.contains("is not JSON") && refused.ends_with("it was not changed"),
            "{refused}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{");
    }
}
