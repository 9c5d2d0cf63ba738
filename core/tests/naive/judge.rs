//! How the naive game judges a command.

use rookery_core::board::Uci;
use rookery_core::game::{Act, ClaimRule, Ending, Outcome, Refusal, Ruling};
use rookery_core::id::Seat;
use rookery_core::laws::Profile;
use shakmaty::{CastlingMode, Move, Position};

use super::{Asked, Claimed, Naive, VOID, Whereabouts, first_of};

/// Whether it applies, and what it is.
type Objection = (bool, Refusal);

impl Naive {
    /// Judges and, if it is done, does it.
    pub(crate) fn ask(&mut self, asked: Asked, at: u64) -> Result<Ruling, Refusal> {
        let key = |(other, _): &&(Asked, Ruling)| (other.seat, other.id) == (asked.seat, asked.id);
        if let Some((before, ruling)) = self.answered.iter().find(key) {
            let same = (before.ply, before.act) == (asked.ply, asked.act);
            return if same {
                Ok(*ruling)
            } else {
                Err(Refusal::IdReused)
            };
        }
        if let Some(ruling) = self.claimed_before(&asked) {
            return Ok(ruling);
        }
        let credit = self.credit(&asked, at);
        let ruling = if let Some(outcome) = self.too_late(&asked, at, credit) {
            self.finish(outcome, at, credit);
            Ruling::FlagFallen
        } else if let Some(refusal) = first_of(self.refusals(&asked, at)) {
            return Err(refusal);
        } else {
            self.obey(&asked, at, credit)
        };
        self.happened(at);
        self.answered.push((asked, ruling));
        let whereabouts = &mut self.whereabouts[asked.seat.index()];
        *whereabouts = match *whereabouts {
            Whereabouts::Away(_) => Whereabouts::Away(self.last_at),
            Whereabouts::Here | Whereabouts::LostUntil(_) => Whereabouts::Here,
        };
        Ok(ruling)
    }

    fn claimed_before(&self, asked: &Asked) -> Option<Ruling> {
        let Act::Claim { rule, announced } = asked.act else {
            return None;
        };
        let announced = announced.map(|uci| uci.to_string());
        let same = |claim: &&Claimed| {
            (claim.seat, claim.ply, claim.rule) == (asked.seat, asked.ply, rule)
                && claim.announced == announced
        };
        let before = self.claims.iter().find(same)?;
        Some(if before.right {
            Ruling::ClaimRight
        } else {
            Ruling::ClaimWrong
        })
    }

    fn credit(&self, asked: &Asked, at: u64) -> u64 {
        if !self.terms.lag_credit || self.runs != Some(asked.seat) {
            return 0;
        }
        let held = self.in_bank(asked.seat, Some(asked.lag)).unsigned_abs();
        let ran = at.saturating_sub(self.since);
        asked.lag.min(held).min(500).min(ran)
    }

    fn too_late(&self, asked: &Asked, at: u64, credit: u64) -> Option<Outcome> {
        let runs = self.runs?;
        let allowed = if runs == asked.seat {
            credit
        } else {
            self.could_be_credited(runs)
        };
        let flag_at = self.flag_falls(allowed);
        match self.first_move_lapses(allowed) {
            Some(void_at) if void_at < flag_at => (void_at <= at).then_some(VOID),
            _ => (flag_at <= at).then(|| self.lost_on_time(runs, Ending::Time)),
        }
    }

