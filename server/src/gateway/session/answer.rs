//! The answers of the rest of the server, and what the client is told.

use std::task::{Context, Poll};

use rookery_core::id::{BySeat, GameId};
use rookery_core::time::Millis;
use rookery_protocol::limits::Limits;
use rookery_protocol::{self as wire, CloseCode, ErrorCode, RequestId, ServerMessage};

use super::Session;
use super::job::{Job, Watching};
use crate::bus::Reply;
use crate::gateway::rooms::{Joined, Wish};
use crate::gateway::socket::End;
use crate::gateway::{AdmitError, Identity, RecordsAway};
use crate::shards::FinishedGame;
use crate::translate::{self, Record};

/// How often the record of a game is asked for that goes on meanwhile. Each time takes less than the
/// shortest move, so the second nearly always holds.
const WATCH_TRIES: u32 = 8;

/// What we call ourselves.
const SOFTWARE: &str = concat!("rookery ", env!("CARGO_PKG_VERSION"));

/// A job's answer.
enum Answer {
    Admitted(RequestId, Result<Identity, AdmitError>),
    Ruled(RequestId, GameId, Reply),
    PastRuled(RequestId, Result<Option<FinishedGame>, RecordsAway>),
    Record(GameId, Watching, Reply),
    Past(GameId, Watching, Result<Option<FinishedGame>, RecordsAway>),
    Lobby(RequestId, Result<crate::gateway::LobbyDone, ErrorCode>),
}

impl Job {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Answer> {
        match self {
            Job::Admit { id, pending } => pending
                .as_mut()
                .poll(cx)
                .map(|found| Answer::Admitted(*id, found)),
            Job::Command { id, game, pending } => pending
                .as_mut()
                .poll(cx)
                .map(|reply| Answer::Ruled(*id, *game, reply)),
            Job::PastCommand { id, pending } => pending
                .as_mut()
                .poll(cx)
                .map(|found| Answer::PastRuled(*id, found)),
            Job::Watch {
                game,
                watching,
                pending,
            } => pending
                .as_mut()
                .poll(cx)
                .map(|reply| Answer::Record(*game, *watching, reply)),
            Job::WatchPast {
                game,
                watching,
                pending,
            } => pending
                .as_mut()
                .poll(cx)
                .map(|found| Answer::Past(*game, *watching, found)),
            Job::Lobby { id, pending } => pending
                .as_mut()
                .poll(cx)
                .map(|done| Answer::Lobby(*id, done)),
        }
    }
}

impl Session {
    /// Takes the answers that are there. In the order of the questions, so that the owner of a game
    /// receives them in that order: a question is put when it is first polled.
    pub(super) fn take_answers(&mut self, cx: &mut Context<'_>) -> Result<(), End> {
        let mut next = 0;
        while next < self.jobs.len() {
            match self.jobs[next].poll(cx) {
                Poll::Pending => next += 1,
                Poll::Ready(answer) => {
                    self.jobs.remove(next);
                    self.take_answer(answer, cx)?;
                }
            }
        }
        Ok(())
    }

    fn take_answer(&mut self, answer: Answer, cx: &mut Context<'_>) -> Result<(), End> {
        match answer {
            Answer::Admitted(id, found) => {
                // The socket was not read meanwhile.
                cx.waker().wake_by_ref();
                return self.admitted(id, found);
            }
            Answer::Ruled(id, game, reply) => self.ruled(id, game, reply),
            Answer::PastRuled(id, found) => self.past_ruled(id, found),
            Answer::Record(game, watching, reply) => self.record(game, watching, reply),
            Answer::Past(game, watching, found) => self.past(game, watching, found),
            Answer::Lobby(id, Ok(done)) => self.say(&ServerMessage::Ok(wire::Ok {
                id,
                ruling: None,
                made: done.made.map(translate::game_to_wire),
            })),
            Answer::Lobby(id, Err(code)) => self.refuse(id, code),
        }
        Ok(())
    }

