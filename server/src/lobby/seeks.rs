//! Seeks and pools, as players ask for them.

use rookery_core::id::GameId;
use rookery_core::lobby::{Pairing, PoolsFull, Seek, SeeksFull};
use rookery_protocol::{ErrorCode, JoinPool, Origin, Seek as SeekAsk};

use super::{Done, Lobby};
use crate::gateway::{Identity, LobbyDone};
use crate::translate;

impl Lobby {
    pub(super) fn seek(&self, who: &Identity, ask: &SeekAsk) -> Done {
        self.open_for(who, ask.rated)?;
        let wish = translate::wish_of_seek(ask, self.inner.config.profile)?;
        if !self.inner.sessions.is_online(who.player) {
            return Err(ErrorCode::OpponentAway);
        }
        let seek = Seek {
            id: self.mint(),
            by: translate::player_of(who),
            wish,
            window: ask.window,
        };
        let id = seek.id;
        let mut state = self.inner.state.lock();
        let shown = translate::open_seek(&seek);
        state.seeks.open(seek).map_err(|full| match full {
            SeeksFull::OfPlayer => ErrorCode::TooManySeeks,
            SeeksFull::Altogether => ErrorCode::Busy,
        })?;
        state.added.push(shown);
        Ok(LobbyDone { made: Some(id) })
    }

    pub(super) fn unseek(&self, who: &Identity, id: GameId) -> Done {
        let mut state = self.inner.state.lock();
        let seek = state.seeks.get(id).ok_or(ErrorCode::UnknownSeek)?;
        if seek.by.id != who.player {
            return Err(ErrorCode::NotYours);
        }
        state.seeks.close(id);
        state.note_closed(id);
        Ok(LobbyDone::default())
    }

    pub(super) async fn take_seek(&self, who: &Identity, id: GameId) -> Done {
        let seek = self.close_for(who, id)?;
        let taker = translate::player_of(who);
        let by = seek.by.id;
        let pairing = Pairing::of(id, seek.by, taker, seek.wish, self.toss());
        let done = self.begin(pairing, Origin::Seek, who.player).await;
        if done.is_err() {
            self.inner.tell_seek_ended(by);
        }
        done
    }

    /// Takes a seek off the table for whoever may take it up: nobody else can have it then.
    fn close_for(&self, who: &Identity, id: GameId) -> Result<Seek, ErrorCode> {
        let mut state = self.inner.state.lock();
        let seek = state.seeks.get(id).ok_or(ErrorCode::UnknownSeek)?;
        if seek.by.id == who.player {
            return Err(ErrorCode::OwnOpponent);
        }
        self.open_for(who, seek.wish.rated)?;
        if seek.wish.rated && self.inner.playing.is_in_rated_game(seek.by.id) {
            return Err(ErrorCode::OpponentPlaying);
        }
        let seek = state.seeks.close(id).ok_or(ErrorCode::UnknownSeek)?;
        state.note_closed(id);
        Ok(seek)
    }

    pub(super) fn join_pool(&self, who: &Identity, ask: &JoinPool) -> Done {
        self.open_for(who, ask.rated)?;
        let control = translate::control_from_wire(&ask.control)?;
        let player = translate::player_of(who);
        let joined = self
            .inner
            .state
            .lock()
            .pools
            .join(&control, ask.rated, player);
        joined.map_err(|full| match full {
            PoolsFull::Unknown => ErrorCode::UnknownPool,
            PoolsFull::OfPlayer => ErrorCode::TooManySeeks,
            PoolsFull::Altogether => ErrorCode::Busy,
        })?;
        Ok(LobbyDone::default())
    }
}
