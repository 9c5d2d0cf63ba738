//! A game's record, read whole: for one who begins to watch, and for one who asks again what was done.

use std::sync::Arc;

use rookery_core::game::{Event, Game, ReplayError, What};
use rookery_core::id::{BySeat, CommandId, PlayerId, Seat, Seq};
use rookery_core::time::Timestamp;
use rookery_protocol::{self as wire, ServerMessage};

use super::{Story, Track, game_to_wire, online as online_to_wire, state};

/// A record that was replayed.
#[derive(Clone, Debug)]
pub struct Record {
    game: Game,
}

impl Record {
    /// Reads the events of a game, from its birth on.
    pub fn replay(events: &[Arc<Event>]) -> Result<Record, ReplayError> {
        Game::replay(events).map(|game| Record { game })
    }

    /// The number of the event that comes next.
    pub fn end(&self) -> Seq {
        Track::after(&self.game).next()
    }

    /// The seat of a player.
    pub fn seat_of(&self, player: Option<PlayerId>) -> Option<Seat> {
        let players = &self.game.birth().players;
        Seat::BOTH
            .into_iter()
            .find(|&seat| Some(players[seat].id) == player)
    }

    /// The events from a number on.
    pub fn since(&self, from: Seq) -> &[Arc<Event>] {
        self.game
            .events()
            .get(from.0 as usize..)
            .unwrap_or_default()
    }

    /// What goes on from here.
    pub fn story(&self) -> Story {
        Story::after(&self.game)
    }

    /// The whole state in one message.
    pub fn state(&self, online: BySeat<bool>) -> ServerMessage {
        ServerMessage::Game(Box::new(state(&self.game, online)))
    }

    /// The events from a number on, in one message.
    pub fn missed(&self, from: Seq, online: BySeat<bool>, now: Timestamp) -> ServerMessage {
        let birth = self.game.birth();
        let mut track = Track::of(birth);
        let events = self.game.events().iter();
        let told = events.map(|event| (event.seq, track.read(event)));
        ServerMessage::Events(wire::Events {
            game: game_to_wire(birth.game),
            events: told
                .filter(|(seq, _)| *seq >= from)
                .map(|(_, event)| event)
                .collect(),
            online: online_to_wire(online),
            at: now.0,
        })
    }

    /// What became of a player's command, when it was one of those that led to this record.
    pub fn ruling_on(&self, player: PlayerId, id: wire::RequestId) -> Option<wire::Ruling> {
        let seat = self.seat_of(Some(player))?;
        let caused = self.game.events().iter().find(|event| {
            let by = event.by.filter(|by| by.seat == seat);
            by.is_some_and(|by| by.id == CommandId(id.get()))
        })?;
        Some(match caused.what {
            What::Claimed { right: true, .. } => wire::Ruling::ClaimRight,
            What::Claimed { right: false, .. } => wire::Ruling::ClaimWrong,
            _ => wire::Ruling::Done,
        })
    }
}
