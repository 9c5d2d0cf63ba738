//! Everything between a client's socket and the rest of the server: accepting, sockets, limits,
//! sessions, rooms. Judges no move and stores nothing.

mod identity;
mod services;

pub use identity::{
    AdmitError, Credential, Doorkeeper, Identity, Kind, Pending, Scope, Scopes, SessionId,
};
pub use services::{Desk, Games, LobbyAsk, LobbyDone, Records, RecordsAway};
