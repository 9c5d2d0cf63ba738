//! Before the first frame: who gets in, from where, over what.

use std::sync::Arc;

use rookery_core::time::Millis;
use rookery_protocol::CloseCode;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

use super::client::{Client, HANDSHAKE, Raw, frame};
use super::world::World;
use crate::gateway::GatewayConfig;
use crate::gateway::proxy::SIGNATURE;
use crate::gateway::tls::acceptor_of;

fn quick() -> GatewayConfig {
    GatewayConfig {
        handshake_timeout_ms: Millis(100),
        ..GatewayConfig::default()
    }
}

#[tokio::test]
async fn a_page_of_another_host_gets_no_socket() {
    let world = World::new();
    for (origin, status) in [
        ("http://localhost", "101"),
        ("http://evil.example", "403"),
        ("null", "403"),
    ] {
        let mut raw = Raw::connect(world.address).await;
        raw.send(format!("{HANDSHAKE}Origin: {origin}\r\n\r\n").as_bytes())
            .await;
        let head = raw.head().await;
        assert!(
            head.starts_with(&format!("HTTP/1.1 {status} ")),
            "{origin}: {head}"
        );
    }
}

#[tokio::test]
async fn a_plain_request_is_told_to_upgrade() {
    let world = World::new();
    let mut raw = Raw::connect(world.address).await;
    raw.send(b"GET /ws HTTP/1.1\r\nHost: x\r\n\r\n").await;
    let head = raw.head().await;
    assert!(head.starts_with("HTTP/1.1 426 "), "{head}");
    assert!(head.contains("sec-websocket-version: 13"), "{head}");
}

#[tokio::test]
async fn who_is_slow_in_the_handshake_is_cut_off() {
    let world = World::with(quick());
    for start in ["", "GET /ws HT", HANDSHAKE] {
        let mut raw = Raw::connect(world.address).await;
        raw.send(start.as_bytes()).await;
        // The test ends only because the server closes.
        raw.rest().await;
    }
    let mut drip = Raw::connect(world.address).await;
    let dripping = async {
        for _ in 0..1000 {
            drip.send_on(b"GET /ws HTTP/1.1\r\nX: y\r\n").await;
            tokio::task::yield_now().await;
        }
        drip.rest().await
    };
    dripping.await;
    world.connect().await;
}

#[tokio::test]
async fn a_full_house_says_so_and_lets_in_again_later() {
    let world = World::with(GatewayConfig {
        max_connections: 1,
        ..GatewayConfig::default()
    });
    let mut first = world.player("white").await;
    let mut second = Raw::connect(world.address).await;
    assert!(second.head().await.starts_with("HTTP/1.1 503 "));
    assert!(first.is_served().await);
    first.close().await;
    world.until_sockets(0).await;
    // The place is given back when the task of the socket has ended, which is soon.
    loop {
        let mut next = Raw::connect(world.address).await;
        next.send_on(format!("{HANDSHAKE}\r\n").as_bytes()).await;
        let mut byte = [0; 12];
        if tokio::io::AsyncReadExt::read_exact(&mut next.tcp, &mut byte)
            .await
            .is_ok()
            && byte == *b"HTTP/1.1 101"
        {
            break;
        }
    }
}

fn proxied(source: [u8; 4]) -> Vec<u8> {
    let mut header = SIGNATURE.to_vec();
    header.extend([0x21, 0x11, 0, 12]);
    header.extend(source);
    header.extend([127, 0, 0, 1, 0, 1, 0, 2]);
    header
}

#[tokio::test]
async fn a_trusted_proxy_names_the_client_and_others_name_nobody() {
    let strict = GatewayConfig {
        max_sockets_per_address: 1,
        ..quick()
    };
    let trusting = World::with(GatewayConfig {
        trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()],
        ..strict.clone()
    });
    let open = async |world: &World, header: &[u8], more: &str| {
        let mut raw = Raw::connect(world.address).await;
        raw.send(header).await;
        raw.send_on(format!("{HANDSHAKE}{more}\r\n").as_bytes())
            .await;
        raw
    };
    let refused = CloseCode::TooManySockets.code();

    let mut first = open(&trusting, &proxied([192, 0, 2, 1]), "").await;
    assert!(first.head().await.contains(" 101 "));
    let mut same = open(&trusting, &proxied([192, 0, 2, 1]), "").await;
    assert!(same.head().await.contains(" 101 "));
    assert_eq!(same.closed().await, refused);
    let mut other = open(&trusting, &proxied([192, 0, 2, 2]), "").await;
    other.head().await;
    other.send(&frame(0x81, br#"{"t":"ping","id":1}"#)).await;
    assert!(other.frame_of(1).await.starts_with(br#"{"t":"pong""#));

    // The same by header, and a header behind a header is not believed.
    let mut listed = open(&trusting, b"", "X-Forwarded-For: 6.6.6.6, 192.0.2.1\r\n").await;
    assert!(listed.head().await.contains(" 101 "));
    assert_eq!(listed.closed().await, refused);
    let mut lying = open(
        &trusting,
        &proxied([192, 0, 2, 1]),
        "X-Forwarded-For: 192.0.2.77\r\n",
    )
    .await;
    assert!(lying.head().await.contains(" 101 "));
    assert_eq!(lying.closed().await, refused);

    let wary = World::with(strict);
    let mut spoof = open(&wary, &proxied([192, 0, 2, 1]), "").await;
    assert!(spoof.head().await.starts_with("HTTP/1.1 400 "));
    let mut one = open(&wary, b"", "X-Forwarded-For: 192.0.2.1\r\n").await;
    assert!(one.head().await.contains(" 101 "));
    let mut two = open(&wary, b"", "X-Forwarded-For: 192.0.2.2\r\n").await;
    assert!(two.head().await.contains(" 101 "));
    assert_eq!(two.closed().await, refused);

    // Half a header of a trusted peer ends with the handshake's time.
    let mut half = Raw::connect(trusting.address).await;
    half.send(&SIGNATURE[..6]).await;
    assert_eq!(half.rest().await, b"");
}

#[tokio::test]
async fn the_same_is_spoken_over_tls() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let certificate = made.cert.der().clone();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let tls = acceptor_of(vec![certificate.clone()], key).unwrap();
    let world = World::serve(quick(), Some(tls));

    let mut roots = RootCertStore::empty();
    roots.add(certificate).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let tcp = TcpStream::connect(world.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let stream = TlsConnector::from(Arc::new(config))
        .connect(name, tcp)
        .await
        .unwrap();
    let mut client = Client::over(stream, "wss://localhost/ws").await;
    client.hello("white").await;
    let game = world.game();
    client.watch(game).await;
    assert_eq!(client.play(game, 0, "e2e4").await["ruling"], "done");
    client.close().await;
    world.until_sockets(0).await;

    // One that speaks no TLS, and one that says nothing, are let go.
    let mut plain = Raw::connect(world.address).await;
    plain.send(b"GET /ws HTTP/1.1\r\n\r\n").await;
    plain.rest().await;
    Raw::connect(world.address).await.rest().await;
}
