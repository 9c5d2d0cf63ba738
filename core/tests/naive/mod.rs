//! A second opinion on one game, written to be believed rather than to be fast: the position is the list
//! of moves, a clock is the sum of a ledger, repetitions are counted over texts, and all refusals that
//! apply are collected before one is said. Shares with the real game its vocabulary (ids, times, terms,
//! acts, outcomes) and nothing that judges; legal moves come from shakmaty as a list.

mod deeds;
mod judge;
mod material;

use rookery_core::game::{Act, ClaimRule, Ending, Outcome, Refusal, Ruling, Score, Terms};
use rookery_core::id::Seat;
use rookery_core::laws::Profile;
use rookery_core::time::{Millis, Timestamp};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// What a player asks, with the lag measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) seat: Seat,
    pub(crate) id: u64,
    pub(crate) ply: u32,
    pub(crate) act: Act,
    pub(crate) lag: u64,
}

/// Why time came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// Thought.
    Used,
    /// Thought, but not charged after all.
    Refunded,
    /// Increment, delay, next stage.
    Earned,
    /// The price of a wrong claim, on either side.
    Claim,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    seat: Seat,
    millis: i64,
    why: Why,
}

struct Played {
    after: Chess,
    /// How long the ledger was after this move.
    mark: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Whereabouts {
    Here,
    Away(u64),
    LostUntil(u64),
}

/// A claim that was judged: who, where, what, and the verdict.
struct Claimed {
    seat: Seat,
    ply: u32,
    rule: ClaimRule,
    announced: Option<String>,
    right: bool,
}

pub(crate) struct Naive {
    terms: Terms,
    start: Chess,
    line: Vec<Played>,
    ledger: Vec<Entry>,
    /// How long the ledger was when the turn began.
    turn_mark: usize,
    runs: Option<Seat>,
    since: u64,
    not_before: u64,
    last_at: u64,
    banks: [Option<i64>; 2],
    offer: Option<Seat>,
    must_wait: [bool; 2],
    takeback: Option<Seat>,
    proposals: u32,
    claims: Vec<Claimed>,
    answered: Vec<(Asked, Ruling)>,
    whereabouts: [Whereabouts; 2],
    over: Option<Outcome>,
}

/// What can be seen of a game from outside.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) fen: String,
    pub(crate) left: [u64; 2],
    pub(crate) runs: Option<Seat>,
    pub(crate) offer: Option<Seat>,
    pub(crate) takeback: Option<Seat>,
    pub(crate) over: Option<Outcome>,
    /// What the lag banks held after the last move or claim of each side.
    pub(crate) banks: [Option<u64>; 2],
}

impl Naive {
    pub(crate) fn new(terms: &Terms, at: Timestamp, starts_at: Timestamp) -> Naive {
        let fen = terms
            .start_fen
            .clone()
            .unwrap_or_else(|| Fen::default().to_string());
        let fen: Fen = fen.parse().expect("the test gives a legal position");
        let start: Chess = fen
            .into_position(CastlingMode::Standard)
            .expect("a legal position");
        Naive {
            terms: terms.clone(),
            runs: Some(start.turn().into()),
            start,
            line: Vec::new(),
            ledger: Vec::new(),
            turn_mark: 0,
            since: starts_at.0.max(at.0),
            not_before: starts_at.0,
            last_at: at.0,
            banks: [None; 2],
            offer: None,
            must_wait: [false; 2],
            takeback: None,
            proposals: 0,
            claims: Vec::new(),
            answered: Vec::new(),
            whereabouts: [Whereabouts::Here; 2],
            over: None,
        }
    }

    pub(crate) fn seen(&self) -> Seen {
        Seen {
            fen: Fen::from_position(self.board(), EnPassantMode::Legal).to_string(),
            left: Seat::BOTH
                .map(|seat| u64::try_from(self.sum(seat)).expect("no clock is below zero")),
            runs: self.runs,
            offer: self.offer,
            takeback: self.takeback,
            over: self.over,
            banks: self.banks.map(|held| held.map(i64::unsigned_abs)),
        }
    }

