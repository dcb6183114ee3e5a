//! The fold: facts → what is known about every session.

use std::collections::BTreeMap;

use super::artifact::{self, Artifact};
use super::electron::{CleanupState, ElectronRecord};
use super::fact::{Busy, Dialog, Drift, Fact, Invalidation, LaunchRecord, Page, Route, Tracer};
use super::key::SessionKey;
use super::refs::RefSnapshot;

/// What is known about one session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionState {
    /// A browser runs, as far as we know.
    pub running: bool,
    /// Options of its launch.
    pub launch: LaunchRecord,
    /// Where its page is.
    pub page: Option<Page>,
    /// Its latest refs.
    pub refs: Option<RefSnapshot>,
    /// The refs of the document before, so that a refusal can name what an old ref was.
    pub earlier: Option<RefSnapshot>,
    /// Why there are no refs, where they were void.
    pub invalidation: Option<Invalidation>,
    /// A dialog that blocks the page.
    pub dialog: Option<Dialog>,
    /// The id of an action that waits for a confirmation.
    pub confirmation: Option<String>,
    /// Who records events.
    pub tracer: Option<Tracer>,
    /// The file that is being recorded.
    pub recording: Option<String>,
    /// Another tab may have the focus.
    pub drift: Option<Drift>,
    /// What a killed client has left running.
    pub busy: Option<Busy>,
    /// It drives a browser or an app that upstream did not start.
    pub connected: bool,
    /// Routes that were set, the latest last.
    pub routes: Vec<Route>,
}

/// The managed session: which one is current, and which number the next name gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Managed {
    /// The current one, running or not.
    pub current: Option<(SessionKey, u32)>,
    /// The highest number given out; `None` before the first.
    pub highest: Option<u32>,
}

/// Everything that calls have learned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The managed session.
    pub managed: Managed,
    /// All sessions, managed and named.
    pub sessions: BTreeMap<SessionKey, SessionState>,
    /// Files that were saved or kept, the latest last.
    pub artifacts: Vec<Artifact>,
    /// Apps that were launched, by their id.
    pub electron: BTreeMap<String, ElectronRecord>,
}

impl State {
    /// Replays facts.
    #[must_use]
    pub fn replay<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Self {
        let mut state = Self::default();
        for fact in facts {
            state.apply(fact);
        }
        state
    }

    /// What is known about `key`.
    #[must_use]
    pub fn session(&self, key: &SessionKey) -> Option<&SessionState> {
        self.sessions.get(key)
    }

    /// The current managed session, while its browser runs.
    #[must_use]
    pub fn managed_running(&self) -> Option<&SessionKey> {
        let (key, _) = self.managed.current.as_ref()?;
        self.session(key).is_some_and(|session| session.running).then_some(key)
    }

    /// The launched app that this session is attached to.
    #[must_use]
    pub fn app_of(&self, key: &SessionKey) -> Option<&ElectronRecord> {
        let attached = |record: &&ElectronRecord| {
            record.cleanup_state == CleanupState::Active && record.key() == *key
        };
        self.electron.values().find(attached)
    }

