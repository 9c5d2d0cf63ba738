//! Sessions: who is there, what is passed on and when it had come, how a socket is ended by us.

use rookery_core::time::Millis;
use rookery_protocol::{CloseCode, Notice, NoticeKind, ServerMessage};
use serde_json::json;
use tokio::sync::oneshot;

use super::client::{HANDSHAKE, Raw, frame};
use super::world::{START, World, player_id};
use crate::bus::Ask;
use crate::gateway::SessionId;

#[tokio::test]
async fn a_hello_is_answered_with_who_you_are_and_what_is_allowed() {
    let world = World::new();
    let mut client = world.connect().await;
    let welcome = client.hello("guest7").await;
    assert_eq!(welcome["you"]["name"], "guest7");
    assert_eq!(welcome["you"]["guest"], true);
    assert_eq!(welcome["ticket"], "guest7");
    assert_eq!(welcome["at"], START.0);
    assert_eq!(welcome["limits"]["frame_bytes"], 4096);

    let mut nobody = world.connect().await;
    let welcome = nobody.ask(json!({"t": "hello"})).await;
    assert!(
        welcome.get("you").is_none() && welcome.get("ticket").is_none(),
        "{welcome}"
    );
}

#[tokio::test]
async fn a_move_counts_from_when_it_came_however_long_it_is_held() {
    let world = World::new();
    let game = world.game();
    let (open, shut) = oneshot::channel();
    *world.door.shut.lock() = Some(shut);
    let mut raw = world.raw().await;
    let requests = [
        json!({"t": "hello", "id": 1, "auth": "white"}),
        json!({"t": "move", "id": 2, "game": game, "ply": 0, "uci": "e2e4"}),
    ];
    let bytes = requests
        .map(|request| frame(0x81, request.to_string().as_bytes()))
        .concat();
    raw.send(&bytes).await;
    while world.door.shut.lock().is_some() {
        tokio::task::yield_now().await;
    }
    world.hands.advance(Millis(400));
    open.send(()).unwrap();
    let asked = world
        .owners
        .until_asked(|request| matches!(request.ask, Ask::Command { .. }))
        .await;
    assert_eq!(asked.held, Millis(400));
}

#[tokio::test]
async fn a_player_is_told_on_all_his_sockets() {
    let world = World::new();
    let mut tabs = [world.player("white").await, world.player("white").await];
    let mut other = world.player("black").await;
    let notice = ServerMessage::Notice(Notice {
        kind: NoticeKind::SeekEnded,
        message: "gone".into(),
        at: None,
    });
    assert!(world.sessions.is_online(player_id("white")));
    assert!(!world.sessions.is_online(player_id("carol")));
    world.sessions.notify(player_id("white"), &notice);
    for tab in &mut tabs {
        assert_eq!(tab.hear().await["t"], "notice");
    }
    assert!(other.so_far().await.is_empty());
}

#[tokio::test]
async fn a_revoked_session_is_closed_for_good_and_the_others_stay() {
    let world = World::new();
    let mut one = world.player("white").await;
    let mut other = world.player("black").await;
    let session = SessionId("white".len() as i64);
    world
        .sessions
        .close_session(player_id("white"), SessionId(99), CloseCode::Revoked);
    assert!(one.is_served().await);
    world
        .sessions
        .close_session(player_id("white"), session, CloseCode::Revoked);
    assert_eq!(one.closed().await, CloseCode::Revoked.code());
    world
        .sessions
        .close_player(player_id("black"), CloseCode::Banned);
    assert_eq!(other.closed().await, CloseCode::Banned.code());
    world.sessions.all_closed().await;
    assert!(!world.sessions.is_online(player_id("white")));
}

#[tokio::test]
async fn a_drain_tells_everybody_then_says_come_back() {
    let world = World::new();
    let mut client = world.player("white").await;
    world.sessions.drain();
    let notice = ServerMessage::Notice(Notice {
        kind: NoticeKind::Draining,
        message: "restart".into(),
        at: None,
    });
    world.sessions.announce(&notice);
    world.sessions.close_all(CloseCode::Restart);
    assert_eq!(client.hear().await["kind"], "draining");
    assert_eq!(client.closed().await, CloseCode::Restart.code());
    let mut late = Raw::connect(world.address).await;
    late.send(format!("{HANDSHAKE}\r\n").as_bytes()).await;
    let head = late.head().await;
    assert!(
        head.starts_with("HTTP/1.1 503 ") && head.contains("retry-after: "),
        "{head}"
    );
    drop(client);
    world.sessions.all_closed().await;
}

#[tokio::test]
async fn the_lobby_is_shown_to_who_follows_it() {
    let world = World::new();
    let mut client = world.player("white").await;
    client.say(json!({"t": "watch_lobby"})).await;
    assert_eq!(client.hear().await["t"], "lobby");
    assert_eq!(client.hear().await["t"], "ok");
    let change = ServerMessage::LobbyChanged(rookery_protocol::LobbyChanged {
        added: Vec::new(),
        removed: Vec::new(),
        pools: Vec::new(),
    });
    world.sessions.tell_lobby(&change);
    assert_eq!(client.hear().await["t"], "lobby_changed");
    client.ask(json!({"t": "unwatch_lobby"})).await;
    world.sessions.tell_lobby(&change);
    assert!(client.so_far().await.is_empty());
    assert_eq!(client.ask(json!({"t": "leave_pool"})).await["t"], "ok");
    let pool = json!({"t": "join_pool", "control": "180+2", "rated": false});
    assert_eq!(client.ask(pool).await["code"], "unknown_pool");
}
