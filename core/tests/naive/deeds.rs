//! What the naive game does once a command is judged.

use rookery_core::clock::Bonus;
use rookery_core::game::{AbsenceClaim, Act, ClaimRule, Ending, MAX_PLIES, Outcome, Ruling, Score};
use rookery_core::id::Seat;
use rookery_core::laws::Profile;
use shakmaty::{Chess, Move, Position};

use super::{Asked, Claimed, Naive, Played, Whereabouts, Why, material, signed};

impl Naive {
    pub(super) fn obey(&mut self, asked: &Asked, at: u64, credit: u64) -> Ruling {
        let seat = asked.seat;
        let draw = |ending| Outcome {
            score: Score::Draw,
            ending,
        };
        let void = |ending| Outcome {
            score: Score::Void,
            ending,
        };
        match asked.act {
            Act::Move { uci, offer } => {
                let mv = self.find(&uci.to_string()).expect("it was not refused");
                self.spend(asked, credit, true);
                self.charge(at, credit);
                self.play(mv, at);
                if offer && self.over.is_none() {
                    self.offered(seat);
                }
            }
            Act::Offer if self.offer == Some(seat.other()) => {
                self.finish(draw(Ending::Agreement), at, credit)
            }
            Act::Offer => {
                self.proposals += 1;
                self.offered(seat);
            }
            Act::Accept => self.finish(draw(Ending::Agreement), at, credit),
            Act::Decline => self.offer = None,
            Act::Withdraw => unreachable!("always refused"),
            Act::Claim { rule, announced } => {
                let announced = announced.map(|uci| uci.to_string());
                return self.claim(asked, rule, announced, at, credit);
            }
            Act::Resign => {
                let cannot_win = self.laws() == Profile::Classic
                    && material::bare_king(self.board(), seat.other());
                let score = if cannot_win {
                    Score::Draw
                } else {
                    Score::win(seat.other())
                };
                let ending = Ending::Resignation;
                self.finish(Outcome { score, ending }, at, credit);
            }
            Act::Abort => self.finish(void(Ending::Aborted), at, credit),
            Act::ProposeTakeback => {
                self.proposals += 1;
                self.takeback = Some(seat);
            }
            Act::AcceptTakeback => self.take_back(seat.other(), at),
            Act::DeclineTakeback => self.takeback = None,
            Act::ClaimAbsence { claim } => {
                let won = self.lost_on_time(seat.other(), Ending::Absence);
                let outcome = match claim {
                    AbsenceClaim::Win => won,
                    AbsenceClaim::Draw => draw(Ending::Absence),
                };
                self.finish(outcome, at, credit);
            }
        }
        Ruling::Done
    }

    fn offered(&mut self, seat: Seat) {
        self.offer = Some(seat);
        self.must_wait[seat.index()] = true;
        self.must_wait[seat.other().index()] = false;
    }

    /// Takes a credit from the bank, and adds a gain for a move.
    fn spend(&mut self, asked: &Asked, credit: u64, for_move: bool) {
        let gain = self.gain(Some(asked.lag));
        let held = self.in_bank(asked.seat, Some(asked.lag)) - signed(credit);
        let after = if for_move {
            (held + gain).min(7 * gain)
        } else {
            held
        };
        self.banks[asked.seat.index()] = Some(after);
    }

    /// Makes a move whose time is charged already.
    fn play(&mut self, mv: Move, at: u64) {
        let mover = self.turn();
        let used = self.used_so_far();
        let mut after = self.board().clone();
        after.play_unchecked(mv);
        let repeated = self.times(&after) + 1;
        self.earn(mover, self.moves_of(mover) + 1, used);
        self.line.push(Played {
            after: after.clone(),
            mark: self.ledger.len(),
        });
        self.turn_mark = self.ledger.len();
        if self.offer == Some(mover.other()) {
            self.offer = None;
        }
        self.takeback = None;
        self.happened(at);
        match self.ended_by(&after, repeated) {
            Some(Ending::Checkmate) => {
                self.runs = None;
                let ending = Ending::Checkmate;
                self.finish(
                    Outcome {
                        score: Score::win(mover),
                        ending,
                    },
                    at,
                    0,
                );
            }
            Some(ending) => {
                self.runs = None;
                self.finish(
                    Outcome {
                        score: Score::Draw,
                        ending,
                    },
                    at,
                    0,
                );
            }
            None => self.hand_over(mover.other(), at),
        }
    }

    /// Starts a clock, unless its owner is awaited.
    fn hand_over(&mut self, seat: Seat, at: u64) {
        self.run(seat, at);
        match self.whereabouts[seat.index()] {
            Whereabouts::LostUntil(until) if self.last_at < until => self.runs = None,
            _ => {}
        }
    }

