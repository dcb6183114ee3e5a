//! Some sites turn headless browsers away by their name alone: there the launch says what the same
//! browser with a window would say (PLAN-23, DEC-28).

use std::path::PathBuf;

use url::Url;

use super::run::Run;
use crate::setup::find_browser;

const HOSTS: [&str; 3] = ["chat.com", "chatgpt.com", "chat.openai.com"];
/// Flags with which the caller chose the browser's name or another browser (PLAN-24).
const CHOSEN: [&str; 7] =
    ["--user-agent", "--headed", "--cdp", "--auto-connect", "--provider", "--device", "--engine"];

/// Flags for the launching call of a managed session.
pub(super) async fn tokens(run: &Run<'_>) -> Vec<String> {
    let opens = run.request.steps.first().filter(|step| step.argv.is_open_like());
    let wanted = opens.is_some_and(|step| step.argv.urls().iter().any(|url| is_listed(url.value)));
    if !wanted || is_chosen(run) {
        return Vec::new();
    }
    let named = run.request.argv.global("--executable-path");
    let named = named.and_then(|global| global.value.as_deref()).map(PathBuf::from);
    let browser = find_browser(&run.engine.options.env, named).await;
    let name = browser.and_then(|browser| user_agent(&browser.version));
    name.map(|name| vec!["--user-agent".to_owned(), name]).unwrap_or_default()
}

fn is_listed(address: &str) -> bool {
    let whole = Url::parse(address).ok().filter(Url::has_host);
    let url = whole.or_else(|| Url::parse(&format!("https://{address}")).ok());
    url.is_some_and(|url| url.host_str().is_some_and(|host| HOSTS.contains(&host)))
}

fn is_chosen(run: &Run<'_>) -> bool {
    CHOSEN.iter().any(|flag| run.is_given(flag))
        || run.given("--args").is_some_and(|arguments| arguments.contains("--user-agent"))
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
