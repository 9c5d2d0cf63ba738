//! The client against a server whose every frame the test writes.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use rookery_protocol::limits::Limits;
use rookery_protocol::{
    BySeat, Clock, Error, Event, Events, Moved, Ok as Done, Pong, Seat, ServerMessage, Welcome,
};
use rookery_protocol::{ClientMessage, CloseCode, ErrorCode, GameId, RequestId, SUBPROTOCOL};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, accept_hdr_async};

use super::*;

const QUICK: Patience = Patience {
    answer: Duration::from_secs(5),
    reconnect: Duration::from_secs(5),
};

fn game() -> GameId {
    "0000000000000000000001".parse().unwrap()
}

/// The server's end of the test.
struct Fake {
    listener: TcpListener,
    limits: Limits,
}

/// The server's end of one socket.
struct End(WebSocketStream<TcpStream>);

impl Fake {
    async fn new(limits: Limits) -> (Fake, Target) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = Target::parse(&format!("ws://{}", listener.local_addr().unwrap())).unwrap();
        (Fake { listener, limits }, target)
    }

    /// Takes the next connection and greets it.
    #[expect(
        clippy::result_large_err,
        reason = "the shape of the library's callback"
    )]
    async fn greet(&self) -> End {
        let (socket, _) = self.listener.accept().await.unwrap();
        let speak = |_: &Request, mut response: Response| {
            let protocol = HeaderValue::from_static(SUBPROTOCOL);
            response
                .headers_mut()
                .insert("sec-websocket-protocol", protocol);
            Ok(response)
        };
        let socket = accept_hdr_async(socket, speak).await.unwrap();
        let mut end = End(socket);
        let hello = end.read().await;
        let welcome = Welcome {
            id: hello.id(),
            you: None,
            ticket: None,
            at: 0,
            games: Vec::new(),
            limits: self.limits,
            software: "fake".to_owned(),
        };
        end.write(ServerMessage::Welcome(Box::new(welcome))).await;
        end
    }
}

impl End {
    async fn read(&mut self) -> ClientMessage {
        loop {
            if let Message::Text(text) = self.0.next().await.unwrap().unwrap() {
                return ClientMessage::parse(&text).unwrap();
            }
        }
    }

    async fn write(&mut self, message: ServerMessage) {
        self.0.send(Message::text(message.to_json())).await.unwrap();
    }

    async fn ok(&mut self, id: RequestId) {
        self.write(ServerMessage::Ok(Done {
            id,
            ruling: None,
            made: None,
        }))
        .await;
    }

    async fn refuse(&mut self, id: RequestId, code: ErrorCode) {
        let message = code.meaning().to_owned();
        let error = Error {
            id: Some(id),
            code,
            message,
            article: None,
            retry_after: Some(10),
        };
        self.write(ServerMessage::Error(error)).await;
    }

    /// Expects a `watch` from that number, and sends events up to another.
    async fn serve_watch(&mut self, from: u32, up_to: u32) {
        let watch = self.read().await;
        let ClientMessage::Watch(watch) = watch else {
            panic!("{watch:?}")
        };
        assert_eq!(watch.from, Some(from));
        let events = (from..up_to).map(moved).collect();
        let online = BySeat {
            white: true,
            black: true,
        };
        let events = Events {
            game: game(),
            events,
            online,
            at: 0,
        };
        self.write(ServerMessage::Events(events)).await;
        self.ok(watch.id).await;
    }
}

fn moved(seq: u32) -> Event {
    Event::Moved(Moved {
        game: game(),
        seq,
        at: u64::from(seq),
        seat: Seat::White,
        ply: seq + 1,
        uci: "e2e4".parse().unwrap(),
        san: "e4".to_owned(),
        clock: Clock {
            white: 1,
            black: 1,
            running: None,
        },
        credit: 0,
        offer: false,
    })
}

async fn enter(target: Target) -> Player {
    Player::enter(&target, None, QUICK).await.unwrap()
}

fn resign(id: RequestId) -> ClientMessage {
    Act::Resign.message(id, game(), 0)
}

#[tokio::test]
async fn after_a_cut_it_resumes_and_sends_again_under_the_same_id() {
    let (fake, target) = Fake::new(Limits::default()).await;
    let client = async {
        let mut player = enter(target).await;
        player.watch(game()).await.unwrap();
        player.ask(resign).await.unwrap();
        (
            player.cuts(),
            player.record(game()).unwrap().next(),
            player.acknowledged().len(),
        )
    };
    let server = async {
        let mut end = fake.greet().await;
        end.serve_watch(0, 2).await;
        let first = end.read().await;
        drop(end);
        let mut end = fake.greet().await;
        end.serve_watch(2, 3).await;
        let again = end.read().await;
        end.ok(again.id()).await;
        (first, again)
    };
    let (client, (first, again)) = tokio::join!(client, server);
    assert_eq!(client, (1, 3, 1));
    assert_eq!(first, again);
}

