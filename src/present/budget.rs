//! Bounds: redacted text is cut at the end of a line where that wastes little, else between characters.

use std::fmt;

use crate::redact::SafeText;

/// What a cut left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutNote {
    /// Lines that are missing or incomplete.
    pub lines: usize,
    /// Bytes left out.
    pub bytes: usize,
}

impl fmt::Display for CutNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.lines == 1 { "" } else { "s" };
        write!(formatter, "{} more line{plural} ({} bytes) left out", self.lines, self.bytes)
    }
}

/// At most `max_bytes` of `text`, and what was left out.
///
/// ```
/// use agent_browser_native::present::budget::{CutNote, cut};
/// use agent_browser_native::redact::SafeText;
/// let (kept, note) = cut(SafeText::fixed("first\nsecond\nthird"), 14);
/// assert_eq!(kept.as_str(), "first\nsecond");
/// assert_eq!(note, Some(CutNote { lines: 1, bytes: 6 }));
/// ```
#[must_use]
pub fn cut(text: SafeText, max_bytes: usize) -> (SafeText, Option<CutNote>) {
    if text.len() <= max_bytes {
        return (text, None);
    }
    let head = text.cut_bytes(max_bytes);
    let ends_line = text.as_str().as_bytes().get(head.len()) == Some(&b'\n');
    let line_end = if ends_line { Some(head.len()) } else { head.as_str().rfind('\n') };
    let kept = match line_end {
        // A very long last line is worth more in part than not at all.
        Some(end) if end >= max_bytes / 2 => head.cut_bytes(end),
        _ => head,
    };
    let rest = text.as_str().as_bytes().get(kept.len()..).unwrap_or_default();
    let breaks = rest.iter().filter(|byte| **byte == b'\n').count();
    let mid_line = rest.first() != Some(&b'\n');
    let note = CutNote { lines: breaks + usize::from(mid_line), bytes: rest.len() };
    (kept, Some(note))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::redact::Redactor;
    use proptest::prelude::*;

    // DEC-104
    #[test]
    fn short_text_is_not_touched() {
        let text = SafeText::fixed("one\ntwo");
        assert_eq!(cut(text.clone(), 7), (text, None));
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let text = Redactor::new([]).safe_text(&"ä".repeat(100));
        let (kept, note) = cut(text, 51);
        assert_eq!(kept.len(), 50);
        assert_eq!(note.unwrap(), CutNote { lines: 1, bytes: 150 });
        assert_eq!(note.unwrap().to_string(), "1 more line (150 bytes) left out");
    }

    proptest! {
        #[test]
        fn cuts_are_bounded_and_add_up(text in "[a-zäß€\n]{0,200}", max in 0_usize..300) {
            let safe = Redactor::new([]).safe_text(&text);
            let whole = safe.clone();
            let (kept, note) = cut(safe, max);
            prop_assert!(kept.len() <= max);
            prop_assert!(whole.as_str().starts_with(kept.as_str()));
            prop_assert_eq!(kept.len() + note.map_or(0, |note| note.bytes), whole.len());
        }
    }
}
