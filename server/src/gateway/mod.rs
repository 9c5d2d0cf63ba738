//! Everything between a client's socket and the rest of the server: accepting, sockets, limits,
//! sessions, rooms. Judges no move and stores nothing.

mod identity;

pub use identity::{
    AdmitError, Credential, Doorkeeper, Identity, Kind, Pending, Scope, Scopes, SessionId,
};
