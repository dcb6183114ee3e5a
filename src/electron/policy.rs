//! The caller's own lists of apps that may and may not be started (ELEC-19, GUARD-07).

use super::App;

/// Why a launch is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// `allow` or `deny`.
    pub list: &'static str,
    /// The entry that matched; none where nothing of `allow` did.
    pub entry: Option<String>,
}

/// `deny` wins; a set `allow` must match; without lists everything is allowed.
#[must_use]
pub fn judge(app: &App, allow: &[String], deny: &[String]) -> Option<Blocked> {
    let names: Vec<String> = app.names().iter().map(|name| name.to_lowercase()).collect();
    let matches = |entry: &&String| {
        let entry = entry.trim().to_lowercase();
        names.iter().any(|name| name.contains(&entry))
    };
    if let Some(entry) = deny.iter().find(matches) {
        return Some(Blocked { list: "deny", entry: Some(entry.clone()) });
    }
    let refused = !allow.is_empty() && !allow.iter().any(|entry| matches(&entry));
    refused.then_some(Blocked { list: "allow", entry: None })
}

#[cfg(test)]
mod tests {
    use super::super::Platform;
    use super::*;

    fn app() -> App {
        App {
            platform: Platform::Linux,
            name: "Visual Studio Code".into(),
            bundle_id: Some("com.microsoft.VSCode".into()),
            desktop_id: Some("code".into()),
            app_path: "/usr/share/code".into(),
            executable: "/usr/share/code/code-bin".into(),
            icon: None,
            package_source: "directory",
        }
    }

    fn judged(allow: &[&str], deny: &[&str]) -> Option<Blocked> {
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        judge(&app(), &own(allow), &own(deny))
    }

    // IN-ELEC-09, ELEC-19
    #[test]
    fn entries_match_names_ids_and_paths_by_substring() {
        assert_eq!(judged(&[], &[]), None);
        for entry in ["studio", "com.microsoft", "code", "/usr/share/code", "code-bin"] {
            assert_eq!(judged(&[entry], &[]), None, "{entry}");
            let denied = Some(Blocked { list: "deny", entry: Some(entry.into()) });
            assert_eq!(judged(&[], &[entry]), denied, "{entry}");
        }
        assert_eq!(judged(&["signal"], &[]), Some(Blocked { list: "allow", entry: None }));
        // deny wins
        let denied = Some(Blocked { list: "deny", entry: Some("Code".into()) });
        assert_eq!(judged(&["code"], &["slack", "Code"]), denied);
    }
}
