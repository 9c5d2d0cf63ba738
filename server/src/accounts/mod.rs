//! Who may come in: accounts, sessions, guests, programs' tokens. Knows no game and no socket.

mod admit;
mod config;
mod credentials;
mod entering;
mod error;
mod name;
mod names;
mod password;
mod random;
mod revoked;
mod scope;
mod service;
mod throttle;
mod ticket;
mod token;
mod upkeep;
mod uses;

#[cfg(test)]
mod tests;

pub use config::AccountsConfig;
pub use credentials::MadeToken;
pub use entering::Entered;
pub use error::AccountError;
pub use name::{AccountName, NameError};
pub use password::{HashError, PasswordError};
pub use random::{NoChance, random_id, random_text};
pub use scope::{ScopeError, TokenScope};
pub use service::Accounts;
pub use throttle::{Throttle, neighbourhood};
