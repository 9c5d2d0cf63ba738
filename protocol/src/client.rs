//! What a client sends. Every message is a request with an `id`, answered at most once a frame: by
//! `ok`, `error`, or for `hello` and `ping` by `welcome` and `pong`.

use serde::{Deserialize, Serialize};

use crate::tagged::{self, Malformed, messages};
use crate::{
    AbsenceClaim, Auth, ChatText, ClaimRule, ColourWish, Control, DeclineReason, Fen, GameId,
    Language, Name, Profile, RequestId, Room, Software, TakebackStep, Uci,
};

messages! {
    /// A request.
    pub enum ClientMessage {
        /// Says who is there; the first frame, at most once. Without it the socket only watches.
        "hello" => Hello(Hello),
        /// Asks for a `pong`.
        "ping" => Ping(Request),
        /// Turns clock ticks on or off for this socket.
        "ticks" => Ticks(Ticks),
        /// Follows a game: its state or the events missed come first, then `ok`.
        "watch" => Watch(Watch),
        /// Follows it no longer.
        "unwatch" => Unwatch(Unwatch),
        /// Plays a move.
        "move" => Move(Move),
        /// Offers a draw without a move.
        "offer" => Offer(Command),
        /// Accepts the open offer.
        "accept" => Accept(Command),
        /// Declines it.
        "decline" => Decline(Command),
        /// Asks to take an offer back: always refused, by the Laws.
        "withdraw" => Withdraw(Command),
        /// Claims a draw.
        "claim" => Claim(Claim),
        /// Resigns.
        "resign" => Resign(Command),
        /// Leaves the game before both sides have moved.
        "abort" => Abort(Command),
        /// Proposes, allows or refuses to take a move back (casual games).
        "takeback" => Takeback(Takeback),
        /// Claims against an opponent who has been away for longer than the terms grant.
        "claim_absence" => ClaimAbsence(ClaimAbsence),
        /// Says something in a room of a game.
        "chat" => Chat(Chat),
        /// Turns the chat of a game off or on for this socket.
        "mute" => Mute(Mute),
        /// Opens a seek; `ok` names it.
        "seek" => Seek(Seek),
        /// Takes a seek back.
        "unseek" => Unseek(Unseek),
        /// Takes up another player's seek.
        "take_seek" => TakeSeek(Unseek),
        /// Waits in a quick-pairing pool.
        "join_pool" => JoinPool(JoinPool),
        /// Waits no longer in any pool.
        "leave_pool" => LeavePool(Request),
        /// Challenges a player, or whoever has the link; `ok` names it.
        "challenge" => Challenge(Challenge),
        /// Accepts a challenge.
        "accept_challenge" => AcceptChallenge(AcceptChallenge),
        /// Declines one.
        "decline_challenge" => DeclineChallenge(DeclineChallenge),
        /// Takes an own challenge back.
        "cancel_challenge" => CancelChallenge(CancelChallenge),
        /// Asks for another game with the colours swapped; when the opponent has asked, accepts.
        "rematch" => Rematch(Rematch),
        /// Follows the list of seeks and pools.
        "watch_lobby" => WatchLobby(Request),
        /// Follows it no longer.
        "unwatch_lobby" => UnwatchLobby(Request),
    }
}

impl ClientMessage {
    /// Reads one frame. Strict: unknown messages and fields, duplicates, wrong types and texts that
    /// do not fit are errors.
    pub fn parse(frame: &str) -> Result<ClientMessage, Malformed> {
        tagged::parse(frame)
    }

    /// Writes one frame.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("messages have string keys and no fallible parts")
    }

    /// The number of the request.
    pub fn id(&self) -> RequestId {
        use ClientMessage as M;
        match self {
            M::Hello(m) => m.id,
            M::Ping(m) | M::LeavePool(m) | M::WatchLobby(m) | M::UnwatchLobby(m) => m.id,
            M::Ticks(m) => m.id,
            M::Watch(m) => m.id,
            M::Unwatch(m) => m.id,
            M::Move(m) => m.id,
            M::Offer(m) | M::Accept(m) | M::Decline(m) => m.id,
            M::Withdraw(m) | M::Resign(m) | M::Abort(m) => m.id,
            M::Claim(m) => m.id,
            M::Takeback(m) => m.id,
            M::ClaimAbsence(m) => m.id,
            M::Chat(m) => m.id,
            M::Mute(m) => m.id,
            M::Seek(m) => m.id,
            M::Unseek(m) | M::TakeSeek(m) => m.id,
            M::JoinPool(m) => m.id,
            M::Challenge(m) => m.id,
            M::AcceptChallenge(m) => m.id,
            M::DeclineChallenge(m) => m.id,
            M::CancelChallenge(m) => m.id,
            M::Rematch(m) => m.id,
        }
    }
}

