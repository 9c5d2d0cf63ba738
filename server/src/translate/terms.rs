//! What is agreed before a game, and who plays it.

use rookery_core::clock::TimeControl;
use rookery_core::game::{Player, Terms};
use rookery_core::laws::WrongClaim;
use rookery_protocol as wire;

use super::{player_to_wire, profile_to_wire};

/// The terms as the wire shows them: with the price of a wrong claim spelled out.
pub fn terms(terms: &Terms) -> wire::Terms {
    wire::Terms {
        control: control_to_wire(&terms.control),
        profile: profile_to_wire(terms.profile),
        wrong_claim: wrong_claim(terms.laws().wrong_claim),
        local_rules: terms.has_local_rules(),
        rated: terms.rated,
        lag_credit: terms.lag_credit,
        first_move: terms.first_move.map(|span| span.0),
        absence_grace: terms.absence_grace.map(|span| span.0),
        start_fen: terms.start_fen.as_ref().map(|fen| {
            fen.parse()
                .expect("the position of a game was read from the wire or from ours")
        }),
    }
}

/// A player as he was at birth.
pub fn player(player: &Player) -> wire::Player {
    wire::Player {
        id: player_to_wire(player.id),
        name: player.name.clone(),
        bot: player.bot,
        guest: player.guest,
    }
}

pub(super) fn control_to_wire(control: &TimeControl) -> wire::Control {
    let text = control.to_string();
    text.parse()
        .expect("a time control is written in the wire's alphabet")
}

fn wrong_claim(price: WrongClaim) -> wire::WrongClaim {
    wire::WrongClaim {
        claimant_loses: price.claimant_loses.0,
        opponent_gains: price.opponent_gains.0,
    }
}
