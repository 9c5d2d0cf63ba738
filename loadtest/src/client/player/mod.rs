//! One client: a session that survives cuts, the requests it has open, the games it follows.
//!
//! Nothing runs in the background: a player reads its socket only while one of its methods is awaited
//! ([`Player::idle`] where there is nothing else to do), so two of them in one task are driven with `join!`.

mod reading;
mod session;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use rookery_protocol::limits::Limits;
use rookery_protocol::{
    Auth, ClientMessage, Error, ErrorCode, GameId, GameState, Identity, Ok as Done, RequestId,
    Ruling, ServerMessage, Watch,
};
use tokio::time::Instant;

use super::{ClientError, Connection, Record, Target};

/// How long to wait before the same id is sent again when the server does not say.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// How often a request is made anew when the server says `rate_limited`.
const RATE_LIMIT_TRIES: u32 = 5;

/// Any span will do for a player who reads for ever.
const ATTENTION: Duration = Duration::from_secs(60);

/// How long a player puts up with what.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// With an answer that does not come.
    pub answer: Duration,
    /// With a server that cannot be reached.
    pub reconnect: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            answer: Duration::from_secs(30),
            reconnect: Duration::from_secs(30),
        }
    }
}

/// A command to a game that the server has said was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledged {
    /// What was asked.
    pub command: ClientMessage,
    /// What became of it.
    pub ruling: Option<Ruling>,
}

/// An open request.
#[derive(Debug)]
struct Open {
    message: ClientMessage,
    /// When to send it again, if the server asked for that.
    due: Option<Instant>,
    /// Whether it is our own, after a cut: nobody waits for the answer.
    ours: bool,
}

/// A client with a session.
#[derive(Debug)]
pub struct Player {
    target: Target,
    patience: Patience,
    auth: Option<Auth>,
    identity: Option<Identity>,
    limits: Limits,
    connection: Option<Connection>,
    last_id: u64,
    open: BTreeMap<RequestId, Open>,
    answers: BTreeMap<RequestId, Result<Done, Error>>,
    records: BTreeMap<GameId, Record>,
    inbox: VecDeque<ServerMessage>,
    acknowledged: Vec<Acknowledged>,
    cuts: u32,
    put_off: u32,
}

impl Player {
    /// Connects and says hello; without `auth` as a spectator.
    pub async fn enter(
        target: &Target,
        auth: Option<Auth>,
        patience: Patience,
    ) -> Result<Player, ClientError> {
        let mut player = Player {
            target: target.clone(),
            patience,
            auth,
            identity: None,
            limits: Limits::default(),
            connection: None,
            last_id: 0,
            open: BTreeMap::new(),
            answers: BTreeMap::new(),
            records: BTreeMap::new(),
            inbox: VecDeque::new(),
            acknowledged: Vec::new(),
            cuts: 0,
            put_off: 0,
        };
        player.connect().await?;
        Ok(player)
    }

