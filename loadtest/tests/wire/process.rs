//! The process: told to stop, started twice.

use std::time::{Duration, Instant};

use rookery_loadtest::client::Act;
use rookery_loadtest::rig::Rig;
use rookery_protocol::{NoticeKind, Seat, ServerMessage};

use crate::house::{House, PATIENCE, binary};

#[tokio::test]
async fn told_to_stop_it_tells_everyone_and_loses_nothing() {
    let mut house = House::open().await;
    let mut table = house.table("300").await;
    let draining = |message: &ServerMessage| match message {
        ServerMessage::Notice(notice) if notice.kind == NoticeKind::Draining => Some(()),
        _ => None,
    };
    table
        .ask(Seat::White, Act::Move("e2e4".parse().unwrap(), false))
        .await
        .unwrap();
    table
        .until("the move", PATIENCE.answer, |record| record.ply() == 1)
        .await
        .unwrap();

    let stopping = house.running.stop();
    let told = async {
        let (white, black) = (&mut table.white, &mut table.black);
        tokio::try_join!(
            white.message("the notice", draining),
            black.message("the notice", draining)
        )
    };
    let (status, told) = tokio::join!(stopping, told);
    told.unwrap();
    let status = status.unwrap();
    assert!(status.success(), "{status}");

    house.reopen().await;
    table
        .ask(Seat::Black, Act::Move("e7e5".parse().unwrap(), false))
        .await
        .unwrap();
    table.ask(Seat::White, Act::Resign).await.unwrap();
    let over = |record: &rookery_loadtest::client::Record| record.outcome().is_some();
    table.until("the end", PATIENCE.answer, over).await.unwrap();
    assert_eq!(table.record(Seat::Black).moves(), ["e2e4", "e7e5"]);
    assert!(table.white.cuts() >= 1);
}

#[tokio::test]
async fn a_second_server_on_the_folder_ends_at_once() {
    let house = House::open().await;
    let second = Rig::new(&binary(), house.folder()).unwrap();
    let began = Instant::now();
    let status = second.spawn().unwrap().ended().await.unwrap();
    assert!(!status.success());
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
    assert!(
        second.log().contains("is served by another process"),
        "{}",
        second.log()
    );
    house.beside_a_game(async {}).await;
}
