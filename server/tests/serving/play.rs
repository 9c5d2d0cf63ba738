//! A whole game over sockets: born, played to mate, exported, and there again after a restart.

use rookery_core::clock::TimeControl;
use rookery_core::game::{Birth, Player, Terms};
use rookery_core::id::{BySeat, GameId, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::notation::pgn;
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::{Event, Score, ServerMessage};
use rookery_server::accounts::AccountsConfig;
use rookery_server::app::App;
use rookery_server::bus::{Ask, Reply, Request};
use serde_json::{Value, json};

use super::config;
use super::wire::{Socket, get, post};

/// The shortest mate.
const MOVES: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

#[tokio::test]
async fn two_guests_play_to_mate_and_the_game_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let running = App::start(config(&folder)).await.unwrap();
    let addr = running.addr();
    let guests = [
        post(addr, "/api/v1/guest", "", &json!({})).await,
        post(addr, "/api/v1/guest", "", &json!({})).await,
    ];
    let birth = birth(&guests);
    let game = birth.game;
    let request = Request {
        game,
        held: Millis::ZERO,
        ask: Ask::Birth(Box::new(birth)),
    };
    assert!(matches!(running.games().ask(request).await, Reply::Born));
    assert!(
        get(addr, "/api/v1/games/live")
            .await
            .contains(&game.to_string())
    );

    let mut players = [Socket::open(addr).await, Socket::open(addr).await];
    for (player, guest) in players.iter_mut().zip(&guests) {
        player.hello(guest["ticket"].as_str().unwrap()).await;
        player
            .say(&json!({ "t": "watch", "id": 2, "game": game.to_string() }))
            .await;
        while !matches!(player.hear().await, ServerMessage::Game(_)) {}
    }
    for (ply, uci) in MOVES.into_iter().enumerate() {
        let [white, black] = &mut players;
        let (mover, other) = if ply % 2 == 0 {
            (white, black)
        } else {
            (black, white)
        };
        mover
            .say(&json!({ "t": "move", "id": 10 + ply, "game": game.to_string(), "ply": ply, "uci": uci }))
            .await;
        assert_eq!(moved(mover).await, uci);
        assert_eq!(moved(other).await, uci);
    }
    for player in &mut players {
        assert_eq!(ended(player).await, Score::BlackWins);
    }

    let path = format!("/api/v1/games/{game}.pgn");
    let told = get(addr, &path).await;
    drop(players);
    running.stop().await;
    let again = App::start(config(&folder)).await.unwrap();
    let kept = get(again.addr(), &path).await;
    let text = |answer: &str| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert_eq!(text(&told), text(&kept));
    let read = pgn::parse(&text(&kept)).unwrap();
    let played: Vec<&str> = read[0].moves().iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!(played, ["f3", "e5", "g4", "Qh4#"]);
    assert_eq!(read[0].tag("Termination"), Some("checkmate"));
    again.stop().await;
}

fn birth(guests: &[Value; 2]) -> Birth {
    let seated = |guest: &Value| Player {
        id: guest["you"]["id"].as_str().unwrap().parse().unwrap(),
        name: guest["you"]["name"].as_str().unwrap().to_owned(),
        bot: false,
        guest: true,
    };
    let life = Millis::from_mins(u64::from(AccountsConfig::default().ticket_days) * 24 * 60);
    // The server's own time, which nothing but its answers tells.
    let now = Timestamp(guests[0]["expires_at"].as_u64().unwrap()) - life;
    Birth {
        game: GameId::mint(now, 1, ShardNo::new(7)),
        terms: Terms {
            control: TimeControl::fischer(Millis::from_mins(3), Millis::from_secs(2)),
            profile: Profile::Classic,
            wrong_claim: None,
            rated: false,
            lag_credit: true,
            first_move: None,
            absence_grace: None,
            start_fen: None,
        },
        players: BySeat {
            white: seated(&guests[0]),
            black: seated(&guests[1]),
        },
        starts_at: now,
    }
}

/// The next move that a player hears of.
async fn moved(player: &mut Socket) -> String {
    loop {
        if let ServerMessage::Event(Event::Moved(moved)) = player.hear().await {
            return moved.uci.as_str().to_owned();
        }
    }
}

async fn ended(player: &mut Socket) -> Score {
    loop {
        if let ServerMessage::Event(Event::Ended(ended)) = player.hear().await {
            return ended.outcome.score;
        }
    }
}
