//! Who of the players is there, as the owner of the game is told. Only the last word counts, so one
//! report a seat is under way at a time, and it says what is true when it is sent.

use std::sync::Arc;

use rookery_core::id::{GameId, Seat};
use rookery_core::time::Millis;
use tokio::runtime::Handle;

use super::Rooms;
use crate::bus::{Ask, Reply, Request};
use crate::gateway::Games;

/// How soon a report is repeated that the owner could not take.
const AGAIN_AFTER: Millis = Millis(250);

/// How often: for ten seconds, by which time the owner has recovered or somebody came or went again.
const TRIES: u32 = 40;

impl Rooms {
    /// Reports the presence of a seat's player, now and until the owner knows it.
    pub(super) fn report(&self, game: GameId, seat: Seat) {
        let games = self.inner.games.get().cloned();
        // Without a runtime the process ends, and its successor finds everybody away.
        if let (Some(games), Ok(runtime)) = (games, Handle::try_current()) {
            runtime.spawn(self.clone().keep_reporting(games, game, seat));
        }
    }

    async fn keep_reporting(self, games: Arc<dyn Games>, game: GameId, seat: Seat) {
        if !self.begin_report(game, seat) {
            return;
        }
        for _ in 0..TRIES {
            let Some((player, online)) = self.presence(game, seat) else {
                break;
            };
            let request = Request {
                game,
                held: Millis::ZERO,
                ask: Ask::Presence { player, online },
            };
            match games.ask(request).await {
                Reply::Busy | Reply::Retry => self.inner.clock.sleep(AGAIN_AFTER).await,
                _ if self.end_report(game, seat, online) => return,
                _ => {}
            }
        }
        self.give_up_report(game, seat);
    }

    /// False when a report of that seat is under way: it will say what is true by then.
    fn begin_report(&self, game: GameId, seat: Seat) -> bool {
        self.room(game).is_some_and(|room| {
            let reporting = &mut room.lock().reporting[seat];
            !std::mem::replace(reporting, true)
        })
    }

    fn presence(&self, game: GameId, seat: Seat) -> Option<(rookery_core::id::PlayerId, bool)> {
        let room = self.room(game)?;
        let room = room.lock();
        Some((room.player(seat)?, room.is_here(seat)))
    }

    /// True when what was reported is still so.
    fn end_report(&self, game: GameId, seat: Seat, reported: bool) -> bool {
        self.room(game).is_none_or(|room| {
            let mut room = room.lock();
            let done = room.is_here(seat) == reported;
            room.reporting[seat] = !done;
            done
        })
    }

    fn give_up_report(&self, game: GameId, seat: Seat) {
        if let Some(room) = self.room(game) {
            room.lock().reporting[seat] = false;
        }
    }
}
