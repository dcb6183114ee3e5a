//! What pages call files: `http://127.0.0.1:5173/src/App.jsx?t=1`, `webpack-internal:///./src/App.tsx`,
//! `/home/ann/shop/src/App.tsx`, `src/App.tsx:12:5`.

use url::Url;

/// Endings of files that people write components and requests in.
pub(super) const ENDINGS: [&str; 10] =
    ["ts", "tsx", "js", "jsx", "mts", "cts", "mjs", "cjs", "vue", "svelte"];

/// A file as the page names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its parts, without scheme, host, query and dots.
    pub(super) parts: Vec<String>,
    /// The name began with `/` of a file system.
    pub(super) absolute: bool,
    /// What the page wrote, without query, line and column.
    pub(super) shown: String,
    pub(super) line: Option<u64>,
    pub(super) column: Option<u64>,
}

impl Place {
    /// Reads a name; `line` and `column` win over those in the name.
    pub(super) fn read(raw: &str, line: Option<u64>, column: Option<u64>) -> Option<Self> {
        let raw = raw.trim();
        if raw.is_empty() || raw.len() > 2_000 || raw.contains(['\n', '\0']) {
            return None;
        }
        let (name, own) = without_position(raw);
        let (path, absolute, shown) = match name.split_once("://") {
            Some(("http" | "https", _)) => {
                let url = Url::parse(name).ok()?;
                let shown = format!("{}{}", url.origin().ascii_serialization(), url.path());
                let on_disk = url.path().strip_prefix("/@fs/").map(str::to_owned);
                let absolute = on_disk.is_some();
                (on_disk.unwrap_or_else(|| url.path().to_owned()), absolute, shown)
            }
            Some(("file", rest)) => (rest.to_owned(), true, name.to_owned()),
            Some((_, rest)) => {
                let rest = rest.split(['?', '#']).next().unwrap_or_default();
                (rest.to_owned(), false, name.to_owned())
            }
            None => (name.to_owned(), name.starts_with('/'), name.to_owned()),
        };
        let parts = parts_of(&path)?;
        let [own_line, own_column] = own;
        let line = line.or(own_line).filter(|line| *line > 0);
        let column = column.or(own_column).filter(|column| *column > 0);
        Some(Self { parts, absolute, shown, line, column: column.filter(|_| line.is_some()) })
    }

    /// The name ends like a file that people write.
    pub(super) fn is_source(&self) -> bool {
        let ending = self.parts.last().and_then(|name| name.rsplit_once('.'));
        ending.is_some_and(|(_, ending)| ENDINGS.contains(&ending))
    }
}

/// `src/App.tsx:12:5` → `src/App.tsx`, 12, 5.
fn without_position(raw: &str) -> (&str, [Option<u64>; 2]) {
    let number = |text: &str| {
        let digits =
            !text.is_empty() && text.len() < 10 && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse::<u64>().ok()).flatten()
    };
    let Some((rest, last)) = raw.rsplit_once(':') else { return (raw, [None, None]) };
    let Some(last) = number(last) else { return (raw, [None, None]) };
    // `http://localhost:5173` ends with a port, not with a line.
    if !rest.contains('.') || rest.ends_with('/') {
        return (raw, [None, None]);
    }
    match rest.rsplit_once(':').and_then(|(name, line)| Some((name, number(line)?))) {
        Some((name, line)) if has_ending(name) => (name, [Some(line), Some(last)]),
        _ if has_ending(rest) => (rest, [Some(last), None]),
        _ => (raw, [None, None]),
    }
}

fn has_ending(name: &str) -> bool {
    let path = name.split(['?', '#']).next().unwrap_or_default();
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    !ending.is_empty() && ending.len() <= 6 && ending.chars().all(|c| c.is_ascii_alphanumeric())
}

/// The parts of a path without `.`, bundler prefixes and query; nothing where `..` leads outside.
fn parts_of(path: &str) -> Option<Vec<String>> {
    let path = path.split(['?', '#']).next().unwrap_or_default().replace("%20", " ");
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            // `(app-pages-browser)`, `[project]`, `_N_E` in front are a bundler's, not a directory's.
            name if parts.is_empty() && is_bundler_prefix(name) => {}
            name => parts.push(name.to_owned()),
        }
    }
    (!parts.is_empty()).then_some(parts)
}

fn is_bundler_prefix(name: &str) -> bool {
    (name.starts_with('(') && name.ends_with(')')) || name == "[project]" || name == "_N_E"
}

