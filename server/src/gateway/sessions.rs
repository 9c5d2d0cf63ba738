//! Who is there: every open socket, and which are of the same player. Knows no game.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use rookery_core::id::PlayerId;
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::{CloseCode, ServerMessage};
use tokio::sync::watch;

use super::bucket::{Bucket, Rate};
use super::outbox::{Frame, Outbox, Room};
use super::{GatewayConfig, SessionId};

/// Locks the tables are spread over: far more than cores, so that two rarely meet at one.
const SHARDS: usize = 64;

/// One socket of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SocketId(u64);

/// Everybody who is there. Cheap to clone. Bounded by the caps on connections.
#[derive(Clone)]
pub struct Sessions {
    inner: Arc<Inner>,
}

struct Inner {
    room: Room,
    sockets_per_account: usize,
    chat: Rate,
    next: AtomicU64,
    draining: AtomicBool,
    /// How many sockets are open, for whoever waits until none is.
    open: watch::Sender<usize>,
    sockets: Vec<Mutex<HashMap<SocketId, Arc<Outbox>>>>,
    players: Vec<Mutex<HashMap<PlayerId, Present>>>,
    /// Those who follow the lobby.
    lobby: Mutex<HashMap<SocketId, Arc<Outbox>>>,
}

/// A player who is there.
struct Present {
    sockets: Vec<Member>,
    /// What he may still say: one measure for all his sockets.
    chat: Bucket,
}

struct Member {
    socket: SocketId,
    session: Option<SessionId>,
    outbox: Arc<Outbox>,
}

/// A socket that is counted; forgotten when dropped.
pub(super) struct OpenSocket {
    pub(super) id: SocketId,
    pub(super) outbox: Arc<Outbox>,
    sessions: Sessions,
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        self.sessions.unfollow_lobby(self.id);
        self.sessions.socket(self.id).lock().remove(&self.id);
        self.sessions.inner.open.send_modify(|open| *open -= 1);
    }
}

/// The player has as many sockets as allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManySockets;

impl Sessions {
    /// Nobody is there.
    pub fn new(config: &GatewayConfig) -> Sessions {
        Sessions {
            inner: Arc::new(Inner {
                room: Room {
                    frames: config.outbox_frames,
                    bytes: config.outbox_bytes,
                },
                sockets_per_account: config.sockets_per_account,
                chat: config.chat(),
                next: AtomicU64::new(1),
                draining: AtomicBool::new(false),
                open: watch::Sender::new(0),
                sockets: (0..SHARDS).map(|_| Mutex::default()).collect(),
                players: (0..SHARDS).map(|_| Mutex::default()).collect(),
                lobby: Mutex::default(),
            }),
        }
    }

    /// Sends a message to every socket of a player.
    pub fn notify(&self, player: PlayerId, message: &ServerMessage) {
        if let Some(present) = self.player(player).lock().get(&player) {
            let frame = Frame::from(message.to_json());
            for member in &present.sockets {
                member.outbox.push(frame.clone());
            }
        }
    }

    /// Whether a player has a socket here.
    pub fn is_online(&self, player: PlayerId) -> bool {
        self.player(player).lock().contains_key(&player)
    }

    /// Players who are there.
    pub fn players(&self) -> usize {
        self.inner
            .players
            .iter()
            .map(|shard| shard.lock().len())
            .sum()
    }

    /// Sockets that are open, those of nobody included.
    pub fn sockets(&self) -> usize {
        *self.inner.open.borrow()
    }

    /// Closes every socket of a player: his sessions were revoked, or he is banned.
    pub fn close_player(&self, player: PlayerId, code: CloseCode) {
        self.close_where(player, code, |_| true);
    }

    /// Closes the sockets of one session of a player.
    pub fn close_session(&self, player: PlayerId, session: SessionId, code: CloseCode) {
        self.close_where(player, code, |member| member.session == Some(session));
    }

    /// Sends a message to every socket.
    pub fn announce(&self, message: &ServerMessage) {
        let frame = Frame::from(message.to_json());
        for shard in &self.inner.sockets {
            for outbox in shard.lock().values() {
                outbox.push(frame.clone());
            }
        }
    }

