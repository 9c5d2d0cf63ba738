//! What the server sends. A client ignores fields and messages it does not know: later servers of the
//! same version may add both.

use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::tagged::{self, Malformed, messages};
use crate::{
    Auth, BySeat, ChallengeGone, Challenged, Clock, ErrorCode, Event, Fen, GameId, Lobby,
    LobbyChanged, Outcome, Paired, PauseReason, Player, PlayerId, RequestId, Room, Ruling, Seat,
    Terms, Uci,
};

messages! {
    /// An answer, an event or a notice.
    pub enum ServerMessage {
        /// Answers `hello`.
        "welcome" => Welcome(Box<Welcome>),
        /// Answers `ping`.
        "pong" => Pong(Pong),
        /// The request was done.
        "ok" => Ok(Ok),
        /// It was not, or a frame was no request.
        "error" => Error(Error),
        /// The whole state of a game.
        "game" => Game(Box<GameState>),
        /// Events that were missed, in one frame.
        "events" => Events(Events),
        /// Both clocks, for display.
        "tick" => Tick(Tick),
        /// A player came or went.
        "presence" => Presence(Presence),
        /// A line of chat.
        "chat_line" => ChatLine(ChatLine),
        /// The last lines of a room, when it is entered.
        "chat_lines" => ChatLines(ChatLines),
        /// Open seeks and pools.
        "lobby" => Lobby(Lobby),
        /// What changed there.
        "lobby_changed" => LobbyChanged(LobbyChanged),
        /// A game of yours begins.
        "paired" => Paired(Box<Paired>),
        /// A challenge by or to you.
        "challenged" => Challenged(Box<Challenged>),
        /// It is gone.
        "challenge_gone" => ChallengeGone(ChallengeGone),
        /// Something about the service.
        "notice" => Notice(Notice),
    }
    else Event(Event),
    /// A numbered event of a game.
}

impl ServerMessage {
    /// Reads one frame. Fields that are not known are passed over.
    pub fn parse(frame: &str) -> Result<ServerMessage, Malformed> {
        tagged::parse(frame)
    }

    /// Writes one frame.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("messages have string keys and no fallible parts")
    }
}

macro_rules! answers {
    ($(
        $(#[$doc:meta])*
        $name:ident { $( $(#[$fdoc:meta])* $field:ident: $type:ty, )* }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name {
            $( $(#[$fdoc])* pub $field: $type, )*
        }
    )+};
}

answers! {
    /// Who the server takes you for, and what it grants.
    Welcome {
        /// The id of the `hello`.
        id: RequestId,
        /// Who you are; none for a spectator without a name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        you: Option<Identity>,
        /// A fresh ticket for the next `hello` (absent for programs' tokens and spectators).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ticket: Option<Auth>,
        /// The server's time, Unix ms.
        at: u64,
        /// Your live games.
        games: Vec<GameId>,
        /// What this server allows.
        limits: Limits,
        /// The server's name and version.
        software: String,
    }

    /// A player.
    Identity {
        /// Who.
        id: PlayerId,
        /// The name shown.
        name: String,
        /// Whether it is a program's account.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bot: bool,
        /// Whether it is a guest.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        guest: bool,
    }

    /// The answer to `ping`.
    Pong {
        /// The id of the `ping`.
        id: RequestId,
        /// The server's time, Unix ms.
        at: u64,
    }

    /// A request that was done.
    Ok {
        /// The id of the request.
        id: RequestId,
        /// What became of a command to a game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ruling: Option<Ruling>,
        /// The seek, challenge or game that the request made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made: Option<GameId>,
    }

    /// A request that was not done, or a frame that was none.
    Error {
        /// The id of the request, where it could be read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<RequestId>,
        /// Why, for programs. Never changes its meaning.
        code: ErrorCode,
        /// Why, for people.
        message: String,
        /// The article of the Laws that refuses it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        article: Option<String>,
        /// How many ms to wait before asking again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<u64>,
    }

    /// The whole state of a game after one of its events.
    GameState {
        /// The game.
        game: GameId,
        /// The number of the last event in it; the next one is one more.
        seq: u32,
        /// The server's time, Unix ms, for which `clock` is true.
        at: u64,
        /// What was agreed.
        terms: Terms,
        /// Who plays.
        players: BySeat<Player>,
        /// When White's clock starts or started.
        starts_at: u64,
        /// The position.
        fen: Fen,
        /// Half-moves played.
        ply: u32,
        /// The moves, first to last.
        moves: Vec<Played>,
        /// Both clocks.
        clock: Clock,
        /// Who has an open offer of a draw.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offer: Option<Seat>,
        /// Who has proposed to take a move back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        takeback: Option<Seat>,
        /// Why clocks stand, if they do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paused: Option<PauseReason>,
        /// Which players are there.
        online: BySeat<bool>,
        /// How it ended, if it has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outcome: Option<Outcome>,
    }

    /// A move that was played.
    Played {
        /// The move.
        uci: Uci,
        /// The same in SAN.
        san: String,
    }

    /// Events in order, as they would have come one by one.
    Events {
        /// The game.
        game: GameId,
        /// From the number asked for to the last one; empty when nothing was missed.
        events: Vec<Event>,
        /// Which players are there.
        online: BySeat<bool>,
        /// The server's time, Unix ms.
        at: u64,
    }

    /// Both clocks between two events. No event: it has no number and may be left out.
    Tick {
        /// The game.
        game: GameId,
        /// The number of the last event it follows.
        seq: u32,
        /// The server's time, Unix ms.
        at: u64,
        /// Both clocks at that time.
        clock: Clock,
    }

    /// A player of a game came or went.
    Presence {
        /// The game.
        game: GameId,
        /// Which.
        seat: Seat,
        /// Whether he is there.
        online: bool,
        /// The server's time, Unix ms.
        at: u64,
        /// When the opponent may claim, Unix ms, where the terms allow it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim_at: Option<u64>,
    }

    /// A line of chat.
    ChatLine {
        /// The game.
        game: GameId,
        /// In which of its rooms.
        room: Room,
        /// The line.
        line: Line,
    }

    /// The last lines of a room.
    ChatLines {
        /// The game.
        game: GameId,
        /// Which of its rooms.
        room: Room,
        /// Oldest first.
        lines: Vec<Line>,
    }

    /// What somebody said.
    Line {
        /// Its number in the room.
        n: u32,
        /// When, Unix ms.
        at: u64,
        /// Who.
        from: Identity,
        /// What.
        text: String,
    }

    /// Something about the service.
    Notice {
        /// What kind.
        kind: NoticeKind,
        /// The same for people.
        message: String,
        /// When it takes effect, Unix ms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
    }
}

/// The kinds of notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// The server will stop: no new games; sockets close with 1012, then reconnect.
    Draining,
    /// Something the operator wants everybody to know.
    Announcement,
    /// Your seek or your place in a pool ended without a game; seek again.
    SeekEnded,
}
