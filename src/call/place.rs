//! Where a call runs: which session, and behind which other calls it waits.

use super::Engine;
use super::prepare::Request;
use crate::command::Sessionless;
use crate::input::Input;
use crate::session::key::SessionKey;
use crate::session::lock::Lane;
use crate::session::state::SessionState;
use crate::session::target::{Target, managed_target};

impl Engine {
    /// Behind which calls this one waits; `None` for a call that uses no session.
    pub(super) fn lane_of(&self, request: &Request) -> Option<Lane> {
        let namespace = request.argv.namespace().map(str::to_owned);
        match (request.argv.session(), request.sessionless) {
            (Some(name), _) if self.is_own_name(name) => Some(Lane::Managed),
            (Some(name), _) => Some(Lane::Named(SessionKey { namespace, name: name.to_owned() })),
            (None, Sessionless::Yes) => None,
            (None, Sessionless::NeedsThrowaway) => Some(Lane::ThrowAway),
            (None, Sessionless::No) => Some(Lane::Managed),
        }
    }

    /// A name that this engine gives its managed sessions, those of apps included.
    pub(super) fn is_own_name(&self, name: &str) -> bool {
        let behind = name.strip_prefix(&self.base_name);
        behind.is_some_and(|rest| rest.is_empty() || rest.starts_with("-f"))
    }

    pub(super) fn target_of(
        &self,
        request: &Request,
        input: &Input,
    ) -> (Target, Option<SessionState>) {
        let state = self.state();
        let namespace = request.argv.namespace().map(str::to_owned);
        let target = match (request.argv.session(), request.sessionless) {
            (Some(name), _) => {
                let key = SessionKey { namespace, name: name.to_owned() };
                // The caller may name the managed session itself (SES-23).
                match &state.managed.current {
                    Some((current, ordinal)) if *current == key => {
                        Target::Managed { key, ordinal: *ordinal, fresh: false }
                    }
                    // A session of ours that an app has kept keeps its options too.
                    _ if state.app_of(&key).is_some() => {
                        let ordinal = state.managed.highest.unwrap_or_default();
                        Target::Managed { key, ordinal, fresh: false }
                    }
                    _ => Target::Named(key),
                }
            }
            (None, Sessionless::Yes) => Target::None,
            (None, Sessionless::NeedsThrowaway) => {
                Target::ThrowAway(SessionKey::named(format!("{}-x", self.base_name)))
            }
            (None, Sessionless::No) => {
                managed_target(&state, &self.base_name, namespace.as_deref(), input.session_mode)
            }
        };
        let session = target.key().and_then(|key| state.session(key)).cloned();
        (target, session)
    }
}