    pub(crate) fn board(&self) -> &Chess {
        self.line.last().map_or(&self.start, |played| &played.after)
    }

    pub(crate) fn turn(&self) -> Seat {
        self.board().turn().into()
    }

    pub(crate) fn ply(&self) -> u32 {
        u32::try_from(self.line.len()).expect("games are short")
    }

    /// A player came or went.
    pub(crate) fn presence(&mut self, seat: Seat, online: bool, now: u64) {
        let was = self.whereabouts[seat.index()];
        if online {
            self.whereabouts[seat.index()] = Whereabouts::Here;
            if self.over.is_none() && self.runs.is_none() && self.turn() == seat {
                self.run(seat, now);
            }
        } else if was == Whereabouts::Here {
            self.whereabouts[seat.index()] = Whereabouts::Away(now);
        }
    }

    /// We lost a player.
    pub(crate) fn lost(&mut self, seat: Seat, now: u64) {
        self.whereabouts[seat.index()] = Whereabouts::LostUntil(now + 30_000);
        if self.runs == Some(seat) {
            self.charge(now, 0);
            self.runs = None;
            self.happened(now);
        }
    }

    /// The server was slow.
    pub(crate) fn stall(&mut self, span: u64, now: u64) {
        if let Some(seat) = self.runs {
            let ran = now.saturating_sub(self.since);
            self.charge(now, span.min(ran));
            self.run(seat, now);
        }
    }

    /// The game was taken from its record.
    pub(crate) fn restart(&mut self, alive: u64, now: u64) {
        self.whereabouts = [Whereabouts::LostUntil(now + 30_000); 2];
        self.last_at = now;
        if self.over.is_some() {
            return;
        }
        if self.runs.is_some() {
            let void = self.first_move_lapses(0).unwrap_or(u64::MAX);
            let out = self.flag_falls(0).min(void);
            self.charge(alive.min(out - 1), 0);
        }
        self.runs = None;
        self.not_before = 0;
    }

    /// When something happens by itself.
    pub(crate) fn due(&self) -> Option<u64> {
        if self.over.is_some() {
            return None;
        }
        let turn = self.turn();
        if self.runs.is_none() {
            return Some(match self.whereabouts[turn.index()] {
                Whereabouts::LostUntil(until) => until,
                _ => 0,
            });
        }
        let margin = self.could_be_credited(turn);
        let void = self.first_move_lapses(margin).unwrap_or(u64::MAX);
        Some(self.flag_falls(margin).min(void))
    }

    /// Lets it happen.
    pub(crate) fn wait(&mut self, now: u64) {
        let Some(due) = self.due().filter(|&due| due <= now) else {
            return;
        };
        let turn = self.turn();
        if self.runs.is_none() {
            self.run(turn, now);
            return;
        }
        let margin = self.could_be_credited(turn);
        let outcome = if due == self.flag_falls(margin) {
            self.lost_on_time(turn, Ending::Time)
        } else {
            VOID
        };
        self.finish(outcome, now.max(self.last_at), 0);
    }

    // The ledger.

    fn base(&self) -> i64 {
        signed(self.terms.control.base().0)
    }

    /// What a side had when its clock was last started or stopped.
    fn sum(&self, seat: Seat) -> i64 {
        let own = self.ledger.iter().filter(|entry| entry.seat == seat);
        self.base() + own.map(|entry| entry.millis).sum::<i64>()
    }

    fn enter(&mut self, seat: Seat, millis: i64, why: Why) {
        self.ledger.push(Entry { seat, millis, why });
    }

    /// What the side to move has used of its turn, as far as the ledger knows.
    fn used_so_far(&self) -> u64 {
        let turn = self.turn();
        let thought = |entry: &&Entry| {
            entry.seat == turn && (entry.why == Why::Used || entry.why == Why::Refunded)
        };
        let spent = self.ledger[self.turn_mark..].iter().filter(thought);
        u64::try_from(-spent.map(|entry| entry.millis).sum::<i64>()).unwrap_or(0)
    }

