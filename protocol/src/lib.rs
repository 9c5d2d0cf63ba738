//! The wire of Rookery's own WebSocket protocol, `rookery.v1`: messages, limits, codes.
//!
//! One JSON object a text frame; `t` names the message. [`ClientMessage::parse`] is the only door for
//! what a client sends and is strict; [`ServerMessage::to_json`] writes what the server sends. A leaf:
//! it opens no socket, reads no clock and knows no rule of chess. The page for people who write
//! clients is `PROTOCOL.md` beside this crate.

mod client;
mod close;
mod error;
mod event;
pub mod limits;
mod lobby;
#[cfg(feature = "schema")]
pub mod page;
#[cfg(feature = "schema")]
pub mod schema;
mod server;
mod tagged;
mod text;
mod words;

pub use client::{
    AcceptChallenge, CancelChallenge, Challenge, Chat, Claim, ClaimAbsence, ClientMessage, Command,
    DeclineChallenge, Hello, JoinPool, Move, Mute, Rematch, Request, Seek, Takeback, Ticks, Unseek,
    Unwatch, Watch,
};
pub use close::{CloseCode, Reconnect};
pub use error::{ErrorCode, Retry};
pub use event::{
    Born, Claimed, Declined, Ended, Event, Moved, Offered, Paused, Resumed, TakebackDeclined,
    TakebackProposed, TakenBack,
};
pub use lobby::{
    ChallengeEnd, ChallengeGone, ChallengeView, Challenged, Lobby, LobbyChanged, OpenSeek, Origin,
    Paired, PoolView,
};
pub use server::{
    ChatLine, ChatLines, Error, Events, GameState, Identity, Line, Notice, NoticeKind, Ok, Played,
    Pong, Presence, ServerMessage, Tick, Welcome,
};
pub use tagged::Malformed;
pub use text::{
    Auth, BadText, ChatText, Control, Fen, GameId, Language, Name, PlayerId, Software, Uci,
};
pub use words::{
    AbsenceClaim, BySeat, ClaimRule, Clock, ColourWish, DeclineReason, Ending, Outcome,
    PauseReason, Player, Profile, RequestId, Room, Ruling, Score, Seat, TakebackStep, Terms,
    WrongClaim,
};

/// The name of this protocol in `Sec-WebSocket-Protocol`.
pub const SUBPROTOCOL: &str = "rookery.v1";
