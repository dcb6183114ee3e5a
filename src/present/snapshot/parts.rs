//! Which part of the page an element stands in: the main content or the frame around it.
//!
//! The full tree has landmarks (`main`, `navigation`, `banner` …). The interactive list keeps only
//! those with a name, so there the main content begins at the main heading: what stands before it is
//! frame.

use std::collections::HashSet;

use super::score::{is_control, is_field};
use super::tree::Node;

/// A part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What the page is about.
    Main,
    /// Header, navigation, side bars, footer.
    Frame,
}

/// The page, told apart.
#[derive(Debug)]
pub(super) struct Parts {
    /// The part of every node.
    pub of: Vec<Part>,
    /// The node of the main heading.
    pub heading: Option<usize>,
    /// A landmark or a heading tells the parts apart; otherwise all of the page is main.
    pub told_apart: bool,
}

/// Tells main content and frame apart.
pub(super) fn split(nodes: &[Node<'_>]) -> Parts {
    let landmarks = landmarks(nodes);
    let has_main = landmarks.contains(&Some(Part::Main));
    let heading = main_heading(nodes, &landmarks, has_main);
    if has_main {
        let of = landmarks.iter().map(|part| part.unwrap_or(Part::Frame)).collect();
        return Parts { of, heading, told_apart: true };
    }
    let start = heading.unwrap_or(0);
    let end = content_end(nodes, &landmarks, start);
    let part = |(at, landmark): (usize, &Option<Part>)| match landmark {
        Some(part) => *part,
        None if (start..end).contains(&at) => Part::Main,
        None => Part::Frame,
    };
    let of: Vec<Part> = landmarks.iter().enumerate().map(part).collect();
    let told_apart = heading.is_some() || of.contains(&Part::Frame);
    Parts { of, heading, told_apart }
}

/// Where the footer begins: at the links behind the last landmark of the frame, or at those that only
/// repeat links from before the main content.
fn content_end(nodes: &[Node<'_>], landmarks: &[Option<Part>], start: usize) -> usize {
    let is_link = |node: &Node<'_>| node.role == "link";
    let is_content = |node: &Node<'_>| node.role == "heading" || is_control(node.role);
    let head: HashSet<&str> = nodes
        .iter()
        .take(start)
        .filter(|node| is_link(node))
        .map(|node| node.name.trim())
        .collect();
    let mut end = nodes.len();
    let mut repeated = true;
    for (at, node) in nodes.iter().enumerate().skip(start).rev() {
        let in_frame = landmarks.get(at).copied().flatten() == Some(Part::Frame);
        if is_content(node) && !in_frame {
            break;
        }
        repeated &= !is_link(node) || head.contains(node.name.trim());
        if in_frame || (repeated && is_link(node)) {
            end = at;
        }
    }
    end
}

/// The part that a landmark around each node tells, the innermost one first.
fn landmarks(nodes: &[Node<'_>]) -> Vec<Option<Part>> {
    let mut open: Vec<(usize, Part)> = Vec::new();
    let mut parts = Vec::with_capacity(nodes.len());
    for node in nodes {
        while open.last().is_some_and(|(depth, _)| node.depth <= *depth) {
            open.pop();
        }
        if let Some(part) = landmark(node.role) {
            open.push((node.depth, part));
        }
        parts.push(open.last().map(|(_, part)| *part));
    }
    parts
}

/// A dialog lies over the page, so it is what the page is about for now.
fn landmark(role: &str) -> Option<Part> {
    match role {
        "main" | "dialog" | "alertdialog" => Some(Part::Main),
        "navigation" | "banner" | "contentinfo" | "complementary" => Some(Part::Frame),
        _ => None,
    }
}

/// The first heading of the highest level in the main part. One that is nothing but a link is a logo or
/// an entry of a list, and counts only when there is no other.
fn main_heading(nodes: &[Node<'_>], landmarks: &[Option<Part>], has_main: bool) -> Option<usize> {
    let mut best: Option<(bool, u32, usize)> = None;
    for (at, node) in nodes.iter().enumerate() {
        let part = landmarks.get(at).copied().flatten();
        let in_main = if has_main { part == Some(Part::Main) } else { part != Some(Part::Frame) };
        if node.role != "heading" || node.name.trim().is_empty() || !in_main {
            continue;
        }
        let next = nodes.get(at + 1);
        let is_link = next.is_some_and(|next| {
            next.role == "link" && next.depth > node.depth && next.name == node.name
        });
        let rank = (is_link, node.level.unwrap_or(u32::MAX), at);
        if best.is_none_or(|best| rank < best) {
            best = Some(rank);
        }
    }
    let at = best.map(|(_, _, at)| at)?;
    let at = if has_main { at } else { above_the_fields(nodes, landmarks, at) };
    (has_main || leaves_content(nodes, at)).then_some(at)
}

/// A title that stands below the form, as in a side bar that the page writes last, is not the one of
/// the form: the first heading above most of the fields is.
fn above_the_fields(nodes: &[Node<'_>], landmarks: &[Option<Part>], title: usize) -> usize {
    let fields = |range: &[Node<'_>]| range.iter().filter(|node| is_field(node.role)).count();
    let is_heading = |at: &usize| {
        let heading = nodes.get(*at).is_some_and(|node| {
            node.role == "heading" && !node.name.trim().is_empty() && node.level.is_some()
        });
        heading && landmarks.get(*at).copied().flatten() != Some(Part::Frame)
    };
    let Some(first) = (0..title).find(is_heading) else { return title };
    let (Some(above), Some(below)) = (nodes.get(first..title), nodes.get(title..)) else {
        return title;
    };
    if fields(above) > 2 * fields(below).max(1) { first } else { title }
}

/// A heading near the end (of a cookie notice, of a footer) does not begin the main content.
fn leaves_content(nodes: &[Node<'_>], heading: usize) -> bool {
    let after = nodes.len() - heading;
    after >= 4 || after * 4 >= heading
}
