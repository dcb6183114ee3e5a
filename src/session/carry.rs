//! Facts as they travel in `details`: few enough for a transcript, and still the same fold.

use super::fact::Fact;
use super::key::SessionKey;

/// Refs with role and name that are tried in turn; ranges always cover every id (DEC-64).
const REF_STEPS: [usize; 4] = [200, 80, 20, 0];

/// The facts of one call, squashed, with as many named refs as fit into `bytes` of JSON.
///
/// Folding the result gives the same state as folding `facts`, except for roles and names of refs
/// that were left out.
#[must_use]
pub fn carried(facts: &[Fact], bytes: usize) -> Vec<Fact> {
    let squashed = squash(facts);
    for step in REF_STEPS {
        let bounded: Vec<Fact> = squashed.iter().map(|fact| with_refs(fact, step)).collect();
        let fits = serde_json::to_string(&bounded).is_ok_and(|text| text.len() <= bytes);
        if fits || step == 0 {
            return bounded;
        }
    }
    squashed
}

fn with_refs(fact: &Fact, limit: usize) -> Fact {
    match fact {
        Fact::Refs { key, refs } => Fact::Refs { key: key.clone(), refs: refs.bounded(limit) },
        Fact::EarlierRefs { key, refs } => {
            Fact::EarlierRefs { key: key.clone(), refs: refs.bounded(limit) }
        }
        other => other.clone(),
    }
}

/// Leaves out what a later fact of the same call replaces.
fn squash(facts: &[Fact]) -> Vec<Fact> {
    let mut kept: Vec<Fact> = Vec::with_capacity(facts.len());
    for fact in facts {
        match fact {
            Fact::PageAt { key, page } => {
                let mut page = page.clone();
                if let Some(at) = last(&kept, key, touches_page)
                    && let Some(Fact::PageAt { page: earlier, .. }) = kept.get(at)
                {
                    // The tab is known until another one is told.
                    page.target = page.target.or_else(|| earlier.target.clone());
                    kept.remove(at);
                }
                kept.push(Fact::PageAt { key: key.clone(), page });
            }
            Fact::Refs { key, refs } => {
                if let Some(at) = last(&kept, key, touches_refs)
                    && matches!(kept.get(at), Some(Fact::Refs { refs: old, .. }) if old.doc == refs.doc)
                {
                    kept.remove(at);
                }
                kept.push(fact.clone());
            }
            other => kept.push(other.clone()),
        }
    }
    kept
}

fn last(
    kept: &[Fact],
    key: &SessionKey,
    touches: fn(&Fact) -> Option<&SessionKey>,
) -> Option<usize> {
    kept.iter().rposition(|fact| touches(fact) == Some(key))
}

fn touches_page(fact: &Fact) -> Option<&SessionKey> {
    match fact {
        // A page that tells its tab ends the risk.
        Fact::PageAt { key, .. } | Fact::DriftRisk { key, .. } => Some(key),
        other => resets(other),
    }
}

fn touches_refs(fact: &Fact) -> Option<&SessionKey> {
    match fact {
        Fact::Refs { key, .. }
        | Fact::EarlierRefs { key, .. }
        | Fact::RefsInvalidated { key, .. } => Some(key),
        other => resets(other),
    }
}

fn resets(fact: &Fact) -> Option<&SessionKey> {
    match fact {
        Fact::SessionStarted { key, .. }
        | Fact::SessionClosed { key }
        | Fact::SessionLost { key } => Some(key),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fact::{Drift, LaunchRecord, Page};
    use super::super::refs::{RefInfo, RefSnapshot};
    use super::super::state::State;
    use super::*;

    fn key() -> SessionKey {
        SessionKey::named("s")
    }

    fn page(url: &str, target: Option<&str>) -> Fact {
        let target = target.map(str::to_owned);
        Fact::PageAt { key: key(), page: Page { url: url.into(), target, ..Page::default() } }
    }

    fn refs(doc: &str, count: u32) -> Fact {
        let info = RefInfo { role: "button".into(), name: "Save".into(), ..RefInfo::default() };
        let refs = RefSnapshot {
            refs: (1..=count).map(|id| (id, info.clone())).collect(),
            ranges: vec![(1, count)],
            doc: doc.into(),
            ..RefSnapshot::default()
        };
        Fact::Refs { key: key(), refs }
    }

    // PI-34
    #[test]
    fn replaced_facts_are_left_out_and_the_fold_stays() {
        let facts =
            [page("a", Some("T1")), refs("1", 2), page("b", None), refs("1", 3), page("c", None)];
        let short = carried(&facts, usize::MAX);
        assert_eq!(short.len(), 2);
        assert_eq!(State::replay(&short), State::replay(&facts));
    }

    // PI-34, PAGE-04
    #[test]
    fn a_tab_that_was_told_ahead_of_a_risk_does_not_end_it() {
        let risk = Fact::DriftRisk { key: key(), lasts: Drift::UntilTold };
        let facts = [page("a", Some("T1")), risk, page("a", None)];
        let state = State::replay(&carried(&facts, usize::MAX));
        assert_eq!(state, State::replay(&facts));
        assert_eq!(state.sessions[&key()].drift, Some(Drift::UntilTold));
    }

    // PI-34
    #[test]
    fn refs_of_another_document_stay_because_refusals_name_them() {
        let facts = [refs("1", 2), refs("2", 3)];
        assert_eq!(State::replay(&carried(&facts, usize::MAX)), State::replay(&facts));
        assert_eq!(carried(&facts, usize::MAX).len(), 2);
    }

    // PI-34
    #[test]
    fn facts_of_another_browser_or_session_replace_nothing() {
        let other = SessionKey::named("t");
        let there = Fact::PageAt { key: other, page: Page::default() };
        for between in [
            Fact::SessionLost { key: key() },
            Fact::SessionClosed { key: key() },
            Fact::SessionStarted { key: key(), launch: LaunchRecord::default() },
        ] {
            let facts = [page("a", Some("T1")), there.clone(), between, page("b", None)];
            let short = carried(&facts, usize::MAX);
            assert_eq!(State::replay(&short), State::replay(&facts));
        }
        let facts = [there, page("a", Some("T1")), page("b", None)];
        let short = carried(&facts, usize::MAX);
        assert_eq!(short.len(), 2, "the later page of the session replaces its earlier one");
        assert_eq!(State::replay(&short), State::replay(&facts));
    }

    // PI-34, DEC-64
    #[test]
    fn a_large_snapshot_keeps_its_ids_and_fits() {
        let facts = [refs("1", 3_000), page("a", None)];
        let short = carried(&facts, 16_384);
        assert!(serde_json::to_string(&short).unwrap().len() <= 16_384);
        let state = State::replay(&short);
        let refs = state.session(&key()).unwrap().refs.as_ref().unwrap();
        assert_eq!(refs.refs.len(), 200);
        assert!(refs.knows(3_000) && !refs.knows(3_001));
        let named = |bytes| match &carried(&facts, bytes)[..] {
            [Fact::Refs { refs, .. }, _] => refs.refs.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!([named(16_384), named(6_000), named(1)], [200, 80, 0]);
    }
}