    /// Who the server takes this player for.
    pub fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }

    /// What was seen of a followed game.
    pub fn record(&self, game: GameId) -> Option<&Record> {
        self.records.get(&game)
    }

    /// Every command that was acknowledged, in the order of the answers.
    pub fn acknowledged(&self) -> &[Acknowledged] {
        &self.acknowledged
    }

    /// How often the connection was lost.
    pub fn cuts(&self) -> u32 {
        self.cuts
    }

    /// How often the server said "again, under the same id".
    pub fn put_off(&self) -> u32 {
        self.put_off
    }

    /// Follows a game from its first event on, and after every cut from the next one.
    pub async fn watch(&mut self, game: GameId) -> Result<(), ClientError> {
        let from = self
            .records
            .entry(game)
            .or_insert_with(|| Record::new(game))
            .next();
        self.ask(|id| {
            ClientMessage::Watch(Watch {
                id,
                game,
                from: Some(from),
            })
        })
        .await?;
        Ok(())
    }

    /// Asks and waits for the answer, however often the connection is lost between.
    pub async fn ask(
        &mut self,
        message: impl Fn(RequestId) -> ClientMessage,
    ) -> Result<Done, ClientError> {
        for _ in 0..RATE_LIMIT_TRIES {
            let id = self.send(&message).await?;
            match self.answer(id).await? {
                Ok(done) => return Ok(done),
                Err(error) if error.code == ErrorCode::RateLimited => {
                    self.idle(error.retry_after.map_or(RETRY_PAUSE, Duration::from_millis))
                        .await?;
                }
                Err(error) => {
                    return Err(ClientError::Refused {
                        code: error.code,
                        message: error.message,
                    });
                }
            }
        }
        Err(ClientError::TimedOut("a request within the rate limits"))
    }

    /// Sends a request under a fresh id and does not wait for the answer.
    pub async fn send(
        &mut self,
        message: impl Fn(RequestId) -> ClientMessage,
    ) -> Result<RequestId, ClientError> {
        let id = self.fresh_id();
        let message = message(id);
        self.open.insert(
            id,
            Open {
                message: message.clone(),
                due: None,
                ours: false,
            },
        );
        self.send_now(&message).await?;
        Ok(id)
    }

    /// The answer to a request that was sent.
    pub async fn answer(&mut self, id: RequestId) -> Result<Result<Done, Error>, ClientError> {
        let span = self.patience.answer;
        self.until("an answer", span, |player| player.answers.contains_key(&id))
            .await?;
        Ok(self.answers.remove(&id).expect("waited for just now"))
    }

    /// Reads until something holds.
    pub async fn until(
        &mut self,
        what: &'static str,
        span: Duration,
        holds: impl Fn(&Player) -> bool,
    ) -> Result<(), ClientError> {
        let deadline = Instant::now() + span;
        while !holds(self) {
            if !self.pump(deadline).await? {
                return Err(ClientError::TimedOut(what));
            }
        }
        Ok(())
    }

    /// The first message, of those kept or still to come, that `pick` makes something of.
    pub async fn message<T>(
        &mut self,
        what: &'static str,
        pick: impl Fn(&ServerMessage) -> Option<T>,
    ) -> Result<T, ClientError> {
        let deadline = Instant::now() + self.patience.answer;
        loop {
            let found = self
                .inbox
                .iter()
                .enumerate()
                .find_map(|(at, m)| Some((at, pick(m)?)));
            if let Some((at, found)) = found {
                self.inbox.remove(at);
                return Ok(found);
            }
            if !self.pump(deadline).await? {
                return Err(ClientError::TimedOut(what));
            }
        }
    }

    /// Reads for so long and does nothing else.
    pub async fn idle(&mut self, span: Duration) -> Result<(), ClientError> {
        let deadline = Instant::now() + span;
        while self.pump(deadline).await? {}
        Ok(())
    }

    /// Reads for ever; ends only by an error. May be dropped at any time.
    pub async fn attend(&mut self) -> ClientError {
        loop {
            if let Err(error) = self.idle(ATTENTION).await {
                return error;
            }
        }
    }

    /// The state of a game as the server tells it now.
    pub async fn state(&mut self, game: GameId) -> Result<GameState, ClientError> {
        self.ask(|id| {
            ClientMessage::Watch(Watch {
                id,
                game,
                from: None,
            })
        })
        .await?;
        let pick = |message: &ServerMessage| match message {
            ServerMessage::Game(state) if state.game == game => Some((**state).clone()),
            _ => None,
        };
        self.message("the state of the game", pick).await
    }

    /// Loses the connection, as a cable that is pulled does: no close frame, nothing flushed.
    pub fn cut(&mut self) {
        self.connection = None;
    }

    /// Says goodbye.
    pub async fn leave(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.close().await;
        }
    }

    /// Ids grow with time, so that they stay unique when a player's program is started again.
    fn fresh_id(&mut self) -> RequestId {
        let micros = std::time::UNIX_EPOCH
            .elapsed()
            .map_or(0, |since| since.as_micros() as u64);
        self.last_id = micros.max(self.last_id + 1);
        RequestId::new(self.last_id).expect("microseconds since 1970 are below 2^53 until 2255")
    }
}
