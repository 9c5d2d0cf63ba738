//! The small vocabulary: seats, clocks, outcomes, refusals.

use rookery_core::game::{
    ClaimRule, ClockReading, Ending, Outcome, PauseReason, Refusal, Ruling, Score,
};
use rookery_core::id::{BySeat, Seat};
use rookery_core::laws::Profile;
use rookery_protocol as wire;

/// A seat.
pub fn seat_to_wire(seat: Seat) -> wire::Seat {
    match seat {
        Seat::White => wire::Seat::White,
        Seat::Black => wire::Seat::Black,
    }
}

/// Which players are there.
pub fn online(online: BySeat<bool>) -> wire::BySeat<bool> {
    wire::BySeat {
        white: online.white,
        black: online.black,
    }
}

/// Both clocks.
pub fn clock(reading: ClockReading) -> wire::Clock {
    wire::Clock {
        white: reading.left.white.0,
        black: reading.left.black.0,
        running: reading.running.map(seat_to_wire),
    }
}

/// A profile that the wire names.
pub fn profile_from_wire(profile: wire::Profile) -> Profile {
    match profile {
        wire::Profile::Classic => Profile::Classic,
        wire::Profile::Fide2023 => Profile::Fide2023,
        wire::Profile::FideOnline => Profile::FideOnline,
    }
}

/// A profile as the wire names it.
pub fn profile_to_wire(profile: Profile) -> wire::Profile {
    match profile {
        Profile::Classic => wire::Profile::Classic,
        Profile::Fide2023 => wire::Profile::Fide2023,
        Profile::FideOnline => wire::Profile::FideOnline,
    }
}

/// What became of a command.
pub fn ruling(ruling: Ruling) -> wire::Ruling {
    match ruling {
        Ruling::Done => wire::Ruling::Done,
        Ruling::ClaimRight => wire::Ruling::ClaimRight,
        Ruling::ClaimWrong => wire::Ruling::ClaimWrong,
        Ruling::FlagFallen => wire::Ruling::FlagFallen,
    }
}

/// How a game ended.
pub fn outcome(outcome: Outcome) -> wire::Outcome {
    wire::Outcome {
        score: score(outcome.score),
        ending: ending(outcome.ending),
    }
}

/// Who got what.
pub fn score(score: Score) -> wire::Score {
    match score {
        Score::WhiteWins => wire::Score::WhiteWins,
        Score::BlackWins => wire::Score::BlackWins,
        Score::Draw => wire::Score::Draw,
        Score::BothLose => wire::Score::BothLose,
        Score::Void => wire::Score::Void,
    }
}

/// By which act or rule a game ended.
pub fn ending(ending: Ending) -> wire::Ending {
    match ending {
        Ending::Checkmate => wire::Ending::Checkmate,
        Ending::Stalemate => wire::Ending::Stalemate,
        Ending::DeadPosition => wire::Ending::DeadPosition,
        Ending::Resignation => wire::Ending::Resignation,
        Ending::Time => wire::Ending::Time,
        Ending::WrongClaim => wire::Ending::WrongClaim,
        Ending::Agreement => wire::Ending::Agreement,
        Ending::Threefold => wire::Ending::Threefold,
        Ending::Fifty => wire::Ending::Fifty,
        Ending::AutomaticThreefold => wire::Ending::AutomaticThreefold,
        Ending::AutomaticFifty => wire::Ending::AutomaticFifty,
        Ending::Fivefold => wire::Ending::Fivefold,
        Ending::SeventyFive => wire::Ending::SeventyFive,
        Ending::Adjudicated => wire::Ending::Adjudicated,
        Ending::Aborted => wire::Ending::Aborted,
        Ending::NoFirstMove => wire::Ending::NoFirstMove,
        Ending::Absence => wire::Ending::Absence,
    }
}

/// A refusal as the wire says it; the code carries its article.
pub fn error_of_refusal(refusal: Refusal) -> wire::ErrorCode {
    use wire::ErrorCode as Code;
    match refusal {
        Refusal::IdReused => Code::IdReused,
        Refusal::GameOver => Code::GameOver,
        Refusal::StalePly => Code::StalePly,
        Refusal::NotYourTurn => Code::NotYourTurn,
        Refusal::IllegalMove => Code::IllegalMove,
        Refusal::OfferCannotBeWithdrawn => Code::OfferCannotBeWithdrawn,
        Refusal::NoOpenOffer => Code::NoOpenOffer,
        Refusal::OfferNotAllowed => Code::OfferNotAllowed,
        Refusal::AgreementTooEarly => Code::AgreementTooEarly,
        Refusal::ClaimNotAvailable => Code::ClaimNotAvailable,
        Refusal::AnnouncementNotAvailable => Code::AnnouncementNotAvailable,
        Refusal::AbortTooLate => Code::AbortTooLate,
        Refusal::TakebackNotAllowed => Code::TakebackNotAllowed,
        Refusal::NothingToTakeBack => Code::NothingToTakeBack,
        Refusal::TakebackAlreadyProposed => Code::TakebackAlreadyProposed,
        Refusal::NoTakebackProposed => Code::NoTakebackProposed,
        Refusal::AbsenceNotClaimable => Code::AbsenceNotClaimable,
        Refusal::OpponentNotAbsent => Code::OpponentNotAbsent,
        Refusal::TooManyProposals => Code::TooManyProposals,
    }
}

pub(super) fn rule_to_wire(rule: ClaimRule) -> wire::ClaimRule {
    match rule {
        ClaimRule::Threefold => wire::ClaimRule::Threefold,
        ClaimRule::Fifty => wire::ClaimRule::Fifty,
    }
}

pub(super) fn rule_from_wire(rule: wire::ClaimRule) -> ClaimRule {
    match rule {
        wire::ClaimRule::Threefold => ClaimRule::Threefold,
        wire::ClaimRule::Fifty => ClaimRule::Fifty,
    }
}

pub(super) fn pause(reason: PauseReason) -> wire::PauseReason {
    match reason {
        PauseReason::Recovery => wire::PauseReason::Recovery,
        PauseReason::NodeLost => wire::PauseReason::NodeLost,
        PauseReason::Stall => wire::PauseReason::Stall,
    }
}