macro_rules! requests {
    ($(
        $(#[$doc:meta])*
        $name:ident { $( $(#[$fdoc:meta])* $field:ident: $type:ty, )* }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The number of the request.
            pub id: RequestId,
            $( $(#[$fdoc])* pub $field: $type, )*
        }
    )+};
}

requests! {
    /// A request with nothing but its id.
    Request {}

    /// Who is there.
    Hello {
        /// A session ticket or a program's token; none = a spectator without a name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        auth: Option<Auth>,
        /// The language of texts for people; English when absent or unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<Language>,
        /// Whether clock ticks are wanted.
        #[serde(default = "on", skip_serializing_if = "is_on")]
        ticks: bool,
        /// The client's name and version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        software: Option<Software>,
    }

    /// Clock ticks on or off.
    Ticks {
        /// Whether they are wanted.
        on: bool,
    }

    /// Which game to follow, and from where.
    Watch {
        /// The game.
        game: GameId,
        /// The first event number wanted: one more than the last one seen. Without it the state comes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u32>,
    }

    /// Which game to follow no longer.
    Unwatch {
        /// The game.
        game: GameId,
    }

    /// A move.
    Move {
        /// The game.
        game: GameId,
        /// Half-moves played in the position it answers.
        ply: u32,
        /// The move.
        uci: Uci,
        /// Whether a draw is offered with it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        offer: bool,
    }

    /// An act that needs no more words.
    Command {
        /// The game.
        game: GameId,
        /// Half-moves played in the position it answers.
        ply: u32,
    }

    /// A claim of a draw by the side to move.
    Claim {
        /// The game.
        game: GameId,
        /// Half-moves played in the position it answers.
        ply: u32,
        /// By which rule.
        rule: ClaimRule,
        /// The move that would complete it; none when it stands on the board.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        announced: Option<Uci>,
    }

    /// A step of taking a move back.
    Takeback {
        /// The game.
        game: GameId,
        /// Half-moves played in the position it answers.
        ply: u32,
        /// Which step.
        step: TakebackStep,
    }

    /// A claim against an absent opponent.
    ClaimAbsence {
        /// The game.
        game: GameId,
        /// Half-moves played in the position it answers.
        ply: u32,
        /// What is claimed.
        claim: AbsenceClaim,
    }

    /// A line of chat.
    Chat {
        /// The game.
        game: GameId,
        /// In which of its rooms.
        room: Room,
        /// What is said.
        text: ChatText,
    }

    /// Chat of a game off or on.
    Mute {
        /// The game.
        game: GameId,
        /// Whether it is off.
        on: bool,
    }

    /// An open wish to play.
    Seek {
        /// The clock.
        control: Control,
        /// Whether points and ratings are at stake.
        rated: bool,
        /// The colour wished for; `random` when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        colour: Option<ColourWish>,
        /// By which Laws; the server's default when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        profile: Option<Profile>,
        /// How far apart the players' points may be; as far as the rules allow when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        window: Option<u32>,
    }

    /// Which seek.
    Unseek {
        /// The seek.
        seek: GameId,
    }

    /// A quick-pairing pool.
    JoinPool {
        /// The pool's clock, one of those in `lobby`.
        control: Control,
        /// Whether points and ratings are at stake.
        rated: bool,
    }

    /// A challenge.
    Challenge {
        /// Whom; none = whoever has the link.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Name>,
        /// The clock.
        control: Control,
        /// Whether points and ratings are at stake.
        rated: bool,
        /// The challenger's colour; `random` when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        colour: Option<ColourWish>,
        /// By which Laws; the server's default when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        profile: Option<Profile>,
        /// Another position to start from; casual only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start_fen: Option<Fen>,
    }

    /// Which challenge to accept.
    AcceptChallenge {
        /// The challenge.
        challenge: GameId,
    }

    /// Which challenge to decline, and why.
    DeclineChallenge {
        /// The challenge.
        challenge: GameId,
        /// Why; `generic` when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<DeclineReason>,
    }

    /// Which own challenge to take back.
    CancelChallenge {
        /// The challenge.
        challenge: GameId,
    }

    /// Which game to play again.
    Rematch {
        /// The finished game.
        game: GameId,
    }
}

fn on() -> bool {
    true
}

fn is_on(flag: &bool) -> bool {
    *flag
}