/// Most file names that are taken from one text.
const MOST_EMBEDDED: usize = 20;

/// File names with a script's ending inside of a text, in the order in which they stand there.
pub(super) fn embedded(html: &str) -> Vec<Place> {
    let is_part = |c: char| c.is_alphanumeric() || "/._-@:$[]()+".contains(c);
    let mut found: Vec<Place> = Vec::new();
    for word in html.split(|c: char| !is_part(c)).filter(|word| word.len() > 3) {
        let word = word.trim_matches(|c: char| ".:()[]".contains(c));
        if !ENDINGS.iter().any(|ending| word.contains(&format!(".{ending}"))) {
            continue;
        }
        let Some(place) = Place::read(word, None, None).filter(Place::is_source) else { continue };
        if !found.contains(&place) {
            found.push(place);
        }
        if found.len() == MOST_EMBEDDED {
            break;
        }
    }
    found
}

/// The place in the first frame of a stack that is not React's own.
pub(super) fn frame(stack: &str) -> Option<Place> {
    let frames = stack.lines().map(str::trim).filter(|line| line.starts_with("at "));
    // The first frame is the function that makes elements; the bottom frame ends the component.
    let own = frames.skip(1).take_while(|line| !line.contains("react_stack_bottom_frame"));
    own.filter(|line| !line.contains("/node_modules/")).find_map(|line| {
        let address = match line.rsplit_once('(') {
            Some((_, inside)) => inside.trim_end_matches(')'),
            None => line.trim_start_matches("at "),
        };
        Place::read(address, None, None).filter(|place| place.line.is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> (String, Option<u64>, Option<u64>) {
        let place = Place::read(raw, None, None).unwrap();
        (place.parts.join("/"), place.line, place.column)
    }

    // IN-SRC-03, SRC-05
    #[test]
    fn every_spelling_of_a_file_is_read() {
        assert_eq!(read("src/App.tsx"), ("src/App.tsx".into(), None, None));
        assert_eq!(read("./src/App.tsx:12:5"), ("src/App.tsx".into(), Some(12), Some(5)));
        assert_eq!(read("src/App.tsx:12"), ("src/App.tsx".into(), Some(12), None));
        assert_eq!(
            read("http://127.0.0.1:5173/src/App.jsx?t=17:4:8"),
            ("src/App.jsx".into(), Some(4), Some(8))
        );
        assert_eq!(read("http://localhost:5173/app.js"), ("app.js".into(), None, None));
        assert_eq!(
            read("webpack-internal:///(app-pages-browser)/./src/App.tsx:3:1"),
            ("src/App.tsx".into(), Some(3), Some(1))
        );
        assert_eq!(read("file:///home/ann/src/a.js"), ("home/ann/src/a.js".into(), None, None));
        let disk = Place::read("http://127.0.0.1/@fs/home/ann/a.ts", None, None).unwrap();
        assert!(disk.absolute);
        assert_eq!(Place::read("../../etc/passwd", None, None), None);
        assert_eq!(Place::read("", None, None), None);
        assert_eq!(Place::read("a.js", Some(7), None).unwrap().line, Some(7));
    }

    // IN-SRC-03, SRC-05
    #[test]
    fn names_of_scripts_inside_of_a_text_are_found_once() {
        let html = r#"<p data-x="src/a.tsx:3">see src/a.tsx:3, lib/b.js and notes.txt</p>"#;
        let found: Vec<String> = embedded(html).iter().map(|p| p.parts.join("/")).collect();
        assert_eq!(found, ["src/a.tsx", "lib/b.js"]);
        assert!(embedded("a.test/ b.jsonp c.html").is_empty());
    }

    #[test]
    fn the_frame_of_a_stack_is_the_one_that_made_the_element() {
        let stack = "Error: react-stack-top-frame\n    at exports.createElement (http://a/react.js:1129:29)\n    at Total (http://a/src/Total.jsx:4:10)\n    at Object.react_stack_bottom_frame (http://a/react.js:3:2)";
        let place = frame(stack).unwrap();
        assert_eq!((place.parts.join("/"), place.line), ("src/Total.jsx".into(), Some(4)));
        let anonymous =
            "Error\n    at x (http://a/react.js:1:1)\n    at http://a/src/main.jsx:2:67";
        assert_eq!(frame(anonymous).unwrap().column, Some(67));
        assert_eq!(frame("Error\n    at x (http://a/react.js:1:1)"), None);
    }
}
