#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn parent() -> ParentEnv {
    [
        ("PATH", "/bin"),
        ("MY_TOKEN", "t"),
        ("AGENT_BROWSER_PLUGINS", "[]"),
        ("AGENT_BROWSER_EXECUTABLE_PATH", "/usr/bin/chromium"),
        ("AGENT_BROWSER_COLOR_SCHEME", "dark"),
        ("https_proxy", "http://127.0.0.1:1"),
        ("AGENT_BROWSER_CONFIRM_ACTIONS", "eval"),
        ("AGENT_BROWSER_DEFAULT_TIMEOUT", "90000"),
        ("AGENT_BROWSER_SESSION", "other"),
        ("AGENT_BROWSER_NAMESPACE", "other"),
        ("AGENT_BROWSER_DAEMON", "1"),
        ("AGENT_BROWSER_SOCKET_DIR", "/elsewhere"),
    ]
    .into_iter()
    .collect()
}

fn names(child: &ChildEnv) -> Vec<&str> {
    child.iter().map(|(name, _)| name.to_str().unwrap()).collect()
}

// PLAN-50, PLAN-51, PLAN-52, HAZ-02
#[test]
fn launching_call_carries_everything_but_the_choice_of_session() {
    let child = parent().launching(Path::new("/s"));
    assert_eq!(
        names(&child),
        [
            "AGENT_BROWSER_COLOR_SCHEME",
            "AGENT_BROWSER_CONFIRM_ACTIONS",
            "AGENT_BROWSER_DEFAULT_TIMEOUT",
            "AGENT_BROWSER_EXECUTABLE_PATH",
            "AGENT_BROWSER_PLUGINS",
            "AGENT_BROWSER_SOCKET_DIR",
            "MY_TOKEN",
            "PATH",
            "https_proxy",
        ]
    );
    assert_eq!(child.get("AGENT_BROWSER_DEFAULT_TIMEOUT").unwrap(), "25000");
    assert_eq!(child.get(SOCKET_DIR).unwrap(), "/s");
}

// HAZ-02
#[test]
fn following_call_carries_daemon_options_and_no_launch_option() {
    let child = parent().following(Path::new("/s"));
    assert_eq!(
        names(&child),
        [
            "AGENT_BROWSER_CONFIRM_ACTIONS",
            "AGENT_BROWSER_DEFAULT_TIMEOUT",
            "AGENT_BROWSER_PLUGINS",
            "AGENT_BROWSER_SOCKET_DIR",
            "MY_TOKEN",
            "PATH",
        ]
    );
}

// HAZ-02, PLAN-52
#[test]
fn session_named_by_the_caller_gets_nothing_clamped_or_removed() {
    let child = parent().plain(Path::new("/s"));
    assert_eq!(child.get("AGENT_BROWSER_DEFAULT_TIMEOUT").unwrap(), "90000");
    assert_eq!(child.get("AGENT_BROWSER_SESSION").unwrap(), "other");
    assert_eq!(child.get("AGENT_BROWSER_EXECUTABLE_PATH").unwrap(), "/usr/bin/chromium");
    assert_eq!(child.get("AGENT_BROWSER_DAEMON"), None);
    assert_eq!(child.get(SOCKET_DIR).unwrap(), "/s");
}

// PLAN-52
#[test]
fn only_a_longer_numeric_timeout_is_clamped() {
    for (asked, expected) in
        [("25000", "25000"), ("900", "900"), ("soon", "soon"), ("25001", "25000")]
    {
        let parent: ParentEnv = [(DEFAULT_TIMEOUT, asked)].into_iter().collect();
        assert_eq!(parent.launching(Path::new("/s")).get(DEFAULT_TIMEOUT).unwrap(), expected);
    }
    let unset = ParentEnv::default().launching(Path::new("/s"));
    assert_eq!(unset.get(DEFAULT_TIMEOUT), None);
}

// HAZ-02
#[test]
fn frozen_options_replace_those_of_the_moment() {
    let first = parent();
    let now =
        parent().and("AGENT_BROWSER_CONFIRM_ACTIONS", "click").and("AGENT_BROWSER_DEBUG", "1");
    let child =
        now.following(Path::new("/s")).without(is_daemon_variable).with(&first.daemon_variables());
    assert_eq!(child, first.following(Path::new("/s")));
}

// HAZ-02
#[test]
fn no_variable_is_both_a_launch_and_a_daemon_option() {
    let launch = "ALLOWED_DOMAINS ALLOW_FILE_ACCESS ARGS AUTO_CONNECT CA_CERT CDP CLEAR_CA_CERT \
        COLOR_SCHEME DOWNLOAD_PATH ENABLE ENGINE EXECUTABLE_PATH EXTENSIONS HEADED HIDE_SCROLLBARS \
        IGNORE_HTTPS_ERRORS INIT_SCRIPTS IOS_DEVICE IOS_UDID NO_WEBMCP NO_XVFB OBSCURA_STEALTH \
        PROFILE PROVIDER PROXY PROXY_BYPASS PROXY_PASSWORD PROXY_USERNAME RESTORE RESTORE_CHECK_FN \
        RESTORE_CHECK_TEXT RESTORE_CHECK_URL RESTORE_SAVE SESSION_NAME STATE USER_AGENT WEBGPU";
    let daemon =
        "ACTION_POLICY CONFIRM_ACTIONS DEBUG DEFAULT_TIMEOUT IDLE_TIMEOUT_MS NO_AUTO_DIALOG";
    for (options, is_launch) in [(launch, true), (daemon, false)] {
        for option in options.split(' ') {
            let name = format!("AGENT_BROWSER_{option}");
            assert_eq!(is_launch_variable(&name), is_launch, "{name}");
            assert_eq!(is_daemon_variable(&name), !is_launch, "{name}");
        }
    }
    for kept in
        ["AGENT_BROWSER_PLUGINS", "AGENT_BROWSER_SKILLS_DIR", "AGENT_BROWSER_MAX_OUTPUT", "PATH"]
    {
        assert!(!is_launch_variable(kept) && !is_daemon_variable(kept), "{kept}");
    }
    assert!(is_launch_variable("HTTP_PROXY") && is_launch_variable("http_proxy"));
}

// PLAN-50
#[cfg(unix)]
#[test]
fn variables_that_are_not_unicode_reach_the_child_unchanged() {
    use std::os::unix::ffi::OsStringExt;
    let odd = OsString::from_vec(vec![b'a', 0xff]);
    let parent = ParentEnv::default().and(odd.clone(), odd.clone());
    let child = parent.following(Path::new("/s"));
    assert!(child.iter().any(|(name, value)| name == odd && value == odd));
}

// PLAN-15, PLAN-24
#[test]
fn a_variable_stands_in_for_its_flag_unless_it_asks_for_the_default() {
    use crate::command::flags::flag;
    let given = |name: &str, variable: &str, value: &str| {
        ParentEnv::default().and(variable, value).instead_of(flag(name).unwrap()).is_some()
    };
    assert!(given("--headed", "AGENT_BROWSER_HEADED", "1"));
    assert!(!given("--headed", "AGENT_BROWSER_HEADED", "false"));
    assert!(given("--hide-scrollbars", "AGENT_BROWSER_HIDE_SCROLLBARS", "0"));
    assert!(!given("--hide-scrollbars", "AGENT_BROWSER_HIDE_SCROLLBARS", "true"));
    assert!(given("--profile", "AGENT_BROWSER_PROFILE", "0"));
    assert!(!given("--profile", "AGENT_BROWSER_PROFILE", ""));
    assert!(!given("--json", "AGENT_BROWSER_JSON", "1"));
}
