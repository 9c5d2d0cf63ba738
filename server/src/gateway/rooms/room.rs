//! One game as those see it who watch it here. Numbers decide who is told what: a watcher knows the
//! number it waits for, so nothing comes twice and nothing is left out, in whatever order joining,
//! telling and recovering meet.

use std::cmp::Ordering;

use rookery_core::game::Event;
use rookery_core::id::{BySeat, GameId, PlayerId, Seat, Seq};
use rookery_core::time::Timestamp;

use super::chat::Chats;
use super::ticks::SPECTATOR_TICK;
use super::{Guest, Joined, Limits, Wish};
use crate::gateway::outbox::Frame;
use crate::gateway::sessions::SocketId;
use crate::translate::{Record, Story};

/// The watchers of one game and what is known of it.
pub(super) struct Room {
    game: GameId,
    /// Sockets of the two players.
    pub(super) seated: Vec<Watcher>,
    pub(super) spectators: Vec<Watcher>,
    /// Those whose record is on its way.
    joining: Vec<Watcher>,
    /// The last event told here.
    told: Option<Seq>,
    /// None until the first record came, and after a hole in what was told.
    pub(super) known: Option<Story>,
    pub(super) chats: Chats,
    /// When the next tick is due, if one is.
    pub(super) armed: Option<Timestamp>,
    /// When spectators are next shown the clocks.
    pub(super) spectators_due: Timestamp,
    /// Seats whose presence is on its way to the owner.
    pub(super) reporting: BySeat<bool>,
}

/// A socket that watches.
pub(super) struct Watcher {
    pub(super) guest: Guest,
    pub(super) seat: Option<Seat>,
    pub(super) muted: bool,
    /// The event it waits for.
    next: Seq,
}

/// What joining came to.
pub(super) struct Entered {
    pub(super) outcome: Joined,
    /// The seat whose player was not here before.
    pub(super) came: Option<Seat>,
}

/// What leaving came to.
#[derive(Clone, Copy)]
pub(super) struct Left {
    /// The seat whose player is here no longer.
    pub(super) went: Option<Seat>,
}

impl Room {
    pub(super) fn new(game: GameId) -> Room {
        Room {
            game,
            seated: Vec::new(),
            spectators: Vec::new(),
            joining: Vec::new(),
            told: None,
            known: None,
            chats: Chats::default(),
            armed: None,
            spectators_due: Timestamp(0),
            reporting: BySeat::default(),
        }
    }

    pub(super) fn game(&self) -> GameId {
        self.game
    }

    /// Whether nobody would miss it: its game is over or never was, and no one watches.
    pub(super) fn is_forgettable(&self) -> bool {
        let empty = self.seated.is_empty() && self.spectators.is_empty() && self.joining.is_empty();
        empty && self.known.as_ref().is_none_or(Story::is_over)
    }

    pub(super) fn is_over(&self) -> bool {
        self.known.as_ref().is_some_and(Story::is_over)
    }

    /// Whether the player of a seat has a socket here.
    pub(super) fn is_here(&self, seat: Seat) -> bool {
        self.seated.iter().any(|watcher| watcher.seat == Some(seat))
    }

    pub(super) fn player(&self, seat: Seat) -> Option<PlayerId> {
        self.known.as_ref().map(|known| known.player(seat))
    }

    /// Who watches already and asks again keeps his place: a player is not absent meanwhile.
    pub(super) fn enter(&mut self, guest: Guest) {
        let again = self
            .seated
            .iter()
            .chain(&self.spectators)
            .chain(&self.joining);
        if again
            .into_iter()
            .all(|watcher| watcher.guest.socket != guest.socket)
        {
            self.joining.push(Watcher {
                guest,
                seat: None,
                muted: false,
                next: Seq(0),
            });
        }
    }

