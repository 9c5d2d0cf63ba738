//! The desk over real tables, with an owner of games that says yes or is full, and nobody's socket.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rookery_core::id::{GameId, PlayerId, ShardNo};
use rookery_core::lobby::Seek;
use rookery_core::time::Timestamp;
use rookery_protocol::ErrorCode;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Called, Lobby, LobbyConfig, Names, Parts, Playing};
use crate::bus::{Ask, Reply, Request};
use crate::clock::Clock;
use crate::gateway::{
    Desk, Games, GatewayConfig, Identity, Kind, LobbyAsk, LobbyDone, Pending, Scopes, Sessions,
};
use crate::translate::{self, game_to_wire};

/// Begins every game, unless it is full.
#[derive(Default)]
struct Owner {
    full: AtomicBool,
}

impl Games for Owner {
    fn ask(&self, request: Request) -> Pending<Reply> {
        assert!(matches!(request.ask, Ask::Birth(_)));
        let full = self.full.load(Ordering::Relaxed);
        Box::pin(async move { if full { Reply::Busy } else { Reply::Born } })
    }
}

/// Knows Bo and nobody else.
struct Book;

impl Names for Book {
    fn called(&self, name: &str) -> Pending<Result<Option<Called>, ErrorCode>> {
        let called = (name == "bo").then(|| Called {
            player: account(2).player,
            name: "bo".to_owned(),
            bot: false,
        });
        Box::pin(async move { Ok(called) })
    }
}

fn account(number: u64) -> Identity {
    Identity {
        player: PlayerId::mint(Timestamp(1), number, ShardNo::new(1)),
        name: format!("player{number}"),
        kind: Kind::Account,
        bot: false,
        scopes: Scopes::ALL,
        session: None,
    }
}

fn guest(number: u64) -> Identity {
    Identity {
        kind: Kind::Guest,
        ..account(number)
    }
}

fn lobby() -> (Lobby, Arc<Owner>) {
    let owner = Arc::new(Owner::default());
    let (clock, _) = Clock::manual(Timestamp(1_000_000));
    let lobby = Lobby::new(Parts {
        config: LobbyConfig::default(),
        clock,
        sessions: Sessions::new(&GatewayConfig::default()),
        games: owner.clone(),
        names: Arc::new(Book),
        playing: Playing::default(),
    });
    (lobby, owner)
}

fn said<T: DeserializeOwned>(mut frame: Value) -> T {
    frame["id"] = json!(1);
    serde_json::from_value(frame).unwrap()
}

fn link(rated: bool) -> LobbyAsk {
    let frame = json!({ "control": "180+2", "rated": rated });
    LobbyAsk::Challenge(Box::new(said(frame)))
}

fn accept(id: GameId) -> LobbyAsk {
    LobbyAsk::AcceptChallenge(said(json!({ "challenge": game_to_wire(id) })))
}

async fn made(lobby: &Lobby, who: &Identity, ask: LobbyAsk) -> GameId {
    lobby.serve(who, ask).await.unwrap().made.unwrap()
}

#[tokio::test]
async fn a_link_becomes_the_game_of_its_id_and_is_gone() {
    let (lobby, _) = lobby();
    let id = made(&lobby, &guest(1), link(false)).await;
    let own = lobby.serve(&guest(1), accept(id)).await;
    assert_eq!(own, Err(ErrorCode::OwnOpponent));
    let done = lobby.serve(&guest(2), accept(id)).await;
    assert_eq!(done, Ok(LobbyDone { made: Some(id) }));
    assert_eq!(lobby.live_games(guest(1).player), [id]);
    assert_eq!(lobby.live_games(guest(2).player), [id]);
    let late = lobby.serve(&guest(3), accept(id)).await;
    assert_eq!(late, Err(ErrorCode::UnknownChallenge));
}

#[tokio::test]
async fn one_plays_one_rated_game_at_a_time_and_guests_none() {
    let (lobby, _) = lobby();
    let refused = lobby.serve(&guest(9), link(true)).await;
    assert_eq!(refused, Err(ErrorCode::GuestNotAllowed));
    let first = made(&lobby, &account(1), link(true)).await;
    let second = made(&lobby, &account(1), link(true)).await;
    let by_guest = lobby.serve(&guest(9), accept(first)).await;
    assert_eq!(by_guest, Err(ErrorCode::GuestNotAllowed));
    assert!(lobby.serve(&account(2), accept(first)).await.is_ok());
    let again = lobby.serve(&account(1), link(true)).await;
    assert_eq!(again, Err(ErrorCode::AlreadyPlaying));
    let busy = lobby.serve(&account(3), accept(second)).await;
    assert_eq!(busy, Err(ErrorCode::OpponentPlaying));
    assert!(lobby.serve(&account(1), link(false)).await.is_ok());
}

