//! Sends back what it gets, through the server's own listener, upgrade and socket: what the WebSocket
//! conformance suite is run against (`scripts/autobahn.sh`). Only the limits are raised, because the
//! suite sends messages of 16 MiB. Knows no message of ours.
//!
//! `cargo run --example ws-echo -- 127.0.0.1:9001`; prints the address once it listens.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rookery_server::clock::Clock;
use rookery_server::gateway::{Doors, End, GatewayConfig, Incoming, Socket};
use rookery_server::gateway::{listen, serve, upgrade};
use tokio_tungstenite::tungstenite::Message;

/// The largest message of the suite has 16 MiB.
const LARGEST: usize = 16 << 20;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address: SocketAddr = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "127.0.0.1:0".to_owned())
        .parse()?;
    let config = GatewayConfig {
        frame_bytes: LARGEST,
        outbox_bytes: 2 * LARGEST,
        byte_burst: u32::MAX,
        bytes_per_second: u32::MAX,
        ..GatewayConfig::default()
    };
    let listener = listen(address, &config)?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?)?;
    let doors = Arc::new(Doors::new(config));
    let app = axum::Router::new().fallback(any({
        let doors = doors.clone();
        move |request| open(doors, request)
    }));
    serve(doors, listener, None, app, std::future::pending()).await;
    Ok(())
}

async fn open(doors: Arc<Doors>, mut request: Request<Body>) -> Response {
    match upgrade(&mut request, doors.config()) {
        Ok((response, upgrading)) => {
            tokio::spawn(async move {
                if let Some(socket) = upgrading.socket(doors.config(), Clock::system()).await {
                    echo(socket).await;
                }
            });
            response
        }
        Err(error) => error.into_response(),
    }
}

async fn echo(mut socket: Socket) {
    let end = loop {
        match echo_one(&mut socket).await {
            Ok(()) => {}
            Err(end) => break end,
        }
    };
    socket.finish(end).await;
}

async fn echo_one(socket: &mut Socket) -> Result<(), End> {
    match socket.receive().await? {
        Incoming::Text(text) => socket.send(Message::Text(text)).await,
        Incoming::Binary(bytes) => socket.send(Message::Binary(bytes)).await,
        Incoming::Ping | Incoming::Pong(_) => Ok(()),
    }
}
