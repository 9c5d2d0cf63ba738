//! The whole state of a game, made from its record.

use std::sync::Arc;

use rookery_core::board::{Board, Uci};
use rookery_core::game::{Birth, ClockReading, Event, Outcome, PauseReason, What};
use rookery_core::id::{BySeat, Seat};
use rookery_core::time::Timestamp;
use rookery_protocol as wire;

use super::event::{birth, players, uci_to_wire};
use super::words::pause;
use super::{clock, game_to_wire, online as online_to_wire, outcome, seat_to_wire, terms};

/// The state after the last of these events, which begin with the birth; none when they do not.
pub fn state(events: &[Arc<Event>], online: BySeat<bool>) -> Option<wire::GameState> {
    let birth = birth(events)?;
    let mut fold = Fold::new(birth);
    for event in events {
        fold.take(event);
    }
    let last = events.last()?;
    Some(wire::GameState {
        game: game_to_wire(birth.game),
        seq: last.seq.0,
        at: fold.read_at.0,
        terms: terms(&birth.terms),
        players: players(birth),
        starts_at: birth.starts_at.0,
        fen: fold.fen(birth),
        ply: u32::try_from(fold.moves.len()).expect("games are bounded to far fewer moves"),
        moves: fold.played(),
        clock: clock(fold.clock),
        offer: fold.offer.map(seat_to_wire),
        takeback: fold.takeback.map(seat_to_wire),
        paused: fold.paused.map(pause),
        online: online_to_wire(online),
        outcome: fold.outcome.map(outcome),
    })
}

/// Both clocks as they stand before the first event that shows them: White's runs from the start.
pub fn clock_at_birth(birth: &Birth) -> ClockReading {
    let base = birth.terms.control.base();
    ClockReading {
        left: BySeat::new_with(|_| base),
        running: Some(first_to_move(birth)),
    }
}

/// Whose move it is at the start.
pub fn first_to_move(birth: &Birth) -> Seat {
    let fen = birth.terms.start_fen.as_deref();
    fen.and_then(|fen| Board::from_fen(fen).ok())
        .map_or(Seat::White, |board| board.turn())
}

struct Fold<'a> {
    moves: Vec<(Uci, &'a str)>,
    clock: ClockReading,
    read_at: Timestamp,
    offer: Option<Seat>,
    takeback: Option<Seat>,
    paused: Option<PauseReason>,
    outcome: Option<Outcome>,
    first: Seat,
}

impl<'a> Fold<'a> {
    fn new(birth: &Birth) -> Fold<'a> {
        Fold {
            moves: Vec::new(),
            clock: clock_at_birth(birth),
            read_at: birth.starts_at,
            offer: None,
            takeback: None,
            paused: None,
            outcome: None,
            first: first_to_move(birth),
        }
    }

    fn take(&mut self, event: &'a Event) {
        match &event.what {
            What::Born(_) => {}
            What::Moved {
                uci,
                san,
                clock,
                offer,
                ..
            } => {
                let mover = self.turn();
                self.moves.push((*uci, san));
                self.read(*clock, event);
                // A move lets the opponent's offer and proposal lapse.
                self.offer = if *offer {
                    Some(mover)
                } else {
                    self.offer.filter(|&by| by == mover)
                };
                self.takeback = self.takeback.filter(|&by| by == mover);
            }
            What::Offered { seat, .. } => self.offer = Some(*seat),
            What::Declined { .. } => self.offer = None,
            What::Claimed { clock, .. } => self.read(*clock, event),
            What::TakebackProposed { seat } => self.takeback = Some(*seat),
            What::TakebackDeclined { .. } => self.takeback = None,
            What::TakenBack { plies, clock } => {
                let left = self.moves.len().saturating_sub(*plies as usize);
                self.moves.truncate(left);
                self.takeback = None;
                self.offer = None;
                self.read(*clock, event);
            }
            What::Paused { reason, clock } => {
                self.paused = Some(*reason);
                self.read(*clock, event);
            }
            What::Resumed { clock } => {
                self.paused = None;
                self.read(*clock, event);
            }
            What::Ended { outcome, clock } => {
                self.outcome = Some(*outcome);
                self.offer = None;
                self.takeback = None;
                self.read(*clock, event);
            }
        }
    }

    fn read(&mut self, clock: ClockReading, event: &Event) {
        self.clock = clock;
        self.read_at = event.at;
    }

    fn turn(&self) -> Seat {
        if self.moves.len().is_multiple_of(2) {
            self.first
        } else {
            self.first.other()
        }
    }

    fn fen(&self, birth: &Birth) -> wire::Fen {
        let start = birth.terms.start_fen.as_deref();
        let mut board = start
            .and_then(|fen| Board::from_fen(fen).ok())
            .unwrap_or_default();
        for &(uci, _) in &self.moves {
            let mv = board.legal(uci).expect("only legal moves are recorded");
            board.play(mv);
        }
        board
            .fen()
            .parse()
            .expect("a legal position is written in the wire's alphabet")
    }

    fn played(&self) -> Vec<wire::Played> {
        self.moves
            .iter()
            .map(|&(uci, san)| wire::Played {
                uci: uci_to_wire(uci),
                san: san.to_owned(),
            })
            .collect()
    }
}