#[tokio::test]
async fn retry_is_sent_again_under_the_same_id_and_rate_limited_under_another() {
    let (fake, target) = Fake::new(Limits::default()).await;
    let client = async { enter(target).await.ask(resign).await };
    let server = async {
        let mut end = fake.greet().await;
        let first = end.read().await;
        end.refuse(first.id(), ErrorCode::Retry).await;
        let second = end.read().await;
        end.refuse(second.id(), ErrorCode::RateLimited).await;
        let third = end.read().await;
        end.ok(third.id()).await;
        [first.id(), second.id(), third.id()]
    };
    let (done, ids) = tokio::join!(client, server);
    assert!(done.is_ok());
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[1], ids[2]);
}

#[tokio::test]
async fn a_refusal_is_told() {
    let (fake, target) = Fake::new(Limits::default()).await;
    let client = async { enter(target).await.ask(resign).await };
    let server = async {
        let mut end = fake.greet().await;
        let first = end.read().await;
        end.refuse(first.id(), ErrorCode::GameOver).await;
        end
    };
    let (done, _end) = tokio::join!(client, server);
    assert!(matches!(
        done,
        Err(ClientError::Refused {
            code: ErrorCode::GameOver,
            ..
        })
    ));
}

/// What the client makes of these events after a first one.
async fn told(events: Vec<Event>) -> ClientError {
    let (fake, target) = Fake::new(Limits::default()).await;
    let client = async {
        let mut player = enter(target).await;
        player.watch(game()).await.unwrap();
        player.attend().await
    };
    let server = async {
        let mut end = fake.greet().await;
        end.serve_watch(0, 1).await;
        for event in events {
            end.write(ServerMessage::Event(event)).await;
        }
        end
    };
    tokio::join!(client, server).0
}

#[tokio::test]
async fn gaps_and_contradictions_are_not_believed() {
    let gap = told(vec![moved(1), moved(3)]).await;
    assert!(
        matches!(
            gap,
            ClientError::Record(RecordError::Gap { wanted: 2, came: 3 })
        ),
        "{gap}"
    );
    let Event::Moved(mut other) = moved(0) else {
        unreachable!()
    };
    other.san = "e3".to_owned();
    let contradiction = told(vec![moved(0), Event::Moved(other)]).await;
    assert!(
        matches!(
            contradiction,
            ClientError::Record(RecordError::Contradiction { seq: 0, .. })
        ),
        "{contradiction}"
    );
}

#[tokio::test]
async fn a_silent_server_is_asked_and_then_left() {
    let limits = Limits {
        server_silent_ms: 50,
        ..Limits::default()
    };
    let (fake, target) = Fake::new(limits).await;
    let client = async {
        let mut player = enter(target).await;
        player
            .until("a cut", Duration::from_secs(5), |player| player.cuts() == 1)
            .await
    };
    let server = async {
        let mut deaf = fake.greet().await;
        let ping = deaf.read().await;
        assert!(matches!(ping, ClientMessage::Ping(_)), "{ping:?}");
        deaf.write(ServerMessage::Pong(Pong {
            id: ping.id(),
            at: 0,
        }))
        .await;
        let ping = deaf.read().await;
        assert!(matches!(ping, ClientMessage::Ping(_)), "{ping:?}");
        (deaf, fake.greet().await)
    };
    let (cut, _ends) = tokio::join!(client, server);
    cut.unwrap();
}

#[tokio::test]
async fn a_client_that_is_told_to_stay_away_stays_away() {
    let (fake, target) = Fake::new(Limits::default()).await;
    let client = async { enter(target).await.ask(resign).await };
    let server = async {
        let mut end = fake.greet().await;
        end.read().await;
        let code = CloseCode::Revoked;
        let frame = CloseFrame {
            code: code.code().into(),
            reason: code.reason().into(),
        };
        end.0.send(Message::Close(Some(frame))).await.unwrap();
        end
    };
    let (done, _end) = tokio::join!(client, server);
    assert!(
        matches!(done, Err(ClientError::Closed { code: 4505, .. })),
        "{done:?}"
    );
}

#[tokio::test]
async fn it_sends_no_faster_than_it_was_granted() {
    let limits = Limits {
        frame_burst: 3,
        frames_per_second: 50,
        ..Limits::default()
    };
    let (fake, target) = Fake::new(limits).await;
    let client = async {
        let mut player = enter(target).await;
        let began = tokio::time::Instant::now();
        for _ in 0..12 {
            player.send(resign).await.unwrap();
        }
        (began.elapsed(), player)
    };
    let server = async {
        let mut end = fake.greet().await;
        for _ in 0..12 {
            end.read().await;
        }
    };
    let ((took, _player), ()) = tokio::join!(client, server);
    assert!(took >= Duration::from_millis(180), "{took:?}");
}

#[test]
fn a_target_names_both_doors() {
    for url in [
        "ws://127.0.0.1:8080",
        "ws://127.0.0.1:8080/",
        "ws://127.0.0.1:8080/ws",
    ] {
        let target = Target::parse(url).unwrap();
        assert_eq!(target.websocket(), "ws://127.0.0.1:8080/ws");
        assert_eq!(target.authority, "127.0.0.1:8080");
    }
    assert_eq!(
        Target::parse("ws://rookery.example").unwrap().authority,
        "rookery.example:80"
    );
    for url in [
        "http://127.0.0.1",
        "127.0.0.1:8080",
        "ws://",
        "ws://host/elsewhere",
    ] {
        assert!(
            matches!(Target::parse(url), Err(ClientError::BadUrl(_))),
            "{url}"
        );
    }
}
