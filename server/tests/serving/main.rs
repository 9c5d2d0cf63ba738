//! The whole server in this process, over its own sockets: coming in, being put out, the drain, TLS.

// What helps a test fails by panicking, as a test does.
#![allow(clippy::unwrap_used)]

mod play;
mod wire;

use rookery_protocol::{CloseCode, ErrorCode, NoticeKind, ServerMessage};
use rookery_server::app::App;
use rookery_server::config::Config;
use serde_json::json;
use tempfile::TempDir;

use wire::{Socket, get, post};

/// Settings of a server of its own, on free ports.
fn config(folder: &TempDir) -> Config {
    let mut config = Config::default();
    config.server.listen = "127.0.0.1:0".parse().unwrap();
    config.admin.listen = "127.0.0.1:0".parse().unwrap();
    config.store.data = folder.path().join("data");
    config.accounts.hash_memory_kib = 8;
    config.accounts.hash_passes = 1;
    config
}

#[tokio::test]
async fn a_guest_is_welcomed_and_a_session_put_out() {
    let folder = tempfile::tempdir().unwrap();
    let running = App::start(config(&folder)).await.unwrap();
    let addr = running.addr();
    let guest = post(addr, "/api/v1/guest", "", &json!({})).await;
    let mut socket = Socket::open(addr).await;
    let welcome = socket.hello(guest["ticket"].as_str().unwrap()).await;
    assert_eq!(
        welcome.you.unwrap().name,
        guest["you"]["name"].as_str().unwrap()
    );
    assert!(welcome.ticket.is_some());

    let new = json!({ "name": "ada", "password": "correct horse" });
    let ada = post(addr, "/api/v1/signup", "", &new).await;
    let ticket = ada["ticket"].as_str().unwrap();
    let mut socket = Socket::open(addr).await;
    socket.hello(ticket).await;
    let online = get(addr, "/api/v1/players/ada").await;
    assert!(online.contains("\"online\":true"), "{online}");
    post(addr, "/api/v1/logout", ticket, &json!({})).await;
    assert_eq!(socket.closed().await, CloseCode::Revoked.code());

    let mut socket = Socket::open(addr).await;
    socket
        .say(&json!({ "t": "hello", "id": 1, "auth": ticket }))
        .await;
    match socket.hear().await {
        ServerMessage::Error(error) => assert_eq!(error.code, ErrorCode::BadAuth),
        other => panic!("{other:?}"),
    }
    running.stop().await;
}

#[tokio::test]
async fn a_stop_tells_everyone_and_is_seen_by_operators() {
    let folder = tempfile::tempdir().unwrap();
    let running = App::start(config(&folder)).await.unwrap();
    let (addr, admin) = (running.addr(), running.admin_addr());
    assert!(get(admin, "/readyz").await.contains("200 OK"));
    let mut socket = Socket::open(addr).await;
    socket.say(&json!({ "t": "hello", "id": 1 })).await;
    assert!(matches!(socket.hear().await, ServerMessage::Welcome(_)));

    let stopping = tokio::spawn(running.stop());
    match socket.hear().await {
        ServerMessage::Notice(notice) => assert_eq!(notice.kind, NoticeKind::Draining),
        other => panic!("{other:?}"),
    }
    // This socket does not answer the close yet, so the stop is still under way.
    let ready = get(admin, "/readyz?verbose").await;
    assert!(
        ready.contains("503") && ready.contains("\"problem\":\"draining\""),
        "{ready}"
    );
    assert!(get(admin, "/livez").await.contains("200 OK"));
    assert_eq!(socket.closed().await, CloseCode::Restart.code());
    stopping.await.unwrap();
    let again = App::start(config(&folder)).await.unwrap();
    again.stop().await;
}

#[tokio::test]
async fn every_number_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let running = App::start(config(&folder)).await.unwrap();
    let mut socket = Socket::open(running.addr()).await;
    socket.say(&json!({ "t": "hello", "id": 1 })).await;
    socket.hear().await;
    let numbers = get(running.admin_addr(), "/metrics").await;
    // Other tests of this process count in the same place.
    assert!(numbers.contains("rookery_ws_opened_total "), "{numbers}");
    for line in numbers.lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, _) = kind.split_once(' ').unwrap();
            let helped = numbers.contains(&format!("# HELP {name} "));
            assert!(helped, "{name} does not say what it is");
        }
    }
    drop(socket);
    running.stop().await;
}

#[tokio::test]
async fn the_same_port_speaks_tls_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (cert, key) = (
        folder.path().join("cert.pem"),
        folder.path().join("key.pem"),
    );
    std::fs::write(&cert, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let mut config = config(&folder);
    config.server.tls_cert = Some(cert);
    config.server.tls_key = Some(key);
    let running = App::start(config).await.unwrap();
    assert!(running.speaks_tls());
    let answer = wire::get_tls(running.addr(), made.cert.der().clone(), "/api/v1/lobby").await;
    assert!(answer.contains("200 OK"), "{answer}");
    running.stop().await;
}

#[tokio::test]
async fn what_is_served_already_is_not_served_again() {
    let folder = tempfile::tempdir().unwrap();
    let running = App::start(config(&folder)).await.unwrap();
    let second = App::start(config(&folder)).await;
    assert!(second.is_err());
    running.stop().await;
    App::start(config(&folder)).await.unwrap().stop().await;
}
