//! A line that somebody names, held against the file on the disk. What a browser reports is a place
//! in the script that it ran, and a development server has often rewritten that.

use super::source::declaration;

/// What the file says about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It can be the one.
    Fits,
    /// It is not; the component is declared on this line instead.
    Declared(u64, String),
    /// It is not, and nothing better is known.
    Unknown,
}

/// Words of a line that makes an element, in code that a browser can run.
const MAKING: [&str; 5] = ["createElement", "jsx(", "jsxs(", "jsxDEV(", "html`"];

/// Judges `line` of a file. A place in a script that ran must also look like what was running.
pub(super) fn judge(
    text: &str,
    line: Option<u64>,
    was_run: bool,
    component: Option<&str>,
) -> Verdict {
    let Some(line) = line else { return Verdict::Fits };
    let at = usize::try_from(line).unwrap_or(usize::MAX).checked_sub(1);
    let told = at.and_then(|at| text.lines().nth(at));
    let fits = told.is_some_and(|told| {
        let named = component.is_some_and(|name| told.contains(name));
        !was_run || named || MAKING.iter().any(|word| told.contains(word))
    });
    if fits {
        return Verdict::Fits;
    }
    let pattern = component.and_then(declaration);
    let declared =
        pattern.and_then(|pattern| text.lines().zip(1..).find(|(text, _)| pattern.is_match(text)));
    declared.map_or(Verdict::Unknown, |(text, line)| Verdict::Declared(line, text.to_owned()))
}

/// The file has such a line.
pub(super) fn exists(text: &str, line: u64) -> bool {
    line > 0 && u64::try_from(text.lines().count()).is_ok_and(|count| line <= count)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "import { useState } from 'react'\n\n\
        export default function BookingForm({ onSaved }) {\n  return (\n    <button>Save</button>\n  )\n}\n";

    // SRC-01, SRC-03
    #[test]
    fn a_line_of_a_rewritten_script_is_never_taken_for_one_of_the_file() {
        let declared = Verdict::Declared(3, FORM.lines().nth(2).unwrap().to_owned());
        for line in [88, 8, 5, 1] {
            assert_eq!(judge(FORM, Some(line), true, Some("BookingForm")), declared, "{line}");
        }
        assert_eq!(judge(FORM, Some(3), true, Some("BookingForm")), Verdict::Fits);
        assert_eq!(judge(FORM, Some(88), true, Some("Other")), Verdict::Unknown);
        assert_eq!(judge(FORM, Some(88), false, None), Verdict::Unknown);
        assert_eq!(judge(FORM, Some(0), false, None), Verdict::Unknown);
        assert_eq!(judge(FORM, Some(5), false, None), Verdict::Fits);
        assert_eq!(judge(FORM, None, true, None), Verdict::Fits);
        let plain = "const a = 1;\nreturn React.createElement('p');\n";
        assert_eq!(judge(plain, Some(2), true, Some("A")), Verdict::Fits);
        assert!(exists(FORM, 7) && !exists(FORM, 8) && !exists(FORM, 0));
    }
}
