//! The referee: the Laws of Chess, clocks, one game, many games, the lobby.
//!
//! Pure: no clock is read here, no socket opened, no random number drawn, nothing awaited. Time and
//! chance are arguments, so the same inputs give the same outputs and a seed replays any night. The
//! shell that feeds it is the `rookery-server` package; this crate does not know it, nor the wire.

pub mod board;
pub mod clock;
pub mod game;
pub mod id;
pub mod laws;
pub mod lobby;
pub mod notation;
pub mod shard;
pub mod time;
