//! The stand-ins: owners of games that referee but store nothing, a doorkeeper who knows names, an
//! archive and a lobby that are empty.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use rookery_core::board::Uci;
use rookery_core::clock::TimeControl;
use rookery_core::game::{Act, Birth, Command, Event, Game, Player, Receipt, Terms};
use rookery_core::id::{BySeat, CommandId, GameId, PlayerId, Seat, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::time::{Millis, Timestamp};
use tokio::sync::{oneshot, watch};
use tokio_rustls::TlsAcceptor;

use super::client::{Client, Raw};
use super::desk::{EmptyDesk, Memory};
use crate::bus::{Ask, Audience, Reply, Request};
use crate::clock::{Clock, Hands};
use crate::gateway::{
    AdmitError, Credential, Doorkeeper, Doors, Games, Gateway, GatewayConfig, Identity, Kind,
    Pending, Records, RecordsAway, Rooms, Scopes, Services, SessionId, Sessions, listen, serve,
};
use crate::shards::FinishedGame;

/// When the clock of every test stands at first.
pub(super) const START: Timestamp = Timestamp(1_790_000_000_000);

/// A gateway that serves, and what is behind it.
pub(super) struct World {
    pub(super) address: SocketAddr,
    pub(super) hands: Hands,
    pub(super) sessions: Sessions,
    pub(super) rooms: Rooms,
    pub(super) owners: Arc<Owners>,
    pub(super) archive: Arc<Archive>,
    pub(super) door: Arc<Door>,
    pub(super) scribe: Arc<Memory>,
    _stop: oneshot::Sender<()>,
}

impl World {
    pub(super) fn new() -> World {
        World::with(GatewayConfig::default())
    }

    pub(super) fn with(config: GatewayConfig) -> World {
        World::serve(config, None)
    }

    pub(super) fn serve(config: GatewayConfig, tls: Option<TlsAcceptor>) -> World {
        let (clock, hands) = Clock::manual(START);
        let sessions = Sessions::new(&config);
        let rooms = Rooms::new(&config, clock.clone());
        let owners = Arc::new(Owners {
            clock: clock.clone(),
            rooms: rooms.clone(),
            games: Mutex::default(),
            asked: watch::Sender::default(),
        });
        let archive = Arc::new(Archive::default());
        let door = Arc::new(Door::default());
        let scribe = Arc::new(Memory::default());
        let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0)), &config).unwrap();
        let address = listener.local_addr().unwrap();
        let doors = Arc::new(Doors::new(config));
        let gateway = Gateway::new(
            doors.clone(),
            clock,
            sessions.clone(),
            rooms.clone(),
            Services {
                doorkeeper: door.clone(),
                games: owners.clone(),
                records: archive.clone(),
                desk: Arc::new(EmptyDesk),
                scribe: scribe.clone(),
            },
        );
        let (stop, stopped) = oneshot::channel();
        let app = gateway.routes();
        tokio::spawn(async move { gateway.tick().await });
        tokio::spawn(serve(doors, listener, tls, app, async {
            drop(stopped.await)
        }));
        World {
            address,
            hands,
            sessions,
            rooms,
            owners,
            archive,
            door,
            scribe,
            _stop: stop,
        }
    }

    pub(super) async fn connect(&self) -> Client {
        Client::connect(self.address).await
    }

    /// A client who has said `hello` with the ticket of that name.
    pub(super) async fn player(&self, name: &str) -> Client {
        let mut client = self.connect().await;
        client.hello(name).await;
        client
    }

    pub(super) async fn raw(&self) -> Raw {
        Raw::open(self.address).await
    }

    /// A game of `white` against `black`, 3 minutes and 2 seconds.
    pub(super) fn game(&self) -> GameId {
        self.game_of(TimeControl::fischer(
            Millis::from_mins(3),
            Millis::from_secs(2),
        ))
    }

    pub(super) fn game_of(&self, control: TimeControl) -> GameId {
        let number = self.owners.games.lock().len() as u64;
        let game = GameId::mint(START, number, ShardNo::new(7));
        let seat = |name: &str| Player {
            id: player_id(name),
            name: name.to_owned(),
            bot: false,
            guest: false,
        };
        let birth = Birth {
            game,
            terms: Terms {
                control,
                profile: Profile::Classic,
                wrong_claim: None,
                rated: false,
                lag_credit: true,
                first_move: None,
                absence_grace: Some(Millis::from_secs(60)),
                start_fen: None,
            },
            players: BySeat {
                white: seat("white"),
                black: seat("black"),
            },
            starts_at: START,
        };
        let born = Game::new(birth, START).unwrap();
        self.owners.games.lock().insert(game, born);
        game
    }

    /// Waits until so many sockets are open.
    pub(super) async fn until_sockets(&self, count: usize) {
        while self.sessions.sockets() != count {
            tokio::task::yield_now().await;
        }
    }
}

pub(super) fn player_id(name: &str) -> PlayerId {
    let random = name
        .bytes()
        .fold(7, |sum, byte| sum * 131 + u64::from(byte));
    PlayerId::mint(START, random, ShardNo::new(0))
}

/// Referees, stores nothing, tells the rooms.
pub(super) struct Owners {
    clock: Clock,
    rooms: Rooms,
    games: Mutex<HashMap<GameId, Game>>,
    /// Every question, oldest first.
    pub(super) asked: watch::Sender<Vec<Request>>,
}

