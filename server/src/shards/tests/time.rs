//! Deadlines, stalls and outages: whose time it was.

use super::*;

#[tokio::test]
async fn a_flag_falls_by_the_servers_own_deadline() {
    let node = Node::start().await;
    node.with_game().await;
    node.pass(Millis(179_999)).await;
    assert_eq!(node.told().len(), 1);
    node.pass(Millis(1)).await;
    match node.last_told() {
        What::Ended { outcome, clock } => {
            assert_eq!(outcome.ending, Ending::Time);
            assert_eq!(clock.left.white, Millis::ZERO);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_move_held_by_the_gateway_counts_from_its_receipt() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.pass(Millis(10_000)).await;
    let held = Request {
        game,
        held: Millis(4000),
        ask: asked(E4()),
    };
    assert!(is_done(&node.router.ask(held).await));
    match node.told()[1].what {
        What::Moved { clock, .. } => assert_eq!(clock.left.white, Millis(174_000)),
        ref other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_stalled_commit_is_nobodys_thinking_time() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.journal.hold(true);
    let mover = node.start_asking(game, E4());
    node.pass(Millis(2000)).await;
    node.journal.hold(false);
    assert!(is_done(&mover.await.unwrap()));
    settle().await;
    let told = node.told();
    assert!(
        matches!(
            told[2].what,
            What::Paused {
                reason: PauseReason::Stall,
                ..
            }
        ),
        "{:?}",
        told[2]
    );
    match told[3].what {
        What::Resumed { clock } => assert_eq!(clock.left.black, Millis::from_mins(3)),
        ref other => panic!("{other:?}"),
    }
    assert_eq!(told.len(), 4, "the credit is no reason for another one");
}

#[tokio::test]
async fn a_move_received_in_time_beats_the_flag_however_long_it_queued() {
    let node = Node::start().await;
    let game = node.with_game().await;
    let other = birth(2).game;
    node.ask(other, Ask::Birth(Box::new(birth(2)))).await;
    node.pass(Millis(179_900)).await;
    node.journal.hold(true);
    let stalled = node.start_asking(other, E4());
    node.pass(Millis(50)).await;
    let in_time = node.start_asking(game, E4());
    node.pass(Millis(2000)).await;
    node.journal.hold(false);
    assert!(is_done(&stalled.await.unwrap()) && is_done(&in_time.await.unwrap()));
    let events = node.journal.events(game);
    match events[1].what {
        What::Moved { clock, .. } => assert_eq!(clock.left.white, Millis(50)),
        ref other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn nobody_loses_on_time_that_a_stall_took() {
    let node = Node::start().await;
    let game = node.with_game().await;
    assert!(is_done(&node.act(game, E4()).await));
    node.pass(Millis(179_500)).await;
    assert!(is_done(&node.act(game, E5()).await));
    node.journal.hold(true);
    let mover = node.start_asking(game, (Seat::White, 2, 2, plays("g1f3")));
    node.pass(Millis(600)).await;
    node.journal.hold(false);
    assert!(is_done(&mover.await.unwrap()));
    settle().await;
    match node.last_told() {
        What::Resumed { clock } => assert_eq!(clock.left.black, Millis(500)),
        other => panic!("{other:?}"),
    }
    node.pass(Millis(500)).await;
    assert!(matches!(node.last_told(), What::Ended { .. }));
}

#[tokio::test]
async fn an_outage_is_nobodys_thinking_time() {
    let node = Node::start().await;
    let game = node.with_game().await;
    assert!(is_done(&node.act(game, E4()).await));
    node.pass(Millis(5000)).await;
    drop(node.shards);
    let node = Node::start_on(node.journal.clone(), START + Millis::from_mins(60), 16).await;
    assert!(matches!(
        node.last_told(),
        What::Paused {
            reason: PauseReason::Recovery,
            ..
        }
    ));
    node.pass(Millis(7000)).await;
    node.ask(
        game,
        Ask::Presence {
            player: player(Seat::Black),
            online: true,
        },
    )
    .await;
    match node.last_told() {
        What::Resumed { clock } => assert_eq!(clock.left.black, Millis(175_000)),
        other => panic!("{other:?}"),
    }
    assert!(is_done(&node.act(game, E5()).await));
    assert!(
        is_done(&node.act(game, E4()).await),
        "a repeat is known to the new owner"
    );
}

#[tokio::test]
async fn a_clock_set_back_does_not_put_the_record_into_the_future() {
    let node = Node::start().await;
    node.with_game().await;
    drop(node.shards);
    let node = Node::start_on(node.journal.clone(), Timestamp(5), 16).await;
    assert!(node.clock.now() >= START);
}

#[tokio::test]
async fn the_time_of_a_frozen_machine_is_nobodys_thinking_time() {
    let node = Node::start().await;
    let game = node.with_game().await;
    let there = |seat| Ask::Presence {
        player: player(seat),
        online: true,
    };
    node.ask(game, there(Seat::White)).await;
    node.pass(Millis(7000)).await;
    node.hands.advance(Millis::from_mins(60));
    settle().await;
    match node.last_told() {
        What::Resumed { clock } => assert_eq!(clock.left.white, Millis(173_000)),
        other => panic!("{other:?}"),
    }
    assert!(is_done(&node.act(game, E4()).await));
}
