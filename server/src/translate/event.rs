//! The events of a game as the wire tells them. The record says least: who moved and how many
//! half-moves were played follow from the events before, so a [`Track`] reads them in order.

use rookery_core::board::Uci;
use rookery_core::game::{Birth, Event, Game, What};
use rookery_core::id::{Seat, Seq};
use rookery_protocol as wire;

use super::words::{pause, rule_to_wire};
use super::{clock, game_to_wire, outcome, player, seat_to_wire, terms};

/// How far a game's events have been read.
#[derive(Clone, Debug)]
pub struct Track {
    game: wire::GameId,
    first: Seat,
    ply: u32,
    next: Seq,
}

impl Track {
    /// Before the first event of a game born so.
    pub fn of(birth: &Birth) -> Track {
        Track {
            game: game_to_wire(birth.game),
            first: birth
                .terms
                .start_board()
                .map_or(Seat::White, |board| board.turn()),
            ply: 0,
            next: Seq(0),
        }
    }

    /// After the last event of a game.
    pub fn after(game: &Game) -> Track {
        let last = game.events().last().expect("a game has its birth");
        Track {
            ply: game.ply(),
            next: last.seq.next(),
            ..Track::of(game.birth())
        }
    }

    /// The number of the event it reads next.
    pub fn next(&self) -> Seq {
        self.next
    }

    /// Reads the next event.
    pub fn read(&mut self, event: &Event) -> wire::Event {
        let mover = self.turn();
        match &event.what {
            What::Moved { .. } => self.ply += 1,
            What::TakenBack { plies, .. } => self.ply = self.ply.saturating_sub(*plies),
            _ => {}
        }
        self.next = event.seq.next();
        self.write(event, mover)
    }

    fn turn(&self) -> Seat {
        if self.ply.is_multiple_of(2) {
            self.first
        } else {
            self.first.other()
        }
    }

    #[expect(clippy::too_many_lines, reason = "one flat, total match over one enum")]
    fn write(&self, event: &Event, mover: Seat) -> wire::Event {
        let (game, seq, at) = (self.game, event.seq.0, event.at.0);
        macro_rules! event {
            ($name:ident { $($field:ident: $value:expr,)* }) => {
                wire::Event::$name(wire::$name { game, seq, at, $($field: $value,)* })
            };
        }
        match &event.what {
            What::Born(birth) => event!(Born {
                terms: terms(&birth.terms),
                players: players(birth),
                starts_at: birth.starts_at.0,
            }),
            What::Moved {
                uci,
                san,
                clock: left,
                credit,
                bank: _,
                offer,
            } => event!(Moved {
                seat: seat_to_wire(mover),
                ply: self.ply,
                uci: uci_to_wire(*uci),
                san: san.clone(),
                clock: clock(*left),
                credit: credit.0,
                offer: *offer,
            }),
            What::Offered { seat, irregular } => event!(Offered {
                seat: seat_to_wire(*seat),
                irregular: *irregular,
            }),
            What::Declined { seat } => event!(Declined {
                seat: seat_to_wire(*seat),
            }),
            What::Claimed {
                seat,
                rule,
                announced,
                right,
                clock: left,
                credit,
                bank: _,
            } => {
                event!(Claimed {
                    seat: seat_to_wire(*seat),
                    rule: rule_to_wire(*rule),
                    announced: announced.map(uci_to_wire),
                    right: *right,
                    clock: clock(*left),
                    credit: credit.0,
                })
            }
            What::TakebackProposed { seat } => event!(TakebackProposed {
                seat: seat_to_wire(*seat),
            }),
            What::TakebackDeclined { seat } => event!(TakebackDeclined {
                seat: seat_to_wire(*seat),
            }),
            What::TakenBack { plies, clock: left } => event!(TakenBack {
                plies: *plies,
                ply: self.ply,
                clock: clock(*left),
            }),
            What::Paused {
                reason,
                clock: left,
            } => event!(Paused {
                reason: pause(*reason),
                clock: clock(*left),
            }),
            What::Resumed { clock: left } => event!(Resumed {
                clock: clock(*left),
            }),
            What::Ended {
                outcome: how,
                clock: left,
            } => event!(Ended {
                outcome: outcome(*how),
                clock: clock(*left),
            }),
        }
    }
}

pub(super) fn players(birth: &Birth) -> wire::BySeat<wire::Player> {
    wire::BySeat {
        white: player(&birth.players.white),
        black: player(&birth.players.black),
    }
}

pub(super) fn uci_to_wire(uci: Uci) -> wire::Uci {
    uci.to_string()
        .parse()
        .expect("a move is written alike on both sides")
}
