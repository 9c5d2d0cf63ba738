//! What a client says, and to whom it is passed on.

use rookery_core::id::{GameId, Seq};
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::{self as wire, ClientMessage, CloseCode, ErrorCode, RequestId};
use rookery_protocol::{Malformed, ServerMessage};

use super::job::{Job, Watching};
use super::{MISUSES, REFUSALS, Session};
use crate::bus::{Ask, Request};
use crate::gateway::rooms::Guest;
use crate::gateway::socket::End;
use crate::gateway::{Credential, Identity, Kind, LobbyAsk, Said, Scope};
use crate::translate::{self, Command, SessionAsk};

impl Session {
    pub(super) fn hear_text(&mut self, text: &str, arrived: Timestamp) -> Result<(), End> {
        let first = !std::mem::replace(&mut self.spoken, true);
        let frames = self.config().frames();
        let in_time = self.buckets.frames.take(frames, 1, arrived);
        let message = match ClientMessage::parse(text) {
            Ok(message) => message,
            Err(malformed) => return self.hear_nonsense(malformed, arrived),
        };
        let id = message.id();
        if let Err(wait) = in_time {
            let refused = self.buckets.refusals.take(REFUSALS, 1, arrived);
            refused.map_err(|_| End::Ours(CloseCode::Flood))?;
            self.refuse_for(id, ErrorCode::RateLimited, Some(wait));
            return Ok(());
        }
        metrics::counter!("rookery_messages_total", "dir" => "in", "type" => message.tag())
            .increment(1);
        match translate::request(message) {
            translate::Request::Session(SessionAsk::Hello(_)) if !first => {
                self.refuse(id, ErrorCode::HelloMisplaced);
            }
            translate::Request::Session(ask) => self.serve(id, ask),
            translate::Request::Command(command) => self.command(id, command, arrived),
            translate::Request::Lobby(ask) => self.lobby(id, ask),
        }
        Ok(())
    }

    fn hear_nonsense(&mut self, malformed: Malformed, arrived: Timestamp) -> Result<(), End> {
        let misused = self.buckets.misuses.take(MISUSES, 1, arrived);
        misused.map_err(|_| End::Ours(CloseCode::Misuse))?;
        self.complain(malformed.id, malformed.code, malformed.detail, None);
        Ok(())
    }

    fn serve(&mut self, id: RequestId, ask: SessionAsk) {
        match ask {
            SessionAsk::Hello(hello) => self.hello(id, &hello),
            SessionAsk::Ping => {
                let at = self.now().0;
                self.say(&ServerMessage::Pong(wire::Pong { id, at }));
            }
            SessionAsk::Ticks(on) => {
                self.socket.outbox.want_ticks(on);
                self.done(id);
            }
            SessionAsk::Watch(watch) => self.watch(id, &watch),
            SessionAsk::Unwatch(game) => self.unwatch(id, game),
            SessionAsk::Chat(chat) => self.chat(id, &chat),
            SessionAsk::Mute(mute) => {
                let muted = translate::game_from_wire(mute.game)
                    .is_some_and(|game| self.gateway.rooms().mute(game, self.socket.id, mute.on));
                self.answer_watched(id, muted);
            }
            SessionAsk::Lobby(true) => {
                self.gateway.sessions().follow_lobby(&self.socket);
                let overview = self.gateway.services().desk.overview();
                self.say(&ServerMessage::Lobby(overview));
                self.done(id);
            }
            SessionAsk::Lobby(false) => {
                self.gateway.sessions().unfollow_lobby(self.socket.id);
                self.done(id);
            }
        }
    }

    fn hello(&mut self, id: RequestId, hello: &wire::Hello) {
        self.socket.outbox.want_ticks(hello.ticks);
        match &hello.auth {
            None => self.welcome(id),
            Some(auth) => {
                let credential = Credential::new(auth.as_str());
                let pending = self.gateway.services().doorkeeper.admit(credential);
                self.jobs.push(Job::Admit { id, pending });
            }
        }
    }

    fn watch(&mut self, id: RequestId, watch: &wire::Watch) {
        let Some(game) = translate::game_from_wire(watch.game) else {
            return self.refuse(id, ErrorCode::UnknownGame);
        };
        if self.is_busy() {
            return self.refuse(id, ErrorCode::Busy);
        }
        if !self.watched.contains(&game) {
            if self.watched.len() >= self.config().watched_games {
                return self.refuse(id, ErrorCode::TooManyWatched);
            }
            self.watched.push(game);
        }
        self.begin_watching(game, Watching::new(Some(id), watch.from.map(Seq)));
    }

