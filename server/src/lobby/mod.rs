//! The desk where players find each other: what they ask is done on the tables of `rookery_core::lobby`,
//! what comes of it is born with the owner of the game and told to both. Knows no socket and no rule.

mod births;
mod challenges;
mod config;
mod playing;
mod seeks;
mod upkeep;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use parking_lot::Mutex;
use rookery_core::id::{GameId, PlayerId, Seat, ShardNo};
use rookery_core::lobby::{Challenges, Pairing, Pools, Seeks};
use rookery_protocol::{
    ErrorCode, Lobby as Overview, LobbyChanged, Notice, NoticeKind, OpenSeek, Origin, PoolView,
    ServerMessage, limits,
};

use crate::clock::Clock;
use crate::gateway::{Desk, Games, Identity, Kind, LobbyAsk, LobbyDone, Pending, Sessions};
use crate::translate;
use births::Unborn;

pub use challenges::{Called, Names};
pub use config::LobbyConfig;
pub use playing::{Noting, Playing};

/// Seeks shown to one who begins to follow the lobby.
const OVERVIEW_SEEKS: usize = 500;

type Done = Result<LobbyDone, ErrorCode>;

/// The lobby. Cheap to clone.
#[derive(Clone)]
pub struct Lobby {
    inner: Arc<Inner>,
}

/// What the lobby works with.
pub struct Parts {
    /// On what terms.
    pub config: LobbyConfig,
    /// The time.
    pub clock: Clock,
    /// Who is there, and how they are told.
    pub sessions: Sessions,
    /// The owners of games.
    pub games: Arc<dyn Games>,
    /// Who is called what.
    pub names: Arc<dyn Names>,
    /// Who plays.
    pub playing: Playing,
}

struct Inner {
    config: LobbyConfig,
    clock: Clock,
    sessions: Sessions,
    games: Arc<dyn Games>,
    names: Arc<dyn Names>,
    playing: Playing,
    state: Mutex<State>,
}

/// The tables, and what has changed since the followers were last told.
struct State {
    seeks: Seeks,
    pools: Pools,
    challenges: Challenges,
    added: Vec<OpenSeek>,
    removed: Vec<GameId>,
    told: Vec<PoolView>,
}

impl Lobby {
    /// An empty lobby.
    pub fn new(parts: Parts) -> Lobby {
        let pools = Pools::new(parts.config.pools(), limits::POOLS_PER_PLAYER);
        let state = State {
            seeks: Seeks::new(limits::SEEKS_PER_PLAYER),
            told: pools.iter().map(translate::pool_view).collect(),
            pools,
            challenges: Challenges::new(
                limits::CHALLENGES_PER_PLAYER,
                limits::CHALLENGES_TO_PLAYER,
            ),
            added: Vec::new(),
            removed: Vec::new(),
        };
        Lobby {
            inner: Arc::new(Inner {
                config: parts.config,
                clock: parts.clock,
                sessions: parts.sessions,
                games: parts.games,
                names: parts.names,
                playing: parts.playing,
                state: Mutex::new(state),
            }),
        }
    }

    async fn ask(self, who: Identity, ask: LobbyAsk) -> Done {
        match ask {
            LobbyAsk::Seek(seek) => self.seek(&who, &seek),
            LobbyAsk::Unseek(seek) => self.unseek(&who, read(seek.seek)?),
            LobbyAsk::TakeSeek(seek) => self.take_seek(&who, read(seek.seek)?).await,
            LobbyAsk::JoinPool(join) => self.join_pool(&who, &join),
            LobbyAsk::LeavePool => {
                self.inner.state.lock().pools.leave(who.player);
                Ok(LobbyDone::default())
            }
            LobbyAsk::Challenge(challenge) => self.challenge(&who, &challenge).await,
            LobbyAsk::AcceptChallenge(which) => self.accept(&who, read(which.challenge)?).await,
            LobbyAsk::DeclineChallenge(which) => self.decline(&who, &which),
            LobbyAsk::CancelChallenge(which) => self.cancel(&who, read(which.challenge)?),
            LobbyAsk::Rematch(which) => self.rematch(&who, read(which.game)?).await,
        }
    }

    /// Begins a paired game for `asker`, who is told how it went; both are told of the game.
    async fn begin(&self, pairing: Pairing, origin: Origin, asker: PlayerId) -> Done {
        let game = pairing.game;
        let lobby = self.clone();
        // A task of its own: the asker's socket may go while the birth is under way.
        let birth = tokio::spawn(async move { lobby.give_birth(pairing, origin).await });
        match birth.await.unwrap_or(Err(Unborn::Unanswered)) {
            Ok(()) => Ok(LobbyDone { made: Some(game) }),
            Err(unborn) => Err(unborn.code(asker, self)),
        }
    }

    /// Begins a game that nobody waits to hear of; who is left without one is told to seek again.
    fn begin_from_pool(&self, pairing: Pairing) {
        let lobby = self.clone();
        tokio::spawn(async move {
            let players = Seat::BOTH.map(|seat| pairing.players[seat].id);
            if lobby.give_birth(pairing, Origin::Pool).await.is_err() {
                for player in players {
                    lobby.inner.tell_seek_ended(player);
                }
            }
        });
    }

