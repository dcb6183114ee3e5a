//! Where a call runs: which session, and behind which other calls it waits.

use super::Engine;
use super::prepare::Request;
use crate::command::Sessionless;
use crate::input::Input;
use crate::session::key::SessionKey;
use crate::session::state::SessionState;
use crate::session::target::{Target, managed_target};

impl Engine {
    /// Calls of one lane wait for each other: the managed session is one lane, whatever its name.
    pub(super) fn lane_of(&self, request: &Request, input: &Input) -> String {
        match request.argv.session() {
            Some(name) => format!("named {:?} {name}", request.argv.namespace()),
            None if request.sessionless != Sessionless::No => {
                format!("none {:p} {}", input, request.argv.words.join(" "))
            }
            None => "managed".to_owned(),
        }
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
