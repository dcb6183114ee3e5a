//! The part of a desktop entry that leads to an app.

/// What a `.desktop` file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    /// The program, as it was written: a path, or a name of `PATH`.
    pub(super) program: String,
    pub(super) icon: Option<String>,
    pub(super) snap: Option<String>,
    pub(super) flatpak: Option<String>,
}

/// Reads the text of an entry; `None` where it is none that a user could start.
pub(super) fn parse(text: &str) -> Option<Entry> {
    let mut entry = Entry::default();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[Desktop Entry]";
            continue;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| inside) else { continue };
        let value = value.trim();
        match key.trim() {
            "Type" if value != "Application" => return None,
            "Hidden" | "NoDisplay" if value == "true" => return None,
            "Name" => value.clone_into(&mut entry.name),
            "Exec" => entry.program = program(value)?,
            "Icon" => entry.icon = Some(value.to_owned()),
            "X-SnapInstanceName" => entry.snap = Some(value.to_owned()),
            "X-Flatpak" => entry.flatpak = Some(value.to_owned()),
            _ => {}
        }
    }
    (!entry.name.is_empty() && !entry.program.is_empty()).then_some(entry)
}

/// The program of `env A=b "/opt/My App/app" --flag %U`.
fn program(exec: &str) -> Option<String> {
    let words = words(exec);
    let mut words = words.into_iter().peekable();
    if words.peek().is_some_and(|word| word == "env" || word.ends_with("/env")) {
        words.next();
    }
    words.find(|word| !word.contains('=') && !word.starts_with('-'))
}

/// Words of an `Exec` value: double quotes group, a backslash escapes inside of them.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' if quoted => word.get_or_insert_default().extend(letters.next()),
            letter if letter.is_whitespace() && !quoted => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    // DEC-86
    #[test]
    fn the_program_is_found_behind_env_and_in_quotes() {
        let entry = |exec: &str| {
            parse(&format!("[Desktop Entry]\nType=Application\nName=N\nExec={exec}\n"))
                .map(|entry| entry.program)
        };
        assert_eq!(
            entry("/opt/Signal/signal-desktop --no-sandbox %U").unwrap(),
            "/opt/Signal/signal-desktop"
        );
        assert_eq!(entry("\"/opt/My App/my app\" %U").unwrap(), "/opt/My App/my app");
        assert_eq!(
            entry("env BAMF_DESKTOP_FILE_HINT=/var/x.desktop /snap/bin/code %F").unwrap(),
            "/snap/bin/code"
        );
        assert_eq!(entry("slack -s").unwrap(), "slack");
        assert_eq!(entry(""), None);
        assert_eq!(entry("\"unclosed").unwrap(), "unclosed");
    }

    // DEC-86
    #[test]
    fn only_the_main_group_of_a_visible_application_counts() {
        let text = "[Desktop Action x]\nName=Wrong\n[Desktop Entry]\nName=Right\nExec=a\nIcon=i\n\
                    [Desktop Action new]\nName=New window\nExec=b\n";
        let entry = parse(text).unwrap();
        assert_eq!((entry.name.as_str(), entry.program.as_str()), ("Right", "a"));
        assert_eq!(entry.icon.as_deref(), Some("i"));
        assert_eq!(parse("[Desktop Entry]\nName=L\nType=Link\nURL=x\nExec=a"), None);
        assert_eq!(parse("[Desktop Entry]\nName=H\nExec=a\nNoDisplay=true"), None);
        assert_eq!(parse("\0\u{fffd}"), None);
    }
}
