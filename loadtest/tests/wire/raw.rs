//! A client that keeps no rule: it says what the test wants, as often and as fast as the test wants.

use std::time::Duration;

use rookery_loadtest::client::{ClientError, Connection, Target};
use rookery_protocol::{Auth, Error, ErrorCode, ServerMessage};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{self, Message};

/// How long the server may take to say or do what the test waits for.
const SOON: Duration = Duration::from_secs(15);

pub(crate) struct Raw {
    connection: Connection,
}

impl Raw {
    /// Connects and says nothing.
    pub(crate) async fn connect(target: &Target) -> Raw {
        Raw {
            connection: Connection::open(target).await.unwrap(),
        }
    }

    /// Connects and says hello under the id 1.
    pub(crate) async fn enter(target: &Target, auth: &Auth) -> Raw {
        let mut raw = Raw::connect(target).await;
        raw.say(&format!(
            r#"{{"t":"hello","id":1,"auth":"{}"}}"#,
            auth.as_str()
        ))
        .await;
        raw.hear(|message| matches!(message, ServerMessage::Welcome(_)).then_some(()))
            .await;
        raw
    }

    /// Says it at once.
    pub(crate) async fn say(&mut self, frame: &str) {
        self.send(Message::text(frame)).await.unwrap();
    }

    pub(crate) async fn send(&mut self, frame: Message) -> Result<(), ClientError> {
        self.connection.send_raw(frame).await
    }

    /// The first message that `pick` makes something of.
    pub(crate) async fn hear<T>(&mut self, pick: impl Fn(&ServerMessage) -> Option<T>) -> T {
        let reading = async {
            loop {
                if let Some(found) = pick(&self.connection.next().await.unwrap()) {
                    return found;
                }
            }
        };
        timeout(SOON, reading)
            .await
            .expect("the server says it soon")
    }

    /// The next error, with its id.
    pub(crate) async fn error(&mut self) -> (ErrorCode, Option<u64>) {
        let error = |message: &ServerMessage| match message {
            ServerMessage::Error(Error { code, id, .. }) => Some((*code, id.map(|id| id.get()))),
            _ => None,
        };
        self.hear(error).await
    }

    /// Reads until the server closes; the close code, or none when the line was simply cut.
    pub(crate) async fn closed(&mut self) -> Option<u16> {
        let reading = async {
            loop {
                match self.connection.next().await {
                    Ok(_) => {}
                    Err(ClientError::Closed { code, .. }) => return Some(code),
                    Err(ClientError::Socket(error)) => {
                        assert!(
                            matches!(
                                *error,
                                tungstenite::Error::Io(_)
                                    | tungstenite::Error::Protocol(_)
                                    | tungstenite::Error::ConnectionClosed
                            ),
                            "{error}"
                        );
                        return None;
                    }
                    Err(other) => panic!("{other}"),
                }
            }
        };
        timeout(SOON, reading)
            .await
            .expect("the server closes soon")
    }
}
