//! What a socket has asked of the rest of the server and waits for.

use rookery_core::id::{GameId, Seq};
use rookery_protocol::{ErrorCode, RequestId};

use crate::bus::Reply;
use crate::gateway::{AdmitError, Identity, LobbyDone, Pending, RecordsAway};
use crate::shards::FinishedGame;

/// A question under way.
pub(super) enum Job {
    /// Who is there.
    Admit {
        id: RequestId,
        pending: Pending<Result<Identity, AdmitError>>,
    },
    /// A command to a game.
    Command {
        id: RequestId,
        game: GameId,
        pending: Pending<Reply>,
    },
    /// A command to a game that does not live: was it done when it did?
    PastCommand {
        id: RequestId,
        pending: Pending<Result<Option<FinishedGame>, RecordsAway>>,
    },
    /// The record of a game to watch.
    Watch {
        game: GameId,
        watching: Watching,
        pending: Pending<Reply>,
    },
    /// The same, of a game that does not live.
    WatchPast {
        game: GameId,
        watching: Watching,
        pending: Pending<Result<Option<FinishedGame>, RecordsAway>>,
    },
    /// Something of the lobby.
    Lobby {
        id: RequestId,
        pending: Pending<Result<LobbyDone, ErrorCode>>,
    },
}

/// How a game is to be watched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watching {
    /// The request to answer; none when nobody asked.
    pub(super) id: Option<RequestId>,
    /// The first event wanted; none = the state.
    pub(super) from: Option<Seq>,
    /// How often its record was asked for.
    pub(super) tries: u32,
}

impl Watching {
    pub(super) fn new(id: Option<RequestId>, from: Option<Seq>) -> Watching {
        Watching { id, from, tries: 1 }
    }

    pub(super) fn again(self) -> Watching {
        Watching {
            tries: self.tries + 1,
            ..self
        }
    }
}

impl Job {
    pub(super) fn is_admission(&self) -> bool {
        matches!(self, Job::Admit { .. })
    }

    pub(super) fn is_watch_of(&self, watched: GameId) -> bool {
        match self {
            Job::Watch { game, .. } | Job::WatchPast { game, .. } => *game == watched,
            Job::Admit { .. }
            | Job::Command { .. }
            | Job::PastCommand { .. }
            | Job::Lobby { .. } => false,
        }
    }
}
