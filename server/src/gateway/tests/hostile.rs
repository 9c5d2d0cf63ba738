//! Bad input: each kind gets its documented error or close code, and the others notice nothing.

use rookery_core::id::{GameId, ShardNo};
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::CloseCode;
use serde_json::json;

use super::client::{Client, frame};
use super::world::{START, World};
use crate::bus::Ask;
use crate::gateway::GatewayConfig;

const TEXT: u8 = 0x81;
const BINARY: u8 = 0x82;
const PING: u8 = 0x89;
const PONG: u8 = 0x8A;

#[tokio::test]
async fn a_frame_that_is_no_message_gets_an_error_and_the_socket_lives() {
    let game = GameId::mint(START, 1, ShardNo::new(1));
    let no_game = "z".repeat(22);
    for (text, code) in [
        ("".to_owned(), "bad_json"),
        ("{".to_owned(), "bad_json"),
        ("[]".to_owned(), "bad_message"),
        ("null".to_owned(), "bad_message"),
        (r#"{"t":"ping","id":1}{}"#.to_owned(), "bad_json"),
        (r#"{"t":"teleport","id":1}"#.to_owned(), "unknown_message"),
        (r#"{"id":1}"#.to_owned(), "bad_message"),
        (r#"{"t":"ping"}"#.to_owned(), "bad_message"),
        (r#"{"t":"ping","id":"1"}"#.to_owned(), "bad_message"),
        (r#"{"t":"ping","id":0}"#.to_owned(), "bad_message"),
        (
            r#"{"t":"ping","id":9007199254740992}"#.to_owned(),
            "bad_message",
        ),
        (r#"{"t":"ping","id":1,"id":2}"#.to_owned(), "bad_message"),
        (
            r#"{"t":"ping","id":1,"more":true}"#.to_owned(),
            "bad_message",
        ),
        (
            r#"{"t":"watch","id":1,"game":"short"}"#.to_owned(),
            "bad_message",
        ),
        (
            format!(r#"{{"t":"watch","id":1,"game":"{game}"}}"#),
            "unknown_game",
        ),
        (
            format!(r#"{{"t":"watch","id":1,"game":"{no_game}"}}"#),
            "unknown_game",
        ),
        (
            format!(r#"{{"t":"unwatch","id":1,"game":"{game}"}}"#),
            "not_watched",
        ),
        (
            format!(r#"{{"t":"mute","id":1,"game":"{game}","on":true}}"#),
            "not_watched",
        ),
        (
            format!(r#"{{"t":"resign","id":1,"game":"{game}","ply":0}}"#),
            "not_signed_in",
        ),
        (r#"{"t":"leave_pool","id":1}"#.to_owned(), "not_signed_in"),
        (
            format!(r#"{{"t":"chat","id":1,"game":"{game}","room":"players","text":"a\u0007b"}}"#),
            "bad_message",
        ),
    ] {
        let world = World::new();
        let mut client = world.connect().await;
        client.text(&text).await;
        let answer = client.hear().await;
        assert_eq!(
            (&answer["t"], &answer["code"]),
            (&json!("error"), &json!(code)),
            "{text}"
        );
        assert!(client.is_served().await, "{text}");
    }
}

#[tokio::test]
async fn a_command_gets_the_error_that_fits_it() {
    let world = World::new();
    let game = world.game();
    let elsewhere = GameId::mint(START, 99, ShardNo::new(1));
    let mut white = world.player("white").await;
    let mut stranger = world.player("carol").await;
    let mut reader = world.player("reader").await;

    assert_eq!(white.play(game, 0, "e2e5").await["code"], "illegal_move");
    assert_eq!(white.play(game, 1, "e2e4").await["code"], "stale_ply");
    assert_eq!(
        white.play(elsewhere, 0, "e2e4").await["code"],
        "unknown_game"
    );
    assert_eq!(stranger.play(game, 0, "e2e4").await["code"], "not_seated");
    assert_eq!(reader.play(game, 0, "e2e4").await["code"], "scope_missing");
    assert_eq!(white.play(game, 0, "e2e4").await["ruling"], "done");
    assert_eq!(white.play(game, 1, "d2d4").await["code"], "not_your_turn");
    let withdraw = json!({"t": "withdraw", "game": game, "ply": 1});
    let answer = white.ask(withdraw).await;
    assert_eq!(answer["code"], "offer_cannot_be_withdrawn");
    assert_eq!(answer["article"], "10.7");
    assert_eq!(
        white.ask(json!({"t": "hello"})).await["code"],
        "hello_misplaced"
    );
}

#[tokio::test]
async fn a_command_sent_twice_is_done_once_and_answered_twice() {
    let world = World::new();
    let game = world.game();
    let mut white = world.player("white").await;
    white.watch(game).await;
    let request = json!({"t": "move", "id": 77, "game": game, "ply": 0, "uci": "e2e4"}).to_string();
    for _ in 0..2 {
        white.text(&request).await;
    }
    let mut moved = 0;
    for _ in 0..2 {
        let answer = white
            .until(|message| {
                moved += u32::from(message["t"] == "moved");
                message["id"] == 77
            })
            .await;
        assert_eq!(answer["ruling"], "done");
    }
    let later = white.so_far().await;
    assert_eq!(moved, 1);
    assert!(
        later.iter().all(|message| message["t"] != "moved"),
        "{later:?}"
    );
}

/// What a client does, byte by byte, and the code it is closed with.
type Case = (&'static str, Vec<u8>, CloseCode);

async fn check(cases: Vec<Case>) {
    let world = World::new();
    let mut other = world.player("carol").await;
    for (what, bytes, code) in cases {
        let mut raw = world.raw().await;
        let (mut read, mut write) = raw.tcp.split();
        let (closed, _) = tokio::join!(
            read_close(&mut read),
            // A server that has had enough may reset the connection while this goes on.
            tokio::io::AsyncWriteExt::write_all(&mut write, &bytes),
        );
        assert_eq!(closed, Some(code.code()), "{what}");
        assert!(other.is_served().await, "{what}");
    }
    world.until_sockets(1).await;
}

#[tokio::test]
async fn frames_that_are_too_large_or_no_text_close_with_their_code() {
    let fragments = [frame(0x01, &[b' '; 4000]), frame(0x80, &[b' '; 200])].concat();
    let mut endless = vec![TEXT, 0xFF, 0x80];
    endless.extend([0; 11]);
    check(vec![
        (
            "70,000 bytes",
            frame(TEXT, &[b' '; 70_000]),
            CloseCode::TooLarge,
        ),
        (
            "a byte too long",
            frame(TEXT, &[b' '; 4097]),
            CloseCode::TooLarge,
        ),
        ("too long in fragments", fragments, CloseCode::TooLarge),
        ("2^63 bytes, it says", endless, CloseCode::TooLarge),
        ("binary", frame(BINARY, b"{}"), CloseCode::TextOnly),
        ("not UTF-8", frame(TEXT, b"\xC3\x28"), CloseCode::BadUtf8),
    ])
    .await;
}

#[tokio::test]
async fn frames_that_break_the_standard_close_with_its_code() {
    let mut unmasked = frame(TEXT, b"{}");
    unmasked[1] &= 0x7F;
    let broken = |what, bytes| (what, bytes, CloseCode::WebSocketProtocol);
    check(vec![
        broken("unmasked", unmasked),
        broken("a reserved bit", frame(0xC1, b"{}")),
        broken("a reserved opcode", frame(0x83, b"{}")),
        broken("a continuation of nothing", frame(0x80, b"{}")),
        broken("a ping in fragments", frame(0x09, b"")),
    ])
    .await;
}

#[tokio::test]
async fn floods_close_with_their_code() {
    let ping = frame(TEXT, br#"{"t":"ping","id":1}"#);
    let fragments = [frame(0x01, b""), frame(0x00, b"").repeat(100_000)].concat();
    check(vec![
        ("empty fragments", fragments, CloseCode::Flood),
        ("pings", frame(PING, b"").repeat(1000), CloseCode::Flood),
        (
            "pongs nobody asked for",
            frame(PONG, b"?").repeat(1000),
            CloseCode::Flood,
        ),
        ("requests", ping.repeat(1000), CloseCode::Flood),
        (
            "nonsense",
            frame(TEXT, b"hello").repeat(50),
            CloseCode::Misuse,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_ticket_that_is_not_accepted_closes_with_its_reason() {
    let hello = |ticket: &'static str, code| {
        let request = json!({"t": "hello", "id": 1, "auth": ticket}).to_string();
        (ticket, frame(TEXT, request.as_bytes()), code)
    };
    check(vec![
        hello("expired", CloseCode::BadAuth),
        hello("forged", CloseCode::BadAuth),
        hello("revoked", CloseCode::Revoked),
        hello("banned", CloseCode::Banned),
        hello("unlucky", CloseCode::TryLater),
    ])
    .await;
}

async fn read_close(read: &mut (impl tokio::io::AsyncRead + Unpin)) -> Option<u16> {
    use tokio::io::AsyncReadExt;
    loop {
        let first = read.read_u8().await.ok()?;
        let length = match read.read_u8().await.ok()? {
            126 => usize::from(read.read_u16().await.ok()?),
            short => usize::from(short),
        };
        let mut payload = vec![0; length];
        read.read_exact(&mut payload).await.ok()?;
        if first & 0x0F == 8 {
            return Some(u16::from_be_bytes([payload[0], payload[1]]));
        }
    }
}

#[tokio::test]
async fn an_overrun_is_refused_with_the_time_to_wait() {
    let world = World::with(GatewayConfig {
        frame_burst: 3,
        ..GatewayConfig::default()
    });
    let mut client = world.connect().await;
    for _ in 0..3 {
        assert_eq!(client.ask(json!({"t": "ping"})).await["t"], "pong");
    }
    let refused = client.ask(json!({"t": "ping"})).await;
    assert_eq!(refused["code"], "rate_limited");
    let wait = refused["retry_after"].as_u64().unwrap();
    world.hands.advance(Millis(wait));
    assert_eq!(client.ask(json!({"t": "ping"})).await["t"], "pong");
}

#[tokio::test]
async fn a_silent_socket_is_closed_at_the_hello_deadline_and_a_dead_one_later() {
    let world = World::new();
    let mut silent = world.raw().await;
    world.until_sockets(1).await;
    world.hands.advance(Millis::from_secs(10));
    assert_eq!(silent.closed().await, CloseCode::HelloTimeout.code());

    let mut dead = world.raw().await;
    dead.send(&frame(TEXT, br#"{"t":"hello","id":1}"#)).await;
    assert!(dead.frame_of(1).await.starts_with(br#"{"t":"welcome""#));
    world.hands.advance(Millis::from_secs(15));
    dead.frame_of(9).await;
    world.hands.advance(Millis::from_secs(15));
    assert_eq!(dead.closed().await, CloseCode::Silent.code());
}

#[tokio::test]
async fn a_client_that_answers_pings_lives_on() {
    let world = World::new();
    let mut client = world.player("carol").await;
    for _ in 0..10 {
        world.hands.advance(Millis::from_secs(15));
        client.pinged().await;
        assert!(client.is_served().await);
    }
}

#[tokio::test]
async fn a_reader_that_stops_reading_harms_only_itself() {
    let world = World::with(GatewayConfig {
        outbox_bytes: 64 * 1024,
        ..GatewayConfig::default()
    });
    let game = world.game();
    let mut stuck = world.raw().await;
    stuck
        .send(&frame(
            TEXT,
            format!(r#"{{"t":"watch","id":1,"game":"{game}"}}"#).as_bytes(),
        ))
        .await;
    stuck.frame_of(1).await;
    stuck.frame_of(1).await;
    let mut other = world.connect().await;
    other.watch(game).await;

    // Both are told for as long as both are there; one does not read.
    let long = "x".repeat(20_000);
    let mut sent = 0;
    while world.sessions.sockets() == 2 {
        let notice = rookery_protocol::ServerMessage::Notice(rookery_protocol::Notice {
            kind: rookery_protocol::NoticeKind::Announcement,
            message: long.clone(),
            at: None,
        });
        world.sessions.announce(&notice);
        sent += 1;
        assert_eq!(other.hear().await["t"], "notice");
        assert!(sent < 10_000, "the stuck reader was never noticed");
    }
    assert!(other.is_served().await);
    // What it finds when it reads at last: its frames, cut off.
    assert!(stuck.rest().await.len() < sent * 20_000);
}

#[tokio::test]
async fn a_delayed_pong_is_believed_only_up_to_the_bound() {
    let world = World::new();
    let game = world.game();
    let mut white = world.player("white").await;
    for delay in [2000; 8] {
        world.hands.advance(Millis::from_secs(15));
        white.pinged().await;
        // The pong goes out when the client is next used.
        world.hands.advance(Millis(delay));
        assert!(white.is_served().await);
    }
    white.play(game, 0, "e2e4").await;
    let asked = world
        .owners
        .until_asked(|request| matches!(request.ask, Ask::Command { .. }))
        .await;
    let Ask::Command { lag, .. } = asked.ask else {
        unreachable!("that was looked for");
    };
    assert_eq!(lag, Millis(500));
}

#[tokio::test]
async fn more_sockets_of_one_account_than_allowed_are_refused() {
    let world = World::new();
    let mut tabs: Vec<Client> = Vec::new();
    for _ in 0..8 {
        tabs.push(world.player("white").await);
    }
    let mut ninth = world.connect().await;
    ninth.say(json!({"t": "hello", "auth": "white"})).await;
    assert_eq!(ninth.closed().await, CloseCode::TooManySockets.code());
    for tab in &mut tabs {
        assert!(tab.is_served().await);
    }
    tabs.pop().unwrap().close().await;
    world.until_sockets(7).await;
    world.player("white").await;
}

#[tokio::test]
async fn more_under_way_than_allowed_is_busy_at_once() {
    let world = World::with(GatewayConfig {
        watched_games: 2,
        ..GatewayConfig::default()
    });
    let mut client = world.connect().await;
    for _ in 0..2 {
        let game = world.game();
        client.watch(game).await;
    }
    let third = world.game();
    let answer = client.ask(json!({"t": "watch", "game": third})).await;
    assert_eq!(answer["code"], "too_many_watched");
    let again = GameId::mint(Timestamp(START.0), 0, ShardNo::new(7));
    client.watch(again).await;
}
