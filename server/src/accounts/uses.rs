//! When sessions and tokens were used last, gathered so that a visit costs no write.

use std::collections::HashMap;

use parking_lot::Mutex;
use rookery_core::time::Timestamp;

use crate::gateway::SessionId;

/// Uses gathered between two writes, which are a minute apart; further ones go unnoted until then.
const MOST: usize = 65_536;

#[derive(Debug, Default)]
pub(super) struct Uses(Mutex<HashMap<SessionId, Timestamp>>);

impl Uses {
    pub(super) fn note(&self, session: SessionId, at: Timestamp) {
        let mut uses = self.0.lock();
        if uses.len() < MOST || uses.contains_key(&session) {
            uses.insert(session, at);
        }
    }

    /// When that session was used last since the last write; the beginning of time when it was not.
    pub(super) fn last(&self, session: SessionId) -> Timestamp {
        self.0.lock().get(&session).copied().unwrap_or_default()
    }

    pub(super) fn take(&self) -> Vec<(SessionId, Timestamp)> {
        std::mem::take(&mut *self.0.lock()).into_iter().collect()
    }
}