    async fn give_birth(&self, pairing: Pairing, origin: Origin) -> Result<(), Unborn> {
        let birth = self.inner.birth_of(&pairing);
        self.inner.give_birth(&birth).await?;
        for seat in Seat::BOTH {
            self.inner.withdraw(pairing.players[seat].id);
            self.cancel_of(pairing.players[seat].id);
            let starts_at = birth.starts_at.0;
            let paired = translate::paired(&pairing, seat, &birth.terms, starts_at, origin);
            let message = ServerMessage::Paired(Box::new(paired));
            self.inner
                .sessions
                .notify(pairing.players[seat].id, &message);
        }
        Ok(())
    }

    /// Sends the followers what has changed.
    fn tell_changes(&self) {
        let changes = self.inner.state.lock().changes();
        if let Some(changes) = changes {
            let message = ServerMessage::LobbyChanged(changes);
            self.inner.sessions.tell_lobby(&message);
        }
    }

    /// An id of a seek, challenge or game to come, on any shard.
    fn mint(&self) -> GameId {
        let random = getrandom::u64().expect("the system has randomness");
        let shard = getrandom::u32().expect("the system has randomness");
        GameId::mint(
            self.inner.clock.now(),
            random,
            ShardNo::new((shard >> 16) as u16),
        )
    }

    fn toss(&self) -> bool {
        getrandom::u32().expect("the system has randomness") & 1 == 0
    }

    /// Whether a player may begin something here: not when the server is about to stop, and nothing rated
    /// for a guest or beside another rated game.
    fn open_for(&self, who: &Identity, rated: bool) -> Result<(), ErrorCode> {
        if self.inner.sessions.is_draining() {
            return Err(ErrorCode::Draining);
        }
        if rated && who.kind == Kind::Guest {
            return Err(ErrorCode::GuestNotAllowed);
        }
        if rated && self.inner.playing.is_in_rated_game(who.player) {
            return Err(ErrorCode::AlreadyPlaying);
        }
        Ok(())
    }
}

impl Inner {
    /// A player begins a game: he seeks and waits no more.
    fn withdraw(&self, player: PlayerId) {
        let mut state = self.state.lock();
        state.close_seeks_of(player);
        state.pools.leave(player);
    }

    fn tell_seek_ended(&self, player: PlayerId) {
        let notice = Notice {
            kind: NoticeKind::SeekEnded,
            message: "Your seek ended without a game; seek again.".to_owned(),
            at: None,
        };
        self.sessions.notify(player, &ServerMessage::Notice(notice));
    }
}

impl State {
    fn close_seeks_of(&mut self, player: PlayerId) {
        for seek in self.seeks.close_of(player) {
            self.note_closed(seek);
        }
    }

    /// A seek is gone, told as such even if it was never told as added: who began to follow in between
    /// has it from the overview.
    fn note_closed(&mut self, seek: GameId) {
        let wire = translate::game_to_wire(seek);
        self.added.retain(|added| added.seek != wire);
        self.removed.push(seek);
    }

    fn changes(&mut self) -> Option<LobbyChanged> {
        let pools: Vec<PoolView> = self.pools.iter().map(translate::pool_view).collect();
        let before = std::mem::replace(&mut self.told, pools.clone());
        let pools = pools.into_iter().zip(before);
        let pools: Vec<PoolView> = pools
            .filter_map(|(now, before)| (now != before).then_some(now))
            .collect();
        let changed = LobbyChanged {
            added: std::mem::take(&mut self.added),
            removed: std::mem::take(&mut self.removed)
                .into_iter()
                .map(translate::game_to_wire)
                .collect(),
            pools,
        };
        let nothing =
            changed.added.is_empty() && changed.removed.is_empty() && changed.pools.is_empty();
        (!nothing).then_some(changed)
    }
}

impl Unborn {
    fn code(self, asker: PlayerId, lobby: &Lobby) -> ErrorCode {
        match self {
            Unborn::Playing if lobby.inner.playing.is_in_rated_game(asker) => {
                ErrorCode::AlreadyPlaying
            }
            Unborn::Playing => ErrorCode::OpponentPlaying,
            Unborn::Refused(error) => {
                tracing::debug!(%error, "a paired game was refused");
                ErrorCode::PositionNotAllowed
            }
            Unborn::Busy if lobby.inner.sessions.is_draining() => ErrorCode::Draining,
            Unborn::Busy => ErrorCode::Busy,
            Unborn::Unanswered => ErrorCode::Retry,
        }
    }
}

impl Desk for Lobby {
    fn serve(&self, who: &Identity, ask: LobbyAsk) -> Pending<Done> {
        Box::pin(self.clone().ask(who.clone(), ask))
    }

    fn overview(&self) -> Overview {
        let state = self.inner.state.lock();
        let seeks = state.seeks.iter().take(OVERVIEW_SEEKS);
        Overview {
            seeks: seeks.map(translate::open_seek).collect(),
            pools: state.pools.iter().map(translate::pool_view).collect(),
        }
    }

    fn live_games(&self, player: PlayerId) -> Vec<GameId> {
        self.inner.playing.of(player)
    }

    fn left(&self, player: PlayerId) {
        self.inner.withdraw(player);
        self.cancel_of(player);
    }
}

fn read(id: rookery_protocol::GameId) -> Result<GameId, ErrorCode> {
    translate::game_from_wire(id).ok_or(ErrorCode::UnknownGame)
}
