//! Some sites turn headless browsers away by their name alone: there the launch says what the same
//! browser with a window would say (PLAN-23, DEC-28).

use std::path::PathBuf;

use url::Url;

use super::run::Run;
use crate::command::Argv;
use crate::run::ParentEnv;
use crate::setup::find_browser;

const HOSTS: [&str; 3] = ["chat.com", "chatgpt.com", "chat.openai.com"];
/// Flags and variables with which the caller chose the browser's name or another browser (PLAN-24).
const CHOSEN: [(&str, &str); 7] = [
    ("--user-agent", "AGENT_BROWSER_USER_AGENT"),
    ("--headed", "AGENT_BROWSER_HEADED"),
    ("--cdp", "AGENT_BROWSER_CDP"),
    ("--auto-connect", "AGENT_BROWSER_AUTO_CONNECT"),
    ("--provider", "AGENT_BROWSER_PROVIDER"),
    ("--device", "AGENT_BROWSER_IOS_DEVICE"),
    ("--engine", "AGENT_BROWSER_ENGINE"),
];

/// Flags for the launching call of a managed session.
pub(super) async fn tokens(run: &Run<'_>) -> Vec<String> {
    let (argv, env) = (&run.request.argv, &run.engine.options.env);
    let opens = run.request.steps.first().filter(|step| step.argv.is_open_like());
    let wanted = opens.is_some_and(|step| step.argv.urls().iter().any(|url| is_listed(url.value)));
    if !wanted || is_chosen(argv, env) {
        return Vec::new();
    }
    let named = argv.global("--executable-path").and_then(|global| global.value.as_deref());
    let browser = find_browser(env, named.map(PathBuf::from)).await;
    let name = browser.and_then(|browser| user_agent(&browser.version));
    name.map(|name| vec!["--user-agent".to_owned(), name]).unwrap_or_default()
}

fn is_listed(address: &str) -> bool {
    let whole = Url::parse(address).ok().filter(Url::has_host);
    let url = whole.or_else(|| Url::parse(&format!("https://{address}")).ok());
    url.is_some_and(|url| url.host_str().is_some_and(|host| HOSTS.contains(&host)))
}

fn is_chosen(argv: &Argv, env: &ParentEnv) -> bool {
    let by_flag = |flag| argv.global(flag).is_some_and(crate::command::Global::takes_effect);
    let arguments = argv.global("--args").and_then(|global| global.value.as_deref());
    let arguments = arguments.or_else(|| env.text("AGENT_BROWSER_ARGS"));
    CHOSEN.iter().any(|(flag, variable)| by_flag(flag) || env.switch(variable))
        || arguments.is_some_and(|arguments| arguments.contains("--user-agent"))
}

/// The name that a browser of this version gives itself when it has a window.
fn user_agent(version: &str) -> Option<String> {
    let number =
        version.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let major: u32 = number.split('.').next()?.parse().ok()?;
    let system = if cfg!(target_os = "macos") {
        "Macintosh; Intel Mac OS X 10_15_7"
    } else {
        "X11; Linux x86_64"
    };
    Some(format!(
        "Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.0.0 Safari/537.36"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    // PLAN-23, DEC-28
    #[test]
    fn the_name_is_that_of_the_installed_browser_without_headless() {
        let name = user_agent("Chromium 156.0.7100.2 built on Debian").unwrap();
        assert!(name.ends_with("Chrome/156.0.0.0 Safari/537.36") && !name.contains("Headless"));
        assert_eq!(user_agent("install it with snap"), None);
    }

    // PLAN-23
    #[test]
    fn only_the_listed_hosts_get_it() {
        for address in ["https://chatgpt.com/", "chat.com", "chat.openai.com/x"] {
            assert!(is_listed(address), "{address}");
        }
        for address in ["https://openai.com", "https://chatgpt.com.shop.test/", "about:blank", ""] {
            assert!(!is_listed(address), "{address}");
        }
    }
}
