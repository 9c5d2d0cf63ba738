//! Why a command was not done.

/// Refusals in the order of judgement: when several apply, the first one is said. A refused command
/// changes nothing and touches no clock (laws, decision procedures).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum Refusal {
    /// The key was used by another command of the same player.
    #[error("this command id was used for another command")]
    IdReused,
    /// 10.1-10.6: nothing can be asked of a game that has ended.
    #[error("the game is over")]
    GameOver,
    /// The command answers another position than the one on the board.
    #[error("the position has changed since")]
    StalePly,
    /// 3.1, 10.10, 10.12: it is the opponent's turn.
    #[error("it is not your turn")]
    NotYourTurn,
    /// Articles 3-6 and 9: the move is not legal.
    #[error("the move is not legal")]
    IllegalMove,
    /// 10.7: an offer stands until it is answered.
    #[error("an offer cannot be withdrawn")]
    OfferCannotBeWithdrawn,
    /// 10.7: there is no offer by the opponent to answer.
    #[error("there is no open offer to answer")]
    NoOpenOffer,
    /// 001: not again before the opponent has offered.
    #[error("you may offer again when the opponent has offered")]
    OfferNotAllowed,
    /// FIDE 5.2.3: both must have moved.
    #[error("a draw cannot be agreed before both sides have moved")]
    AgreementTooEarly,
    /// Online 5.4: this profile knows no claims by that rule.
    #[error("this profile knows no such claim")]
    ClaimNotAvailable,
    /// 10.12: this profile knows fifty moves only on the board.
    #[error("this profile knows fifty moves only without an announced move")]
    AnnouncementNotAvailable,
    /// Both sides have moved: the game can no longer be left without a result.
    #[error("the game can no longer be aborted")]
    AbortTooLate,
    /// 001: released is final in a rated game.
    #[error("moves are not taken back in this game")]
    TakebackNotAllowed,
    /// There is no own move to take back.
    #[error("there is no move of yours to take back")]
    NothingToTakeBack,
    /// A takeback was proposed already.
    #[error("a takeback is already proposed")]
    TakebackAlreadyProposed,
    /// There is no proposal by the opponent to answer.
    #[error("no takeback is proposed")]
    NoTakebackProposed,
    /// The terms allow no claim after a disconnection.
    #[error("absence is not claimed in this game")]
    AbsenceNotClaimable,
    /// The opponent is present, or not away for long enough, or away by our own fault.
    #[error("the opponent has not been away for long enough")]
    OpponentNotAbsent,
    /// 001, on disturbing the opponent: the bound on offers and proposals made without a move.
    #[error("too many offers and proposals were made in this game")]
    TooManyProposals,
}

impl Refusal {
    /// Every refusal, in the order of judgement.
    pub const ALL: [Refusal; 19] = [
        Refusal::IdReused,
        Refusal::GameOver,
        Refusal::StalePly,
        Refusal::NotYourTurn,
        Refusal::IllegalMove,
        Refusal::OfferCannotBeWithdrawn,
        Refusal::NoOpenOffer,
        Refusal::OfferNotAllowed,
        Refusal::AgreementTooEarly,
        Refusal::ClaimNotAvailable,
        Refusal::AnnouncementNotAvailable,
        Refusal::AbortTooLate,
        Refusal::TakebackNotAllowed,
        Refusal::NothingToTakeBack,
        Refusal::TakebackAlreadyProposed,
        Refusal::NoTakebackProposed,
        Refusal::AbsenceNotClaimable,
        Refusal::OpponentNotAbsent,
        Refusal::TooManyProposals,
    ];
}