impl Owners {
    /// A move, as if by a client elsewhere.
    pub(super) fn play(&self, game: GameId, id: u64, uci: &str) {
        let uci: Uci = uci.parse().unwrap();
        let (player, ply) = {
            let games = self.games.lock();
            let game = &games[&game];
            (game.birth().players[game.board().turn()].id, game.ply())
        };
        let act = Act::Move { uci, offer: false };
        let reply = self.command(game, player, CommandId(id), ply, act, Millis::ZERO);
        assert!(matches!(reply, Reply::Ruled(_)), "{reply:?}");
    }

    /// The same, but nobody is told: the owner ended between storing and telling.
    pub(super) fn play_untold(&self, game: GameId, id: u64, uci: &str) {
        let mut games = self.games.lock();
        let game = games.get_mut(&game).unwrap();
        let uci = uci.parse().unwrap();
        let command = Command {
            seat: game.board().turn(),
            id: CommandId(id),
            ply: game.ply(),
            act: Act::Move { uci, offer: false },
        };
        let receipt = Receipt {
            at: self.clock.now(),
            lag: Millis::ZERO,
        };
        for event in game.decide(&command, receipt).unwrap().events {
            game.apply(&Arc::new(event));
        }
    }

    /// A finished game leaves its owner for the archive.
    pub(super) fn file(&self, game: GameId, archive: &Archive) {
        let game = self.games.lock().remove(&game).unwrap();
        let finished = FinishedGame {
            birth: game.birth().clone(),
            events: game.events().to_vec(),
            outcome: game.outcome().unwrap(),
        };
        archive.games.lock().insert(finished.birth.game, finished);
    }

    /// Waits for a question that `found` accepts.
    pub(super) async fn until_asked(&self, found: impl Fn(&Request) -> bool) -> Request {
        let mut asked = self.asked.subscribe();
        let questions = asked
            .wait_for(|asked| asked.iter().any(&found))
            .await
            .unwrap();
        questions
            .iter()
            .rev()
            .find(|request| found(request))
            .unwrap()
            .clone()
    }

    fn command(
        &self,
        game: GameId,
        player: PlayerId,
        id: CommandId,
        ply: u32,
        act: Act,
        lag: Millis,
    ) -> Reply {
        let mut games = self.games.lock();
        let Some(found) = games.get_mut(&game) else {
            return Reply::UnknownGame;
        };
        let players = &found.birth().players;
        let Some(seat) = Seat::BOTH
            .into_iter()
            .find(|&seat| players[seat].id == player)
        else {
            return Reply::NotSeated;
        };
        let command = Command { seat, id, ply, act };
        let at = self.clock.now();
        match found.decide(&command, Receipt { at, lag }) {
            Ok(decision) => {
                let events: Vec<Arc<Event>> = decision.events.into_iter().map(Arc::new).collect();
                for event in &events {
                    found.apply(event);
                }
                self.rooms.tell(game, &events);
                Reply::Ruled(decision.ruling)
            }
            Err(refusal) => Reply::Refused(refusal),
        }
    }

    fn answer(&self, request: Request) -> Reply {
        let game = request.game;
        match request.ask {
            Ask::Command {
                player,
                id,
                ply,
                act,
                lag,
            } => self.command(game, player, id, ply, act, lag),
            Ask::Events { from } => match self.games.lock().get(&game) {
                Some(game) => Reply::Events {
                    events: game.events()[from.0 as usize..].to_vec(),
                    online: BySeat::default(),
                },
                None => Reply::UnknownGame,
            },
            Ask::Presence { .. } => Reply::Noted,
            Ask::Birth(_) => Reply::Busy,
        }
    }
}

impl Games for Owners {
    fn ask(&self, request: Request) -> Pending<Reply> {
        self.asked.send_modify(|asked| asked.push(request.clone()));
        let reply = self.answer(request);
        Box::pin(async move { reply })
    }
}

/// Finished games.
#[derive(Default)]
pub(super) struct Archive {
    games: Mutex<HashMap<GameId, FinishedGame>>,
}

impl Records for Archive {
    fn finished(&self, game: GameId) -> Pending<Result<Option<FinishedGame>, RecordsAway>> {
        let found = self.games.lock().get(&game).cloned();
        Box::pin(async move { Ok(found) })
    }
}

/// Lets everybody in under the name on his ticket, except a few.
#[derive(Default)]
pub(super) struct Door {
    /// Whoever comes waits until this is sent.
    pub(super) shut: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Doorkeeper for Door {
    fn admit(&self, credential: Credential) -> Pending<Result<Identity, AdmitError>> {
        let shut = self.shut.lock().take();
        let found = admit(credential.expose());
        Box::pin(async move {
            if let Some(shut) = shut {
                let _ = shut.await;
            }
            found
        })
    }

    fn renew(&self, identity: &Identity) -> Option<String> {
        Some(identity.name.clone())
    }
}

fn admit(name: &str) -> Result<Identity, AdmitError> {
    let guest = name.starts_with("guest");
    match name {
        "expired" => Err(AdmitError::Expired),
        "forged" => Err(AdmitError::Invalid),
        "revoked" => Err(AdmitError::Revoked),
        "banned" => Err(AdmitError::Banned),
        "unlucky" => Err(AdmitError::Unavailable),
        _ => Ok(Identity {
            player: player_id(name),
            name: name.to_owned(),
            kind: if guest { Kind::Guest } else { Kind::Account },
            bot: false,
            scopes: match name {
                "reader" => Scopes::default(),
                _ => Scopes::ALL,
            },
            session: Some(SessionId(name.len() as i64)),
        }),
    }
}
