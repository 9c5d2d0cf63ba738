//! Nothing is known before it is stored, and nothing known is lost.

use super::*;

#[tokio::test]
async fn nobody_hears_of_a_move_before_it_is_stored() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.journal.hold(true);
    let mover = node.start_asking(game, E4());
    settle().await;
    let refused = node.start_asking(game, E4_AGAIN());
    settle().await;
    assert!(!mover.is_finished() && !refused.is_finished());
    assert_eq!(node.told().len(), 1, "the birth alone was told");
    node.journal.hold(false);
    assert!(is_done(&mover.await.unwrap()));
    assert!(matches!(
        refused.await.unwrap(),
        Reply::Refused(Refusal::StalePly)
    ));
    assert!(matches!(node.last_told(), What::Moved { .. }));
}

#[tokio::test]
async fn a_commit_of_unknown_outcome_is_done_once_and_answered() {
    for fault in [Fault::Lost, Fault::StoredUnknown] {
        let node = Node::start().await;
        let game = node.with_game().await;
        node.journal.inject(fault);
        let mover = node.start_asking(game, E4());
        node.pass(Millis(250)).await;
        assert!(is_done(&mover.await.unwrap()), "{fault:?}");
        let moves = node
            .journal
            .events(game)
            .into_iter()
            .filter(|event| matches!(event.what, What::Moved { .. }));
        assert_eq!(moves.count(), 1, "{fault:?}");
        let numbers: Vec<_> = node.told().iter().map(|event| event.seq).collect();
        let expected: Vec<_> = (0..).map(Seq).take(numbers.len()).collect();
        assert_eq!(numbers, expected, "{fault:?}: told in order, without gaps");
    }
}

#[tokio::test]
async fn while_the_disk_is_full_everyone_is_told_to_ask_again() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.journal.fill(true);
    let first = node.start_asking(game, E4());
    for _ in 0..20 {
        node.pass(Millis(250)).await;
    }
    assert!(matches!(first.await.unwrap(), Reply::Retry));
    node.journal.fill(false);
    let again = node.start_asking(game, E4());
    for _ in 0..4 {
        node.pass(Millis(250)).await;
    }
    assert!(is_done(&again.await.unwrap()));
}

#[tokio::test]
async fn who_is_there_need_not_say_so_after_a_crash() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.ask(
        game,
        Ask::Presence {
            player: player(Seat::White),
            online: true,
        },
    )
    .await;
    node.journal.inject(Fault::Lost);
    let mover = node.start_asking(game, E4());
    node.pass(Millis(250)).await;
    assert!(is_done(&mover.await.unwrap()));
    let resumed = node
        .told()
        .iter()
        .any(|event| matches!(event.what, What::Resumed { .. }));
    assert!(resumed, "White's clock went on without a word from him");
}
