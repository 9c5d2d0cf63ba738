//! A client of the protocol as its page asks for one: it keeps to the limits it was granted, sends
//! unanswered commands again under their ids after a cut, resumes from the last event it saw, and
//! believes nothing that contradicts what it saw before. Knows no rule of chess.

mod account;
mod connection;
mod http;
mod player;
mod record;
mod table;

pub use account::{Account, guest, log_in, sign_up};
pub use connection::Connection;
pub use http::{Answer, Http, HttpError};
pub use player::{Acknowledged, Patience, Player};
pub use record::{Record, RecordError, clock_of, time_of};
pub use table::{Act, Table, Wish};

use rookery_protocol::{CloseCode, ErrorCode, Malformed};
use tokio_tungstenite::tungstenite;

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    websocket: String,
    authority: String,
}

/// What went wrong between us and the server.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Not an address of a server.
    #[error("{0}: a server's address looks like ws://127.0.0.1:8080/ws")]
    BadUrl(String),
    /// A REST call got no answer.
    #[error("http: {0}")]
    Http(#[from] HttpError),
    /// A REST call was answered otherwise than hoped for.
    #[error("{path} answered {status}: {body}")]
    Answered {
        /// What was called.
        path: String,
        /// The status code.
        status: u16,
        /// The body.
        body: String,
    },
    /// The socket failed.
    #[error("websocket: {0}")]
    Socket(#[from] Box<tungstenite::Error>),
    /// The server closed the socket.
    #[error("closed with {code} {reason}")]
    Closed {
        /// The close code.
        code: u16,
        /// The reason beside it.
        reason: String,
    },
    /// A frame that is no message.
    #[error("the server sent something unreadable: {0}")]
    Unreadable(#[from] Malformed),
    /// A request was refused.
    #[error("refused: {} ({message})", code.as_str())]
    Refused {
        /// Why, for programs.
        code: ErrorCode,
        /// Why, for people.
        message: String,
    },
    /// Something that must come did not.
    #[error("{0} did not come in time")]
    TimedOut(&'static str),
    /// The server contradicts itself.
    #[error("record: {0}")]
    Record(#[from] RecordError),
    /// The server answered something else than was asked.
    #[error("unexpected: {0}")]
    Unexpected(String),
}

impl ClientError {
    /// Whether the server has no room for another socket, for now.
    pub fn is_full(&self) -> bool {
        let codes = [CloseCode::TooManySockets, CloseCode::TryLater];
        match self {
            ClientError::Closed { code, .. } => codes.iter().any(|full| full.code() == *code),
            ClientError::Socket(error) => match &**error {
                tungstenite::Error::Http(answer) => matches!(answer.status().as_u16(), 429 | 503),
                _ => false,
            },
            _ => false,
        }
    }
}

impl Target {
    /// The server behind a URL `ws://host:port`, with or without the path `/ws`.
    pub fn parse(url: &str) -> Result<Target, ClientError> {
        let bad = || ClientError::BadUrl(url.to_owned());
        let rest = url.strip_prefix("ws://").ok_or_else(bad)?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, "ws"));
        if authority.is_empty() || !matches!(path, "" | "ws") {
            return Err(bad());
        }
        let authority = if authority.contains(':') {
            authority.to_owned()
        } else {
            format!("{authority}:80")
        };
        Ok(Target {
            websocket: format!("ws://{authority}/ws"),
            authority,
        })
    }

    /// The address of its socket.
    pub fn websocket(&self) -> &str {
        &self.websocket
    }

    /// Its REST interface.
    pub fn http(&self) -> Http {
        Http::new(&self.authority)
    }
}

#[cfg(test)]
mod tests;
