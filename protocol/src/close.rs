//! Why the server closes a socket, and whether to come back. 1000-1015 are RFC 6455's; 4000-4499 say
//! "reconnect", 4500-4999 say "do not, before something is changed".

/// A close code of ours, with the reason sent beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CloseCode {
    /// Done: the client closed, or asked for it.
    Normal,
    /// The node goes away.
    GoingAway,
    /// The frames break RFC 6455.
    WebSocketProtocol,
    /// A binary frame; only text is spoken here.
    TextOnly,
    /// Text that is not UTF-8.
    BadUtf8,
    /// A larger frame than allowed.
    TooLarge,
    /// A fault of ours.
    Internal,
    /// The server restarts.
    Restart,
    /// The server is full.
    TryLater,
    /// The client read too slowly; nothing is lost, resume.
    SlowReader,
    /// No pong came.
    Silent,
    /// The session moved to another node.
    Moved,
    /// No `hello` came in time.
    HelloTimeout,
    /// The ticket or token is not valid.
    BadAuth,
    /// Frames faster than the limits, in spite of errors.
    Flood,
    /// The account is banned.
    Banned,
    /// Too many sockets of this account or address.
    TooManySockets,
    /// The session was revoked, the password changed or the account deleted.
    Revoked,
    /// Too many frames that are no messages.
    Misuse,
}

/// Whether and when to come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reconnect {
    /// At once, then with growing pauses.
    AtOnce,
    /// After a random time between so many ms, so that not everybody comes at once.
    After {
        /// At least.
        least: u64,
        /// At most.
        most: u64,
    },
    /// Not before the client, its credentials or its behaviour is changed.
    Never,
}

impl CloseCode {
    /// Every code, by number.
    pub const ALL: [CloseCode; 19] = [
        CloseCode::Normal,
        CloseCode::GoingAway,
        CloseCode::WebSocketProtocol,
        CloseCode::TextOnly,
        CloseCode::BadUtf8,
        CloseCode::TooLarge,
        CloseCode::Internal,
        CloseCode::Restart,
        CloseCode::TryLater,
        CloseCode::SlowReader,
        CloseCode::Silent,
        CloseCode::Moved,
        CloseCode::HelloTimeout,
        CloseCode::BadAuth,
        CloseCode::Misuse,
        CloseCode::Banned,
        CloseCode::TooManySockets,
        CloseCode::Revoked,
        CloseCode::Flood,
    ];

    /// The number in the close frame.
    pub const fn code(self) -> u16 {
        match self {
            CloseCode::Normal => 1000,
            CloseCode::GoingAway => 1001,
            CloseCode::WebSocketProtocol => 1002,
            CloseCode::TextOnly => 1003,
            CloseCode::BadUtf8 => 1007,
            CloseCode::TooLarge => 1009,
            CloseCode::Internal => 1011,
            CloseCode::Restart => 1012,
            CloseCode::TryLater => 1013,
            CloseCode::SlowReader => 4001,
            CloseCode::Silent => 4002,
            CloseCode::Moved => 4003,
            CloseCode::HelloTimeout => 4004,
            CloseCode::BadAuth => 4501,
            CloseCode::Misuse => 4502,
            CloseCode::Banned => 4503,
            CloseCode::TooManySockets => 4504,
            CloseCode::Revoked => 4505,
            CloseCode::Flood => 4506,
        }
    }

    /// The reason in the close frame.
    pub const fn reason(self) -> &'static str {
        match self {
            CloseCode::Normal => "done",
            CloseCode::GoingAway => "going_away",
            CloseCode::WebSocketProtocol => "websocket_protocol",
            CloseCode::TextOnly => "text_only",
            CloseCode::BadUtf8 => "bad_utf8",
            CloseCode::TooLarge => "too_large",
            CloseCode::Internal => "internal",
            CloseCode::Restart => "restart",
            CloseCode::TryLater => "try_later",
            CloseCode::SlowReader => "slow_reader",
            CloseCode::Silent => "silent",
            CloseCode::Moved => "moved",
            CloseCode::HelloTimeout => "hello_timeout",
            CloseCode::BadAuth => "bad_auth",
            CloseCode::Misuse => "misuse",
            CloseCode::Banned => "banned",
            CloseCode::TooManySockets => "too_many_sockets",
            CloseCode::Revoked => "revoked",
            CloseCode::Flood => "flood",
        }
    }

    /// What it means, for the page.
    pub const fn meaning(self) -> &'static str {
        match self {
            CloseCode::Normal => "the client closed",
            CloseCode::GoingAway => "this node goes away",
            CloseCode::WebSocketProtocol => "a frame breaks RFC 6455",
            CloseCode::TextOnly => "a binary frame: only text is spoken here",
            CloseCode::BadUtf8 => "text that is not UTF-8",
            CloseCode::TooLarge => "a frame larger than `frame_bytes`",
            CloseCode::Internal => "a fault of the server",
            CloseCode::Restart => "the server restarts",
            CloseCode::TryLater => "the server is full",
            CloseCode::SlowReader => "the client read too slowly; nothing is lost",
            CloseCode::Silent => "nothing came from the client for `client_silent_ms`",
            CloseCode::Moved => "the session moved to another node",
            CloseCode::HelloTimeout => "no frame came in time",
            CloseCode::BadAuth => "the ticket or token is not valid: log in again",
            CloseCode::Misuse => "too many frames that are no messages",
            CloseCode::Banned => "the account or address is banned",
            CloseCode::TooManySockets => "too many sockets of this account or address",
            CloseCode::Revoked => "the session was ended elsewhere: log in again",
            CloseCode::Flood => "frames faster than the limits, in spite of `rate_limited`",
        }
    }

    /// Whether to come back.
    pub const fn reconnect(self) -> Reconnect {
        match self {
            CloseCode::GoingAway
            | CloseCode::Internal
            | CloseCode::SlowReader
            | CloseCode::Silent
            | CloseCode::Moved
            | CloseCode::HelloTimeout => Reconnect::AtOnce,
            CloseCode::Restart | CloseCode::TryLater => Reconnect::After {
                least: 5_000,
                most: 30_000,
            },
            CloseCode::Normal
            | CloseCode::WebSocketProtocol
            | CloseCode::TextOnly
            | CloseCode::BadUtf8
            | CloseCode::TooLarge
            | CloseCode::BadAuth
            | CloseCode::Misuse
            | CloseCode::Banned
            | CloseCode::TooManySockets
            | CloseCode::Revoked
            | CloseCode::Flood => Reconnect::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_says_whether_to_come_back() {
        for close in CloseCode::ALL {
            match close.code() {
                1000..=1015 => {}
                4000..=4499 => assert_ne!(close.reconnect(), Reconnect::Never, "{close:?}"),
                4500..=4999 => assert_eq!(close.reconnect(), Reconnect::Never, "{close:?}"),
                outside => panic!("{outside} is in no range of ours"),
            }
        }
    }

    #[test]
    fn codes_differ_go_up_and_are_never_the_reserved_ones() {
        let codes = CloseCode::ALL.map(CloseCode::code);
        assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
        assert!(
            [1004, 1005, 1006, 1015]
                .iter()
                .all(|reserved| !codes.contains(reserved))
        );
        // RFC 6455, 5.5: a control frame carries 125 bytes, two of them the code.
        assert!(
            CloseCode::ALL
                .iter()
                .all(|close| close.reason().len() <= 123)
        );
    }
}