    /// One step of the fold.
    pub fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::OrdinalUsed { ordinal } => self.use_ordinal(*ordinal),
            Fact::ManagedCurrent { key, ordinal } => {
                self.use_ordinal(*ordinal);
                self.managed.current = Some((key.clone(), *ordinal));
            }
            Fact::SessionStarted { key, launch } => {
                let session = SessionState {
                    running: true,
                    launch: launch.clone(),
                    ..SessionState::default()
                };
                self.sessions.insert(key.clone(), session);
            }
            Fact::SessionClosed { key } => {
                self.sessions.remove(key);
                if self.managed.current.as_ref().is_some_and(|(current, _)| current == key) {
                    self.managed.current = None;
                }
            }
            Fact::SessionLost { key } => {
                let session = self.entry(key);
                let launch = std::mem::take(&mut session.launch);
                let invalidation = Some(Invalidation::PageLost);
                *session = SessionState { launch, invalidation, ..SessionState::default() };
            }
            Fact::PageAt { key, page } => self.page_at(key, page),
            Fact::Refs { key, refs } => {
                let session = self.entry(key);
                let replaced = session.refs.replace(refs.clone());
                if replaced.as_ref().is_some_and(|old| old.doc != refs.doc) {
                    session.earlier = replaced;
                }
                session.invalidation = None;
            }
            Fact::EarlierRefs { key, refs } => self.entry(key).earlier = Some(refs.clone()),
            Fact::RefsInvalidated { key, reason } => {
                let session = self.entry(key);
                session.refs = None;
                session.invalidation = Some(*reason);
            }
            Fact::DialogSeen { key, dialog } => self.entry(key).dialog.clone_from(dialog),
            Fact::LaunchHash { key, hash } => self.entry(key).launch.launch_hash = Some(*hash),
            Fact::Confirmation { key, id } => self.entry(key).confirmation.clone_from(id),
            Fact::Tracer { key, tracer } => self.entry(key).tracer = *tracer,
            Fact::Recording { key, path } => self.entry(key).recording.clone_from(path),
            Fact::ScriptsGated { key } => self.entry(key).launch.gates_scripts = true,
            Fact::DriftRisk { key, lasts } => self.entry(key).drift = Some(*lasts),
            Fact::Busy { key, busy } => self.entry(key).busy = *busy,
            Fact::Connected { key } => self.entry(key).connected = true,
            Fact::RouteSet { key, route } => {
                let routes = &mut self.entry(key).routes;
                routes.retain(|known| known.pattern != route.pattern);
                routes.push(route.clone());
            }
            Fact::RouteRemoved { key, pattern } => {
                let removed =
                    |route: &Route| pattern.as_ref().is_none_or(|one| *one == route.pattern);
                self.entry(key).routes.retain(|route| !removed(route));
            }
            Fact::ArtifactSaved { artifact } => artifact::keep(&mut self.artifacts, artifact),
            Fact::ArtifactEvicted { path } => artifact::evict(&mut self.artifacts, path),
            Fact::ElectronLaunched { record } => {
                self.electron.insert(record.launch_id.clone(), record.clone());
            }
            Fact::ElectronCleaned { launch_id, state } => {
                if let Some(record) = self.electron.get_mut(launch_id) {
                    record.cleanup_state = *state;
                }
            }
        }
    }

    /// Marks the sessions whose page is not where `seen` has their browser: this state is that of
    /// an earlier moment or of another branch (PAGE-04).
    pub fn mark_drift(&mut self, seen: &Self) {
        for (key, session) in self.sessions.iter_mut().filter(|(_, session)| session.running) {
            let last = seen.session(key).and_then(|session| session.page.as_ref());
            let (Some(page), Some(last)) = (&session.page, last) else { continue };
            if !last.is_same_place(page) && session.drift.is_none() {
                session.drift = Some(Drift::UntilTold);
            }
        }
    }

    /// Facts that fold to this very state.
    #[must_use]
    pub fn as_facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        for (key, session) in &self.sessions {
            let launch = session.launch.clone();
            facts.push(Fact::SessionStarted { key: key.clone(), launch });
            if !session.running {
                facts.push(Fact::SessionLost { key: key.clone() });
            }
            if let Some(reason) = session.invalidation {
                facts.push(Fact::RefsInvalidated { key: key.clone(), reason });
            }
            let earlier = session.earlier.clone();
            facts.extend(earlier.map(|refs| Fact::EarlierRefs { key: key.clone(), refs }));
            let page = session.page.clone();
            facts.extend(page.map(|page| Fact::PageAt { key: key.clone(), page }));
            let refs = session.refs.clone();
            facts.extend(refs.map(|refs| Fact::Refs { key: key.clone(), refs }));
            let id = session.confirmation.clone();
            facts.extend(id.map(|id| Fact::Confirmation { key: key.clone(), id: Some(id) }));
            facts
                .extend(session.tracer.map(|t| Fact::Tracer { key: key.clone(), tracer: Some(t) }));
            let path = session.recording.clone();
            facts.extend(path.map(|path| Fact::Recording { key: key.clone(), path: Some(path) }));
            let drift = session.drift;
            facts.extend(drift.map(|lasts| Fact::DriftRisk { key: key.clone(), lasts }));
            facts.extend(session.connected.then(|| Fact::Connected { key: key.clone() }));
            facts.extend(session.busy.map(|b| Fact::Busy { key: key.clone(), busy: Some(b) }));
            let routes = session.routes.iter().cloned();
            facts.extend(routes.map(|route| Fact::RouteSet { key: key.clone(), route }));
            let dialog = session.dialog.clone();
            facts.extend(
                dialog.map(|open| Fact::DialogSeen { key: key.clone(), dialog: Some(open) }),
            );
        }
        let launches = self.electron.values().cloned();
        facts.extend(launches.map(|record| Fact::ElectronLaunched { record }));
        let artifacts = self.artifacts.iter();
        facts.extend(artifacts.map(|one| Fact::ArtifactSaved { artifact: one.clone() }));
        facts.extend(self.managed.highest.map(|ordinal| Fact::OrdinalUsed { ordinal }));
        if let Some((key, ordinal)) = &self.managed.current {
            facts.push(Fact::ManagedCurrent { key: key.clone(), ordinal: *ordinal });
        }
        facts
    }

    fn use_ordinal(&mut self, ordinal: u32) {
        self.managed.highest = Some(self.managed.highest.map_or(ordinal, |high| high.max(ordinal)));
    }

    fn page_at(&mut self, key: &SessionKey, page: &Page) {
        let session = self.entry(key);
        let mut page = page.clone();
        let known = session.page.as_ref().and_then(|known| known.target.clone());
        if page.target.is_some() || known.is_none() {
            // Without a tab that could be selected, the page in front is the session's.
            session.drift = session.drift.filter(|lasts| *lasts == Drift::Always);
        }
        page.target = page.target.or(known);
        session.page = Some(page);
    }

    fn entry(&mut self, key: &SessionKey) -> &mut SessionState {
        self.sessions
            .entry(key.clone())
            .or_insert_with(|| SessionState { running: true, ..SessionState::default() })
    }
}