    /// Everything that speaks against it, in no order.
    fn refusals(&self, asked: &Asked, at: u64) -> Vec<Refusal> {
        let Asked { seat, act, .. } = *asked;
        let objections = match act {
            Act::Move { uci, offer } => {
                let mut against = self.against_offer(seat, 1);
                against.retain(|_| offer);
                against.push((self.turn() != seat, Refusal::NotYourTurn));
                against.push((self.find(&uci.to_string()).is_none(), Refusal::IllegalMove));
                against
            }
            Act::Offer if self.offer == Some(seat.other()) => vec![self.too_early(seat, 0)],
            Act::Offer => {
                let mut against = self.against_offer(seat, 0);
                against.push(self.talked_enough());
                against
            }
            Act::Accept => vec![self.nothing_offered(seat), self.too_early(seat, 0)],
            Act::Decline => vec![self.nothing_offered(seat)],
            Act::Withdraw => vec![(true, Refusal::OfferCannotBeWithdrawn)],
            Act::Claim { rule, announced } => self.against_claim(seat, rule, announced),
            Act::Resign => Vec::new(),
            Act::Abort => {
                let both = Seat::BOTH.iter().all(|&seat| self.moves_of(seat) > 0);
                vec![(both, Refusal::AbortTooLate)]
            }
            Act::ProposeTakeback => vec![
                (self.terms.rated, Refusal::TakebackNotAllowed),
                (self.moves_of(seat) == 0, Refusal::NothingToTakeBack),
                (self.takeback.is_some(), Refusal::TakebackAlreadyProposed),
                self.talked_enough(),
            ],
            Act::AcceptTakeback | Act::DeclineTakeback => vec![
                (self.terms.rated, Refusal::TakebackNotAllowed),
                (
                    self.takeback != Some(seat.other()),
                    Refusal::NoTakebackProposed,
                ),
            ],
            Act::ClaimAbsence { .. } => self.against_absence(seat, at),
        };
        let always = [
            (self.over.is_some(), Refusal::GameOver),
            (
                act != Act::Resign && asked.ply != self.ply(),
                Refusal::StalePly,
            ),
        ];
        let all = always.into_iter().chain(objections);
        all.filter(|&(applies, _)| applies)
            .map(|(_, refusal)| refusal)
            .collect()
    }

    fn against_offer(&self, seat: Seat, with_moves: u32) -> Vec<Objection> {
        let waits = self.must_wait[seat.index()] || self.offer == Some(seat);
        vec![
            (waits, Refusal::OfferNotAllowed),
            self.too_early(seat, with_moves),
        ]
    }

    fn too_early(&self, seat: Seat, with_moves: u32) -> Objection {
        let unmoved = self.moves_of(seat) + with_moves == 0 || self.moves_of(seat.other()) == 0;
        (
            self.laws() == Profile::Fide2023 && unmoved,
            Refusal::AgreementTooEarly,
        )
    }

    fn talked_enough(&self) -> Objection {
        (self.proposals >= 600, Refusal::TooManyProposals)
    }

    fn nothing_offered(&self, seat: Seat) -> Objection {
        (self.offer != Some(seat.other()), Refusal::NoOpenOffer)
    }

    fn against_claim(&self, seat: Seat, rule: ClaimRule, announced: Option<Uci>) -> Vec<Objection> {
        let illegal = announced.is_some_and(|uci| self.find(&uci.to_string()).is_none());
        let on_board = rule == ClaimRule::Fifty && self.laws() == Profile::Classic;
        vec![
            (self.turn() != seat, Refusal::NotYourTurn),
            (illegal, Refusal::IllegalMove),
            (
                self.laws() == Profile::FideOnline,
                Refusal::ClaimNotAvailable,
            ),
            (
                on_board && announced.is_some(),
                Refusal::AnnouncementNotAvailable,
            ),
        ]
    }

    fn against_absence(&self, seat: Seat, at: u64) -> Vec<Objection> {
        let grace = self.terms.absence_grace.map(|grace| grace.0);
        let away = match self.whereabouts[seat.other().index()] {
            Whereabouts::Away(since) => at.saturating_sub(since) >= grace.unwrap_or(0),
            _ => false,
        };
        vec![
            (grace.is_none(), Refusal::AbsenceNotClaimable),
            (!away, Refusal::OpponentNotAbsent),
        ]
    }

    pub(super) fn find(&self, uci: &str) -> Option<Move> {
        let named = |mv: &Move| mv.to_uci(CastlingMode::Standard).to_string() == uci;
        self.board().legal_moves().into_iter().find(named)
    }
}
