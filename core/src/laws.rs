//! The three profiles of the Laws, as data. A game carries one from birth to archive and is judged by
//! it alone; no other module asks which profile it is, only what the profile says.

use serde::{Deserialize, Serialize};

use crate::time::Millis;

/// The name of a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The rule texts of 1992/93: everything on claim, wrong claims cost five minutes.
    #[default]
    Classic,
    /// FIDE Laws of Chess in force from 2023.
    Fide2023,
    /// FIDE Online Chess Regulations: draws are declared by the server.
    FideOnline,
}

/// What a profile says, matter by matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Laws {
    /// Threefold repetition (10.10; FIDE 9.2; online 5.4).
    pub threefold: Repetition,
    /// A game that reaches this many occurrences ends by itself (FIDE 9.6.1).
    pub automatic_repetition: Option<u8>,
    /// Fifty moves (10.12; FIDE 9.3; online 5.4).
    pub fifty: FiftyMoves,
    /// Half-moves without capture or pawn move after which the game ends by itself (FIDE 9.6.2).
    pub automatic_half_moves: Option<u32>,
    /// What a wrong claim costs (10.13(2); FIDE 9.5.3).
    pub wrong_claim: WrongClaim,
    /// Whether a claim also stands as an offer of a draw (FIDE 9.1.2.3).
    pub claim_is_offer: bool,
    /// Against whom a fallen flag only draws (10.5, 10.14; FIDE 6.9).
    pub flag_draws: FlagDraw,
    /// Whether resigning to a bare king draws (10.5).
    pub resignation_to_bare_king_draws: bool,
    /// Which positions end the game because nobody can win (10.4; FIDE 5.2.2).
    pub dead: DeadPositions,
    /// Half-moves each side must have made before a draw can be agreed (FIDE 5.2.3).
    pub agreement_after: u32,
}

/// How a repetition becomes a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// By a claim of the side to move: on the board, or by an announced move.
    OnClaim,
    /// By itself, at the third occurrence.
    Automatic,
}

/// How fifty moves become a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiftyMoves {
    /// By a claim, for completed moves only (10.12).
    OnClaim,
    /// By a claim, also with an announced move (FIDE 9.3.1).
    OnClaimOrAnnounced,
    /// By itself.
    Automatic,
}

/// The price of a wrong claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongClaim {
    /// Taken off the claimant's clock; nothing left is a loss on time.
    pub claimant_loses: Millis,
    /// Added to the opponent's clock.
    pub opponent_gains: Millis,
}

/// Against whom a fallen flag only draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagDraw {
    /// An opponent who has only his king (10.5).
    BareKing,
    /// An opponent who cannot mate by any series of legal moves, judged by material (FIDE 6.9).
    CannotMate,
}

/// Which positions are dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadPositions {
    /// The list of 10.4 and every position in which neither side has the material to mate (002).
    ByMaterial,
}

/// The time class decides FIDE's price of a wrong claim: shorter games pay less (A.3, B.3).
const RAPID_BELOW: Millis = Millis::from_mins(60);

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 3] = [Profile::Classic, Profile::Fide2023, Profile::FideOnline];

    /// What this profile says of a game whose expected length a side is `expected` (base time plus
    /// sixty increments, guideline of FIDE A.1).
    pub const fn laws(self, expected: Millis) -> Laws {
        match self {
            Profile::Classic => CLASSIC,
            Profile::Fide2023 => fide2023(expected),
            Profile::FideOnline => FIDE_ONLINE,
        }
    }
}

const CLASSIC: Laws = Laws {
    threefold: Repetition::OnClaim,
    automatic_repetition: None,
    fifty: FiftyMoves::OnClaim,
    automatic_half_moves: None,
    wrong_claim: WrongClaim {
        claimant_loses: Millis::from_mins(5),
        opponent_gains: Millis::ZERO,
    },
    claim_is_offer: false,
    flag_draws: FlagDraw::BareKing,
    resignation_to_bare_king_draws: true,
    dead: DeadPositions::ByMaterial,
    agreement_after: 0,
};

const fn fide2023(expected: Millis) -> Laws {
    let gain = if expected.0 < RAPID_BELOW.0 {
        Millis::from_mins(1)
    } else {
        Millis::from_mins(2)
    };
    Laws {
        threefold: Repetition::OnClaim,
        automatic_repetition: Some(5),
        fifty: FiftyMoves::OnClaimOrAnnounced,
        automatic_half_moves: Some(150),
        wrong_claim: WrongClaim {
            claimant_loses: Millis::ZERO,
            opponent_gains: gain,
        },
        claim_is_offer: true,
        flag_draws: FlagDraw::CannotMate,
        resignation_to_bare_king_draws: false,
        dead: DeadPositions::ByMaterial,
        agreement_after: 1,
    }
}

const FIDE_ONLINE: Laws = Laws {
    threefold: Repetition::Automatic,
    automatic_repetition: Some(3),
    fifty: FiftyMoves::Automatic,
    automatic_half_moves: Some(100),
    wrong_claim: WrongClaim {
        claimant_loses: Millis::ZERO,
        opponent_gains: Millis::ZERO,
    },
    claim_is_offer: false,
    flag_draws: FlagDraw::CannotMate,
    resignation_to_bare_king_draws: false,
    dead: DeadPositions::ByMaterial,
    agreement_after: 0,
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The matters in which the profiles differ, as the table of the README has them.
    #[test]
    fn the_profiles_differ_where_the_rule_texts_do() {
        let [classic, fide, online] =
            Profile::ALL.map(|profile| profile.laws(Millis::from_mins(90)));
        assert_eq!(classic.wrong_claim.claimant_loses, Millis::from_mins(5));
        assert_eq!(classic.automatic_repetition, None);
        assert_eq!(classic.automatic_half_moves, None);
        assert!(classic.resignation_to_bare_king_draws && !classic.claim_is_offer);

        assert_eq!(fide.wrong_claim.opponent_gains, Millis::from_mins(2));
        assert_eq!(
            (fide.automatic_repetition, fide.automatic_half_moves),
            (Some(5), Some(150))
        );
        assert!(!fide.resignation_to_bare_king_draws && fide.claim_is_offer);

        assert_eq!(
            (online.automatic_repetition, online.automatic_half_moves),
            (Some(3), Some(100))
        );
        assert_eq!(online.threefold, Repetition::Automatic);
        assert_eq!(online.fifty, FiftyMoves::Automatic);
    }

    #[test]
    fn a_wrong_claim_is_cheaper_in_shorter_games() {
        for (minutes, gain) in [(3, 1), (59, 1), (60, 2), (120, 2)] {
            let laws = Profile::Fide2023.laws(Millis::from_mins(minutes));
            assert_eq!(
                laws.wrong_claim.opponent_gains,
                Millis::from_mins(gain),
                "{minutes} minutes"
            );
        }
    }
}