impl Managed {
    /// The number that the next new name gets.
    #[must_use]
    pub fn next_ordinal(&self) -> u32 {
        self.highest.map_or(0, |high| high.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> SessionKey {
        SessionKey::named(name)
    }

    fn started(name: &str, ordinal: u32) -> [Fact; 2] {
        [
            Fact::ManagedCurrent { key: key(name), ordinal },
            Fact::SessionStarted { key: key(name), launch: LaunchRecord::default() },
        ]
    }

    // SES-09, SES-22
    #[test]
    fn numbers_of_generated_names_never_come_back() {
        let mut state = State::replay(&started("s", 0));
        state.apply(&Fact::OrdinalUsed { ordinal: 4 });
        state.apply(&Fact::SessionClosed { key: key("s") });
        assert_eq!(state.managed.next_ordinal(), 5);
        assert_eq!(state.managed_running(), None);
    }

    // SES-21, PAGE-23
    #[test]
    fn a_close_drops_page_and_refs() {
        let mut state = State::replay(&started("s", 0));
        state.apply(&Fact::Refs { key: key("s"), refs: RefSnapshot::default() });
        state.apply(&Fact::SessionClosed { key: key("s") });
        assert_eq!(state.session(&key("s")), None);
    }

    // PAGE-26, HAZ-03
    #[test]
    fn a_lost_page_voids_refs_until_the_next_snapshot() {
        let mut state = State::replay(&started("s", 0));
        state.apply(&Fact::Refs { key: key("s"), refs: RefSnapshot::default() });
        state.apply(&Fact::SessionLost { key: key("s") });
        let lost = state.session(&key("s")).unwrap();
        assert_eq!((lost.running, lost.refs.is_none()), (false, true));
        assert_eq!(lost.invalidation, Some(Invalidation::PageLost));
        state.apply(&Fact::Refs { key: key("s"), refs: RefSnapshot::default() });
        assert_eq!(state.session(&key("s")).unwrap().invalidation, None);
    }

    // HAZ-02
    #[test]
    fn a_session_runs_with_the_options_of_its_launch_and_keeps_them_when_it_is_lost() {
        let launch =
            LaunchRecord { daemon_tokens: vec!["--debug".into()], ..LaunchRecord::default() };
        let mut state = State::default();
        state.apply(&Fact::ManagedCurrent { key: key("s"), ordinal: 0 });
        assert_eq!(state.managed_running(), None, "nothing has started it");
        state.apply(&Fact::SessionStarted { key: key("s"), launch: launch.clone() });
        assert_eq!(state.managed_running(), Some(&key("s")));
        assert_eq!(state.session(&key("s")).unwrap().launch, launch);
        state.apply(&Fact::SessionLost { key: key("s") });
        assert_eq!(state.managed_running(), None);
        assert_eq!(state.session(&key("s")).unwrap().launch, launch);
        state.apply(&Fact::DriftRisk { key: key("t"), lasts: Drift::Always });
        assert!(state.session(&key("t")).unwrap().running, "who tells something of it runs");
    }

    // DIAG-ROUTE-01
    #[test]
    fn a_pattern_has_one_route_and_is_removed_alone_or_with_all() {
        let set = |pattern: &str, aborts| {
            let route = Route { pattern: pattern.into(), aborts };
            Fact::RouteSet { key: key("s"), route }
        };
        let removed = |pattern: Option<&str>| Fact::RouteRemoved {
            key: key("s"),
            pattern: pattern.map(str::to_owned),
        };
        let mut state = State::replay(&[set("a", false), set("b", false), set("a", true)]);
        let shown = |state: &State| {
            let routes = &state.session(&key("s")).unwrap().routes;
            routes.iter().map(|one| format!("{} {}", one.pattern, one.aborts)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&state), ["b false", "a true"]);
        state.apply(&removed(Some("b")));
        assert_eq!(shown(&state), ["a true"]);
        state.apply(&set("c", false));
        state.apply(&removed(None));
        assert_eq!(shown(&state), Vec::<String>::new());
    }

    #[test]
    fn a_state_is_the_fold_of_its_own_facts() {
        let mut state = State::replay(&started("s", 3));
        let page = Page { url: "a".into(), doc: "1".into(), ..Page::default() };
        state.apply(&Fact::PageAt { key: key("s"), page });
        state.apply(&Fact::Refs { key: key("s"), refs: RefSnapshot::default() });
        let dialog = Some(Dialog { kind: "confirm".into(), message: "sure?".into() });
        state.apply(&Fact::DialogSeen { key: key("s"), dialog });
        state.apply(&Fact::SessionStarted { key: key("t"), launch: LaunchRecord::default() });
        state.apply(&Fact::SessionLost { key: key("t") });
        assert_eq!(State::replay(&state.as_facts()), state);
    }

    // ELEC-24, ELEC-25, ELEC-54
    #[test]
    fn launches_are_folded_from_their_facts() {
        let record = ElectronRecord {
            launch_id: "electron-1".into(),
            session_name: "s-f1".into(),
            ..ElectronRecord::default()
        };
        let mut state = State::replay(&[Fact::ElectronLaunched { record: record.clone() }]);
        assert!(state.app_of(&key("s-f1")).is_some());
        let record = ElectronRecord { session_name: "s-f2".into(), ..record };
        state.apply(&Fact::ElectronLaunched { record });
        assert!(state.app_of(&key("s-f1")).is_none() && state.app_of(&key("s-f2")).is_some());
        let mut states = Vec::new();
        for cleanup in
            [CleanupState::Partial, CleanupState::Failed, CleanupState::Dead, CleanupState::Cleaned]
        {
            let launch_id = "electron-1".to_owned();
            state.apply(&Fact::ElectronCleaned { launch_id, state: cleanup });
            assert!(state.app_of(&key("s-f2")).is_none());
            let record = &state.electron["electron-1"];
            states.push((record.cleanup_state.name(), record.is_open()));
        }
        let expected = [("partial", true), ("failed", true), ("dead", true), ("cleaned", false)];
        assert_eq!(states, expected);
        assert_eq!(State::replay(&state.as_facts()), state);
        let details = state.electron["electron-1"].to_details();
        assert_eq!((&details["version"], &details["launchedByWrapper"]), (&1.into(), &true.into()));
    }

    // PAGE-01
    #[test]
    fn a_page_keeps_its_tab_when_a_later_answer_does_not_name_it() {
        let mut state = State::default();
        let page = Page { url: "a".into(), target: Some("T1".into()), ..Page::default() };
        state.apply(&Fact::PageAt { key: key("s"), page });
        let page = Page { url: "b".into(), ..Page::default() };
        state.apply(&Fact::PageAt { key: key("s"), page });
        let page = state.session(&key("s")).unwrap().page.clone().unwrap();
        assert_eq!((page.url.as_str(), page.target.as_deref()), ("b", Some("T1")));
    }

    fn page_at(name: &str, url: &str, target: Option<&str>) -> Fact {
        let target = target.map(str::to_owned);
        Fact::PageAt { key: key(name), page: Page { url: url.into(), target, ..Page::default() } }
    }

    // PAGE-04
    #[test]
    fn a_page_that_is_not_where_its_browser_is_may_drift_until_the_browser_tells_its_tab() {
        let seen = State::replay(&[
            page_at("same", "a", None),
            page_at("moved", "b", None),
            page_at("tabless", "b", None),
        ]);
        let mut state = State::replay(&[
            page_at("same", "a", None),
            page_at("moved", "a", Some("T0")),
            page_at("tabless", "a", None),
            page_at("unseen", "a", None),
            page_at("restored", "a", None),
            Fact::DriftRisk { key: key("restored"), lasts: Drift::Always },
            Fact::Connected { key: key("blank") },
        ]);
        let drift = |state: &State, name: &str| state.session(&key(name)).unwrap().drift;
        state.mark_drift(&seen);
        for (name, lasts) in [
            ("same", None),
            ("moved", Some(Drift::UntilTold)),
            ("tabless", Some(Drift::UntilTold)),
            ("unseen", None),
            ("restored", Some(Drift::Always)),
            ("blank", None),
        ] {
            assert_eq!(drift(&state, name), lasts, "{name}");
        }
        assert_eq!(State::replay(&state.as_facts()), state);
        for name in ["moved", "tabless", "restored"] {
            state.apply(&page_at(name, "b", None));
        }
        assert_eq!(drift(&state, "moved"), Some(Drift::UntilTold), "no tab was told");
        assert_eq!(drift(&state, "tabless"), None, "there is no tab to go back to");
        for name in ["moved", "restored"] {
            state.apply(&page_at(name, "b", Some("T1")));
        }
        assert_eq!(drift(&state, "moved"), None);
        assert_eq!(drift(&state, "restored"), Some(Drift::Always));
    }

    // DEC-92
    #[test]
    fn a_policy_that_has_not_let_a_script_run_is_remembered() {
        let mut state = State::replay(&started("s", 0));
        state.apply(&Fact::ScriptsGated { key: key("s") });
        assert!(state.session(&key("s")).unwrap().launch.gates_scripts);
        assert_eq!(State::replay(&state.as_facts()), state);
    }
}