    fn admitted(&mut self, id: RequestId, found: Result<Identity, AdmitError>) -> Result<(), End> {
        let who = match found {
            Ok(who) => who,
            Err(error) => {
                let (code, close) = judged(error);
                self.complain(Some(id), code, error.to_string(), None);
                self.socket.outbox.close(close);
                return Ok(());
            }
        };
        self.gateway
            .sessions()
            .sign_in(&self.socket, who.player, who.session, self.now())
            .map_err(|_| End::Ours(CloseCode::TooManySockets))?;
        self.who = Some(Box::new(who));
        self.welcome(id);
        Ok(())
    }

    pub(super) fn welcome(&self, id: RequestId) {
        let services = self.gateway.services();
        let who = self.who.as_deref();
        let ticket = who.and_then(|who| services.doorkeeper.renew(who));
        let games = who
            .map(|who| services.desk.live_games(who.player))
            .unwrap_or_default();
        self.say(&ServerMessage::Welcome(Box::new(wire::Welcome {
            id,
            you: who.map(translate::identity),
            ticket: ticket.and_then(|ticket| ticket.parse().ok()),
            at: self.now().0,
            games: games.into_iter().map(translate::game_to_wire).collect(),
            limits: self.limits(),
            software: SOFTWARE.to_owned(),
        })));
    }

    fn limits(&self) -> Limits {
        let config = self.config();
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Limits {
            frame_bytes: number(config.frame_bytes),
            frame_burst: config.frame_burst,
            frames_per_second: config.frames_per_second,
            watched_games: number(config.watched_games),
            ping_ms: config.ping_every_ms.0,
            client_silent_ms: config.client_silent_ms.0,
            resume_events: config.resume_events,
            ..Limits::default()
        }
    }

    fn ruled(&mut self, id: RequestId, game: GameId, reply: Reply) {
        match reply {
            Reply::Ruled(ruling) => self.done_with(id, translate::ruling(ruling)),
            Reply::UnknownGame => {
                let pending = self.gateway.services().records.finished(game);
                self.jobs.push(Job::PastCommand { id, pending });
            }
            reply => self.refuse(id, refused(reply)),
        }
        // Beside the answer, so that a player's wire is measured while he plays.
        self.ping_wanted |= self.lag.may_ping(self.now());
    }

    /// A command to a game that has ended meanwhile: it may be one that was done, sent again.
    fn past_ruled(&mut self, id: RequestId, found: Result<Option<FinishedGame>, RecordsAway>) {
        match found {
            Ok(Some(past)) => match self.was_done(id, &past) {
                Some(ruling) => self.done_with(id, ruling),
                None => self.refuse(id, ErrorCode::GameOver),
            },
            Ok(None) => self.refuse(id, ErrorCode::UnknownGame),
            Err(RecordsAway) => self.refuse(id, ErrorCode::Retry),
        }
    }

    fn was_done(&self, id: RequestId, past: &FinishedGame) -> Option<wire::Ruling> {
        let player = self.who.as_deref()?.player;
        Record::replay(&past.events).ok()?.ruling_on(player, id)
    }

    fn record(&mut self, game: GameId, watching: Watching, reply: Reply) {
        match reply {
            Reply::Events { events, online } => {
                self.joined(game, watching, Record::replay(&events).ok(), online);
            }
            Reply::UnknownGame => {
                let pending = self.gateway.services().records.finished(game);
                self.jobs.push(Job::WatchPast {
                    game,
                    watching,
                    pending,
                });
            }
            reply => self.not_joined(game, watching, refused(reply)),
        }
    }

    fn past(
        &mut self,
        game: GameId,
        watching: Watching,
        found: Result<Option<FinishedGame>, RecordsAway>,
    ) {
        match found {
            Ok(Some(past)) => {
                let record = Record::replay(&past.events).ok();
                self.joined(game, watching, record, BySeat::default());
            }
            Ok(None) => self.not_joined(game, watching, ErrorCode::UnknownGame),
            Err(RecordsAway) => self.not_joined(game, watching, ErrorCode::Retry),
        }
    }

