//! Claims of a draw by the side to move (10.10-10.13; FIDE 9.2, 9.3, 9.5). Whether one would be right is
//! told to nobody before it is made.

use shakmaty::Move;

use crate::board::Uci;
use crate::clock::BankReading;
use crate::game::decide::{Case, draw};
use crate::game::moves::Made;
use crate::game::{Act, ClaimRule, Command, Decision, Ending, Game, Refusal, Ruling, What};
use crate::id::Seat;
use crate::laws::{FiftyMoves, Repetition};
use crate::time::Millis;

/// Half-moves without capture or pawn move that fifty moves of each side make.
const FIFTY: u32 = 100;

/// Occurrences of a position that make a claim right, the one to come included.
const THREE: usize = 3;

/// A claim and the position it was made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) seat: Seat,
    pub(super) ply: u32,
    pub(super) rule: ClaimRule,
    pub(super) announced: Option<Uci>,
    pub(super) right: bool,
}

impl Game {
    /// The ruling on the same claim in the same position, under whatever key: it is judged once and
    /// costs once.
    pub(super) fn ruled_claim(&self, command: &Command) -> Option<Ruling> {
        let Act::Claim { rule, announced } = command.act else {
            return None;
        };
        let same = |judged: &&Judged| {
            judged.seat == command.seat
                && judged.ply == command.ply
                && judged.rule == rule
                && judged.announced == announced
        };
        let judged = self.claims.iter().rev().find(same)?;
        Some(if judged.right {
            Ruling::ClaimRight
        } else {
            Ruling::ClaimWrong
        })
    }
}

impl Case<'_> {
    pub(super) fn claim(
        &self,
        rule: ClaimRule,
        announced: Option<Uci>,
    ) -> Result<Decision, Refusal> {
        self.on_move()?;
        let announced_move = announced.map(|uci| self.legal(uci)).transpose()?;
        self.claimable(rule, announced)?;
        if self.is_right(rule, announced_move) {
            Ok(self.right_claim(rule, announced))
        } else {
            Ok(self.wrong_claim(rule, announced, announced_move))
        }
    }

    fn claimable(&self, rule: ClaimRule, announced: Option<Uci>) -> Result<(), Refusal> {
        let laws = &self.game.laws;
        let automatic = match rule {
            ClaimRule::Threefold => laws.threefold == Repetition::Automatic,
            ClaimRule::Fifty => laws.fifty == FiftyMoves::Automatic,
        };
        if automatic {
            return Err(Refusal::ClaimNotAvailable);
        }
        let on_board_only = rule == ClaimRule::Fifty && laws.fifty == FiftyMoves::OnClaim;
        if on_board_only && announced.is_some() {
            return Err(Refusal::AnnouncementNotAvailable);
        }
        Ok(())
    }

    fn is_right(&self, rule: ClaimRule, announced: Option<Move>) -> bool {
        let game = self.game;
        let mut board = game.board.clone();
        if let Some(mv) = announced {
            board.play(mv);
        }
        match rule {
            ClaimRule::Threefold => {
                let to_come = usize::from(announced.is_some());
                game.occurrences(&board.key()) + to_come >= THREE
            }
            ClaimRule::Fifty => board.half_moves() >= FIFTY,
        }
    }

    fn right_claim(&self, rule: ClaimRule, announced: Option<Uci>) -> Decision {
        let mut draft = self.draft();
        let clock = self.stopped_clock();
        draft.push(What::Claimed {
            seat: self.seat(),
            rule,
            announced,
            right: true,
            clock: clock.reading(),
            credit: self.credit,
            bank: self.bank_after_claim(),
        });
        let ending = match rule {
            ClaimRule::Threefold => Ending::Threefold,
            ClaimRule::Fifty => Ending::Fifty,
        };
        draft.end(draw(ending), clock);
        draft.ruled(Ruling::ClaimRight)
    }

    /// The penalty first, then the announced move, which must be played (10.13(2)).
    fn wrong_claim(&self, rule: ClaimRule, announced: Option<Uci>, mv: Option<Move>) -> Decision {
        let (game, seat) = (self.game, self.seat());
        let price = game.laws.wrong_claim;
        let mut clock = self.stopped_clock();
        clock.penalise(seat, price.claimant_loses);
        clock.give(seat.other(), price.opponent_gains);
        clock.discount(price.claimant_loses);
        let time_is_gone = clock.left(seat, self.receipt.at).is_zero();

        let mut told = clock;
        if !time_is_gone && mv.is_none() {
            told.hand_to(seat);
        }
        let mut draft = self.draft();
        draft.push(What::Claimed {
            seat,
            rule,
            announced,
            right: false,
            clock: told.reading(),
            credit: self.credit,
            bank: self.bank_after_claim(),
        });
        if time_is_gone {
            draft.end(game.lost_on_time(seat, Ending::WrongClaim), clock);
        } else if let Some(mv) = mv {
            self.play(
                &mut draft,
                Made {
                    mv,
                    clock,
                    credit: Millis::ZERO,
                    bank: game.banks[seat].after_move(self.receipt.lag, self.credit),
                    offer: false,
                },
            );
        }
        draft.ruled(Ruling::ClaimWrong)
    }

    fn bank_after_claim(&self) -> BankReading {
        self.game.banks[self.seat()].after_claim(self.receipt.lag, self.credit)
    }
}