#[tokio::test]
async fn nobody_counts_as_playing_a_game_that_was_not_born() {
    let (lobby, owner) = lobby();
    let id = made(&lobby, &account(1), link(true)).await;
    owner.full.store(true, Ordering::Relaxed);
    let full = lobby.serve(&account(2), accept(id)).await;
    assert_eq!(full, Err(ErrorCode::Busy));
    assert!(lobby.live_games(account(1).player).is_empty());
    owner.full.store(false, Ordering::Relaxed);
    let id = made(&lobby, &account(1), link(true)).await;
    assert!(lobby.serve(&account(2), accept(id)).await.is_ok());
}

#[tokio::test]
async fn what_cannot_be_played_is_named() {
    let (lobby, _) = lobby();
    let challenge = |frame: Value| LobbyAsk::Challenge(Box::new(said(frame)));
    for (frame, code) in [
        (
            json!({"control": "0.4", "rated": false}),
            ErrorCode::ControlNotAllowed,
        ),
        (
            json!({"control": "0", "rated": false}),
            ErrorCode::ControlNotAllowed,
        ),
        (
            json!({"control": "60", "rated": false, "to": "nobody"}),
            ErrorCode::UnknownPlayer,
        ),
        (
            json!({"control": "60", "rated": false, "to": "bo"}),
            ErrorCode::OpponentAway,
        ),
        (
            json!({"control": "60", "rated": true, "start_fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}),
            ErrorCode::PositionNotAllowed,
        ),
    ] {
        let refused = lobby.serve(&account(1), challenge(frame.clone())).await;
        assert_eq!(refused, Err(code), "{frame}");
    }
    let no_pool = LobbyAsk::JoinPool(said(json!({"control": "61", "rated": false})));
    let refused = lobby.serve(&account(1), no_pool).await;
    assert_eq!(refused, Err(ErrorCode::UnknownPool));
    let nothing = LobbyAsk::Rematch(said(json!({ "game": game_to_wire(lobby.mint()) })));
    let refused = lobby.serve(&account(1), nothing).await;
    assert_eq!(refused, Err(ErrorCode::RematchNotPossible));
}

#[tokio::test]
async fn two_who_wait_in_a_pool_play_after_a_wave() {
    let (lobby, _) = lobby();
    let join = || LobbyAsk::JoinPool(said(json!({"control": "180+2", "rated": false})));
    for number in [1, 2, 3] {
        lobby.serve(&account(number), join()).await.unwrap();
    }
    let waiting = || {
        lobby
            .overview()
            .pools
            .iter()
            .map(|pool| pool.waiting)
            .sum::<u32>()
    };
    assert_eq!(waiting(), 3);
    lobby.pair_pools();
    assert_eq!(waiting(), 1);
    while lobby.live_games(account(1).player).is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(
        lobby.live_games(account(1).player),
        lobby.live_games(account(2).player)
    );
    lobby.left(account(3).player);
    assert_eq!(waiting(), 0);
}

#[tokio::test]
async fn who_saw_a_seek_in_the_overview_hears_of_its_end() {
    let (lobby, _) = lobby();
    let ask = said(json!({"control": "180+2", "rated": false}));
    let seek = Seek {
        id: lobby.mint(),
        by: translate::player_of(&account(1)),
        wish: translate::wish_of_seek(&ask, lobby.inner.config.profile).unwrap(),
        window: None,
    };
    let id = seek.id;
    {
        let mut state = lobby.inner.state.lock();
        state.added.push(translate::open_seek(&seek));
        state.seeks.open(seek).unwrap();
    }
    assert_eq!(lobby.overview().seeks.len(), 1);
    lobby.left(account(1).player);
    assert!(lobby.overview().seeks.is_empty());
    let changes = lobby.inner.state.lock().changes().unwrap();
    assert!(changes.added.is_empty());
    assert_eq!(changes.removed, [game_to_wire(id)]);
}