    fn joined(
        &mut self,
        game: GameId,
        watching: Watching,
        record: Option<Record>,
        online: BySeat<bool>,
    ) {
        let Some(record) = record else {
            tracing::error!(%game, "the record of a game cannot be replayed");
            return self.not_joined(game, watching, ErrorCode::Internal);
        };
        let wish = Wish {
            from: watching.from,
            online,
        };
        match self
            .gateway
            .rooms()
            .join(game, self.socket.id, &record, wish)
        {
            Joined::In => {
                if let Some(id) = watching.id {
                    self.done(id);
                }
            }
            Joined::Behind if watching.tries < WATCH_TRIES => {
                self.begin_watching(game, watching.again());
            }
            Joined::Behind => self.not_joined(game, watching, ErrorCode::Retry),
            Joined::Full => self.not_joined(game, watching, ErrorCode::Busy),
            Joined::Gone => self.not_joined(game, watching, ErrorCode::NotWatched),
        }
    }

    fn not_joined(&mut self, game: GameId, watching: Watching, code: ErrorCode) {
        if !self.gateway.rooms().give_up(game, self.socket.id) {
            self.watched.retain(|watched| *watched != game);
        }
        match watching.id {
            Some(id) => self.refuse(id, code),
            // Nobody asked, so nobody can be told: a new socket begins where this one stands.
            None => self.socket.outbox.close(CloseCode::SlowReader),
        }
    }

    pub(super) fn done(&self, id: RequestId) {
        self.say(&ServerMessage::Ok(wire::Ok {
            id,
            ruling: None,
            made: None,
        }));
    }

    fn done_with(&self, id: RequestId, ruling: wire::Ruling) {
        self.say(&ServerMessage::Ok(wire::Ok {
            id,
            ruling: Some(ruling),
            made: None,
        }));
    }

    pub(super) fn answer_watched(&self, id: RequestId, watched: bool) {
        match watched {
            true => self.done(id),
            false => self.refuse(id, ErrorCode::NotWatched),
        }
    }

    pub(super) fn refuse(&self, id: RequestId, code: ErrorCode) {
        self.refuse_for(id, code, None);
    }

    pub(super) fn refuse_for(&self, id: RequestId, code: ErrorCode, wait: Option<Millis>) {
        self.complain(Some(id), code, code.meaning().to_owned(), wait);
    }

    pub(super) fn complain(
        &self,
        id: Option<RequestId>,
        code: ErrorCode,
        message: String,
        wait: Option<Millis>,
    ) {
        metrics::counter!("rookery_message_errors_total", "reason" => code.as_str()).increment(1);
        self.say(&ServerMessage::Error(wire::Error {
            id,
            code,
            message,
            article: code.article().map(str::to_owned),
            retry_after: wait.map(|wait| wait.0),
        }));
    }
}

/// Why a command, or a wish to watch, came to nothing.
fn refused(reply: Reply) -> ErrorCode {
    match reply {
        Reply::Refused(refusal) => translate::error_of_refusal(refusal),
        Reply::NotSeated => ErrorCode::NotSeated,
        Reply::UnknownGame => ErrorCode::UnknownGame,
        Reply::Busy => ErrorCode::Busy,
        Reply::Retry => ErrorCode::Retry,
        // An owner answers what it was asked.
        Reply::Born | Reply::Unborn(_) | Reply::Ruled(_) | Reply::Events { .. } | Reply::Noted => {
            ErrorCode::Internal
        }
    }
}

fn judged(error: AdmitError) -> (ErrorCode, CloseCode) {
    match error {
        AdmitError::Invalid | AdmitError::Expired => (ErrorCode::BadAuth, CloseCode::BadAuth),
        AdmitError::Revoked => (ErrorCode::BadAuth, CloseCode::Revoked),
        AdmitError::Banned => (ErrorCode::BadAuth, CloseCode::Banned),
        AdmitError::Unavailable => (ErrorCode::Retry, CloseCode::TryLater),
    }
}
