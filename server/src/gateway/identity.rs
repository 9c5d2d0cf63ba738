//! Who is at the other end of a socket, and how the gateway finds out. How a credential is checked
//! (tickets, tokens, revocation) is the doorkeeper's own affair.

use std::fmt;
use std::pin::Pin;

use rookery_core::id::PlayerId;

/// An answer on its way. Boxed, so that what the gateway asks of the rest of the server are trait
/// objects and a socket's task is one type.
pub type Pending<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A player known to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Who.
    pub player: PlayerId,
    /// The name shown, with its own spelling.
    pub name: String,
    /// What stands behind it.
    pub kind: Kind,
    /// Whether it is a program's account.
    pub bot: bool,
    /// What the credential allows.
    pub scopes: Scopes,
    /// The session that a revocation would name; none for guests and tokens without one.
    pub session: Option<SessionId>,
}

/// What stands behind a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A row in the archive.
    Account,
    /// A ticket and nothing else.
    Guest,
}

/// A session or token of an account, as the archive numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub i64);

/// One thing a credential may allow. A session has all of them, a program's token those it was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Scope {
    /// Act in games.
    Play = 1,
    /// Write into chat rooms.
    Chat = 2,
    /// Read the account's own data.
    Read = 4,
    /// Change the account: password, sessions, tokens.
    Account = 8,
    /// Seek, challenge, wait in pools.
    Challenge = 16,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Scope; 5] = [
        Scope::Play,
        Scope::Chat,
        Scope::Read,
        Scope::Account,
        Scope::Challenge,
    ];
}

/// A set of [`Scope`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// What a session that logged in with a password may do.
    pub const ALL: Scopes = Scopes(31);

    /// Whether `scope` is allowed.
    pub const fn allows(self, scope: Scope) -> bool {
        self.0 & scope as u8 != 0
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Scopes {
        Scopes(scopes.into_iter().fold(0, |set, scope| set | scope as u8))
    }
}

/// What the first message of a socket carries: a session's ticket or a program's token. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential(Box<str>);

impl Credential {
    /// The text as it came over the wire.
    pub fn new(text: &str) -> Credential {
        Credential(text.into())
    }

    /// The text, for whoever checks it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credential(…)")
    }
}

/// Why a credential is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdmitError {
    /// No ticket or token of ours, or one whose signature does not hold.
    #[error("the credential is not valid")]
    Invalid,
    /// It was good once.
    #[error("the credential has expired")]
    Expired,
    /// Its session was ended, or its account deleted.
    #[error("the session was ended")]
    Revoked,
    /// The account may not come in.
    #[error("the account is closed")]
    Banned,
    /// The archive does not answer: nothing is known of the credential.
    #[error("the credential cannot be checked at the moment")]
    Unavailable,
}

/// Checks credentials.
pub trait Doorkeeper: Send + Sync + 'static {
    /// Whose credential this is.
    fn admit(&self, credential: Credential) -> Pending<Result<Identity, AdmitError>>;

    /// A fresh ticket for a session's next `hello`; none for programs' tokens, which do not wear out.
    fn renew(&self, identity: &Identity) -> Option<String>;
}
