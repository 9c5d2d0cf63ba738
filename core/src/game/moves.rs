//! Moves (articles 3-6) and the endings that come with them (10.1, 10.3, 10.4; FIDE 9.6, online 5.4).

use shakmaty::Move;

use crate::board::{Board, PositionKey, Uci};
use crate::clock::{BankReading, ChessClock};
use crate::game::decide::{Case, Draft};
use crate::game::{Decision, Ending, Game, MAX_PLIES, Outcome, Refusal, Ruling, Score, What};
use crate::laws::{FiftyMoves, Repetition};
use crate::time::Millis;

/// A legal move, and the time it took.
pub(super) struct Made {
    pub(super) mv: Move,
    /// The clock, stopped by the mover.
    pub(super) clock: ChessClock,
    pub(super) credit: Millis,
    pub(super) bank: BankReading,
    pub(super) offer: bool,
}

impl Case<'_> {
    pub(super) fn make_move(&self, uci: Uci, offer: bool) -> Result<Decision, Refusal> {
        self.on_move()?;
        let mv = self.legal(uci)?;
        if offer {
            self.may_offer()?;
            self.may_agree(1)?;
        }
        let mut draft = self.draft();
        self.play(
            &mut draft,
            Made {
                mv,
                clock: self.stopped_clock(),
                credit: self.credit,
                bank: self.game.banks[self.seat()].after_move(self.receipt.lag, self.credit),
                offer,
            },
        );
        Ok(draft.ruled(Ruling::Done))
    }

    pub(super) fn legal(&self, uci: Uci) -> Result<Move, Refusal> {
        self.game.board.legal(uci).ok_or(Refusal::IllegalMove)
    }

    /// Adds the move, and the end of the game if it is one, or the pause if the opponent is awaited.
    pub(super) fn play(&self, draft: &mut Draft<'_>, made: Made) {
        let game = self.game;
        let (mover, opponent) = (self.seat(), self.seat().other());
        let mut after = game.board.clone();
        after.play(made.mv);
        let ending = game.ending_after(&after);

        let mut clock = made.clock;
        let control = &game.birth().terms.control;
        clock.earn(mover, control, game.moves_made(mover) + 1);
        if ending.is_none() {
            clock.hand_to(opponent);
        }
        draft.push(What::Moved {
            uci: Uci::of(made.mv),
            san: game.board.san(made.mv).to_string(),
            clock: clock.reading(),
            credit: made.credit,
            bank: made.bank,
            offer: made.offer,
        });
        if let Some(ending) = ending {
            let score = match ending {
                Ending::Checkmate => Score::win(mover),
                _ => Score::Draw,
            };
            draft.end(Outcome { score, ending }, clock);
        } else {
            game.pause_if_awaited(draft, opponent, clock);
        }
    }
}

impl Game {
    /// How the move that led to `after` ends the game, if it does; the first of several.
    fn ending_after(&self, after: &Board) -> Option<Ending> {
        if after.legal_moves().is_empty() {
            let mated = after.is_check();
            return Some(if mated {
                Ending::Checkmate
            } else {
                Ending::Stalemate
            });
        }
        if after.is_dead() {
            return Some(Ending::DeadPosition);
        }
        let laws = &self.laws;
        let occurred = |times: u8| self.occurrences(&after.key()) + 1 >= usize::from(times);
        if laws.automatic_repetition.is_some_and(occurred) {
            return Some(match laws.threefold {
                Repetition::Automatic => Ending::AutomaticThreefold,
                Repetition::OnClaim => Ending::Fivefold,
            });
        }
        if laws
            .automatic_half_moves
            .is_some_and(|most| after.half_moves() >= most)
        {
            return Some(match laws.fifty {
                FiftyMoves::Automatic => Ending::AutomaticFifty,
                FiftyMoves::OnClaim | FiftyMoves::OnClaimOrAnnounced => Ending::SeventyFive,
            });
        }
        (self.ply() + 1 >= MAX_PLIES).then_some(Ending::Adjudicated)
    }

    /// How often a position occurred so far.
    pub(super) fn occurrences(&self, key: &PositionKey) -> usize {
        self.positions
            .iter()
            .filter(|&position| position == key)
            .count()
    }
}
