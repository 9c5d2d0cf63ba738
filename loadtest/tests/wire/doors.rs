//! Those who should not come in, or do not come in as they should.

use std::time::Duration;

use rookery_loadtest::client::{HttpError, Player, log_in, sign_up};
use rookery_protocol::{Auth, CloseCode, ErrorCode, SUBPROTOCOL};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::{self, http::StatusCode};

use crate::house::{House, PATIENCE};
use crate::raw::Raw;

#[tokio::test]
async fn a_bad_ticket_is_told_so_and_closed() {
    let house = House::open().await;
    let good = house.ticket().await;
    let mut forged = good.as_str().to_owned();
    let last = if forged.ends_with('A') { 'B' } else { 'A' };
    forged.pop();
    forged.push(last);
    for bad in [
        "nonsense",
        "rk_0000000000000000000000000000000000000000000",
        &forged,
    ] {
        let mut raw = Raw::connect(&house.target()).await;
        raw.say(&format!(r#"{{"t":"hello","id":9,"auth":"{bad}"}}"#))
            .await;
        assert_eq!(raw.error().await, (ErrorCode::BadAuth, Some(9)), "{bad}");
        assert_eq!(raw.closed().await, Some(CloseCode::BadAuth.code()), "{bad}");
    }
}

#[tokio::test]
async fn a_session_that_was_ended_is_over() {
    let house = House::open().await;
    let target = house.target();
    sign_up(&target, "ada", "correct horse battery")
        .await
        .unwrap();
    let account = log_in(&target, "ADA", "correct horse battery")
        .await
        .unwrap();
    let mut raw = Raw::enter(&target, &account.ticket).await;
    let ticket = account.ticket.as_str();
    let answer = target
        .http()
        .post("/api/v1/logout", Some(ticket), None)
        .await
        .unwrap();
    assert!(answer.status.is_success(), "{answer:?}");
    assert_eq!(raw.closed().await, Some(CloseCode::Revoked.code()));
    let mut raw = Raw::connect(&target).await;
    raw.say(&format!(r#"{{"t":"hello","id":1,"auth":"{ticket}"}}"#))
        .await;
    assert_eq!(raw.error().await.0, ErrorCode::BadAuth);
}

#[tokio::test]
async fn a_foreign_page_opens_no_socket() {
    let house = House::open().await;
    let uri = house.target().websocket().parse().unwrap();
    let request = ClientRequestBuilder::new(uri)
        .with_sub_protocol(SUBPROTOCOL)
        .with_header("Origin", "https://evil.example");
    let refused = connect_async(request).await.unwrap_err();
    let tungstenite::Error::Http(response) = refused else {
        panic!("{refused}")
    };
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_name_that_could_break_a_file_is_not_taken() {
    let house = House::open().await;
    let http = house.target().http();
    for name in [
        "a\"]\n[Result \"1-0",
        "new\nline",
        "nul\0",
        "bell\u{7}",
        "{comment}",
        "semi;colon",
        "right\u{202e}left",
        "Ädä",
        "a",
        "-dash",
        "a name",
        "longer_than_twenty_characters",
    ] {
        let body = json!({ "name": name, "password": "correct horse battery" });
        let answer = http
            .post("/api/v1/signup", None, Some(&body))
            .await
            .unwrap();
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{name:?}: {answer:?}"
        );
        let code = answer.json().pointer("/error/code").cloned();
        assert_eq!(code, Some(json!("bad_name")), "{name:?}");
    }
}

#[tokio::test]
async fn who_says_nothing_is_closed_and_harms_nobody() {
    let house = House::open_with(&[
        ("gateway", "handshake_timeout_ms", "500"),
        ("gateway", "hello_timeout_ms", "500"),
    ])
    .await;
    let silent = async {
        let target = house.target();
        let authority = target
            .websocket()
            .trim_start_matches("ws://")
            .trim_end_matches("/ws");
        let beginnings: [&[u8]; 3] = [b"", b"GET /ws HT", b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgr"];
        for beginning in beginnings {
            let mut socket = TcpStream::connect(authority).await.unwrap();
            socket.write_all(beginning).await.unwrap();
            let mut rest = Vec::new();
            let ended = timeout(Duration::from_secs(5), socket.read_to_end(&mut rest)).await;
            assert!(ended.is_ok(), "{beginning:?} is still connected");
        }
        let mut raw = Raw::connect(&target).await;
        assert_eq!(raw.closed().await, Some(CloseCode::HelloTimeout.code()));
    };
    house.beside_a_game(silent).await;
}

#[tokio::test]
async fn more_sockets_than_an_account_may_have_are_closed() {
    let house = House::open_with(&[("gateway", "sockets_per_account", "3")]).await;
    let ticket: Auth = house.ticket().await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(Raw::enter(&house.target(), &ticket).await);
    }
    let mut raw = Raw::connect(&house.target()).await;
    raw.say(&format!(
        r#"{{"t":"hello","id":1,"auth":"{}"}}"#,
        ticket.as_str()
    ))
    .await;
    assert_eq!(raw.closed().await, Some(CloseCode::TooManySockets.code()));
    drop(held);
}

#[tokio::test]
async fn a_spectator_has_no_hands() {
    let house = House::open().await;
    let mut table = house.table("300").await;
    let mut spectator = Player::enter(&house.target(), None, PATIENCE)
        .await
        .unwrap();
    spectator.watch(table.game).await.unwrap();
    let game = table.game;
    let resign = |id| rookery_loadtest::client::Act::Resign.message(id, game, 0);
    assert_eq!(
        crate::house::code(spectator.ask(resign).await),
        ErrorCode::NotSignedIn
    );
    table.leave().await;
}

#[tokio::test]
async fn a_body_that_is_none_is_answered_in_kind() {
    let house = House::open().await;
    let http = house.target().http();
    let answer = http
        .post("/api/v1/signup", None, Some(&json!(["ada"])))
        .await
        .unwrap();
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let answer = http
        .get("/api/v1/games/0000000000000000000000.pgn")
        .await
        .unwrap();
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    let huge = json!({ "name": "x".repeat(1 << 20), "password": "y" });
    match http.post("/api/v1/signup", None, Some(&huge)).await {
        Ok(answer) => assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE),
        // The server may close on a body it will not read before it is all sent.
        Err(error) => assert!(
            matches!(error, HttpError::Http(_) | HttpError::Io(_)),
            "{error}"
        ),
    }
}
