//! Frames that are no messages, too many frames, and nobody who reads.

use std::time::Duration;

use futures_util::SinkExt;
use rookery_loadtest::client::Act;
use rookery_protocol::{CloseCode, ErrorCode, SUBPROTOCOL, Seat};
use tokio::net::TcpSocket;
use tokio::time::timeout;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::house::{House, PATIENCE, opera};
use crate::raw::Raw;

#[tokio::test]
async fn what_is_no_message_is_told_why() {
    let house = House::open().await;
    let ticket = house.ticket().await;
    use ErrorCode::{BadJson, BadMessage, HelloMisplaced, UnknownMessage};
    for (frame, code, id) in [
        ("{", BadJson, None),
        ("", BadJson, None),
        ("[]", BadMessage, None),
        ("null", BadMessage, None),
        (r#"{"id":5}"#, BadMessage, Some(5)),
        (r#"{"t":"castle","id":5}"#, UnknownMessage, Some(5)),
        (r#"{"t":"ping"}"#, BadMessage, None),
        (r#"{"t":"ping","id":0}"#, BadMessage, None),
        (r#"{"t":"ping","id":1.0}"#, BadMessage, None),
        (r#"{"t":"ping","id":"5"}"#, BadMessage, None),
        (r#"{"t":"ping","id":9007199254740992}"#, BadMessage, None),
        (
            r#"{"t":"ping","id":5,"colour":"white"}"#,
            BadMessage,
            Some(5),
        ),
        (
            r#"{"t":"ticks","id":5,"on":true,"on":false}"#,
            BadMessage,
            Some(5),
        ),
        (r#"{"t":"ticks","id":5,"on":"yes"}"#, BadMessage, Some(5)),
        (
            r#"{"t":"move","id":5,"game":"short","ply":0,"uci":"e2e4"}"#,
            BadMessage,
            Some(5),
        ),
        (
            r#"{"t":"move","id":5,"game":"0000000000000000000000","ply":-1,"uci":"e2e4"}"#,
            BadMessage,
            Some(5),
        ),
        (
            r#"{"t":"move","id":5,"game":"0000000000000000000000","ply":0,"uci":"E2E4"}"#,
            BadMessage,
            Some(5),
        ),
        (r#"{"t":"hello","id":5}"#, HelloMisplaced, Some(5)),
    ] {
        let mut raw = Raw::enter(&house.target(), &ticket).await;
        raw.say(frame).await;
        assert_eq!(raw.error().await, (code, id), "{frame}");
    }
}

#[tokio::test]
async fn frames_that_are_no_text_close_the_socket() {
    let house = House::open().await;
    let ticket = house.ticket().await;
    let text = |bytes: &'static [u8]| {
        Message::Frame(Frame::message(bytes, OpCode::Data(Data::Text), true))
    };
    for (frame, code) in [
        (Message::binary(vec![1, 2, 3]), CloseCode::TextOnly),
        (Message::text("x".repeat(100_000)), CloseCode::TooLarge),
        (text(b"{\"t\":\"\xff\xfe\"}"), CloseCode::BadUtf8),
    ] {
        let mut raw = Raw::enter(&house.target(), &ticket).await;
        // The server may have closed before a large frame is all sent.
        let _ = raw.send(frame).await;
        if let Some(closed) = raw.closed().await {
            assert_eq!(closed, code.code(), "{code:?}");
        } else {
            assert_eq!(code, CloseCode::TooLarge, "the line was cut without a word");
        }
    }
}

/// Sends frames until the server has enough of them; the close code.
async fn flooded(house: &House, frame: impl Fn(u32) -> Message) -> Option<u16> {
    const ENOUGH: u32 = 200_000;
    let ticket = house.ticket().await;
    let mut raw = Raw::enter(&house.target(), &ticket).await;
    for number in 0..ENOUGH {
        if raw.send(frame(number)).await.is_err() {
            break;
        }
    }
    raw.closed().await
}

#[tokio::test]
async fn floods_are_closed_and_harm_nobody() {
    let house = House::open().await;
    let flood = Some(CloseCode::Flood.code());
    let ping = |n| Message::text(format!(r#"{{"t":"ping","id":{}}}"#, n + 10));
    let control = |_| Message::Ping(Vec::new().into());
    let endless = |n| {
        let op = if n == 0 { Data::Text } else { Data::Continue };
        Message::Frame(Frame::message(Vec::new(), OpCode::Data(op), false))
    };
    house
        .beside_a_game(async {
            // A flood can outrun its own farewell: then the line is cut.
            for closed in [
                flooded(&house, ping).await,
                flooded(&house, control).await,
                flooded(&house, endless).await,
            ] {
                assert!(closed == flood || closed.is_none(), "{closed:?}");
            }
        })
        .await;
}

#[tokio::test]
async fn a_burst_is_slowed_before_it_is_closed() {
    let house = House::open().await;
    let ticket = house.ticket().await;
    let mut raw = Raw::enter(&house.target(), &ticket).await;
    for id in 10..90 {
        raw.say(&format!(r#"{{"t":"ping","id":{id}}}"#)).await;
    }
    assert_eq!(raw.error().await.0, ErrorCode::RateLimited);
}

#[tokio::test]
async fn a_client_that_never_reads_is_closed_and_harms_nobody() {
    let house = House::open().await;
    let mut table = house.table("300").await;
    rookery_loadtest::replay::play(&mut table, &opera(), &mut crate::stories::Quick)
        .await
        .unwrap();
    let game = table.game;
    house
        .beside_a_game(async {
            let authority = house
                .target()
                .websocket()
                .replace("ws://", "")
                .replace("/ws", "");
            let socket = TcpSocket::new_v4().unwrap();
            socket.set_recv_buffer_size(4096).unwrap();
            let stream = socket.connect(authority.parse().unwrap()).await.unwrap();
            let uri = house.target().websocket().parse().unwrap();
            let request = ClientRequestBuilder::new(uri).with_sub_protocol(SUBPROTOCOL);
            let (mut deaf, _) = client_async(request, stream).await.unwrap();
            deaf.send(Message::text(r#"{"t":"hello","id":1}"#))
                .await
                .unwrap();
            // Each answer is the whole record of a game; none is ever read.
            let asking = async {
                for id in 10.. {
                    let watch = format!(r#"{{"t":"watch","id":{id},"game":"{game}","from":0}}"#);
                    if deaf.send(Message::text(watch)).await.is_err() {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(60)).await;
                }
            };
            timeout(Duration::from_secs(40), asking)
                .await
                .expect("the server closes it");
        })
        .await;
}

#[tokio::test]
async fn a_client_that_delays_its_pongs_gains_no_more_than_its_bank() {
    let house = House::open().await;
    let mut table = house.table("300").await;
    let mut credited = 0;
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"];
    for (made, uci) in (1..).zip(moves) {
        let seat = if made % 2 == 1 {
            Seat::White
        } else {
            Seat::Black
        };
        if seat == Seat::White {
            // Nothing is read meanwhile, so no ping is answered.
            tokio::time::sleep(Duration::from_millis(400)).await;
        }
        table
            .ask(seat, Act::Move(uci.parse().unwrap(), false))
            .await
            .unwrap();
        let heard = table.until("the move", PATIENCE.answer, |record| record.ply() == made);
        heard.await.unwrap();
    }
    for event in table.record(Seat::White).events() {
        if let rookery_protocol::Event::Moved(moved) = event
            && moved.seat == Seat::White
        {
            assert!(
                moved.credit <= 500,
                "one move is credited at most half a second"
            );
            credited += moved.credit;
        }
    }
    // The bank of 5+0 starts at three gains of 1 s; three moves can win 1.5 s at the very most.
    assert!(credited <= 1500, "{credited}");
    assert!(rookery_loadtest::clocks::check(table.record(Seat::White).events(), &[]).is_ok());
}
