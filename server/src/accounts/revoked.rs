//! Which sessions and tokens were ended although their tickets still hold. Remembered in memory; the
//! archive has them too, also those that another process wrote.

use std::collections::HashMap;

use parking_lot::RwLock;
use rookery_core::time::{Millis, Timestamp};

use crate::gateway::SessionId;
use crate::stores::archive::{Archive, Result, Revocation};

/// Rows read in one go.
const PAGE: u32 = 10_000;

/// How far back each look goes behind the one before: another process has its own clock.
const OVERLAP: Millis = Millis::from_mins(10);

#[derive(Debug, Default)]
pub(super) struct Revoked {
    /// Until when the tickets of each hold. As long as the archive's table, which logins bound.
    until: RwLock<HashMap<SessionId, Timestamp>>,
}

impl Revoked {
    pub(super) fn contains(&self, session: SessionId) -> bool {
        self.until.read().contains_key(&session)
    }

    pub(super) fn add(&self, session: SessionId, until: Timestamp) {
        self.until.write().insert(session, until);
    }

    pub(super) fn forget_expired(&self, now: Timestamp) {
        self.until.write().retain(|_, until| *until >= now);
    }

    /// Learns what was revoked since a little before `since`, and tells what is new.
    pub(super) async fn learn(
        &self,
        archive: &Archive,
        since: Timestamp,
    ) -> Result<Vec<Revocation>> {
        let mut since = since - OVERLAP;
        let mut news = Vec::new();
        loop {
            let page = archive.revocations(since, PAGE).await?;
            let full = page.len() == PAGE as usize;
            since = page
                .last()
                .map_or(since, |last| last.at.max(since + Millis(1)));
            news.extend(page.into_iter().filter(|row| !self.contains(row.session)));
            if !full {
                break;
            }
        }
        for row in &news {
            self.add(row.session, row.until);
        }
        Ok(news)
    }
}
