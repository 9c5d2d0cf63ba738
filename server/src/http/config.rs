//! The settings of the REST interface. Opens nothing.

use rookery_core::time::Millis;
use serde::{Deserialize, Serialize};

use crate::config::SettingsGroup;

/// Bounds of the REST interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HttpConfig {
    /// Bytes of the largest body taken; the largest we know, a challenge, has under 1 KiB.
    pub body_bytes: usize,
    /// Time for one answer; the slowest one waits for a queue of password hashes.
    pub timeout_ms: Millis,
    /// Requests of one address (IPv6: one /64) at once.
    pub request_burst: u32,
    /// Requests of one address a second for long.
    pub requests_per_second: u32,
    /// Games of one page of a player's list, unless fewer are asked for.
    pub page_games: u32,
}

impl Default for HttpConfig {
    fn default() -> HttpConfig {
        HttpConfig {
            body_bytes: 16 * 1024,
            timeout_ms: Millis::from_secs(15),
            request_burst: 400,
            requests_per_second: 50,
            page_games: 50,
        }
    }
}

/// Games of the longest page: rows without their moves, about 50 KiB.
pub(super) const MAX_PAGE_GAMES: u32 = 200;

impl SettingsGroup for HttpConfig {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let judged = [
            (
                "body_bytes",
                self.body_bytes < 1024,
                "must be at least 1024",
            ),
            ("timeout_ms", self.timeout_ms.is_zero(), "must not be 0"),
            ("request_burst", self.request_burst == 0, "must not be 0"),
            (
                "requests_per_second",
                self.requests_per_second == 0,
                "must not be 0",
            ),
            (
                "page_games",
                !(1..=MAX_PAGE_GAMES).contains(&self.page_games),
                "must be from 1 to 200",
            ),
        ];
        judged
            .into_iter()
            .filter(|(_, wrong, _)| *wrong)
            .map(|(key, _, problem)| (key, problem.to_owned()))
            .collect()
    }
}
