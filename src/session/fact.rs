//! Facts: what a call has learned or changed. State is a fold over them, live and restored alike.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::artifact::Artifact;
use super::electron::{CleanupState, ElectronRecord};
use super::key::SessionKey;
use super::refs::RefSnapshot;

/// Where a session's page is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Page {
    /// Address.
    pub url: String,
    /// Title.
    pub title: String,
    /// Identity of the document; empty when unknown.
    pub doc: String,
    /// Upstream's target id of the tab, where it was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Another window has opened it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub popup: bool,
}

impl Page {
    /// The same document in the same tab, as far as both are known.
    #[must_use]
    pub fn is_same_place(&self, other: &Self) -> bool {
        let document = match self.doc.is_empty() || other.doc.is_empty() {
            true => self.url == other.url,
            false => self.doc == other.doc,
        };
        document && self.target == other.target
    }
}

/// An open JavaScript dialog that blocks the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dialog {
    /// `confirm` or `prompt`.
    pub kind: String,
    /// The page's words.
    pub message: String,
}

/// Options that every later call of a session must carry (HAZ-02), and a mark of those that only
/// the launch carried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LaunchRecord {
    /// Daemon-level flags, as tokens.
    pub daemon_tokens: Vec<String>,
    /// Daemon-level variables of the launching call.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub daemon_vars: BTreeMap<String, String>,
    /// The upstream executable that serves the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exe: Option<PathBuf>,
    /// These options gate or deny scripts: no `eval` row may be sent (DEC-92).
    pub gates_scripts: bool,
    /// Launch-scoped flags: name and a hash of the value, so that no secret is kept.
    pub launch_flags: Vec<(String, String)>,
    /// Upstream's hash of the launch options, once it was told.
    #[serde(with = "exact::option")]
    pub launch_hash: Option<u64>,
}

/// For how long another tab than the session's own may have the focus (PAGE-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Drift {
    /// Tabs that a profile has brought back may take it at any time.
    #[default]
    Always,
    /// The state is an earlier one than the browser's, until the browser tells its tab again.
    UntilTold,
}

/// Who records events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tracer {
    /// `trace start`
    Trace,
    /// `profiler start`
    Profiler,
}

impl Tracer {
    /// Its command word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Profiler => "profiler",
        }
    }
}

/// What a killed client has left running in the daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Busy {
    /// Upstream ends it by itself at this second since 1970.
    pub until: u64,
    /// It may be a navigation, which one DevTools message ends.
    pub navigating: bool,
}

/// A `network route`: what it takes, and whether it is meant to fail (DIAG-ROUTE-01).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// The pattern of addresses.
    pub pattern: String,
    /// It aborts what it takes instead of answering it.
    pub aborts: bool,
}

/// Why stored refs are void.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invalidation {
    /// A blank page where a page was (PAGE-25, HAZ-17).
    NoActivePage,
    /// The browser was lost or replaced (HAZ-03).
    PageLost,
    /// The document is another one.
    DocumentChanged,
    /// Another tab is active.
    TabChanged,
    /// A snapshot of a part that is not there: upstream forgets every ref.
    SnapshotFailed,
}

impl Invalidation {
    /// The word in `details.refSnapshotInvalidation.reason`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoActivePage => "no-active-page",
            Self::PageLost => "page-lost",
            Self::DocumentChanged => "document-changed",
            Self::TabChanged => "tab-changed",
            Self::SnapshotFailed => "snapshot-failed",
        }
    }
}

/// One thing that a call has learned.
///
/// ```
/// use agent_browser_native::session::fact::{Fact, Page};
/// use agent_browser_native::session::key::SessionKey;
/// let fact = Fact::PageAt {
///     key: SessionKey::named("mcp-shop"),
///     page: Page { url: "https://shop.test/".into(), ..Page::default() },
/// };
/// let line = serde_json::to_string(&fact).unwrap();
/// assert_eq!(serde_json::from_str::<Fact>(&line).unwrap(), fact);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the variants' documentation says it all")]
pub enum Fact {
    /// A generated name was given out; its number never comes back (SES-09).
    OrdinalUsed { ordinal: u32 },
    /// A browser runs under this key.
    SessionStarted { key: SessionKey, launch: LaunchRecord },
    /// The managed session is this one from now on.
    ManagedCurrent { key: SessionKey, ordinal: u32 },
    /// The browser under this key was closed.
    SessionClosed { key: SessionKey },
    /// The browser under this key is gone or was replaced without our doing (HAZ-03).
    SessionLost { key: SessionKey },
    /// The page is here now.
    PageAt { key: SessionKey, page: Page },
    /// A snapshot gave these refs.
    Refs { key: SessionKey, refs: RefSnapshot },
    /// The refs of the document before; only a compacted journal tells them apart from its own.
    EarlierRefs { key: SessionKey, refs: RefSnapshot },
    /// The stored refs are void.
    RefsInvalidated { key: SessionKey, reason: Invalidation },
    /// A dialog opened or was answered.
    DialogSeen { key: SessionKey, dialog: Option<Dialog> },
    /// The upstream hash of the launch.
    LaunchHash {
        key: SessionKey,
        #[serde(with = "exact")]
        hash: u64,
    },
    /// The id of the action that waits for a confirmation, or none any more (HAZ-10).
    Confirmation { key: SessionKey, id: Option<String> },
    /// Who records events: `trace`, `profiler` or nobody (GUARD-09).
    Tracer { key: SessionKey, tracer: Option<Tracer> },
    /// The file that is being recorded, or none any more (PAGE-14).
    Recording { key: SessionKey, path: Option<String> },
    /// Another tab than the session's own may have the focus: commands name theirs (PAGE-04).
    DriftRisk {
        key: SessionKey,
        #[serde(default)]
        lasts: Drift,
    },
    /// A policy of the session has not let a script run (DEC-92).
    ScriptsGated {
        /// Session.
        key: SessionKey,
    },
    /// A route was set.
    RouteSet { key: SessionKey, route: Route },
    /// The route of this pattern was removed, or all of them.
    RouteRemoved { key: SessionKey, pattern: Option<String> },
    /// A killed client's command goes on in the daemon (HAZ-07).
    Busy { key: SessionKey, busy: Option<Busy> },
    /// A file was saved and verified, or output that was too long was kept.
    ArtifactSaved { artifact: Artifact },
    /// A kept file was deleted to make room (ART-16).
    ArtifactEvicted { path: String },
    /// The session drives a browser or an app that upstream did not start.
    Connected { key: SessionKey },
    /// An app was launched, or another session is attached to it.
    ElectronLaunched { record: ElectronRecord },
    /// What has become of a launched app.
    ElectronCleaned { launch_id: String, state: CleanupState },
}

