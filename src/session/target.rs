//! Which session a call is for (SES-01…05, DEC-30).

use super::key::SessionKey;
use super::state::State;

/// How the caller wants the managed session to be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionMode {
    /// The current one, or a first one.
    #[default]
    Auto,
    /// A new one, which later calls follow.
    Fresh,
}

impl SessionMode {
    /// The word of the input field.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Fresh => "fresh",
        }
    }
}

/// The session of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// None: the command needs no browser.
    None,
    /// A throw-away session of ours, closed after the answer (DEC-99).
    ThrowAway(SessionKey),
    /// One that the caller named; it stays the caller's.
    Named(SessionKey),
    /// The managed one.
    Managed {
        /// Its key.
        key: SessionKey,
        /// The number in its name.
        ordinal: u32,
        /// The caller asked for a new one.
        fresh: bool,
    },
}

impl Target {
    /// The key, where there is one.
    #[must_use]
    pub fn key(&self) -> Option<&SessionKey> {
        match self {
            Self::None => None,
            Self::ThrowAway(key) | Self::Named(key) | Self::Managed { key, .. } => Some(key),
        }
    }

    /// The wrapper owns the browser of this session.
    #[must_use]
    pub fn is_managed(&self) -> bool {
        matches!(self, Self::Managed { .. })
    }

    /// `--namespace NS --session S` of its key; none where there is no session. Who shows them
    /// decides whether the visible text needs them (DEC-69).
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        self.key().map(SessionKey::tokens).unwrap_or_default()
    }
}

/// Chooses the managed session for a call.
#[must_use]
pub fn managed_target(
    state: &State,
    base: &str,
    namespace: Option<&str>,
    mode: SessionMode,
) -> Target {
    let current = state.managed.current.as_ref();
    let key_of = |ordinal: u32| SessionKey {
        namespace: namespace.map(str::to_owned),
        name: if ordinal == 0 { base.to_owned() } else { format!("{base}-f{ordinal}") },
    };
    let same_namespace =
        |key: &SessionKey| namespace.is_none() || key.namespace.as_deref() == namespace;
    match (mode, current) {
        (SessionMode::Auto, Some((key, ordinal))) if same_namespace(key) => {
            Target::Managed { key: key.clone(), ordinal: *ordinal, fresh: false }
        }
        (SessionMode::Auto, _) => {
            let ordinal = state.managed.next_ordinal();
            Target::Managed { key: key_of(ordinal), ordinal, fresh: false }
        }
        (SessionMode::Fresh, _) => {
            let ordinal = state.managed.next_ordinal();
            Target::Managed { key: key_of(ordinal), ordinal, fresh: true }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fact::Fact;
    use super::*;

    fn name(target: &Target) -> &str {
        &target.key().unwrap().name
    }

    // SES-03, SES-05, IN-MODE-02, IN-MODE-03
    #[test]
    fn auto_follows_the_current_session_and_fresh_takes_a_new_name() {
        let mut state = State::default();
        let first = managed_target(&state, "mcp-x", None, SessionMode::Auto);
        assert_eq!(name(&first), "mcp-x");
        state.apply(&Fact::ManagedCurrent { key: first.key().unwrap().clone(), ordinal: 0 });
        assert_eq!(name(&managed_target(&state, "mcp-x", None, SessionMode::Auto)), "mcp-x");
        let fresh = managed_target(&state, "mcp-x", None, SessionMode::Fresh);
        assert_eq!(name(&fresh), "mcp-x-f1");
    }

    // SES-03
    #[test]
    fn auto_follows_the_current_session_only_in_its_namespace() {
        let key = SessionKey { namespace: Some("n".into()), name: "mcp-x".into() };
        let state = State::replay(&[Fact::ManagedCurrent { key: key.clone(), ordinal: 0 }]);
        let auto = |namespace| managed_target(&state, "mcp-x", namespace, SessionMode::Auto);
        assert_eq!(auto(None).key(), Some(&key));
        assert_eq!(auto(Some("n")).key(), Some(&key));
        let other = SessionKey { namespace: Some("o".into()), name: "mcp-x-f1".into() };
        assert_eq!(auto(Some("o")), Target::Managed { key: other, ordinal: 1, fresh: false });
    }

    #[test]
    fn only_the_managed_session_is_ours_and_every_session_has_its_tokens() {
        let key = SessionKey::named("s");
        let managed = Target::Managed { key: key.clone(), ordinal: 0, fresh: false };
        assert!(managed.is_managed());
        for other in [Target::Named(key.clone()), Target::ThrowAway(key), managed] {
            assert_eq!(other.is_managed(), matches!(other, Target::Managed { .. }));
            assert_eq!(other.tokens(), ["--session", "s"]);
        }
        assert!(!Target::None.is_managed());
        assert_eq!(Target::None.tokens(), Vec::<String>::new());
    }

    #[test]
    fn modes_are_called_as_the_caller_writes_them() {
        assert_eq!([SessionMode::Auto.name(), SessionMode::Fresh.name()], ["auto", "fresh"]);
    }

    // SES-22
    #[test]
    fn after_a_close_the_next_name_is_new() {
        let mut state = State::default();
        let key = SessionKey::named("mcp-x");
        state.apply(&Fact::ManagedCurrent { key: key.clone(), ordinal: 0 });
        state.apply(&Fact::SessionClosed { key });
        assert_eq!(name(&managed_target(&state, "mcp-x", None, SessionMode::Auto)), "mcp-x-f1");
    }
}
