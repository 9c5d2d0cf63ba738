//! Taking moves back, in casual games (in rated ones a move is final: 001, 6.1). Position and clocks
//! return to where they stood when the position arose; a penalty paid in it stays paid.

use crate::clock::ChessClock;
use crate::game::decide::Case;
use crate::game::{Decision, Game, Refusal, Ruling, What};
use crate::id::{BySeat, Seat, Seq};
use crate::time::Millis;

impl Case<'_> {
    pub(super) fn propose_takeback(&self) -> Result<Decision, Refusal> {
        let game = self.game;
        let seat = self.seat();
        self.takeback_allowed()?;
        if game.moves_made(seat) == 0 {
            return Err(Refusal::NothingToTakeBack);
        }
        if game.takeback.is_some() {
            return Err(Refusal::TakebackAlreadyProposed);
        }
        self.may_propose()?;
        Ok(self.say(What::TakebackProposed { seat }))
    }

    pub(super) fn accept_takeback(&self) -> Result<Decision, Refusal> {
        let game = self.game;
        let proposer = self.proposer()?;
        let plies = if game.board.turn() == proposer { 2 } else { 1 };
        let mut clock = game.clock;
        clock.stop(self.receipt.at, Millis::ZERO);
        game.wind_back(&mut clock, game.ply() - plies);
        clock.hand_to(proposer);
        let mut draft = self.draft();
        draft.push(What::TakenBack {
            plies,
            clock: clock.reading(),
        });
        game.pause_if_awaited(&mut draft, proposer, clock);
        Ok(draft.ruled(Ruling::Done))
    }

    pub(super) fn decline_takeback(&self) -> Result<Decision, Refusal> {
        self.proposer()?;
        Ok(self.say(What::TakebackDeclined { seat: self.seat() }))
    }

    fn takeback_allowed(&self) -> Result<(), Refusal> {
        if self.game.birth().terms.rated {
            Err(Refusal::TakebackNotAllowed)
        } else {
            Ok(())
        }
    }

    /// The opponent, who has proposed a takeback.
    fn proposer(&self) -> Result<Seat, Refusal> {
        self.takeback_allowed()?;
        let opponent = self.seat().other();
        match self.game.takeback {
            Some(seat) if seat == opponent => Ok(opponent),
            _ => Err(Refusal::NoTakebackProposed),
        }
    }
}

impl Game {
    /// Sets a stopped clock to what both sides had when the position of that ply arose, less what was
    /// paid in it for wrong claims.
    fn wind_back(&self, clock: &mut ChessClock, ply: u32) {
        let birth = self.birth();
        let left = match ply.checked_sub(1) {
            None => BySeat::new_with(|_| birth.terms.control.base()),
            Some(last) => match &self.events[self.line[last as usize].0 as usize].what {
                What::Moved { clock, .. } => clock.left,
                _ => unreachable!("the line holds the numbers of moves"),
            },
        };
        let mut reading = clock.reading();
        reading.left = left;
        clock.adopt(reading, clock.since());
        let price = self.laws.wrong_claim;
        for claim in self
            .claims
            .iter()
            .filter(|claim| claim.ply == ply && !claim.right)
        {
            clock.penalise(claim.seat, price.claimant_loses);
            clock.give(claim.seat.other(), price.opponent_gains);
        }
    }

    /// Sets the board to the position after the first `ply` half-moves of the line.
    pub(super) fn rewind(&mut self, ply: u32) {
        let line = std::mem::take(&mut self.line);
        let start = self
            .birth()
            .terms
            .start_board()
            .expect("the start position was checked at birth");
        self.positions.clear();
        self.positions.push(start.key());
        self.board = start;
        for &seq in line.iter().take(ply as usize) {
            self.advance(seq);
        }
        self.claims.retain(|claim| claim.ply <= ply);
    }

    /// Plays the move of that number on the board.
    pub(super) fn advance(&mut self, seq: Seq) {
        let What::Moved { uci, .. } = self.events[seq.0 as usize].what else {
            unreachable!("the line holds the numbers of moves");
        };
        let mv = self.board.legal(uci).expect("a record holds legal moves");
        self.board.play(mv);
        self.line.push(seq);
        if self.board.half_moves() == 0 {
            self.positions.clear();
        }
        self.positions.push(self.board.key());
    }
}
