//! Lives drawn by lot from a seed: terms of games, and what happens in them. The weights make rare
//! things common: short clocks, repeated positions, repeated commands, restarts.

use rookery_core::game::{AbsenceClaim, Act, ClaimRule, Terms};
use rookery_core::id::Seat;
use rookery_core::laws::Profile;
use rookery_core::time::Millis;
use shakmaty::{CastlingMode, Chess, Move, Position, Square};

use crate::naive::Asked;

/// Clocks in which something happens within a few deeds.
const CONTROLS: [&str; 9] = [
    "20",
    "15+1",
    "310+2",
    "610",
    "610d3",
    "30d2",
    "3/20+1:10",
    "2/10d1:2/8+1:5",
    "3600+30",
];

/// Starts from which draws, mates and bare kings are near.
const STARTS: [&str; 7] = [
    "7k/8/6K1/8/8/8/8/R7 w - - 97 80",
    "8/8/4k3/8/8/3RK3/8/8 b - - 98 80",
    "8/8/4k3/8/8/3RK3/8/8 w - - 147 90",
    "8/8/4k3/4n3/8/4K3/4Q3/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/3BK3 b - - 0 1",
    "8/8/8/8/8/5k2/5p2/5K2 b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
];

/// One thing that happens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    /// A player asks; the message was held for a while.
    Ask { asked: Asked, held: u64 },
    /// A player comes or goes.
    Presence { seat: Seat, online: bool },
    /// We lose a player.
    Lost { seat: Seat },
    /// The server is slow.
    Stall { span: u64 },
    /// Deadlines pass.
    Wait,
    /// The owner died so long ago, and the new one's clock is behind by so much.
    Restart { alive: u64, skew: u64 },
}

/// A small generator (splitmix64): the same seed, the same life, on every machine.
pub(crate) struct Random {
    state: u64,
    next_id: u64,
    /// In some lives both players move to and fro, so that positions repeat until the Laws end it.
    shuffles: bool,
    /// The moves made last, newest first, as far as they were legal.
    recent: [Option<(Square, Square)>; 2],
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random {
            state: seed,
            next_id: 1,
            shuffles: false,
            recent: [None; 2],
        }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn one_in(&mut self, odds: u64) -> bool {
        self.below(odds) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("an index")]
    }

    pub(crate) fn terms(&mut self) -> Terms {
        self.shuffles = self.one_in(6);
        let start_fen = self.one_in(2).then(|| self.pick(&STARTS).to_owned());
        Terms {
            control: self.pick(&CONTROLS).parse().expect("a time control"),
            profile: self.pick(&Profile::ALL),
            wrong_claim: None,
            rated: start_fen.is_none() && self.one_in(2),
            lag_credit: self.one_in(2),
            first_move: self.one_in(3).then_some(Millis(4000)),
            absence_grace: self.one_in(2).then_some(Millis(3000)),
            start_fen,
        }
    }

    /// How long until the next deed.
    pub(crate) fn pause(&mut self) -> u64 {
        match self.below(20) {
            0 => self.below(40_000),
            1..5 => self.below(3000),
            5..8 => 0,
            _ => self.below(600),
        }
    }

    pub(crate) fn deed(&mut self, board: &Chess, ply: u32, history: &[Asked]) -> Deed {
        let seat = self.pick(&Seat::BOTH);
        let odds = if self.shuffles { 400 } else { 40 };
        match self.below(odds) {
            0 | 1 => Deed::Presence {
                seat,
                online: self.one_in(2),
            },
            2 => Deed::Lost { seat },
            3 => Deed::Stall {
                span: 250 + self.below(1000),
            },
            4 | 5 => Deed::Wait,
            6 => Deed::Restart {
                alive: self.below(2000),
                skew: self.below(5) * 1000,
            },
            7..10 if !history.is_empty() => {
                let mut asked = self.pick(history);
                self.garble(&mut asked);
                Deed::Ask { asked, held: 0 }
            }
            _ => {
                let asked = self.command(board, ply);
                let held = if self.one_in(5) { self.below(300) } else { 0 };
                Deed::Ask { asked, held }
            }
        }
    }

    /// A repeat: the same again, or under another key, or the key with something else.
    fn garble(&mut self, asked: &mut Asked) {
        match self.below(5) {
            0 => asked.id = self.fresh_id(),
            1 => asked.act = Act::Offer,
            2 => asked.ply += 1,
            _ => {}
        }
    }

    fn command(&mut self, board: &Chess, ply: u32) -> Asked {
        let to_move = Seat::from(board.turn());
        let seat = if self.one_in(8) {
            to_move.other()
        } else {
            to_move
        };
        let mut asked = Asked {
            seat,
            id: self.fresh_id(),
            ply: if self.one_in(25) {
                ply.saturating_sub(1)
            } else {
                ply
            },
            act: self.act(board),
            lag: if self.one_in(2) { self.below(700) } else { 0 },
        };
        if matches!(
            asked.act,
            Act::Accept | Act::Decline | Act::AcceptTakeback | Act::DeclineTakeback
        ) {
            asked.seat = self.pick(&Seat::BOTH);
        }
        asked
    }

    fn act(&mut self, board: &Chess) -> Act {
        let odds = if self.shuffles { 400 } else { 40 };
        match self.below(odds) {
            0 | 1 => Act::Offer,
            2 => Act::Accept,
            3 => Act::Decline,
            4 if self.one_in(3) => Act::Withdraw,
            5 | 6 => Act::ProposeTakeback,
            7 | 8 => Act::AcceptTakeback,
            9 => Act::DeclineTakeback,
            10 if self.one_in(6) => Act::Resign,
            11 if self.one_in(4) => Act::Abort,
            12 => {
                let claim = self.pick(&[AbsenceClaim::Win, AbsenceClaim::Draw]);
                Act::ClaimAbsence { claim }
            }
            13..16 => Act::Claim {
                rule: self.pick(&[ClaimRule::Threefold, ClaimRule::Fifty]),
                announced: self.one_in(2).then(|| self.uci(board)),
            },
            _ => Act::Move {
                uci: self.uci(board),
                offer: self.one_in(10),
            },
        }
    }

    /// A move: mostly legal, and often the first or the last of the list, so that positions repeat.
    fn uci(&mut self, board: &Chess) -> rookery_core::board::Uci {
        let moves = board.legal_moves();
        if moves.is_empty() || self.one_in(20) {
            return self
                .pick(&["a1a1", "e2e5", "e1e8", "a7a8q"])
                .parse()
                .expect("a move");
        }
        let back = |mv: &Move| self.recent[1] == mv.from().map(|from| (mv.to(), from));
        let undoing = moves.iter().find(|mv| self.shuffles && back(mv)).copied();
        let any = moves[usize::try_from(self.below(moves.len() as u64)).expect("an index")];
        let mv = undoing.unwrap_or(match self.below(4) {
            0 => moves[moves.len() - 1],
            1 => any,
            _ => moves[0],
        });
        self.recent = [mv.from().map(|from| (from, mv.to())), self.recent[0]];
        mv.to_uci(CastlingMode::Standard)
            .to_string()
            .parse()
            .expect("a move")
    }

    fn fresh_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }
}