    /// Sends a message to every socket that follows the lobby.
    pub fn tell_lobby(&self, message: &ServerMessage) {
        let frame = Frame::from(message.to_json());
        for outbox in self.inner.lobby.lock().values() {
            outbox.push(frame.clone());
        }
    }

    /// Takes no new sockets from here on.
    pub fn drain(&self) {
        self.inner.draining.store(true, Ordering::Relaxed);
    }

    /// Whether [`Sessions::drain`] was called.
    pub fn is_draining(&self) -> bool {
        self.inner.draining.load(Ordering::Relaxed)
    }

    /// Closes every socket, after what waits in its outbox.
    pub fn close_all(&self, code: CloseCode) {
        for shard in &self.inner.sockets {
            for outbox in shard.lock().values() {
                outbox.close(code);
            }
        }
    }

    /// Waits until no socket is open.
    pub async fn all_closed(&self) {
        self.inner
            .open
            .subscribe()
            .wait_for(|open| *open == 0)
            .await
            .expect("these sessions hold the sender");
    }

    pub(super) fn open(&self) -> OpenSocket {
        let id = SocketId(self.inner.next.fetch_add(1, Ordering::Relaxed));
        let outbox = Arc::new(Outbox::new(self.inner.room));
        self.socket(id).lock().insert(id, outbox.clone());
        self.inner.open.send_modify(|open| *open += 1);
        if self.is_draining() {
            outbox.close(CloseCode::Restart);
        }
        OpenSocket {
            id,
            outbox,
            sessions: self.clone(),
        }
    }

    pub(super) fn sign_in(
        &self,
        socket: &OpenSocket,
        player: PlayerId,
        session: Option<SessionId>,
        now: Timestamp,
    ) -> Result<(), TooManySockets> {
        let mut players = self.player(player).lock();
        let present = players.entry(player).or_insert_with(|| Present {
            sockets: Vec::with_capacity(1),
            chat: Bucket::full(self.inner.chat, now),
        });
        if present.sockets.len() >= self.inner.sockets_per_account {
            return Err(TooManySockets);
        }
        present.sockets.push(Member {
            socket: socket.id,
            session,
            outbox: socket.outbox.clone(),
        });
        Ok(())
    }

    /// Whether the player may say one more line now; otherwise when.
    pub(super) fn may_chat(&self, player: PlayerId, now: Timestamp) -> Result<(), Millis> {
        match self.player(player).lock().get_mut(&player) {
            Some(present) => present.chat.take(self.inner.chat, 1, now),
            None => Ok(()),
        }
    }

    pub(super) fn follow_lobby(&self, socket: &OpenSocket) {
        self.inner
            .lobby
            .lock()
            .insert(socket.id, socket.outbox.clone());
    }

    pub(super) fn unfollow_lobby(&self, socket: SocketId) {
        self.inner.lobby.lock().remove(&socket);
    }

    /// A socket is a player's no longer. True when it was his last one.
    pub(super) fn sign_out(&self, socket: SocketId, player: PlayerId) -> bool {
        let mut players = self.player(player).lock();
        let Some(present) = players.get_mut(&player) else {
            return false;
        };
        present.sockets.retain(|member| member.socket != socket);
        let last = present.sockets.is_empty();
        if last {
            players.remove(&player);
        }
        last
    }

    fn close_where(&self, player: PlayerId, code: CloseCode, which: impl Fn(&Member) -> bool) {
        if let Some(present) = self.player(player).lock().get(&player) {
            for member in present.sockets.iter().filter(|member| which(member)) {
                member.outbox.close(code);
            }
        }
    }

    fn player(&self, player: PlayerId) -> &Mutex<HashMap<PlayerId, Present>> {
        let bytes = player.to_bytes();
        // The random bits of a version 7 UUID; the last ones name a shard of the games.
        let random = usize::from(bytes[9]) ^ usize::from(bytes[12]);
        &self.inner.players[random % SHARDS]
    }

    fn socket(&self, socket: SocketId) -> &Mutex<HashMap<SocketId, Arc<Outbox>>> {
        &self.inner.sockets[socket.0 as usize % SHARDS]
    }
}
