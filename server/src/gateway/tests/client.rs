//! Two clients: one that behaves, and one that writes whatever bytes a test wants.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use rookery_core::id::GameId;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// A client that keeps to the protocol, over any stream.
pub(super) struct Client<S = TcpStream> {
    ws: WebSocketStream<S>,
    next: u64,
}

impl Client {
    pub(super) async fn connect(address: SocketAddr) -> Client {
        let tcp = TcpStream::connect(address).await.unwrap();
        Client::over(tcp, &format!("ws://{address}/ws")).await
    }
}

impl<S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin> Client<S> {
    pub(super) async fn over(stream: S, url: &str) -> Client<S> {
        let (ws, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
        Client { ws, next: 1 }
    }

    /// Sends a request under the next id and returns that.
    pub(super) async fn say(&mut self, mut request: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        request["id"] = id.into();
        self.text(&request.to_string()).await;
        id
    }

    pub(super) async fn text(&mut self, text: &str) {
        self.ws.send(Message::text(text)).await.unwrap();
    }

    /// Sends a request and returns its answer, passing over what comes before.
    pub(super) async fn ask(&mut self, request: Value) -> Value {
        let id = self.say(request).await;
        self.until(|message| message["id"] == id).await
    }

    pub(super) async fn hello(&mut self, ticket: &str) -> Value {
        let welcome = self.ask(json!({"t": "hello", "auth": ticket})).await;
        assert_eq!(welcome["t"], "welcome", "{welcome}");
        welcome
    }

    pub(super) async fn watch(&mut self, game: GameId) {
        let answer = self.ask(json!({"t": "watch", "game": game})).await;
        assert_eq!(answer["t"], "ok", "{answer}");
    }

    pub(super) async fn play(&mut self, game: GameId, ply: u32, uci: &str) -> Value {
        self.ask(json!({"t": "move", "game": game, "ply": ply, "uci": uci}))
            .await
    }

    /// The next message; pings are answered on the way.
    pub(super) async fn hear(&mut self) -> Value {
        loop {
            match self.ws.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub(super) async fn until(&mut self, mut wanted: impl FnMut(&Value) -> bool) -> Value {
        loop {
            let message = self.hear().await;
            if wanted(&message) {
                return message;
            }
        }
    }

    pub(super) async fn next_of(&mut self, tag: &str) -> Value {
        self.until(|message| message["t"] == tag).await
    }

    /// Everything up to the pong of a ping sent now.
    pub(super) async fn so_far(&mut self) -> Vec<Value> {
        let id = self.say(json!({"t": "ping"})).await;
        let mut heard = Vec::new();
        loop {
            let message = self.hear().await;
            if message["id"] == id {
                return heard;
            }
            heard.push(message);
        }
    }

    pub(super) async fn is_served(&mut self) -> bool {
        self.ask(json!({"t": "ping"})).await["t"] == "pong"
    }

    /// The code with which the server closes.
    pub(super) async fn closed(&mut self) -> u16 {
        loop {
            match self.ws.next().await.unwrap().unwrap() {
                Message::Close(frame) => return frame.unwrap().code.into(),
                _ => continue,
            }
        }
    }

    pub(super) async fn close(mut self) {
        self.ws.close(None).await.unwrap();
        while self.ws.next().await.is_some() {}
    }

    /// Waits for a ping of the server; it is answered when the client is next used.
    pub(super) async fn pinged(&mut self) {
        while !matches!(self.ws.next().await.unwrap().unwrap(), Message::Ping(_)) {}
    }
}

/// A client made of bytes.
pub(super) struct Raw {
    pub(super) tcp: TcpStream,
}

/// A handshake as a browser would send it, without an `Origin`.
pub(super) const HANDSHAKE: &str = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n\
    Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

impl Raw {
    pub(super) async fn connect(address: SocketAddr) -> Raw {
        let tcp = TcpStream::connect(address).await.unwrap();
        Raw { tcp }
    }

    /// After the handshake.
    pub(super) async fn open(address: SocketAddr) -> Raw {
        let mut raw = Raw::connect(address).await;
        raw.send(format!("{HANDSHAKE}\r\n").as_bytes()).await;
        assert!(raw.head().await.starts_with("HTTP/1.1 101 "));
        raw
    }

    pub(super) async fn send(&mut self, bytes: &[u8]) {
        self.tcp.write_all(bytes).await.unwrap();
    }

    /// Sends for as long as the server takes it.
    pub(super) async fn send_on(&mut self, bytes: &[u8]) {
        // A server that has had enough resets the connection: that is what is tested.
        let _ = self.tcp.write_all(bytes).await;
    }

    /// The head of an HTTP answer.
    pub(super) async fn head(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.tcp.read_u8().await.unwrap());
        }
        String::from_utf8(head).unwrap()
    }

    /// Everything until the server closes.
    pub(super) async fn rest(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        // A reset counts as an end.
        let _ = self.tcp.read_to_end(&mut rest).await;
        rest
    }

    /// The next frame: its first byte and its payload.
    pub(super) async fn frame(&mut self) -> (u8, Vec<u8>) {
        let first = self.tcp.read_u8().await.unwrap();
        let length = match self.tcp.read_u8().await.unwrap() {
            126 => usize::from(self.tcp.read_u16().await.unwrap()),
            127 => usize::try_from(self.tcp.read_u64().await.unwrap()).unwrap(),
            short => usize::from(short),
        };
        let mut payload = vec![0; length];
        self.tcp.read_exact(&mut payload).await.unwrap();
        (first, payload)
    }

    /// The next frame of that opcode.
    pub(super) async fn frame_of(&mut self, opcode: u8) -> Vec<u8> {
        loop {
            let (first, payload) = self.frame().await;
            if first & 0x0F == opcode {
                return payload;
            }
        }
    }

    /// The code with which the server closes.
    pub(super) async fn closed(&mut self) -> u16 {
        let payload = self.frame_of(8).await;
        u16::from_be_bytes([payload[0], payload[1]])
    }
}

/// A frame of a client, masked with zeros.
pub(super) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        short @ 0..126 => frame.push(0x80 | short as u8),
        medium @ 126..65_536 => {
            frame.push(0x80 | 126);
            frame.extend((medium as u16).to_be_bytes());
        }
        long => {
            frame.push(0x80 | 127);
            frame.extend((long as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}
