//! Why an account's affair was not done.

use rookery_core::time::Millis;

use super::{HashError, NameError, NoChance, PasswordError};
use crate::stores::archive::ArchiveError;

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// The name cannot be an account's.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Another account has it.
    #[error("this name is taken")]
    NameTaken,
    /// The password cannot be an account's.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The label of a token.
    #[error("a label has 1 to 64 characters and no control characters")]
    Label,
    /// A token that allows nothing.
    #[error("a token needs at least one scope")]
    NoScope,
    /// There is no such name, or it has another password: which of them is not said.
    #[error("the name or the password is wrong")]
    BadLogin,
    /// The password given once more to confirm is not the account's.
    #[error("the password is wrong")]
    WrongPassword,
    /// Too often.
    #[error("too many tries: wait {wait}")]
    TooOften {
        /// How long to wait.
        wait: Millis,
    },
    /// Nobody can sign up over the network.
    #[error("accounts are made by the operator of this server")]
    SignupClosed,
    /// Guests do not play here.
    #[error("guests do not play on this server")]
    GuestsClosed,
    /// The account is not there, or closed.
    #[error("there is no such account")]
    UnknownAccount,
    /// No session of this account.
    #[error("there is no such session")]
    UnknownSession,
    /// No token of this account.
    #[error("there is no such token")]
    UnknownToken,
    /// As many as an account may have.
    #[error("this account has as many tokens as it may")]
    TooManyTokens,
    /// Passwords cannot be hashed now.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// No random numbers.
    #[error(transparent)]
    Chance(#[from] NoChance),
    /// The archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}
