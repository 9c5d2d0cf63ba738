//! Births, questions, ends, and the limits of a node.

use super::*;

#[tokio::test]
async fn a_full_queue_says_busy_at_once() {
    let node = Node::start_on(MemoryJournal::default(), START, 1).await;
    let game = node.with_game().await;
    node.journal.hold(true);
    let decided = node.start_asking(game, E4());
    settle().await;
    let waiting = node.start_asking(game, E5());
    settle().await;
    assert!(matches!(node.act(game, E5()).await, Reply::Busy));
    node.journal.hold(false);
    assert!(is_done(&decided.await.unwrap()) && is_done(&waiting.await.unwrap()));
}

#[tokio::test]
async fn a_driver_has_room_for_so_many_games() {
    let node = Node::start().await;
    for number in 0..3 {
        let birth = birth(number);
        assert!(matches!(
            node.ask(birth.game, Ask::Birth(Box::new(birth))).await,
            Reply::Born
        ));
    }
    let fourth = birth(4);
    assert!(matches!(
        node.ask(fourth.game, Ask::Birth(Box::new(fourth))).await,
        Reply::Busy
    ));
}

#[tokio::test]
async fn a_birth_is_done_once_and_not_contradicted() {
    let node = Node::start().await;
    let game = node.with_game().await;
    assert!(matches!(
        node.ask(game, Ask::Birth(Box::new(birth(1)))).await,
        Reply::Born
    ));
    let mut other = birth(1);
    other.terms.rated = true;
    let other = node.ask(game, Ask::Birth(Box::new(other))).await;
    assert!(
        matches!(other, Reply::Unborn(BirthError::NoRoom)),
        "{other:?}"
    );
    assert_eq!(node.journal.events(game).len(), 1);
}

#[tokio::test]
async fn only_the_players_act() {
    let node = Node::start().await;
    let game = node.with_game().await;
    let stranger = PlayerId::mint(START, 99, SHARD);
    let ask = Ask::Command {
        player: stranger,
        id: CommandId(1),
        ply: 0,
        act: Act::Resign,
        lag: Millis::ZERO,
    };
    assert!(matches!(node.ask(game, ask).await, Reply::NotSeated));
    let nowhere = GameId::mint(START, 77, SHARD);
    assert!(matches!(node.act(nowhere, E4()).await, Reply::UnknownGame));
    assert!(matches!(
        node.ask(nowhere, Ask::Events { from: Seq(0) }).await,
        Reply::UnknownGame
    ));
}

#[tokio::test]
async fn events_are_given_from_any_number_with_who_is_there() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.act(game, E4()).await;
    node.ask(
        game,
        Ask::Presence {
            player: player(Seat::Black),
            online: true,
        },
    )
    .await;
    for (from, count) in [(0, 2), (1, 1), (2, 0), (99, 0)] {
        match node.ask(game, Ask::Events { from: Seq(from) }).await {
            Reply::Events { events, online } => {
                assert_eq!(events.len(), count, "from {from}");
                assert_eq!(
                    online,
                    BySeat {
                        white: false,
                        black: true
                    }
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_finished_game_is_filed_then_forgotten() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.archive.is_away(true);
    assert!(is_done(
        &node.act(game, (Seat::White, 1, 0, Act::Resign)).await
    ));
    node.pass(Millis(50)).await;
    assert!(
        matches!(
            node.act(game, E5()).await,
            Reply::Refused(Refusal::GameOver)
        ),
        "it is not filed yet"
    );
    node.archive.is_away(false);
    node.pass(Millis(100)).await;
    let filed = node.archive.games();
    assert_eq!(filed.len(), 1);
    assert_eq!(
        (filed[0].birth.game, filed[0].outcome.ending),
        (game, Ending::Resignation)
    );
    assert_eq!(filed[0].events, node.told());
    assert_eq!(node.journal.events(game), []);
    assert!(matches!(node.act(game, E5()).await, Reply::UnknownGame));
}

#[tokio::test]
async fn what_a_crash_left_unfiled_is_filed_at_the_start() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.archive.is_away(true);
    assert!(is_done(
        &node.act(game, (Seat::White, 1, 0, Act::Resign)).await
    ));
    drop(node.shards);
    let node = Node::start_on(node.journal.clone(), START + Millis(1000), 16).await;
    settle().await;
    assert_eq!(node.archive.games().len(), 1);
    assert_eq!(node.journal.events(game), []);
}

#[tokio::test]
async fn a_stop_answers_what_waits_and_closes_the_journal() {
    let node = Node::start().await;
    let game = node.with_game().await;
    let moved = node.start_asking(game, E4());
    node.router.drain();
    let newborn = birth(2);
    assert!(matches!(
        node.ask(newborn.game, Ask::Birth(Box::new(newborn))).await,
        Reply::Busy
    ));
    let Node {
        shards, journal, ..
    } = node;
    shards.stop().await;
    assert!(is_done(&moved.await.unwrap()));
    assert_eq!(
        journal.events(game).len(),
        2,
        "a live game stays in the journal"
    );
    assert!(journal.last_beat().await.is_err(), "the journal is closed");
}
