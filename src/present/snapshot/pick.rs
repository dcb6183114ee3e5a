//! Which lines of a big tree are shown.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::Limits;
use super::fold::Copies;
use super::links::LinkPlaces;
use super::parts::{Part, Parts};
use super::score::{self, GOOD, NEEDED, Use};
use super::tree::Node;

/// The chosen nodes by index, in each list the best first.
#[derive(Debug, Default)]
pub(super) struct Picked {
    /// Lines of an open dialog.
    pub front: Vec<usize>,
    /// Lines of the main content.
    pub main: Vec<usize>,
    /// Lines of the frame of the page.
    pub other: Vec<usize>,
    /// Controls that are named without being part of the view.
    pub omitted: Vec<usize>,
    /// Further links, where few controls are left to name.
    pub more: Vec<usize>,
}

impl Picked {
    /// Lines and links in all lists.
    pub(super) fn len(&self) -> usize {
        let lists = [&self.front, &self.main, &self.other, &self.omitted, &self.more];
        lists.into_iter().map(Vec::len).sum()
    }

    /// Leaves out what can be missed first; false when nothing is left.
    pub(super) fn drop_one(&mut self) -> bool {
        let Self { front, main, other, omitted, more } = self;
        let lists = [more, omitted, other, main, front];
        lists.into_iter().any(|list| list.pop().is_some())
    }
}

struct Candidate {
    at: usize,
    id: u32,
    part: Part,
    usage: Use,
    is_field: bool,
    /// What the line is worth by itself.
    score: i32,
    /// Better lines before it, in the order of the page or in the order of refs.
    rank: usize,
    copies: Copies,
}

impl Candidate {
    /// Sorts the best first: a point of worth outweighs a few places in the order.
    fn order(&self) -> (Reverse<i32>, usize) {
        const POINT: i32 = 4;
        const FAR: usize = 60;
        let rank = i32::try_from(self.rank.min(FAR)).unwrap_or(0);
        (Reverse(self.score * POINT - rank), self.at)
    }
}

