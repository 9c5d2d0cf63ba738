//! What is said in the two rooms of a game: the players' and the spectators'. Players do not get the
//! spectators' room while they play.

use std::collections::VecDeque;

use rookery_core::id::GameId;
use rookery_core::time::Timestamp;
use rookery_protocol::limits::CHAT_LINES;
use rookery_protocol::{self as wire, ErrorCode, ServerMessage};

use super::Rooms;
use super::room::{Room, Watcher};
use crate::gateway::outbox::Frame;
use crate::gateway::sessions::SocketId;
use crate::translate;

/// Both rooms of a game.
#[derive(Debug, Default)]
pub(super) struct Chats {
    players: Ring,
    spectators: Ring,
}

/// The last lines of a room, numbered from 1.
#[derive(Debug, Default)]
struct Ring {
    lines: VecDeque<wire::Line>,
    said: u32,
}

impl Rooms {
    /// Says something in a room of a game.
    pub(in crate::gateway) fn say(
        &self,
        game: GameId,
        socket: SocketId,
        room: wire::Room,
        from: wire::Identity,
        text: &wire::ChatText,
    ) -> Result<(), ErrorCode> {
        let now = self.inner.clock.now();
        match self.room(game) {
            Some(here) => here.lock().say(socket, room, from, text, now),
            None => Err(ErrorCode::NotWatched),
        }
    }

    /// Turns a game's chat off or on for a socket. False when it does not watch the game.
    pub(in crate::gateway) fn mute(&self, game: GameId, socket: SocketId, on: bool) -> bool {
        self.room(game)
            .is_some_and(|room| room.lock().mute(socket, on))
    }
}

impl Room {
    fn say(
        &mut self,
        socket: SocketId,
        room: wire::Room,
        from: wire::Identity,
        text: &wire::ChatText,
        now: Timestamp,
    ) -> Result<(), ErrorCode> {
        let over = self.is_over();
        let speaker = self.watcher(socket).ok_or(ErrorCode::NotWatched)?;
        if !may_speak(speaker, room, over) {
            return Err(ErrorCode::ChatNotAllowed);
        }
        let line = self.chats.ring(room).add(from, text, now);
        let message = ServerMessage::ChatLine(wire::ChatLine {
            game: translate::game_to_wire(self.game()),
            room,
            line,
        });
        let frame = Frame::from(message.to_json());
        for watcher in self.seated.iter().chain(&self.spectators) {
            if hears(watcher, room, over) {
                watcher.guest.outbox.push(frame.clone());
            }
        }
        Ok(())
    }
}

impl Chats {
    /// Shows one who comes what was said where he may listen.
    pub(super) fn show(&self, game: GameId, watcher: &Watcher, over: bool) {
        for (room, ring) in [
            (wire::Room::Players, &self.players),
            (wire::Room::Spectators, &self.spectators),
        ] {
            if hears(watcher, room, over) && !ring.lines.is_empty() {
                watcher.guest.outbox.push(ring.frame(game, room));
            }
        }
    }

    /// The game is over: its players may hear what the spectators said.
    pub(super) fn open_to_players(&self, game: GameId, players: &[Watcher]) {
        if self.spectators.lines.is_empty() {
            return;
        }
        let frame = self.spectators.frame(game, wire::Room::Spectators);
        for player in players.iter().filter(|player| !player.muted) {
            player.guest.outbox.push(frame.clone());
        }
    }

    fn ring(&mut self, room: wire::Room) -> &mut Ring {
        match room {
            wire::Room::Players => &mut self.players,
            wire::Room::Spectators => &mut self.spectators,
        }
    }
}

impl Ring {
    fn add(&mut self, from: wire::Identity, text: &wire::ChatText, now: Timestamp) -> wire::Line {
        self.said += 1;
        let line = wire::Line {
            n: self.said,
            at: now.0,
            from,
            text: text.as_str().to_owned(),
        };
        if self.lines.len() == CHAT_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line.clone());
        line
    }

    fn frame(&self, game: GameId, room: wire::Room) -> Frame {
        let message = ServerMessage::ChatLines(wire::ChatLines {
            game: translate::game_to_wire(game),
            room,
            lines: self.lines.iter().cloned().collect(),
        });
        message.to_json().into()
    }
}

fn may_speak(speaker: &Watcher, room: wire::Room, over: bool) -> bool {
    match room {
        wire::Room::Players => speaker.seat.is_some(),
        wire::Room::Spectators => speaker.seat.is_none() || over,
    }
}

fn hears(watcher: &Watcher, room: wire::Room, over: bool) -> bool {
    let listens = match room {
        wire::Room::Players => true,
        wire::Room::Spectators => watcher.seat.is_none() || over,
    };
    listens && !watcher.muted
}
