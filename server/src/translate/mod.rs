//! The wire to the referee and back: the only place that knows the vocabulary of both. Every match is
//! total, so a new act, event or refusal on either side does not compile until it is translated.

mod event;
mod ids;
mod lobby;
mod record;
mod request;
mod state;
mod story;
mod terms;
mod words;

pub use event::Track;
pub use ids::{game_from_wire, game_to_wire, player_to_wire};
pub use lobby::{
    challenge_view, control_from_wire, identity, open_seek, paired, player_called, player_of,
    pool_view, wish_of_challenge, wish_of_rematch, wish_of_seek,
};
pub use record::Record;
pub use request::{Command, Request, SessionAsk, request};
pub use state::{state, state_after};
pub use story::{Running, Story};
pub use terms::{player, terms};
pub use words::{
    clock, ending, error_of_refusal, online, outcome, profile_from_wire, profile_to_wire, ruling,
    score, seat_to_wire,
};

#[cfg(test)]
mod tests;
