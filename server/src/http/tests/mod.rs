//! The REST interface over real connections: accounts, games, the document.

mod accounts;
mod client;
mod document;
mod games;
mod manners;

use std::sync::Arc;

use rookery_core::id::{BySeat, GameId, PlayerId};
use rookery_protocol as wire;
use tempfile::TempDir;
use tokio::net::TcpListener;

use self::client::Client;
use super::*;
use crate::accounts::{Accounts, AccountsConfig};
use crate::bus::{Ask, Reply, Request};
use crate::clock::{Clock, Hands};
use crate::gateway::{
    Desk, Games, GatewayConfig, Identity, LobbyAsk, LobbyDone, Pending, Sessions,
};
use crate::shards::FinishedGame;
use crate::stores::archive::Archive;
use crate::stores::archive::fixture::START;

/// A site on a port of its own.
struct Site {
    client: Client,
    archive: Archive,
    accounts: Accounts,
    live: LiveGames,
    owner: Arc<Owner>,
    desk: Arc<FakeDesk>,
    _hands: Hands,
    _folder: TempDir,
}

impl Site {
    async fn open() -> Site {
        Site::open_with(HttpConfig::default()).await
    }

    async fn open_with(config: HttpConfig) -> Site {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::open(&folder.path().join("rookery.db"))
            .await
            .unwrap();
        let (clock, hands) = Clock::manual(START);
        let online = Sessions::new(&GatewayConfig::default());
        let cheap = AccountsConfig {
            hash_memory_kib: 8,
            hash_passes: 1,
            ..AccountsConfig::default()
        };
        let accounts = Accounts::open(archive.clone(), clock.clone(), cheap, online.clone())
            .await
            .unwrap();
        let (owner, desk) = (Arc::new(Owner::default()), Arc::new(FakeDesk::default()));
        let live = LiveGames::default();
        let api = Api::new(Parts {
            accounts: accounts.clone(),
            archive: archive.clone(),
            games: owner.clone(),
            live: live.clone(),
            desk: desk.clone(),
            online,
            clock,
            config,
            public_url: Some("https://chess.example.org".to_owned()),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = Client(listener.local_addr().unwrap());
        let app = router(api);
        tokio::spawn(async move { axum::serve(listener, app).await });
        Site {
            client,
            archive,
            accounts,
            live,
            owner,
            desk,
            _hands: hands,
            _folder: folder,
        }
    }
}

/// The owner of live games, who has what it is given.
#[derive(Default)]
struct Owner(parking_lot::Mutex<Vec<FinishedGame>>);

impl Games for Owner {
    fn ask(&self, request: Request) -> Pending<Reply> {
        let games = self.0.lock();
        let found = games.iter().find(|game| game.birth.game == request.game);
        let reply = match (found, request.ask) {
            (Some(game), Ask::Events { .. }) => Reply::Events {
                events: game.events.clone(),
                online: BySeat {
                    white: true,
                    black: false,
                },
            },
            _ => Reply::UnknownGame,
        };
        Box::pin(std::future::ready(reply))
    }
}

/// A lobby that remembers what it was asked and refuses what is rated.
#[derive(Default)]
struct FakeDesk(parking_lot::Mutex<Vec<LobbyAsk>>);

impl Desk for FakeDesk {
    fn serve(&self, _: &Identity, ask: LobbyAsk) -> Pending<Result<LobbyDone, wire::ErrorCode>> {
        let rated = matches!(&ask, LobbyAsk::Seek(seek) if seek.rated);
        let answer = if rated {
            Err(wire::ErrorCode::AlreadyPlaying)
        } else {
            Ok(LobbyDone::default())
        };
        self.0.lock().push(ask);
        Box::pin(std::future::ready(answer))
    }

    fn overview(&self) -> wire::Lobby {
        wire::Lobby {
            seeks: Vec::new(),
            pools: Vec::new(),
        }
    }

    fn live_games(&self, _: PlayerId) -> Vec<GameId> {
        Vec::new()
    }

    fn left(&self, _: PlayerId) {}
}
