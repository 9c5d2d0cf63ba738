//! Clocks that stand because of us (design, invariant 7), and who is connected. Presence is no part of
//! the record: a recovered game learns it anew.

use crate::clock::ChessClock;
use crate::game::decide::Draft;
use crate::game::{Event, Game, PauseReason, What};
use crate::id::{BySeat, Seat};
use crate::time::{Millis, Timestamp};

/// How long a clock waits for a player who was lost by our fault: long enough for a page to notice and
/// to connect again, short enough for the opponent.
pub const RETURN_WITHIN: Millis = Millis::from_secs(30);

/// What a recovered clock keeps of what it still had.
const LAST_MILLI: Millis = Millis(1);

/// Whether a player is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// He is there, or was at birth and nothing else was heard.
    Here,
    /// He left, or his connection did.
    Away { since: Timestamp },
    /// We lost him: until then his clock stands, and it never counts as an absence of his.
    Lost {
        until: Timestamp,
        reason: PauseReason,
    },
}

impl Game {
    /// A player's first socket came, or his last one went. Gives the events to apply: his clock goes on
    /// if it was waiting for him.
    pub fn seen(&mut self, seat: Seat, online: bool, at: Timestamp) -> Vec<Event> {
        match (online, self.presence[seat]) {
            (true, _) => self.presence[seat] = Presence::Here,
            (false, Presence::Here) => self.presence[seat] = Presence::Away { since: at },
            (false, Presence::Away { .. } | Presence::Lost { .. }) => {}
        }
        let mut draft = self.draft(at.max(self.last_at()));
        if online && self.is_paused() && self.board.turn() == seat {
            self.resume(&mut draft);
        }
        draft.into_events()
    }

    /// A player was lost by our fault, `reason`. Gives the events to apply: his clock, if it runs, stands
    /// until he is back, at most [`RETURN_WITHIN`].
    pub fn lost(&mut self, seat: Seat, reason: PauseReason, at: Timestamp) -> Vec<Event> {
        let until = at + RETURN_WITHIN;
        self.presence[seat] = Presence::Lost { until, reason };
        let mut draft = self.draft(at.max(self.last_at()));
        if self.clock.running() == Some(seat) {
            let mut clock = self.clock;
            clock.stop(at, Millis::ZERO);
            self.pause(&mut draft, reason, clock);
        }
        draft.into_events()
    }

    /// The game was taken from its record at `now`. Its former owner is known to have lived until
    /// `alive`, by the clock that dated the record: so long the running clock is charged, and it stands
    /// until the side to move is back. Gives the events to apply.
    ///
    /// This fells no flag and ends no time for a first move: what was received in time but not stored went
    /// down with its owner, so the player gets his say.
    pub fn recovered(&mut self, alive: Timestamp, now: Timestamp) -> Vec<Event> {
        let until = now + RETURN_WITHIN;
        let reason = PauseReason::Recovery;
        self.presence = BySeat::new_with(|_| Presence::Lost { until, reason });
        // Not after the last event: `now` may come from another clock than the one that dated it.
        let mut draft = self.draft(now);
        if self.outcome.is_none() {
            let lived = match self.runs_out(Millis::ZERO) {
                Some((_, out)) => alive.min(out - LAST_MILLI),
                None => alive,
            };
            let mut clock = self.clock;
            clock.stop(lived, Millis::ZERO);
            self.pause(&mut draft, reason, clock);
        }
        draft.into_events()
    }

    /// The server was slow to store or to tell, for `span`: the running clock gets it back. Gives the
    /// events to apply.
    pub fn stalled(&self, span: Millis, now: Timestamp) -> Vec<Event> {
        let mut draft = self.draft(now.max(self.last_at()));
        if self.clock.running().is_some() {
            let mut clock = self.clock;
            clock.stop(now, span);
            self.pause(&mut draft, PauseReason::Stall, clock);
            clock.hand_to(self.board.turn());
            draft.push(What::Resumed {
                clock: clock.reading(),
            });
        }
        draft.into_events()
    }

    /// Whether clocks stand in a live game.
    pub fn is_paused(&self) -> bool {
        self.outcome.is_none() && self.clock.running().is_none()
    }

    /// Stops again, in the draft, a clock just handed to a player who is still awaited.
    pub(super) fn pause_if_awaited(&self, draft: &mut Draft<'_>, seat: Seat, clock: ChessClock) {
        match self.presence[seat] {
            Presence::Lost { until, reason } if draft.at() < until => {
                self.pause(draft, reason, clock)
            }
            _ => {}
        }
    }

    /// A player has acted: if we lost him he is back, and if he is away he is so from now on only.
    pub(super) fn heard(&mut self, seat: Seat, at: Timestamp) {
        self.presence[seat] = match self.presence[seat] {
            Presence::Here | Presence::Lost { .. } => Presence::Here,
            Presence::Away { .. } => Presence::Away { since: at },
        };
    }

    /// Until when the clock of `seat` stands if he does not come back; long ago if he is not awaited.
    pub(super) fn awaited_until(&self, seat: Seat) -> Timestamp {
        match self.presence[seat] {
            Presence::Lost { until, .. } => until,
            Presence::Here | Presence::Away { .. } => Timestamp(0),
        }
    }

    pub(super) fn pause(&self, draft: &mut Draft<'_>, reason: PauseReason, mut clock: ChessClock) {
        clock.stop(clock.since(), Millis::ZERO);
        draft.push(What::Paused {
            reason,
            clock: clock.reading(),
        });
    }

    pub(super) fn resume(&self, draft: &mut Draft<'_>) {
        let mut clock = self.clock;
        clock.hand_to(self.board.turn());
        draft.push(What::Resumed {
            clock: clock.reading(),
        });
    }
}
