//! A client that knows no more of HTTP than it says: one request a connection, headers and body as given.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[derive(Clone, Copy)]
pub(super) struct Client(pub(super) SocketAddr);

/// What came back.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    head: String,
    pub(super) body: String,
}

impl Client {
    pub(super) async fn get(&self, path: &str, bearer: &str) -> Answer {
        self.send("GET", path, bearer, &[], "").await
    }

    pub(super) async fn post(&self, path: &str, bearer: &str, body: &Value) -> Answer {
        self.json("POST", path, bearer, body).await
    }

    pub(super) async fn json(
        &self,
        method: &str,
        path: &str,
        bearer: &str,
        body: &Value,
    ) -> Answer {
        let kind = ["content-type: application/json"];
        self.send(method, path, bearer, &kind, &body.to_string())
            .await
    }

    pub(super) async fn send(
        &self,
        method: &str,
        path: &str,
        bearer: &str,
        headers: &[&str],
        body: &str,
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n");
        if !bearer.is_empty() {
            head.push_str(&format!("authorization: Bearer {bearer}\r\n"));
        }
        for header in headers {
            head.push_str(&format!("{header}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        let mut socket = TcpStream::connect(self.0).await.unwrap();
        socket.write_all(head.as_bytes()).await.unwrap();
        // A body that is refused early is not read to its end.
        let _ = socket.write_all(body.as_bytes()).await;
        let mut text = Vec::new();
        socket.read_to_end(&mut text).await.unwrap();
        Answer::read(&String::from_utf8(text).unwrap())
    }

    /// Signs up and gives the ticket.
    pub(super) async fn sign_up(&self, name: &str) -> String {
        let body = serde_json::json!({ "name": name, "password": "correct horse" });
        let answer = self.post("/api/v1/signup", "", &body).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.json()["ticket"].as_str().unwrap().to_owned()
    }
}

impl Answer {
    fn read(text: &str) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let head = head.to_ascii_lowercase();
        let body = if head.contains("transfer-encoding: chunked") {
            unchunk(body)
        } else {
            body.to_owned()
        };
        Answer { status, head, body }
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The code of a refusal.
    pub(super) fn code(&self) -> String {
        self.json()["error"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

fn unchunk(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            break;
        }
        whole.push_str(&rest[..size]);
        body = &rest[size + 2..];
    }
    whole
}