    pub(super) fn join(
        &mut self,
        socket: SocketId,
        record: &Record,
        wish: Wish,
        limits: Limits,
        now: Timestamp,
    ) -> Entered {
        let outcome = |outcome| Entered {
            outcome,
            came: None,
        };
        let end = record.end();
        if self.told.is_some_and(|told| told >= end) {
            return outcome(Joined::Behind);
        }
        self.catch_up(record);
        let Some(mut watcher) = self.take(socket) else {
            return outcome(Joined::Gone);
        };
        let seat = record.seat_of(watcher.guest.player);
        if seat.is_none() && self.spectators.len() >= limits.watchers {
            return outcome(Joined::Full);
        }
        let came = seat.filter(|&seat| watcher.seat.is_none() && !self.is_here(seat));
        watcher.seat = seat;
        watcher.next = end;
        let online = BySeat::new_with(|of| wish.online[of] || self.is_here(of) || Some(of) == seat);
        let missed = wish.from.filter(|&from| from <= end);
        let message = match missed.filter(|from| end.0 - from.0 <= limits.resume_events) {
            Some(from) => record.missed(from, online, now),
            None => record.state(online),
        };
        let frame = message.to_json().into();
        watcher.guest.outbox.push_event(self.game, frame);
        self.chats.show(self.game, &watcher, self.is_over());
        match seat {
            Some(_) => self.seated.push(watcher),
            None => {
                if self.spectators.is_empty() {
                    // He has just been shown the clocks.
                    self.spectators_due = now + SPECTATOR_TICK;
                }
                self.spectators.push(watcher);
            }
        }
        if let Some(seat) = came {
            self.show_presence(seat, true, now, Some(socket));
        }
        Entered {
            outcome: Joined::In,
            came,
        }
    }

    pub(super) fn leave(&mut self, socket: SocketId, now: Timestamp) -> Option<Left> {
        let watcher = self.take(socket)?;
        let went = watcher.seat.filter(|&seat| !self.is_here(seat));
        if let Some(seat) = went {
            self.show_presence(seat, false, now, None);
        }
        Some(Left { went })
    }

    pub(super) fn give_up(&mut self, socket: SocketId) -> bool {
        self.joining
            .retain(|watcher| watcher.guest.socket != socket);
        self.watcher(socket).is_some()
    }

    pub(super) fn mute(&mut self, socket: SocketId, on: bool) -> bool {
        let watcher = self.watcher_mut(socket);
        watcher.map(|watcher| watcher.muted = on).is_some()
    }

    /// The next event, in the order of its game.
    pub(super) fn tell(&mut self, event: &Event) {
        self.told = self.told.max(Some(event.seq));
        let Some(known) = &mut self.known else {
            return;
        };
        match event.seq.cmp(&known.next()) {
            Ordering::Less => {}
            Ordering::Equal => {
                let frame = Frame::from(known.read(event).to_json());
                let over = known.is_over();
                for watcher in self.seated.iter_mut().chain(&mut self.spectators) {
                    watcher.tell(self.game, event.seq, &frame);
                }
                if over {
                    self.chats.open_to_players(self.game, &self.seated);
                }
            }
            Ordering::Greater => self.lose_track(),
        }
    }

    /// Events were stored that nobody was told, by an owner that is gone: everyone asks anew.
    fn lose_track(&mut self) {
        self.known = None;
        for watcher in self.seated.iter().chain(&self.spectators) {
            watcher.guest.outbox.gap(self.game, watcher.next);
        }
    }

    /// Learns from a record what was not told yet, and tells it.
    fn catch_up(&mut self, record: &Record) {
        match self.known.as_ref().map(Story::next) {
            Some(next) => {
                for event in record.since(next) {
                    self.tell(event);
                }
            }
            None => self.known = Some(record.story()),
        }
    }

    fn take(&mut self, socket: SocketId) -> Option<Watcher> {
        [&mut self.joining, &mut self.seated, &mut self.spectators]
            .into_iter()
            .find_map(|list| {
                let place = list
                    .iter()
                    .position(|watcher| watcher.guest.socket == socket)?;
                Some(list.swap_remove(place))
            })
    }

    pub(super) fn watcher(&self, socket: SocketId) -> Option<&Watcher> {
        let mut all = self.seated.iter().chain(&self.spectators);
        all.find(|watcher| watcher.guest.socket == socket)
    }

    fn watcher_mut(&mut self, socket: SocketId) -> Option<&mut Watcher> {
        let mut all = self
            .seated
            .iter_mut()
            .chain(&mut self.spectators)
            .chain(&mut self.joining);
        all.find(|watcher| watcher.guest.socket == socket)
    }

    fn show_presence(&self, seat: Seat, online: bool, now: Timestamp, but: Option<SocketId>) {
        let Some(known) = self.known.as_ref().filter(|known| !known.is_over()) else {
            return;
        };
        let frame = Frame::from(known.presence(seat, online, now).to_json());
        for watcher in self.seated.iter().chain(&self.spectators) {
            if Some(watcher.guest.socket) != but {
                watcher.guest.outbox.push(frame.clone());
            }
        }
    }
}

impl Watcher {
    fn tell(&mut self, game: GameId, seq: Seq, frame: &Frame) {
        match self.next.cmp(&seq) {
            Ordering::Equal => {
                self.guest.outbox.push_event(game, frame.clone());
                self.next = seq.next();
            }
            Ordering::Less => self.guest.outbox.gap(game, self.next),
            Ordering::Greater => {}
        }
    }
}
