//! Selectors of other tools, which upstream takes for CSS.

/// Engines of other tools, written in front of a selector. Upstream knows only `xpath=` and `ref=`.
const ENGINES: [&str; 10] = [
    "text=",
    "role=",
    "css=",
    "id=",
    "name=",
    "title=",
    "label=",
    "placeholder=",
    "testid=",
    "data-testid=",
];
/// What no selector of a browser holds outside of a quoted value.
const INSIDE: [&str; 7] =
    [":has-text(", ":contains(", ":text(", ":text-is(", ":text-matches(", ":visible", ">>"];

/// True for a selector that cannot be CSS, `xpath=…` or a ref.
///
/// ```
/// use agent_browser_native::command::is_foreign_selector;
/// assert!(is_foreign_selector("text=Save"));
/// assert!(is_foreign_selector("button:has-text('Save')"));
/// assert!(!is_foreign_selector("[title=\"a >> b\"] > a"));
/// assert!(!is_foreign_selector("xpath=//a[contains(., '>>')]"));
/// ```
#[must_use]
pub fn is_foreign_selector(selector: &str) -> bool {
    let selector = selector.trim_start();
    if selector.starts_with("xpath=") {
        return false;
    }
    let bare = unquoted(selector);
    selector.starts_with("//")
        || ENGINES.iter().any(|engine| selector.starts_with(engine))
        || INSIDE.iter().any(|mark| bare.contains(mark))
}

/// The selector without its quoted values and escaped characters: what stands there is the page's.
fn unquoted(selector: &str) -> String {
    let mut bare = String::with_capacity(selector.len());
    let mut quote = None;
    let mut characters = selector.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            // The next one is no sign of the selector's own. A mark keeps its neighbours apart.
            ('\\', _) => {
                characters.next();
                bare.push('_');
            }
            (_, Some(open)) if character == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(character),
            (_, None) => bare.push(character),
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    // DIAG-HINT-01
    #[test]
    fn only_what_no_browser_takes_is_foreign() {
        for foreign in [
            "text=Save",
            " role=button",
            "css=.a",
            "id=pay",
            "data-testid=pay",
            "//button",
            "a:contains(\"x\")",
            "div:has-text('x') a",
            ":text(\"x\")",
            "button:visible",
            "#a >> b",
            "#a>>b",
            "[title=\"x\"] >> nth=0",
        ] {
            assert!(is_foreign_selector(foreign), "{foreign}");
        }
        for own in [
            "#a",
            "@e5",
            "ref=e5",
            "xpath=//a[text()=':has-text(']",
            "a > b",
            "a:focus-visible",
            "[href='//cdn.test/x']",
            "[data-x=\":contains(\"]",
            "[title='it\\'s >> more']",
            "[data-text=x]",
            ".a\\:visible",
            ".sm\\>\\>",
            "text",
            "",
        ] {
            assert!(!is_foreign_selector(own), "{own}");
        }
    }
}
