//! Settings of the lobby: which pools there are, and on what terms games from the lobby are played.

use rookery_core::clock::TimeControl;
use rookery_core::game::Terms;
use rookery_core::laws::Profile;
use rookery_core::lobby::{Pool, Wish};
use rookery_core::time::Millis;
use serde::{Deserialize, Serialize};

use crate::config::SettingsGroup;

/// The usual clocks of quick pairing.
const USUAL: [&str; 11] = [
    "60", "120+1", "180", "180+2", "300", "300+3", "600", "600+5", "900+10", "1800", "1800+20",
];

/// Pools of a lobby: a page shows each as a button.
const MAX_POOLS: usize = 64;

/// The lobby; keys of the group `lobby`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LobbyConfig {
    /// The clocks of the pools, each rated and casual.
    pub pools: Vec<TimeControl>,
    /// By which Laws pool games are judged, and others that name none.
    pub profile: Profile,
    /// By which Laws games between bots are judged that name none.
    pub bot_profile: Profile,
    /// How long each side may take for its first move; 0 = no limit.
    pub first_move_ms: Millis,
    /// How long a disconnected player may stay away before the opponent may claim; 0 = no claim.
    pub absence_grace_ms: Millis,
    /// How long after the pairing White's clock starts.
    pub start_delay_ms: Millis,
    /// Whether measured lag is credited.
    pub lag_credit: bool,
    /// How often pools are paired and the lobby's changes are sent.
    pub wave_ms: Millis,
}

impl Default for LobbyConfig {
    /// Thirty seconds for a first move is time to find the board; a minute away is more than a tunnel.
    /// A wave a second lets two who come within it choose.
    fn default() -> LobbyConfig {
        LobbyConfig {
            pools: USUAL.iter().filter_map(|text| text.parse().ok()).collect(),
            profile: Profile::Classic,
            bot_profile: Profile::Fide2023,
            first_move_ms: Millis::from_secs(30),
            absence_grace_ms: Millis::from_secs(60),
            start_delay_ms: Millis::ZERO,
            lag_credit: true,
            wave_ms: Millis::from_secs(1),
        }
    }
}

impl SettingsGroup for LobbyConfig {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let mut problems = Vec::new();
        if self.pools.len() > MAX_POOLS {
            problems.push(("pools", format!("at most {MAX_POOLS}")));
        }
        if self.wave_ms < Millis(50) || self.wave_ms > Millis::from_mins(1) {
            problems.push(("wave_ms", "must be from 50 to 60000".to_owned()));
        }
        problems
    }
}

impl LobbyConfig {
    /// Every pool, empty: casual and rated for each clock.
    pub(super) fn pools(&self) -> Vec<Pool> {
        let controls = self.pools.iter();
        controls
            .flat_map(|control| [false, true].map(|rated| (control, rated)))
            .map(|(control, rated)| Pool::new(control.clone(), self.profile, rated))
            .collect()
    }

    /// The terms of a game that comes of `wish`.
    pub(super) fn terms(&self, wish: &Wish) -> Terms {
        let limit = |span: Millis| (!span.is_zero()).then_some(span);
        Terms {
            control: wish.control.clone(),
            profile: wish.profile,
            wrong_claim: None,
            rated: wish.rated,
            lag_credit: self.lag_credit,
            first_move: limit(self.first_move_ms),
            absence_grace: limit(self.absence_grace_ms),
            start_fen: wish.start_fen.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_clock_is_one() {
        assert_eq!(LobbyConfig::default().pools.len(), USUAL.len());
        assert!(LobbyConfig::default().problems().is_empty());
    }
}
