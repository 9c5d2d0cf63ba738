//! What a client asks, sorted by who answers it.

use rookery_core::board::Uci;
use rookery_core::game::{AbsenceClaim, Act};
use rookery_core::id::CommandId;
use rookery_protocol::{self as wire, ClientMessage as M};

use super::words::rule_from_wire;
use crate::gateway::LobbyAsk;

/// A request, by who answers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// The session itself.
    Session(SessionAsk),
    /// The owner of a game.
    Command(Command),
    /// The lobby.
    Lobby(LobbyAsk),
}

/// What the session answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionAsk {
    /// Who is there.
    Hello(wire::Hello),
    /// A sign of life.
    Ping,
    /// Clock ticks on or off.
    Ticks(bool),
    /// Follow a game.
    Watch(wire::Watch),
    /// Follow it no longer.
    Unwatch(wire::GameId),
    /// Say something.
    Chat(wire::Chat),
    /// A game's chat off or on.
    Mute(wire::Mute),
    /// Follow the lobby, or no longer.
    Lobby(bool),
}

/// A command to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// The key under which it is done once.
    pub id: CommandId,
    /// To which game.
    pub game: wire::GameId,
    /// Half-moves in the position it answers.
    pub ply: u32,
    /// What is asked.
    pub act: Act,
}

/// Sorts a message.
pub fn request(message: M) -> Request {
    let id = CommandId(message.id().get());
    let command = |game, ply, act| Request::Command(Command { id, game, ply, act });
    match message {
        M::Hello(m) => Request::Session(SessionAsk::Hello(m)),
        M::Ping(_) => Request::Session(SessionAsk::Ping),
        M::Ticks(m) => Request::Session(SessionAsk::Ticks(m.on)),
        M::Watch(m) => Request::Session(SessionAsk::Watch(m)),
        M::Unwatch(m) => Request::Session(SessionAsk::Unwatch(m.game)),
        M::Chat(m) => Request::Session(SessionAsk::Chat(m)),
        M::Mute(m) => Request::Session(SessionAsk::Mute(m)),
        M::WatchLobby(_) => Request::Session(SessionAsk::Lobby(true)),
        M::UnwatchLobby(_) => Request::Session(SessionAsk::Lobby(false)),
        M::Move(m) => command(
            m.game,
            m.ply,
            Act::Move {
                uci: uci(m.uci),
                offer: m.offer,
            },
        ),
        M::Offer(m) => command(m.game, m.ply, Act::Offer),
        M::Accept(m) => command(m.game, m.ply, Act::Accept),
        M::Decline(m) => command(m.game, m.ply, Act::Decline),
        M::Withdraw(m) => command(m.game, m.ply, Act::Withdraw),
        M::Claim(m) => command(
            m.game,
            m.ply,
            Act::Claim {
                rule: rule_from_wire(m.rule),
                announced: m.announced.map(uci),
            },
        ),
        M::Resign(m) => command(m.game, m.ply, Act::Resign),
        M::Abort(m) => command(m.game, m.ply, Act::Abort),
        M::Takeback(m) => command(m.game, m.ply, takeback(m.step)),
        M::ClaimAbsence(m) => command(
            m.game,
            m.ply,
            Act::ClaimAbsence {
                claim: absence(m.claim),
            },
        ),
        M::Seek(m) => Request::Lobby(LobbyAsk::Seek(m)),
        M::Unseek(m) => Request::Lobby(LobbyAsk::Unseek(m)),
        M::TakeSeek(m) => Request::Lobby(LobbyAsk::TakeSeek(m)),
        M::JoinPool(m) => Request::Lobby(LobbyAsk::JoinPool(m)),
        M::LeavePool(_) => Request::Lobby(LobbyAsk::LeavePool),
        M::Challenge(m) => Request::Lobby(LobbyAsk::Challenge(Box::new(m))),
        M::AcceptChallenge(m) => Request::Lobby(LobbyAsk::AcceptChallenge(m)),
        M::DeclineChallenge(m) => Request::Lobby(LobbyAsk::DeclineChallenge(m)),
        M::CancelChallenge(m) => Request::Lobby(LobbyAsk::CancelChallenge(m)),
        M::Rematch(m) => Request::Lobby(LobbyAsk::Rematch(m)),
    }
}

fn uci(uci: wire::Uci) -> Uci {
    uci.as_str()
        .parse()
        .expect("a move is written alike on both sides")
}

fn takeback(step: wire::TakebackStep) -> Act {
    match step {
        wire::TakebackStep::Propose => Act::ProposeTakeback,
        wire::TakebackStep::Accept => Act::AcceptTakeback,
        wire::TakebackStep::Decline => Act::DeclineTakeback,
    }
}

fn absence(claim: wire::AbsenceClaim) -> AbsenceClaim {
    match claim {
        wire::AbsenceClaim::Win => AbsenceClaim::Win,
        wire::AbsenceClaim::Draw => AbsenceClaim::Draw,
    }
}
