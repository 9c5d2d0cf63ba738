//! The whole state of a game, for one who comes late.

use std::sync::Arc;

use rookery_core::game::{Event, Game, PauseReason, Phase, What};
use rookery_core::id::BySeat;
use rookery_protocol as wire;

use super::event::{players, uci_to_wire};
use super::words::pause;
use super::{clock, game_to_wire, online as online_to_wire, outcome, seat_to_wire, terms};

/// The game as it is to be seen after these events; none when they are no game's.
pub fn state_after(events: &[Arc<Event>], online: BySeat<bool>) -> Option<wire::GameState> {
    let game = Game::replay(events).ok()?;
    Some(state(&game, online))
}

/// The game as it is to be seen after its last event.
pub fn state(game: &Game, online: BySeat<bool>) -> wire::GameState {
    let birth = game.birth();
    let state = game.state();
    wire::GameState {
        game: game_to_wire(birth.game),
        seq: state.seq.0,
        at: state.clock_at.0,
        terms: terms(&birth.terms),
        players: players(birth),
        starts_at: birth.starts_at.0,
        fen: state
            .fen
            .parse()
            .expect("a legal position is written in the wire's alphabet"),
        ply: game.ply(),
        moves: state
            .moves
            .into_iter()
            .map(|mv| wire::Played {
                uci: uci_to_wire(mv.uci),
                san: mv.san,
            })
            .collect(),
        clock: clock(state.clock),
        offer: state.offer.map(seat_to_wire),
        takeback: state.takeback.map(seat_to_wire),
        paused: match state.phase {
            Phase::Paused => paused_for(game).map(pause),
            Phase::Running | Phase::Ended(_) => None,
        },
        online: online_to_wire(online),
        outcome: match state.phase {
            Phase::Ended(how) => Some(outcome(how)),
            Phase::Running | Phase::Paused => None,
        },
    }
}

fn paused_for(game: &Game) -> Option<PauseReason> {
    game.events().iter().rev().find_map(|event| reason(event))
}

fn reason(event: &Event) -> Option<PauseReason> {
    match event.what {
        What::Paused { reason, .. } => Some(reason),
        _ => None,
    }
}
