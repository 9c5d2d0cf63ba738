//! Who may come in: accounts, sessions, guests, programs' tokens. Knows no game and no socket.

mod config;

pub use config::AccountsConfig;
