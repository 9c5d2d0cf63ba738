//! The tag `Termination`: one word for each way a game can end, finer than the standard's.

use crate::game::Ending;

/// The word for an ending.
pub const fn termination(ending: Ending) -> &'static str {
    match ending {
        Ending::Checkmate => "checkmate",
        Ending::Stalemate => "stalemate",
        Ending::DeadPosition => "insufficient_material",
        Ending::Resignation => "resignation",
        Ending::Time => "time",
        Ending::WrongClaim => "wrong_claim",
        Ending::Agreement => "agreement",
        Ending::Threefold => "threefold",
        Ending::Fifty => "fifty",
        Ending::AutomaticThreefold => "automatic_threefold",
        Ending::AutomaticFifty => "automatic_fifty",
        Ending::Fivefold => "fivefold",
        Ending::SeventyFive => "seventy_five",
        Ending::Adjudicated => "adjudication",
        Ending::Aborted => "abandoned",
        Ending::NoFirstMove => "no_first_move",
        Ending::Absence => "absence",
    }
}

/// The ending that a word names: ours, and those of the standard (9.8.1) that name one.
pub fn termination_of(word: &str) -> Option<Ending> {
    if word == "time forfeit" {
        return Some(Ending::Time);
    }
    ALL.into_iter().find(|&ending| termination(ending) == word)
}

const ALL: [Ending; 17] = [
    Ending::Checkmate,
    Ending::Stalemate,
    Ending::DeadPosition,
    Ending::Resignation,
    Ending::Time,
    Ending::WrongClaim,
    Ending::Agreement,
    Ending::Threefold,
    Ending::Fifty,
    Ending::AutomaticThreefold,
    Ending::AutomaticFifty,
    Ending::Fivefold,
    Ending::SeventyFive,
    Ending::Adjudicated,
    Ending::Aborted,
    Ending::NoFirstMove,
    Ending::Absence,
];
