//! Settings: files, trust, and what the program says about them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use agent_browser_native::config::keys::ProviderId;
use agent_browser_native::config::layer::Layer;
use agent_browser_native::config::{Config, Origin, Trust};
use serde_json::{Value, json};

use crate::support::engine::TestEngine;
use crate::support::env::TestEnv;

const BELOW: &str = ".pi/config/pi-agent-browser-native/config.json";
const ALL: Trust = Trust { project: true, commands: true };

/// Writes the config file of a directory of the test.
pub fn write(env: &TestEnv, directory: &str, config: &Value) -> PathBuf {
    let path = env.path(directory).join(BELOW);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, config.to_string()).unwrap();
    path
}

fn load(env: &TestEnv, trust: Trust) -> Config {
    Config::load(&env.parent(), &env.path("work"), trust)
}

/// Runs the `config` subcommand in the test's directory.
fn config(env: &TestEnv, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-browser-native"));
    command.arg("config").args(words).current_dir(env.path("work"));
    command.env_clear().envs(env.vars()).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8([output.stdout.as_slice(), &output.stderr].concat()).unwrap()
}

// CFG-01, CFG-02, CFG-09, PI-50, PI-54
#[test]
fn later_files_win_and_values_remember_their_file() {
    let mut env = TestEnv::without_upstream();
    let profile = |name: &str| json!({ "browser": { "defaultProfile": name } });
    write(
        &env,
        "home",
        &json!({ "browser": { "defaultProfile": "Global", "executablePath": "/opt/c" } }),
    );
    let at =
        |config: &Config, key: &str| config.value(key).map(|(value, layer)| (value.clone(), layer));
    let key = "browser.defaultProfile";
    assert_eq!(at(&load(&env, ALL), key), Some((json!("Global"), Layer::Global)));
    write(&env, "work", &profile("Project"));
    assert_eq!(at(&load(&env, ALL), key), Some((json!("Project"), Layer::Project)));
    let other = write(&env, "data", &profile("Override"));
    env.set("PI_AGENT_BROWSER_CONFIG", other.to_str().unwrap());
    let loaded = load(&env, ALL);
    assert_eq!(at(&loaded, key), Some((json!("Override"), Layer::Override)));
    assert_eq!(at(&loaded, "browser.executablePath"), Some((json!("/opt/c"), Layer::Global)));
    let guidance = loaded.guidance().join("\n");
    assert!(guidance.contains("--profile \"Override\" (override config)"), "{guidance}");
    assert!(guidance.contains("--executable-path \"/opt/c\" (global config)"), "{guidance}");
}

// CFG-03, DEC-84, PI-51
#[test]
fn a_project_file_is_read_only_where_somebody_vouches_for_it() {
    let env = TestEnv::without_upstream();
    write(&env, "home", &json!({ "webSearch": { "exaApiKey": "global-key" } }));
    write(&env, "work", &json!({ "webSearch": { "enabled": false } }));
    let parent = env.parent();
    let trusts = |trust: Trust| !load(&env, trust).search_enabled();
    assert!(!trusts(Trust::by_user(&parent, false)));
    assert!(trusts(Trust::by_user(&parent, true)));
    assert!(!trusts(Trust::by_host(&parent, false)));
    assert!(trusts(Trust::by_host(&parent, true)));
    let vouched = parent.and("AGENT_BROWSER_NATIVE_TRUST_PROJECT", "1");
    assert!(trusts(Trust::by_user(&vouched, false)));
    // The host's word stands.
    assert!(!trusts(Trust::by_host(&vouched, false)));
}

// DEC-107
#[test]
fn commands_of_a_project_file_need_the_users_own_word() {
    let env = TestEnv::without_upstream().with("BRAVE_API_KEY", "fallback");
    write(
        &env,
        "work",
        &json!({ "webSearch": { "exaApiKey": "!touch ran; echo k", "braveApiKey": "!echo b" } }),
    );
    let parent = env.parent();
    let in_pi = load(&env, Trust::by_host(&parent, true));
    assert_eq!(in_pi.credential(ProviderId::Exa, &parent), None);
    assert_eq!(in_pi.credential(ProviderId::Brave, &parent).unwrap().origin, Origin::Variable);
    assert_eq!(in_pi.left_out(), ["webSearch.exaApiKey", "webSearch.braveApiKey"]);
    let status = in_pi.status_text(&parent);
    assert!(
        status.as_str().contains("Left out: webSearch.exaApiKey of the project file is a command"),
        "{status}"
    );
    assert!(!status.as_str().contains("touch"), "{status}");
    let vouched = parent.clone().and("AGENT_BROWSER_NATIVE_TRUST_PROJECT", "1");
    let own_word = load(&env, Trust::by_host(&vouched, true));
    let credential = own_word.credential(ProviderId::Exa, &vouched).unwrap();
    assert_eq!(credential.origin, Origin::File(Layer::Project));
    assert!(own_word.left_out().is_empty());
    assert!(!env.path("work/ran").exists());
}

// CFG-06, CFG-05
#[test]
fn variables_of_providers_are_asked_only_where_no_file_names_a_key() {
    let env = TestEnv::without_upstream().with("EXA_API_KEY", "from-variable");
    let parent = env.parent();
    let origin = || load(&env, ALL).credential(ProviderId::Exa, &parent).unwrap();
    assert_eq!(origin().origin, Origin::Variable);
    write(&env, "home", &json!({ "webSearch": { "exaApiKey": "$NOT_SET" } }));
    let from_file = origin();
    assert_eq!(from_file.origin, Origin::File(Layer::Global));
    // A file that names a key without one does not fall back either.
    assert_eq!(from_file.source.text(&parent), None);
    assert!(load(&env, ALL).providers(&parent).is_empty());
}