/// Numbers of 64 bits as text: a host that keeps facts as JSON rounds what exceeds 2^53.
mod exact {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &u64, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<u64, D::Error> {
        String::deserialize(input)?.parse().map_err(D::Error::custom)
    }

    pub(super) mod option {
        use super::{Deserialize, Deserializer, Error, Serializer};

        pub(in super::super) fn serialize<S: Serializer>(
            number: &Option<u64>,
            out: S,
        ) -> Result<S::Ok, S::Error> {
            match number {
                Some(number) => out.collect_str(number),
                None => out.serialize_none(),
            }
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            input: D,
        ) -> Result<Option<u64>, D::Error> {
            let text = Option::<String>::deserialize(input)?;
            text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
        }
    }
}

impl Fact {
    /// The same fact, small enough for a journal line.
    #[must_use]
    pub fn for_journal(self) -> Self {
        match self {
            Self::Refs { key, refs } => Self::Refs { key, refs: refs.for_journal() },
            Self::EarlierRefs { key, refs } => Self::EarlierRefs { key, refs: refs.for_journal() },
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::refs::RefInfo;

    // PI-34
    #[test]
    fn a_host_that_rounds_numbers_does_not_change_a_fact() {
        let launch = LaunchRecord { launch_hash: Some(u64::MAX - 1), ..LaunchRecord::default() };
        let key = SessionKey::named("s");
        for fact in [
            Fact::SessionStarted { key: key.clone(), launch },
            Fact::LaunchHash { key, hash: u64::MAX - 1 },
        ] {
            let mut value = serde_json::to_value(&fact).unwrap();
            round_numbers(&mut value);
            assert_eq!(serde_json::from_value::<Fact>(value).unwrap(), fact);
        }
    }

    fn round_numbers(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Number(number) => *value = number.as_f64().unwrap().into(),
            serde_json::Value::Array(items) => items.iter_mut().for_each(round_numbers),
            serde_json::Value::Object(fields) => fields.values_mut().for_each(round_numbers),
            _ => {}
        }
    }

    #[test]
    fn words_are_the_same_in_details_and_in_facts() {
        for reason in [
            Invalidation::NoActivePage,
            Invalidation::PageLost,
            Invalidation::DocumentChanged,
            Invalidation::TabChanged,
            Invalidation::SnapshotFailed,
        ] {
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.name());
        }
        for tracer in [Tracer::Trace, Tracer::Profiler] {
            assert_eq!(serde_json::to_value(tracer).unwrap(), tracer.word());
        }
    }

    // PAGE-04
    #[test]
    fn the_same_place_is_the_same_document_in_the_same_tab() {
        let page = |url: &str, doc: &str, target: &str| Page {
            url: url.into(),
            doc: doc.into(),
            target: Some(target.into()),
            ..Page::default()
        };
        let here = page("a", "1", "T1");
        // A document may change its address.
        assert!(here.is_same_place(&page("b", "1", "T1")));
        for other in [page("a", "2", "T1"), page("b", "2", "T1"), page("a", "1", "T2")] {
            assert!(!here.is_same_place(&other), "{other:?}");
        }
        // Where a document is not known, its address has to do.
        let unread = page("a", "", "T1");
        for (one, other) in [(&here, &unread), (&unread, &here), (&unread, &unread)] {
            assert!(one.is_same_place(other), "{one:?} {other:?}");
        }
        for other in [page("b", "", "T1"), page("a", "", "T2")] {
            assert!(!here.is_same_place(&other) && !other.is_same_place(&unread), "{other:?}");
        }
    }

    #[test]
    fn refs_survive_the_way_through_a_journal_line() {
        let refs = RefSnapshot {
            refs: BTreeMap::from([(7, RefInfo::default())]),
            ..RefSnapshot::default()
        };
        let fact = Fact::Refs { key: SessionKey::named("s"), refs };
        let line = serde_json::to_string(&fact).unwrap();
        assert_eq!(serde_json::from_str::<Fact>(&line).unwrap(), fact);
    }
}
