//! What the gateway asks of the rest of the server, as traits: the owners of games, the archive, the
//! lobby. The wiring names the real ones, the tests their own.

use rookery_core::id::{GameId, PlayerId};
use rookery_core::time::Timestamp;
use rookery_protocol as wire;

use super::{Identity, Pending};
use crate::bus::{Reply, Request};
use crate::shards::{FinishedGame, Router};

/// The owners of live games.
pub trait Games: Send + Sync + 'static {
    /// Asks the owner of a game. Questions asked in an order are received in it, when the futures are
    /// first polled in it.
    fn ask(&self, request: Request) -> Pending<Reply>;
}

impl Games for Router {
    fn ask(&self, request: Request) -> Pending<Reply> {
        let router = self.clone();
        Box::pin(async move { router.ask(request).await })
    }
}

/// The finished games.
pub trait Records: Send + Sync + 'static {
    /// The record of a finished game; none when there is no such game.
    fn finished(&self, game: GameId) -> Pending<Result<Option<FinishedGame>, RecordsAway>>;
}

/// The archive does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the archive does not answer")]
pub struct RecordsAway;

/// Keeps what is said beside games.
pub trait Scribe: Send + Sync + 'static {
    /// Takes a line down. Must not wait.
    fn said(&self, line: Said);
}

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Beside which game.
    pub game: GameId,
    /// In which of its rooms.
    pub room: wire::Room,
    /// Who said it.
    pub player: PlayerId,
    /// Under which name.
    pub name: String,
    /// What.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

/// The desk where players find each other.
pub trait Desk: Send + Sync + 'static {
    /// Does what a player asks for, or says why not. What comes of it later is told through
    /// [`super::Sessions::notify`].
    fn serve(&self, who: &Identity, ask: LobbyAsk) -> Pending<Result<LobbyDone, wire::ErrorCode>>;

    /// Everything that is open, for a socket that begins to follow the lobby.
    fn overview(&self) -> wire::Lobby;

    /// The live games a player sits in.
    fn live_games(&self, player: PlayerId) -> Vec<GameId>;

    /// The player's last socket is gone.
    fn left(&self, player: PlayerId);
}

/// What a player may ask of the lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LobbyAsk {
    /// Open a seek.
    Seek(wire::Seek),
    /// Take an own seek back.
    Unseek(wire::Unseek),
    /// Take up another player's seek.
    TakeSeek(wire::Unseek),
    /// Wait in a pool.
    JoinPool(wire::JoinPool),
    /// Wait in no pool.
    LeavePool,
    /// Challenge somebody.
    Challenge(Box<wire::Challenge>),
    /// Accept a challenge.
    AcceptChallenge(wire::AcceptChallenge),
    /// Decline one.
    DeclineChallenge(wire::DeclineChallenge),
    /// Take an own one back.
    CancelChallenge(wire::CancelChallenge),
    /// Play again.
    Rematch(wire::Rematch),
}

/// What the lobby did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LobbyDone {
    /// The seek, challenge or game that came of it.
    pub made: Option<GameId>,
}