    /// Charges the running clock up to `now`, less a credit, but never below zero.
    fn charge(&mut self, now: u64, credit: u64) {
        if let Some(seat) = self.runs {
            let ran = now.saturating_sub(self.since).saturating_sub(credit);
            let charged = signed(ran).min(self.sum(seat));
            self.enter(seat, -charged, Why::Used);
        }
    }

    fn run(&mut self, seat: Seat, now: u64) {
        self.happened(now);
        self.runs = Some(seat);
        self.since = self.last_at.max(self.not_before);
    }

    /// Events never go back in time.
    fn happened(&mut self, now: u64) {
        self.last_at = self.last_at.max(now);
    }

    fn finish(&mut self, outcome: Outcome, now: u64, credit: u64) {
        self.charge(now, credit);
        self.happened(now);
        self.runs = None;
        self.offer = None;
        self.takeback = None;
        self.over = Some(outcome);
    }

    fn laws(&self) -> Profile {
        self.terms.profile
    }

    /// What a wrong claim costs the claimant and brings the opponent (10.13(2); FIDE 9.5.3).
    fn price(&self) -> (i64, i64) {
        match self.laws() {
            Profile::Classic => (300_000, 0),
            Profile::Fide2023 if self.terms.control.expected() < Millis::from_mins(60) => {
                (0, 60_000)
            }
            Profile::Fide2023 => (0, 120_000),
            Profile::FideOnline => (0, 0),
        }
    }

    /// When the running clock comes to zero, if so much of its time is not charged.
    fn flag_falls(&self, margin: u64) -> u64 {
        self.since + self.sum(self.turn()).unsigned_abs() + margin
    }

    /// When the time for a first move is over; none when there is no limit, or it was made.
    fn first_move_lapses(&self, margin: u64) -> Option<u64> {
        let limit = self.terms.first_move?.0;
        let waits = self.moves_of(self.turn()) == 0;
        waits.then(|| self.since + limit.saturating_sub(self.used_so_far()) + margin)
    }

    fn moves_of(&self, seat: Seat) -> u32 {
        let movers =
            std::iter::once(&self.start).chain(self.line.iter().map(|played| &played.after));
        let made = movers
            .take(self.line.len())
            .filter(|position| Seat::from(position.turn()) == seat);
        u32::try_from(made.count()).expect("games are short")
    }

    fn lost_on_time(&self, loser: Seat, ending: Ending) -> Outcome {
        let winner = loser.other();
        let wins = match self.laws() {
            Profile::Classic => !material::bare_king(self.board(), winner),
            Profile::Fide2023 | Profile::FideOnline => material::can_mate(self.board(), winner),
        };
        let score = if wins {
            Score::win(winner)
        } else {
            Score::Draw
        };
        Outcome { score, ending }
    }

    /// How often a position has been on the board.
    fn times(&self, position: &Chess) -> usize {
        let all = std::iter::once(&self.start).chain(self.line.iter().map(|played| &played.after));
        all.filter(|other| same_text(other) == same_text(position))
            .count()
    }

    // The lag bank, in the words of the design.

    fn gain(&self, lag: Option<u64>) -> i64 {
        let by_length = 4 * (self.terms.control.expected().0 / 1000) + 150;
        let by_lag = lag.map_or(u64::MAX, |lag| lag + 140);
        signed(by_length.min(by_lag).min(1000))
    }

    fn in_bank(&self, seat: Seat, lag: Option<u64>) -> i64 {
        self.banks[seat.index()].unwrap_or(3 * self.gain(lag))
    }

    fn could_be_credited(&self, seat: Seat) -> u64 {
        let held = if self.terms.lag_credit {
            self.in_bank(seat, None).min(500)
        } else {
            0
        };
        held.unsigned_abs()
    }
}

/// A game that never began.
const VOID: Outcome = Outcome {
    score: Score::Void,
    ending: Ending::NoFirstMove,
};

/// The first four fields of FEN: all that makes two positions the same (10.10).
fn same_text(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn signed(millis: u64) -> i64 {
    i64::try_from(millis).expect("spans of a test are short")
}

/// Of several refusals the first in the order of judgement.
fn first_of(mut refusals: Vec<Refusal>) -> Option<Refusal> {
    refusals.sort();
    refusals.first().copied()
}
