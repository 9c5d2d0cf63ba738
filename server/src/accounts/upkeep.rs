//! What is done for accounts while nobody asks.

use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::CloseCode;

use super::Accounts;
use crate::stores::archive::Result;

/// How often another process's revocations are looked for.
const LOOK_EVERY: Millis = Millis::from_secs(2);

/// How often it is written down when sessions were used, and what is expired is forgotten.
const UPKEEP_EVERY: Millis = Millis::from_mins(1);

impl Accounts {
    /// Looks after sessions for as long as the server runs: learns what other processes revoked, writes
    /// down uses, forgets what is expired.
    pub async fn run(self) {
        let clock = &self.inner.clock;
        let mut looked = clock.now();
        let mut kept_up = clock.now();
        loop {
            clock.sleep(LOOK_EVERY).await;
            let now = clock.now();
            match self.look(looked).await {
                Ok(()) => looked = now,
                Err(error) => tracing::warn!(%error, "revocations could not be read"),
            }
            if now.since(kept_up) >= UPKEEP_EVERY {
                kept_up = now;
                self.keep_up(now).await;
            }
        }
    }

    /// Writes down when sessions were used last.
    pub async fn flush(&self) {
        let uses = self.inner.uses.take();
        if uses.is_empty() {
            return;
        }
        if let Err(error) = self.inner.archive.note_use(&uses).await {
            tracing::warn!(%error, "uses of sessions could not be written");
        }
    }

    async fn look(&self, since: Timestamp) -> Result<()> {
        for row in self.inner.revoked.learn(&self.inner.archive, since).await? {
            self.inner
                .online
                .close_session(row.player, row.session, CloseCode::Revoked);
        }
        Ok(())
    }

    async fn keep_up(&self, now: Timestamp) {
        self.flush().await;
        self.inner.revoked.forget_expired(now);
        let unused = now - self.life();
        if let Err(error) = self.inner.archive.forget_expired(unused, now).await {
            tracing::warn!(%error, "expired sessions could not be forgotten");
        }
    }
}
