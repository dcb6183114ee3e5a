//! Which lines of a big tree are worth their bytes.

use std::cmp::Reverse;

use super::Limits;
use super::fold::Copies;
use super::parts::{Part, Parts};
use super::tree::Node;

/// What a reader can do with an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Type into it, choose in it, press it: listed among the omitted controls when not shown.
    Control,
    /// Follow it, or click something that is no proper control.
    Link,
    /// Read it.
    Text,
}

/// The chosen nodes by index, each list in the order of the page.
#[derive(Debug, Default)]
pub(super) struct Picked {
    /// Lines of the main content.
    pub main: Vec<usize>,
    /// Lines of the frame of the page.
    pub other: Vec<usize>,
    /// Controls that are named without being part of the view.
    pub omitted: Vec<usize>,
}

struct Candidate {
    at: usize,
    part: Part,
    usage: Use,
    score: i32,
}

/// Chooses within the limits: kinds that occur once before copies, controls before links before text.
pub(super) fn pick(
    nodes: &[Node<'_>],
    parts: &Parts,
    copies: &[Copies],
    limits: &Limits,
) -> Picked {
    let mut candidates = candidates(nodes, parts, copies);
    candidates.sort_by_key(|candidate| (Reverse(candidate.score), candidate.at));
    let heading = parts.heading.filter(|at| nodes.get(*at).is_some_and(|node| node.id.is_some()));

    let mut main: Vec<usize> = heading.into_iter().take(limits.key_refs).collect();
    let in_main: Vec<&Candidate> =
        candidates.iter().filter(|c| c.part == Part::Main && Some(c.at) != heading).collect();
    fill_main(&mut main, &in_main, limits.key_refs);

    let left = |c: &&Candidate| !main.contains(&c.at);
    let controls = candidates.iter().filter(left).filter(|c| c.usage == Use::Control);
    let mut omitted: Vec<usize> = controls.map(|c| c.at).take(limits.omitted).collect();
    let frame = candidates.iter().filter(|c| c.part == Part::Frame && !omitted.contains(&c.at));
    let mut other: Vec<usize> = frame.map(|c| c.at).take(limits.other_refs).collect();
    main.sort_unstable();
    other.sort_unstable();
    omitted.sort_unstable();
    Picked { main, other, omitted }
}

/// Controls that do not fit are listed as omitted; links have no such list, so some places are theirs.
fn fill_main(main: &mut Vec<usize>, ranked: &[&Candidate], places: usize) {
    let links = ranked.iter().filter(|c| c.usage == Use::Link).count();
    let for_links = links.min(places * 3 / 8);
    let controls = ranked.iter().filter(|c| c.usage == Use::Control);
    let free = places.saturating_sub(main.len() + for_links);
    main.extend(controls.take(free).map(|c| c.at));
    let links = ranked.iter().filter(|c| c.usage == Use::Link);
    let free = places.saturating_sub(main.len());
    main.extend(links.take(free).map(|c| c.at));
    for candidate in ranked {
        if main.len() >= places {
            break;
        }
        if !main.contains(&candidate.at) {
            main.push(candidate.at);
        }
    }
}

fn candidates(nodes: &[Node<'_>], parts: &Parts, copies: &[Copies]) -> Vec<Candidate> {
    let mut candidates = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let (Some(part), Some(copies)) = (parts.of.get(at), copies.get(at)) else { continue };
        let (usage, base) = worth(node);
        if node.id.is_none() || (usage != Use::Control && repeats_in_child(nodes, at)) {
            continue;
        }
        let score = base + label_score(node, usage) + copy_score(*copies);
        candidates.push(Candidate { at, part: *part, usage, score });
    }
    candidates
}

/// The kind of an element and its worth before anything else is known.
fn worth(node: &Node<'_>) -> (Use, i32) {
    match node.role {
        "searchbox" => (Use::Control, 100),
        "textbox" | "combobox" | "spinbutton" | "listbox" => (Use::Control, 90),
        "checkbox" | "radio" | "switch" | "slider" | "button" => (Use::Control, 80),
        "menuitem" | "menuitemcheckbox" | "menuitemradio" | "tab" => (Use::Control, 75),
        "option" => (Use::Control, 20),
        "link" => (Use::Link, 60),
        "generic" if node.tail().contains("] editable [") => (Use::Control, 90),
        "treeitem" => (Use::Link, 50),
        "heading" => (Use::Text, 25),
        "columnheader" => (Use::Text, 22),
        _ if node.tail().contains("] clickable [") => (Use::Link, 30),
        _ => (Use::Text, 10),
    }
}

/// A cell around a link of the same name says nothing of its own.
fn repeats_in_child(nodes: &[Node<'_>], at: usize) -> bool {
    let (Some(node), Some(child)) = (nodes.get(at), nodes.get(at + 1)) else { return false };
    child.depth > node.depth && child.id.is_some() && child.name.trim() == node.name.trim()
}

fn label_score(node: &Node<'_>, usage: Use) -> i32 {
    let name = node.name.trim();
    let unnamed = match usage {
        Use::Control if node.role != "button" => -15,
        _ => -35,
    };
    let label = if name.is_empty() {
        unnamed
    } else if name.chars().any(char::is_alphabetic) {
        0
    } else {
        -30
    };
    if node.disabled { label - 40 } else { label }
}

fn copy_score(copies: Copies) -> i32 {
    if copies.before > 0 {
        -40 - i32::try_from(copies.before.min(20)).unwrap_or(20)
    } else {
        -2 * i32::try_from(copies.total.ilog2()).unwrap_or(0)
    }
}
