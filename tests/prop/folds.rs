//! State is a fold over facts: live, replayed, journalled and carried in `details` alike.

use agent_browser_native::redact::Redactor;
use agent_browser_native::session::artifact::{Artifact, Scope};
use agent_browser_native::session::carry::carried;
use agent_browser_native::session::electron::{CleanupState, ElectronRecord};
use agent_browser_native::session::fact::{
    Busy, Dialog, Drift, Fact, Invalidation, LaunchRecord, Page, Route, Tracer,
};
use agent_browser_native::session::journal::{Entry, Journal};
use agent_browser_native::session::key::SessionKey;
use agent_browser_native::session::refs::{RefInfo, RefSnapshot};
use agent_browser_native::session::state::State;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use crate::{config, config_with_files};

fn key() -> impl Strategy<Value = SessionKey> {
    let name = select(vec!["pi-shop-1a2b3c", "pi-shop-1a2b3c-f1", "mine"]);
    let namespace = of(Just("team".to_owned()));
    (name, namespace).prop_map(|(name, namespace)| SessionKey { namespace, name: name.to_owned() })
}

fn doc() -> impl Strategy<Value = String> {
    select(vec!["", "1763214871234.5", "1763214899000.25"]).prop_map(str::to_owned)
}

fn page() -> impl Strategy<Value = Page> {
    let url = select(vec!["https://shop.test/a", "https://shop.test/b?page=2", "about:blank"]);
    let title = select(vec!["", "Shop", "Orders 12"]);
    let target = of(select(vec!["7B8A1C9E", "0F44D2AA"]).prop_map(str::to_owned));
    (url, title, doc(), target, any::<bool>()).prop_map(|(url, title, doc, target, popup)| Page {
        url: url.to_owned(),
        title: title.to_owned(),
        doc,
        target,
        popup,
    })
}

fn info() -> impl Strategy<Value = RefInfo> {
    let role = select(vec!["button", "link", "textbox"]);
    let name = select(vec!["", "Save", "Order 1042", "Password"]);
    (role, name, of(0_u32..3), any::<bool>()).prop_map(|(role, name, duplicate_index, in_frame)| {
        RefInfo { role: role.to_owned(), name: name.to_owned(), duplicate_index, in_frame }
    })
}

fn refs() -> impl Strategy<Value = RefSnapshot> {
    let refs = proptest::collection::btree_map(1_u32..40, info(), 0..6);
    (refs, doc()).prop_map(|(refs, doc)| RefSnapshot {
        ranges: refs.keys().map(|id| (*id, *id)).collect(),
        refs,
        doc,
        frames: vec!["other-origin".to_owned()],
        url: "https://shop.test/a".to_owned(),
        title: "Shop".to_owned(),
        options: vec!["-i".to_owned()],
    })
}

fn launch() -> impl Strategy<Value = LaunchRecord> {
    (any::<bool>(), of(any::<u64>())).prop_map(|(gates_scripts, launch_hash)| LaunchRecord {
        daemon_tokens: vec!["--idle-timeout".to_owned(), "900s".to_owned()],
        gates_scripts,
        launch_flags: vec![("--profile".to_owned(), "3f2a".to_owned())],
        launch_hash,
        ..LaunchRecord::default()
    })
}

fn invalidation() -> impl Strategy<Value = Invalidation> {
    select(vec![
        Invalidation::NoActivePage,
        Invalidation::PageLost,
        Invalidation::DocumentChanged,
        Invalidation::TabChanged,
    ])
}

fn artifact(path: &str) -> Artifact {
    Artifact {
        path: path.to_owned(),
        kind: "image".to_owned(),
        command: "screenshot".to_owned(),
        scope: Scope::ExplicitPath,
        requested: true,
        size: 7,
        evicted: false,
    }
}

fn route() -> impl Strategy<Value = Route> {
    let pattern = select(vec!["**/api/*", "**/*.png"]);
    (pattern, any::<bool>())
        .prop_map(|(pattern, aborts)| Route { pattern: pattern.to_owned(), aborts })
}

fn launch_id(number: u32) -> String {
    format!("electron-{number}")
}

fn app(number: u32, key: SessionKey) -> ElectronRecord {
    ElectronRecord {
        launch_id: launch_id(number),
        session_name: key.name,
        ..ElectronRecord::default()
    }
}

