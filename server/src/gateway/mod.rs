//! Everything between a client's socket and the rest of the server: accepting, sockets, limits,
//! sessions, rooms. Judges no move and stores nothing.

mod bucket;
mod config;
mod identity;
mod outbox;
mod services;
mod sessions;

pub use config::{ConfigProblem, GatewayConfig};
pub use identity::{
    AdmitError, Credential, Doorkeeper, Identity, Kind, Pending, Scope, Scopes, SessionId,
};
pub use services::{Desk, Games, LobbyAsk, LobbyDone, Records, RecordsAway};
pub use sessions::Sessions;