/// Chooses within the limits: kinds that occur once before copies, controls before links before text.
/// What stands in front is shown beside all that.
pub(super) fn pick(
    nodes: &[Node<'_>],
    parts: &Parts,
    copies: &[Copies],
    front: Vec<usize>,
    limits: &Limits,
) -> Picked {
    let mut ranked = candidates(nodes, parts, copies);
    ranked.retain(|candidate| !front.contains(&candidate.at));
    rank(&mut ranked);
    ranked.sort_unstable_by_key(Candidate::order);
    let mut main = pick_main(nodes, parts, &ranked, limits);
    main.retain(|at| !front.contains(at));
    let shown: HashSet<usize> = main.iter().copied().collect();
    let omitted = pick_omitted(&ranked, &shown, limits.omitted);
    let listed: HashSet<usize> = omitted.iter().copied().collect();
    let frame = ranked.iter().filter(|c| c.part == Part::Frame && c.score >= GOOD);
    let frame = frame.map(|c| c.at).filter(|at| !listed.contains(at));
    let other: Vec<usize> = frame.take(limits.other_refs).collect();
    let shown: HashSet<usize> = main.iter().chain(&other).copied().collect();
    let free = limits.omitted.saturating_sub(omitted.len());
    let more = pick_left(&ranked, Use::Link, &shown, free);
    let text = text_lines(nodes, parts, limits.text_lines);
    main.extend(text.into_iter().filter(|at| !front.contains(at)));
    Picked { front, main, other, omitted, more }
}

/// Finds how near the top of its part each candidate stands, among those of its use. Upstream numbers
/// a fresh page level by level, so a low number is near the root: a chapter before its sections.
fn rank(candidates: &mut [Candidate]) {
    let mut by_id: Vec<usize> = (0..candidates.len()).collect();
    by_id.sort_by_key(|at| candidates.get(*at).map(|c| c.id));
    let by_place: Vec<usize> = (0..candidates.len()).collect();
    for order in [by_place, by_id] {
        let mut seen = [0_usize; 6];
        for at in order {
            let Some(candidate) = candidates.get_mut(at) else { continue };
            let group = 3 * usize::from(candidate.part == Part::Main) + candidate.usage as usize;
            let Some(seen) = seen.get_mut(group) else { continue };
            candidate.rank = candidate.rank.min(*seen);
            *seen += usize::from(candidate.score >= GOOD);
        }
    }
}

/// Heading, controls, links. Controls that find no place are listed as omitted; links have no such
/// list, so some places are theirs.
fn pick_main(
    nodes: &[Node<'_>],
    parts: &Parts,
    ranked: &[Candidate],
    limits: &Limits,
) -> Vec<usize> {
    let fields = pick_fields(ranked, limits.fields);
    let places = limits.key_refs + fields.len();
    let heading = parts.heading.filter(|at| nodes.get(*at).is_some_and(|node| node.id.is_some()));
    let mut main: Vec<usize> = heading.into_iter().take(places).collect();
    let in_main = || ranked.iter().filter(|c| c.part == Part::Main && Some(c.at) != heading);
    let links = pick_links(in_main().filter(|c| c.usage == Use::Link), places);
    main.extend(&fields);
    let is_left = |c: &&Candidate| !fields.contains(&c.at);
    let controls = in_main().filter(|c| c.usage == Use::Control && c.score >= GOOD).filter(is_left);
    let for_links = links.len().min(limits.key_refs * 3 / 8);
    let free = places.saturating_sub(main.len() + for_links);
    main.extend(controls.take(free).map(|c| c.at));
    let free = places.saturating_sub(main.len());
    main.extend(links.into_iter().take(free));
    let taken: HashSet<usize> = main.iter().copied().collect();
    let free = places.saturating_sub(main.len());
    main.extend(in_main().map(|c| c.at).filter(|at| !taken.contains(at)).take(free));
    main
}

/// Fields of the main content, best first. Those that are ticked have some of the places.
fn pick_fields(ranked: &[Candidate], places: usize) -> Vec<usize> {
    let fields = ranked.iter().filter(|c| c.part == Part::Main && c.is_field && c.score >= GOOD);
    let (typed, ticked): (Vec<&Candidate>, Vec<&Candidate>) =
        fields.partition(|c| c.score >= NEEDED);
    let for_ticked = ticked.len().min(places / 3).max(places.saturating_sub(typed.len()));
    let typed = typed.into_iter().take(places.saturating_sub(for_ticked));
    typed.chain(ticked).map(|c| c.at).take(places).collect()
}

/// Links worth a line, best first. What the page has most of, the entry of a list or a table, is
/// represented once, at the second place.
fn pick_links<'a>(links: impl Iterator<Item = &'a Candidate>, places: usize) -> Vec<usize> {
    const OFTEN: u32 = 5;
    let links: Vec<&Candidate> = links.filter(|c| c.score >= GOOD).collect();
    let often = links.iter().filter(|c| c.copies.total >= OFTEN);
    let entry = often.max_by_key(|c| (c.copies.total, Reverse(c.at))).map(|c| c.at);
    let single = links.iter().map(|c| c.at).filter(|at| Some(*at) != entry);
    let mut picked: Vec<usize> = single.take(places).collect();
    if let Some(at) = entry {
        picked.insert(picked.len().min(1), at);
    }
    picked
}

/// Controls that are not shown. Of copies and of controls without a name a few will do.
fn pick_omitted(ranked: &[Candidate], shown: &HashSet<usize>, limit: usize) -> Vec<usize> {
    const FILL: usize = 3;
    let is_left =
        |c: &&Candidate| c.usage == Use::Control && c.score >= GOOD && !shown.contains(&c.at);
    let left = ranked.iter().filter(is_left).count();
    // A few more lines cost less than a call that asks for them.
    let limit = if left <= limit * 2 { left.max(limit) } else { limit };
    let mut picked = pick_left(ranked, Use::Control, shown, limit);
    let taken: HashSet<usize> = picked.iter().chain(shown).copied().collect();
    let rest = ranked.iter().filter(|c| c.usage == Use::Control && !taken.contains(&c.at));
    let free = limit.saturating_sub(picked.len()).min(FILL);
    picked.extend(rest.map(|c| c.at).take(free));
    picked
}

/// Good lines of one use that are not shown yet: behind two of the main content comes one of the frame
/// as long as both have some, so that neither hides the other.
fn pick_left(ranked: &[Candidate], usage: Use, shown: &HashSet<usize>, limit: usize) -> Vec<usize> {
    let left = |part: Part| {
        let good = move |c: &&Candidate| c.part == part && c.usage == usage && c.score >= GOOD;
        ranked.iter().filter(good).map(|c| c.at).filter(|at| !shown.contains(at))
    };
    let (main, frame) = (left(Part::Main), left(Part::Frame));
    // What a form still needs comes before anything of the frame.
    let fields = ranked.iter().filter(|c| c.part == Part::Main && c.is_field && c.usage == usage);
    let fields =
        fields.filter(|c| c.score >= NEEDED).map(|c| c.at).filter(|at| !shown.contains(at));
    let mut picked: Vec<usize> = fields.take(limit / 2).collect();
    let taken: HashSet<usize> = picked.iter().copied().collect();
    let (mut main, mut frame) =
        (main.filter(|at| !taken.contains(at)), frame.filter(|at| !taken.contains(at)));
    while picked.len() < limit {
        let before = picked.len();
        picked.extend(main.by_ref().take(2));
        picked.extend(frame.next());
        if picked.len() == before {
            break;
        }
    }
    picked.truncate(limit);
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
    let links = LinkPlaces::new(nodes, parts);
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
        let around = match node.role {
            "button" if behind_field => 8,
            "link" => links.worth(nodes, at, *part),
            _ => 0,
        };
        // A way that the frame shows already is not shown again in the main content.
        let known = usage == Use::Link && *part == Part::Main && copies.in_frame;
        let way = if known { 0 } else { score::way(&node.name) };
        let score = base + around + way + score::label(node, usage) + score::copies(node, *copies);
        let rank = usize::MAX;
        let is_field = score::is_field(node.role);
        let part = *part;
        candidates.push(Candidate { at, id, part, usage, is_field, score, rank, copies: *copies });
        if usage == Use::Control && node.role != "option" {
            behind_field = score::is_field(node.role);
        }
    }
    candidates
}

/// A cell around a link of the same name says nothing of its own.
fn repeats_in_child(nodes: &[Node<'_>], at: usize) -> bool {
    let (Some(node), Some(child)) = (nodes.get(at), nodes.get(at + 1)) else { return false };
    child.depth > node.depth && child.id.is_some() && child.name.trim() == node.name.trim()
}