fn fact() -> impl Strategy<Value = Fact> {
    let dialog = Dialog { kind: "confirm".to_owned(), message: "Delete order 1042?".to_owned() };
    let busy = Busy { until: 1_763_214_900, navigating: true };
    prop_oneof![
        1 => (0_u32..9).prop_map(|ordinal| Fact::OrdinalUsed { ordinal }),
        1 => (key(), launch()).prop_map(|(key, launch)| Fact::SessionStarted { key, launch }),
        1 => (key(), 0_u32..9).prop_map(|(key, ordinal)| Fact::ManagedCurrent { key, ordinal }),
        1 => key().prop_map(|key| Fact::SessionClosed { key }),
        1 => key().prop_map(|key| Fact::SessionLost { key }),
        4 => (key(), page()).prop_map(|(key, page)| Fact::PageAt { key, page }),
        4 => (key(), refs()).prop_map(|(key, refs)| Fact::Refs { key, refs }),
        1 => (key(), refs()).prop_map(|(key, refs)| Fact::EarlierRefs { key, refs }),
        2 => (key(), invalidation()).prop_map(|(key, reason)| Fact::RefsInvalidated { key, reason }),
        1 => (key(), of(Just(dialog))).prop_map(|(key, dialog)| Fact::DialogSeen { key, dialog }),
        1 => (key(), any::<u64>()).prop_map(|(key, hash)| Fact::LaunchHash { key, hash }),
        1 => (key(), of(Just("c_8f3a21".to_owned()))).prop_map(|(key, id)| Fact::Confirmation { key, id }),
        1 => (key(), of(select(vec![Tracer::Trace, Tracer::Profiler])))
            .prop_map(|(key, tracer)| Fact::Tracer { key, tracer }),
        1 => (key(), of(Just("/home/ann/b.webm".to_owned())))
            .prop_map(|(key, path)| Fact::Recording { key, path }),
        1 => (key(), route()).prop_map(|(key, route)| Fact::RouteSet { key, route }),
        1 => (key(), of(route()))
            .prop_map(|(key, route)| Fact::RouteRemoved { key, pattern: route.map(|one| one.pattern) }),
        1 => key().prop_map(|key| Fact::Connected { key }),
        1 => (0_u32..3, key()).prop_map(|(number, key)| Fact::ElectronLaunched { record: app(number, key) }),
        1 => (0_u32..3, select(vec![CleanupState::Dead, CleanupState::Partial, CleanupState::Cleaned]))
            .prop_map(|(number, state)| Fact::ElectronCleaned { launch_id: launch_id(number), state }),
        1 => (key(), prop_oneof![Just(Drift::Always), Just(Drift::UntilTold)])
            .prop_map(|(key, lasts)| Fact::DriftRisk { key, lasts }),
        1 => key().prop_map(|key| Fact::ScriptsGated { key }),
        1 => (key(), of(Just(busy))).prop_map(|(key, busy)| Fact::Busy { key, busy }),
        1 => select(vec!["/home/ann/a.png", "/home/ann/b.webm"])
            .prop_map(|path| Fact::ArtifactSaved { artifact: artifact(path) }),
        1 => select(vec!["/home/ann/a.png", "/home/ann/b.webm"])
            .prop_map(|path| Fact::ArtifactEvicted { path: path.to_owned() }),
    ]
}

/// The facts of several calls.
fn calls() -> impl Strategy<Value = Vec<Vec<Fact>>> {
    proptest::collection::vec(proptest::collection::vec(fact(), 0..6), 0..8)
}

fn live(calls: &[Vec<Fact>]) -> State {
    let mut state = State::default();
    calls.iter().flatten().for_each(|fact| state.apply(fact));
    state
}

proptest! {
    #![proptest_config(config("tests/prop/regressions/folds.txt"))]

    // SES-35, PI-34
    #[test]
    fn details_restore_the_live_state(calls in calls()) {
        let gate = Redactor::new([]);
        let mut restored = Vec::new();
        for facts in &calls {
            let details = serde_json::json!({ "facts": carried(facts, usize::MAX) });
            let text = gate.safe_json(&details).to_text();
            let details: serde_json::Value = serde_json::from_str(text.as_str()).unwrap();
            restored.extend(serde_json::from_value::<Vec<Fact>>(details["facts"].clone()).unwrap());
        }
        prop_assert_eq!(State::replay(&restored), live(&calls));
    }

    // SES-35
    #[test]
    fn a_state_is_the_fold_of_its_own_facts(calls in calls()) {
        let state = live(&calls);
        prop_assert_eq!(State::replay(&state.as_facts()), state);
    }
}

proptest! {
    #![proptest_config(config_with_files("tests/prop/regressions/journals.txt"))]

    // SES-35
    #[test]
    fn a_journal_restores_the_live_state(calls in calls(), torn in of(0..8_usize)) {
        let dir = tempfile::tempdir().unwrap();
        let journal = Journal::at(dir.path(), "host");
        for (number, facts) in calls.iter().enumerate() {
            let facts = facts.iter().cloned().map(Fact::for_journal).collect();
            journal.append(&Entry { facts, ..Entry::default() }).unwrap();
            if torn == Some(number) {
                // A kill in the middle of a line; later calls go on behind it.
                use std::io::Write as _;
                let path = dir.path().join("journal/host.jsonl");
                let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
                file.write_all(b"{\"at\":1,\"facts\":[{\"sessionCl").unwrap();
            }
        }
        prop_assert_eq!(journal.load().0, live(&calls));
    }
}