    /// Asks again for events that went by unheard.
    pub(super) fn watch_again(&mut self, game: GameId, from: Seq) {
        let asked = self.jobs.iter().any(|job| job.is_watch_of(game));
        if self.watched.contains(&game) && !asked {
            self.begin_watching(game, Watching::new(None, Some(from)));
        }
    }

    pub(super) fn begin_watching(&mut self, game: GameId, watching: Watching) {
        self.gateway.rooms().enter(
            game,
            Guest {
                socket: self.socket.id,
                player: self.who.as_ref().map(|who| who.player),
                outbox: self.socket.outbox.clone(),
            },
        );
        // The whole record: it says who sits where, and is at hand in the owner's memory.
        let request = Request {
            game,
            held: Millis::ZERO,
            ask: Ask::Events { from: Seq(0) },
        };
        let pending = self.gateway.services().games.ask(request);
        self.jobs.push(Job::Watch {
            game,
            watching,
            pending,
        });
    }

    fn unwatch(&mut self, id: RequestId, game: wire::GameId) {
        let left = translate::game_from_wire(game).is_some_and(|game| self.stop_watching(game));
        self.answer_watched(id, left);
    }

    /// False when the game was not watched.
    fn stop_watching(&mut self, game: GameId) -> bool {
        self.watched.retain(|watched| *watched != game);
        self.gateway.rooms().leave(game, self.socket.id)
    }

    fn chat(&mut self, id: RequestId, chat: &wire::Chat) {
        if let Err((code, wait)) = self.try_chat(chat) {
            return self.refuse_for(id, code, wait);
        }
        self.done(id);
    }

    fn try_chat(&self, chat: &wire::Chat) -> Result<(), (ErrorCode, Option<Millis>)> {
        let plain = |code| (code, None);
        let who = self.signed_in(Scope::Chat).map_err(plain)?;
        if who.kind == Kind::Guest && !self.config().guests_chat {
            return Err(plain(ErrorCode::GuestNotAllowed));
        }
        let game = translate::game_from_wire(chat.game).ok_or(plain(ErrorCode::NotWatched))?;
        self.gateway
            .sessions()
            .may_chat(who.player, self.now())
            .map_err(|wait| (ErrorCode::RateLimited, Some(wait)))?;
        self.gateway
            .rooms()
            .say(
                game,
                self.socket.id,
                chat.room,
                translate::identity(who),
                &chat.text,
            )
            .map_err(plain)?;
        self.gateway.services().scribe.said(Said {
            game,
            room: chat.room,
            player: who.player,
            name: who.name.clone(),
            text: chat.text.as_str().to_owned(),
            at: self.now(),
        });
        Ok(())
    }

    fn command(&mut self, id: RequestId, command: Command, arrived: Timestamp) {
        let player = match self.signed_in(Scope::Play) {
            Ok(who) => who.player,
            Err(code) => return self.refuse(id, code),
        };
        let Some(game) = translate::game_from_wire(command.game) else {
            return self.refuse(id, ErrorCode::UnknownGame);
        };
        if self.is_busy() {
            return self.refuse(id, ErrorCode::Busy);
        }
        let request = Request {
            game,
            held: self.now().since(arrived),
            ask: Ask::Command {
                player,
                id: command.id,
                ply: command.ply,
                act: command.act,
                lag: self.lag.measured(),
            },
        };
        let pending = self.gateway.services().games.ask(request);
        self.jobs.push(Job::Command { id, game, pending });
    }

    fn lobby(&mut self, id: RequestId, ask: LobbyAsk) {
        let who = match self.signed_in(Scope::Challenge) {
            Ok(who) => who,
            Err(code) => return self.refuse(id, code),
        };
        if self.is_busy() {
            return self.refuse(id, ErrorCode::Busy);
        }
        let pending = self.gateway.services().desk.serve(who, ask);
        self.jobs.push(Job::Lobby { id, pending });
    }

    fn signed_in(&self, scope: Scope) -> Result<&Identity, ErrorCode> {
        let who = self.who.as_deref().ok_or(ErrorCode::NotSignedIn)?;
        match who.scopes.allows(scope) {
            true => Ok(who),
            false => Err(ErrorCode::ScopeMissing),
        }
    }

    fn is_busy(&self) -> bool {
        self.jobs.len() >= self.config().asks_per_socket
    }
}
