//! A lobby with nobody in it, and a scribe who remembers.

use parking_lot::Mutex;
use rookery_core::id::{GameId, PlayerId};
use rookery_protocol as wire;

use crate::gateway::{Desk, Identity, LobbyAsk, LobbyDone, Pending, Said, Scribe};

/// Remembers what was said.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) lines: Mutex<Vec<String>>,
}

impl Scribe for Memory {
    fn said(&self, line: Said) {
        self.lines.lock().push(line.text);
    }
}

pub(super) struct EmptyDesk;

impl Desk for EmptyDesk {
    fn serve(&self, _: &Identity, ask: LobbyAsk) -> Pending<Result<LobbyDone, wire::ErrorCode>> {
        let answer = match ask {
            LobbyAsk::LeavePool => Ok(LobbyDone::default()),
            _ => Err(wire::ErrorCode::UnknownPool),
        };
        Box::pin(async move { answer })
    }

    fn overview(&self) -> wire::Lobby {
        wire::Lobby {
            seeks: Vec::new(),
            pools: Vec::new(),
        }
    }

    fn live_games(&self, _: PlayerId) -> Vec<GameId> {
        Vec::new()
    }

    fn left(&self, _: PlayerId) {}
}
