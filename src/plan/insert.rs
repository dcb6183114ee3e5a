//! A `fill` by selector in the way of a user: the row in front gives the field the focus and selects
//! what it holds, and the command's own row inserts the text. Upstream's `fill` empties the field by
//! script in between, which pages take for an input, and asks the browser more.

use super::Step;
use super::about::fill_text;
use super::rows::Context;
use crate::probe::Aim;

/// The words that insert the text of a `fill`, where the page can be prepared for them.
#[must_use]
pub fn insertion(step: &Step, context: &Context<'_>) -> Option<Vec<String>> {
    let by_selector =
        matches!(context.wants.field(), Some(Aim::Selector(_) | Aim::XPath(_))) && context.inserts;
    // A frame may have been chosen: upstream alone knows the field then.
    let framed = context.refs.is_some_and(|refs| !refs.frames.is_empty());
    // Nothing is inserted for no text, and what is selected stays.
    let text = fill_text(step).filter(|text| by_selector && !framed && !text.is_empty())?;
    Some(vec!["keyboard".to_owned(), "inserttext".to_owned(), text])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse;
    use crate::plan::RowKind;
    use crate::plan::rows::{Wants, single};
    use crate::probe::After;
    use crate::session::refs::RefSnapshot;

    fn step(words: &[&str]) -> Step {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        Step { argv: parse(&words).unwrap(), words }
    }

    fn wants(aim: Aim) -> Wants {
        let after = After { fill: Some("x".into()), aim: Some(aim), ..After::default() };
        Wants { watch: true, after: Some(after), ..Wants::default() }
    }

    // HAZ-19
    #[test]
    fn a_fill_by_selector_inserts_its_text_where_upstreams_own_is_not_needed() {
        let email = || wants(Aim::Selector("#email".into()));
        let free = Context { inserts: true, wants: email(), ..Context::default() };
        let own_row = |step: &Step, context: &Context<'_>| {
            let plan = single(step, context);
            plan.rows.into_iter().find(|row| row.owner.kind == RowKind::Main).unwrap().argv
        };
        let fill = step(&["fill", "#email", "a", "b"]);
        assert_eq!(own_row(&fill, &free), ["keyboard", "inserttext", "a b"]);
        let gated = Context { inserts: false, ..free.clone() };
        assert_eq!(own_row(&fill, &gated), fill.words);
        let framed = RefSnapshot { frames: vec!["1".into()], ..RefSnapshot::default() };
        assert_eq!(own_row(&fill, &Context { refs: Some(&framed), ..free.clone() }), fill.words);
        let nothing = step(&["fill", "#email", ""]);
        assert_eq!(own_row(&nothing, &free), nothing.words);
        let named = Aim::Ref { role: "textbox".into(), name: "Email".into(), index: 0, count: 1 };
        let by_ref = Context { wants: wants(named), ..free.clone() };
        assert_eq!(own_row(&step(&["fill", "@e2", "x"]), &by_ref), ["fill", "@e2", "x"]);
    }
}
