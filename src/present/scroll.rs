//! Scrolls that ours did in the page: what moved, and how far it can go.

use serde_json::{Value, json};

use super::Shown;
use crate::command::{Direction, Edge, ScrollShim, scroll_shim};
use crate::line::Line;
use crate::outcome::Outcome;
use crate::probe::ScrollReport;

pub(super) fn takes(shown: &Shown<'_>) -> bool {
    shown.command() == "scroll" && ScrollReport::from_eval(&shown.answer.data).is_some()
}

pub(super) fn present(shown: &Shown<'_>) -> Outcome {
    let Some((key, report, evidence)) = ScrollReport::from_eval(&shown.answer.data) else {
        return super::generic::present(shown);
    };
    let shim = scroll_shim(&shown.step.argv).ok().flatten();
    let (line, asked) = match &shim {
        Some(ScrollShim::Container { selector, direction, .. }) => {
            let asked = json!({ "selector": selector, "direction": direction.word() });
            (inside(selector, *direction, &report), asked)
        }
        Some(ScrollShim::Page(edge)) => (to_edge(*edge, &report), json!({ "edge": edge.word() })),
        None => (Line::ours("Scrolled."), json!({})),
    };
    let mut seen = asked;
    if let (Some(fields), Value::Object(more)) = (seen.as_object_mut(), evidence) {
        fields.extend(more.clone());
    }
    let data = json!({ "scrolled": report.moved });
    Outcome::success(vec![line]).with_detail("data", data).with_detail(key, seen)
}

fn inside(selector: &str, direction: Direction, report: &ScrollReport) -> Line {
    let sideways = matches!(direction, Direction::Left | Direction::Right);
    let (before, after, max) = if sideways {
        (report.before.x, report.after.x, report.max.x)
    } else {
        (report.before.y, report.after.y, report.max.y)
    };
    let line = Line::ours("Scrolled ").quote(selector);
    let line = if report.matches > 1 {
        line.and(format!(" (the first of {} matches)", report.matches))
    } else {
        line
    };
    let by = (after - before).abs();
    line.and(format!(" {} by {by} px, now at {after} of {max}.", direction.word()))
}

fn to_edge(edge: Edge, report: &ScrollReport) -> Line {
    let place = match edge {
        Edge::End => "end",
        Edge::Top => "top",
    };
    if report.moved {
        let (at, max) = (report.after.y, report.max.y);
        Line::ours(format!("Scrolled to the {place} of the page, now at {at} of {max} px."))
    } else {
        Line::ours(format!("The page was at its {place} already."))
    }
}
