//! Which lines of a big tree are shown.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::Limits;
use super::fold::Copies;
use super::parts::{Part, Parts};
use super::score::{self, GOOD, Use};
use super::tree::Node;

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
    id: u32,
    part: Part,
    usage: Use,
    score: i32,
    copies: Copies,
}

/// Chooses within the limits: kinds that occur once before copies, controls before links before text.
pub(super) fn pick(
    nodes: &[Node<'_>],
    parts: &Parts,
    copies: &[Copies],
    limits: &Limits,
) -> Picked {
    let mut ranked = candidates(nodes, parts, copies);
    ranked.sort_by_key(|candidate| (Reverse(candidate.score), candidate.at));
    let mut main = pick_main(nodes, parts, &ranked, limits);
    let shown: HashSet<usize> = main.iter().copied().collect();
    let mut omitted = pick_omitted(&ranked, &shown, limits.omitted);
    let listed: HashSet<usize> = omitted.iter().copied().collect();
    let frame = ranked.iter().filter(|c| c.part == Part::Frame && !listed.contains(&c.at));
    let mut other: Vec<usize> = frame.map(|c| c.at).take(limits.other_refs).collect();
    main.extend(text_lines(nodes, parts, limits.text_lines));
    main.sort_unstable();
    other.sort_unstable();
    omitted.sort_unstable();
    Picked { main, other, omitted }
}

/// Heading, controls, links. Controls that find no place are listed as omitted; links have no such
/// list, so some places are theirs.
fn pick_main(
    nodes: &[Node<'_>],
    parts: &Parts,
    ranked: &[Candidate],
    limits: &Limits,
) -> Vec<usize> {
    let places = limits.key_refs;
    let heading = parts.heading.filter(|at| nodes.get(*at).is_some_and(|node| node.id.is_some()));
    let mut main: Vec<usize> = heading.into_iter().take(places).collect();
    let in_main = || ranked.iter().filter(|c| c.part == Part::Main && Some(c.at) != heading);
    let links = pick_links(in_main().filter(|c| c.usage == Use::Link), places);
    let controls = in_main().filter(|c| c.usage == Use::Control && c.score >= GOOD);
    let for_links = links.len().min(places * 3 / 8);
    let free = places.saturating_sub(main.len() + for_links);
    main.extend(controls.take(free).map(|c| c.at));
    let free = places.saturating_sub(main.len());
    main.extend(links.into_iter().take(free));
    let taken: HashSet<usize> = main.iter().copied().collect();
    let free = places.saturating_sub(main.len());
    main.extend(in_main().map(|c| c.at).filter(|at| !taken.contains(at)).take(free));
    main
}

/// Links worth a line, best first. Upstream numbers a fresh page level by level, so among equals a
/// lower number is nearer to the root: a chapter before its sections. What the page has most of, the
/// entry of a list or a table, is represented once at the second place.
fn pick_links<'a>(links: impl Iterator<Item = &'a Candidate>, places: usize) -> Vec<usize> {
    const OFTEN: u32 = 5;
    let mut links: Vec<&Candidate> = links.filter(|c| c.score >= GOOD).collect();
    let often = |c: &&&Candidate| c.copies.total >= OFTEN;
    let entry = links.iter().filter(often).max_by_key(|c| (c.copies.total, Reverse(c.at)));
    let entry = entry.map(|c| c.at);
    links.sort_by_key(|c| (Reverse(c.score), c.id));
    let mut picked: Vec<usize> =
        links.iter().map(|c| c.at).filter(|at| Some(*at) != entry).take(places).collect();
    if let Some(at) = entry {
        picked.insert(picked.len().min(1), at);
    }
    picked
}

/// Controls that are not shown: the main content and the frame take turns as long as both have good
/// ones, so that neither hides the other.
fn pick_omitted(ranked: &[Candidate], shown: &HashSet<usize>, limit: usize) -> Vec<usize> {
    let left = |c: &&Candidate| c.usage == Use::Control && !shown.contains(&c.at);
    let good = |part: Part| {
        let of_part = move |c: &&Candidate| c.part == part && c.score >= GOOD;
        ranked.iter().filter(left).filter(of_part).map(|c| c.at)
    };
    let (mut main, mut frame) = (good(Part::Main), good(Part::Frame));
    let mut picked = Vec::with_capacity(limit);
    loop {
        let before = picked.len();
        picked.extend(main.next());
        picked.extend(frame.next());
        if picked.len() == before || picked.len() >= limit {
            break;
        }
    }
    picked.truncate(limit);
    let taken: HashSet<usize> = picked.iter().copied().collect();
    let free = limit.saturating_sub(picked.len());
    let rest = ranked.iter().filter(left).map(|c| c.at).filter(|at| !taken.contains(at));
    picked.extend(rest.take(free));
    picked
}

/// The first words of the main content, which only the full tree has.
fn text_lines(nodes: &[Node<'_>], parts: &Parts, limit: usize) -> Vec<usize> {
    const LONG: usize = 30;
    let is_text = |node: &Node<'_>| node.id.is_none() && node.name.trim().len() >= LONG;
    let in_main = parts.of.iter().enumerate().filter(|(_, part)| **part == Part::Main);
    let text = in_main.map(|(at, _)| at).filter(|at| nodes.get(*at).is_some_and(is_text));
    text.take(limit).collect()
}

fn candidates(nodes: &[Node<'_>], parts: &Parts, copies: &[Copies]) -> Vec<Candidate> {
    let mut candidates = Vec::with_capacity(nodes.len());
    let mut behind_field = false;
    for (at, node) in nodes.iter().enumerate() {
        let (Some(id), Some(part), Some(copies)) = (node.id, parts.of.get(at), copies.get(at))
        else {
            continue;
        };
        let (usage, base) = score::base(node);
        if usage != Use::Control && repeats_in_child(nodes, at) {
            continue;
        }
        let own = base + score::label(node, usage) + score::copies(*copies);
        let score = own + place(nodes, at, behind_field);
        candidates.push(Candidate { at, id, part: *part, usage, score, copies: *copies });
        if usage == Use::Control && node.role != "option" {
            behind_field = score::is_field(node.role);
        }
    }
    candidates
}

/// What the neighbours tell. The first button behind a field sends the form; the first link of a page
/// is its logo or skips the menu; a link that is a whole heading leads to where it stands.
fn place(nodes: &[Node<'_>], at: usize, behind_field: bool) -> i32 {
    let role = |at: usize| nodes.get(at).map_or("", |node| node.role);
    match role(at) {
        "button" if behind_field => 8,
        "link" if at == 0 => -5,
        "link" if at.checked_sub(1).is_some_and(|before| role(before) == "heading") => {
            let (heading, link) = (nodes.get(at - 1), nodes.get(at));
            let inside = heading.zip(link).is_some_and(|(h, l)| l.depth > h.depth);
            if inside { -5 } else { 0 }
        }
        _ => 0,
    }
}

/// A cell around a link of the same name says nothing of its own.
fn repeats_in_child(nodes: &[Node<'_>], at: usize) -> bool {
    let (Some(node), Some(child)) = (nodes.get(at), nodes.get(at + 1)) else { return false };
    child.depth > node.depth && child.id.is_some() && child.name.trim() == node.name.trim()
}
