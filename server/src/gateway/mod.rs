//! Everything between a client's socket and the rest of the server: accepting, sockets, limits,
//! sessions, rooms. Judges no move and stores nothing.

mod accept;
mod bucket;
mod config;
mod doors;

mod house;
mod identity;
mod lag;
mod meter;
mod outbox;
mod proxy;
mod rooms;
mod services;
mod session;
mod sessions;
mod socket;
mod stream;
mod tls;
mod upgrade;

pub use accept::{ClientAddress, listen, serve};
pub use config::{ConfigProblem, GatewayConfig};
pub use doors::Doors;
pub use house::{Gateway, Services};
pub use identity::{
    AdmitError, Credential, Doorkeeper, Identity, Kind, Pending, Scope, Scopes, SessionId,
};
pub use rooms::Rooms;
pub use services::{Desk, Games, LobbyAsk, LobbyDone, Records, RecordsAway, Said, Scribe};
pub use sessions::Sessions;
pub use socket::{End, Incoming, Socket};
pub use tls::{TlsError, acceptor};
pub use upgrade::{UpgradeError, Upgrading, upgrade};

#[cfg(test)]
mod tests;