    fn earn(&mut self, mover: Seat, moves: u32, used: u64) {
        let stages = self.terms.control.stages().to_vec();
        let mut ends = 0;
        let mut bonus = None;
        for (index, stage) in stages.iter().enumerate() {
            let begins = ends;
            ends += stage.moves.unwrap_or(u32::MAX - begins);
            if (begins + 1..=ends).contains(&moves) {
                bonus = Some(stage.bonus);
            }
            if moves == ends && index + 1 < stages.len() {
                self.enter(mover, signed(stages[index + 1].base.0), Why::Earned);
            }
        }
        let earned = match bonus.expect("the last stage has no end") {
            Bonus::Fischer(each) => each.0,
            Bonus::Bronstein(delay) => delay.0.min(used),
        };
        self.enter(mover, signed(earned), Why::Earned);
    }

    fn ended_by(&self, after: &Chess, repeated: usize) -> Option<Ending> {
        let quiet = after.halfmoves();
        let stuck = after.legal_moves().is_empty();
        let online = self.laws() == Profile::FideOnline;
        let fide = self.laws() == Profile::Fide2023;
        let reasons = [
            (stuck && after.is_check(), Ending::Checkmate),
            (stuck, Ending::Stalemate),
            (
                Seat::BOTH
                    .iter()
                    .all(|&seat| !material::can_mate(after, seat)),
                Ending::DeadPosition,
            ),
            (online && repeated >= 3, Ending::AutomaticThreefold),
            (fide && repeated >= 5, Ending::Fivefold),
            (online && quiet >= 100, Ending::AutomaticFifty),
            (fide && quiet >= 150, Ending::SeventyFive),
            (self.ply() >= MAX_PLIES, Ending::Adjudicated),
        ];
        reasons
            .into_iter()
            .find(|&(applies, _)| applies)
            .map(|(_, ending)| ending)
    }

    fn claim(
        &mut self,
        asked: &Asked,
        rule: ClaimRule,
        announced: Option<String>,
        at: u64,
        credit: u64,
    ) -> Ruling {
        let seat = asked.seat;
        let mv = announced
            .as_ref()
            .map(|uci| self.find(uci).expect("it was not refused"));
        let mut position = self.board().clone();
        let mut times = 0;
        if let Some(mv) = mv {
            position.play_unchecked(mv);
            times = 1;
        }
        times += self.times(&position);
        let right = match rule {
            ClaimRule::Threefold => times >= 3,
            ClaimRule::Fifty => position.halfmoves() >= 100,
        };
        let ply = self.ply();
        self.claims.push(Claimed {
            seat,
            ply,
            rule,
            announced,
            right,
        });
        self.spend(asked, credit, false);
        self.charge(at, credit);
        self.runs = None;
        if right {
            let ending = match rule {
                ClaimRule::Threefold => Ending::Threefold,
                ClaimRule::Fifty => Ending::Fifty,
            };
            self.finish(
                Outcome {
                    score: Score::Draw,
                    ending,
                },
                at,
                0,
            );
            return Ruling::ClaimRight;
        }
        let (pays, gains) = self.price();
        if self.laws() == Profile::Fide2023 {
            self.offered(seat);
        }
        self.enter(seat, -pays.min(self.sum(seat)), Why::Claim);
        self.enter(seat.other(), gains, Why::Claim);
        if self.sum(seat) == 0 {
            self.finish(self.lost_on_time(seat, Ending::WrongClaim), at, 0);
        } else if let Some(mv) = mv {
            self.spend(asked, 0, true);
            self.play(mv, at);
        } else {
            self.run(seat, at);
        }
        Ruling::ClaimWrong
    }

    /// Position and clocks as they were when the proposer was last on move, but what was paid for wrong
    /// claims in that position stays paid.
    fn take_back(&mut self, proposer: Seat, at: u64) {
        let mut ply = self.line.len() - 1;
        if self.turn() == proposer {
            ply -= 1;
        }
        self.line.truncate(ply);
        let mark = self.line.last().map_or(0, |played| played.mark);
        self.ledger.truncate(mark);
        let here = self.ply();
        self.claims.retain(|claim| claim.ply <= here);
        let (pays, gains) = self.price();
        let wrong: Vec<Seat> = self
            .claims
            .iter()
            .filter(|claim| claim.ply == here)
            .map(|claim| claim.seat)
            .collect();
        for seat in wrong {
            self.enter(seat, -pays, Why::Claim);
            self.enter(seat.other(), gains, Why::Claim);
        }
        self.turn_mark = self.ledger.len();
        self.offer = None;
        self.takeback = None;
        self.runs = None;
        self.hand_over(proposer, at);
    }
}
