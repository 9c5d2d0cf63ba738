//! What the handlers of requests have at hand.

use std::net::IpAddr;
use std::sync::Arc;

use rookery_core::time::Millis;

use super::HttpConfig;
use super::live::LiveGames;
use crate::accounts::{Accounts, Throttle};
use crate::clock::Clock;
use crate::gateway::{Desk, Games, Sessions};
use crate::stores::archive::Archive;

/// Cheap to clone.
#[derive(Clone)]
pub struct Api {
    inner: Arc<Inner>,
}

struct Inner {
    parts: Parts,
    requests: Throttle<IpAddr>,
}

/// What an [`Api`] is made of.
pub struct Parts {
    /// Accounts, and who may come in.
    pub accounts: Accounts,
    /// The finished games.
    pub archive: Archive,
    /// The owners of live games.
    pub games: Arc<dyn Games>,
    /// Which games are live.
    pub live: LiveGames,
    /// Where players find each other.
    pub desk: Arc<dyn Desk>,
    /// Who is there.
    pub online: Sessions,
    /// The time.
    pub clock: Clock,
    /// The settings.
    pub config: HttpConfig,
    /// The address players know.
    pub public_url: Option<String>,
}

impl Api {
    /// Puts the parts together.
    pub fn new(parts: Parts) -> Api {
        // One each so many ms: at most 1000 a second.
        let refill = Millis((1000 / u64::from(parts.config.requests_per_second)).max(1));
        let requests = Throttle::new(parts.config.request_burst, refill);
        Api {
            inner: Arc::new(Inner { parts, requests }),
        }
    }

    pub(super) fn requests(&self) -> &Throttle<IpAddr> {
        &self.inner.requests
    }

    pub(super) fn accounts(&self) -> &Accounts {
        &self.inner.parts.accounts
    }

    pub(super) fn archive(&self) -> &Archive {
        &self.inner.parts.archive
    }

    pub(super) fn games(&self) -> &dyn Games {
        self.inner.parts.games.as_ref()
    }

    pub(super) fn live(&self) -> &LiveGames {
        &self.inner.parts.live
    }

    pub(super) fn desk(&self) -> &dyn Desk {
        self.inner.parts.desk.as_ref()
    }

    pub(super) fn online(&self) -> &Sessions {
        &self.inner.parts.online
    }

    pub(super) fn clock(&self) -> &Clock {
        &self.inner.parts.clock
    }

    pub(super) fn config(&self) -> &HttpConfig {
        &self.inner.parts.config
    }

    pub(super) fn public_url(&self) -> Option<&str> {
        self.inner.parts.public_url.as_deref()
    }
}
