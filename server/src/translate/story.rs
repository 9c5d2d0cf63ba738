//! A game as it goes on: each event as the wire tells it, and the clocks between two of them.

use rookery_core::clock::{ChessClock, ClockReading};
use rookery_core::game::{Event, Game, What};
use rookery_core::id::{BySeat, GameId, PlayerId, Seat, Seq};
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::{self as wire, ServerMessage};

use super::{Track, clock, game_to_wire, seat_to_wire};

/// What is known of a game that is followed.
#[derive(Clone, Debug)]
pub struct Story {
    game: GameId,
    track: Track,
    clock: ChessClock,
    starts_at: Timestamp,
    players: BySeat<PlayerId>,
    absence_grace: Option<Millis>,
    over: bool,
}

/// A clock that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// Since when; later than now while the start is awaited.
    pub since: Timestamp,
    /// What is left of it.
    pub left: Millis,
}

impl Story {
    /// From the last event of a game on.
    pub fn after(game: &Game) -> Story {
        let birth = game.birth();
        Story {
            game: birth.game,
            track: Track::after(game),
            clock: *game.clock(),
            starts_at: birth.starts_at,
            players: BySeat::new_with(|seat| birth.players[seat].id),
            absence_grace: birth.terms.absence_grace,
            over: game.outcome().is_some(),
        }
    }

    /// The number of the event it reads next.
    pub fn next(&self) -> Seq {
        self.track.next()
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Who sits there.
    pub fn player(&self, seat: Seat) -> PlayerId {
        self.players[seat]
    }

    /// The clock that runs, while the game does.
    pub fn running(&self, now: Timestamp) -> Option<Running> {
        let seat = self.clock.running().filter(|_| !self.over)?;
        Some(Running {
            since: self.clock.since(),
            left: self.clock.left(seat, now),
        })
    }

    /// Reads the next event.
    pub fn read(&mut self, event: &Event) -> ServerMessage {
        match &event.what {
            What::Moved { clock, .. }
            | What::Claimed { clock, .. }
            | What::TakenBack { clock, .. }
            | What::Paused { clock, .. }
            | What::Resumed { clock }
            | What::Ended { clock, .. } => self.clock.adopt(*clock, event.at.max(self.starts_at)),
            What::Born(_)
            | What::Offered { .. }
            | What::Declined { .. }
            | What::TakebackProposed { .. }
            | What::TakebackDeclined { .. } => {}
        }
        self.over |= matches!(event.what, What::Ended { .. });
        ServerMessage::Event(self.track.read(event))
    }

    /// Both clocks now.
    pub fn tick(&self, now: Timestamp) -> ServerMessage {
        let reading = ClockReading {
            left: BySeat::new_with(|seat| self.clock.left(seat, now)),
            running: self.clock.running(),
        };
        ServerMessage::Tick(wire::Tick {
            game: game_to_wire(self.game),
            seq: self.next().0.saturating_sub(1),
            at: now.0,
            clock: clock(reading),
        })
    }

    /// A player came or went.
    pub fn presence(&self, seat: Seat, online: bool, now: Timestamp) -> ServerMessage {
        let claim_at = self.absence_grace.filter(|_| !online);
        ServerMessage::Presence(wire::Presence {
            game: game_to_wire(self.game),
            seat: seat_to_wire(seat),
            online,
            at: now.0,
            claim_at: claim_at.map(|grace| (now + grace).0),
        })
    }
}
