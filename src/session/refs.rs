//! What a snapshot saw: its refs and the identity of the document they belong to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::probe::Expect;

/// How many refs a journal line keeps with role and name; ranges cover the rest (DEC-64).
const JOURNAL_REFS: usize = 500;
/// What a frame that cannot be read reports as its identity.
const OTHER_ORIGIN: &str = "other-origin";

/// What is known of one ref.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefInfo {
    /// Accessible role, upstream's word.
    pub role: String,
    /// Accessible name, as the tree spells it; the page's words.
    pub name: String,
    /// Position among equal role and name, from 0 in the order of the tree, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_index: Option<u32>,
    /// The element stands in a frame: below an `Iframe` line, or out of sight on a page with frames.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_frame: bool,
}

/// The latest refs of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefSnapshot {
    /// Known refs by number: `e12` is 12.
    pub refs: BTreeMap<u32, RefInfo>,
    /// Every number that the snapshot had, as inclusive ranges.
    pub ranges: Vec<(u32, u32)>,
    /// Identity of the top document.
    pub doc: String,
    /// Identities of its frames.
    pub frames: Vec<String>,
    /// Address of the page.
    pub url: String,
    /// Title of the page.
    pub title: String,
    /// Options of the `snapshot` command, for a repetition in front of a ref (HAZ-01).
    pub options: Vec<String>,
}

impl RefSnapshot {
    /// The snapshot had this ref.
    #[must_use]
    pub fn knows(&self, id: u32) -> bool {
        self.refs.contains_key(&id)
            || self.ranges.iter().any(|&(low, high)| (low..=high).contains(&id))
    }

    /// How the documents behind these refs are checked in front of a command.
    #[must_use]
    pub fn check_for(&self, ids: &[u32]) -> RefCheck {
        let framed = ids.iter().any(|id| self.refs.get(id).is_none_or(|info| info.in_frame));
        let frames_matter = framed && !self.frames.is_empty();
        let unreadable = self.frames.iter().any(|frame| frame == OTHER_ORIGIN);
        if self.doc.is_empty() || (frames_matter && unreadable) {
            return RefCheck::Snapshot(self.options.clone());
        }
        RefCheck::Identity(Expect::Document {
            doc: self.doc.clone(),
            frames: frames_matter.then(|| self.frames.clone()),
        })
    }

    /// The same with at most 500 refs, for the journal.
    #[must_use]
    pub fn for_journal(&self) -> Self {
        self.bounded(JOURNAL_REFS)
    }

    /// The same with at most `limit` refs; the ranges still cover all.
    #[must_use]
    pub fn bounded(&self, limit: usize) -> Self {
        let refs = self.refs.iter().take(limit);
        Self { refs: refs.map(|(id, info)| (*id, info.clone())).collect(), ..self.clone() }
    }
}

/// What stands in front of a command with refs (HAZ-01).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefCheck {
    /// A throwing identity row.
    Identity(Expect),
    /// A `snapshot` row with these options: upstream then forgets refs whose node is gone.
    Snapshot(Vec<String>),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(frames: &[&str], in_frame: bool) -> RefSnapshot {
        RefSnapshot {
            refs: BTreeMap::from([(3, RefInfo { in_frame, ..RefInfo::default() })]),
            ranges: vec![(1, 700)],
            doc: "17.5".into(),
            frames: frames.iter().map(ToString::to_string).collect(),
            options: vec!["-i".into()],
            ..RefSnapshot::default()
        }
    }

    // HAZ-01
    #[test]
    fn a_ref_outside_of_frames_is_checked_by_the_top_document_alone() {
        let check = snapshot(&["1", "other-origin"], false).check_for(&[3]);
        assert_eq!(
            check,
            RefCheck::Identity(Expect::Document { doc: "17.5".into(), frames: None })
        );
    }

    // HAZ-01
    #[test]
    fn a_ref_in_a_frame_is_checked_with_the_frames_or_by_a_snapshot() {
        let check = snapshot(&["1", "2"], true).check_for(&[3]);
        let frames = Some(vec!["1".to_owned(), "2".to_owned()]);
        assert_eq!(check, RefCheck::Identity(Expect::Document { doc: "17.5".into(), frames }));
        let check = snapshot(&["1", "other-origin"], true).check_for(&[3]);
        assert_eq!(check, RefCheck::Snapshot(vec!["-i".into()]));
    }

    // HAZ-01
    #[test]
    fn a_snapshot_without_identity_is_repeated_in_front_of_its_refs() {
        let mut refs = snapshot(&[], false);
        refs.doc.clear();
        assert_eq!(refs.check_for(&[3]), RefCheck::Snapshot(vec!["-i".into()]));
    }

    // DEC-64
    #[test]
    fn ranges_know_refs_that_the_bounded_list_has_dropped() {
        let mut refs = snapshot(&[], false);
        refs.refs = (1..=700).map(|id| (id, RefInfo::default())).collect();
        let kept = refs.for_journal();
        assert_eq!(kept.refs.len(), 500);
        assert!(kept.knows(700) && !kept.knows(701));
    }
}
