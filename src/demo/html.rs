//! Text that is safe inside HTML.

use std::fmt::Write;

/// Escapes everything that HTML would understand.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            control if control.is_control() && control != '\n' => {
                // Writing to a string cannot fail.
                let _ = write!(safe, "&#x{:x};", u32::from('\u{fffd}'));
            }
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_page_becomes_markup() {
        assert_eq!(escaped("<b a=\"1\">'&\u{1b}"), "&lt;b a=&quot;1&quot;&gt;&#39;&amp;&#xfffd;");
    }
}
