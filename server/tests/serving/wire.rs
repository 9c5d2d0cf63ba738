//! A client of sockets and requests, with no more than these tests need.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use rookery_protocol::{SUBPROTOCOL, ServerMessage, Welcome};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// A server that says nothing for so long will not say anything.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    pub(crate) async fn open(addr: SocketAddr) -> Socket {
        let mut request = format!("ws://{addr}/ws").into_client_request().unwrap();
        let protocol = SUBPROTOCOL.parse().unwrap();
        request
            .headers_mut()
            .insert("sec-websocket-protocol", protocol);
        let tcp = TcpStream::connect(addr).await.unwrap();
        let (socket, _) = tokio_tungstenite::client_async(request, tcp).await.unwrap();
        Socket(socket)
    }

    pub(crate) async fn say(&mut self, message: &Value) {
        self.0
            .send(Message::text(message.to_string()))
            .await
            .unwrap();
    }

    async fn next(&mut self) -> Message {
        let next = tokio::time::timeout(PATIENCE, self.0.next()).await;
        next.expect("the server says something").unwrap().unwrap()
    }

    /// The next message.
    pub(crate) async fn hear(&mut self) -> ServerMessage {
        loop {
            match self.next().await {
                Message::Text(text) => return ServerMessage::parse(text.as_str()).unwrap(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub(crate) async fn hello(&mut self, ticket: &str) -> Welcome {
        self.say(&json!({ "t": "hello", "id": 1, "auth": ticket }))
            .await;
        match self.hear().await {
            ServerMessage::Welcome(welcome) => *welcome,
            other => panic!("{other:?}"),
        }
    }

    /// The code with which the server closes, after whatever it still says.
    pub(crate) async fn closed(&mut self) -> u16 {
        loop {
            match self.next().await {
                Message::Close(Some(frame)) => {
                    // Answers the close.
                    while self.0.next().await.is_some() {}
                    return frame.code.into();
                }
                Message::Close(None) => panic!("a close without a code"),
                _ => {}
            }
        }
    }
}

pub(crate) async fn get(addr: SocketAddr, path: &str) -> String {
    let tcp = TcpStream::connect(addr).await.unwrap();
    ask(tcp, &format!("GET {path} HTTP/1.1"), "").await
}

pub(crate) async fn post(addr: SocketAddr, path: &str, bearer: &str, body: &Value) -> Value {
    let tcp = TcpStream::connect(addr).await.unwrap();
    let bearer = format!("authorization: Bearer {bearer}");
    let head = format!("POST {path} HTTP/1.1\r\ncontent-type: application/json\r\n{bearer}");
    let answer = ask(tcp, &head, &body.to_string()).await;
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap_or_default()
}

pub(crate) async fn get_tls(
    addr: SocketAddr,
    trusted: CertificateDer<'static>,
    path: &str,
) -> String {
    let mut roots = RootCertStore::empty();
    roots.add(trusted).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let tcp = TcpStream::connect(addr).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let tls = TlsConnector::from(Arc::new(config))
        .connect(name, tcp)
        .await
        .unwrap();
    ask(tls, &format!("GET {path} HTTP/1.1"), "").await
}

async fn ask(mut socket: impl AsyncRead + AsyncWrite + Unpin, head: &str, body: &str) -> String {
    let length = body.len();
    let request =
        format!("{head}\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A TLS peer may end without saying so.
    let _ = socket.read_to_end(&mut answer).await;
    String::from_utf8(answer).unwrap()
}