// CFG-10
#[test]
fn the_hosts_settings_file_is_not_asked() {
    let env = TestEnv::without_upstream();
    let settings = json!({ "webSearch": { "exaApiKey": "k" }, "exaApiKey": "k" }).to_string();
    for place in
        ["home/.pi/settings.json", "home/.pi/agent/settings.json", "work/.pi/settings.json"]
    {
        let path = env.path(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &settings).unwrap();
    }
    assert!(!load(&env, ALL).offers_search(&env.parent()));
    write(&env, "home", &json!({ "webSearch": { "exaApiKey": "k" } }));
    assert!(load(&env, ALL).offers_search(&env.parent()), "where it is asked, the key counts");
}

// CFG-08, DOC-NG-06
#[tokio::test]
async fn browser_defaults_advise_and_never_change_a_call() {
    let env = TestEnv::new();
    let advice =
        json!({ "browser": { "defaultProfile": "Work", "executablePath": "/opt/chrome" } });
    write(&env, "home", &advice);
    let engine = TestEngine::new(env);
    engine.call(&["open", "https://example.com"]).await;
    let sent = serde_json::to_string(&engine.env.log()).unwrap();
    assert!(sent.contains("example.com"));
    assert!(!sent.contains("--profile") && !sent.contains("/opt/chrome"), "{sent}");
    let tools = engine.engine.tools();
    assert!(tools[0].description.contains("--profile \"Work\""), "{}", tools[0].description);
    assert!(tools[0].description.chars().count() <= 2_000);
}

// DEC-70
#[test]
fn the_page_view_can_be_switched_off() {
    let env = TestEnv::without_upstream();
    assert!(load(&env, ALL).view());
    write(&env, "home", &json!({ "view": false }));
    assert!(!load(&env, ALL).view());
}

// CFG-11, CFG-07, DEC-108, PI-57, RED-21
#[test]
fn status_tells_everything_but_the_secrets() {
    let env = TestEnv::without_upstream().with("MY_BRAVE", "br4v3-s3cr3t");
    write(
        &env,
        "home",
        &json!({ "webSearch": { "exaApiKey": "l1t3ral-k3y", "braveApiKey": "x-${MY_BRAVE}", "preferredProvider": "brave" } }),
    );
    let text = said(&config(&env, &["show"]));
    for part in [
        "webSearch.exaApiKey          from the global config: set",
        "webSearch.braveApiKey        from global config: set by a variable",
        "webSearch.preferredProvider  brave (global)",
        "Web search: offered, with Brave Search",
        "not read, the project is not trusted",
        "PI_AGENT_BROWSER_CONFIG is not set",
        "other users can read it",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let json = said(&config(&env, &["show", "--json"]));
    let status: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(status["webSearch"], json!({ "offered": true, "provider": "brave" }));
    assert_eq!(status["providers"][0]["form"], "literal");
    assert_eq!(status["providers"][1]["form"], "environment");
    for all in [&text, &json] {
        assert!(!all.contains("l1t3ral") && !all.contains("br4v3"), "{all}");
    }
}

// CFG-01, CFG-11, DEC-108
#[test]
fn files_are_named_checked_and_written() {
    let mut env = TestEnv::without_upstream();
    let set = config(&env, &["set", "webSearch.exaApiKey", "$KEY"]);
    assert!(set.status.success() && said(&set).starts_with("Wrote "), "{}", said(&set));
    assert_eq!(config(&env, &["check"]).status.code(), Some(0));
    let project = config(&env, &["set", "view", "false", "--project"]);
    assert!(said(&project).contains("work/.pi/config/"), "{}", said(&project));
    let unread = "Outside of pi it is read only with --trust-project or AGENT_BROWSER_NATIVE_TRUST_PROJECT=1.";
    assert!(said(&project).contains(unread) && !said(&set).contains(unread), "{}", said(&project));
    let paths = config(&env, &["paths", "--json"]);
    let paths: Value = serde_json::from_str(&said(&paths)).unwrap();
    let states: Vec<&str> =
        paths.as_array().unwrap().iter().map(|file| file["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["loaded", "not-trusted", "not-named"]);
    assert!(paths[0]["path"].as_str().unwrap().ends_with(BELOW));
    let wrong = config(&env, &["set", "webSearch.key", "x"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said(&wrong).contains("webSearch.exaApiKey"));
    fs::write(env.path("home").join(BELOW), r#"{"webSearch": {"enabled": "s3cr3t", "nope": 1}}"#)
        .unwrap();
    let check = config(&env, &["check"]);
    let text = said(&check);
    assert_eq!(check.status.code(), Some(1));
    assert!(text.contains("webSearch.enabled must be true or false"), "{text}");
    assert!(text.contains("\"webSearch.nope\" is not a key") && !text.contains("s3cr3t"), "{text}");
    env.set("PI_AGENT_BROWSER_CONFIG", "/nowhere/config.json");
    assert!(
        said(&config(&env, &["check"])).contains("/nowhere/config.json: the file does not exist")
    );
}
